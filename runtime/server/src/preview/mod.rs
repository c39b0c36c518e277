//! `bb ai mcp preview`: a local page that is an MCP Apps host, to look at views without a client.
//!
//! It can call every tool, so it listens on loopback alone, under a path nobody can guess, and
//! answers only requests that name it as their host and come from its own page.

mod inside;
mod site;

use crate::cli::Failure;
use crate::log;
use crate::serve::{Ready, ready, signalled};
use crate::settings::Settings;
use crate::transport::{Stdio, Streams};
use inside::Inside;
use rmcp::ServiceExt as _;
use site::Site;
use std::net::{Ipv4Addr, SocketAddr};
use tokio::net::TcpListener;

/// Serves the page until the process is told to stop.
pub(crate) fn run(settings: Settings, port: u16) -> Result<(), Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Failure::internal(format!("no runtime: {error}")))?;
    let outcome = runtime.block_on(serve(settings, port));
    // The transport's threads wait on pipes that nobody closes.
    runtime.shutdown_background();
    outcome
}

async fn serve(settings: Settings, port: u16) -> Result<(), Failure> {
    let internal =
        |error: std::io::Error| Failure::internal(format!("the preview cannot start: {error}"));
    let scope = settings.scope.as_ref().map(ToString::to_string);
    let Ready { guard, target, demo } = ready(settings).await?;
    let (streams, other) = Streams::inside().map_err(internal)?;
    let (transport, _ended) = Stdio::start(streams);
    let served = tokio::spawn(async move {
        if let Ok(service) = guard.serve(transport).await {
            drop(service.waiting().await);
        }
    });
    let client = Inside::start(other).await.map_err(Failure::internal)?;
    let listener = TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, port))).await.map_err(
        |error| {
            Failure::usage(format!(
                "port {port} cannot be listened on ({error}); give another, or leave --port out"
            ))
        },
    )?;
    let address = listener.local_addr().map_err(internal)?;
    let site = Site::new(client, address.port(), target, scope).map_err(Failure::internal)?;
    log::tell(&format!(
        "The preview is at {}\nAnyone who knows this address can call the tools; end it with Ctrl-C.",
        site.url()
    ));
    let outcome = tokio::select! {
        result = axum::serve(listener, site.router()) => result.map_err(internal),
        () = signalled() => Ok(()),
    };
    served.abort();
    drop(demo);
    outcome
}
