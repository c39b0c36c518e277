//! One request and its answer, within bounds. It decides nothing about a second one.

use crate::network::{self, Network};
use crate::{Connection, Fault};
use bb_contract::OperationFacts;
use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue};
use reqwest::{Method, Request, Response, StatusCode};
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::timeout;

/// Sends a request with what every request carries.
pub(crate) async fn execute(
    connection: &Connection,
    operation: &OperationFacts,
    mut request: Request,
) -> Result<Response, Fault> {
    let writes = request.method() != Method::GET;
    let headers = request.headers_mut();
    headers.remove("api-version");
    for (name, value) in connection.headers() {
        headers.insert(name, value.clone());
    }
    headers.insert(AUTHORIZATION, connection.authorization());
    headers.insert(ACCEPT, HeaderValue::from_static(operation.accept));
    if writes {
        headers.insert("x-atlassian-token", HeaderValue::from_static("no-check"));
        if request.body().is_none() {
            // Without a body and its type, Bitbucket takes a write for a forged form.
            request
                .headers_mut()
                .insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
            *request.body_mut() = Some("{}".into());
        }
    }
    let sent = connection.client().execute(request).await;
    let response = sent.map_err(|error| Fault::Network(network::read(&error, connection)))?;
    if response.status() == StatusCode::PROXY_AUTHENTICATION_REQUIRED {
        return Err(Fault::Network(network::unpaid(connection)));
    }
    Ok(response)
}

/// Reads an answer whole.
pub(crate) async fn buffered(
    mut response: Response,
    operation: &OperationFacts,
    connection: &Connection,
) -> Result<Response, Fault> {
    let cap = connection.limits().body;
    let status = response.status();
    let headers = response.headers().clone();
    let mut body = Vec::new();
    while let Some(chunk) = chunk(&mut response, connection).await.map_err(Fault::Network)? {
        if body.len() + chunk.len() > cap {
            return Err(Fault::TooLarge(cap));
        }
        body.extend_from_slice(&chunk);
    }
    let fine = status.is_success();
    let redaction = connection.redact();
    let body = if fine { redaction.body(body) } else { redaction.failed_body(body) };
    if fine && !operation.stream && !body.is_empty() && !is_json(&headers) {
        return Err(Fault::NotJson {
            status: status.as_u16(),
            what: crate::error::title(&headers, &body),
        });
    }
    // Some gateways pass Bitbucket's refusals on as a success.
    if fine && !operation.stream && body.trim_ascii_start().starts_with(b"{\"errors\":") {
        return Err(Fault::NotJson {
            status: status.as_u16(),
            what: "a refusal that says it is a success".to_owned(),
        });
    }
    let mut answer = http::Response::new(body);
    *answer.status_mut() = status;
    *answer.headers_mut() = headers;
    Ok(answer.into())
}

/// The next piece of a body, unless it stops coming.
async fn chunk(
    response: &mut Response,
    connection: &Connection,
) -> Result<Option<impl AsRef<[u8]> + std::ops::Deref<Target = [u8]> + use<>>, Network> {
    match timeout(connection.limits().stall, response.chunk()).await {
        Ok(Ok(chunk)) => Ok(chunk),
        Ok(Err(error)) => Err(network::read(&error, connection)),
        Err(_) => Err(network::stalled(connection)),
    }
}

/// Whether the media type is JSON. Some gateways send none; the body is then tried as it is.
fn is_json(headers: &HeaderMap) -> bool {
    headers.get(CONTENT_TYPE).is_none_or(|value| {
        let kind = value.to_str().unwrap_or_default().split(';').next().unwrap_or_default().trim();
        kind.eq_ignore_ascii_case("application/json")
            || kind.to_ascii_lowercase().ends_with("+json")
    })
}

/// Passes an answer on as it comes, counted, and holds its permit until it has been read.
pub(crate) fn streamed(
    response: Response,
    permit: OwnedSemaphorePermit,
    connection: &Connection,
) -> Response {
    let cap = connection.limits().stream;
    let status = response.status();
    let headers = response.headers().clone();
    let parts = (Some(response), 0_usize, permit, connection.clone());
    let stream = futures_util::stream::unfold(
        parts,
        move |(response, read, permit, connection)| async move {
            let mut response = response?;
            match chunk(&mut response, &connection).await {
                Ok(Some(chunk)) if read + chunk.len() > cap => {
                    Some((Err(Fault::TooLarge(cap)), (None, read, permit, connection)))
                }
                Ok(Some(chunk)) => {
                    let read = read + chunk.len();
                    Some((Ok(chunk.to_vec()), (Some(response), read, permit, connection)))
                }
                Ok(None) => None,
                Err(network) => {
                    Some((Err(Fault::Network(network)), (None, read, permit, connection)))
                }
            }
        },
    );
    let mut answer = http::Response::new(reqwest::Body::wrap_stream(stream));
    *answer.status_mut() = status;
    *answer.headers_mut() = headers;
    answer.into()
}
