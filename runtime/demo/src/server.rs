//! The running demo: one listener, the log, the test controls and the state.

use std::net::SocketAddr;
use std::sync::atomic::AtomicU64;
#[cfg(feature = "gateways")]
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use tokio::sync::watch;

use crate::clock::Clock;
use crate::control::{Canned, Control, Fault};
use crate::log::{Log, Request};
use crate::serve::serve;
use crate::state::Store;
use crate::version::Version;
use crate::wire::{Plain, Reset};
use crate::{access, seed};

/// How the demo is started.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The port to listen on; 0 takes any free one.
    pub port: u16,
    /// Where the product is mounted: empty, or a path such as `/bitbucket`.
    pub context_path: String,
    /// The release to answer as.
    pub version: Version,
    /// Whether passwords are taken where a fresh installation of the release
    /// would refuse them.
    pub basic_authentication: bool,
    /// Whether JSON answers carry an `ETag`, as behind some proxies. The
    /// product's own do not.
    pub etags: bool,
    /// Whether text and JSON are packed for who takes gzip.
    #[cfg(feature = "gateways")]
    pub gzip: bool,
}

/// A running demo. Serving stops when it is dropped.
#[derive(Debug)]
pub struct Demo {
    pub(crate) shared: Arc<Shared>,
    /// Dropping the sender is what tells the listener and held requests to end.
    _stop: watch::Sender<()>,
    /// Always 0 without TLS.
    #[cfg(feature = "gateways")]
    pub(crate) failed_handshakes: Arc<AtomicUsize>,
}

impl Demo {
    /// Binds the loopback interface and serves on the current runtime.
    ///
    /// # Errors
    ///
    /// When the port cannot be bound.
    pub async fn start(options: Options) -> std::io::Result<Demo> {
        let listener = Plain::bind(options.port).await?;
        let origin = format!("http://{}", listener.local_addr()?);
        Ok(Demo::on(listener, &origin, options))
    }

    /// Serves on this listener, whose address clients know as `origin`.
    pub(crate) fn on<L>(listener: L, origin: &str, options: Options) -> Demo
    where
        L: Listener<Addr = SocketAddr>,
        for<'a> Reset: Connected<IncomingStream<'a, L>>,
    {
        let context_path = match options.context_path.trim_matches('/') {
            "" => String::new(),
            path => format!("/{path}"),
        };
        let (stop, mut stopped) = watch::channel(());
        let shared = Arc::new(Shared {
            base: format!("{origin}{context_path}"),
            context_path,
            version: options.version,
            basic: options.basic_authentication || options.version < Version::V10_0,
            etags: options.etags,
            clock: Clock::default(),
            log: Log::default(),
            control: Control::default(),
            store: Mutex::new(seed::store()),
            answered: AtomicU64::new(0),
            stopped: stopped.clone(),
        });
        let router = Router::new().fallback(serve).with_state(Arc::clone(&shared));
        #[cfg(feature = "gateways")]
        let router = if options.gzip {
            router.layer(axum::middleware::from_fn(crate::gzip::packed))
        } else {
            router
        };
        let service = router.into_make_service_with_connect_info::<Reset>();
        tokio::spawn(async move {
            let until = async move {
                // The only news this channel brings is that its sender is gone.
                let _ = stopped.changed().await;
            };
            // A listener that fails has no one to tell: clients see it refuse.
            let _ = axum::serve(listener, service).with_graceful_shutdown(until).await;
        });
        Demo {
            shared,
            _stop: stop,
            #[cfg(feature = "gateways")]
            failed_handshakes: Arc::default(),
        }
    }

    /// The base address, with the context path and without a final slash.
    #[must_use]
    pub fn url(&self) -> String {
        self.shared.base.clone()
    }

    /// The token that acts as a user, who is named by slug.
    #[must_use]
    pub fn token_of(&self, slug: &str) -> String {
        access::token(slug)
    }

    /// Every request received since the start or the last clearing, in order.
    #[must_use]
    pub fn requests(&self) -> Vec<Request> {
        self.shared.log.all()
    }

    /// Forgets the requests received so far.
    pub fn clear_requests(&self) {
        self.shared.log.clear();
    }

    /// From here on, requests whose path contains this text are never answered.
    pub fn hold(&self, path_contains: &str) {
        self.shared.control.hold(path_contains);
    }

    /// How many held requests still have an open connection.
    #[must_use]
    pub fn in_flight(&self) -> usize {
        self.shared.control.in_flight()
    }

    /// From here on, requests whose path contains this text get this answer.
    pub fn answer_with(
        &self,
        path_contains: &str,
        status: u16,
        headers: Vec<(String, String)>,
        body: Vec<u8>,
    ) {
        self.shared.control.answer_with(path_contains, Canned { status, headers, body });
    }

    /// From here on, requests whose path contains this text go wrong: the next
    /// few, or all.
    pub fn fail(&self, path_contains: &str, fault: Fault, times: Option<usize>) {
        self.shared.control.fail(path_contains, fault, times);
    }

    /// Ends every hold, canned answer and fault.
    pub fn heal(&self) {
        self.shared.control.heal();
    }

    /// Puts the demo's clock forward: builds end, and what waits for a time
    /// happens when the next request arrives.
    pub fn advance(&self, by: Duration) {
        self.shared.clock.advance(i64::try_from(by.as_millis()).unwrap_or(i64::MAX));
    }
}

#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) base: String,
    pub(crate) context_path: String,
    pub(crate) version: Version,
    /// Whether passwords are taken.
    pub(crate) basic: bool,
    pub(crate) etags: bool,
    pub(crate) clock: Clock,
    pub(crate) log: Log,
    pub(crate) control: Control,
    store: Mutex<Store>,
    pub(crate) answered: AtomicU64,
    pub(crate) stopped: watch::Receiver<()>,
}

impl Shared {
    pub(crate) fn store(&self) -> MutexGuard<'_, Store> {
        self.store.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
