//! The one reader of failures: Bitbucket's own, the network's and ours.

use crate::Fault;
use bb_contract::ToolError;
use bb_contract::text::visible;
use reqwest::header::{CONTENT_TYPE, HeaderMap};
use serde_json::Value;
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
    /// What answered is not Bitbucket's API.
    NotBitbucket,
    /// The answer, or the way to it, lies outside the scope.
    OutsideScope,
    /// A fault of this server.
    Internal,
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
    /// What only the log may say.
    pub detail: Option<String>,
}

impl BitbucketError {
    fn ours(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self { kind, status: None, messages: vec![message.into()], detail: None }
    }

    /// A request that was not made because an argument it needs is missing.
    #[must_use]
    pub fn incomplete(message: &str) -> Self {
        Self::ours(ErrorKind::Validation, message)
    }

    /// Whether the same request may succeed later.
    #[must_use]
    pub fn is_retryable(&self) -> bool {
        matches!(self.kind, ErrorKind::RateLimited | ErrorKind::Unavailable | ErrorKind::Timeout)
    }

    fn hint(&self) -> Option<&'static str> {
        Some(match self.kind {
            ErrorKind::Authentication => "the operator has to give this server a valid token",
            ErrorKind::Forbidden => "the token's user has no permission for it",
            ErrorKind::NotFound => {
                "check the names; what the token's user may not see is not found either"
            }
            ErrorKind::Unsupported => "this release of Bitbucket, or its plugins, cannot do it",
            ErrorKind::Conflict => "read the current state, then decide again",
            ErrorKind::RateLimited => "wait before asking again",
            ErrorKind::Unavailable | ErrorKind::Timeout => "try again later",
            ErrorKind::NotBitbucket => {
                "the operator has to check the address and any sign-on page before it"
            }
            ErrorKind::Validation | ErrorKind::OutsideScope | ErrorKind::Internal => return None,
        })
    }
}

