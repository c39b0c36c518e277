//! Answers as networks give them, through the whole server.

use crate::harness::{Server, demo};
use serde_json::json;

const BRANCHES: &str = "/repos/ledger/branches";

fn headers(kind: &str) -> Vec<(String, String)> {
    vec![("Content-Type".to_owned(), kind.to_owned())]
}

/// Calls `list_branches` with Bitbucket answering this.
fn failure(status: u16, headers: Vec<(String, String)>, body: &[u8]) -> String {
    let demo = demo();
    demo.answer_with(BRANCHES, status, headers, body.to_vec());
    let mut server = Server::ready(&demo, &[]);
    server.failure("list_branches", json!({"project": "PAY", "repo": "ledger"}))
}

#[test]
fn pages_instead_of_json_are_told_by_their_title() {
    let page = b"<!doctype html><html><head><title>Sign in \xe2\x80\x93 Corp SSO</title></head><body>token=abc</body></html>";
    assert_eq!(
        failure(200, headers("text/html;charset=UTF-8"), page),
        "the answer is not from Bitbucket's API: a page titled “Sign in – Corp SSO” (HTTP 200): \
         the operator has to check the address and any sign-on page before it"
    );
    assert_eq!(
        failure(502, headers("text/html"), b"<title>502 Bad Gateway</title>"),
        "the answer is a page titled “502 Bad Gateway” (HTTP 502): try again later; if it stays so, the operator has to look"
    );
}

#[test]
fn redirects_elsewhere_are_not_followed() {
    let to = |place: &str| vec![("Location".to_owned(), place.to_owned())];
    for place in [
        "https://sso.example.com/login?next=secret",
        "/login?os_destination=secret",
        "//evil.example/rest",
        "/rest/api/latest/projects/PAY/repos/ledger/tags",
    ] {
        let text = failure(302, to(place), b"");
        assert!(
            text.starts_with("the answer is a redirect to ") && !text.contains("secret"),
            "{text}"
        );
    }
    assert!(failure(302, Vec::new(), b"").contains("redirect to nowhere"));
}

#[test]
fn a_redirect_that_goes_on_is_given_up() {
    let place = vec![(
        "Location".to_owned(),
        "/rest/api/latest/projects/PAY/repos/ledger/branches?again".to_owned(),
    )];
    assert!(failure(307, place, b"").contains(
        "/rest/api/latest/projects/PAY/repos/ledger/branches instead of Bitbucket's API"
    ));
}

#[test]
fn an_answer_larger_than_the_cap_is_given_up() {
    let mut body = b"{\"values\":[{\"displayId\":\"".to_vec();
    body.resize(17 << 20, b'x');
    body.extend_from_slice(b"\"}]}");
    let text = failure(200, headers("application/json"), &body);
    assert_eq!(
        text,
        "the answer is larger than the 16 MiB this server reads: change what is asked for"
    );
}

#[test]
fn broken_json_is_told_without_its_content() {
    for body in [
        &b"{\"values\":[{\"displayId\":\"secret"[..],
        b"[]",
        b"{\"values\":[{\"displayId\":{\"secret\":1}}]}",
        b"\"secret\"",
    ] {
        let text = failure(200, headers("application/json"), body);
        assert!(text.starts_with("Bitbucket's answer is not of the shape its API has"), "{text}");
        assert!(!text.contains("secret"), "{text}");
    }
}

#[test]
fn bitbuckets_own_errors_are_told_with_what_to_do() {
    let demo = demo();
    let mut server = Server::ready(&demo, &[]);
    let text = server.failure("list_branches", json!({"project": "NOPE", "repo": "ledger"}));
    assert!(
        text.contains("NOPE") && text.contains("HTTP 404") && text.ends_with("not found either"),
        "{text}"
    );
    let text = server.failure(
        "list_commits",
        json!({"project": "PAY", "repo": "ledger", "until": "no-such-ref"}),
    );
    assert!(text.contains("no-such-ref") && text.contains("HTTP 404"), "{text}");
    let mut stranger = Server::start_with(&demo, &[], &[("BITBUCKET_TOKEN", "another")]);
    stranger.handshake();
    let text = stranger.failure("list_branches", json!({"project": "PAY", "repo": "ledger"}));
    assert!(
        text.contains("HTTP 401")
            && text.ends_with("the operator has to give this server a valid token"),
        "{text}"
    );
    assert!(!text.contains("another"));
}

#[test]
fn a_server_that_is_not_there_is_told() {
    let demo = demo();
    let mut server = Server::start_with(&demo, &[], &[("BITBUCKET_URL", "http://127.0.0.1:9")]);
    server.handshake();
    let text = server.failure("list_branches", json!({"project": "PAY", "repo": "ledger"}));
    assert_eq!(
        text,
        "Bitbucket cannot be reached: 127.0.0.1 takes no connection: try again later; if it stays so, the operator has to look"
    );
}

#[test]
fn every_request_carries_what_bitbucket_wants_and_nothing_else_of_ours() {
    let demo = demo();
    let mut server = Server::ready(&demo, &[]);
    server.data("list_branches", json!({"project": "PAY", "repo": "ledger"}));
    server.call("get_pr_diff", json!({"project": "PAY", "repo": "ledger", "id": 1}));
    let requests = demo.requests();
    let header = |index: usize, name: &str| {
        requests[index]
            .headers
            .iter()
            .find(|(key, _)| key == name)
            .map(|(_, value)| value.clone())
            .unwrap_or_default()
    };
    assert_eq!(requests.len(), 2);
    assert_eq!(
        (header(0, "accept"), header(1, "accept")),
        ("application/json".to_owned(), "text/plain".to_owned())
    );
    for index in 0..2 {
        assert_eq!(header(index, "authorization"), "(Bearer)");
        assert!(
            header(index, "user-agent").starts_with("bb/")
                && header(index, "user-agent").ends_with(" mcp")
        );
        assert_eq!(header(index, "api-version"), "", "progenitor's own header is taken out");
        assert_eq!(header(index, "cookie"), "");
    }
    assert!(
        requests[0].query.contains("limit=25")
            && requests[0].query.contains("orderBy=MODIFICATION"),
        "{}",
        requests[0].query
    );
}

#[test]
fn proxy_variables_do_not_take_a_loopback_server_away() {
    let demo = demo();
    let mut server = Server::start_with(
        &demo,
        &[],
        &[("HTTP_PROXY", "http://127.0.0.1:9"), ("http_proxy", "http://127.0.0.1:9")],
    );
    server.handshake();
    server.data("list_branches", json!({"project": "PAY", "repo": "ledger"}));
}
