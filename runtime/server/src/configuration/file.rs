//! What a configuration file holds, as it stands there. The published schemas are derived from
//! these types, and their comments become its descriptions.
//!
//! It does not know how files are read, nor which value wins.

use super::sourced::{Place, Sourced};
use schemars::JsonSchema;
use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

/// Shortest and longest time a call may be given, in seconds.
pub(crate) const REQUEST_TIMEOUT: std::ops::RangeInclusive<u64> = 1..=3600;

/// How a host may be called.
pub(super) const HOST_NAME: &str = "^[a-z0-9][a-z0-9._-]*$";

/// A user's configuration of bb.
#[derive(Debug, Default, JsonSchema)]
#[schemars(deny_unknown_fields, title = "bb: user configuration")]
pub(crate) struct UserFile {
    /// Bitbucket servers, each under a name of its own, which `--host` takes.
    #[schemars(extend("propertyNames" = { "pattern": HOST_NAME }))]
    pub(crate) hosts: Option<BTreeMap<String, HostKeys>>,
    /// Seconds that one call of a tool may take, with all its requests; 60 when left out.
    #[schemars(range(min = 1, max = 3600))]
    pub(crate) request_timeout: Option<Sourced<u64>>,
    /// What is written to standard error; `warn` when left out.
    pub(crate) log_level: Option<Sourced<LogLevel>>,
}

/// A system's configuration of bb, which can restrict what its users may do.
#[derive(Debug, Default, JsonSchema)]
#[schemars(deny_unknown_fields, title = "bb: system configuration")]
pub(crate) struct SystemFile {
    /// What every file may hold.
    #[schemars(flatten)]
    pub(crate) keys: UserFile,
    /// What the operator of this machine forbids. Nothing a user gives can undo it.
    pub(crate) policy: Option<PolicyKeys>,
}

/// One Bitbucket server.
#[derive(Debug, Default, JsonSchema)]
#[schemars(deny_unknown_fields, extend(
    "dependentRequired" = {
        "client_cert": ["client_key"],
        "client_key": ["client_cert"],
        "password_file": ["username"],
        "password_env": ["username"],
    },
    "dependentSchemas" = {
        "token_file": { "properties": { "token_env": false, "username": false } },
        "token_env": { "properties": { "token_file": false, "username": false } },
        "username": { "oneOf": [{ "required": ["password_file"] }, { "required": ["password_env"] }] },
    },
))]
pub(crate) struct HostKeys {
    /// Where its name stands.
    #[schemars(skip)]
    pub(crate) place: Option<Place>,
    /// Its base URL, with a context path where it has one. May be left out where the other file
    /// gives it.
    pub(crate) url: Option<Sourced<String>>,
    /// The file that holds an HTTP access token.
    pub(crate) token_file: Option<Sourced<PathBuf>>,
    /// The variable that holds an HTTP access token.
    #[schemars(regex(pattern = "^[A-Za-z_][A-Za-z0-9_]*$"))]
    pub(crate) token_env: Option<Sourced<String>>,
    /// The user to be, in place of a token.
    pub(crate) username: Option<Sourced<String>>,
    /// The file that holds the user's password.
    pub(crate) password_file: Option<Sourced<PathBuf>>,
    /// The variable that holds the user's password.
    #[schemars(regex(pattern = "^[A-Za-z_][A-Za-z0-9_]*$"))]
    pub(crate) password_env: Option<Sourced<String>>,
    /// A PEM file of authorities to believe beside the system's.
    pub(crate) ca_file: Option<Sourced<PathBuf>>,
    /// A PEM file with the certificate to show, and its chain.
    pub(crate) client_cert: Option<Sourced<PathBuf>>,
    /// A PEM file with the certificate's private key.
    pub(crate) client_key: Option<Sourced<PathBuf>>,
    /// The proxy's URL, or `none`. Where it is left out, the proxy variables count.
    pub(crate) proxy: Option<Sourced<String>>,
    /// Headers that a gateway before Bitbucket wants.
    pub(crate) headers: Option<BTreeMap<String, Sourced<SecretFrom>>>,
    /// Whether the URL may be plain http on another machine than this one.
    pub(crate) allow_http: Option<Sourced<bool>>,
}

/// What the system's file forbids.
#[derive(Debug, Default, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub(crate) struct PolicyKeys {
    /// The hosts that may be reached: names, or `*.example.org` for every name below one. Scheme,
    /// port and path do not matter.
    pub(crate) allowed_hosts: Option<Sourced<Vec<Sourced<String>>>>,
    /// Whether only tools that read are there.
    pub(crate) read_only: Option<Sourced<bool>>,
    /// Whether the server may not run at all.
    pub(crate) disable_mcp_server: Option<Sourced<bool>>,
    /// The absolute path of a file in which every call has to be recorded.
    pub(crate) mcp_audit_file: Option<Sourced<PathBuf>>,
    /// Whether certificates may go unverified and plain http may leave this machine; only `false`
    /// has an effect.
    pub(crate) allow_insecure: Option<Sourced<bool>>,
}

/// Where a secret is taken from.
#[derive(Clone, PartialEq, Eq, JsonSchema)]
#[schemars(untagged, deny_unknown_fields)]
pub(crate) enum SecretFrom {
    /// From here; for what is not really secret.
    Text(String),
    /// From a variable.
    Variable {
        /// The variable's name.
        #[schemars(regex(pattern = "^[A-Za-z_][A-Za-z0-9_]*$"))]
        env: String,
    },
    /// From a file.
    File {
        /// The file's path.
        file: PathBuf,
    },
}

impl fmt::Debug for SecretFrom {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Who mistakes one for the other writes the secret in place of its name.
        formatter.write_str(match self {
            Self::Text(_) => "(a text)",
            Self::Variable { .. } => "(a variable)",
            Self::File { .. } => "(a file)",
        })
    }
}

/// What is written to standard error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, clap::ValueEnum, JsonSchema)]
#[schemars(rename_all = "lowercase")]
pub(crate) enum LogLevel {
    /// What ends a call or the server.
    Error,
    /// Also what the operator should know.
    Warn,
    /// Also each request.
    Info,
    /// Also what stands between requests.
    Debug,
}

impl LogLevel {
    /// Every level, the quietest first.
    pub(crate) const ALL: [Self; 4] = [Self::Error, Self::Warn, Self::Info, Self::Debug];

    /// The level's word.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warn => "warn",
            Self::Info => "info",
            Self::Debug => "debug",
        }
    }

    /// Reads a level's word.
    ///
    /// # Errors
    /// A sentence saying which words there are.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|level| level.word() == text.trim()).ok_or_else(|| {
            let words: Vec<&str> = Self::ALL.iter().map(|level| level.word()).collect();
            format!("no such level; give one of {}", words.join(", "))
        })
    }
}
