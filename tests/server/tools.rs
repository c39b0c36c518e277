//! Every tool answers, and its structured answer is what its published schema says.

use crate::harness::{Server, command, demo, demo_under};
use serde_json::{Value, json};
use std::path::Path;

/// A call of every tool that the demo can answer, several where an answer has more than one shape.
fn calls(server: &mut Server) -> Vec<(&'static str, Value)> {
    let first =
        server.data("get_pull_request", json!({"project": "PAY", "repo": "ledger", "id": 1}));
    let commit = first["pull_request"]["source_commit"].clone();
    vec![
        ("list_branches", json!({"project": "PAY", "repo": "ledger", "limit": 100})),
        (
            "list_branches",
            json!({"project": "pay", "repo": "LEDGER", "filter": "feature", "limit": "2"}),
        ),
        ("list_tags", json!({"project": "PAY", "repo": "ledger"})),
        (
            "list_commits",
            json!({"project": "PAY", "repo": "ledger", "until": "main", "limit": 100}),
        ),
        (
            "list_commits",
            json!({"project": "PAY", "repo": "ledger", "since": "main", "until": "main"}),
        ),
        ("search_repositories", json!({})),
        ("search_repositories", json!({"name": "led", "project": "PAY"})),
        ("get_build_status", json!({"commit": commit})),
        ("list_pull_requests", json!({})),
        ("list_pull_requests", json!({"state": "all", "role": "author", "limit": 100})),
        ("list_pull_requests", json!({"project": "PAY", "repo": "ledger", "state": "all"})),
        (
            "list_pull_requests",
            json!({"project": "PAY", "repo": "ledger", "role": "reviewer", "state": "merged"}),
        ),
        ("get_pull_request", json!({"project": "PAY", "repo": "ledger", "id": 1})),
        ("get_pull_request", json!({"project": "PAY", "repo": "ledger", "id": "2"})),
        ("get_pull_request", json!({"project": "PAY", "repo": "ledger", "id": 4})),
        ("get_pull_request", json!({"project": "PAY", "repo": "ledger", "id": 6})),
        ("get_pull_request", json!({"project": "PAY", "repo": "ledger", "id": 7})),
        ("get_pr_diff", json!({"project": "PAY", "repo": "ledger", "id": 1})),
        ("show", json!({"kind": "pull_request", "project": "PAY", "repo": "ledger", "id": 1})),
        (
            "refresh_view",
            json!({"kind": "pull_request", "project": "PAY", "repo": "ledger", "id": 7}),
        ),
    ]
}

#[test]
fn every_tool_answers_as_its_output_schema_says() {
    let demo = demo();
    let mut server = Server::drawing(&demo, &[]);
    let listed = server.tools();
    let mut called = Vec::new();
    for (tool, arguments) in calls(&mut server) {
        let entry = listed.iter().find(|entry| entry["name"] == tool).expect("a listed tool");
        let input = jsonschema::validator_for(&entry["inputSchema"]).expect("an input schema");
        if !arguments
            .as_object()
            .expect("members")
            .values()
            .any(|value| value.as_str().is_some_and(|text| text.parse::<i64>().is_ok()))
        {
            assert!(input.is_valid(&arguments), "{tool} {arguments}");
        }
        let result = server.call(tool, arguments.clone());
        assert_eq!(result["isError"], false, "{tool} {arguments}: {result}");
        if entry["outputSchema"].is_null() {
            assert!(result["structuredContent"].is_null());
            assert!(
                result["content"][0]["text"].as_str().is_some_and(|text| text.len() > 20),
                "{result}"
            );
        } else {
            let schema =
                jsonschema::validator_for(&entry["outputSchema"]).expect("an output schema");
            let structured = &result["structuredContent"];
            let errors: Vec<String> =
                schema.iter_errors(structured).map(|error| error.to_string()).collect();
            assert!(errors.is_empty(), "{tool} {arguments}: {errors:?}");
            let text: Value =
                serde_json::from_str(result["content"][0]["text"].as_str().expect("a text"))
                    .expect("JSON");
            assert_eq!(&text, structured, "the text says what the data says");
            let cursor = structured["next_cursor"].is_string();
            assert_eq!(
                structured.get("limit_reached").is_some_and(|reached| reached == true),
                cursor,
                "{tool} {arguments}"
            );
        }
        called.push(tool);
    }
    for entry in &listed {
        assert!(
            called.iter().any(|tool| entry["name"] == *tool),
            "{} is never called",
            entry["name"]
        );
    }
}

