//! Requests that change something, over a Bitbucket that fails: what is repeated, what is not, and
//! what is said when nobody knows whether it was done.

use bb_client::{
    BaseUrl, BitbucketError, CallContext, CallFacts, Connection, Credential, ErrorKind, Limits,
    Proxy, Settings, read_error, send, whoami,
};
use bb_contract::{JsonObject, OperationFacts, Reach, Tool};
use bb_demo::{Closing, Demo, Fault, Options, Silent, TOKEN};
use progenitor_client::Error;
use serde_json::{Value, json};
use std::time::Duration;

const fn operation(
    id: &'static str,
    method: &'static str,
    template: &'static str,
) -> OperationFacts {
    OperationFacts {
        id,
        method,
        template,
        reach: Reach::Repository,
        noted: &[],
        stream: false,
        accept: "application/json",
    }
}

const PULL_REQUESTS: &str = "/rest/api/latest/projects/{project}/repos/{repo}/pull-requests";
static COMMENT: OperationFacts = operation(
    "comment",
    "POST",
    "/rest/api/latest/projects/{project}/repos/{repo}/pull-requests/{id}/comments",
);
static MERGE: OperationFacts = operation(
    "merge",
    "POST",
    "/rest/api/latest/projects/{project}/repos/{repo}/pull-requests/{id}/merge",
);
static CREATE: OperationFacts = operation("create", "POST", PULL_REQUESTS);
static LIST: OperationFacts = operation("list", "GET", PULL_REQUESTS);

/// A tool that may do all of it.
#[derive(Debug)]
struct Everything;

#[derive(Debug, serde::Deserialize)]
struct Nothing {}

impl Tool for Everything {
    const NAME: &'static str = "everything";
    const CALLS: &'static [&'static OperationFacts] = &[&COMMENT, &MERGE, &CREATE, &LIST];
    type Args = Nothing;
    type Scope = bb_contract::scope::Unbounded;
    type Reach = ();
}

const LEDGER: &str = "/rest/api/latest/projects/PAY/repos/ledger/pull-requests";

fn connection(base: &str) -> Connection {
    connection_as(base, TOKEN, Limits::default())
}

fn connection_as(base: &str, token: &str, limits: Limits) -> Connection {
    let base = BaseUrl::parse(base, false).expect("a base URL");
    let credential = Credential::bearer(token).expect("a token");
    let settings = Settings { limits, ..Settings::new(base, credential) };
    Connection::new(settings).expect("a connection")
}

/// A call that may take so long.
#[expect(clippy::disallowed_methods, reason = "the call is made as the dispatch makes it")]
fn call(connection: &Connection, seconds: u64) -> CallContext {
    let admitted =
        bb_contract::admit::<Everything>(None, JsonObject::new()).expect("nothing to refuse");
    let deadline = tokio::time::Instant::now() + Duration::from_secs(seconds);
    CallContext::new(connection, &CallFacts { id: String::new(), deadline }, &admitted)
}

/// Sends one request of a call that may take so long.
#[expect(
    clippy::disallowed_methods,
    reason = "the request is made as the generated client makes it"
)]
async fn sent(
    connection: &Connection,
    operation: &'static OperationFacts,
    path: &str,
    body: Value,
    seconds: u64,
) -> Result<Value, BitbucketError> {
    let context = call(connection, seconds);
    let url = format!("{}{path}", connection.base());
    let client = connection.http();
    let request = match operation.method {
        "GET" => client.get(url),
        _ if body.is_null() => client.post(url),
        _ => client.post(url).json(&body),
    };
    let request = request.build().expect("a request");
    let response = send(&context, request, operation.id).await.expect("a fault is a response");
    let writes = operation.method != "GET";
    // As the generated client takes an answer: what the document says has a body has to decode.
    if !response.status().is_success() || response.status() == 204 {
        return Err(read_error(Error::UnexpectedResponse(response), writes).await);
    }
    let body = response.bytes().await.expect("a body that was read");
    match serde_json::from_slice(&body) {
        Ok(value) => Ok(value),
        Err(error) => Err(read_error(Error::InvalidResponsePayload(body, error), writes).await),
    }
}

async fn demo() -> (Demo, Connection) {
    let demo = Demo::start(Options::default()).await.expect("a demo");
    let connection = connection(&demo.url());
    (demo, connection)
}

