//! What a certificate says of itself, in words for people. All of it is untrusted.

use bb_contract::text::visible;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{CertificateError, Error};
use std::fmt;
use x509_parser::certificate::X509Certificate;
use x509_parser::extensions::GeneralName;
use x509_parser::prelude::FromDer as _;
use x509_parser::x509::X509Name;

/// A chain of certificates as a server showed it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chain {
    /// The name of the server's own certificate.
    pub subject: String,
    /// The authority that the chain ends at: who has to be believed.
    pub issuer: String,
    /// The names the certificate is for.
    pub names: Vec<String>,
    /// The first day it holds, as a date.
    pub from: String,
    /// The last day it holds, as a date.
    pub until: String,
    /// How many certificates were shown.
    pub length: usize,
    /// Whether it was issued by itself.
    pub self_signed: bool,
}

impl Chain {
    pub(crate) fn read(own: &CertificateDer<'_>, others: &[CertificateDer<'_>]) -> Self {
        let unknown = || "(unreadable)".to_owned();
        let last = others.last().unwrap_or(own);
        let issuer = X509Certificate::from_der(last)
            .map_or_else(|_| unknown(), |(_, certificate)| called(certificate.issuer()));
        let Ok((_, certificate)) = X509Certificate::from_der(own) else {
            return Self {
                subject: unknown(),
                issuer,
                names: Vec::new(),
                from: unknown(),
                until: unknown(),
                length: others.len() + 1,
                self_signed: false,
            };
        };
        let names = certificate
            .subject_alternative_name()
            .ok()
            .flatten()
            .map(|extension| extension.value.general_names.iter().filter_map(name).collect())
            .unwrap_or_default();
        let date = |time: x509_parser::time::ASN1Time| {
            bb_contract::instant::from_milliseconds(time.timestamp() * 1000)
                .and_then(|text| text.get(..10).map(str::to_owned))
                .unwrap_or_else(unknown)
        };
        Self {
            subject: called(certificate.subject()),
            issuer,
            names,
            from: date(certificate.validity().not_before),
            until: date(certificate.validity().not_after),
            length: others.len() + 1,
            self_signed: certificate.subject() == certificate.issuer(),
        }
    }
}

/// A name as people call it: its common name, else its organization, else all of it.
fn called(name: &X509Name<'_>) -> String {
    let first = name
        .iter_common_name()
        .chain(name.iter_organization())
        .find_map(|part| part.as_str().ok().map(str::to_owned));
    short(&first.unwrap_or_else(|| name.to_string()))
}

fn name(name: &GeneralName<'_>) -> Option<String> {
    match name {
        GeneralName::DNSName(name) => Some(short(name)),
        GeneralName::IPAddress([a, b, c, d]) => Some(format!("{a}.{b}.{c}.{d}")),
        GeneralName::IPAddress(bytes) => {
            let bytes: [u8; 16] = (*bytes).try_into().ok()?;
            Some(std::net::Ipv6Addr::from(bytes).to_string())
        }
        _ => None,
    }
}

fn short(text: &str) -> String {
    visible(text).chars().take(100).collect()
}

/// Most names of a certificate that are told.
const MOST_NAMES: usize = 5;

/// Why a certificate was not believed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Why {
    /// Nobody who is believed issued it.
    UnknownIssuer,
    /// Its time is over.
    Expired,
    /// Its time has not come.
    NotYet,
    /// It is for other names.
    OtherName,
    /// It was taken back.
    Revoked,
    /// It is an authority's own, as many that were made by hand for one machine are.
    OfAuthority,
    /// Something else is wrong with it.
    Invalid,
}

/// A certificate that was not believed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Untrusted {
    /// Why not.
    pub(crate) why: Why,
    /// The name it was shown for.
    pub(crate) host: String,
    /// What was shown.
    pub(crate) chain: Chain,
    /// The verifier's own words.
    pub(crate) words: String,
}

impl Untrusted {
    pub(crate) fn new(error: &Error, chain: Chain, host: &ServerName<'_>) -> Self {
        let why = match error {
            Error::InvalidCertificate(error) => match error {
                CertificateError::UnknownIssuer => Why::UnknownIssuer,
                CertificateError::Expired | CertificateError::ExpiredContext { .. } => Why::Expired,
                CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
                    Why::NotYet
                }
                CertificateError::NotValidForName
                | CertificateError::NotValidForNameContext { .. } => Why::OtherName,
                CertificateError::Revoked => Why::Revoked,
                // The verifier has no kind for it, only words.
                other if format!("{other:?}").contains("CaUsedAsEndEntity") => Why::OfAuthority,
                _ => Why::Invalid,
            },
            _ => Why::Invalid,
        };
        Self { why, host: host.to_str().into_owned(), chain, words: short(&error.to_string()) }
    }

    /// What is wrong with whose certificate, for who cannot mend it.
    pub(crate) fn message(&self, whose: &str) -> String {
        let Chain { issuer, from, until, .. } = &self.chain;
        let names = self.chain.names.iter().take(MOST_NAMES).cloned().collect::<Vec<_>>();
        match self.why {
            Why::UnknownIssuer if self.chain.self_signed => format!(
                "{whose} certificate is not trusted: “{issuer}” issued it to itself, and this machine does not know it"
            ),
            Why::UnknownIssuer => format!(
                "{whose} certificate is not trusted: its issuer “{issuer}” is not known to this machine"
            ),
            Why::Expired => {
                format!("{whose} certificate, issued by “{issuer}”, ended on {until}")
            }
            Why::NotYet => {
                format!("{whose} certificate, issued by “{issuer}”, holds only from {from} on")
            }
            Why::OtherName => format!(
                "{whose} certificate, issued by “{issuer}”, is not for {} but for {}",
                self.host,
                if names.is_empty() { "no name".to_owned() } else { names.join(", ") }
            ),
            Why::Revoked => {
                format!("{whose} certificate was taken back by its issuer “{issuer}”")
            }
            Why::OfAuthority => format!(
                "{whose} certificate, issued by “{issuer}”, is an authority's own, which is not taken for a server's"
            ),
            Why::Invalid => {
                format!("{whose} certificate, issued by “{issuer}”, cannot be verified")
            }
        }
    }

    /// What the operator can do about it.
    pub(crate) fn remedy(&self) -> &'static str {
        match self.why {
            Why::UnknownIssuer if self.chain.length == 1 && !self.chain.self_signed => {
                "set BB_CA_FILE (ca_file) to a PEM file with the authority's certificate; if the \
                 issuer is an intermediate authority, Bitbucket has to send that certificate along"
            }
            Why::UnknownIssuer => {
                "set BB_CA_FILE (ca_file) to a PEM file with the authority's certificate"
            }
            Why::Expired => {
                "have the certificate renewed; if the date looks right, check this machine's clock"
            }
            Why::NotYet => "check this machine's clock",
            Why::OtherName => {
                "use a name that the certificate is for in BITBUCKET_URL (url), or have it issued \
                 for this one"
            }
            Why::OfAuthority => {
                "have one issued for the server (CA:FALSE), and set BB_CA_FILE (ca_file) to its \
                 authority's; believing this one does not help"
            }
            Why::Revoked | Why::Invalid => "have the certificate replaced",
        }
    }
}

impl fmt::Display for Untrusted {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message("the"))?;
        match self.why {
            // The verifier's own words are needed only where ours say less.
            Why::Invalid => write!(formatter, " ({})", self.words),
            _ => Ok(()),
        }
    }
}

impl std::error::Error for Untrusted {}
