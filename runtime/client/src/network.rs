//! What a failure of the network comes to, in words for a model and in words for the operator.

use crate::tls::Untrusted;
use crate::{Connection, ErrorKind};
use bb_contract::text::visible;
use rustls::{AlertDescription, InvalidMessage};
use std::error::Error;

/// A request that brought no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Network {
    /// What went wrong.
    pub failure: Failure,
    /// What to tell the model; no setting is named in it.
    pub message: String,
    /// What to tell the operator: the connection's own words, and the setting that helps.
    pub detail: String,
    /// Whether Bitbucket may have read the request.
    pub sent: bool,
}

/// Where on the way a request failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failure {
    /// The host's name is not known.
    Name,
    /// Nobody accepts connections there.
    Connect,
    /// Nobody answered in time.
    ConnectTimeout,
    /// The proxy wants other credentials.
    ProxyCredentials,
    /// The proxy does not let the connection through, or is no proxy.
    Proxy,
    /// Bitbucket's certificate was not believed.
    Certificate,
    /// Bitbucket wants a client certificate, or another than ours.
    ClientCertificate,
    /// TLS failed in another way.
    Tls,
    /// The body stopped coming.
    Stalled,
    /// The connection ended before the answer did.
    Broken,
}

impl Failure {
    /// The kind of error it is.
    #[must_use]
    pub fn kind(self) -> ErrorKind {
        match self {
            Self::Certificate | Self::ClientCertificate | Self::Tls => ErrorKind::Tls,
            Self::ConnectTimeout | Self::Stalled => ErrorKind::Timeout,
            Self::Name | Self::Connect | Self::ProxyCredentials | Self::Proxy | Self::Broken => {
                ErrorKind::Unavailable
            }
        }
    }

    /// Whether the same request may succeed at once. Not what an operator has to mend, and not what
    /// has cost its time already.
    pub(crate) fn is_passing(self) -> bool {
        matches!(self, Self::Connect | Self::Broken)
    }
}

/// Reads what the HTTP client says.
pub(crate) fn read(error: &reqwest::Error, connection: &Connection) -> Network {
    let sources = sources(error);
    let host = connection.host();
    let words = sources
        .last()
        .map_or_else(|| "the connection failed".to_owned(), |last| visible(&last.to_string()));
    let connecting = error.is_connect();
    if let Some(untrusted) = sources.iter().find_map(|source| untrusted(*source)) {
        return network(
            Failure::Certificate,
            untrusted.message(),
            format!("TLS with {host}: {untrusted}; {}", untrusted.remedy()),
            false,
        );
    }
    if let Some(tls) = sources.iter().find_map(|source| source.downcast_ref::<rustls::Error>()) {
        return of_tls(tls, connection);
    }
    // The tunnel's errors are of a type nobody else can name; only their words tell them apart.
    if let Some(tunnel) =
        sources.iter().map(ToString::to_string).find(|text| text.starts_with("tunnel error"))
    {
        return of_tunnel(&tunnel, &words, connection);
    }
    if error.is_dns() {
        return match connection.proxy_host() {
            Some(proxy) => network(
                Failure::Name,
                format!("Bitbucket cannot be reached: the proxy's name {proxy} is not known"),
                format!("DNS: {words}; check HTTPS_PROXY (proxy)"),
                false,
            ),
            None => network(
                Failure::Name,
                format!("Bitbucket cannot be reached: the name {host} is not known"),
                format!(
                    "DNS: {words}; check BITBUCKET_URL (url), and HTTPS_PROXY where only a proxy knows the name"
                ),
                false,
            ),
        };
    }
    let (through, setting) = match connection.proxy_host() {
        Some(proxy) => (format!("the proxy {proxy}"), "check HTTPS_PROXY (proxy)"),
        None => (host.to_owned(), "check BITBUCKET_URL (url) and whether a proxy is needed"),
    };
    if connecting && error.is_timeout() {
        return network(
            Failure::ConnectTimeout,
            format!("Bitbucket cannot be reached: {through} did not answer in time"),
            format!("connecting to {through}: {words}; {setting}"),
            false,
        );
    }
    if connecting {
        return network(
            Failure::Connect,
            format!("Bitbucket cannot be reached: {through} takes no connection"),
            format!("connecting to {through}: {words}; {setting}"),
            false,
        );
    }
    network(
        Failure::Broken,
        "the connection to Bitbucket broke before the answer was complete".to_owned(),
        format!("{host}: {words}"),
        true,
    )
}

/// A body of which no more came.
pub(crate) fn stalled(connection: &Connection) -> Network {
    network(
        Failure::Stalled,
        "Bitbucket stopped in the middle of its answer".to_owned(),
        format!("{}: nothing more came for {:?}", connection.host(), connection.limits().stall),
        true,
    )
}

