//! Sending the request of one operation: checked, within the call's time, again where that is right.

use crate::attempt::{buffered, execute, streamed};
use crate::context::Inner;
use crate::fault::{About, carried};
use crate::retry::{self, Tried};
use crate::{CallContext, Connection, Fault, egress, identity, journal, network};
use bb_contract::OperationFacts;
use reqwest::header::{HeaderMap, LOCATION};
use reqwest::{Method, Request, Response, StatusCode, Url};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::{Instant, timeout, timeout_at};

/// Longest address that is told, in characters.
const LONGEST_PLACE: usize = 200;
/// How long a refused call may take to find out who it was refused to.
const ASKING: Duration = Duration::from_secs(5);

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
            return about(call, tried?, left).await;
        };
        attempt += 1;
        let (method, path) = (operation.method, operation.template);
        tracing::debug!("{method} {path}: again in {} ms, as attempt {attempt}", wait.as_millis());
        tokio::time::sleep(wait).await;
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
        journal::answered(connection, operation, &response);
        response = execute(connection, operation, Request::new(Method::GET, next)).await?;
        if response.status().is_redirection() {
            return Err(refused(call, &response));
        }
    }
    connection.identity().note(response.headers());
    if operation.stream && response.status().is_success() {
        return Ok(streamed(response, permit, connection));
    }
    buffered(response, operation, connection).await
}

/// Ties to a refusal what its reader has to know beside it: since Bitbucket says 401 for both,
/// whether it knows us at all. To find that out is worth a part of the call's time, not all of it.
async fn about(call: &Inner, mut response: Response, left: Duration) -> Result<Response, Fault> {
    if response.status().is_success() {
        return Ok(response);
    }
    let known = if response.status() == StatusCode::UNAUTHORIZED {
        let asked = identity::is_known(&call.connection, response.headers());
        timeout(ASKING.min(left / 2), asked).await.unwrap_or_default()
    } else {
        None
    };
    let by_password = call.connection.uses_password();
    response.extensions_mut().insert(About { by_password, known });
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
    let refused = || refused(call, response);
    if operation.method != "GET" {
        return Err(refused());
    }
    let target = response
        .headers()
        .get(LOCATION)
        .and_then(|value| value.to_str().ok())
        .ok_or_else(refused)?;
    let next = response.url().join(target).map_err(|_| refused())?;
    // The check holds it against the base URL, and so against its origin.
    match check(call, operation.id, &Method::GET, &next) {
        Ok(_) => Ok(next),
        Err(Fault::OutOfScope(path)) => Err(Fault::OutOfScope(path)),
        Err(_) => Err(refused()),
    }
}

/// A redirect that is not followed. Under a scope it may name what lies outside, so only its origin
/// is told.
fn refused(call: &Inner, response: &Response) -> Fault {
    let place = match place(&call.connection, response.url(), response.headers()) {
        None => "nowhere".to_owned(),
        Some(place) if call.scope.is_some() => place.origin().ascii_serialization(),
        Some(place) => place.to_string(),
    };
    let place = call.connection.redact().text(&place).chars().take(LONGEST_PLACE).collect();
    Fault::Redirected { status: response.status().as_u16(), place }
}

/// The place a redirect names, without what may hold a session or a credential.
pub(crate) fn place(connection: &Connection, from: &Url, headers: &HeaderMap) -> Option<Url> {
    let target = headers.get(LOCATION)?.to_str().ok()?;
    let mut place = from.join(&connection.redact().text(target)).ok()?;
    // These fail for addresses that can have neither.
    let _ = place.set_username("");
    let _ = place.set_password(None);
    place.set_query(None);
    place.set_fragment(None);
    let path = place.path().split(';').next().unwrap_or_default().to_owned();
    place.set_path(&path);
    Some(place)
}
