//! What a failure of the network comes to, in words for a model and in words for the operator.

use crate::tls::Untrusted;
use crate::{Connection, ErrorKind};
use bb_contract::text::visible;
use rustls::{AlertDescription, InvalidMessage, PeerIncompatible};
use std::error::Error;

/// A request that brought no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Network {
    /// What went wrong.
    pub failure: Failure,
    /// What to tell the model; no setting is named in it.
    pub message: String,
    /// What to tell the operator: where it was, and the connection's own words.
    pub found: String,
    /// The setting that helps, where one does.
    pub remedy: Option<&'static str>,
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

    /// Whether somebody has to mend something first.
    pub(crate) fn is_lasting(self) -> bool {
        matches!(self, Self::Name | Self::ProxyCredentials | Self::Proxy)
    }

    /// Whether the same request may succeed at once. Not what an operator has to mend, and not what
    /// has cost its time already.
    pub(crate) fn is_passing(self) -> bool {
        matches!(self, Self::Connect | Self::Broken)
    }
}

const BROKEN: &str = "the connection to Bitbucket broke before the answer was complete";
const PROXY: &str = "check HTTPS_PROXY (proxy)";
const CREDENTIALS: &str = "give them in HTTPS_PROXY (HTTP_PROXY for an address without TLS), as http://user:password@host:port, percent-encoded, and take `proxy` out of the configuration file if it is set there";

impl Network {
    fn new(failure: Failure, message: impl Into<String>, found: impl Into<String>) -> Self {
        Self { failure, message: message.into(), found: found.into(), remedy: None, sent: false }
    }

    fn with(self, remedy: &'static str) -> Self {
        Self { remedy: Some(remedy), ..self }
    }

    fn sent(self) -> Self {
        Self { sent: true, ..self }
    }
}

/// Reads what the HTTP client says.
pub(crate) fn read(error: &reqwest::Error, connection: &Connection) -> Network {
    let sources = sources(error);
    let last = sources.last().map(|last| visible(&last.to_string()));
    let words = last.unwrap_or_else(|| "the connection failed".to_owned());
    if let Some(untrusted) = sources.iter().find_map(|source| untrusted(*source)) {
        let found = format!("TLS with {}: {untrusted}", untrusted.host);
        return Network::new(
            Failure::Certificate,
            untrusted.message(connection.whose(&untrusted.host)),
            found,
        )
        .with(untrusted.remedy());
    }
    if let Some(tls) = sources.iter().find_map(|source| source.downcast_ref::<rustls::Error>()) {
        let network = of_tls(tls, connection);
        // With TLS 1.3 a server looks at our certificate only when the request is on its way.
        if error.is_connect() || network.failure == Failure::ClientCertificate {
            return network;
        }
        return Network {
            failure: Failure::Broken,
            message: BROKEN.to_owned(),
            remedy: None,
            ..network
        }
        .sent();
    }
    if error.is_dns() {
        return unnamed(&words, connection);
    }
    // The tunnel's errors are of a type nobody else can name; only their words tell them apart.
    if let Some(tunnel) =
        sources.iter().map(ToString::to_string).find(|text| text.starts_with("tunnel error"))
    {
        return of_tunnel(&tunnel, &words, connection);
    }
    if error.is_connect() {
        return unconnected(error.is_timeout(), &words, connection);
    }
    let found = format!("{}: {words}", connection.host());
    let network = Network::new(Failure::Broken, BROKEN, found).sent();
    // What a server that speaks TLS says to who does not.
    // Others end the connection without a word, before any of an answer.
    if words.contains("invalid HTTP version") || (error.is_request() && !connection.is_encrypted())
    {
        return network.with("check the scheme in BITBUCKET_URL (url): https may be spoken there");
    }
    network
}

fn unnamed(words: &str, connection: &Connection) -> Network {
    let found = format!("DNS: {words}");
    match connection.proxy_host() {
        Some(proxy) => {
            let message =
                format!("Bitbucket cannot be reached: the proxy's name {proxy} is not known");
            Network::new(Failure::Name, message, found).with(PROXY)
        }
        None => {
            let host = connection.host();
            let message = format!("Bitbucket cannot be reached: the name {host} is not known");
            Network::new(Failure::Name, message, found).with(
                "check BITBUCKET_URL (url), and HTTPS_PROXY where only a proxy knows the name",
            )
        }
    }
}

