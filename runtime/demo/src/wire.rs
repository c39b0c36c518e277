//! The connection below HTTP, and the listener it comes from: a test can have
//! it reset, which HTTP itself has no word for. Knows nothing of requests.

use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};

use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use futures_util::task::AtomicWaker;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};

/// Listens on the loopback interface, without TLS.
#[derive(Debug)]
pub(crate) struct Plain(TcpListener);

impl Plain {
    pub(crate) async fn bind(port: u16) -> std::io::Result<Plain> {
        Ok(Plain(TcpListener::bind(("127.0.0.1", port)).await?))
    }
}

impl Listener for Plain {
    type Io = Wire;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Wire, SocketAddr) {
        // axum's own, which waits when the process has no descriptor left.
        let (stream, address) = Listener::accept(&mut self.0).await;
        (Wire { stream, reset: Reset::default() }, address)
    }

    fn local_addr(&self) -> std::io::Result<SocketAddr> {
        self.0.local_addr()
    }
}

/// One connection.
#[derive(Debug)]
pub(crate) struct Wire {
    stream: TcpStream,
    reset: Reset,
}

impl Wire {
    /// What resets it.
    pub(crate) fn reset(&self) -> Reset {
        self.reset.clone()
    }
}

impl Drop for Wire {
    fn drop(&mut self) {
        if self.reset.is_asked() {
            // Without lingering, closing is a reset. A socket that refuses is
            // closed as any other, and the test that asked for this sees it.
            let _ = self.stream.set_zero_linger();
        }
    }
}

/// Resets a connection, from the request that came over it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Reset(Arc<State>);

#[derive(Debug, Default)]
struct State {
    asked: AtomicBool,
    reader: AtomicWaker,
}

impl Reset {
    /// Ends the connection the next time it is read from, which is at once when
    /// it waits for a request.
    pub(crate) fn now(&self) {
        self.0.asked.store(true, Ordering::SeqCst);
        self.0.reader.wake();
    }

    fn refused(&self) -> std::io::Result<()> {
        match self.is_asked() {
            true => Err(std::io::ErrorKind::ConnectionReset.into()),
            false => Ok(()),
        }
    }

    fn is_asked(&self) -> bool {
        self.0.asked.load(Ordering::SeqCst)
    }
}

impl Connected<IncomingStream<'_, Plain>> for Reset {
    fn connect_info(incoming: IncomingStream<'_, Plain>) -> Self {
        incoming.io().reset()
    }
}

impl AsyncRead for Wire {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<std::io::Result<()>> {
        // Registered first: a reset between the two lines wakes this reader.
        self.reset.0.reader.register(context.waker());
        self.reset.refused()?;
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for Wire {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<std::io::Result<usize>> {
        // What TLS says at its end would be an orderly one.
        self.reset.refused()?;
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[std::io::IoSlice<'_>],
    ) -> Poll<std::io::Result<usize>> {
        self.reset.refused()?;
        Pin::new(&mut self.stream).poll_write_vectored(context, bytes)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<std::io::Result<()>> {
        if self.reset.is_asked() {
            // That would be an orderly end as well; dropping the stream does the rest.
            return Poll::Ready(Ok(()));
        }
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
