//! An HTTP proxy on the loopback interface: tunnels for `CONNECT`, requests with
//! an absolute address for plain HTTP. It reaches what it has been told of and
//! the loopback interface, never anything else. Knows nothing of Bitbucket.

mod head;
mod pass;

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};

use crate::accepting::Accepting;
use crate::query;

/// How a proxy behaves.
#[derive(Debug, Clone, Default)]
pub struct ProxyOptions {
    /// The user name and password it wants, as basic authentication; without
    /// them it lets everybody through.
    pub credentials: Option<(String, String)>,
    /// The status it refuses every request with that has the credentials.
    pub refuse_with: Option<u16>,
    /// Where `host:port` really is, so that a name can be made up that this
    /// proxy alone can resolve.
    pub map: Vec<(String, String)>,
}

/// What a proxy was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProxyRequest {
    /// The method, in capitals; `CONNECT` for a tunnel.
    pub method: String,
    /// The target as sent: `host:port` for a tunnel, else an absolute address.
    pub target: String,
    /// Whether it carried the credentials that the proxy wants, or the proxy
    /// wants none.
    pub authorized: bool,
}

/// A running proxy. It stops when it is dropped, with all its tunnels.
#[derive(Debug)]
pub struct Proxy {
    accepting: Accepting,
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    options: ProxyOptions,
    requests: Mutex<Vec<ProxyRequest>>,
}

impl Proxy {
    /// Binds the loopback interface and serves on the current runtime.
    ///
    /// # Errors
    ///
    /// When no port can be bound.
    pub async fn start(options: ProxyOptions) -> std::io::Result<Proxy> {
        let shared = Arc::new(Shared { options, requests: Mutex::default() });
        let served = Arc::clone(&shared);
        let accepting = Accepting::start(move |client| {
            let shared = Arc::clone(&served);
            async move {
                // Either side may go away at any time; both are closed then,
                // and there is nobody to tell.
                let _ = pass::pass(&shared, client).await;
            }
        })
        .await?;
        Ok(Proxy { accepting, shared })
    }

    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.accepting.address()
    }

    /// Its address, without credentials.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.address())
    }

    /// Its address with credentials, percent-encoded.
    #[must_use]
    pub fn url_with(&self, user: &str, password: &str) -> String {
        format!("http://{}:{}@{}", query::encode(user), query::encode(password), self.address())
    }

    /// Every request since the start, in order, refused ones too.
    #[must_use]
    pub fn requests(&self) -> Vec<ProxyRequest> {
        self.shared.requests.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Shared {
    fn add(&self, request: ProxyRequest) {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner).push(request);
    }
}
