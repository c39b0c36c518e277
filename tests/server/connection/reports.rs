//! Faults that people have reported of other servers, each by the number under which we keep it.
//! Reports 3 and 4 are about writes and stand in `runtime/client/tests/sending.rs`.

use super::proxies::{HOST, way};
use super::{Setup, authority, proxy, secured};
use crate::harness::{Server, command, demo, until};
use bb_demo::proxy::ProxyOptions;
use bb_demo::tls::Authority;
use bb_demo::{Demo, Fault};
use serde_json::{Value, json};
use std::io::{Read as _, Write as _};
use std::process::Stdio;
use std::time::Duration;

fn ledger() -> Value {
    json!({"project": "PAY", "repo": "ledger"})
}

/// The answer to a call of a tool with one demo's fault.
fn failure(prepare: impl FnOnce(&Demo)) -> String {
    Setup::failing(prepare).told().0
}

fn refusal(status: u16, exception: &str, message: &str) -> impl FnOnce(&Demo) {
    let body =
        json!({"errors": [{"context": null, "message": message, "exceptionName": exception}]});
    move |demo| {
        let kind = ("Content-Type".to_owned(), "application/json".to_owned());
        demo.answer_with("/branches", status, vec![kind], body.to_string().into_bytes());
    }
}

#[test]
fn report_15_the_server_goes_with_its_client_idle_or_in_a_call() {
    for busy in [false, true] {
        let demo = demo();
        demo.hold("/branches");
        let mut server = Server::ready(&demo, &[]);
        if busy {
            server.send("tools/call", json!({"name": "list_branches", "arguments": ledger()}));
            until("the request", || demo.in_flight() == 1);
        }
        server.end_input();
        until("the end of the server", || server.is_gone());
        until("the end of its requests", || demo.in_flight() == 0);
        assert_eq!(server.finish().0.code(), Some(0));
    }
}

#[test]
fn report_16_a_client_that_does_not_read_any_more_ends_the_server_quietly() {
    let demo = demo();
    let mut command = command();
    command.args(["ai", "mcp", "serve"]).env("BITBUCKET_URL", demo.url());
    command.env("BITBUCKET_TOKEN", bb_demo::TOKEN);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the binary starts");
    let mut input = child.stdin.take().expect("a pipe");
    drop(child.stdout.take());
    let line = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#;
    input.write_all(format!("{line}\n").as_bytes()).expect("the server reads");
    // Its input stays open, and still it goes.
    until("the end of the server", || child.try_wait().expect("a status").is_some());
    assert_eq!(child.wait().expect("a status").code(), Some(0));
    let mut errors = String::new();
    child.stderr.take().expect("a pipe").read_to_string(&mut errors).expect("UTF-8");
    assert_eq!(errors, "");
    drop(input);
}

