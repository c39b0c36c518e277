//! Why a request was not sent, or its answer not taken.
//!
//! progenitor's hook can only return a response, so a fault travels as an extension of a
//! response that no server sent, under a status that none uses.

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
    /// No answer could be had; the connection's own words.
    Transport {
        /// What the HTTP client says, without the URL.
        detail: String,
        /// Whether the connection was refused or broken rather than misused.
        connect: bool,
    },
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
            Self::Transport { detail, .. } => formatter.write_str(detail),
        }
    }
}

impl std::error::Error for Fault {}

/// A response that carries the fault to the error reader.
pub(crate) fn carried(fault: Fault) -> reqwest::Response {
    let mut response = http::Response::new("");
    if let Ok(status) = http::StatusCode::from_u16(STATUS) {
        *response.status_mut() = status;
    }
    response.extensions_mut().insert(fault);
    response.into()
}
