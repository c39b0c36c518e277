//! What a write has to look like before the product reads it.

use axum::http::{HeaderMap, header};
use serde_json::{Value, json};

use crate::answer::Answer;
use crate::errors::Failure;

/// The body of a write, or the refusal that comes before everything else.
///
/// A browser could be made to send what is not JSON, so that needs the header
/// which no page can set; JSON needs it only from what says it is a browser.
pub(crate) fn body(
    method: &str,
    headers: &HeaderMap,
    bytes: &[u8],
) -> Result<Result<Value, Failure>, Answer> {
    let text = |name: header::HeaderName| {
        headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default().to_lowercase()
    };
    let kind = text(header::CONTENT_TYPE);
    let is_json = kind.split(';').next().is_some_and(|kind| kind.trim() == "application/json");
    let excused = headers
        .get("x-atlassian-token")
        .is_some_and(|value| value.as_bytes().eq_ignore_ascii_case(b"no-check"));
    let browser = text(header::USER_AGENT).starts_with("mozilla/");
    if !excused && (!is_json || browser) {
        return Err(Answer::Plain(403, "XSRF check failed"));
    }
    // A removal may come without a body, and so without a type.
    if method == "DELETE" && bytes.is_empty() {
        return Ok(Ok(json!({})));
    }
    if !is_json {
        return Ok(Err(Failure::unsupported_media_type()));
    }
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Ok(Ok(json!({})));
    }
    Ok(serde_json::from_slice(bytes).map_err(|error| {
        Failure::with(400, None, &format!("The request body is not valid JSON: {error}"), None)
    }))
}