async fn comment(connection: &Connection, seconds: u64) -> Result<Value, BitbucketError> {
    let path = format!("{LEDGER}/1/comments");
    sent(connection, &COMMENT, &path, json!({"text": "Looks right."}), seconds).await
}

fn posts(demo: &Demo) -> usize {
    demo.requests().iter().filter(|request| request.method == "POST").count()
}

#[tokio::test]
async fn a_write_carries_what_bitbucket_wants() {
    let (demo, connection) = demo().await;
    comment(&connection, 10).await.expect("a comment");
    let requests = demo.requests();
    let header = |name: &str| {
        let found = requests[0].headers.iter().find(|(key, _)| key == name);
        found.map(|(_, value)| value.as_str()).unwrap_or_default()
    };
    assert_eq!(header("x-atlassian-token"), "no-check");
    assert_eq!(header("content-type"), "application/json");
    assert_eq!(header("authorization"), "(Bearer)");
    assert_eq!(*connection.writes().borrow(), 0, "it is over");
}

#[tokio::test]
async fn a_write_is_never_repeated_after_bitbucket_may_have_read_it() {
    for (fault, kind) in [
        (Fault::Status { status: 429, retry_after: Some(0) }, ErrorKind::RateLimited),
        (Fault::Status { status: 503, retry_after: Some(0) }, ErrorKind::Unavailable),
        (Fault::Status { status: 502, retry_after: None }, ErrorKind::UnknownOutcome),
        (Fault::Status { status: 504, retry_after: None }, ErrorKind::UnknownOutcome),
        (Fault::Status { status: 500, retry_after: None }, ErrorKind::UnknownOutcome),
        (Fault::CutAt(3), ErrorKind::UnknownOutcome),
        (Fault::ContentType("text/html".to_owned()), ErrorKind::UnknownOutcome),
        (Fault::Malformed, ErrorKind::UnknownOutcome),
        (Fault::Truncated, ErrorKind::UnknownOutcome),
        (redirect(303), ErrorKind::UnknownOutcome),
        (redirect(302), ErrorKind::UnknownOutcome),
        (redirect(307), ErrorKind::NotBitbucket),
        (redirect(308), ErrorKind::NotBitbucket),
    ] {
        let (demo, connection) = demo().await;
        demo.fail("/comments", fault.clone(), None);
        let error = comment(&connection, 10).await.expect_err("a failure");
        assert_eq!((error.kind, posts(&demo)), (kind, 1), "{fault:?}: {error}");
        if kind == ErrorKind::UnknownOutcome {
            assert!(!error.is_retryable());
            let text = error.to_string();
            assert!(
                text.ends_with("it may have been done; read the current state before trying again"),
                "{text}"
            );
        }
    }
}

fn redirect(status: u16) -> Fault {
    Fault::Redirect { status, location: "https://sso.example.test/".to_owned() }
}

#[tokio::test]
async fn a_good_answer_without_what_it_should_hold_leaves_a_write_open() {
    let (demo, connection) = demo().await;
    for (status, body) in [(204, ""), (201, ""), (201, "{\"id\":")] {
        let kind = ("Content-Type".to_owned(), "application/json".to_owned());
        demo.heal();
        demo.answer_with("/comments", status, vec![kind], body.as_bytes().to_vec());
        let error = comment(&connection, 10).await.expect_err("no answer");
        assert_eq!(error.kind, ErrorKind::UnknownOutcome, "{status} {body}: {error}");
    }
}

#[tokio::test]
async fn a_refused_write_is_refused_though_nobody_says_who_we_are() {
    for operation in [&COMMENT, &LIST] {
        let (demo, connection) = demo().await;
        let kind = ("Content-Type".to_owned(), "application/json".to_owned());
        let body = br#"{"errors":[{"context":null,"message":"no","exceptionName":null}]}"#;
        demo.answer_with("/pull-requests", 401, vec![kind], body.to_vec());
        demo.fail("/application-properties", Fault::Hang, None);
        let error = sent(&connection, operation, &path_of(operation), json!({}), 4)
            .await
            .expect_err("a refusal");
        assert_eq!(error.kind, ErrorKind::Authentication, "{error}");
    }
}

fn path_of(operation: &OperationFacts) -> String {
    match operation.method {
        "GET" => LEDGER.to_owned(),
        _ => format!("{LEDGER}/1/comments"),
    }
}

