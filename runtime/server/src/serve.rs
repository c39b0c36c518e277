//! `bb ai mcp serve`: the server's life from its first descriptor to its last.

use crate::cli::Failure;
use crate::guard::Guard;
use crate::log;
use crate::settings::Settings;
use crate::transport::{Stdio, Streams};
use bb_client::{BaseUrl, Connection, Credential};
use bb_demo::{Demo, Options};
use rmcp::ServiceExt as _;
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::timeout;

/// How long calls in flight may go on after the input has ended. The process is gone within a
/// second of it.
const GRACE: Duration = Duration::from_millis(600);
/// How long the end of the process waits for writing requests, from the first reason to end.
const PATIENCE: Duration = Duration::from_millis(850);
/// How long a finished call needs to write its answer.
const ANSWER: Duration = Duration::from_millis(30);

/// Serves until the input ends or the process is told to stop.
pub(crate) fn run(settings: Settings) -> Result<(), Failure> {
    // First of all: from here on nothing but the transport has the real standard output.
    let streams =
        Streams::take().map_err(|error| Failure::internal(format!("standard streams: {error}")))?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Failure::internal(format!("no runtime: {error}")))?;
    let outcome = runtime.block_on(serve(settings, streams));
    // A blocked read of standard input must not hold the process.
    runtime.shutdown_background();
    outcome
}

/// A server that is ready to be served, and the demo it uses, which lives as long.
pub(crate) struct Ready {
    /// The guard.
    pub(crate) guard: Guard,
    /// What it talks to.
    pub(crate) target: String,
    /// The demo, when that is it.
    pub(crate) demo: Option<Demo>,
}

/// Makes the connection, or starts the demo, and the guard before it.
pub(crate) async fn ready(settings: Settings) -> Result<Ready, Failure> {
    let (connection, demo) = connection(settings.connection).await?;
    let target = if demo.is_some() { "demo".to_owned() } else { connection.base().to_owned() };
    let guard = Guard::new(connection, settings.scope, settings.deadline, settings.read_only)
        .map_err(Failure::internal)?;
    Ok(Ready { guard, target, demo })
}

/// The connection to Bitbucket, or to a demo that is started for it. From here on the log knows
/// the secrets.
pub(crate) async fn connection(
    settings: Option<bb_client::Settings>,
) -> Result<(Connection, Option<Demo>), Failure> {
    let (settings, demo) = match settings {
        Some(settings) => (settings, None),
        None => {
            let demo = Demo::start(Options::default())
                .await
                .map_err(|error| Failure::internal(format!("the demo cannot start: {error}")))?;
            let base = BaseUrl::parse(&demo.url(), false).map_err(Failure::internal)?;
            let credential = Credential::bearer(bb_demo::TOKEN).map_err(Failure::internal)?;
            (bb_client::Settings::new(base, credential), Some(demo))
        }
    };
    let connection = Connection::new(settings).map_err(Failure::usage)?;
    log::redact(connection.redaction());
    Ok((connection, demo))
}

async fn serve(settings: Settings, streams: Streams) -> Result<(), Failure> {
    let Ready { guard, demo: _demo, .. } = ready(settings).await?;
    let writes = guard.writes();
    let (transport, mut ended) = Stdio::start(streams);
    let service = async {
        match guard.serve(transport).await {
            Ok(service) => drop(service.waiting().await),
            // The input ended, or held nothing we could begin with: there is nobody to tell.
            Err(error) => drop(error),
        }
    };
    let stopped = async {
        let patience = tokio::select! {
            () = ended.wait() => {
                tokio::time::sleep(GRACE).await;
                PATIENCE.saturating_sub(GRACE)
            }
            () = signalled() => PATIENCE,
        };
        written(writes, patience).await;
    };
    tokio::select! {
        () = service => {}
        () = stopped => {}
    }
    Ok(())
}

/// Waits until Bitbucket has answered what it was told to do, while there is patience: who is told
/// "done" need not ask whether it was. Reads are dropped with the process.
async fn written(mut writes: watch::Receiver<usize>, patience: Duration) {
    if *writes.borrow() == 0 {
        return;
    }
    let done = timeout(patience, writes.wait_for(|writes| *writes == 0)).await;
    if done.is_ok() {
        // The answer itself has to get out.
        tokio::time::sleep(ANSWER).await;
    } else {
        tracing::warn!(
            "ended while Bitbucket was changing something: look there whether it is done"
        );
    }
}

/// Waits for the person or the system to end the process.
#[cfg(unix)]
pub(crate) async fn signalled() {
    use tokio::signal::unix::{SignalKind, signal};
    let terminated = async {
        match signal(SignalKind::terminate()) {
            Ok(mut signal) => drop(signal.recv().await),
            Err(_) => std::future::pending().await,
        }
    };
    tokio::select! {
        () = terminated => {}
        result = tokio::signal::ctrl_c() => if result.is_err() { std::future::pending::<()>().await },
    }
}

/// Waits for the person to end the process.
#[cfg(not(unix))]
pub(crate) async fn signalled() {
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}
