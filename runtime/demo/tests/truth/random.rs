//! Random use, and what holds after any of it.

use std::collections::BTreeMap;

use bb_demo::{Demo, USER};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::http::{ask, demo, get};
use crate::rules::{flat, hold, hold_at_the_end, lines, threads};

pub(crate) const REPOSITORY: &str = "/rest/api/latest/projects/PAY/repos/statements";
pub(crate) const PULL: &str = "/rest/api/latest/projects/PAY/repos/statements/pull-requests/4";
const SOURCE: &str = "функция/выписки-明細書";
const FILE: &str = "templates/titles.txt";
pub(crate) const USERS: [&str; 4] = [USER, "nour.haddad", "jonas.lindqvist", "a.kovac_example.com"];

/// How many kinds of steps there are.
const KINDS: u8 = 31;

/// One thing somebody does; the numbers choose what it is done to.
#[derive(Debug, Clone)]
struct Step {
    kind: u8,
    user: usize,
    choice: usize,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = (0u8..KINDS, 0usize..USERS.len(), 0usize..50)
        .prop_map(|(kind, user, choice)| Step { kind, user, choice });
    proptest::collection::vec(step, 1..30)
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 24, failure_persistence: None, max_shrink_iters: 60, ..ProptestConfig::default()
    })]

    #[test]
    fn rules_hold_after_any_writes(steps in steps()) {
        let demo = demo();
        let mut before = pull(&demo);
        let mut said = words_grow(&demo, &BTreeMap::new());
        let start = before.clone();
        hold(&demo, &before, &start);
        for (index, step) in steps.iter().enumerate() {
            let armed = get(&demo, &format!("{PULL}/auto-merge")).status == 200;
            let discussed = run(&demo, step);
            let after = pull(&demo);
            // A word can be all that an armed merge waited for.
            let discussed = discussed && !(armed && after["state"] == "MERGED");
            let version = |pull: &Value| pull["version"].as_u64().expect("a version");
            prop_assert!(version(&after) >= version(&before), "{step:?}: versions grow");
            if discussed {
                for member in ["version", "updatedDate", "state"] {
                    prop_assert_eq!(&after[member], &before[member], "{:?}", step);
                }
            } else if PARTS.iter().any(|part| part(&after) != part(&before)) {
                prop_assert!(version(&after) > version(&before), "{step:?}: a change is a version");
                let date = |pull: &Value| pull["updatedDate"].as_i64().expect("a date");
                prop_assert!(date(&after) >= date(&before), "{step:?}: dates do not go back");
            } else if version(&after) == version(&before) {
                prop_assert_eq!(&after["updatedDate"], &before["updatedDate"], "{:?}", step);
            }
            said = words_grow(&demo, &said);
            hold(&demo, &after, &start);
            if index % 10 == 9 {
                hold_at_the_end(&demo, &after);
            }
            before = after;
        }
        hold_at_the_end(&demo, &before);
    }
}

/// What cannot change without a new version.
const PARTS: [fn(&Value) -> Value; 7] = [
    |pull| pull["state"].clone(),
    |pull| pull["title"].clone(),
    |pull| pull["description"].clone(),
    |pull| pull["draft"].clone(),
    |pull| json!([pull["fromRef"]["latestCommit"], pull["toRef"]["latestCommit"]]),
    |pull| pull["toRef"]["id"].clone(),
    |pull| {
        let reviewers = pull["reviewers"].as_array().expect("reviewers");
        reviewers.iter().map(|held| held["user"]["name"].clone()).collect()
    },
];

/// Every comment a user sees, by id with its version: none goes back, and
/// another text, state or severity is another version.
fn words_grow(demo: &Demo, before: &BTreeMap<u64, Value>) -> BTreeMap<u64, Value> {
    let all: Vec<Value> = threads(demo, USER).into_iter().flat_map(flat).collect();
    let number = |comment: &Value, name: &str| comment[name].as_u64().expect("a number");
    for comment in &all {
        let Some(then) = before.get(&number(comment, "id")) else {
            continue;
        };
        assert!(number(comment, "version") >= number(then, "version"), "{comment}");
        let published = then["state"] != "PENDING";
        for member in ["text", "severity", "state", "threadResolved"] {
            if published && comment[member] != then[member] {
                assert!(number(comment, "version") > number(then, "version"), "{comment} {then}");
            }
        }
    }
    all.into_iter().map(|comment| (number(&comment, "id"), comment)).collect()
}

fn pull(demo: &Demo) -> Value {
    get(demo, &format!("{PULL}?withProperties=true")).json()
}