#[test]
fn a_tool_is_listed_as_its_committed_entry_says_byte_for_byte() {
    let demo = demo();
    let mut server = Server::drawing(&demo, &[]);
    let listed = server.tools();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../generated/tools");
    let committed = std::fs::read_dir(&folder).expect("generated/tools").count();
    assert_eq!(committed, listed.len());
    for entry in listed {
        let name = entry["name"].as_str().expect("a name");
        let text = std::fs::read_to_string(folder.join(format!("{name}.json")))
            .expect("a committed entry");
        assert_eq!(format!("{entry:#}\n"), text, "{name}");
    }
}

#[test]
fn schemas_are_plain_and_arguments_keep_their_order() {
    let demo = demo();
    let mut server = Server::ready(&demo, &[]);
    fn check(name: &str, value: &Value) {
        match value {
            Value::Object(members) => {
                for word in ["$ref", "$schema", "$defs", "oneOf", "anyOf", "allOf", "format"] {
                    assert!(!members.contains_key(word), "{name} has {word}");
                }
                if let Some(kind) = members
                    .get("type")
                    .filter(|_| !members.contains_key("properties") || members["type"].is_string())
                {
                    assert!(kind.is_string() || kind.is_object(), "{name}: {kind}");
                }
                members.values().for_each(|value| check(name, value));
            }
            Value::Array(items) => items.iter().for_each(|value| check(name, value)),
            _ => {}
        }
    }
    for entry in server.tools() {
        let name = entry["name"].as_str().expect("a name");
        check(name, &entry);
        for (argument, schema) in
            entry["inputSchema"]["properties"].as_object().expect("properties")
        {
            assert!(
                schema["description"].as_str().is_some_and(|text| !text.is_empty()),
                "{name}.{argument}"
            );
        }
        assert_eq!(entry["inputSchema"]["additionalProperties"], false, "{name}");
        let hints = entry["annotations"].as_object().expect("annotations").len();
        assert_eq!(hints, 4, "{name}");
    }
    let listed = server.tools();
    let entry =
        listed.iter().find(|entry| entry["name"] == "list_pull_requests").expect("a listed tool");
    let order: Vec<&String> =
        entry["inputSchema"]["properties"].as_object().expect("properties").keys().collect();
    assert_eq!(
        order,
        ["project", "repo", "state", "role", "source_branch", "target_branch", "limit", "cursor"]
    );
}

#[test]
fn walking_a_listing_by_cursor_yields_each_element_once() {
    let demo = demo();
    let mut server = Server::ready(&demo, &[]);
    for (tool, member, arguments) in [
        ("list_branches", "branches", json!({"project": "PAY", "repo": "ledger"})),
        ("list_commits", "commits", json!({"project": "PAY", "repo": "ledger"})),
        ("list_pull_requests", "pull_requests", json!({"state": "all"})),
        ("list_pull_requests", "pull_requests", json!({"state": "all", "project": "PAY"})),
        (
            "list_pull_requests",
            "pull_requests",
            json!({"state": "all", "project": "PAY", "repo": "ledger", "target_branch": "main"}),
        ),
    ] {
        let mut whole = arguments.clone();
        whole["limit"] = json!(100);
        let mut all = server.data(tool, whole);
        let mut expected = all[member].as_array().expect("a list").clone();
        while let Some(cursor) = all["next_cursor"].as_str().map(str::to_owned) {
            let mut next = arguments.clone();
            next["limit"] = json!(100);
            next["cursor"] = json!(cursor);
            all = server.data(tool, next);
            expected.extend(all[member].as_array().expect("a list").clone());
        }
        assert!(expected.len() > 2, "{tool} {arguments}");
        for limit in [1, 3, 7] {
            let (mut walked, mut cursor) = (Vec::new(), None::<String>);
            loop {
                let mut page = arguments.clone();
                page["limit"] = json!(limit);
                if let Some(cursor) = &cursor {
                    page["cursor"] = json!(cursor);
                }
                let answer = server.data(tool, page);
                let values = answer[member].as_array().expect("a list").clone();
                assert!(values.len() <= limit);
                walked.extend(values);
                cursor = answer["next_cursor"].as_str().map(str::to_owned);
                if cursor.is_none() {
                    break;
                }
            }
            assert_eq!(walked, expected, "{tool} {arguments} by {limit}");
        }
    }
}

#[test]
fn a_cursor_of_another_call_is_refused() {
    let demo = demo();
    let mut server = Server::ready(&demo, &[]);
    let page =
        server.data("list_branches", json!({"project": "PAY", "repo": "ledger", "limit": 1}));
    let cursor = page["next_cursor"].clone();
    assert!(
        !cursor.as_str().expect("a cursor").contains('1')
            || cursor.as_str().is_some_and(|cursor| cursor.len() > 20)
    );
    for (tool, arguments) in [
        ("list_branches", json!({"project": "PAY", "repo": "gateway", "cursor": cursor})),
        (
            "list_branches",
            json!({"project": "PAY", "repo": "ledger", "filter": "x", "cursor": cursor}),
        ),
        ("list_tags", json!({"project": "PAY", "repo": "ledger", "cursor": cursor})),
        ("list_branches", json!({"project": "PAY", "repo": "ledger", "cursor": "25"})),
    ] {
        assert!(
            server.failure(tool, arguments).starts_with("`cursor` does not belong to this call")
        );
    }
}