#[tokio::test]
async fn no_proxy_stands_before_this_machine() {
    let demo = Demo::start(Options::default()).await.expect("a demo");
    let base = BaseUrl::parse(&demo.url(), false).expect("a base URL");
    let credential = Credential::bearer(TOKEN).expect("a token");
    let settings = Settings {
        proxy: Some(Proxy::parse("http://127.0.0.1:9").expect("a proxy")),
        ..Settings::new(base, credential)
    };
    let connection = Connection::new(settings).expect("a connection");
    sent(&connection, &LIST, LEDGER, Value::Null, 10).await.expect("an answer");
}

#[tokio::test]
async fn what_is_asked_for_ourselves_takes_a_place_among_the_six() {
    let (demo, connection) = demo().await;
    let kind = ("Content-Type".to_owned(), "application/json".to_owned());
    let body = br#"{"errors":[{"context":null,"message":"no","exceptionName":null}]}"#;
    demo.answer_with("/pull-requests", 401, vec![kind], body.to_vec());
    demo.fail("/application-properties", Fault::Hang, None);
    let calls = (0..12).map(|_| sent(&connection, &LIST, LEDGER, Value::Null, 4));
    let most = async {
        let mut most = 0;
        for _ in 0..60 {
            most = most.max(demo.in_flight());
            tokio::time::sleep(Duration::from_millis(25)).await;
        }
        most
    };
    let (_, most) = tokio::join!(futures_util::future::join_all(calls), most);
    assert_eq!(most, 6);
}

#[tokio::test]
async fn a_write_without_an_answer_in_time_is_of_unknown_outcome() {
    let (demo, connection) = demo().await;
    demo.fail("/comments", Fault::Hang, None);
    let error = comment(&connection, 1).await.expect_err("a failure");
    assert_eq!(error.kind, ErrorKind::UnknownOutcome);
    assert_eq!(
        error.to_string(),
        "Bitbucket was told to do it, but Bitbucket took too long to answer: it may have been done; \
         read the current state before trying again"
    );
    assert_eq!(posts(&demo), 1);
}

#[tokio::test]
async fn a_write_on_a_connection_that_closes_is_of_unknown_outcome() {
    let closing = Closing::after(1).await.expect("a listener");
    let connection = connection(&format!("http://{}", closing.address()));
    let error = comment(&connection, 10).await.expect_err("a failure");
    assert_eq!(error.kind, ErrorKind::UnknownOutcome, "{error}");
    assert_eq!(closing.accepted(), 1);
}

#[tokio::test]
async fn a_write_that_cannot_have_been_read_is_not_open() {
    // Nobody listens on a port that was given back.
    let address = Closing::start().await.expect("a listener").address();
    let connection = connection(&format!("http://{address}"));
    let error = comment(&connection, 10).await.expect_err("a failure");
    assert_eq!(error.kind, ErrorKind::Unavailable, "{error}");
    assert!(error.to_string().contains("takes no connection"), "{error}");
}

#[tokio::test]
async fn reads_are_repeated_until_they_succeed_or_the_time_is_short() {
    for fault in [
        Fault::Status { status: 429, retry_after: Some(0) },
        Fault::StatusUntil { status: 503, wait: Duration::ZERO },
        Fault::Status { status: 502, retry_after: None },
        Fault::Status { status: 504, retry_after: None },
        Fault::CutAt(3),
    ] {
        let (demo, connection) = demo().await;
        demo.fail("/pull-requests", fault.clone(), Some(2));
        let answer = sent(&connection, &LIST, LEDGER, Value::Null, 10).await;
        assert!(answer.is_ok(), "{fault:?}: {answer:?}");
        assert_eq!(demo.requests().len(), 3, "{fault:?}");
        demo.clear_requests();
        demo.fail("/pull-requests", fault.clone(), None);
        assert!(sent(&connection, &LIST, LEDGER, Value::Null, 10).await.is_err());
        assert_eq!(demo.requests().len(), 3, "{fault:?}");
    }
    let (demo, connection) = demo().await;
    demo.fail("/pull-requests", Fault::Status { status: 429, retry_after: Some(30) }, None);
    let error = sent(&connection, &LIST, LEDGER, Value::Null, 5).await.expect_err("a failure");
    assert_eq!(demo.requests().len(), 1, "the wait would not leave time for an answer");
    assert_eq!((error.kind, error.extras.retry_after), (ErrorKind::RateLimited, Some(30)));
    assert!(error.to_string().contains("Bitbucket asks to wait 30 s"), "{error}");
}

