//! A server that speaks no version of TLS a client may use: what one that
//! offers 1.1 alone says to a client that offers more.

use std::net::SocketAddr;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::accepting::Accepting;

/// A running one. It stops when it is dropped.
#[derive(Debug)]
pub struct OldServer(Accepting);

/// Starts one on the loopback interface.
///
/// # Errors
///
/// When no port can be bound.
pub async fn old_server() -> std::io::Result<OldServer> {
    Ok(OldServer(Accepting::start(refuse).await?))
}

impl OldServer {
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

/// A record of TLS 1.1 with a fatal alert, `protocol_version` (RFC 4346, 7.2).
const ALERT: [u8; 7] = [21, 3, 2, 0, 2, 2, 70];

async fn refuse(mut stream: TcpStream) {
    // The whole hello is read first: closing with bytes unread would be a reset,
    // and the alert could be lost.
    let mut head = [0; 5];
    if stream.read_exact(&mut head).await.is_err() {
        return;
    }
    let mut hello = vec![0; usize::from(u16::from_be_bytes([head[3], head[4]]))];
    if stream.read_exact(&mut hello).await.is_ok() {
        // A client that is gone already needs no alert.
        let _ = stream.write_all(&ALERT).await;
        let _ = stream.shutdown().await;
    }
}
