//! `show`, `refresh_view` and the page, over the wire.

use crate::harness::{Server, demo, until};
use serde_json::{Value, json};

fn first() -> Value {
    json!({"kind": "pull_request", "project": "PAY", "repo": "ledger", "id": 1})
}

fn envelope(result: &Value) -> &Value {
    &result["_meta"]["bb/view"]
}

#[test]
fn the_model_gets_a_short_text_and_the_view_gets_the_data() {
    let demo = demo();
    let mut server = Server::drawing(&demo, &[]);
    let result = server.call("show", first());
    assert_eq!(result["isError"], false, "{result}");
    assert!(result["structuredContent"].is_null(), "hosts give that to the model");
    let text = result["content"][0]["text"].as_str().expect("a text");
    assert!(
        text.starts_with(
            "Showed the person PAY/ledger#1 as an interactive card: open, 1 of 3 approved"
        ),
        "{text}"
    );
    assert!(
        text.ends_with("If the person sees no view, answer in words.") && text.len() < 300,
        "{text}"
    );
    assert_eq!(result["_meta"]["ui"]["resourceUri"], "ui://bb/view");
    assert_eq!(result["_meta"]["ui/resourceUri"], "ui://bb/view");
    let view = envelope(&result);
    assert_eq!((&view["version"], &view["kind"]), (&json!(1), &json!("pull_request")));
    assert_eq!(view["offers"], json!({"kinds": ["pull_request"], "actions": [], "refresh": true}));
    assert_eq!(view["payload"]["title"], "PAY-412: Retry postings safely with idempotency keys");
    assert_eq!(view["payload"]["build_counts"]["total"], 5);
    let pictures = view["payload"]["avatars"].as_array().expect("pictures");
    assert_eq!(pictures.len(), 4, "the author and three reviewers");
    assert!(pictures.iter().all(|picture| {
        picture["image"].as_str().is_some_and(|uri| uri.starts_with("data:image/png;base64,"))
    }));
    assert!(result.to_string().len() < 100_000);
    let again = server.call("show", first());
    assert_ne!(envelope(&again)["view"], view["view"], "each view has a name of its own");
    assert_eq!(envelope(&again)["fingerprint"], view["fingerprint"]);
}

#[test]
fn the_card_needs_two_round_trips() {
    let demo = demo();
    let mut server = Server::drawing(&demo, &["--project", "PAY"]);
    demo.clear_requests();
    server.call("show", first());
    let requests = demo.requests();
    assert!(requests[0].path.ends_with("/pull-requests/1"), "{requests:?}");
    // Everything else depends on the first answer alone. Hold all of it: every request that is not
    // waiting for another one is then in flight, up to the limit of six.
    demo.hold("/");
    demo.clear_requests();
    server.send("tools/call", json!({"name": "refresh_view", "arguments": first()}));
    until("the request", || demo.in_flight() >= 1);
    assert_eq!(demo.requests().len(), 1, "nothing is asked beside the pull request itself");
    let others = requests.len() - 1;
    assert!((4..=12).contains(&others), "{requests:?}");
}

#[test]
fn what_the_card_needs_beside_the_pull_request_is_asked_side_by_side() {
    let demo = demo();
    let mut server = Server::drawing(&demo, &["--project", "PAY"]);
    // With all but the pull request held, the rest is in flight at once, up to the six that may be.
    for part in ["/pull-requests/1/", "/builds", "/build-status/", "/users/"] {
        demo.hold(part);
    }
    server.send("tools/call", json!({"name": "show", "arguments": first()}));
    until("six requests", || demo.in_flight() >= 6);
}

#[test]
fn an_unchanged_refresh_carries_no_data_and_a_changed_one_carries_all() {
    let demo = demo();
    let mut server = Server::drawing(&demo, &[]);
    let shown = server.call("show", first());
    let mut asked = first();
    asked["since"] = envelope(&shown)["fingerprint"].clone();
    let refreshed = server.call("refresh_view", asked.clone());
    assert_eq!(envelope(&refreshed)["unchanged"], true);
    assert!(
        envelope(&refreshed)["payload"].is_null() && envelope(&refreshed)["read_at"].is_string()
    );
    assert!(refreshed.to_string().len() < 400, "{refreshed}");
    asked["since"] = json!("0".repeat(32));
    let changed = server.call("refresh_view", asked);
    assert_eq!(envelope(&changed)["fingerprint"], envelope(&shown)["fingerprint"]);
    assert_eq!(envelope(&changed)["payload"]["avatars"], envelope(&shown)["payload"]["avatars"]);
    assert!(changed["_meta"]["ui/resourceUri"].is_null(), "no view is opened by a refresh");
    // Without `since` it brings what a host has lost.
    let lost = server.call("refresh_view", first());
    assert_eq!(envelope(&lost)["payload"]["id"], 1);
}