#[tokio::test]
async fn a_read_on_a_connection_that_was_closed_meanwhile_is_repeated() {
    let (demo, connection) = demo().await;
    demo.fail("/pull-requests", Fault::Reset, Some(1));
    for _ in 0..2 {
        sent(&connection, &LIST, LEDGER, Value::Null, 10).await.expect("an answer");
    }
}

#[tokio::test]
async fn report_3_a_stale_version_is_told_with_the_one_that_holds_and_nothing_is_repeated() {
    let (demo, connection) = demo().await;
    // Without a version Bitbucket counts −1.
    for path in [format!("{LEDGER}/1/merge?version=99"), format!("{LEDGER}/1/merge")] {
        demo.clear_requests();
        let error = sent(&connection, &MERGE, &path, json!({}), 10).await.expect_err("a conflict");
        assert_eq!((error.kind, error.status), (ErrorKind::Conflict, Some(409)));
        let version = error.extras.current_version.expect("a version");
        assert!(error.to_string().contains(&format!("its version is {version} now")), "{error}");
        assert_eq!(posts(&demo), 1);
    }
}

#[tokio::test]
async fn report_4_a_write_without_a_body_gets_one_with_its_type() {
    let (demo, connection) = demo().await;
    let path = format!("{LEDGER}/1/merge?version=99");
    let error = sent(&connection, &MERGE, &path, Value::Null, 10).await.expect_err("a conflict");
    // Neither 415 nor `XSRF check failed`: it got as far as the version.
    assert_eq!(error.status, Some(409), "{error}");
    let requests = demo.requests();
    let header = |name: &str| {
        let found = requests[0].headers.iter().find(|(key, _)| key == name);
        found.map(|(_, value)| value.as_str()).unwrap_or_default()
    };
    assert_eq!(
        (header("x-atlassian-token"), header("content-type")),
        ("no-check", "application/json")
    );
    assert_eq!(requests[0].body, "{}");
}

#[tokio::test]
async fn what_bitbucket_says_beside_its_messages_is_told() {
    let (_demo, connection) = demo().await;
    let path = format!("{LEDGER}/1/merge?version=99");
    let error = sent(&connection, &MERGE, &path, json!({}), 10).await.expect_err("a conflict");
    let version = error.extras.current_version.expect("a version");
    // Vetoes, which come under the right version only.
    let path = format!("{LEDGER}/1/merge?version={version}");
    let error = sent(&connection, &MERGE, &path, json!({}), 10).await.expect_err("a veto");
    assert_eq!(error.kind, ErrorKind::Conflict);
    let veto = error.extras.vetoes.first().unwrap_or_else(|| panic!("no veto in {error}"));
    assert!(error.to_string().contains(&format!("veto: {}", veto.summary)), "{error}");
    // The same pull request once more.
    let listed = sent(&connection, &LIST, LEDGER, Value::Null, 10).await.expect("a page");
    let open = &listed["values"][0];
    let side = |name: &str| json!({"id": open[name]["id"], "repository": open[name]["repository"]});
    let body = json!({"title": "Again", "fromRef": side("fromRef"), "toRef": side("toRef")});
    let error = sent(&connection, &CREATE, LEDGER, body, 10).await.expect_err("a conflict");
    assert_eq!(error.kind, ErrorKind::Conflict, "{error}");
    let (id, _) = error.extras.existing_pull_request.clone().expect("the one there is");
    assert_eq!(json!(id), open["id"]);
    assert!(error.to_string().contains(&format!("it is pull request {id}")), "{error}");
}

#[tokio::test]
async fn a_401_is_told_from_another_by_asking_who_we_are() {
    let (demo, connection) = demo().await;
    let refusal =
        br#"{"errors":[{"context":null,"message":"You are not permitted","exceptionName":null}]}"#;
    let kind = ("Content-Type".to_owned(), "application/json".to_owned());
    demo.answer_with("/pull-requests", 401, vec![kind.clone()], refusal.to_vec());
    let error = sent(&connection, &LIST, LEDGER, Value::Null, 10).await.expect_err("a refusal");
    assert_eq!(error.kind, ErrorKind::Forbidden, "{error}");
    assert!(demo.requests().iter().any(|request| request.path.ends_with("application-properties")));
    demo.answer_with("/application-properties", 401, vec![kind], refusal.to_vec());
    let error = sent(&connection, &LIST, LEDGER, Value::Null, 10).await.expect_err("a refusal");
    assert_eq!(error.kind, ErrorKind::Authentication, "{error}");
}