fn unconnected(timed_out: bool, words: &str, connection: &Connection) -> Network {
    let (place, remedy) = match connection.proxy_host() {
        Some(proxy) => (format!("the proxy {proxy}"), PROXY),
        None => (
            connection.host().to_owned(),
            "check BITBUCKET_URL (url) and whether a proxy is needed",
        ),
    };
    let found = format!("connecting to {place}: {words}");
    let (failure, why) = if timed_out {
        (Failure::ConnectTimeout, "did not answer in time")
    } else {
        (Failure::Connect, "takes no connection")
    };
    Network::new(failure, format!("Bitbucket cannot be reached: {place} {why}"), found).with(remedy)
}

/// A body of which no more came.
pub(crate) fn stalled(connection: &Connection) -> Network {
    let found =
        format!("{}: nothing more came for {:?}", connection.host(), connection.limits().stall);
    Network::new(Failure::Stalled, "Bitbucket stopped in the middle of its answer", found).sent()
}

/// The server is going away.
pub(crate) fn stopping() -> Network {
    Network::new(Failure::Broken, "the server is stopping", "the server is stopping")
}

/// A streamed body that ended early.
pub(crate) fn broken() -> Network {
    Network::new(Failure::Broken, BROKEN, "the answer broke off").sent()
}

/// A proxy's refusal of us, which comes as an answer where Bitbucket is reached by plain http.
pub(crate) fn unpaid(connection: &Connection) -> Network {
    refused_by_proxy("status 407", connection)
}

fn refused_by_proxy(words: &str, connection: &Connection) -> Network {
    let proxy = connection.proxy_host().unwrap_or("before Bitbucket");
    let message = if connection.has_proxy_credentials() {
        format!("the proxy {proxy} does not accept this server's credentials")
    } else {
        format!("the proxy {proxy} asks for credentials, and this server has none")
    };
    let found = format!("proxy {proxy}: {words}");
    Network::new(Failure::ProxyCredentials, message, found).with(CREDENTIALS)
}

fn of_tls(error: &rustls::Error, connection: &Connection) -> Network {
    use rustls::Error as Tls;
    let host = connection.host();
    let found = format!("TLS with {host}: {}", visible(&error.to_string()));
    match error {
        Tls::AlertReceived(
            AlertDescription::CertificateRequired
            | AlertDescription::BadCertificate
            | AlertDescription::UnknownCA
            | AlertDescription::CertificateUnknown
            | AlertDescription::CertificateExpired
            | AlertDescription::CertificateRevoked
            | AlertDescription::AccessDenied,
        ) => {
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
            Network::new(Failure::ClientCertificate, message, found).with(remedy)
        }
        Tls::AlertReceived(AlertDescription::HandshakeFailure) => {
            let message = "Bitbucket ends the encrypted connection without a reason";
            Network::new(Failure::Tls, message, found).with(
                "it may want a client certificate, BB_CLIENT_CERT and BB_CLIENT_KEY (client_cert, client_key), or share no cipher with this server",
            )
        }
        Tls::AlertReceived(AlertDescription::ProtocolVersion)
        | Tls::PeerIncompatible(
            PeerIncompatible::ServerDoesNotSupportTls12Or13
            | PeerIncompatible::ServerTlsVersionIsDisabledByOurConfig,
        ) => {
            let message = "Bitbucket offers no version of TLS that is safe: 1.2 or 1.3 is needed";
            Network::new(Failure::Tls, message, found).with("have TLS 1.2 or 1.3 enabled there")
        }
        Tls::InvalidMessage(
            InvalidMessage::InvalidContentType
            | InvalidMessage::UnknownProtocolVersion
            | InvalidMessage::MessageTooLarge,
        ) => {
            let message = format!("what answers at {host} does not speak TLS");
            Network::new(Failure::Tls, message, found)
                .with("check the port and the scheme in BITBUCKET_URL (url)")
        }
        _ => {
            Network::new(Failure::Tls, "no encrypted connection to Bitbucket could be made", found)
        }
    }
}

fn of_tunnel(tunnel: &str, words: &str, connection: &Connection) -> Network {
    if tunnel.contains("authorization required") {
        return refused_by_proxy(words, connection);
    }
    if tunnel.contains("underlying connection") {
        return unconnected(false, words, connection);
    }
    let (proxy, host) = (connection.proxy_host().unwrap_or("?"), connection.host());
    let message = format!("the proxy {proxy} does not let this server through to {host}");
    Network::new(Failure::Proxy, message, format!("proxy {proxy}: {words}"))
        .with("check HTTPS_PROXY and NO_PROXY (proxy)")
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