#[test]
fn a_view_names_what_it_misses_and_reads_nothing() {
    let demo = demo();
    let mut server = Server::drawing(&demo, &[]);
    for tool in ["show", "refresh_view"] {
        for (arguments, missing) in [
            (json!({"kind": "pull_request"}), "`project` and `repo` and `id`"),
            (json!({"kind": "pull_request", "project": "PAY"}), "`repo` and `id`"),
            (json!({"kind": "pull_request", "project": "PAY", "repo": "ledger"}), "`id`"),
            (json!({"kind": "pull_request", "project": "PAY", "id": 1}), "`repo`"),
        ] {
            let text = server.failure(tool, arguments);
            assert_eq!(
                text,
                format!("a view of a pull request also needs {missing}; nothing was read")
            );
        }
        assert!(server.failure(tool, json!({"kind": "diff"})).contains("one of pull_request"));
        assert!(server.failure(tool, json!({"project": "PAY"})).contains("/kind: missing"));
    }
    assert_eq!(demo.requests(), []);
}

#[test]
fn a_client_without_views_is_told_and_nothing_is_read() {
    let demo = demo();
    for extension in [None, Some(json!({"mimeTypes": ["text/html"]}))] {
        let mut server = Server::start(&demo, &[]);
        let capabilities = extension.map_or(
            json!({}),
            |value| json!({"extensions": {"io.modelcontextprotocol/ui": value}}),
        );
        server.greet(&capabilities);
        let result = server.call("show", first());
        let text = result["content"][0]["text"].as_str().expect("a text");
        assert!(text.starts_with("Nothing was shown: this client draws no views."), "{text}");
        assert!(result["_meta"].is_null() && result["isError"] == false);
        // Still, a call that is not valid is told so.
        assert!(server.failure("show", json!({"kind": "nothing"})).contains("one of"));
    }
    assert_eq!(demo.requests(), []);
}

#[test]
fn tools_for_views_alone_are_listed_to_clients_that_draw() {
    let demo = demo();
    let names = |tools: Vec<Value>| -> Vec<String> {
        tools.iter().map(|tool| tool["name"].as_str().expect("a name").to_owned()).collect()
    };
    let mut plain = Server::ready(&demo, &[]);
    let mut drawing = Server::drawing(&demo, &[]);
    let (without, with) = (names(plain.tools()), names(drawing.tools()));
    assert!(
        !without.contains(&"refresh_view".to_owned()) && with.contains(&"refresh_view".to_owned())
    );
    assert_eq!(without.len() + 1, with.len());
    // By name it is served to both: only a view calls it.
    assert_eq!(plain.call("refresh_view", first())["isError"], false);
    let listed = drawing.tools();
    let entry =
        |name: &str| listed.iter().find(|tool| tool["name"] == name).expect("an entry").clone();
    assert_eq!(
        entry("show")["_meta"],
        json!({"ui": {"resourceUri": "ui://bb/view"}, "ui/resourceUri": "ui://bb/view"})
    );
    assert_eq!(
        entry("refresh_view")["_meta"],
        json!({"ui": {"resourceUri": "ui://bb/view", "visibility": ["app"]}})
    );
    assert!(entry("get_pull_request")["_meta"].is_null());
    for name in ["show", "refresh_view"] {
        assert!(entry(name)["outputSchema"].is_null());
    }
}

