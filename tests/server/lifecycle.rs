//! How calls and the server end.

use crate::harness::{Server, demo, until};
use bb_demo::Demo;
use serde_json::json;
use std::time::{Duration, Instant};

/// A server with one call that Bitbucket never answers.
fn held(demo: &Demo) -> (Server, i64) {
    demo.hold("/branches");
    let mut server = Server::ready(demo, &[]);
    let id = server.send(
        "tools/call",
        json!({"name": "list_branches", "arguments": {"project": "PAY", "repo": "ledger"}}),
    );
    until("the request", || demo.in_flight() == 1);
    (server, id)
}

#[test]
fn a_cancelled_call_drops_its_request() {
    let demo = demo();
    let (mut server, id) = held(&demo);
    server.write(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id, "reason": "enough"}}).to_string());
    until("the end of the request", || demo.in_flight() == 0);
    // The cancelled call gets no answer; the next one does.
    assert!(server.request("ping", json!({}))["result"].is_object());
}

#[test]
fn other_calls_go_on_while_one_waits() {
    let demo = demo();
    let (mut server, _) = held(&demo);
    let answer = server.data("list_tags", json!({"project": "PAY", "repo": "ledger", "limit": 1}));
    assert_eq!(answer["tags"].as_array().map(Vec::len), Some(1));
    assert_eq!(demo.in_flight(), 1);
}

#[test]
fn the_end_of_input_ends_an_idle_server_with_0() {
    let demo = demo();
    for begun in [false, true] {
        let mut server = Server::start(&demo, &[]);
        if begun {
            server.handshake();
        }
        let (status, rest, errors) = server.finish();
        assert_eq!((status.code(), rest.as_str(), errors.as_str()), (Some(0), "", ""));
    }
}

#[test]
fn the_end_of_input_ends_a_server_with_a_slow_call_in_flight() {
    let demo = demo();
    let (mut server, _) = held(&demo);
    server.end_input();
    // rmcp alone would wait five seconds for the call; the bound here is far from both.
    let begun = Instant::now();
    while !server.is_gone() {
        assert!(begun.elapsed() < Duration::from_secs(4), "the server waits for its call");
        std::thread::sleep(Duration::from_millis(5));
    }
    until("the end of the request", || demo.in_flight() == 0);
    let (status, rest, _) = server.finish();
    assert_eq!((status.code(), rest.as_str()), (Some(0), ""));
}

#[test]
fn a_call_that_ends_in_time_is_answered_after_the_end_of_input() {
    let demo = demo();
    let mut server = Server::ready(&demo, &[]);
    server.send(
        "tools/call",
        json!({"name": "list_tags", "arguments": {"project": "PAY", "repo": "ledger", "limit": 1}}),
    );
    let (status, rest, _) = server.finish();
    assert_eq!(status.code(), Some(0));
    assert!(rest.contains("structuredContent"), "{rest}");
}

#[test]
fn a_call_ends_at_its_deadline() {
    let demo = demo();
    demo.hold("/branches");
    let mut server = Server::start_with(&demo, &[], &[("BB_REQUEST_TIMEOUT", "1")]);
    server.handshake();
    let text = server.failure("list_branches", json!({"project": "PAY", "repo": "ledger"}));
    assert_eq!(
        text,
        "Bitbucket took too long to answer: try again later; if it stays so, the operator has to look"
    );
    until("the end of the request", || demo.in_flight() == 0);
}

#[cfg(unix)]
#[test]
fn a_signal_ends_the_server_with_0() {
    let demo = demo();
    for signal in ["TERM", "INT"] {
        demo.hold("/branches");
        let (mut server, _) = held(&demo);
        let status = std::process::Command::new("kill")
            .args([format!("-{signal}"), server.id().to_string()])
            .status();
        assert!(status.expect("kill runs").success());
        until("the end of the server", || server.is_gone());
        let (status, rest, _) = server.finish();
        assert_eq!((status.code(), rest.as_str()), (Some(0), ""), "{signal}");
    }
}

#[test]
fn nothing_is_asked_of_bitbucket_before_the_first_call() {
    let demo = demo();
    let mut server = Server::ready(&demo, &["--project", "PAY"]);
    server.tools();
    server.request("ping", json!({}));
    server.failure("list_branches", json!({}));
    assert_eq!(demo.requests(), []);
}

#[test]
fn at_most_six_requests_are_in_flight() {
    let demo = demo();
    demo.hold("/branches");
    let mut server = Server::ready(&demo, &[]);
    for _ in 0..12 {
        server.send(
            "tools/call",
            json!({"name": "list_branches", "arguments": {"project": "PAY", "repo": "ledger"}}),
        );
    }
    until("six requests", || demo.in_flight() == 6);
    // The server is alive and has read all of them, and still no more are out.
    assert!(server.request("ping", json!({}))["result"].is_object());
    assert_eq!(demo.in_flight(), 6);
}

#[cfg(target_os = "linux")]
#[test]
fn an_idle_server_takes_no_time_of_the_processor() {
    let demo = demo();
    let mut server = Server::ready(&demo, &[]);
    server.data("list_branches", json!({"project": "PAY", "repo": "ledger"}));
    // Fields 14 and 15, in hundredths of a second, behind a name that may hold blanks.
    let used = |id: u32| -> u64 {
        let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).expect("a process");
        let fields = stat.rsplit_once(')').expect("a name").1.split_whitespace().skip(11).take(2);
        fields.map(|ticks| ticks.parse::<u64>().expect("a number")).sum()
    };
    let before = used(server.id());
    std::thread::sleep(Duration::from_secs(1));
    let after = used(server.id());
    assert!(after - before < 20, "{before} and then {after} hundredths of a second");
}
