//! `bb ai mcp serve`: the server's life from its first descriptor to its last.

use crate::cli::Failure;
use crate::guard::Guard;
use crate::settings::Settings;
use crate::transport::{Stdio, Streams};
use bb_client::{BaseUrl, Connection, Credential};
use bb_demo::{Demo, Options};
use rmcp::ServiceExt as _;
use std::time::Duration;

/// How long calls in flight may go on after the input has ended. The process is gone within a
/// second of it.
const GRACE: Duration = Duration::from_millis(600);

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
    let (connection, demo) = match settings.connection {
        Some(connection) => (connection, None),
        None => {
            let demo = Demo::start(Options::default())
                .await
                .map_err(|error| Failure::internal(format!("the demo cannot start: {error}")))?;
            let base = BaseUrl::parse(&demo.url(), false).map_err(Failure::internal)?;
            let credential = Credential::bearer(bb_demo::TOKEN).map_err(Failure::internal)?;
            (bb_client::Settings::new(base, credential), Some(demo))
        }
    };
    let target =
        if demo.is_some() { "demo".to_owned() } else { connection.base.as_str().to_owned() };
    let connection = Connection::new(connection).map_err(Failure::usage)?;
    let guard = Guard::new(connection, settings.scope, settings.deadline, settings.read_only)
        .map_err(Failure::internal)?;
    Ok(Ready { guard, target, demo })
}

async fn serve(settings: Settings, streams: Streams) -> Result<(), Failure> {
    let Ready { guard, demo: _demo, .. } = ready(settings).await?;
    let (transport, mut ended) = Stdio::start(streams);
    let service = async {
        match guard.serve(transport).await {
            Ok(service) => drop(service.waiting().await),
            // The input ended, or held nothing we could begin with: there is nobody to tell.
            Err(error) => drop(error),
        }
    };
    let stopped = async {
        tokio::select! {
            () = ended.wait() => tokio::time::sleep(GRACE).await,
            () = signalled() => {}
        }
    };
    tokio::select! {
        () = service => {}
        () = stopped => {}
    }
    Ok(())
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