#[test]
fn the_request_itself_may_say_that_its_client_draws() {
    let demo = demo();
    let mut server = Server::start(&demo, &[]);
    let meta = |capabilities: Value| {
        json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": capabilities,
        })
    };
    let drawing = meta(json!({"extensions": {"io.modelcontextprotocol/ui": {}}}));
    let count = |answer: Value| answer["result"]["tools"].as_array().map(Vec::len);
    let with = count(server.request("tools/list", json!({"_meta": drawing})));
    let without = count(server.request("tools/list", json!({"_meta": meta(json!({}))})));
    assert_eq!((with, without), (Some(10), Some(9)));
    let shown = server
        .request("tools/call", json!({"_meta": drawing, "name": "show", "arguments": first()}));
    assert_eq!(shown["result"]["_meta"]["bb/view"]["version"], 1);
    assert_eq!(shown["result"]["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "bb");
}

#[test]
fn the_page_is_one_resource_that_nobody_lists() {
    let demo = demo();
    let mut server = Server::drawing(&demo, &["--project", "PAY"]);
    let read = server.request("resources/read", json!({"uri": "ui://bb/view"}));
    let contents = &read["result"]["contents"][0];
    assert_eq!(
        (&contents["uri"], &contents["mimeType"]),
        (&json!("ui://bb/view"), &json!("text/html;profile=mcp-app"))
    );
    assert_eq!(
        contents["_meta"]["ui"],
        json!({"csp": {"connectDomains": [], "resourceDomains": []}, "prefersBorder": true})
    );
    let page = contents["text"].as_str().expect("a text");
    assert!(page.starts_with("<!doctype html>") && page.len() <= 150_000);
    let mut other = Server::ready(&demo, &[]);
    let again = other.request("resources/read", json!({"uri": "ui://bb/view"}));
    assert_eq!(again["result"]["contents"][0]["text"], page, "the same bytes for everyone");
    for method in ["resources/list", "resources/templates/list"] {
        let listed = server.request(method, json!({}));
        let lists: Vec<usize> = listed["result"]
            .as_object()
            .expect("a result")
            .values()
            .filter_map(Value::as_array)
            .map(Vec::len)
            .collect();
        assert_eq!(lists, [0], "{method}");
    }
    for uri in [
        "ui://bb/view/",
        "ui://bb/View",
        "ui://bb/view?x",
        "bitbucket://projects/PAY",
        "file:///etc/passwd",
        "",
    ] {
        assert_eq!(
            server.request("resources/read", json!({"uri": uri}))["error"]["code"],
            -32002,
            "{uri}"
        );
    }
    assert_eq!(demo.requests(), []);
}

#[test]
fn pictures_that_do_not_come_or_are_none_are_left_out() {
    let demo = demo();
    demo.answer_with(
        "/users/priya.raman/avatar.png",
        200,
        vec![("Content-Type".to_owned(), "image/png".to_owned())],
        b"<svg onload=alert(1)>".to_vec(),
    );
    demo.answer_with("/users/mei.tanaka/avatar.png", 404, Vec::new(), Vec::new());
    demo.hold("/users/jonas.lindqvist/avatar.png");
    let mut server = Server::drawing(&demo, &[]);
    let result = server.call("show", first());
    let pictures = envelope(&result)["payload"]["avatars"].as_array().expect("pictures").clone();
    let names: Vec<&str> =
        pictures.iter().map(|picture| picture["name"].as_str().expect("a name")).collect();
    assert_eq!(names, ["amara.okafor"]);
    assert!(!result.to_string().contains("svg"));
}

#[test]
fn a_card_says_what_it_could_not_read() {
    let demo = demo();
    let route = json!({"message": "HTTP 404 Not Found", "status-code": 404, "sub-code": -1})
        .to_string()
        .into_bytes();
    let json_type = || vec![("Content-Type".to_owned(), "application/json".to_owned())];
    demo.answer_with("/rest/ui/latest/", 404, json_type(), route.clone());
    let mut server = Server::drawing(&demo, &[]);
    let result = server.call("show", first());
    let payload = &envelope(&result)["payload"];
    assert_eq!(
        (&payload["builds_known"], &payload["build_counts"]["total"]),
        (&json!(true), &json!(6)),
        "counts of the commit"
    );
    assert_eq!(payload["builds"], json!([]));
    demo.answer_with("/rest/build-status/latest/commits/stats/", 404, json_type(), route);
    let result = server.call("show", first());
    assert_eq!(envelope(&result)["payload"]["builds_known"], false);
    demo.answer_with(
        "/pull-requests/1/merge",
        500,
        json_type(),
        b"{\"errors\":[{\"message\":\"broken\"}]}".to_vec(),
    );
    assert!(
        server.failure("show", first()).starts_with("broken (HTTP 500)"),
        "a failure is no empty view"
    );
}

#[test]
fn what_a_gateway_shuts_is_left_out_and_the_rest_is_shown() {
    let demo = demo();
    let page = b"<html><head><title>Blocked by policy</title></head></html>";
    for (path, status) in
        [("/rest/ui/", 403), ("/merge", 403), ("/auto-merge", 401), ("/rest/ui/", 404)]
    {
        demo.heal();
        let kind = ("Content-Type".to_owned(), "text/html".to_owned());
        demo.answer_with(path, status, vec![kind], page.to_vec());
        let mut server = Server::drawing(&demo, &[]);
        let arguments =
            json!({"kind": "pull_request", "project": "PAY", "repo": "ledger", "id": 1});
        let shown = server.call("show", arguments);
        assert_eq!(shown["isError"], false, "{path} {status}: {shown}");
    }
    demo.heal();
    let kind = ("Content-Type".to_owned(), "text/html".to_owned());
    demo.answer_with("/activities", 403, vec![kind], page.to_vec());
    let mut server = Server::ready(&demo, &[]);
    server.data("get_pull_request", json!({"project": "PAY", "repo": "ledger", "id": 1}));
}