#[test]
fn report_16_a_client_that_stops_reading_after_its_greeting_ends_the_server() {
    let demo = demo();
    let mut server = Server::ready(&demo, &[]);
    server.close_output();
    for id in 0..3 {
        // The second and the third may meet a pipe that is closed on the other side already.
        server.try_write(&format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#));
    }
    until("the end of the server", || server.is_gone());
    assert_eq!(server.finish().0.code(), Some(0));
}

#[cfg(unix)]
#[test]
fn report_16_a_closed_standard_error_is_no_failure() {
    let demo = demo();
    demo.fail("/branches", Fault::Status { status: 404, retry_after: None }, None);
    let mut command = std::process::Command::new("sh");
    command.args(["-c", "exec \"$0\" ai mcp serve --log-level debug 2>&-"]);
    command.arg(env!("CARGO_BIN_EXE_bb"));
    command.env("BITBUCKET_URL", demo.url()).env("BITBUCKET_TOKEN", bb_demo::TOKEN);
    let mut server = Server::spawn(command);
    server.handshake();
    server.failure("list_branches", ledger());
    // And one that nobody reads any more.
    let mut server = Server::start(&demo, &["--log-level", "debug"]);
    server.close_errors();
    server.handshake();
    for _ in 0..3 {
        server.failure("list_branches", ledger());
    }
    assert_eq!(server.finish().0.code(), Some(0));
}

#[test]
fn report_16_a_standard_error_that_nobody_drains_stops_nothing() {
    let demo = demo();
    demo.fail("/branches", Fault::Status { status: 500, retry_after: None }, None);
    // Nobody reads it until the end; a pipe holds 64 KiB.
    let mut server = Server::ready(&demo, &["--log-level", "debug"]);
    for _ in 0..1500 {
        server.failure("list_branches", ledger());
    }
    assert!(server.request("ping", json!({}))["result"].is_object());
    server.end_input();
    until("the end of the server", || server.is_gone());
}

#[test]
fn report_33_a_private_authority_is_named_with_the_setting_that_helps() {
    let own = authority();
    let setup = Setup::demo(secured(own.server(&["localhost"]), None));
    let (text, log) = setup.told();
    assert!(text.contains("“Acme Root CA”"), "{text}");
    assert!(log.contains("“Acme Root CA”") && log.contains("BB_CA_FILE"), "{log}");
    for both in [false, true] {
        let setup = Setup::demo(secured(own.server(&["localhost"]), None));
        let setup = if both { setup.file("SSL_CERT_FILE", &own.pem()) } else { setup };
        setup.file("BB_CA_FILE", &own.pem()).succeeds();
    }
}

#[test]
fn report_34_no_credential_follows_a_redirect_to_another_host() {
    let (demo, elsewhere) = (demo(), demo());
    for status in [301, 302, 303, 307, 308] {
        let location =
            format!("{}/rest/api/latest/projects/PAY/repos/ledger/branches", elsewhere.url());
        demo.heal();
        demo.fail("/branches", Fault::Redirect { status, location }, None);
        let mut server = Server::ready(&demo, &[]);
        let text = server.failure("list_branches", ledger());
        assert!(text.starts_with("the answer is a redirect to "), "{text}");
    }
    assert_eq!(elsewhere.requests(), []);
    // Each way to sign in through proxy, certificate and authority: `proxies.rs`. Here, that the
    // settings reach a request that is no JSON either.
    let (own, clients) = (authority(), Authority::new("Acme Clients"));
    let demo = secured(own.server(&[HOST]), Some(clients.pem()));
    let proxy = proxy(ProxyOptions { map: way(&demo), ..ProxyOptions::default() });
    let setup = Setup::new(&format!("https://{HOST}"))
        .file("BB_CA_FILE", &own.pem())
        .showing(&clients.client("bb"))
        .with("HTTPS_PROXY", &proxy.url());
    let diff =
        setup.serve().call("get_pr_diff", json!({"project": "PAY", "repo": "ledger", "id": 1}));
    assert_eq!(diff["isError"], false, "{diff}");
}

#[test]
fn report_35_each_refusal_says_what_it_is() {
    let text = failure(refusal(401, "", "Authentication failed."));
    assert!(text.starts_with("Authentication failed. (HTTP 401)"), "{text}");
    let setup = Setup::demo(demo()).with("BITBUCKET_TOKEN", "expired-token-1");
    let mut stranger = setup.serve();
    let text = stranger.failure("list_branches", ledger());
    assert!(text.contains("HTTP 401") && text.ends_with("a valid token"), "{text}");
    let text = failure(refusal(403, "", "You may not."));
    assert!(text.starts_with("You may not. (HTTP 403)") && text.contains("permission"), "{text}");
    let text = failure(refusal(404, "a.NoSuchProjectException", "Project PAY does not exist."));
    assert!(text.starts_with("Project PAY does not exist. (HTTP 404)"), "{text}");
    assert!(text.contains("may not see"), "missing and invisible look the same: {text}");
    let page = b"<html><title>Oops \xe2\x80\x93 Bitbucket</title><body>token=s3cret</body></html>";
    let text = failure(|demo| {
        demo.answer_with(
            "/branches",
            404,
            vec![("Content-Type".into(), "text/html".into())],
            page.to_vec(),
        );
    });
    assert!(text.contains("“Oops – Bitbucket”") && !text.contains("s3cret"), "{text}");
    let (code, text) = Setup::new("https://api.bitbucket.org/2.0").refused();
    assert!(code == Some(2) && text.contains("Bitbucket Cloud"), "{text}");
    // A page's address is understood.
    let demo = demo();
    let page = format!("{}/projects/PAY/repos/ledger/pull-requests/1/overview?x=1", demo.url());
    Setup::new(&page).keeping(demo).succeeds();
}

#[test]
fn report_36_rate_limits_and_slow_answers_are_waited_for_within_bounds() {
    for fault in [
        Fault::Status { status: 429, retry_after: Some(1) },
        Fault::Status { status: 429, retry_after: None },
        Fault::StatusUntil { status: 429, wait: Duration::from_secs(1) },
    ] {
        Setup::failing(|demo| demo.fail("/branches", fault, Some(1))).succeeds();
    }
    let demo = demo();
    demo.fail("/branches", Fault::Status { status: 429, retry_after: Some(3600) }, None);
    let mut server = Server::ready(&demo, &[]);
    let text = server.failure("list_branches", ledger());
    assert!(text.contains("asks to wait 3600 s"), "{text}");
    assert_eq!(demo.requests().len(), 1);
    // The limit of a call can be set, and what is slower than the pieces of a body may be is not
    // given up while its head is awaited.
    Setup::failing(|demo| demo.fail("/branches", Fault::Delay(Duration::from_secs(2)), None))
        .with("BB_REQUEST_TIMEOUT", "30")
        .succeeds();
    let (text, _) =
        Setup::failing(|demo| demo.fail("/branches", Fault::Delay(Duration::from_secs(2)), None))
            .with("BB_REQUEST_TIMEOUT", "1")
            .told();
    assert!(text.starts_with("Bitbucket took too long"), "{text}");
}

/// Every path may be that of a changed file: there are more changes than the listing holds.
fn any_path(demo: &Demo) {
    let kind = ("Content-Type".to_owned(), "application/json".to_owned());
    demo.answer_with("/changes", 200, vec![kind], br#"{"values":[],"isLastPage":false}"#.to_vec());
}

/// The paths that were asked for below a repository's pull request.
fn asked(demo: &Demo) -> Vec<String> {
    demo.requests().into_iter().map(|request| request.path).collect()
}

#[test]
fn report_37_paths_and_keys_arrive_as_they_were_meant() {
    let demo = demo();
    any_path(&demo);
    let mut server = Server::ready(&demo, &[]);
    for (path, wire) in [
        ("docs/a b/#07 é/файл.md", "docs/a%20b/%2307%20%C3%A9/%D1%84%D0%B0%D0%B9%D0%BB.md"),
        ("%41.txt", "%2541.txt"),
        ("a?b+c.rs", "a%3Fb+c.rs"),
    ] {
        demo.clear_requests();
        server.call(
            "get_pr_diff",
            json!({"project": "PAY", "repo": "ledger", "id": 1, "path": path}),
        );
        let asked = asked(&demo);
        assert!(asked.iter().any(|path| path.ends_with(&format!("/diff/{wire}"))), "{asked:?}");
    }
    demo.clear_requests();
    for path in ["..\\x", "a//b", "../b", "a/../../b", "a/./b", "/etc"] {
        let result = server.call(
            "get_pr_diff",
            json!({"project": "PAY", "repo": "ledger", "id": 1, "path": path}),
        );
        assert_eq!(result["isError"], true, "{path}: {result}");
    }
    assert!(asked(&demo).iter().all(|path| !path.contains("/diff/")), "{:?}", asked(&demo));
    // Keys are compared without case, and sent as the scope spells them.
    let mut scoped = Server::ready(&demo, &["--project", "PAY"]);
    demo.clear_requests();
    scoped.data("list_branches", json!({"project": "pay", "repo": "Ledger"}));
    let asked = asked(&demo);
    assert!(asked.iter().all(|path| path.contains("/projects/PAY/")), "{asked:?}");
    let personal = format!("~{}", bb_demo::USER);
    let text = scoped.failure("list_branches", json!({"project": personal, "repo": "notes"}));
    assert!(text.contains("scope") || text.contains("confined"), "{text}");
    demo.clear_requests();
    for project in ["%2e%2e", "..", "PAY/../OPS"] {
        scoped.failure("list_branches", json!({"project": project, "repo": "ledger"}));
        server.failure("list_branches", json!({"project": project, "repo": "ledger"}));
    }
    assert_eq!(self::asked(&demo), [""; 0]);
    server.call("list_branches", json!({"project": personal, "repo": "notes"}));
    let asked = self::asked(&demo);
    assert!(
        asked[0].contains(&format!("/projects/{personal}/")) || asked[0].contains("/projects/%7E"),
        "{asked:?}"
    );
}

#[test]
fn report_m1_a_path_is_not_cut_at_a_mark_of_urls() {
    let demo = demo();
    any_path(&demo);
    let mut server = Server::ready(&demo, &[]);
    for (path, wire) in [("src/a#1.rs", "/src/a%231.rs"), ("src/a?1.rs", "/src/a%3F1.rs")] {
        demo.clear_requests();
        server.call(
            "get_pr_diff",
            json!({"project": "PAY", "repo": "ledger", "id": 1, "path": path}),
        );
        let requests = demo.requests();
        let diffs: Vec<_> =
            requests.iter().filter(|request| request.path.contains("/diff/")).collect();
        assert!(!diffs.is_empty() && diffs.iter().all(|request| request.path.ends_with(wire)));
        assert!(diffs.iter().all(|request| !request.query.contains("1.rs")));
    }
}

#[test]
fn report_m3_no_log_holds_the_token_whatever_fails() {
    for fault in [
        Fault::Status { status: 500, retry_after: None },
        Fault::Echo { status: 400, json: true },
        Fault::Echo { status: 502, json: false },
        Fault::Malformed,
        Fault::CutAt(3),
        Fault::Login { redirect: true },
    ] {
        let setup =
            Setup::failing(|demo| demo.fail("", fault, None)).flag("--log-level").flag("debug");
        // The harness searches both; here, that there is a log to be searched.
        let (_, log) = setup.told();
        assert!(log.contains("/branches: "), "{log}");
        assert!(!log.to_lowercase().contains("authorization: bearer"), "{log}");
        assert!(!log.contains("pageSize") && !log.contains("displayId"), "no bodies: {log}");
    }
}

#[test]
fn report_m4_a_failure_is_never_flagged_as_success() {
    for (status, body) in [
        (200, &br#"{"errors":[{"message":"no"}"#[..]),
        (200, br#"{"errors":[{"message":"no"}]}"#),
        (200, b""),
        (200, b"null"),
        (204, b""),
        (400, b"{}"),
        (418, b"short and stout"),
        (500, b""),
    ] {
        let demo = demo();
        let kind = ("Content-Type".to_owned(), "application/json".to_owned());
        demo.answer_with("/branches", status, vec![kind], body.to_vec());
        let mut server = Server::ready(&demo, &[]);
        let answer =
            server.request("tools/call", json!({"name": "list_branches", "arguments": ledger()}));
        assert!(answer["error"].is_null(), "a failure is the tool's: {answer}");
        assert_eq!(answer["result"]["isError"], true, "{status}: {answer}");
        let text = answer["result"]["content"][0]["text"].as_str().expect("a text");
        assert!(text.len() > 10, "{text}");
    }
}

#[test]
fn report_m10_no_file_is_written_that_nobody_named() {
    let home = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join(format!("home-{}", std::process::id()));
    std::fs::create_dir_all(&home).expect("a folder");
    let demo = demo();
    let mut command = command();
    command.args(["ai", "mcp", "serve", "--log-level", "debug"]).current_dir(&home);
    command.env("BITBUCKET_URL", demo.url()).env("BITBUCKET_TOKEN", bb_demo::TOKEN);
    for name in ["HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "TMPDIR"] {
        command.env(name, &home);
    }
    let mut server = Server::spawn(command);
    server.handshake();
    server.data("list_branches", ledger());
    demo.hold("/tags");
    server.send("tools/call", json!({"name": "list_tags", "arguments": ledger()}));
    until("the request", || demo.in_flight() == 1);
    let (status, _, _) = server.finish();
    assert_eq!(status.code(), Some(0));
    let left: Vec<_> = std::fs::read_dir(&home).expect("a folder").collect();
    assert!(left.is_empty(), "{left:?}");
    std::fs::remove_dir(&home).expect("an empty folder");
}