#[test]
fn a_pull_request_is_told_whole() {
    let demo = demo();
    let mut server = Server::ready(&demo, &[]);
    let answer =
        server.data("get_pull_request", json!({"project": "PAY", "repo": "ledger", "id": 1}));
    let (found, review) = (&answer["pull_request"], &answer["review_summary"]);
    assert_eq!(
        (&found["project"], &found["repo"], &found["id"]),
        (&json!("PAY"), &json!("ledger"), &json!(1))
    );
    let verdicts: Vec<&str> = found["reviewers"]
        .as_array()
        .expect("reviewers")
        .iter()
        .map(|reviewer| reviewer["status"].as_str().expect("a status"))
        .collect();
    assert_eq!(verdicts, ["approved", "needs_work", "unapproved"]);
    assert_eq!(found["mergeability"]["can_merge"], false);
    assert!(
        found["mergeability"]["vetoes"].as_array().is_some_and(|vetoes| vetoes.len() == 3),
        "{found}"
    );
    assert!(
        found["created"].as_str().is_some_and(|text| text.ends_with('Z') && text.len() == 20),
        "{found}"
    );
    assert_eq!(
        (&review["open_tasks"], &review["resolved_tasks"], &review["complete"]),
        (&json!(2), &json!(1), &json!(true))
    );
    assert_eq!(review["needs_work"], json!(["Priya Raman"]));
    let merged =
        server.data("get_pull_request", json!({"project": "PAY", "repo": "ledger", "id": 4}));
    assert!(merged["pull_request"]["mergeability"].is_null());
    assert_eq!(merged["pull_request"]["state"], "merged");
    let fork =
        server.data("get_pull_request", json!({"project": "PAY", "repo": "ledger", "id": 6}));
    assert_eq!(fork["pull_request"]["auto_merge"]["strategy"], "squash");
    assert!(
        fork["pull_request"]["source_repository"]
            .as_str()
            .is_some_and(|text| text.starts_with('~')),
        "{fork}"
    );
}

#[test]
fn a_diff_is_one_text_whole_or_for_a_file() {
    let demo = demo();
    let mut server = Server::ready(&demo, &[]);
    let text = |server: &mut Server, more: Value| {
        let mut arguments = json!({"project": "PAY", "repo": "ledger", "id": 1});
        arguments
            .as_object_mut()
            .expect("members")
            .extend(more.as_object().expect("members").clone());
        server.call("get_pr_diff", arguments)["content"][0]["text"]
            .as_str()
            .expect("a text")
            .to_owned()
    };
    let whole = text(&mut server, json!({}));
    let files = whole.matches("diff --git ").count();
    assert_eq!(files, 5, "{whole}");
    let renamed = whole
        .lines()
        .find_map(|line| line.strip_prefix("rename to "))
        .expect("a renamed file")
        .to_owned();
    let one = text(&mut server, json!({"path": renamed}));
    assert_eq!(one.matches("diff --git ").count(), 1);
    assert!(one.contains("rename from ") && one.contains(&format!("rename to {renamed}")), "{one}");
    let narrow = text(&mut server, json!({"context_lines": 0}));
    assert!(narrow.len() < whole.len());
    let spaced = text(&mut server, json!({"path": "docs/release notes.md"}));
    assert!(spaced.starts_with("diff --git a/docs/release notes.md"), "{spaced}");
    let wrong = server.failure(
        "get_pr_diff",
        json!({"project": "PAY", "repo": "ledger", "id": 1, "path": "src/PostingService.kt"}),
    );
    assert!(wrong.contains("did you mean `src/main/kotlin/ledger/PostingService.kt`?"), "{wrong}");
}

#[test]
fn a_long_diff_is_cut_at_a_line_and_says_so() {
    let demo = demo();
    let line = format!("+{}\n", "x".repeat(99));
    let body =
        format!("diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -0,0 +1,9000 @@\n{}", line.repeat(9000));
    demo.answer_with(
        "pull-requests/1.diff",
        200,
        vec![("Content-Type".to_owned(), "text/plain".to_owned())],
        body.into_bytes(),
    );
    let mut server = Server::ready(&demo, &[]);
    let result = server.call("get_pr_diff", json!({"project": "PAY", "repo": "ledger", "id": 1}));
    let text = result["content"][0]["text"].as_str().expect("a text");
    assert!(text.len() < 201_000, "{}", text.len());
    let mut lines = text.lines().rev();
    assert_eq!(
        lines.next(),
        Some("[cut here: the diff is longer than 200000 bytes; ask for one file with path]")
    );
    assert_eq!(lines.next(), Some(line.trim_end()), "no line is cut inside");
}

