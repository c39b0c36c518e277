//! TLS for a demo: who it says it is, whom it lets in and which versions it
//! speaks. Everything is made in memory and nothing is trusted by the system.

mod authority;
mod listen;
mod old;

use std::io::{Error, ErrorKind};
use std::sync::Arc;

use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::server::WebPkiClientVerifier;
use tokio_rustls::rustls::version::{TLS12, TLS13};
use tokio_rustls::rustls::{RootCertStore, ServerConfig, SupportedProtocolVersion};

pub use authority::{Authority, Identity};
pub use old::{OldServer, old_server};

/// How a demo secures its connections.
#[derive(Debug, Clone)]
pub struct Tls {
    /// The certificate it shows, with its key.
    pub identity: Identity,
    /// The authority, in PEM, one of whose certificates every client has to
    /// show; without one, no client is asked.
    pub client_authority: Option<String>,
    /// The versions it speaks.
    pub versions: Versions,
}

/// Versions of the protocol.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Versions {
    /// 1.2 and 1.3.
    #[default]
    All,
    /// 1.2 alone.
    Only12,
    /// 1.3 alone.
    Only13,
}

impl Versions {
    pub(crate) fn supported(self) -> Vec<&'static SupportedProtocolVersion> {
        match self {
            Versions::All => vec![&TLS13, &TLS12],
            Versions::Only12 => vec![&TLS12],
            Versions::Only13 => vec![&TLS13],
        }
    }
}

fn configuration(tls: &Tls) -> std::io::Result<ServerConfig> {
    let provider = Arc::new(ring::default_provider());
    let builder = ServerConfig::builder_with_provider(Arc::clone(&provider))
        .with_protocol_versions(&tls.versions.supported())
        .map_err(refused)?;
    let builder = match &tls.client_authority {
        None => builder.with_no_client_auth(),
        Some(pem) => {
            let mut roots = RootCertStore::empty();
            for certificate in certificates(pem)? {
                roots.add(certificate).map_err(refused)?;
            }
            let verifier =
                WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider).build();
            builder.with_client_cert_verifier(verifier.map_err(refused)?)
        }
    };
    let key = PrivateKeyDer::from_pem_slice(tls.identity.key_pem.as_bytes()).map_err(refused)?;
    builder.with_single_cert(certificates(&tls.identity.certificate_pem)?, key).map_err(refused)
}

fn certificates(pem: &str) -> std::io::Result<Vec<CertificateDer<'static>>> {
    CertificateDer::pem_slice_iter(pem.as_bytes()).collect::<Result<_, _>>().map_err(refused)
}

fn refused(error: impl std::error::Error + Send + Sync + 'static) -> Error {
    Error::new(ErrorKind::InvalidInput, error)
}
