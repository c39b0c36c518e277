//! What the whole process shares: the HTTP client, the credential, the permits, who we are.

use crate::identity::Identity;
use crate::redaction::Redaction;
use crate::settings::{GatewayHeader, Limits, Settings};
use crate::tls::{self, Chain, Seen};
use bb_contract::Bound;
use reqwest::Url;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::{Semaphore, watch};

/// Headers that are this server's to set, or that would break the protocol.
const OURS: &[&str] = &[
    "accept",
    "accept-encoding",
    "authorization",
    "connection",
    "content-encoding",
    "content-length",
    "content-type",
    "expect",
    "host",
    "keep-alive",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "user-agent",
    "x-atlassian-token",
];

/// How long a repository counts as being where its path says. A move is rare, and a person who
/// moves one out of a scope expects that to hold soon.
const CONFIRMED_FOR: Duration = Duration::from_secs(300);

/// The process's way to one Bitbucket. Cheap to clone; makes no request by itself.
#[derive(Debug, Clone)]
pub struct Connection(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    settings: Settings,
    base: Url,
    host: String,
    proxy_host: Option<String>,
    http: reqwest::Client,
    authorization: HeaderValue,
    headers: HeaderMap,
    redaction: Redaction,
    seen: Seen,
    permits: Arc<Semaphore>,
    writes: watch::Sender<usize>,
    identity: Identity,
    confirmed: Mutex<BTreeMap<(String, String), Instant>>,
}

impl Connection {
    /// Builds the HTTP client, which reads the system's certificate authorities. Nothing is asked of
    /// Bitbucket yet.
    ///
    /// # Errors
    /// A sentence saying which setting cannot be used; never the secret itself.
    pub fn new(settings: Settings) -> std::result::Result<Self, String> {
        let seen = Seen::default();
        let http = client(&settings, seen.clone())?;
        let host = settings.base.address().map_or_else(String::new, |(host, _)| host);
        let proxy_host = proxy(&settings).and_then(|proxy| proxy.address()).map(|(host, _)| host);
        let base = Url::parse(settings.base.as_str())
            .map_err(|error| format!("the base URL cannot be used: {error}"))?;
        Ok(Self(Arc::new(Shared {
            base,
            host,
            proxy_host,
            http,
            authorization: settings.credential.header()?,
            headers: extra(&settings.headers)?,
            redaction: Redaction::of(&settings),
            seen,
            permits: Arc::new(Semaphore::new(settings.limits.requests)),
            writes: watch::Sender::new(0),
            identity: Identity::default(),
            confirmed: Mutex::new(BTreeMap::new()),
            settings,
        })))
    }

    /// The base URL, without a trailing slash.
    #[must_use]
    pub fn base(&self) -> &str {
        self.0.settings.base.as_str()
    }

    pub(crate) fn base_url(&self) -> &Url {
        &self.0.base
    }

    /// The HTTP client, for progenitor's constructor alone.
    #[must_use]
    pub fn http(&self) -> reqwest::Client {
        self.0.http.clone()
    }

    /// What knows the secrets and takes them out of texts.
    #[must_use]
    pub fn redaction(&self) -> Redaction {
        self.0.redaction.clone()
    }

    /// The certificates that Bitbucket, or a proxy reached by https, has last shown.
    #[must_use]
    pub fn chain(&self) -> Option<Chain> {
        self.0.seen.chain()
    }

    /// How many writing requests are under way. Whoever ends the process waits for them a little.
    #[must_use]
    pub fn writes(&self) -> watch::Receiver<usize> {
        self.0.writes.subscribe()
    }

    pub(crate) fn writing(&self) -> Writing {
        self.0.writes.send_modify(|writes| *writes += 1);
        Writing(self.clone())
    }

    pub(crate) fn identity(&self) -> &Identity {
        &self.0.identity
    }

    pub(crate) fn client(&self) -> &reqwest::Client {
        &self.0.http
    }

    pub(crate) fn host(&self) -> &str {
        &self.0.host
    }

    pub(crate) fn proxy_host(&self) -> Option<&str> {
        self.0.proxy_host.as_deref()
    }

