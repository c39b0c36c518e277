//! An answer of the demo before it becomes HTTP.

use axum::body::Body;
use axum::http::{HeaderName, HeaderValue, Response, StatusCode, header};
use serde_json::Value;

use crate::control::Canned;
use crate::errors::Failure;

#[derive(Debug)]
pub(crate) enum Answer {
    Json(Value),
    Created(Value),
    NoContent,
    Text(String),
    /// A file or a picture, with its media type and its tag.
    Bytes(Vec<u8>, &'static str, Option<String>),
    /// What stands before the product's own answers.
    Plain(u16, &'static str),
    /// A moved repository: the place to ask instead.
    Moved(String),
}

/// What an endpoint gives.
pub(crate) type Outcome = Result<Answer, Failure>;

pub(crate) fn response(outcome: Outcome) -> Response<Body> {
    match outcome {
        Ok(Answer::Json(value)) => build(200, JSON, value.to_string().into_bytes()),
        Ok(Answer::Created(value)) => build(201, JSON, value.to_string().into_bytes()),
        Ok(Answer::NoContent) => {
            let mut response = Response::new(Body::empty());
            *response.status_mut() = StatusCode::NO_CONTENT;
            response
        }
        Ok(Answer::Plain(status, text)) => build(status, TEXT, text.as_bytes().to_vec()),
        Ok(Answer::Text(text)) => build(200, TEXT, text.into_bytes()),
        Ok(Answer::Bytes(bytes, kind, tag)) => {
            let mut response = build(200, kind, bytes);
            insert(&mut response, "x-content-type-options", "nosniff");
            if let Some(tag) = tag {
                insert(&mut response, "etag", &format!("\"{tag}\""));
            }
            response
        }
        Ok(Answer::Moved(location)) => {
            let mut response = build(307, JSON, Vec::new());
            insert(&mut response, "location", &location);
            response
        }
        Err(failure) => build(failure.status, JSON, failure.body.to_string().into_bytes()),
    }
}

pub(crate) fn canned(canned: Canned) -> Response<Body> {
    let mut response = Response::new(Body::from(canned.body));
    *response.status_mut() =
        StatusCode::from_u16(canned.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    for (name, value) in &canned.headers {
        insert(&mut response, name, value);
    }
    response
}

/// Sets a header; a name or value HTTP cannot carry is left out.
pub(crate) fn insert(response: &mut Response<Body>, name: &str, value: &str) {
    if let (Ok(name), Ok(value)) =
        (HeaderName::from_bytes(name.as_bytes()), HeaderValue::from_str(value))
    {
        response.headers_mut().append(name, value);
    }
}

const JSON: &str = "application/json;charset=UTF-8";
const TEXT: &str = "text/plain;charset=UTF-8";

fn build(status: u16, kind: &'static str, body: Vec<u8>) -> Response<Body> {
    let mut response = Response::new(Body::from(body));
    *response.status_mut() =
        StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    response
}
