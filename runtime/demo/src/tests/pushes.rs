//! What follows when a branch moves, and what time does.

use std::time::Duration;

use serde_json::{Value, json};

use super::{demo, get, ledger, send, values, write};
use crate::USER;

const FIRST: &str = "/pull-requests/1";
const BRANCH: &str = "feature/PAY-412-idempotent-retries";
const POLICY: &str = "src/main/kotlin/ledger/RetryPolicy.kt";

#[tokio::test]
async fn a_push_rescopes_and_moves_comments() {
    let demo = demo().await;
    let text = include_str!("../seed/files/RetryPolicy.kt");
    let anchor = |line: usize| json!({ "path": POLICY, "line": line, "lineType": "ADDED", "fileType": "TO" });
    let mut ids = Vec::new();
    for line in [3, text.lines().count()] {
        let body = json!({ "text": "here", "anchor": anchor(line) });
        let made = write(&demo, "POST", &format!("{FIRST}/comments"), body).await.json();
        ids.push(made["id"].clone());
    }
    let before = ledger(&demo, FIRST).await;
    let mut lines: Vec<&str> = text.lines().collect();
    lines.remove(2);
    let changed = format!("// new\n// lines\n{}\n", lines.join("\n"));
    demo.push(
        "PAY",
        "ledger",
        BRANCH,
        "jonas.lindqvist",
        "Move",
        &[(POLICY, Some(changed.as_bytes()))],
    )
    .unwrap();
    let after = ledger(&demo, FIRST).await;
    assert_eq!(after["version"], before["version"].as_u64().unwrap() + 1);
    let page = ledger(&demo, &format!("{FIRST}/activities?limit=100")).await;
    let newest = &page["values"][0];
    assert_eq!((&newest["action"], &newest["added"]["total"]), (&json!("RESCOPED"), &json!(1)));
    assert_eq!(newest["previousFromHash"], before["fromRef"]["latestCommit"]);
    let found = |id: &Value| {
        values(&page).iter().find(|held| held["comment"]["id"] == *id).unwrap()["commentAnchor"]
            .clone()
    };
    assert_eq!(found(&ids[0])["orphaned"], true, "its line is gone");
    assert_eq!(found(&ids[0])["line"], 3, "and it keeps its place");
    assert_eq!(found(&ids[1])["orphaned"], false);
    assert_eq!(found(&ids[1])["line"], text.lines().count() + 1);
    assert_eq!(found(&ids[1])["toHash"], after["fromRef"]["latestCommit"]);
}

#[tokio::test]
async fn a_neighbours_merge_moves_the_version_a_moment_later() {
    let demo = demo().await;
    super::lifecycle::built(&demo, "topic").await;
    let body = json!({ "title": "T", "fromRef": { "id": "topic" }, "toRef": { "id": "main" } });
    let id = write(&demo, "POST", "/pull-requests", body).await.json()["id"].clone();
    let before = ledger(&demo, FIRST).await["version"].as_u64().unwrap();
    demo.follow_after(Duration::from_secs(5));
    let merged =
        write(&demo, "POST", &format!("/pull-requests/{id}/merge?version=0"), json!({})).await;
    assert_eq!(merged.status, 200, "{}", merged.text());
    assert_eq!(ledger(&demo, FIRST).await["version"], before);
    demo.advance(Duration::from_secs(6));
    let after = ledger(&demo, FIRST).await;
    assert_eq!(after["version"], before + 1);
    let newest = ledger(&demo, &format!("{FIRST}/activities")).await["values"][0].clone();
    assert_ne!(newest["action"], "RESCOPED", "its own commits are the same");
}

#[tokio::test]
async fn a_source_that_goes_declines_and_one_that_arrives_merges() {
    let demo = demo().await;
    demo.push_removal("PAY", "ledger", BRANCH, "jonas.lindqvist");
    assert_eq!(ledger(&demo, FIRST).await["state"], "DECLINED");
    let reopen = write(&demo, "POST", &format!("{FIRST}/reopen?version=99"), json!({})).await;
    let version = reopen.json()["errors"][0]["currentVersion"].clone();
    let reopen =
        write(&demo, "POST", &format!("{FIRST}/reopen?version={version}"), json!({})).await;
    assert_eq!((reopen.status, reopen.error().as_str()), (409, "IllegalPullRequestStateException"));
}

#[tokio::test]
async fn a_build_ends_when_its_time_comes() {
    let demo = demo().await;
    let tip = ledger(&demo, FIRST).await["fromRef"]["latestCommit"].as_str().unwrap().to_owned();
    demo.run_build("PAY", "ledger", &tip, "ledger-load", Duration::from_secs(60), "FAILED");
    let counts = format!("/rest/build-status/latest/commits/stats/{tip}");
    let running = get(&demo, &counts).await.json();
    assert_eq!((&running["inProgress"], &running["failed"]), (&json!(2), &json!(1)));
    demo.advance(Duration::from_secs(61));
    let ended = get(&demo, &counts).await.json();
    assert_eq!((&ended["inProgress"], &ended["failed"]), (&json!(1), &json!(2)));
}

#[tokio::test]
async fn a_required_build_wants_its_parent() {
    let demo = demo().await;
    let tip = ledger(&demo, FIRST).await["fromRef"]["latestCommit"].as_str().unwrap().to_owned();
    let vetoes = async || ledger(&demo, &format!("{FIRST}/merge")).await["vetoes"].to_string();
    assert!(vetoes().await.contains("ledger-integration"));
    let build = json!({ "key": "x-1", "state": "SUCCESSFUL", "url": "https://ci.example.com/1", "parent": "ledger-integration" });
    let legacy = format!("/rest/build-status/latest/commits/{tip}");
    assert_eq!(send(&demo, USER, "POST", &legacy, build.clone()).await.status, 204);
    assert!(vetoes().await.contains("ledger-integration"), "the old form drops the parent");
    let path = format!("/commits/{tip}/builds");
    assert_eq!(
        write(&demo, "POST", &path, json!({ "key": "x", "state": "SUCCESSFUL" })).await.status,
        400
    );
    assert_eq!(write(&demo, "POST", &path, build).await.status, 204);
    assert!(!vetoes().await.contains("ledger-integration"));
}

#[tokio::test]
async fn a_condition_may_exempt_a_source() {
    let demo = demo().await;
    let path = "/rest/required-builds/latest/projects/PAY/repos/ledger/condition/1";
    let condition = |exempt: Value| {
        json!({
            "buildParentKeys": ["ledger-integration"],
            "refMatcher": { "id": "main", "type": { "id": "BRANCH" } },
            "exemptRefMatcher": exempt,
        })
    };
    for (kind, id, exempt) in [
        ("MODEL_CATEGORY", "FEATURE", true),
        ("MODEL_CATEGORY", "HOTFIX", false),
        ("PATTERN", "feature/*", true),
        ("BRANCH", BRANCH, true),
        ("ANY_REF", "ANY_REF_MATCHER_ID", true),
        ("DEFAULT_BRANCH", "#", false),
    ] {
        let body = condition(json!({ "id": id, "type": { "id": kind } }));
        assert_eq!(send(&demo, USER, "PUT", path, body).await.status, 200);
        let vetoes = ledger(&demo, &format!("{FIRST}/merge")).await["vetoes"].to_string();
        assert_eq!(vetoes.contains("ledger-integration"), !exempt, "{kind} {id}");
    }
}