/// Does one step, allowed or not. Whether it was discussion, which leaves the
/// pull request itself alone.
fn run(demo: &Demo, step: &Step) -> bool {
    let user = USERS[step.user];
    let send = |method: &str, path: &str, body: Value| {
        ask(demo, user, method, &format!("{PULL}{path}"), &body)
    };
    let version = pull(demo)["version"].clone();
    let comments: Vec<Value> = threads(demo, user).into_iter().flat_map(flat).collect();
    let chosen = comments.get(step.choice % comments.len().max(1)).cloned().unwrap_or_default();
    let own = format!("/comments/{}", chosen["id"]);
    // What is on a line keeps saying what the line said.
    let worded = chosen["text"].as_str().is_some_and(|text| text.starts_with("on:"));
    match step.kind {
        5 if worded => {}
        0 => drop(send("POST", "/comments", json!({ "text": "A word" }))),
        1 => drop(send(
            "POST",
            "/comments",
            json!({ "text": "Reply", "parent": { "id": chosen["id"] } }),
        )),
        2 => drop(send("POST", "/blocker-comments", json!({ "text": "A task" }))),
        3 => drop(send("PUT", &own, json!({ "version": chosen["version"], "state": "RESOLVED" }))),
        4 => drop(send(
            "PUT",
            &own,
            json!({ "version": chosen["version"], "threadResolved": step.choice.is_multiple_of(2) }),
        )),
        5 => drop(send(
            "PUT",
            &own,
            json!({ "version": chosen["version"], "text": format!("Edit {}", step.choice) }),
        )),
        6 => drop(send("DELETE", &format!("{own}?version={}", chosen["version"]), Value::Null)),
        7 | 8 => {
            let status = ["APPROVED", "NEEDS_WORK", "UNAPPROVED"][step.choice % 3];
            drop(send("PUT", &format!("/participants/{user}"), json!({ "status": status })));
        }
        9 => drop(send("POST", "/comments", json!({ "text": "Draft", "state": "PENDING" }))),
        10 => drop(send("PUT", "/review", json!({}))),
        11 => drop(send("DELETE", "/review", Value::Null)),
        12 => {
            let text = format!("line {}\n", step.choice);
            let branch = if step.choice.is_multiple_of(2) { SOURCE } else { "main" };
            let file = format!("random/{}.txt", step.choice);
            let files: [(&str, Option<&[u8]>); 1] = [(&file, Some(text.as_bytes()))];
            demo.push("PAY", "statements", branch, USER, "More", &files).expect("a commit");
            return false;
        }
        20 | 21 => {
            let lines = lines(demo);
            if let Some(line) = lines.get(step.choice % lines.len().max(1)) {
                let (number, side) = match line.kind.as_str() {
                    "REMOVED" => (line.source, "FROM"),
                    _ => (line.destination, "TO"),
                };
                let mut anchor = json!({ "path": line.path, "line": number,
                    "lineType": line.kind, "fileType": side });
                if line.source_path != line.path {
                    anchor["srcPath"] = json!(line.source_path);
                }
                let body = json!({ "text": format!("on:{}", line.text), "anchor": anchor });
                let reply = send("POST", "/comments", body);
                assert_eq!(reply.status, 201, "{}", String::from_utf8_lossy(&reply.body));
            }
        }
        22 | 23 => {
            // Changes the file that is commented on: a line more or less.
            let path = format!("{REPOSITORY}/raw/{FILE}?at={}", encoded(SOURCE));
            let text = String::from_utf8(get(demo, &path).body).expect("UTF-8");
            let mut lines: Vec<&str> = text.lines().collect();
            let at = step.choice % (lines.len() + 1);
            if step.kind == 22 || lines.len() < 3 {
                lines.insert(at, "xx=new");
            } else {
                lines.remove(at.min(lines.len() - 1));
            }
            let text = format!("{}\n", lines.join("\n"));
            let files: [(&str, Option<&[u8]>); 1] = [(FILE, Some(text.as_bytes()))];
            demo.push("PAY", "statements", SOURCE, USER, "Titles", &files).expect("a commit");
            return false;
        }
        24 => {
            let state = ["SUCCESSFUL", "FAILED", "INPROGRESS", "CANCELLED"][step.choice % 4];
            let key = format!("key-{}", step.choice % 5);
            let build = json!({ "key": key, "state": state, "url": "https://ci.example.com" });
            let tip = pull(demo)["fromRef"]["latestCommit"].as_str().expect("an id").to_owned();
            let path = format!("{REPOSITORY}/commits/{tip}/builds");
            ask(demo, user, "POST", &path, &build);
            if step.choice.is_multiple_of(7) {
                ask(demo, USER, "DELETE", &format!("{path}?key={key}"), &Value::Null);
            }
        }
        25 => {
            let lines = lines(demo);
            let added: Vec<_> = lines.iter().filter(|line| line.kind == "ADDED").collect();
            if let Some(line) = added.get(step.choice % added.len().max(1)) {
                let body = json!({ "text": format!("```suggestion\nyy={}\n```", step.choice),
                    "anchor": { "path": line.path, "line": line.destination,
                        "lineType": "ADDED", "fileType": "TO" } });
                let made = send("POST", "/comments", body).json();
                let path = format!("/comments/{}/apply-suggestion", made["id"]);
                let body = json!({ "message": "Apply", "commentVersion": 0,
                    "pullRequestVersion": version, "suggestionIndex": 0 });
                drop(send("POST", &path, body));
            }
            return false;
        }
        kind => {
            let (method, path, body) = match kind {
                26 => (
                    "POST",
                    format!("/merge?version={version}"),
                    json!({ "autoMerge": step.choice.is_multiple_of(2), "strategyId": "squash" }),
                ),
                27 => ("DELETE", "/auto-merge".to_owned(), json!({})),
                28 | 29 => {
                    let target = ["main", "release/1.4"][step.choice % 2];
                    let people: Vec<Value> = USERS[..step.choice % 4]
                        .iter()
                        .map(|user| json!({ "user": { "name": user } }))
                        .collect();
                    (
                        "PUT",
                        String::new(),
                        json!({ "version": version, "draft": step.choice.is_multiple_of(3),
                            "reviewers": people, "description": format!("Why {}", step.choice % 3),
                            "toRef": { "id": format!("refs/heads/{target}") } }),
                    )
                }
                30 => (
                    "PUT",
                    "/review".to_owned(),
                    json!({ "participantStatus": "NEEDS_WORK", "commentText": "So far" }),
                ),
                13 => ("POST", format!("/decline?version={version}"), json!({})),
                14 => ("POST", format!("/reopen?version={version}"), json!({})),
                15 if step.choice.is_multiple_of(3) => {
                    ("POST", format!("/merge?version={version}"), json!({}))
                }
                15 | 16 => {
                    let title = format!("Title {}", step.choice);
                    (
                        "PUT",
                        String::new(),
                        json!({ "version": version, "title": title, "reviewers": [] }),
                    )
                }
                17 => ("PUT", String::new(), json!({ "version": 99, "title": "Stale" })),
                18 => (
                    "POST",
                    "/participants".to_owned(),
                    json!({ "user": { "name": user }, "role": "REVIEWER" }),
                ),
                _ => ("DELETE", format!("/participants/{user}"), Value::Null),
            };
            let reply = send(method, &path, body);
            assert!(kind != 17 || reply.status == 409 || reply.status == 401, "{}", reply.status);
            return false;
        }
    }
    true
}

