//! `PAY/ledger` #7: no text of it is innocent.

use serde_json::Value;

use super::{demo, get, ledger, values};

/// What a text has to hold at least one of to count as hostile.
const MARKS: [&str; 14] = [
    "<",
    "javascript:",
    "data:",
    "alert",
    "SYSTEM",
    "```",
    "-rf",
    "\u{1b}",
    "\u{200b}",
    "\u{202e}",
    "\u{2066}",
    "\u{e0061}",
    "nnnnnnnn",
    "../",
];

fn is_hostile(text: &Value) -> bool {
    let text = text.as_str().unwrap();
    MARKS.iter().any(|mark| text.contains(mark))
}

/// Every comment of a thread.
fn flat(comment: &Value) -> Vec<&Value> {
    let replies = comment["comments"].as_array().unwrap();
    std::iter::once(comment).chain(replies.iter().flat_map(flat)).collect()
}

#[tokio::test]
async fn every_text_of_the_hostile_pull_request_is_hostile() {
    let demo = demo().await;
    let pull = ledger(&demo, "/pull-requests/7").await;
    let mut texts = vec![
        ("title", pull["title"].clone()),
        ("description", pull["description"].clone()),
        ("branch", pull["fromRef"]["displayId"].clone()),
        ("author", pull["author"]["user"]["displayName"].clone()),
        ("reviewer", pull["reviewers"][1]["user"]["displayName"].clone()),
        ("reviewer", pull["reviewers"][1]["user"]["name"].clone()),
    ];
    let activities = ledger(&demo, "/pull-requests/7/activities?limit=100").await;
    let roots: Vec<&Value> =
        values(&activities).iter().filter(|item| item["action"] == "COMMENTED").collect();
    for comment in roots.iter().flat_map(|item| flat(&item["comment"])) {
        texts.push(("comment", comment["text"].clone()));
    }
    // General, on a file, on a line, on several lines, a task and one resolved.
    let has = |test: &dyn Fn(&Value) -> bool| roots.iter().any(|item| test(&item["comment"]));
    assert!(has(&|root| root.get("anchor").is_none() && root["severity"] == "NORMAL"));
    assert!(has(&|root| root["anchor"].is_object() && root["anchor"].get("line").is_none()));
    assert!(has(&|root| root["anchor"]["multilineMarker"].is_object()));
    assert!(has(&|root| root["severity"] == "BLOCKER" && root["state"] == "OPEN"));
    assert!(has(&|root| root["state"] == "RESOLVED"));
    assert!(has(&|root| root["threadResolved"] == true));
    let commits = ledger(&demo, "/pull-requests/7/commits").await;
    for commit in values(&commits) {
        texts.push(("message", commit["message"].clone()));
        texts.push(("author of a commit", commit["author"]["name"].clone()));
    }
    let changes = ledger(&demo, "/pull-requests/7/changes").await;
    for change in values(&changes).iter().filter(|change| change["type"] == "ADD") {
        texts.push(("path", change["path"]["toString"].clone()));
    }
    let builds =
        get(&demo, "/rest/ui/latest/projects/PAY/repos/ledger/pull-requests/7/builds").await.json();
    for build in values(&builds["page"]) {
        for member in ["key", "name", "description", "buildNumber"] {
            texts.push(("build", build[member].clone()));
        }
    }
    for scheme in ["javascript:", "data:"] {
        let of = |build: &Value| build["url"].as_str().unwrap().starts_with(scheme);
        assert!(values(&builds["page"]).iter().any(of), "{scheme}");
    }
    assert!(texts.len() > 35, "only {}", texts.len());
    // A user name on two of the commits is all that git leaves of an account.
    texts.retain(|(_, text)| text != "mallory");
    for (place, text) in &texts {
        assert!(is_hostile(text), "{place}: {text}");
    }
    let whole: String = texts.iter().map(|(_, text)| text.as_str().unwrap()).collect();
    for mark in MARKS {
        assert!(whole.contains(mark), "{mark:?} is nowhere");
    }
}

#[tokio::test]
async fn the_files_of_the_hostile_pull_request_are_read_by_their_names() {
    let demo = demo().await;
    let pull = ledger(&demo, "/pull-requests/7").await;
    let tip = pull["fromRef"]["latestCommit"].as_str().unwrap();
    let changes = ledger(&demo, "/pull-requests/7/changes").await;
    for change in values(&changes) {
        let path = change["path"]["toString"].as_str().unwrap();
        let encoded: Vec<String> = path.split('/').map(crate::query::encode).collect();
        let path = encoded.join("/");
        let raw = format!("{}/raw/{path}?at={tip}", super::LEDGER);
        assert_eq!(get(&demo, &raw).await.status, 200, "{path}");
        let diff = ledger(&demo, &format!("/pull-requests/7/diff/{path}")).await;
        assert_eq!(diff["diffs"].as_array().unwrap().len(), 1, "{path}");
    }
}
