//! A demo behind TLS: handshakes run side by side, so a client that is stuck in
//! one keeps nobody waiting.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use tokio::task::JoinSet;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

use super::{Tls, configuration};
use crate::wire::{Plain, Reset, Wire};
use crate::{Demo, Options};

impl Demo {
    /// As [`Demo::start`], behind TLS: the address is `https://localhost:PORT`,
    /// and whether the certificate is for that name is the caller's business.
    ///
    /// # Errors
    ///
    /// When the port cannot be bound, or the identity or the authority is not
    /// PEM that TLS can use.
    pub async fn start_secured(options: Options, tls: Tls) -> std::io::Result<Demo> {
        let acceptor = TlsAcceptor::from(Arc::new(configuration(&tls)?));
        let plain = Plain::bind(options.port).await?;
        let origin = format!("https://localhost:{}", plain.local_addr()?.port());
        let failed = Arc::new(AtomicUsize::new(0));
        let listener =
            Secured { plain, acceptor, handshakes: JoinSet::new(), failed: Arc::clone(&failed) };
        let mut demo = Demo::on(listener, &origin, options);
        demo.failed_handshakes = failed;
        Ok(demo)
    }

    /// How many TLS handshakes failed so far, on either side.
    #[must_use]
    pub fn failed_handshakes(&self) -> usize {
        self.failed_handshakes.load(Ordering::SeqCst)
    }
}

struct Secured {
    plain: Plain,
    acceptor: TlsAcceptor,
    /// Those under way; they end with the listener.
    handshakes: JoinSet<(std::io::Result<TlsStream<Wire>>, SocketAddr)>,
    failed: Arc<AtomicUsize>,
}

impl Listener for Secured {
    type Io = TlsStream<Wire>;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (TlsStream<Wire>, SocketAddr) {
        loop {
            tokio::select! {
                (wire, address) = self.plain.accept() => {
                    let handshake = self.acceptor.accept(wire);
                    self.handshakes.spawn(async move { (handshake.await, address) });
                }
                Some(ended) = self.handshakes.join_next() => match ended {
                    Ok((Ok(stream), address)) => return (stream, address),
                    Ok((Err(_), _)) | Err(_) => {
                        self.failed.fetch_add(1, Ordering::SeqCst);
                    }
                },
            }
        }
    }

    fn local_addr(&self) -> std::io::Result<SocketAddr> {
        self.plain.local_addr()
    }
}

impl Connected<IncomingStream<'_, Secured>> for Reset {
    fn connect_info(incoming: IncomingStream<'_, Secured>) -> Self {
        incoming.io().get_ref().0.reset()
    }
}
