//! Answers that go wrong on the way.

use std::time::{Duration, UNIX_EPOCH};

use axum::body::{Body, to_bytes};
use axum::http::request::Parts;
use axum::http::{HeaderName, HeaderValue, Response, header};
use futures_util::stream;

use crate::control::{Canned, Fault};
use crate::wire::Reset;
use crate::{answer, clock, query};

/// What takes the place of an answer, where a fault needs none.
pub(crate) fn instead(fault: &Fault, base: &str, request: &Parts) -> Option<Response<Body>> {
    match fault {
        Fault::Status { status, retry_after } => {
            Some(refusal(*status, retry_after.map(|seconds| seconds.to_string())))
        }
        Fault::StatusUntil { status, wait } => Some(refusal(*status, Some(date_in(*wait)))),
        Fault::Redirect { status, location } => Some(answer::canned(Canned {
            status: *status,
            headers: vec![("location".into(), location.clone())],
            body: Vec::new(),
        })),
        Fault::Echo { status, json } => Some(echo(*status, *json, request)),
        Fault::Login { redirect } => Some(login(*redirect, base)),
        Fault::Malformed => Some(answer::canned(Canned {
            status: 200,
            headers: json_type(),
            body: b"{\"values\": [}, NaN".to_vec(),
        })),
        Fault::Large(size) => Some(large(*size)),
        _ => None,
    }
}

/// What becomes of an answer to a request that came over a connection.
pub(crate) async fn spoiled(
    mut response: Response<Body>,
    fault: Fault,
    connection: Reset,
) -> Response<Body> {
    if let Fault::ContentType(kind) = &fault {
        set(&mut response, header::CONTENT_TYPE, kind);
        return response;
    }
    if let Fault::UserName(name) = &fault {
        response.headers_mut().remove(USER_NAME);
        if let Some(name) = name {
            set(&mut response, USER_NAME, &query::encode(name));
        }
        return response;
    }
    let (mut parts, body) = response.into_parts();
    let bytes = to_bytes(body, usize::MAX).await.unwrap_or_default().to_vec();
    let body = match fault {
        Fault::Truncated => Body::from(bytes[..bytes.len() / 2].to_vec()),
        Fault::CutAt(place) => {
            parts.headers.insert(header::CONTENT_LENGTH, HeaderValue::from(bytes.len()));
            cut(bytes[..place.min(bytes.len())].to_vec())
        }
        Fault::Trickle { piece, pause } => {
            parts.headers.insert(header::CONTENT_LENGTH, HeaderValue::from(bytes.len()));
            trickle(bytes, piece.max(1), pause)
        }
        Fault::Reset => {
            parts.headers.insert(header::CONTENT_LENGTH, HeaderValue::from(bytes.len()));
            before_reset(bytes, connection)
        }
        _ => Body::from(bytes),
    };
    Response::from_parts(parts, body)
}

const USER_NAME: HeaderName = HeaderName::from_static("x-ausername");

fn set(response: &mut Response<Body>, name: HeaderName, value: &str) {
    if let Ok(value) = HeaderValue::from_str(value) {
        response.headers_mut().insert(name, value);
    }
}

/// The time after which what was written is on its way.
const FLUSHED: Duration = Duration::from_millis(20);

/// Sends some bytes, then breaks the connection.
fn cut(sent: Vec<u8>) -> Body {
    Body::from_stream(stream::unfold(Some(sent), |sent| async move {
        match sent {
            Some(sent) => Some((Ok(sent), None)),
            None => {
                tokio::time::sleep(FLUSHED).await;
                let cut = std::io::Error::from(std::io::ErrorKind::ConnectionAborted);
                Some((Err(cut), None))
            }
        }
    }))
}

/// Sends everything, then resets the connection. The client has its whole answer
/// by then, and meets the reset in its next request.
fn before_reset(sent: Vec<u8>, connection: Reset) -> Body {
    Body::from_stream(stream::once(async move {
        tokio::spawn(async move {
            tokio::time::sleep(FLUSHED).await;
            connection.now();
        });
        Ok::<_, std::io::Error>(sent)
    }))
}