#[test]
fn hidden_characters_reach_the_model_spelled_out() {
    let demo = demo();
    let mut server = Server::ready(&demo, &[]);
    let hidden = |text: &str| {
        text.chars().any(|character| {
            matches!(character, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{1b}' | '\u{feff}')
        })
    };
    for (tool, arguments) in [
        ("get_pull_request", json!({"project": "PAY", "repo": "ledger", "id": 7})),
        ("list_pull_requests", json!({"project": "PAY", "repo": "ledger"})),
        ("get_pr_diff", json!({"project": "PAY", "repo": "ledger", "id": 7})),
    ] {
        let result = server.call(tool, arguments);
        let whole = result["content"][0]["text"].as_str().expect("a text");
        assert!(!hidden(whole), "{tool}");
        assert!(!hidden(&result["structuredContent"].to_string()), "{tool}");
    }
    let answer =
        server.data("get_pull_request", json!({"project": "PAY", "repo": "ledger", "id": 7}));
    assert!(
        answer["pull_request"]["title"].as_str().is_some_and(|title| title.contains("\\u{202e}")),
        "{answer}"
    );
}

#[test]
fn a_role_in_a_repository_is_the_callers_own() {
    let demo = demo();
    let mut server = Server::ready(&demo, &[]);
    demo.clear_requests();
    let answer = server.data(
        "list_pull_requests",
        json!({"project": "PAY", "repo": "ledger", "role": "author", "state": "all"}),
    );
    let authors: Vec<&Value> = answer["pull_requests"]
        .as_array()
        .expect("rows")
        .iter()
        .map(|row| &row["author"]["name"])
        .collect();
    assert!(
        !authors.is_empty() && authors.iter().all(|author| **author == bb_demo::USER),
        "{authors:?}"
    );
    let requests = demo.requests();
    assert_eq!(requests[0].path, "/rest/api/latest/application-properties");
    assert_eq!(requests[1].path, format!("/rest/api/latest/users/{}", bb_demo::USER));
    assert!(
        requests[2].query.contains("username.1=") && requests[2].query.contains("role.1=AUTHOR"),
        "{}",
        requests[2].query
    );
    // Who it is was learned; it is not asked again.
    server.data(
        "list_pull_requests",
        json!({"project": "PAY", "repo": "ledger", "role": "reviewer"}),
    );
    assert_eq!(demo.requests().len(), 4);
}

#[test]
fn a_context_path_is_kept() {
    let demo = demo_under("/stash");
    let mut server = Server::ready(&demo, &[]);
    let answer =
        server.data("list_branches", json!({"project": "PAY", "repo": "ledger", "limit": 1}));
    assert_eq!(answer["branches"].as_array().map(Vec::len), Some(1));
    let answer = server.data("search_repositories", json!({"name": "led"}));
    assert!(
        answer["repositories"][0]["url"]
            .as_str()
            .is_some_and(|url| url.contains("/stash/projects/")),
        "{answer}"
    );
}

#[test]
fn the_demo_is_served_from_inside_the_process() {
    let mut command = command();
    command.args(["ai", "mcp", "serve", "--demo"]);
    let mut server = Server::spawn(command);
    server.handshake();
    let answer =
        server.data("get_pull_request", json!({"project": "PAY", "repo": "ledger", "id": 1}));
    assert_eq!(answer["pull_request"]["id"], 1);
}

#[test]
fn what_the_server_asks_for_itself_is_what_the_spec_lists() {
    let mut asked: Vec<(&str, &str, &str)> = bb_client::OWN_OPERATIONS
        .iter()
        .map(|operation| (operation.method, operation.template, "server"))
        .collect();
    let mut listed = bb_generated::registry::OWN_CALLS.to_vec();
    listed.sort_unstable();
    asked.sort_unstable();
    assert_eq!(asked, listed);
    assert!(bb_client::OWN_OPERATIONS.iter().all(|own| own.reach == bb_contract::Reach::Server));
    // What `doctor` asks besides is among the operations that people review.
    let reviewed = include_str!("../../generated/operations.md");
    for operation in bb_client::DOCTOR_OPERATIONS.iter().chain(bb_client::OWN_OPERATIONS) {
        let row = format!("| `{} {}`", operation.method, operation.template);
        assert!(reviewed.contains(&row), "{row}");
    }
}