/// The server is going away.
pub(crate) fn stopping() -> Network {
    network(
        Failure::Broken,
        "the server is stopping".to_owned(),
        "the server is stopping".to_owned(),
        false,
    )
}

/// A streamed body that ended early.
pub(crate) fn broken() -> Network {
    network(
        Failure::Broken,
        "the connection to Bitbucket broke before the answer was complete".to_owned(),
        "the answer broke off".to_owned(),
        true,
    )
}

fn network(failure: Failure, message: String, detail: String, sent: bool) -> Network {
    Network { failure, message, detail, sent }
}

fn of_tls(error: &rustls::Error, connection: &Connection) -> Network {
    use rustls::Error as Tls;
    let (host, words) = (connection.host(), visible(&error.to_string()));
    let wanted = |words: &str| {
        let (message, remedy) = if connection.shows_certificate() {
            (
                "Bitbucket does not accept this server's client certificate",
                "check BB_CLIENT_CERT and BB_CLIENT_KEY (client_cert, client_key): is it the one Bitbucket's gateway knows, and does it still hold?",
            )
        } else {
            (
                "Bitbucket asks for a client certificate, and this server has none",
                "set BB_CLIENT_CERT and BB_CLIENT_KEY (client_cert, client_key)",
            )
        };
        network(
            Failure::ClientCertificate,
            message.to_owned(),
            format!("TLS with {host}: {words}; {remedy}"),
            false,
        )
    };
    match error {
        Tls::AlertReceived(
            AlertDescription::CertificateRequired
            | AlertDescription::BadCertificate
            | AlertDescription::UnknownCA
            | AlertDescription::CertificateUnknown
            | AlertDescription::CertificateExpired
            | AlertDescription::CertificateRevoked
            | AlertDescription::AccessDenied
            | AlertDescription::HandshakeFailure,
        ) => wanted(&words),
        Tls::AlertReceived(AlertDescription::ProtocolVersion) | Tls::PeerIncompatible(_) => {
            network(
                Failure::Tls,
                "Bitbucket offers no version of TLS that is safe: 1.2 or 1.3 is needed".to_owned(),
                format!("TLS with {host}: {words}; have TLS 1.2 or 1.3 enabled there"),
                false,
            )
        }
        Tls::InvalidMessage(
            InvalidMessage::InvalidContentType
            | InvalidMessage::UnknownProtocolVersion
            | InvalidMessage::MessageTooLarge,
        ) => network(
            Failure::Tls,
            format!("what answers at {host} does not speak TLS"),
            format!(
                "TLS with {host}: {words}; check the port and the scheme in BITBUCKET_URL (url)"
            ),
            false,
        ),
        _ => network(
            Failure::Tls,
            "no encrypted connection to Bitbucket could be made".to_owned(),
            format!("TLS with {host}: {words}"),
            false,
        ),
    }
}

fn of_tunnel(tunnel: &str, words: &str, connection: &Connection) -> Network {
    let (proxy, host) = (connection.proxy_host().unwrap_or("?"), connection.host());
    if tunnel.contains("authorization required") {
        let message = if connection.has_proxy_credentials() {
            format!("the proxy {proxy} does not accept this server's credentials")
        } else {
            format!("the proxy {proxy} asks for credentials, and this server has none")
        };
        return network(
            Failure::ProxyCredentials,
            message,
            format!(
                "proxy {proxy}: {words}; set them in HTTPS_PROXY (proxy), as http://user:password@host:port"
            ),
            false,
        );
    }
    if tunnel.contains("underlying connection") {
        return network(
            Failure::Connect,
            format!("Bitbucket cannot be reached: the proxy {proxy} takes no connection"),
            format!("connecting to the proxy {proxy}: {words}; check HTTPS_PROXY (proxy)"),
            false,
        );
    }
    network(
        Failure::Proxy,
        format!("the proxy {proxy} does not let this server through to {host}"),
        format!("proxy {proxy}: {words}; check HTTPS_PROXY and NO_PROXY (proxy)"),
        false,
    )
}

/// The chain behind an error. What an `io::Error` wraps is not its source but is looked into.
fn sources<'e>(error: &'e (dyn Error + 'static)) -> Vec<&'e (dyn Error + 'static)> {
    let mut found: Vec<&'e (dyn Error + 'static)> = Vec::new();
    let mut next = error.source();
    while let Some(source) = next {
        found.push(source);
        let wrapped = source.downcast_ref::<std::io::Error>().and_then(std::io::Error::get_ref);
        next = match wrapped {
            Some(wrapped) => Some(wrapped as &(dyn Error + 'static)),
            None => source.source(),
        };
    }
    found
}

fn untrusted<'e>(source: &'e (dyn Error + 'static)) -> Option<&'e Untrusted> {
    match source.downcast_ref::<rustls::Error>()? {
        rustls::Error::Other(other) => other.0.downcast_ref::<Untrusted>(),
        _ => None,
    }
}
