//! Why an operation did not answer: one kind, Bitbucket's own words, and what to do.
//!
//! Two texts are kept apart: the one the error displays is for the model and names no setting of
//! this program; `detail` is for the operator's log and does.

mod ours;
mod refused;

pub use ours::read_error;
pub use refused::{Extras, Veto};

pub(crate) use ours::{stopped, timed_out, unknown_to_bitbucket};
pub(crate) use refused::{BAD_TOKEN, NO_PASSWORDS, title};

use bb_contract::ToolError;
use std::fmt;

/// What kind of failure it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// The token is missing, wrong or expired.
    Authentication,
    /// The token's user may not do this.
    Forbidden,
    /// There is no such thing, or the user may not see it.
    NotFound,
    /// This Bitbucket has no such route.
    Unsupported,
    /// The thing is in another state than the request assumes.
    Conflict,
    /// Bitbucket does not take the request as it is.
    Validation,
    /// Too many requests.
    RateLimited,
    /// Bitbucket cannot be reached or does not work.
    Unavailable,
    /// It took too long.
    Timeout,
    /// No encrypted connection could be made.
    Tls,
    /// What answered is not Bitbucket's API.
    NotBitbucket,
    /// Something was to be changed, and whether it was is not known.
    UnknownOutcome,
    /// The answer, or the way to it, lies outside the scope.
    OutsideScope,
    /// A fault of this server.
    Internal,
}

impl ErrorKind {
    /// What to do about it.
    fn hint(self) -> Option<&'static str> {
        Some(match self {
            Self::Authentication => "the operator has to give this server a valid token",
            Self::Forbidden => "the token's user has no permission for it",
            Self::NotFound => {
                "check the names; what the token's user may not see is not found either"
            }
            Self::Unsupported => "this release of Bitbucket, or its plugins, cannot do it",
            Self::Conflict => "read the current state, then decide again",
            Self::RateLimited => "wait before asking again",
            Self::Unavailable | Self::Timeout => {
                "try again later; if it stays so, the operator has to look"
            }
            Self::Tls => "the operator has to mend the connection; this server's log says how",
            Self::NotBitbucket => {
                "the operator has to check the address and any sign-on page before it"
            }
            Self::UnknownOutcome => {
                "it may have been done; read the current state before trying again"
            }
            Self::Validation => "change what is asked for",
            Self::Internal => "this is a fault of the server, whose log says more",
            // Its message says it.
            Self::OutsideScope => return None,
        })
    }
}

/// Why an operation did not answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BitbucketError {
    /// The kind.
    pub kind: ErrorKind,
    /// The HTTP status, when there was one.
    pub status: Option<u16>,
    /// What Bitbucket says, or what we say in its place; for the model.
    pub messages: Vec<String>,
    /// What Bitbucket says beside its messages.
    pub extras: Box<Extras>,
    /// What only the log may say.
    pub detail: Option<String>,
    /// Whether somebody has to mend something before it can succeed, whatever the kind.
    pub lasting: bool,
}

impl BitbucketError {
    /// Whether the thing, or the way to it, is not there for this server: missing, not permitted, or
    /// shut by something before Bitbucket. Who can do without it goes on.
    #[must_use]
    pub fn is_absence(&self) -> bool {
        match self.kind {
            ErrorKind::NotFound | ErrorKind::Unsupported | ErrorKind::Forbidden => true,
            ErrorKind::NotBitbucket => matches!(self.status, Some(401 | 403 | 404)),
            _ => self.status == Some(204),
        }
    }

    fn ours(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            status: None,
            messages: vec![message.into()],
            extras: Box::default(),
            detail: None,
            lasting: false,
        }
    }

    /// A request that was not made because an argument it needs is missing.
    #[must_use]
    pub fn incomplete(message: &str) -> Self {
        Self::ours(ErrorKind::Validation, message)
    }

    /// Whether the same request may succeed later.
    #[must_use]
    pub fn is_retryable(&self) -> bool {
        !self.lasting
            && matches!(
                self.kind,
                ErrorKind::RateLimited | ErrorKind::Unavailable | ErrorKind::Timeout
            )
    }
}

impl fmt::Display for BitbucketError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.messages.join("; "))?;
        if let Some(status) = self.status {
            write!(formatter, " (HTTP {status})")?;
        }
        self.extras.fmt(formatter)?;
        let hint = if self.lasting { ErrorKind::Tls.hint() } else { self.kind.hint() };
        match hint {
            Some(hint) => write!(formatter, ": {hint}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for BitbucketError {}

impl From<BitbucketError> for ToolError {
    fn from(error: BitbucketError) -> Self {
        Self {
            message: error.to_string(),
            retryable: error.is_retryable(),
            denied: error.kind == ErrorKind::OutsideScope,
            internal: error.detail,
        }
    }
}

#[cfg(test)]
mod tests;
