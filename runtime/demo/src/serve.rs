//! From an HTTP request to an answer and back.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use axum::body::{Body, to_bytes};
use axum::extract::{ConnectInfo, Request as HttpRequest, State};
use axum::http::{HeaderMap, Response, StatusCode, header};

use crate::access::caller;
use crate::answer::{self, Answer, Outcome};
use crate::control::{Canned, Fault};
use crate::errors::Failure;
use crate::faults;
use crate::hash;
use crate::log::Request;
use crate::query::{self, Query};
use crate::routes::writes::{self, Write};
use crate::routes::{self, Call};
use crate::server::Shared;
use crate::state::Store;
use crate::wire::Reset;

/// The largest request body that is read; the product's own answer to more is
/// a refusal as well.
const MAXIMUM_BODY: usize = 8 << 20;

pub(crate) async fn serve(
    State(shared): State<Arc<Shared>>,
    ConnectInfo(connection): ConnectInfo<Reset>,
    request: HttpRequest,
) -> Response<Body> {
    let (parts, body) = request.into_parts();
    let body = to_bytes(body, MAXIMUM_BODY).await.unwrap_or_default();
    let full = parts.uri.path();
    let Some(path) = full
        .strip_prefix(shared.context_path.as_str())
        .filter(|rest| rest.is_empty() || rest.starts_with('/'))
    else {
        // Outside the product: what a servlet container says.
        return page(404);
    };
    let raw_query = parts.uri.query().unwrap_or_default();
    shared.log.add(Request {
        method: parts.method.to_string(),
        path: path.to_owned(),
        query: raw_query.to_owned(),
        headers: recorded(&parts.headers),
        body: String::from_utf8_lossy(&body).into_owned(),
    });
    if path.to_ascii_lowercase().contains("%2f") {
        // Tomcat refuses an encoded slash before the product sees it.
        return page(400);
    }
    let fault = shared.control.fault(path);
    if let Some(Fault::Delay(time)) = &fault {
        tokio::time::sleep(*time).await;
    }
    if shared.control.holds(path) || fault == Some(Fault::Hang) {
        let _held = shared.control.held();
        let mut stopped = shared.stopped.clone();
        let _ = stopped.changed().await;
    }
    if let Some(canned) = shared.control.canned(path) {
        return answer::canned(canned);
    }
    let instead = fault.as_ref().and_then(|fault| faults::instead(fault, &shared.base, &parts));
    if let Some(instead) = instead {
        return instead;
    }
    let incoming = Incoming {
        method: parts.method.as_str(),
        path,
        raw_query,
        headers: &parts.headers,
        body: &body,
    };
    let response = answered(&shared, &incoming);
    match fault {
        Some(fault) => faults::spoiled(response, fault, connection).await,
        None => response,
    }
}

struct Incoming<'a> {
    method: &'a str,
    path: &'a str,
    raw_query: &'a str,
    headers: &'a HeaderMap,
    body: &'a [u8],
}

fn answered(shared: &Shared, incoming: &Incoming<'_>) -> Response<Body> {
    let (outcome, user) = answer_to(shared, incoming);
    let accept = text(incoming.headers, header::ACCEPT);
    let mut response = match outcome {
        Ok(Answer::Json(value)) if shared.etags => tagged(incoming, value.to_string()),
        // A JSON resource asked for as anything else is not acceptable.
        Ok(Answer::Json(_) | Answer::Created(_)) if !takes_json(accept) => {
            let mut response = Response::new(Body::empty());
            *response.status_mut() = StatusCode::NOT_ACCEPTABLE;
            response
        }
        Err(failure) if failure.is_of_container() && !accept.contains("json") => {
            answer::canned(failure.as_xml())
        }
        outcome => answer::response(outcome),
    };
    let number = shared.answered.fetch_add(1, Ordering::Relaxed) + 1;
    answer::insert(&mut response, "x-arequestid", &format!("@DEMO7X{}x{number}x0", number % 1440));
    answer::insert(&mut response, "cache-control", "no-cache, no-transform");
    answer::insert(&mut response, "vary", "X-AUSERNAME,X-AUSERID,Cookie,Accept-Encoding");
    if let Some((name, id)) = user {
        answer::insert(&mut response, "x-ausername", &query::encode(&name));
        answer::insert(&mut response, "x-auserid", &id.to_string());
    }
    response
}

