//! Sending the request of one operation: checked, within the call's time, again where that is right.

use crate::attempt::{buffered, execute, streamed};
use crate::context::Inner;
use crate::fault::{About, carried};
use crate::retry::{self, Tried};
use crate::{CallContext, Fault, egress, identity, journal, network};
use bb_contract::OperationFacts;
use reqwest::header::LOCATION;
use reqwest::{Method, Request, Response, StatusCode, Url};
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::{Instant, timeout_at};

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
    let writes = request.method() != Method::GET;
    // Whether Bitbucket may have read a request when the time is over.
    let out = AtomicBool::new(false);
    let fault = match timeout_at(deadline, exchange(call, request, operation_id, &out)).await {
        Ok(Ok(response)) => return Ok(response),
        Ok(Err(fault)) => fault,
        Err(_) => Fault::Deadline,
    };
    let unknown = writes && out.load(Ordering::Relaxed) && fault.leaves_open();
    Ok(carried(if unknown { Fault::Unknown(Box::new(fault)) } else { fault }))
}

async fn exchange(
    call: &Inner,
    request: Request,
    operation_id: &str,
    out: &AtomicBool,
) -> Result<Response, Fault> {
    let operation = check(call, operation_id, request.method(), request.url())?;
    let writes = request.method() != Method::GET;
    let _writing = writes.then(|| call.connection.writing());
    let mut attempt = 1;
    loop {
        // The permit lives as long as the answer is being read, and not while waiting.
        let permits = call.connection.permits();
        let permit =
            permits.acquire_owned().await.map_err(|_| Fault::Network(network::stopping()))?;
        let copy = request.try_clone().ok_or_else(|| {
            Fault::Misshapen("a request whose body cannot be sent twice".to_owned())
        })?;
        let begun = Instant::now();
        out.store(true, Ordering::Relaxed);
        let tried = once(call, operation, copy, permit).await;
        journal::request(&call.connection, operation, attempt, begun.elapsed(), &tried);
        if let Err(Fault::Network(network)) = &tried {
            out.store(network.sent, Ordering::Relaxed);
        }
        let left = call.call.deadline.saturating_duration_since(Instant::now());
        let outcome = match &tried {
            Ok(response) => Tried::Answered(response.status(), response.headers()),
            Err(fault) => Tried::Failed(fault),
        };
        let Some(wait) = retry::wait(writes, attempt, outcome, left) else {
            return about(call, writes, tried?).await;
        };
        tokio::time::sleep(wait).await;
        attempt += 1;
    }
}

/// One attempt, with the one redirect that a read may take.
async fn once(
    call: &Inner,
    operation: &'static OperationFacts,
    request: Request,
    permit: OwnedSemaphorePermit,
) -> Result<Response, Fault> {
    let connection = &call.connection;
    let mut response = execute(connection, operation, request).await?;
    if response.status().is_redirection() {
        let next = redirected(call, operation, &response)?;
        response = execute(connection, operation, Request::new(Method::GET, next)).await?;
        if response.status().is_redirection() {
            return Err(Fault::Redirected(place(call, &response)));
        }
    }
    connection.identity().note(response.headers());
    if operation.stream && response.status().is_success() {
        return Ok(streamed(response, permit, connection));
    }
    buffered(response, operation, connection).await
}

/// Ties to a refusal what its reader has to know beside it: whether something was to be written,
/// and, since Bitbucket says 401 for both, whether it knows us at all.
async fn about(call: &Inner, writes: bool, mut response: Response) -> Result<Response, Fault> {
    if response.status().is_success() {
        return Ok(response);
    }
    let known = if response.status() == StatusCode::UNAUTHORIZED {
        identity::is_known(&call.connection, response.headers()).await
    } else {
        None
    };
    let by_password = call.connection.uses_password();
    response.extensions_mut().insert(About { writes, by_password, known });
    Ok(response)
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

/// Where a redirected read may be repeated: same origin, same operation, inside the scope.
fn redirected(
    call: &Inner,
    operation: &'static OperationFacts,
    response: &Response,
) -> Result<Url, Fault> {
    let refused = || Fault::Redirected(place(call, response));
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
fn place(call: &Inner, response: &Response) -> String {
    let target = response.headers().get(LOCATION).and_then(|value| value.to_str().ok());
    let target = target.unwrap_or("nowhere").split(['?', '#']).next().unwrap_or_default();
    let target = call.connection.redact().text(target);
    bb_contract::text::visible(&target).chars().take(200).collect()
}
