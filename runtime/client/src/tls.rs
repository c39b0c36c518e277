//! TLS: which certificates of Bitbucket's are believed, which of ours is shown, and what is known
//! of one that was not believed.

mod certificate;

pub use certificate::Chain;
pub(crate) use certificate::Untrusted;

use crate::{ClientIdentity, Pem, Trust};
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime};
use rustls::{ClientConfig, DigitallySignedStruct, Error, OtherError, SignatureScheme};
use rustls_platform_verifier::Verifier;
use std::sync::{Arc, Mutex, PoisonError};

/// The chain that was last shown to us.
#[derive(Debug, Clone, Default)]
pub(crate) struct Seen(Arc<Mutex<Option<Chain>>>);

impl Seen {
    pub(crate) fn chain(&self) -> Option<Chain> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Makes the configuration: TLS 1.2 and 1.3, the system's authorities and those given.
pub(crate) fn configuration(
    trust: &Trust,
    identity: Option<&ClientIdentity>,
    seen: Seen,
) -> Result<ClientConfig, String> {
    let provider = Arc::new(ring::default_provider());
    let inner = if trust.verify { Some(verifier(trust, &provider)?) } else { None };
    let judge = Judge { inner, provider: Arc::clone(&provider), seen };
    let builder = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| format!("TLS cannot be set up: {error}"))?
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(judge));
    let mut configuration = match identity {
        None => builder.with_no_client_auth(),
        Some(identity) => {
            let certificates = certificates(&identity.certificate)?;
            let key = private_key(&identity.key)?;
            builder.with_client_auth_cert(certificates, key).map_err(|error| {
                format!(
                    "the key in {} does not belong to the certificate in {} ({error})",
                    identity.key.source, identity.certificate.source
                )
            })?
        }
    };
    configuration.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(configuration)
}

fn verifier(trust: &Trust, provider: &Arc<CryptoProvider>) -> Result<Verifier, String> {
    let mut extra = Vec::new();
    for pem in &trust.authorities {
        for certificate in certificates(pem)? {
            // The verifier's own error would not say which file.
            rustls::RootCertStore::empty().add(certificate.clone()).map_err(|error| {
                format!("a certificate in {} cannot be an authority ({error})", pem.source)
            })?;
            extra.push(certificate);
        }
    }
    Verifier::new_with_extra_roots(extra, Arc::clone(provider))
        .map_err(|error| format!("the system's certificate authorities cannot be read: {error}"))
}

fn certificates(pem: &Pem) -> Result<Vec<CertificateDer<'static>>, String> {
    let mut certificates = Vec::new();
    for certificate in CertificateDer::pem_slice_iter(&pem.bytes) {
        certificates.push(
            certificate.map_err(|error| format!("{} is not a PEM file ({error})", pem.source))?,
        );
    }
    if certificates.is_empty() {
        return Err(format!(
            "{} holds no certificate; give a PEM file with a `BEGIN CERTIFICATE` line",
            pem.source
        ));
    }
    Ok(certificates)
}

fn private_key(pem: &Pem) -> Result<PrivateKeyDer<'static>, String> {
    PrivateKeyDer::from_pem_slice(&pem.bytes).map_err(|_| {
        let encrypted = memchr::memmem::find(&pem.bytes, b"ENCRYPTED").is_some();
        if encrypted {
            format!("the key in {} is locked by a passphrase; give one that is not", pem.source)
        } else {
            format!(
                "{} holds no private key; give a PEM file with a `BEGIN PRIVATE KEY` line",
                pem.source
            )
        }
    })
}

/// Verifies as the platform does, and remembers what it was shown.
#[derive(Debug)]
struct Judge {
    /// None when the operator has switched verification off.
    inner: Option<Verifier>,
    provider: Arc<CryptoProvider>,
    seen: Seen,
}

impl ServerCertVerifier for Judge {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let chain = Chain::read(end_entity, intermediates);
        *self.seen.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(chain.clone());
        let Some(inner) = &self.inner else { return Ok(ServerCertVerified::assertion()) };
        inner
            .verify_server_cert(end_entity, intermediates, server_name, ocsp_response, now)
            .map_err(|error| {
                let untrusted = Untrusted::new(&error, chain, server_name);
                Error::Other(OtherError(Arc::new(untrusted)))
            })
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        verify_tls12_signature(message, certificate, signed, algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        verify_tls13_signature(message, certificate, signed, algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}

#[cfg(test)]
mod tests {
    use super::{Seen, configuration};
    use crate::{ClientIdentity, Pem, Trust};

    fn pem(source: &str, text: &str) -> Pem {
        Pem { source: source.to_owned(), bytes: text.as_bytes().to_vec() }
    }

    #[test]
    fn files_that_hold_something_else_are_named() {
        for text in
            ["", "not PEM", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"]
        {
            let trust = Trust { authorities: vec![pem("/etc/ca.pem", text)], verify: true };
            let error = configuration(&trust, None, Seen::default()).expect_err("refused");
            assert!(error.contains("/etc/ca.pem"), "{error}");
        }
        let identity = ClientIdentity {
            certificate: pem(
                "client.pem",
                "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
            ),
            key: pem(
                "client.key",
                "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n",
            ),
        };
        let trust = Trust { authorities: Vec::new(), verify: false };
        let error = configuration(&trust, Some(&identity), Seen::default()).expect_err("refused");
        assert_eq!(error, "the key in client.key is locked by a passphrase; give one that is not");
    }
}
