//! Answers that go wrong on the way.

use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::http::{HeaderValue, Response, header};
use futures_util::stream;

use crate::answer;
use crate::control::{Canned, Fault};

/// What takes the place of an answer, where a fault needs none.
pub(crate) fn instead(fault: &Fault, base: &str) -> Option<Response<Body>> {
    match fault {
        Fault::Status { status, retry_after } => Some(refusal(*status, *retry_after)),
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

/// What becomes of an answer.
pub(crate) async fn spoiled(response: Response<Body>, fault: Fault) -> Response<Body> {
    if let Fault::ContentType(kind) = &fault {
        let mut response = response;
        if let Ok(value) = HeaderValue::from_str(kind) {
            response.headers_mut().insert(header::CONTENT_TYPE, value);
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
        _ => Body::from(bytes),
    };
    Response::from_parts(parts, body)
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

fn refusal(status: u16, retry_after: Option<u32>) -> Response<Body> {
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
    let body = serde_json::json!({ "errors": [{
        "context": null, "message": message, "exceptionName": exception,
    }] });
    let mut headers = json_type();
    headers.extend(retry_after.map(|seconds| ("retry-after".into(), seconds.to_string())));
    answer::canned(Canned { status, headers, body: body.to_string().into_bytes() })
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