impl fmt::Display for BitbucketError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.messages.join("; "))?;
        if let Some(status) = self.status {
            write!(formatter, " (HTTP {status})")?;
        }
        match self.hint() {
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

/// Turns whatever progenitor failed with into our error.
pub async fn read_error(error: progenitor_client::Error<()>) -> BitbucketError {
    use progenitor_client::Error;
    match error {
        Error::UnexpectedResponse(response) => {
            if let Some(fault) = response.extensions().get::<Fault>() {
                return stopped(fault.clone());
            }
            let (status, headers) = (response.status().as_u16(), response.headers().clone());
            // The body has been read within its cap, so this does not wait.
            let body = response.bytes().await.unwrap_or_default();
            refused(status, &headers, &body)
        }
        Error::InvalidResponsePayload(_, error) => BitbucketError {
            // serde's own words quote what it found, which is Bitbucket's data; the log gets them.
            detail: Some(format!("the answer does not decode: {error}")),
            ..BitbucketError::ours(
                ErrorKind::NotBitbucket,
                "Bitbucket's answer is not of the shape its API has",
            )
        },
        Error::InvalidRequest(message) => BitbucketError::ours(ErrorKind::Validation, message),
        Error::CommunicationError(error)
        | Error::ResponseBodyError(error)
        | Error::InvalidUpgrade(error) => {
            let detail = Some(error.without_url().to_string());
            BitbucketError {
                detail,
                ..BitbucketError::ours(ErrorKind::Unavailable, "Bitbucket's answer broke off")
            }
        }
        Error::ErrorResponse(_) | Error::Custom(_) => {
            BitbucketError::ours(ErrorKind::Internal, "this server failed inside")
        }
    }
}

/// The error for a fault of ours or of the network.
pub(crate) fn stopped(fault: Fault) -> BitbucketError {
    let detail = Some(fault.to_string());
    let error = match fault {
        Fault::Undeclared(_) | Fault::Misshapen(_) => BitbucketError::ours(
            ErrorKind::Internal,
            "this server stopped a request that its own rules do not allow; nothing was sent",
        ),
        Fault::OutOfScope(_) => BitbucketError::ours(
            ErrorKind::OutsideScope,
            "refused: what was asked for lies outside the scope this server is confined to",
        ),
        Fault::Moved(_) => BitbucketError::ours(
            ErrorKind::OutsideScope,
            "refused: the repository has been moved or renamed; a server confined to a scope reads it under its present name only",
        ),
        Fault::TooLarge(cap) => BitbucketError::ours(
            ErrorKind::Validation,
            format!(
                "the answer is larger than the {} MiB this server reads; ask for less",
                cap >> 20
            ),
        ),
        Fault::Redirected(place) => BitbucketError::ours(
            ErrorKind::NotBitbucket,
            format!("the answer is a redirect to {place} instead of Bitbucket's API"),
        ),
        Fault::Deadline => return timed_out(),
        Fault::NotJson { status, what } => BitbucketError {
            status: Some(status),
            ..BitbucketError::ours(
                ErrorKind::NotBitbucket,
                format!("the answer is not from Bitbucket's API: {what}"),
            )
        },
        Fault::Transport { detail, connect } => {
            let what = if connect {
                "Bitbucket cannot be reached"
            } else {
                "the connection to Bitbucket broke"
            };
            BitbucketError::ours(ErrorKind::Unavailable, format!("{what} ({})", visible(&detail)))
        }
    };
    BitbucketError { detail, ..error }
}

pub(crate) fn timed_out() -> BitbucketError {
    BitbucketError::ours(ErrorKind::Timeout, "Bitbucket took too long to answer")
}

/// The error for an answer of Bitbucket's, or of something before it.
fn refused(status: u16, headers: &HeaderMap, body: &[u8]) -> BitbucketError {
    let parsed: Option<Value> = serde_json::from_slice(body).ok();
    let errors = parsed.as_ref().and_then(|value| value.get("errors")).and_then(Value::as_array);
    let exception = errors
        .and_then(|errors| errors.first())
        .and_then(|error| error.get("exceptionName"))
        .and_then(Value::as_str)
        .and_then(|name| name.rsplit('.').next())
        .unwrap_or_default();
    let kind = match (status, exception) {
        (401, "AuthorisationException" | "NoAccessAuthenticationException") | (403, _) => {
            ErrorKind::Forbidden
        }
        (401, _) => ErrorKind::Authentication,
        (404, _) if errors.is_none() && parsed.is_some() => ErrorKind::Unsupported,
        (404, _) if parsed.is_none() => ErrorKind::NotBitbucket,
        (404, _) => ErrorKind::NotFound,
        (400, "DuplicateRefException") | (409, _) => ErrorKind::Conflict,
        (429, _) => ErrorKind::RateLimited,
        (400..=499, _) => ErrorKind::Validation,
        (500..=599, _) => ErrorKind::Unavailable,
        _ => ErrorKind::NotBitbucket,
    };
    let mut messages: Vec<String> =
        errors.into_iter().flatten().filter_map(message_of).take(20).collect();
    if messages.is_empty() {
        messages.push(match &parsed {
            Some(value) => value
                .get("message")
                .and_then(Value::as_str)
                .map_or_else(|| "Bitbucket refused without a reason".to_owned(), clean),
            None => format!("the answer is {}", title(headers, body)),
        });
    }
    BitbucketError { kind, status: Some(status), messages, detail: None }
}

fn message_of(error: &Value) -> Option<String> {
    let text = clean(error.get("message").and_then(Value::as_str)?);
    Some(match error.get("context").and_then(Value::as_str) {
        Some(context) => format!("{}: {text}", clean(context)),
        None => text,
    })
}

/// Error texts are others' words: shown whole only when they are short, and never hidden.
fn clean(text: &str) -> String {
    let text = visible(text.trim());
    if text.chars().count() <= 500 {
        text
    } else {
        text.chars().take(500).chain("…".chars()).collect()
    }
}

/// What a body that is not JSON is, in a few words: a page's title, else its media type.
pub(crate) fn title(headers: &HeaderMap, body: &[u8]) -> String {
    let text = String::from_utf8_lossy(&body[..body.len().min(16_384)]);
    let lower = text.to_ascii_lowercase();
    let title = lower.find("<title").and_then(|at| {
        let start = at + lower[at..].find('>')? + 1;
        let end = start + lower[start..].find('<')?;
        text.get(start..end).map(|title| title.split_whitespace().collect::<Vec<_>>().join(" "))
    });
    match title.filter(|title| !title.is_empty()) {
        Some(title) => format!("a page titled “{}”", clean(&title)),
        None if body.is_empty() => "empty".to_owned(),
        None => {
            let kind = headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
            format!("of type {}", clean(kind.unwrap_or("unknown")))
        }
    }
}

#[cfg(test)]
mod tests;
