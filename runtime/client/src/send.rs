//! Sending one request of one operation, and taking its answer within bounds.

use crate::context::Inner;
use crate::egress;
use crate::fault::carried;
use crate::{CallContext, Fault};
use bb_contract::OperationFacts;
use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue, LOCATION};
use reqwest::{Method, Request, Response, Url};
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::timeout_at;

/// Sends a request of the call. The only caller is the generated client's hook.
///
/// The answer comes back buffered, or, for a streamed operation, wrapped so that its bytes are
/// counted and its permit is held until it has been read. Our own faults come back as responses.
///
/// # Errors
/// None of our own; the type is what the hook asks for.
pub async fn send(
    context: &CallContext,
    request: Request,
    operation_id: &'static str,
) -> reqwest::Result<Response> {
    let call = context.inner();
    let deadline = call.call.deadline;
    Ok(match timeout_at(deadline, exchange(call, request, operation_id)).await {
        Ok(Ok(response)) => response,
        Ok(Err(fault)) => carried(fault),
        Err(_) => carried(Fault::Deadline),
    })
}

async fn exchange(call: &Inner, request: Request, operation_id: &str) -> Result<Response, Fault> {
    let operation = check(call, operation_id, request.method(), request.url())?;
    // The permit lives as long as the answer is being read.
    let permit = call.connection.permits().acquire_owned().await.map_err(|_| Fault::Transport {
        detail: "the server is stopping".to_owned(),
        connect: false,
    })?;
    let mut response = execute(call, operation, request).await?;
    if response.status().is_redirection() {
        let next = redirected(call, operation, &response)?;
        response = execute(call, operation, Request::new(Method::GET, next)).await?;
        if response.status().is_redirection() {
            return Err(Fault::Redirected(place(&response)));
        }
    }
    if let Some(name) = response.headers().get("x-ausername").and_then(|name| name.to_str().ok()) {
        call.connection.note_caller(
            egress::decode(&name.replace('+', " ")).unwrap_or_else(|| name.to_owned()),
        );
    }
    if operation.stream && response.status().is_success() {
        return Ok(streamed(response, permit, call.connection.limits().stream));
    }
    buffered(response, operation, call.connection.limits().body).await
}

fn check(
    call: &Inner,
    id: &str,
    method: &Method,
    url: &Url,
) -> Result<&'static OperationFacts, Fault> {
    egress::check(
        &egress::Call {
            declared: call.declared,
            scope: call.scope.as_ref(),
            base: call.connection.base(),
            noted: &|value| call.is_noted(value),
        },
        id,
        method.as_str(),
        url,
    )
}

async fn execute(
    call: &Inner,
    operation: &OperationFacts,
    mut request: Request,
) -> Result<Response, Fault> {
    let writes = request.method() != Method::GET;
    let headers = request.headers_mut();
    headers.remove("api-version");
    headers.insert(AUTHORIZATION, call.connection.authorization());
    headers.insert(ACCEPT, HeaderValue::from_static(operation.accept));
    if writes {
        headers.insert("x-atlassian-token", HeaderValue::from_static("no-check"));
    }
    call.connection.client().execute(request).await.map_err(|error| transport(&error))
}

fn transport(error: &reqwest::Error) -> Fault {
    // The chain's last words say what happened; the first only say that something did.
    let mut detail = String::new();
    let mut next: Option<&dyn std::error::Error> = std::error::Error::source(error);
    while let Some(source) = next {
        detail = source.to_string();
        next = source.source();
    }
    if detail.is_empty() {
        detail = "the connection failed".to_owned();
    }
    Fault::Transport { detail, connect: error.is_connect() }
}

/// Where a redirected read may be repeated: same origin, same operation, inside the scope.
fn redirected(
    call: &Inner,
    operation: &'static OperationFacts,
    response: &Response,
) -> Result<Url, Fault> {
    let refused = || Fault::Redirected(place(response));
    if operation.method != "GET" {
        return Err(refused());
    }
    let target = response
        .headers()
        .get(LOCATION)
        .and_then(|value| value.to_str().ok())
        .ok_or_else(refused)?;
    let next = response.url().join(target).map_err(|_| refused())?;
    if next.origin() != response.url().origin() {
        return Err(refused());
    }
    match check(call, operation.id, &Method::GET, &next) {
        Ok(_) => Ok(next),
        Err(Fault::OutOfScope(path)) => Err(Fault::OutOfScope(path)),
        Err(_) => Err(refused()),
    }
}

/// The place a redirect names, without its query, which may hold a session.
fn place(response: &Response) -> String {
    let target = response.headers().get(LOCATION).and_then(|value| value.to_str().ok());
    let target = target.unwrap_or("nowhere").split(['?', '#']).next().unwrap_or_default();
    bb_contract::text::visible(target).chars().take(200).collect()
}

async fn buffered(
    mut response: Response,
    operation: &OperationFacts,
    cap: usize,
) -> Result<Response, Fault> {
    let status = response.status();
    let headers = response.headers().clone();
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|error| transport(&error))? {
        if body.len() + chunk.len() > cap {
            return Err(Fault::TooLarge(cap));
        }
        body.extend_from_slice(&chunk);
    }
    if status.is_success() && !operation.stream && !body.is_empty() && !is_json(&headers) {
        return Err(Fault::NotJson {
            status: status.as_u16(),
            what: crate::error::title(&headers, &body),
        });
    }
    let mut answer = http::Response::new(body);
    *answer.status_mut() = status;
    *answer.headers_mut() = headers;
    Ok(answer.into())
}

/// Whether the media type is JSON. Some gateways send none; the body is then tried as it is.
fn is_json(headers: &HeaderMap) -> bool {
    headers.get(CONTENT_TYPE).is_none_or(|value| {
        let kind = value.to_str().unwrap_or_default().split(';').next().unwrap_or_default().trim();
        kind.eq_ignore_ascii_case("application/json")
            || kind.to_ascii_lowercase().ends_with("+json")
    })
}

fn streamed(response: Response, permit: OwnedSemaphorePermit, cap: usize) -> Response {
    let status = response.status();
    let headers = response.headers().clone();
    let parts = (Some(response), 0_usize, permit);
    let stream = futures_util::stream::unfold(parts, move |(response, read, permit)| async move {
        let mut response = response?;
        match response.chunk().await {
            Ok(Some(chunk)) if read + chunk.len() > cap => {
                Some((Err(Fault::TooLarge(cap)), (None, read, permit)))
            }
            Ok(Some(chunk)) => {
                let read = read + chunk.len();
                Some((Ok(chunk), (Some(response), read, permit)))
            }
            Ok(None) => None,
            Err(error) => Some((Err(transport(&error)), (None, read, permit))),
        }
    });
    let mut answer = http::Response::new(reqwest::Body::wrap_stream(stream));
    *answer.status_mut() = status;
    *answer.headers_mut() = headers;
    answer.into()
}