    /// Whose certificate it was that was shown for this name.
    pub(crate) fn whose(&self, host: &str) -> &'static str {
        let proxy = proxy(&self.0.settings).filter(|proxy| proxy.as_str().starts_with("https:"));
        if proxy.is_some() && self.proxy_host() == Some(host) && host != self.host() {
            "the proxy's"
        } else {
            "Bitbucket's"
        }
    }

    pub(crate) fn has_proxy_credentials(&self) -> bool {
        proxy(&self.0.settings).is_some_and(crate::Proxy::has_credentials)
    }

    /// Host and port of what is connected to first.
    pub(crate) fn first_address(&self) -> Option<(String, u16)> {
        match proxy(&self.0.settings) {
            Some(proxy) => proxy.address(),
            None => self.0.settings.base.address(),
        }
    }

    pub(crate) fn is_encrypted(&self) -> bool {
        self.0.settings.base.is_encrypted()
    }

    pub(crate) fn verifies(&self) -> bool {
        self.0.settings.trust.verify
    }

    pub(crate) fn uses_password(&self) -> bool {
        matches!(self.0.settings.credential, crate::Credential::Basic { .. })
    }

    pub(crate) fn shows_certificate(&self) -> bool {
        self.0.settings.identity.is_some()
    }

    pub(crate) fn redact(&self) -> &Redaction {
        &self.0.redaction
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

    pub(crate) fn headers(&self) -> &HeaderMap {
        &self.0.headers
    }

    pub(crate) fn permits(&self) -> Arc<Semaphore> {
        Arc::clone(&self.0.permits)
    }

    pub(crate) fn limits(&self) -> Limits {
        self.0.settings.limits
    }
}

/// Whether a header is this server's to set, or the protocol's.
#[must_use]
pub fn is_reserved_header(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    OURS.contains(&name.as_str()) || name.starts_with("proxy-")
}

/// One writing request under way.
#[derive(Debug)]
pub(crate) struct Writing(Connection);

impl Drop for Writing {
    fn drop(&mut self) {
        self.0.0.writes.send_modify(|writes| *writes -= 1);
    }
}

fn proxy(settings: &Settings) -> Option<&crate::Proxy> {
    settings.proxy.as_ref().filter(|_| !settings.base.is_loopback())
}

/// The one client of every request: API, raw text, pictures.
fn client(settings: &Settings, seen: Seen) -> std::result::Result<reqwest::Client, String> {
    // reqwest looks for a provider even where it is given a configuration. Fails only when there is
    // one already, which is as good.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let mut builder = reqwest::Client::builder()
        .user_agent(concat!("bb/", env!("CARGO_PKG_VERSION"), " mcp"))
        .connect_timeout(settings.limits.connect)
        .retry(reqwest::retry::never())
        // A redirect would leave past the egress guard, with the token on it.
        .redirect(reqwest::redirect::Policy::none())
        // Proxies are read with the other settings, so that what is used can be shown.
        .no_proxy();
    if let Some(proxy) = proxy(settings) {
        let built = proxy.built();
        builder = builder.proxy(built.map_err(|error| {
            format!("the proxy {} cannot be used: {}", proxy.as_str(), error.without_url())
        })?);
    }
    let unverified = crate::Trust { authorities: Vec::new(), verify: false };
    // Where nothing is encrypted, a machine without authorities has to do as well.
    let encrypted = settings.base.is_encrypted()
        || proxy(settings).is_some_and(|proxy| proxy.as_str().starts_with("https:"));
    let trust = if encrypted { &settings.trust } else { &unverified };
    builder
        .tls_backend_preconfigured(tls::configuration(trust, settings.identity.as_ref(), seen)?)
        .build()
        .map_err(|error| format!("the HTTP client cannot be set up: {}", error.without_url()))
}

fn extra(headers: &[GatewayHeader]) -> std::result::Result<HeaderMap, String> {
    let mut map = HeaderMap::new();
    for GatewayHeader { name, value, .. } in headers {
        let shown = bb_contract::text::visible(name);
        let parsed: HeaderName =
            name.parse().map_err(|_| format!("`{shown}` is not the name of a header"))?;
        if is_reserved_header(name) {
            return Err(format!("the header `{shown}` is set by this server or by the protocol"));
        }
        let mut value = HeaderValue::from_str(value.expose()).map_err(|_| {
            format!("the value of the header `{shown}` holds a line break or another character no header can carry")
        })?;
        value.set_sensitive(true);
        map.insert(parsed, value);
    }
    Ok(map)
}

fn key(bound: &Bound) -> (String, String) {
    (bound.project().to_ascii_lowercase(), bound.repo().to_ascii_lowercase())
}
