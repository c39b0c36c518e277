//! What arrives on standard input, line by line, and what each line gets.

use crate::harness::{Server, demo};
use serde_json::{Value, json};

/// Everything that may stand in a request's `_meta` in the newest revision.
fn modern() -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": {"name": "tests", "version": "1"},
    })
}

/// A line, and the code and id of its answer; `None` when it gets none.
type Row = (&'static str, Vec<u8>, Option<(i64, Value)>);

fn table() -> Vec<Row> {
    let text = |text: &str| text.as_bytes().to_vec();
    let too_long = format!(
        r#"{{"jsonrpc":"2.0","id":41,"method":"ping","params":{{"x":"{}"}}}}"#,
        "x".repeat(4 << 20)
    );
    let too_long_late = format!(
        r#"{{"jsonrpc":"2.0","method":"ping","params":{{"x":"{}"}},"id":42}}"#,
        "x".repeat(4 << 20)
    );
    vec![
        ("not JSON", text("hello"), Some((-32700, Value::Null))),
        ("invalid UTF-8", vec![b'{', 0xff, 0xfe, b'}'], Some((-32700, Value::Null))),
        ("an empty object", text("{}"), Some((-32600, Value::Null))),
        ("a number", text("7"), Some((-32600, Value::Null))),
        (
            "a batch",
            text(r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#),
            Some((-32600, Value::Null)),
        ),
        ("no jsonrpc", text(r#"{"id":43,"method":"ping"}"#), Some((-32600, json!(43)))),
        (
            "another jsonrpc",
            text(r#"{"jsonrpc":"1.0","id":"a","method":"ping"}"#),
            Some((-32600, json!("a"))),
        ),
        ("no method", text(r#"{"jsonrpc":"2.0","id":44}"#), Some((-32600, json!(44)))),
        (
            "an id that is null",
            text(r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#),
            Some((-32600, Value::Null)),
        ),
        ("longer than the cap, id first", text(&too_long), Some((-32600, json!(41)))),
        ("longer than the cap, id last", text(&too_long_late), Some((-32600, Value::Null))),
        ("a blank line", text("   \t"), None),
        (
            "an unknown notification",
            text(r#"{"jsonrpc":"2.0","method":"notifications/strange"}"#),
            None,
        ),
        (
            "a notification with bad members",
            text(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":7}"#),
            None,
        ),
        (
            "a cancellation of nothing",
            text(
                r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":999}}"#,
            ),
            None,
        ),
        ("an answer to nothing", text(r#"{"jsonrpc":"2.0","id":999,"result":{}}"#), None),
        (
            "an unknown method",
            text(r#"{"jsonrpc":"2.0","id":45,"method":"strange/one","params":{}}"#),
            Some((-32601, json!(45))),
        ),
        (
            "arguments that are a text",
            text(
                r#"{"jsonrpc":"2.0","id":46,"method":"tools/call","params":{"name":"list_tags","arguments":"x"}}"#,
            ),
            Some((-32602, json!(46))),
        ),
        (
            "arguments that are a list",
            text(
                r#"{"jsonrpc":"2.0","id":47,"method":"tools/call","params":{"name":"list_tags","arguments":[]}}"#,
            ),
            Some((-32602, json!(47))),
        ),
        (
            "a call without a name",
            text(r#"{"jsonrpc":"2.0","id":48,"method":"tools/call","params":{"arguments":{}}}"#),
            Some((-32602, json!(48))),
        ),
        (
            "a name that is a number",
            text(r#"{"jsonrpc":"2.0","id":49,"method":"tools/call","params":{"name":7}}"#),
            Some((-32602, json!(49))),
        ),
        (
            "a call without parameters",
            text(r#"{"jsonrpc":"2.0","id":50,"method":"tools/call"}"#),
            Some((-32602, json!(50))),
        ),
        (
            "an unknown tool",
            text(r#"{"jsonrpc":"2.0","id":51,"method":"tools/call","params":{"name":"nope"}}"#),
            Some((-32602, json!(51))),
        ),
        (
            "a list with a cursor",
            text(r#"{"jsonrpc":"2.0","id":52,"method":"tools/list","params":{"cursor":"x"}}"#),
            Some((-32602, json!(52))),
        ),
        (
            "a resource there is not",
            text(r#"{"jsonrpc":"2.0","id":53,"method":"resources/read","params":{"uri":"x://y"}}"#),
            Some((-32002, json!(53))),
        ),
        (
            "prompts, which there are none of",
            text(r#"{"jsonrpc":"2.0","id":54,"method":"prompts/get","params":{"name":"x"}}"#),
            Some((-32601, json!(54))),
        ),
        (
            "completions, which there are none of",
            text(
                r#"{"jsonrpc":"2.0","id":55,"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"x"},"argument":{"name":"a","value":"b"}}}"#,
            ),
            Some((-32601, json!(55))),
        ),
    ]
}

#[test]
fn every_line_gets_its_answer_and_none_ends_the_server() {
    let demo = demo();
    let mut server = Server::ready(&demo, &[]);
    for (what, line, expected) in table() {
        server.write_bytes(&line);
        server.write_bytes(b"\n");
        if let Some((code, id)) = expected {
            let answer = server.read();
            assert_eq!(
                (&answer["error"]["code"], &answer["id"]),
                (&json!(code), &id),
                "{what}: {answer}"
            );
            assert!(
                answer["error"]["message"].as_str().is_some_and(|message| message.len() > 3),
                "{what}: {answer}"
            );
        }
        // The next answer is the next request's, so a line without an answer has had none.
        assert!(server.request("ping", json!({}))["result"].is_object(), "{what}");
    }
    let (status, rest, errors) = server.finish();
    assert_eq!((status.code(), rest.as_str()), (Some(0), ""), "{errors}");
}

#[test]
fn the_same_lines_before_any_handshake_do_not_end_the_server_either() {
    let demo = demo();
    let mut server = Server::start(&demo, &[]);
    for (what, line, expected) in table() {
        // Requests of the protocol before a handshake are another matter: see below.
        let is_request =
            expected.as_ref().is_some_and(|(code, _)| matches!(code, -32601 | -32602 | -32002));
        if is_request {
            continue;
        }
        server.write_bytes(&line);
        server.write_bytes(b"\n");
        if let Some((code, id)) = expected {
            let answer = server.read();
            assert_eq!(
                (&answer["error"]["code"], &answer["id"]),
                (&json!(code), &id),
                "{what}: {answer}"
            );
        }
    }
    assert_eq!(server.handshake()["result"]["protocolVersion"], "2025-11-25");
    assert_eq!(server.tools().len(), 9);
}

#[test]
fn a_request_before_the_handshake_is_refused_and_the_server_lives() {
    let demo = demo();
    let mut server = Server::start(&demo, &[]);
    assert!(server.request("tools/list", json!({}))["error"]["code"].is_i64());
    assert_eq!(server.handshake()["result"]["protocolVersion"], "2025-11-25");
    assert_eq!(server.tools().len(), 9);
}

#[test]
fn line_ends_byte_order_marks_and_spaces_are_taken() {
    let demo = demo();
    let mut server = Server::ready(&demo, &[]);
    for line in [
        &b"\xef\xbb\xbf{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n"[..],
        &b"  {\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}  \r\n"[..],
    ] {
        server.write_bytes(line);
        assert!(server.read()["result"].is_object());
    }
    // A message may arrive in pieces.
    server.write_bytes(b"{\"jsonrpc\":\"2.0\",\"id\":3,");
    std::thread::sleep(std::time::Duration::from_millis(20));
    server.write_bytes(b"\"method\":\"ping\"}\n");
    assert_eq!(server.read()["id"], 3);
}

#[test]
fn a_message_of_nearly_the_cap_is_taken() {
    let demo = demo();
    let mut server = Server::ready(&demo, &[]);
    let long = "x".repeat((4 << 20) - 400);
    let result =
        server.call("list_branches", json!({"project": "PAY", "repo": "ledger", "filter": long}));
    let text = result["content"][0]["text"].as_str().expect("a text");
    assert!(text.contains("characters; give at most 200") && text.len() < 300, "{text}");
}

#[test]
fn every_revision_with_a_handshake_is_spoken() {
    let demo = demo();
    for (asked, given) in [
        ("2024-11-05", "2024-11-05"),
        ("2025-03-26", "2025-03-26"),
        ("2025-06-18", "2025-06-18"),
        ("2025-11-25", "2025-11-25"),
        ("2024-10-07", "2025-11-25"),
        ("2099-01-01", "2025-11-25"),
    ] {
        let mut server = Server::start(&demo, &[]);
        let answer = server.request("initialize", json!({"protocolVersion": asked, "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}));
        assert_eq!(answer["result"]["protocolVersion"], given, "{asked}");
        let extensions =
            json!({"io.modelcontextprotocol/ui": {"mimeTypes": ["text/html;profile=mcp-app"]}});
        let capabilities = json!({"extensions": extensions, "resources": {}, "tools": {}});
        assert_eq!(answer["result"]["capabilities"], capabilities);
        assert_eq!(answer["result"]["serverInfo"]["name"], "bb");
        server.write(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string());
        let listed = server.request("tools/list", json!({}));
        assert!(
            listed["result"].get("ttlMs").is_none() && listed["result"].get("_meta").is_none(),
            "nothing of a later revision"
        );
        assert!(
            server.call("list_tags", json!({"project": "PAY", "repo": "ledger"}))["_meta"]
                .is_null()
        );
    }
}

#[test]
fn the_revision_without_a_handshake_is_spoken() {
    let demo = demo();
    let mut server = Server::start(&demo, &[]);
    let discovered = server.request("server/discover", json!({"_meta": modern()}));
    let versions = discovered["result"]["supportedVersions"].as_array().expect("versions");
    assert!(
        versions.contains(&json!("2026-07-28")) && versions.contains(&json!("2024-11-05")),
        "{discovered}"
    );
    assert_eq!(discovered["result"]["cacheScope"], "private");
    let listed = server.request("tools/list", json!({"_meta": modern()}));
    assert_eq!(
        (&listed["result"]["cacheScope"], &listed["result"]["resultType"]),
        (&json!("private"), &json!("complete"))
    );
    assert!(listed["result"]["ttlMs"].as_i64().is_some_and(|ttl| ttl > 0));
    let called = server.request(
        "tools/call",
        json!({"_meta": modern(), "name": "list_tags", "arguments": {"project": "PAY", "repo": "ledger", "limit": 1}}),
    );
    assert_eq!(called["result"]["structuredContent"]["tags"].as_array().map(Vec::len), Some(1));
    assert_eq!(called["result"]["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "bb");
    let mut unknown = modern();
    unknown["io.modelcontextprotocol/protocolVersion"] = json!("2099-01-01");
    assert_eq!(server.request("tools/list", json!({"_meta": unknown}))["error"]["code"], -32022);
}

#[test]
fn the_list_is_the_same_each_time() {
    let demo = demo();
    let mut server = Server::ready(&demo, &[]);
    let first = server.tools();
    assert_eq!(first, server.tools());
    let mut names: Vec<&str> =
        first.iter().map(|entry| entry["name"].as_str().expect("a name")).collect();
    names.sort_unstable();
    assert!(first.iter().map(|entry| &entry["name"]).eq(names.iter()));
}

#[test]
fn a_flood_is_answered_whole() {
    let demo = demo();
    let mut server = Server::ready(&demo, &[]);
    let ids: Vec<i64> = (0..500).map(|_| server.send("ping", json!({}))).collect();
    let mut answered: Vec<i64> =
        ids.iter().map(|_| server.read()["id"].as_i64().expect("an id")).collect();
    answered.sort_unstable();
    assert_eq!(answered, ids);
}
