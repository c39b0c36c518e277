//! Listeners on the loopback interface that never say anything, whoever
//! connects: one keeps the connection, the other closes it.

use std::net::SocketAddr;

use tokio::io::{AsyncReadExt as _, copy, sink};
use tokio::net::TcpStream;

use crate::accepting::Accepting;

/// Accepts, reads, and never says anything. It stops when it is dropped.
#[derive(Debug)]
pub struct Silent(Accepting);

impl Silent {
    /// Starts one.
    ///
    /// # Errors
    ///
    /// When no port can be bound.
    pub async fn start() -> std::io::Result<Silent> {
        Ok(Silent(Accepting::start(listen).await?))
    }

    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.0.address()
    }

    /// How many connections it has accepted.
    #[must_use]
    pub fn accepted(&self) -> usize {
        self.0.accepted()
    }
}

async fn listen(mut stream: TcpStream) {
    // Until the client gives up; how that ends does not matter.
    let _ = copy(&mut stream, &mut sink()).await;
}

/// Accepts and closes, before anything is sent back. It stops when it is
/// dropped.
#[derive(Debug)]
pub struct Closing(Accepting);

impl Closing {
    /// Starts one that closes at once.
    ///
    /// # Errors
    ///
    /// When no port can be bound.
    pub async fn start() -> std::io::Result<Closing> {
        Closing::after(0).await
    }

    /// Starts one that closes when it has read so many bytes.
    ///
    /// # Errors
    ///
    /// When no port can be bound.
    pub async fn after(bytes: u64) -> std::io::Result<Closing> {
        let close = move |stream: TcpStream| async move {
            // A client that leaves earlier has closed it itself.
            let _ = copy(&mut stream.take(bytes), &mut sink()).await;
        };
        Ok(Closing(Accepting::start(close).await?))
    }

    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.0.address()
    }

    /// How many connections it has accepted.
    #[must_use]
    pub fn accepted(&self) -> usize {
        self.0.accepted()
    }
}
