//! Why a request was not sent, or its answer not taken.
//!
//! progenitor's hook can only return a response, so a fault travels as an extension of a
//! response that no server sent, under a status that none uses.

use crate::network::Network;
use std::fmt;

/// The status of a response that only carries a fault.
const STATUS: u16 = 599;

/// Our own reasons, as against Bitbucket's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// The call's tool does not list the operation.
    Undeclared(String),
    /// The request is not what the document says the operation is.
    Misshapen(String),
    /// The request, or where it was redirected, leaves the scope.
    OutOfScope(String),
    /// The answer is about a repository other than the one asked for.
    Moved(String),
    /// The answer is larger than this many bytes.
    TooLarge(usize),
    /// Bitbucket, or something before it, answered with a redirect we do not follow.
    Redirected(String),
    /// The whole-call deadline passed.
    Deadline,
    /// The answer is not JSON; its title or first words.
    NotJson {
        /// The HTTP status it came under.
        status: u16,
        /// The page's title, or the media type.
        what: String,
    },
    /// No answer could be had.
    Network(Network),
    /// A write that Bitbucket may have read, and whose answer was lost for this reason.
    Unknown(Box<Fault>),
}

impl Fault {
    /// Whether a write that ended so may have been done.
    pub(crate) fn leaves_open(&self) -> bool {
        match self {
            Self::Deadline | Self::TooLarge(_) | Self::NotJson { .. } => true,
            Self::Network(network) => network.sent,
            Self::Undeclared(_)
            | Self::Misshapen(_)
            | Self::OutOfScope(_)
            | Self::Moved(_)
            // Who redirects has not done it.
            | Self::Redirected(_)
            | Self::Unknown(_) => false,
        }
    }
}

impl Fault {
    /// What the operator can do about it.
    pub(crate) fn remedy(&self) -> Option<&'static str> {
        match self {
            Self::Redirected(_) => Some(
                "check BITBUCKET_URL (url), its context path, and whether a sign-on page stands before Bitbucket",
            ),
            Self::NotJson { .. } => Some(
                "check BITBUCKET_URL (url) and whether a sign-on page or a gateway stands before Bitbucket",
            ),
            Self::Deadline => Some("BB_REQUEST_TIMEOUT (request_timeout) sets it"),
            Self::Network(network) => network.remedy,
            Self::Unknown(fault) => fault.remedy(),
            Self::Undeclared(_)
            | Self::Misshapen(_)
            | Self::OutOfScope(_)
            | Self::Moved(_)
            | Self::TooLarge(_) => None,
        }
    }

    /// What the log says: what was found, and what helps.
    pub(crate) fn detail(&self) -> String {
        match self.remedy() {
            Some(remedy) => format!("{self}; {remedy}"),
            None => self.to_string(),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Undeclared(operation) => {
                write!(formatter, "operation {operation} is not declared by this call")
            }
            Self::Misshapen(what) => {
                write!(formatter, "request is not the operation it claims to be: {what}")
            }
            Self::OutOfScope(path) => write!(formatter, "{path} is outside the scope"),
            Self::Moved(what) => write!(formatter, "answer is about {what}"),
            Self::TooLarge(cap) => write!(formatter, "answer is larger than {cap} bytes"),
            Self::Redirected(place) => write!(formatter, "redirected to {place}"),
            Self::Deadline => formatter.write_str("deadline passed"),
            Self::NotJson { status, what } => {
                write!(formatter, "status {status} with {what} instead of JSON")
            }
            Self::Network(network) => formatter.write_str(&network.found),
            Self::Unknown(fault) => write!(formatter, "the answer to a write was lost: {fault}"),
        }
    }
}

impl std::error::Error for Fault {}

/// What the reader of a refusal has to know beside it.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct About {
    /// Whether the request was to change something.
    pub(crate) writes: bool,
    /// Whether it came with a name and a password instead of a token.
    pub(crate) by_password: bool,
    /// For a 401: whether Bitbucket knows us, where that could be found out.
    pub(crate) known: Option<bool>,
}

/// A response that carries the fault to the error reader.
pub(crate) fn carried(fault: Fault) -> reqwest::Response {
    let mut response = http::Response::new("");
    if let Ok(status) = http::StatusCode::from_u16(STATUS) {
        *response.status_mut() = status;
    }
    response.extensions_mut().insert(fault);
    response.into()
}