fn encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

/// The lines of a diff in JSON, marked as the text marks them.
fn marked(diff: &Value) -> Vec<String> {
    let list = |value: &Value, name: &str| value[name].as_array().cloned().unwrap_or_default();
    let mut lines = Vec::new();
    for file in list(diff, "diffs") {
        for hunk in list(&file, "hunks") {
            for segment in list(&hunk, "segments") {
                let mark = match segment["type"].as_str() {
                    Some("ADDED") => '+',
                    Some("REMOVED") => '-',
                    _ => ' ',
                };
                for line in list(&segment, "lines") {
                    lines.push(format!("{mark}{}", line["line"].as_str().expect("a line")));
                }
            }
        }
    }
    lines
}

/// The same of a diff in text: what stands below the heads of its hunks.
fn unmarked(text: &str) -> Vec<String> {
    let (mut lines, mut inside) = (Vec::new(), false);
    for line in text.split_terminator('\n') {
        if line.starts_with("@@ ") {
            inside = true;
        } else if line.starts_with("diff --git ") {
            inside = false;
        } else if inside && !line.starts_with('\\') {
            lines.push(line.to_owned());
        }
    }
    lines
}

#[test]
fn raw_and_json_diffs_agree() {
    let demo = demo();
    let repositories = [("PAY", "ledger", 7), ("PAY", "statements", 4), ("PAY", "gateway", 1)];
    for (project, slug, count) in repositories {
        for id in 1..=count {
            for query in ["contextLines=0", "contextLines=3", "whitespace=ignore-all"] {
                let path =
                    format!("/rest/api/latest/projects/{project}/repos/{slug}/pull-requests/{id}");
                let json = marked(&get(&demo, &format!("{path}/diff?{query}")).json());
                let text = get(&demo, &format!("{path}.diff?{query}"));
                let text = String::from_utf8(text.body).expect("UTF-8");
                assert_eq!(json, unmarked(&text), "{slug} {id} {query}");
                let summary = get(&demo, &format!("{path}/diff-stats-summary")).json();
                if query == "contextLines=0" {
                    let added = json.iter().filter(|line| line.starts_with('+')).count();
                    assert_eq!(summary["linesAdded"], added);
                }
            }
        }
    }
}
