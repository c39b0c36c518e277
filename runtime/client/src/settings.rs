//! Where Bitbucket is, how to be let in, and how far a call may go. Nothing here is printed that is
//! a secret.

use crate::{BaseUrl, Proxy};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use reqwest::header::HeaderValue;
use std::fmt;
use std::time::Duration;

/// A text that is never printed. Only this crate can read it.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Wraps a secret.
    #[must_use]
    pub fn new(text: String) -> Self {
        Self(text)
    }

    pub(crate) fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("(secret)")
    }
}

/// How to be let in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Credential {
    /// An HTTP access token.
    Bearer(Secret),
    /// A user's name and password; fresh installations refuse it since 10.0.
    Basic {
        /// The user's name.
        user: String,
        /// The password, or a token in its place.
        password: Secret,
    },
}

impl Credential {
    /// A token as people paste it: with spaces around it, or behind `Bearer`.
    ///
    /// # Errors
    /// A sentence saying what is wrong with it, without any of it.
    pub fn bearer(token: &str) -> std::result::Result<Self, String> {
        let token = token.trim();
        let word = token.get(..6).is_some_and(|word| word.eq_ignore_ascii_case("bearer"));
        let token =
            if word && token[6..].starts_with([' ', '\t']) { token[6..].trim() } else { token };
        if token.is_empty() {
            return Err("the token is empty".to_owned());
        }
        if !token.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(
                "the token holds a line break, a space or another character no token has; copy it \
                 again, alone"
                    .to_owned(),
            );
        }
        Ok(Self::Bearer(Secret::new(token.to_owned())))
    }

    /// A user's name and password.
    ///
    /// # Errors
    /// A sentence saying what is wrong with them, without the password.
    pub fn basic(user: &str, password: &str) -> std::result::Result<Self, String> {
        let user = user.trim();
        if user.is_empty() || user.contains(':') || user.chars().any(char::is_control) {
            return Err("the user name is empty, or holds a colon or a line break".to_owned());
        }
        if password.is_empty() || password.chars().any(char::is_control) {
            return Err("the password is empty, or holds a line break".to_owned());
        }
        Ok(Self::Basic { user: user.to_owned(), password: Secret::new(password.to_owned()) })
    }

    /// The value of the `Authorization` header.
    pub(crate) fn header(&self) -> std::result::Result<HeaderValue, String> {
        let text = match self {
            Self::Bearer(token) => format!("Bearer {}", token.expose()),
            Self::Basic { .. } => format!("Basic {}", self.pair().unwrap_or_default()),
        };
        let mut value = HeaderValue::from_str(&text)
            .map_err(|_| "the credential holds a character no header can carry".to_owned())?;
        value.set_sensitive(true);
        Ok(value)
    }

    /// The encoded pair of basic authentication.
    pub(crate) fn pair(&self) -> Option<String> {
        match self {
            Self::Bearer(_) => None,
            Self::Basic { user, password } => {
                Some(STANDARD.encode(format!("{user}:{}", password.expose())))
            }
        }
    }
}

/// Certificates or a key as PEM, and where they were read.
#[derive(Clone, PartialEq, Eq)]
pub struct Pem {
    /// What errors call it: the file's path.
    pub source: String,
    /// The file's bytes.
    pub bytes: Vec<u8>,
}

impl fmt::Debug for Pem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // It may be a private key.
        formatter.debug_tuple("Pem").field(&self.source).finish()
    }
}

/// Which certificates of Bitbucket's are believed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trust {
    /// Authorities beside the system's.
    pub authorities: Vec<Pem>,
    /// Whether certificates are verified at all.
    pub verify: bool,
}

impl Default for Trust {
    fn default() -> Self {
        Self { authorities: Vec::new(), verify: true }
    }
}

/// A client certificate and its key, for servers that ask for one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClientIdentity {
    /// The certificate, with its chain behind it.
    pub certificate: Pem,
    /// Its private key.
    pub key: Pem,
}

/// A header that a gateway before Bitbucket wants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GatewayHeader {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: Secret,
    /// Whether nobody may be told it; a value that stands in a configuration file is no secret, and
    /// may be a word that answers hold for other reasons.
    pub is_secret: bool,
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
    /// Time between two pieces of a body. The first piece may take as long as the call: Bitbucket
    /// computes before it answers.
    pub stall: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            body: 16 << 20,
            stream: 64 << 20,
            // Bitbucket tickets diffs and merges per user; peers that sent more were throttled.
            requests: 6,
            connect: Duration::from_secs(10),
            stall: Duration::from_secs(20),
        }
    }
}

/// Where Bitbucket is and how to be let in.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The base URL.
    pub base: BaseUrl,
    /// How to be let in.
    pub credential: Credential,
    /// Which certificates are believed.
    pub trust: Trust,
    /// The certificate to show.
    pub identity: Option<ClientIdentity>,
    /// What stands between; nothing does before a loopback address.
    pub proxy: Option<Proxy>,
    /// Headers that a gateway before Bitbucket wants, added to each request.
    pub headers: Vec<GatewayHeader>,
    /// Bounds.
    pub limits: Limits,
}

impl Settings {
    /// Settings with nothing between and the usual bounds.
    #[must_use]
    pub fn new(base: BaseUrl, credential: Credential) -> Self {
        Self {
            base,
            credential,
            trust: Trust::default(),
            identity: None,
            proxy: None,
            headers: Vec::new(),
            limits: Limits::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Credential, Secret};

    fn header(credential: Result<Credential, String>) -> Result<String, String> {
        let value = credential?.header()?;
        assert!(value.is_sensitive() && !format!("{value:?}").contains("abc"));
        Ok(value.to_str().map_err(|error| error.to_string())?.to_owned())
    }

    #[test]
    fn tokens_are_taken_as_people_paste_them() {
        for text in ["abc", " abc\n", "Bearer abc", "bearer\tabc ", "BEARER  abc\r\n"] {
            assert_eq!(header(Credential::bearer(text)).as_deref(), Ok("Bearer abc"), "{text:?}");
        }
        assert_eq!(header(Credential::bearer("bearerabc")).as_deref(), Ok("Bearer bearerabc"));
        assert_eq!(header(Credential::basic("ada", "abc:d")).as_deref(), Ok("Basic YWRhOmFiYzpk"));
    }

    #[test]
    fn what_no_header_can_carry_is_refused_without_being_shown() {
        for text in
            ["", "  ", "s3cret\nx", "s3cret x", "s3crét", "Bearer Bearer s3cret", "s3cret\0"]
        {
            let error = Credential::bearer(text).err().unwrap_or_default();
            assert!(!error.is_empty() && !error.contains("cr"), "{text:?}: {error}");
        }
        for (user, password) in [("", "s3cret"), ("a:b", "s3cret"), ("a", ""), ("a", "s3\ncret")] {
            let error = Credential::basic(user, password).err().unwrap_or_default();
            assert!(!error.is_empty() && !error.contains("s3"), "{user}: {error}");
        }
    }

    #[test]
    fn a_secret_does_not_print() {
        let basic = Credential::basic("ada", "s3cret");
        assert!(!format!("{:?} {basic:?}", Secret::new("s3cret".to_owned())).contains("s3cret"));
    }
}
