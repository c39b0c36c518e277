//! Random use, and what holds after any of it.

use std::collections::{BTreeMap, BTreeSet};

use bb_demo::{Demo, USER};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::http::{ask, demo, get};

const REPOSITORY: &str = "/rest/api/latest/projects/PAY/repos/statements";
const PULL: &str = "/rest/api/latest/projects/PAY/repos/statements/pull-requests/4";
const SOURCE: &str = "функция/выписки-明細書";
const FILE: &str = "templates/titles.txt";
const USERS: [&str; 4] = [USER, "nour.haddad", "jonas.lindqvist", "a.kovac_example.com"];

/// One thing somebody does; the numbers choose what it is done to.
#[derive(Debug, Clone)]
struct Step {
    kind: u8,
    user: usize,
    choice: usize,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = (0u8..24, 0usize..USERS.len(), 0usize..50).prop_map(|(kind, user, choice)| Step {
        kind,
        user,
        choice,
    });
    proptest::collection::vec(step, 1..30)
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 12, failure_persistence: None, max_shrink_iters: 60, ..ProptestConfig::default()
    })]

    #[test]
    fn rules_hold_after_any_writes(steps in steps()) {
        let demo = demo();
        let mut before = pull(&demo);
        hold(&demo, &before);
        for step in &steps {
            let discussed = run(&demo, step);
            let after = pull(&demo);
            let version = |pull: &Value| pull["version"].as_u64().expect("a version");
            prop_assert!(version(&after) >= version(&before), "{step:?}: versions grow");
            if discussed {
                for member in ["version", "updatedDate", "state"] {
                    prop_assert_eq!(&after[member], &before[member], "{:?}", step);
                }
            } else if after["state"] != before["state"] || after["title"] != before["title"] {
                prop_assert!(version(&after) > version(&before), "{step:?}: a change is a version");
            }
            hold(&demo, &after);
            before = after;
        }
    }
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
        kind => {
            let (method, path, body) = match kind {
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

/// One line of a diff.
struct Line {
    path: String,
    source_path: String,
    kind: String,
    source: u64,
    destination: u64,
    text: String,
}

/// Every line of the whole diff.
fn lines(demo: &Demo) -> Vec<Line> {
    let list = |value: &Value, name: &str| value[name].as_array().cloned().unwrap_or_default();
    let diff = get(demo, &format!("{PULL}/diff?contextLines=-1")).json();
    let mut found = Vec::new();
    for file in list(&diff, "diffs") {
        let path = |side: &str| file[side]["toString"].as_str().map(str::to_owned);
        let now = path("destination").or(path("source")).expect("a path");
        let then = path("source").unwrap_or_else(|| now.clone());
        for hunk in list(&file, "hunks") {
            for segment in list(&hunk, "segments") {
                let kind = segment["type"].as_str().expect("a type");
                for line in list(&segment, "lines") {
                    let number = |name: &str| line[name].as_u64().expect("a number");
                    found.push(Line {
                        path: now.clone(),
                        source_path: then.clone(),
                        kind: kind.to_owned(),
                        source: number("source"),
                        destination: number("destination"),
                        text: line["line"].as_str().expect("a line").to_owned(),
                    });
                }
            }
        }
    }
    found
}

/// The threads as a user sees them: the last activity of each counts.
fn threads(demo: &Demo, user: &str) -> Vec<Value> {
    let page = ask(demo, user, "GET", &format!("{PULL}/activities?limit=500"), &Value::Null).json();
    let mut found = BTreeMap::new();
    for activity in page["values"].as_array().expect("activities").iter().rev() {
        if activity["action"] == "COMMENTED" && activity["commentAction"] != "DELETED" {
            let comment = activity["comment"].clone();
            found.insert(comment["id"].as_u64().expect("an id"), comment);
        }
    }
    found.into_values().collect()
}

fn flat(comment: Value) -> Vec<Value> {
    let replies = comment["comments"].as_array().cloned().unwrap_or_default();
    let mut all = vec![comment];
    all.extend(replies.into_iter().flat_map(flat));
    all
}

/// Everything that must be so at any time.
fn hold(demo: &Demo, pull: &Value) {
    counts_agree_with_lists(demo, pull);
    comments_are_drawn_where_they_say(demo);
    activities_explain_the_state(demo, pull);
    pages_yield_each_item_once(demo);
}

fn counts_agree_with_lists(demo: &Demo, pull: &Value) {
    let all: Vec<Value> = threads(demo, USER).into_iter().flat_map(flat).collect();
    let published: Vec<&Value> = all.iter().filter(|held| held["state"] != "PENDING").collect();
    let properties = &pull["properties"];
    assert_eq!(properties["commentCount"], published.len(), "{pull}");
    let tasks = |state: &str| {
        published
            .iter()
            .filter(|held| held["severity"] == "BLOCKER" && held["state"] == state)
            .count()
    };
    let counted = get(demo, &format!("{PULL}/blocker-comments?count=true")).json();
    assert_eq!(counted, json!({ "OPEN": tasks("OPEN"), "RESOLVED": tasks("RESOLVED") }));
    assert_eq!(properties["openTaskCount"], counted["OPEN"]);
    assert_eq!(properties["resolvedTaskCount"], counted["RESOLVED"]);
    let listed = get(demo, &format!("{PULL}/blocker-comments?limit=1000")).json();
    assert_eq!(listed["size"], tasks("OPEN") + tasks("RESOLVED"));
}

/// A comment on a line that is not outdated is drawn on exactly that line.
fn comments_are_drawn_where_they_say(demo: &Demo) {
    let diff = get(demo, &format!("{PULL}/diff?contextLines=-1")).json();
    let text = diff.to_string();
    let all = lines(demo);
    for root in threads(demo, USER) {
        let anchor = &root["anchor"];
        if anchor["line"].is_null() {
            continue;
        }
        let drawn = text.contains(&format!("\"commentIds\":[{}", root["id"]))
            || text.contains(&format!(",{},", root["id"]))
            || text.contains(&format!(",{}]", root["id"]));
        assert_eq!(drawn, anchor["orphaned"] == false, "{root}");
        if anchor["orphaned"] == false {
            let on_source = anchor["fileType"] == "FROM";
            let line = all.iter().find(|line| {
                anchor["path"] == line.path
                    && anchor["lineType"] == line.kind
                    && anchor["line"] == if on_source { line.source } else { line.destination }
            });
            let line = line.unwrap_or_else(|| panic!("{anchor} is on no line"));
            if let Some(text) = root["text"].as_str().and_then(|text| text.strip_prefix("on:")) {
                assert_eq!(line.text, text, "it followed its line: {anchor}");
            }
        }
    }
}

fn activities_explain_the_state(demo: &Demo, pull: &Value) {
    let page = get(demo, &format!("{PULL}/activities?limit=500")).json();
    let (mut state, mut verdicts) = ("", BTreeMap::new());
    for activity in page["values"].as_array().expect("activities").iter().rev() {
        let user = activity["user"]["name"].as_str().expect("a name").to_owned();
        match activity["action"].as_str().expect("an action") {
            "OPENED" | "REOPENED" => state = "OPEN",
            "DECLINED" => state = "DECLINED",
            "MERGED" => state = "MERGED",
            "APPROVED" => drop(verdicts.insert(user, "APPROVED")),
            "REVIEWED" => drop(verdicts.insert(user, "NEEDS_WORK")),
            "UNAPPROVED" => drop(verdicts.insert(user, "UNAPPROVED")),
            _ => {}
        }
    }
    assert_eq!(pull["state"], state);
    assert_eq!(pull["open"], state == "OPEN");
    let people = ["reviewers", "participants"]
        .iter()
        .flat_map(|list| pull[*list].as_array().expect("a list"));
    let mut names = BTreeSet::new();
    for held in people {
        let name = held["user"]["name"].as_str().expect("a name");
        assert!(names.insert(name), "{name} takes part once");
        assert_eq!(held["approved"], held["status"] == "APPROVED");
        if let Some(verdict) = verdicts.get(name) {
            assert_eq!(held["status"], *verdict, "{name}");
        }
    }
}

fn pages_yield_each_item_once(demo: &Demo) {
    for (path, limit) in [("/pull-requests/4/activities", 3), ("/pull-requests?state=ALL", 1)] {
        let join = if path.contains('?') { '&' } else { '?' };
        let ids = |page: &Value| -> Vec<u64> {
            let values = page["values"].as_array().expect("values");
            values.iter().map(|value| value["id"].as_u64().expect("an id")).collect()
        };
        let whole = ids(&get(demo, &format!("{REPOSITORY}{path}{join}limit=100")).json());
        let (mut walked, mut start) = (Vec::new(), 0);
        loop {
            let page =
                get(demo, &format!("{REPOSITORY}{path}{join}limit={limit}&start={start}")).json();
            walked.extend(ids(&page));
            match page["nextPageStart"].as_u64() {
                Some(next) if page["isLastPage"] == false => start = next,
                _ => break,
            }
            if walked.len() >= 100 {
                walked.truncate(100);
                break;
            }
        }
        assert_eq!(walked, whole[..walked.len().min(whole.len())]);
        assert_eq!(walked.iter().collect::<BTreeSet<_>>().len(), walked.len());
    }
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