fn takes_json(accept: &str) -> bool {
    accept.is_empty()
        || ["application/json", "*/*", "application/*"].iter().any(|kind| accept.contains(kind))
}

/// With a tag of its own, and not at all to who has it already.
fn tagged(incoming: &Incoming<'_>, body: String) -> Response<Body> {
    let tag = format!("\"{:016x}\"", hash::quick(body.as_bytes()));
    let known = text(incoming.headers, header::IF_NONE_MATCH) == tag;
    let mut response = answer::canned(Canned {
        status: if known { 304 } else { 200 },
        headers: vec![("content-type".into(), "application/json;charset=UTF-8".into())],
        body: if known { Vec::new() } else { body.into_bytes() },
    });
    answer::insert(&mut response, "etag", &tag);
    response
}

fn answer_to(shared: &Shared, incoming: &Incoming<'_>) -> (Outcome, Option<(String, u64)>) {
    let mut store = shared.store();
    store.settle(shared.clock.now());
    let user = match caller(&store, incoming.headers, shared.basic) {
        Ok(user) => user.map(|user| (user.name.clone(), user.id)),
        Err(failure) => return (Err(failure), None),
    };
    let name = user.as_ref().map(|(name, _)| name.as_str());
    let segments: Vec<String> =
        incoming.path.trim_start_matches('/').split('/').map(query::decode).collect();
    let call = Call {
        store: &store,
        base: &shared.base,
        context_path: &shared.context_path,
        path: incoming.path,
        raw_query: incoming.raw_query,
        query: Query::parse(incoming.raw_query),
        accept: text(incoming.headers, header::ACCEPT),
        version: shared.version,
        user: name,
    };
    let outcome = if matches!(incoming.method, "GET" | "HEAD") {
        routes::answer(&call, &segments)
    } else if let Some(name) = name {
        match routes::moved(&call, &segments) {
            Some(place) => Ok(Answer::Moved(place)),
            None => written(shared, &mut store, incoming, name, &segments),
        }
    } else {
        Err(Failure::unauthenticated())
    };
    (outcome, user)
}

fn written(
    shared: &Shared,
    store: &mut Store,
    incoming: &Incoming<'_>,
    user: &str,
    segments: &[String],
) -> Outcome {
    let body = match writes::body(incoming.method, incoming.headers, incoming.body) {
        Ok(body) => body?,
        Err(refusal) => return Ok(refusal),
    };
    let mut write = Write {
        store,
        base: &shared.base,
        method: incoming.method,
        query: Query::parse(incoming.raw_query),
        body,
        version: shared.version,
        user: user.to_owned(),
    };
    writes::answer(&mut write, segments)
}

fn page(status: u16) -> Response<Body> {
    let body = format!("<!doctype html><html><body><h1>HTTP Status {status}</h1></body></html>");
    answer::canned(Canned {
        status,
        headers: vec![("content-type".into(), "text/html;charset=utf-8".into())],
        body: body.into_bytes(),
    })
}

fn text(headers: &HeaderMap, name: header::HeaderName) -> &str {
    headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
}

fn recorded(headers: &HeaderMap) -> Vec<(String, String)> {
    headers
        .iter()
        .map(|(name, value)| {
            let value = String::from_utf8_lossy(value.as_bytes());
            let secret = [header::AUTHORIZATION, header::PROXY_AUTHORIZATION].contains(name);
            let value = if secret { scheme(&value).to_owned() } else { value.into_owned() };
            (name.as_str().to_owned(), value)
        })
        .collect()
}

/// What may be known of credentials. Without a space, the first word may be the
/// secret itself.
fn scheme(credentials: &str) -> &'static str {
    match credentials.split_once(' ') {
        Some((scheme, _)) if scheme.eq_ignore_ascii_case("bearer") => "(Bearer)",
        Some((scheme, _)) if scheme.eq_ignore_ascii_case("basic") => "(Basic)",
        _ => "(other)",
    }
}
