//! What the preview answers over HTTP, and to whom.

use super::inside::Inside;
use crate::random;
use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path, Request, State};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HOST, ORIGIN, REFERRER_POLICY,
    X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use bb_generated::registry::{TITLE, TOOLS};
use bb_view::preview::file;
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// Policy of the preview's own page; the view's page brings a stricter one of its own.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; frame-src 'self'; \
     img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

/// What all requests share.
#[derive(Debug)]
struct Shared {
    client: Inside,
    key: String,
    port: u16,
    target: String,
    scope: Option<String>,
}

/// The site.
#[derive(Debug, Clone)]
pub(super) struct Site(Arc<Shared>);

impl Site {
    pub(super) fn new(
        client: Inside,
        port: u16,
        target: String,
        scope: Option<String>,
    ) -> Result<Self, String> {
        Ok(Self(Arc::new(Shared { client, key: random::hex()?, port, target, scope })))
    }

    /// Where the page is.
    pub(super) fn url(&self) -> String {
        format!("http://127.0.0.1:{}/{}/", self.0.port, self.0.key)
    }

    /// All routes, below the key, behind the check.
    pub(super) fn router(&self) -> Router {
        let below = |path: &str| format!("/{}/{path}", self.0.key);
        Router::new()
            .route(&below(""), get(|| async { static_file("index.html") }))
            .route(&below("view"), get(view))
            .route(&below("start"), get(start))
            .route(&below("call"), post(call))
            .route(
                &below("{name}"),
                get(|Path(name): Path<String>| async move { static_file(&name) }),
            )
            .fallback(|| async { StatusCode::NOT_FOUND })
            .layer(middleware::from_fn_with_state(self.clone(), checked))
            .with_state(self.clone())
    }

    /// Whether a request names this server as its host and, where it says where it comes from,
    /// comes from this server's page. A page elsewhere that has resolved its own name to this
    /// machine names another host.
    fn is_own(&self, headers: &HeaderMap) -> bool {
        let mut hosts =
            vec![format!("127.0.0.1:{}", self.0.port), format!("localhost:{}", self.0.port)];
        if self.0.port == 80 {
            // Browsers leave the scheme's own port out.
            hosts.extend(["127.0.0.1".to_owned(), "localhost".to_owned()]);
        }
        let text = |name: &HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
        let named = text(&HOST).is_some_and(|host| hosts.iter().any(|own| own == host));
        let from = text(&ORIGIN)
            .is_none_or(|origin| hosts.iter().any(|own| origin == format!("http://{own}")));
        named && from && headers.get_all(HOST).iter().count() == 1
    }
}

async fn checked(State(site): State<Site>, request: Request, next: Next) -> Response {
    if !site.is_own(request.headers()) {
        return (StatusCode::FORBIDDEN, "this is not for you\n").into_response();
    }
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.entry(CONTENT_SECURITY_POLICY).or_insert(HeaderValue::from_static(POLICY));
    response
}

fn static_file(name: &str) -> Response {
    match file(name) {
        Some((kind, text)) => ([(CONTENT_TYPE, kind)], text).into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

/// The page that draws every view, as a host reads it.
async fn view(State(site): State<Site>) -> Response {
    let read = site.0.client.request("resources/read", json!({"uri": bb_view::page::URI})).await;
    let text =
        read.ok().and_then(|result| result["contents"][0]["text"].as_str().map(str::to_owned));
    match text {
        // Framed by the preview and by nothing else; the rest of its policy is its own.
        Some(text) => {
            let headers = [
                (CONTENT_TYPE, "text/html; charset=utf-8"),
                (CONTENT_SECURITY_POLICY, "frame-ancestors 'self'; sandbox allow-scripts"),
            ];
            (headers, text).into_response()
        }
        None => StatusCode::BAD_GATEWAY.into_response(),
    }
}

/// What the page begins with.
async fn start(State(site): State<Site>) -> Response {
    let listed = match site.0.client.request("tools/list", json!({})).await {
        Ok(listed) => listed,
        Err(message) => return (StatusCode::BAD_GATEWAY, message).into_response(),
    };
    let mut examples = Map::new();
    for tool in TOOLS {
        let arguments: Value = serde_json::from_str(tool.example).unwrap_or_default();
        let mut all = vec![json!({"title": tool.title, "arguments": arguments})];
        if tool.name == "show" && site.0.target == "demo" {
            all = demo_pull_requests();
        }
        examples.insert(tool.name.to_owned(), Value::Array(all));
    }
    let server = json!({"name": "bb", "title": TITLE, "version": env!("CARGO_PKG_VERSION")});
    json_of(&json!({
        "server": server,
        "target": site.0.target,
        "scope": site.0.scope,
        "tools": listed["tools"],
        "examples": examples,
    }))
}

/// The demo's pull requests worth a look.
fn demo_pull_requests() -> Vec<Value> {
    let one = |title: &str, id: i64| json!({"title": title, "arguments": {"kind": "pull_request", "project": "PAY", "repo": "ledger", "id": id}});
    vec![
        one("Open, and much to do", 1),
        one("Conflicted", 2),
        one("Draft", 3),
        one("Merged", 4),
        one("Declined", 5),
        one("From a fork, merging by itself", 6),
        one("Every text hostile", 7),
    ]
}

/// Calls a tool.
async fn call(State(site): State<Site>, headers: HeaderMap, body: Bytes) -> Response {
    // A page elsewhere can send a form without being asked, but not this media type.
    let kind = headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    if kind.split(';').next().map(str::trim) != Some("application/json") {
        return StatusCode::UNSUPPORTED_MEDIA_TYPE.into_response();
    }
    let Ok(asked) = serde_json::from_slice::<Value>(&body) else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    let params = json!({"name": asked["name"], "arguments": asked["arguments"]});
    match site.0.client.ask("tools/call", params).await {
        Ok(answer) => match (answer.get("result"), answer.get("error")) {
            (Some(result), _) => json_of(&json!({ "result": result })),
            (None, error) => json_of(&json!({ "error": error })),
        },
        Err(message) => (StatusCode::BAD_GATEWAY, message).into_response(),
    }
}

fn json_of(value: &Value) -> Response {
    ([(CONTENT_TYPE, "application/json")], value.to_string()).into_response()
}
