//! Answers packed for who takes them so, as the product's container does by
//! default: text and JSON, whatever has gone wrong with them before.

use std::io::Write as _;

use axum::body::{Body, Bytes};
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, Response, header};
use axum::middleware::Next;
use flate2::Compression;
use flate2::write::GzEncoder;
use futures_util::{Stream, StreamExt as _, stream};

/// The layer around all answers.
pub(crate) async fn packed(request: Request, next: Next) -> Response<Body> {
    let taken = takes(request.headers());
    let response = next.run(request).await;
    if !taken || !is_packable(response.headers()) {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    parts.headers.remove(header::CONTENT_LENGTH);
    parts.headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    Response::from_parts(parts, Body::from_stream(pack(body.into_data_stream())))
}

fn takes(headers: &HeaderMap) -> bool {
    headers
        .get_all(header::ACCEPT_ENCODING)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .any(|coding| {
            let (name, weight) = coding.split_once(';').unwrap_or((coding, ""));
            let never = weight.trim().strip_prefix("q=").is_some_and(|weight| {
                weight.trim().parse::<f32>().is_ok_and(|weight| weight <= 0.0)
            });
            name.trim().eq_ignore_ascii_case("gzip") && !never
        })
}

/// Tomcat leaves alone what has a strong tag: the tag is for other bytes.
fn is_packable(headers: &HeaderMap) -> bool {
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let kind = text(header::CONTENT_TYPE);
    let tag = text(header::ETAG);
    (kind.starts_with("text/") || kind.starts_with("application/json"))
        && (tag.is_empty() || tag.starts_with("W/"))
        && !headers.contains_key(header::CONTENT_ENCODING)
}

type Piece = Result<Bytes, axum::Error>;

/// Piece by piece, so that a slow body stays slow and a large one is never held
/// whole. A body that breaks off breaks off here too.
fn pack(pieces: impl Stream<Item = Piece> + Send + Unpin) -> impl Stream<Item = Piece> + Send {
    let encoder = GzEncoder::new(Vec::new(), Compression::fast());
    stream::unfold(Some((pieces, encoder)), |state| async move {
        let (mut pieces, mut encoder) = state?;
        let packed = match pieces.next().await {
            Some(Ok(piece)) => match encoder.write_all(&piece).and_then(|()| encoder.flush()) {
                Ok(()) => {
                    let packed = std::mem::take(encoder.get_mut());
                    return Some((Ok(packed.into()), Some((pieces, encoder))));
                }
                Err(error) => Err(axum::Error::new(error)),
            },
            Some(Err(error)) => Err(error),
            None => encoder.finish().map(Bytes::from).map_err(axum::Error::new),
        };
        Some((packed, None))
    })
}
