//! What the whole process shares: the HTTP client, the credential, the permits.

use crate::BaseUrl;
use bb_contract::Bound;
use reqwest::header::HeaderValue;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::Semaphore;

/// A text that is never printed.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Wraps a secret.
    #[must_use]
    pub fn new(text: String) -> Self {
        Self(text)
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("(secret)")
    }
}

/// Bounds on what one call may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Most bytes of a JSON answer.
    pub body: usize,
    /// Most bytes of a streamed answer; the reader may stop earlier.
    pub stream: usize,
    /// Requests in flight at once.
    pub requests: usize,
    /// Time for the TCP and TLS handshakes.
    pub connect: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            body: 16 << 20,
            stream: 64 << 20,
            // Bitbucket tickets diffs and merges per user; peers that sent more were throttled.
            requests: 6,
            connect: Duration::from_secs(10),
        }
    }
}

/// Where Bitbucket is and how to be let in.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The base URL.
    pub base: BaseUrl,
    /// An HTTP access token.
    pub token: Secret,
    /// Bounds.
    pub limits: Limits,
}

/// The process's way to one Bitbucket. Cheap to clone; makes no request by itself.
#[derive(Debug, Clone)]
pub struct Connection(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    base: BaseUrl,
    http: reqwest::Client,
    authorization: HeaderValue,
    permits: Arc<Semaphore>,
    limits: Limits,
    caller: Mutex<Option<String>>,
    confirmed: Mutex<BTreeMap<(String, String), Instant>>,
}

/// How long a repository counts as being where its path says. A move is rare, and a person who
/// moves one out of a scope expects that to hold soon.
const CONFIRMED_FOR: Duration = Duration::from_secs(300);

impl Connection {
    /// Builds the HTTP client. Nothing is asked of Bitbucket yet.
    ///
    /// # Errors
    /// A sentence saying which setting cannot be used; never the secret itself.
    pub fn new(settings: Settings) -> std::result::Result<Self, String> {
        // Fails only when a provider is there already, which is as good.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let mut builder = reqwest::Client::builder()
            .user_agent(concat!("bb/", env!("CARGO_PKG_VERSION"), " mcp"))
            .connect_timeout(settings.limits.connect)
            // A redirect would leave past the egress guard, with the token on it.
            .redirect(reqwest::redirect::Policy::none());
        if settings.base.is_loopback() {
            builder = builder.no_proxy();
        }
        let http = builder.build().map_err(|error| {
            format!("the HTTP client cannot be set up: {}", error.without_url())
        })?;
        let mut authorization = HeaderValue::from_str(&format!("Bearer {}", settings.token.0))
            .map_err(|_| {
                "the token holds a line break or another character no header can carry".to_owned()
            })?;
        authorization.set_sensitive(true);
        Ok(Self(Arc::new(Shared {
            base: settings.base,
            http,
            authorization,
            permits: Arc::new(Semaphore::new(settings.limits.requests)),
            limits: settings.limits,
            caller: Mutex::new(None),
            confirmed: Mutex::new(BTreeMap::new()),
        })))
    }

    /// The base URL, without a trailing slash.
    #[must_use]
    pub fn base(&self) -> &str {
        self.0.base.as_str()
    }

    /// The HTTP client, for progenitor's constructor alone.
    #[must_use]
    pub fn http(&self) -> reqwest::Client {
        self.0.http.clone()
    }

    pub(crate) fn client(&self) -> &reqwest::Client {
        &self.0.http
    }

    /// The user Bitbucket says the token belongs to, once any answer has said it.
    #[must_use]
    pub fn caller(&self) -> Option<String> {
        self.0.caller.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn note_caller(&self, name: String) {
        *self.0.caller.lock().unwrap_or_else(PoisonError::into_inner) = Some(name);
    }

    pub(crate) fn is_confirmed(&self, bound: &Bound) -> bool {
        let confirmed = self.0.confirmed.lock().unwrap_or_else(PoisonError::into_inner);
        confirmed.get(&key(bound)).is_some_and(|since| since.elapsed() < CONFIRMED_FOR)
    }

    pub(crate) fn note_confirmed(&self, bound: &Bound) {
        let mut confirmed = self.0.confirmed.lock().unwrap_or_else(PoisonError::into_inner);
        confirmed.retain(|_, since| since.elapsed() < CONFIRMED_FOR);
        confirmed.insert(key(bound), Instant::now());
    }

    pub(crate) fn authorization(&self) -> HeaderValue {
        self.0.authorization.clone()
    }

    pub(crate) fn permits(&self) -> Arc<Semaphore> {
        Arc::clone(&self.0.permits)
    }

    pub(crate) fn limits(&self) -> Limits {
        self.0.limits
    }
}

fn key(bound: &Bound) -> (String, String) {
    (bound.project().to_ascii_lowercase(), bound.repo().to_ascii_lowercase())
}
