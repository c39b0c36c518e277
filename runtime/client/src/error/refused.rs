//! Refusals as Bitbucket words them, and answers of what stands before it.

use super::{BitbucketError, ErrorKind};
use crate::fault::About;
use crate::retry;
use bb_contract::text::visible;
use reqwest::header::{CONTENT_TYPE, HeaderMap};
use serde_json::Value;
use std::fmt;

/// Longest text of others that an error tells.
const LONGEST: usize = 500;
/// Most texts of one kind that an error tells.
const MOST: usize = 20;

/// What Bitbucket says beside its messages.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Extras {
    /// Why a merge is not allowed.
    pub vetoes: Vec<Veto>,
    /// Whether a merge would conflict.
    pub conflicted: bool,
    /// Why somebody cannot be a reviewer.
    pub reviewer_errors: Vec<String>,
    /// The version the thing has now, where an older one was given.
    pub current_version: Option<i64>,
    /// The pull request that there is already: its number, and its address when known.
    pub existing_pull_request: Option<(i64, Option<String>)>,
    /// For how many seconds Bitbucket asks to be left alone.
    pub retry_after: Option<u64>,
}

/// One reason against a merge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Veto {
    /// In few words.
    pub summary: String,
    /// In more.
    pub detail: String,
}

impl fmt::Display for Extras {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for veto in &self.vetoes {
            write!(formatter, "; veto: {}", veto.summary)?;
            if !veto.detail.is_empty() && veto.detail != veto.summary {
                write!(formatter, " – {}", veto.detail)?;
            }
        }
        if self.conflicted {
            formatter.write_str("; the branches conflict")?;
        }
        for error in &self.reviewer_errors {
            write!(formatter, "; reviewer {error}")?;
        }
        if let Some(version) = self.current_version {
            write!(formatter, "; its version is {version} now")?;
        }
        match &self.existing_pull_request {
            Some((id, Some(link))) => write!(formatter, "; it is pull request {id}, {link}")?,
            Some((id, None)) => write!(formatter, "; it is pull request {id}")?,
            None => {}
        }
        match self.retry_after.filter(|seconds| *seconds > 0) {
            Some(seconds) => write!(formatter, "; Bitbucket asks to wait {seconds} s"),
            None => Ok(()),
        }
    }
}

/// The error for an answer of Bitbucket's, or of something before it.
pub(super) fn refused(
    status: u16,
    headers: &HeaderMap,
    body: &[u8],
    about: About,
) -> BitbucketError {
    let parsed: Option<Value> = serde_json::from_slice(body).ok();
    let errors = parsed.as_ref().and_then(|value| value.get("errors")).and_then(Value::as_array);
    let errors: Option<&[Value]> = errors.map(Vec::as_slice);
    let exception = errors
        .and_then(<[Value]>::first)
        .and_then(|error| error.get("exceptionName"))
        .and_then(Value::as_str)
        .and_then(|name| name.rsplit('.').next())
        .unwrap_or_default();
    let denied = headers
        .get("x-authentication-denied-reason")
        .and_then(|reason| reason.to_str().ok())
        .is_some_and(|reason| reason.starts_with("CAPTCHA"));
    let kind = match (status, exception) {
        _ if denied => ErrorKind::Authentication,
        (401, "AuthorisationException" | "NoAccessAuthenticationException") | (403, _) => {
            ErrorKind::Forbidden
        }
        (401, _) if about.known == Some(true) => ErrorKind::Forbidden,
        (401, _) => ErrorKind::Authentication,
        (404, _) if errors.is_none() && parsed.is_some() => ErrorKind::Unsupported,
        (404, _) if parsed.is_none() => ErrorKind::NotBitbucket,
        (404, _) => ErrorKind::NotFound,
        (400, "DuplicateRefException") | (409, _) => ErrorKind::Conflict,
        (429, _) => ErrorKind::RateLimited,
        (400..=499, _) => ErrorKind::Validation,
        // Who fails in the middle of a write may have done it. 503 is said before anything is done.
        (500 | 502 | 504..=599, _) if about.writes => ErrorKind::UnknownOutcome,
        (500..=599, _) => ErrorKind::Unavailable,
        _ => ErrorKind::NotBitbucket,
    };
    let mut messages: Vec<String> =
        errors.into_iter().flatten().filter_map(message_of).take(MOST).collect();
    if denied {
        messages.push(
            "Bitbucket wants its user to sign in once in a browser and solve a CAPTCHA".to_owned(),
        );
    }
    if messages.is_empty() {
        messages.push(match &parsed {
            Some(value) => value
                .get("message")
                .and_then(Value::as_str)
                .map_or_else(|| "Bitbucket refused without a reason".to_owned(), clean),
            None => format!("the answer is {}", title(headers, body)),
        });
    }
    let mut extras = errors.map(extras).unwrap_or_default();
    extras.retry_after = retry::retry_after(headers).map(|wait| wait.as_secs());
    BitbucketError {
        kind,
        status: Some(status),
        messages,
        extras: Box::new(extras),
        detail: operator(kind, status, denied, about),
    }
}

/// What the operator can do, where the refusal is about how this server is set up.
fn operator(kind: ErrorKind, status: u16, denied: bool, about: About) -> Option<String> {
    let text = match kind {
        ErrorKind::Authentication if denied => {
            "sign in once in a browser as the user the credential belongs to"
        }
        ErrorKind::Authentication if about.by_password => {
            "since 10.0 Bitbucket refuses passwords unless told otherwise: use an HTTP access token in BITBUCKET_TOKEN"
        }
        ErrorKind::Authentication => {
            "check BITBUCKET_TOKEN or BITBUCKET_TOKEN_FILE (token_file): is the token whole, and has it ended?"
        }
        ErrorKind::NotBitbucket => "check BITBUCKET_URL (url) and its context path",
        _ => return None,
    };
    Some(format!("HTTP {status}: {text}"))
}

fn extras(errors: &[Value]) -> Extras {
    let list = |name: &'static str| {
        errors.iter().filter_map(move |error| error.get(name)?.as_array()).flatten().take(MOST)
    };
    let text = |value: &Value, name: &str| {
        clean(value.get(name).and_then(Value::as_str).unwrap_or_default())
    };
    let first = |name: &str| errors.iter().find_map(|error| error.get(name));
    Extras {
        vetoes: list("vetoes")
            .map(|veto| Veto {
                summary: text(veto, "summaryMessage"),
                detail: text(veto, "detailedMessage"),
            })
            .filter(|veto| !(veto.summary.is_empty() && veto.detail.is_empty()))
            .collect(),
        conflicted: first("conflicted").and_then(Value::as_bool).unwrap_or_default(),
        reviewer_errors: list("reviewerErrors").filter_map(message_of).collect(),
        // Where none was given, Bitbucket says −1 for what it expected, and this one still holds.
        current_version: first("currentVersion").and_then(Value::as_i64),
        existing_pull_request: first("existingPullRequest").and_then(|existing| {
            let link = existing.pointer("/links/self/0/href").and_then(Value::as_str).map(clean);
            Some((existing.get("id")?.as_i64()?, link))
        }),
        retry_after: None,
    }
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
    if text.chars().count() <= LONGEST {
        text
    } else {
        text.chars().take(LONGEST).chain("…".chars()).collect()
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
        None if body.is_empty() => "an empty body".to_owned(),
        None => {
            let kind = headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
            format!("a body of type {}", clean(kind.unwrap_or("unknown")))
        }
    }
}
