//! A private certificate authority, and the certificates it gives out.

use std::fmt;
use std::time::Duration;

use rcgen::{
    BasicConstraints, CertificateParams, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer, KeyPair,
    KeyUsagePurpose, date_time_ymd,
};

use crate::clock;

/// An authority that only who is given its certificate trusts. Its key lives in
/// memory and ends with it.
pub struct Authority {
    name: String,
    pem: String,
    /// The certificates between the root and what this authority issues.
    chain: String,
    issuer: Issuer<'static, KeyPair>,
}

/// A certificate with its key.
#[derive(Clone)]
pub struct Identity {
    /// The certificate, followed by the intermediate ones, in PEM.
    pub certificate_pem: String,
    /// The private key, as PKCS #8 in PEM.
    pub key_pem: String,
}

/// Why nothing here can go wrong but for a name: the key is made on the spot,
/// of a kind that ring signs with.
const SOUND: &str = "a new key signs a certificate";
const NAMED: &str = "the name is one a certificate can carry";

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

impl Authority {
    /// A root authority.
    ///
    /// # Panics
    ///
    /// When the name is not one that a certificate can carry.
    #[must_use]
    pub fn new(name: &str) -> Authority {
        let (params, key) = (Authority::params(name), key());
        let pem = params.self_signed(&key).expect(SOUND).pem();
        let issuer = Issuer::new(params, key);
        Authority { name: name.to_owned(), pem, chain: String::new(), issuer }
    }

    /// An authority below this one, whose identities bring its certificate
    /// along: who trusts this one trusts them.
    ///
    /// # Panics
    ///
    /// When the name is not one that a certificate can carry.
    #[must_use]
    pub fn intermediate(&self, name: &str) -> Authority {
        let (params, key) = (Authority::params(name), key());
        let pem = params.signed_by(&key, &self.issuer).expect(SOUND).pem();
        let issuer = Issuer::new(params, key);
        let chain = format!("{pem}{}", self.chain);
        Authority { name: name.to_owned(), pem, chain, issuer }
    }

    /// Its certificate, in PEM: what to trust.
    #[must_use]
    pub fn pem(&self) -> String {
        self.pem.clone()
    }

    /// The name in its certificate.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// For a server of these names or addresses.
    ///
    /// # Panics
    ///
    /// When a name is not one that a certificate can carry.
    #[must_use]
    pub fn server(&self, names: &[&str]) -> Identity {
        self.issue(Authority::of_server(names), earlier(DAY)..later(30 * DAY))
    }

    /// As [`Authority::server`], but it ended yesterday.
    ///
    /// # Panics
    ///
    /// When a name is not one that a certificate can carry.
    #[must_use]
    pub fn expired(&self, names: &[&str]) -> Identity {
        self.issue(Authority::of_server(names), earlier(30 * DAY)..earlier(DAY))
    }

    /// As [`Authority::server`], but it begins tomorrow.
    ///
    /// # Panics
    ///
    /// When a name is not one that a certificate can carry.
    #[must_use]
    pub fn not_yet_valid(&self, names: &[&str]) -> Identity {
        self.issue(Authority::of_server(names), later(DAY)..later(30 * DAY))
    }

    /// For a client of this name.
    ///
    /// # Panics
    ///
    /// When the name is not one that a certificate can carry.
    #[must_use]
    pub fn client(&self, name: &str) -> Identity {
        let mut params = named(name);
        params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ClientAuth];
        self.issue(params, earlier(DAY)..later(30 * DAY))
    }

    fn params(name: &str) -> CertificateParams {
        let mut params = named(name);
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
        params.not_before = date_time_ymd(1970, 1, 1) + earlier(365 * DAY);
        params.not_after = date_time_ymd(1970, 1, 1) + later(365 * DAY);
        params
    }

    fn of_server(names: &[&str]) -> CertificateParams {
        let mut params = named(names.first().unwrap_or(&"nobody"));
        // Addresses become addresses there, and all else names.
        let alternatives: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
        params.subject_alt_names =
            CertificateParams::new(alternatives).expect(NAMED).subject_alt_names;
        params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
        params
    }

    fn issue(&self, mut params: CertificateParams, valid: std::ops::Range<Duration>) -> Identity {
        params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
        params.use_authority_key_identifier_extension = true;
        params.not_before = date_time_ymd(1970, 1, 1) + valid.start;
        params.not_after = date_time_ymd(1970, 1, 1) + valid.end;
        let key = key();
        let leaf = params.signed_by(&key, &self.issuer).expect(SOUND).pem();
        Identity { certificate_pem: format!("{leaf}{}", self.chain), key_pem: key.serialize_pem() }
    }
}

impl fmt::Debug for Authority {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Authority").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Identity {
    /// The same, as a server shows it that was set up without the intermediate
    /// certificates.
    #[must_use]
    pub fn without_chain(&self) -> Identity {
        const END: &str = "-----END CERTIFICATE-----";
        let end = self.certificate_pem.find(END).map_or(0, |at| at + END.len());
        Identity {
            certificate_pem: format!("{}\n", &self.certificate_pem[..end]),
            key_pem: self.key_pem.clone(),
        }
    }
}

impl fmt::Debug for Identity {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A key does not belong in the output of a failed test either.
        formatter
            .debug_struct("Identity")
            .field("certificate_pem", &self.certificate_pem)
            .finish_non_exhaustive()
    }
}

fn named(name: &str) -> CertificateParams {
    let mut params = CertificateParams::default();
    params.distinguished_name = rcgen::DistinguishedName::new();
    params.distinguished_name.push(DnType::CommonName, name);
    params
}

fn key() -> KeyPair {
    KeyPair::generate().expect("the system gives random numbers")
}

fn earlier(by: Duration) -> Duration {
    since_epoch().saturating_sub(by)
}

fn later(by: Duration) -> Duration {
    since_epoch() + by
}

fn since_epoch() -> Duration {
    Duration::from_millis(u64::try_from(clock::now()).unwrap_or(0))
}
