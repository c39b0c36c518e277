//! A client that speaks TLS, for the tests of what stands between a client and
//! the demo; and the listeners that say nothing.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

use super::Reply;
use crate::tls::{Authority, Identity, Tls, Versions, old_server};
use crate::{Closing, Demo, Options, Silent, TOKEN};

/// What a client trusts, shows and speaks.
pub(super) struct Client<'a> {
    pub(super) trusts: &'a Authority,
    pub(super) shows: Option<Identity>,
    pub(super) versions: Versions,
}

impl<'a> Client<'a> {
    pub(super) fn of(trusts: &'a Authority) -> Client<'a> {
        Client { trusts, shows: None, versions: Versions::All }
    }

    pub(super) async fn handshake<S>(&self, stream: S, name: &str) -> std::io::Result<TlsStream<S>>
    where
        S: AsyncRead + AsyncWrite + Unpin,
    {
        let mut roots = RootCertStore::empty();
        roots.add(CertificateDer::from_pem_slice(self.trusts.pem().as_bytes()).unwrap()).unwrap();
        let builder = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_protocol_versions(&self.versions.supported())
            .unwrap()
            .with_root_certificates(roots);
        let config = match &self.shows {
            None => builder.with_no_client_auth(),
            Some(identity) => builder
                .with_client_auth_cert(
                    CertificateDer::pem_slice_iter(identity.certificate_pem.as_bytes())
                        .collect::<Result<_, _>>()
                        .unwrap(),
                    PrivateKeyDer::from_pem_slice(identity.key_pem.as_bytes()).unwrap(),
                )
                .unwrap(),
        };
        let name = ServerName::try_from(name.to_owned()).unwrap();
        TlsConnector::from(Arc::new(config)).connect(name, stream).await
    }

    /// Asks a demo, as the name given.
    pub(super) async fn ask(&self, demo: &Demo, name: &str) -> std::io::Result<Reply> {
        let stream = TcpStream::connect(secured_address(demo)).await?;
        get(self.handshake(stream, name).await?, "/rest/api/latest/projects").await
    }
}

pub(super) fn secured_address(demo: &Demo) -> String {
    demo.url().replace("https://localhost", "127.0.0.1")
}

/// Asks over any connection, as the demo's own user.
pub(super) async fn get<S>(mut stream: S, path: &str) -> std::io::Result<Reply>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    let request = format!(
        "GET {path} HTTP/1.1\r\nHost: demo\r\nConnection: close\r\nAccept: application/json\r\n\
         Authorization: Bearer {TOKEN}\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).await?;
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).await?;
    Ok(super::reply(&bytes))
}

/// A demo behind TLS whose only other setting is whom it lets in.
pub(super) async fn secured(identity: Identity, client_authority: Option<String>) -> Demo {
    let tls = Tls { identity, client_authority, versions: Versions::All };
    Demo::start_secured(Options::default(), tls).await.unwrap()
}

const SHORT: Duration = Duration::from_millis(100);
pub(super) const LONG: Duration = Duration::from_secs(10);

async fn connected(address: SocketAddr) -> TcpStream {
    TcpStream::connect(address).await.unwrap()
}

#[tokio::test]
async fn a_silent_listener_accepts_and_says_nothing() {
    let silent = Silent::start().await.unwrap();
    let mut stream = connected(silent.address()).await;
    stream.write_all(b"GET / HTTP/1.1\r\n\r\n").await.unwrap();
    assert!(timeout(SHORT, stream.read_u8()).await.is_err(), "it said something, or closed");
    let authority = Authority::new("Root");
    let stream = connected(silent.address()).await;
    let client = Client::of(&authority);
    assert!(timeout(SHORT, client.handshake(stream, "localhost")).await.is_err());
    assert_eq!(silent.accepted(), 2);
    let address = silent.address();
    let mut stream = connected(address).await;
    drop(silent);
    let end = timeout(LONG, stream.read_u8()).await.expect("it ends when it is dropped");
    assert!(end.is_err());
}

#[tokio::test]
async fn a_closing_listener_closes_before_it_says_anything() {
    let closing = Closing::start().await.unwrap();
    for _ in 0..2 {
        let mut stream = connected(closing.address()).await;
        assert!(timeout(LONG, stream.read_u8()).await.expect("it closes").is_err());
    }
    assert_eq!(closing.accepted(), 2);
}

#[tokio::test]
async fn a_closing_listener_can_read_first() {
    let closing = Closing::after(8).await.unwrap();
    let mut stream = connected(closing.address()).await;
    stream.write_all(b"seven..").await.unwrap();
    assert!(timeout(SHORT, stream.read_u8()).await.is_err(), "it closed too early");
    stream.write_all(b"!").await.unwrap();
    assert!(timeout(LONG, stream.read_u8()).await.expect("it closes").is_err());
}

#[tokio::test]
async fn an_old_server_refuses_the_version() {
    let (old, authority) = (old_server().await.unwrap(), Authority::new("Root"));
    let stream = connected(old.address()).await;
    let refusal = Client::of(&authority).handshake(stream, "localhost").await.unwrap_err();
    assert!(refusal.to_string().contains("ProtocolVersion"), "{refusal}");
    assert_eq!(old.accepted(), 1);
}