#[tokio::test]
async fn a_credential_that_is_echoed_reaches_nobody() {
    let (demo, connection) = demo().await;
    for json in [true, false] {
        for status in [400, 403, 500] {
            demo.heal();
            demo.fail("/pull-requests", Fault::Echo { status, json }, None);
            let error =
                sent(&connection, &LIST, LEDGER, Value::Null, 10).await.expect_err("a refusal");
            assert!(!format!("{error} {error:?}").contains(TOKEN), "{error:?}");
            if json {
                assert!(error.to_string().contains("(secret)"), "it was echoed: {error}");
            }
        }
    }
}

#[tokio::test]
async fn a_body_that_stops_coming_is_given_up_before_the_call_is() {
    let demo = Demo::start(Options::default()).await.expect("a demo");
    let limits = Limits { stall: Duration::from_millis(200), ..Limits::default() };
    let connection = connection_as(&demo.url(), TOKEN, limits);
    let fault = Fault::Trickle { piece: 1, pause: Duration::from_secs(60) };
    demo.fail("/pull-requests", fault, None);
    let error = sent(&connection, &LIST, LEDGER, Value::Null, 5).await.expect_err("a failure");
    assert_eq!(error.kind, ErrorKind::Timeout);
    assert!(error.to_string().starts_with("Bitbucket stopped in the middle"), "{error}");
    assert_eq!(demo.requests().len(), 1, "it has cost its time");
    // The head of an answer may take longer than that.
    demo.heal();
    demo.fail("/pull-requests", Fault::Delay(Duration::from_millis(600)), None);
    sent(&connection, &LIST, LEDGER, Value::Null, 5).await.expect("an answer");
}

#[tokio::test]
async fn a_handshake_that_stops_is_given_up_before_the_call_is() {
    let silent = Silent::start().await.expect("a listener");
    let limits = Limits { connect: Duration::from_millis(200), ..Limits::default() };
    let connection = connection_as(&format!("https://{}", silent.address()), TOKEN, limits);
    let error = sent(&connection, &LIST, LEDGER, Value::Null, 5).await.expect_err("a failure");
    assert_eq!(error.kind, ErrorKind::Timeout);
    assert!(error.to_string().contains("did not answer in time"), "{error}");
}

#[tokio::test]
async fn answers_are_packed_and_connections_kept() {
    let options = Options { gzip: true, ..Options::default() };
    let demo = Demo::start(options).await.expect("a demo");
    let connection = connection(&demo.url());
    for _ in 0..3 {
        sent(&connection, &LIST, LEDGER, Value::Null, 10).await.expect("an answer");
    }
    for request in demo.requests() {
        let accepted = request.headers.iter().find(|(name, _)| name == "accept-encoding");
        assert_eq!(accepted.map(|(_, value)| value.as_str()), Some("gzip"));
    }
}

#[tokio::test]
async fn who_we_are_is_asked_once_also_where_name_and_slug_differ() {
    let demo = Demo::start(Options::default()).await.expect("a demo");
    for (slug, name) in
        [(bb_demo::USER, bb_demo::USER), ("a.kovac_example.com", "a.kovač@example.com")]
    {
        let connection = connection_as(&demo.url(), &demo.token_of(slug), Limits::default());
        assert_eq!(connection.caller(), None, "nothing is asked before it has to be");
        demo.clear_requests();
        let first = whoami(&call(&connection, 10)).await.expect("somebody");
        assert_eq!((first.name.as_str(), first.slug.as_deref()), (name, Some(slug)));
        assert!(first.display_name.is_some());
        let asked = demo.requests().len();
        assert_eq!(whoami(&call(&connection, 10)).await.as_ref(), Ok(&first));
        assert_eq!(demo.requests().len(), asked, "it is known");
        assert_eq!(connection.caller().as_deref(), Some(name));
    }
    let nobody = connection_as(&demo.url(), "nobody-at-all", Limits::default());
    let error = whoami(&call(&nobody, 10)).await.expect_err("nobody");
    assert_eq!(error.kind, ErrorKind::Authentication);
}
