//! A loopback listener that hands each connection to a function and ends, with
//! all of them, when it is dropped. Knows no protocol.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::net::{TcpListener, TcpStream};
use tokio::task::{AbortHandle, JoinSet};

#[derive(Debug)]
pub(crate) struct Accepting {
    address: SocketAddr,
    accepted: Arc<AtomicUsize>,
    /// The task that accepts; it owns those of the connections.
    task: AbortHandle,
}

impl Accepting {
    pub(crate) async fn start<F, Done>(connected: F) -> std::io::Result<Accepting>
    where
        F: Fn(TcpStream) -> Done + Send + 'static,
        Done: Future<Output = ()> + Send + 'static,
    {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
        let address = listener.local_addr()?;
        let accepted = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&accepted);
        let task = tokio::spawn(async move {
            let mut connections = JoinSet::new();
            loop {
                tokio::select! {
                    // A connection that failed while it was accepted is no
                    // connection; the next may well be one.
                    incoming = listener.accept() => if let Ok((stream, _)) = incoming {
                        counted.fetch_add(1, Ordering::SeqCst);
                        connections.spawn(connected(stream));
                    },
                    Some(_) = connections.join_next() => {}
                }
            }
        });
        Ok(Accepting { address, accepted, task: task.abort_handle() })
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    pub(crate) fn accepted(&self) -> usize {
        self.accepted.load(Ordering::SeqCst)
    }
}

impl Drop for Accepting {
    fn drop(&mut self) {
        self.task.abort();
    }
}
