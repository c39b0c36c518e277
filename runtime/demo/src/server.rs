//! The running demo: one listener, the log, the test controls and the state.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{Request as HttpRequest, State};
use axum::http::{HeaderMap, Response, header};
use tokio::net::TcpListener;
use tokio::sync::watch;

use crate::answer::{self, Outcome};
use crate::control::{Canned, Control};
use crate::errors::Failure;
use crate::log::{Log, Request};
use crate::query::{self, Query};
use crate::routes::{self, Call};
use crate::state::Store;
use crate::{TOKEN, USER, seed};

/// How the demo is started.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The port to listen on; 0 takes any free one.
    pub port: u16,
    /// Where the product is mounted: empty, or a path such as `/bitbucket`.
    pub context_path: String,
}

/// A running demo. Serving stops when it is dropped.
#[derive(Debug)]
pub struct Demo {
    shared: Arc<Shared>,
    /// Dropping the sender is what tells the listener and held requests to end.
    _stop: watch::Sender<()>,
}

impl Demo {
    /// Binds the loopback interface and serves on the current runtime.
    ///
    /// # Errors
    ///
    /// When the port cannot be bound.
    pub async fn start(options: Options) -> std::io::Result<Demo> {
        let listener = TcpListener::bind(("127.0.0.1", options.port)).await?;
        let port = listener.local_addr()?.port();
        let context_path = match options.context_path.trim_matches('/') {
            "" => String::new(),
            path => format!("/{path}"),
        };
        let (stop, mut stopped) = watch::channel(());
        let shared = Arc::new(Shared {
            base: format!("http://127.0.0.1:{port}{context_path}"),
            context_path,
            log: Log::default(),
            control: Control::default(),
            store: RwLock::new(seed::store()),
            answered: AtomicU64::new(0),
            stopped: stopped.clone(),
        });
        let router = Router::new().fallback(serve).with_state(Arc::clone(&shared));
        tokio::spawn(async move {
            let until = async move {
                // The only news this channel brings is that its sender is gone.
                let _ = stopped.changed().await;
            };
            // A listener that fails has no one to tell: clients see it refuse.
            let _ = axum::serve(listener, router).with_graceful_shutdown(until).await;
        });
        Ok(Demo { shared, _stop: stop })
    }

    /// The base address, with the context path and without a final slash.
    #[must_use]
    pub fn url(&self) -> String {
        self.shared.base.clone()
    }

    /// Every request received since the start or the last clearing, in order.
    #[must_use]
    pub fn requests(&self) -> Vec<Request> {
        self.shared.log.all()
    }

    /// Forgets the requests received so far.
    pub fn clear_requests(&self) {
        self.shared.log.clear();
    }

    /// From here on, requests whose path contains this text are never answered.
    pub fn hold(&self, path_contains: &str) {
        self.shared.control.hold(path_contains);
    }

    /// How many held requests still have an open connection.
    #[must_use]
    pub fn in_flight(&self) -> usize {
        self.shared.control.in_flight()
    }

    /// From here on, requests whose path contains this text get this answer.
    pub fn answer_with(
        &self,
        path_contains: &str,
        status: u16,
        headers: Vec<(String, String)>,
        body: Vec<u8>,
    ) {
        self.shared.control.answer_with(path_contains, Canned { status, headers, body });
    }
}

#[derive(Debug)]
struct Shared {
    base: String,
    context_path: String,
    log: Log,
    control: Control,
    store: RwLock<Store>,
    answered: AtomicU64,
    stopped: watch::Receiver<()>,
}

/// The largest request body that is read; the product's own answer to more is
/// a refusal as well.
const MAXIMUM_BODY: usize = 8 << 20;

async fn serve(State(shared): State<Arc<Shared>>, request: HttpRequest) -> Response<Body> {
    let (parts, body) = request.into_parts();
    let body = to_bytes(body, MAXIMUM_BODY).await.unwrap_or_default();
    let full = parts.uri.path();
    let Some(path) = full
        .strip_prefix(shared.context_path.as_str())
        .filter(|rest| rest.is_empty() || rest.starts_with('/'))
    else {
        // Outside the product: what a servlet container says.
        return answer::canned(Canned {
            status: 404,
            headers: vec![("content-type".into(), "text/html;charset=utf-8".into())],
            body: b"<!doctype html><html><body><h1>HTTP Status 404</h1></body></html>".to_vec(),
        });
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
        return answer::canned(Canned {
            status: 400,
            headers: vec![("content-type".into(), "text/html;charset=utf-8".into())],
            body: b"<!doctype html><html><body><h1>HTTP Status 400</h1></body></html>".to_vec(),
        });
    }
    if shared.control.holds(path) {
        let _held = shared.control.held();
        let mut stopped = shared.stopped.clone();
        let _ = stopped.changed().await;
    }
    if let Some(canned) = shared.control.canned(path) {
        return answer::canned(canned);
    }
    let (outcome, user) =
        answer_to(&shared, parts.method.as_str(), path, raw_query, &parts.headers);
    let mut response = answer::response(outcome);
    let number = shared.answered.fetch_add(1, Ordering::Relaxed) + 1;
    answer::insert(&mut response, "x-arequestid", &format!("@DEMO7X{}x{number}x0", number % 1440));
    if let Some(user) = user {
        answer::insert(&mut response, "x-ausername", &query::encode(user));
        answer::insert(&mut response, "x-auserid", "101");
    }
    response
}

fn answer_to(
    shared: &Shared,
    method: &str,
    path: &str,
    raw_query: &str,
    headers: &HeaderMap,
) -> (Outcome, Option<&'static str>) {
    let user = match authenticate(headers) {
        Ok(user) => user,
        Err(failure) => return (Err(failure), None),
    };
    let store = shared.store.read().unwrap_or_else(PoisonError::into_inner);
    let segments: Vec<String> =
        path.trim_start_matches('/').split('/').map(query::decode).collect();
    let call = Call {
        store: &store,
        base: &shared.base,
        context_path: &shared.context_path,
        method,
        path,
        raw_query,
        query: Query::parse(raw_query),
        accept: headers
            .get(header::ACCEPT)
            .and_then(|value| value.to_str().ok())
            .unwrap_or_default(),
        user,
    };
    (routes::answer(&call, &segments), user)
}

/// `None` is an anonymous caller; wrong credentials are refused even where
/// anonymous ones are not.
fn authenticate(headers: &HeaderMap) -> Result<Option<&'static str>, Failure> {
    let Some(value) = headers.get(header::AUTHORIZATION) else {
        return Ok(None);
    };
    match value.to_str().ok().and_then(|text| text.split_once(' ')) {
        Some((scheme, token)) if scheme.eq_ignore_ascii_case("bearer") && token.trim() == TOKEN => {
            Ok(Some(USER))
        }
        _ => Err(Failure::wrong_token()),
    }
}

fn recorded(headers: &HeaderMap) -> Vec<(String, String)> {
    headers
        .iter()
        .map(|(name, value)| {
            let value = if name == header::AUTHORIZATION {
                "(present)".to_owned()
            } else {
                String::from_utf8_lossy(value.as_bytes()).into_owned()
            };
            (name.as_str().to_owned(), value)
        })
        .collect()
}