fn trickle(bytes: Vec<u8>, piece: usize, pause: Duration) -> Body {
    Body::from_stream(stream::unfold(bytes, move |mut left| async move {
        if left.is_empty() {
            return None;
        }
        tokio::time::sleep(pause).await;
        let rest = left.split_off(piece.min(left.len()));
        Some((Ok::<_, std::io::Error>(left), rest))
    }))
}

fn refusal(status: u16, retry_after: Option<String>) -> Response<Body> {
    let (message, exception) = match status {
        429 => (
            "You are being rate limited. Please try again later.",
            "com.atlassian.bitbucket.ratelimit.RateLimitedException",
        ),
        _ => (
            "The server is not able to answer.",
            "com.atlassian.bitbucket.server.ServiceUnavailableException",
        ),
    };
    let mut headers = json_type();
    headers.extend(retry_after.map(|time| ("retry-after".into(), time)));
    answer::canned(Canned { status, headers, body: error(message, exception) })
}

fn error(message: &str, exception: &str) -> Vec<u8> {
    let error = serde_json::json!({ "errors": [{
        "context": null, "message": message, "exceptionName": exception,
    }] });
    error.to_string().into_bytes()
}

/// A date as HTTP writes it: whole seconds, rounded up, so that who waits for it
/// has waited long enough.
fn date_in(wait: Duration) -> String {
    let now = u64::try_from(clock::now()).unwrap_or(0);
    let then = (Duration::from_millis(now) + wait).as_millis().div_ceil(1000);
    let seconds = u64::try_from(then).unwrap_or(u64::MAX);
    httpdate::fmt_http_date(UNIX_EPOCH + Duration::from_secs(seconds))
}

fn echo(status: u16, json: bool, request: &Parts) -> Response<Body> {
    let mut text = format!("{} {}", request.method, request.uri);
    for (name, value) in &request.headers {
        text.push_str(&format!("\n{name}: {}", String::from_utf8_lossy(value.as_bytes())));
    }
    let (kind, body) = if json {
        let exception = "com.atlassian.bitbucket.server.ServiceUnavailableException";
        (json_type(), error(&text, exception))
    } else {
        (vec![("content-type".into(), "text/plain;charset=UTF-8".into())], text.into_bytes())
    };
    answer::canned(Canned { status, headers: kind, body })
}

fn login(redirect: bool, base: &str) -> Response<Body> {
    let html = ("content-type".to_owned(), "text/html;charset=UTF-8".to_owned());
    let place = ("location".to_owned(), format!("{base}/login?next=/dashboard"));
    let body = b"<!doctype html><html><head><title>Log in - Bitbucket</title></head><body>\
                 <form method=\"post\"><input name=\"j_username\"></form></body></html>";
    let (status, headers) = if redirect { (302, vec![html, place]) } else { (200, vec![html]) };
    answer::canned(Canned { status, headers, body: body.to_vec() })
}

/// The size of one piece of a large body: none is ever held whole.
const PIECE: usize = 64 << 10;

fn large(size: usize) -> Response<Body> {
    let (start, end) = (b"{\"values\":[\"".to_vec(), b"\"]}".to_vec());
    let size = size.max(start.len() + end.len());
    let filling = size.saturating_sub(start.len() + end.len());
    let pieces = [start]
        .into_iter()
        .chain(std::iter::repeat_n(vec![b'x'; PIECE], filling / PIECE))
        .chain([vec![b'x'; filling % PIECE], end]);
    let mut response =
        Response::new(Body::from_stream(stream::iter(pieces.map(Ok::<_, std::io::Error>))));
    let headers = response.headers_mut();
    headers
        .insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json;charset=UTF-8"));
    headers.insert(header::CONTENT_LENGTH, HeaderValue::from(size));
    response
}

fn json_type() -> Vec<(String, String)> {
    vec![("content-type".into(), "application/json;charset=UTF-8".into())]
}
