//! A pull request from its opening to its end.

use serde_json::{Value, json};

use super::{LEDGER, demo, get, ledger, send, values, write};
use crate::{Demo, USER};

const PULLS: &str = "/pull-requests";

fn opening(branch: &str) -> Value {
    json!({
        "title": "A new one",
        "description": "Why",
        "fromRef": { "id": format!("refs/heads/{branch}") },
        "toRef": { "id": "refs/heads/main", "repository": { "slug": "ledger", "project": { "key": "PAY" } } },
        "reviewers": [{ "user": { "name": "mei.tanaka" } }],
    })
}

/// A fresh pull request of the demo's own user: clean, with nothing required.
pub(super) async fn opened(demo: &Demo) -> Value {
    built(demo, "topic/one").await;
    let reply = write(demo, "POST", PULLS, opening("topic/one")).await;
    assert_eq!(reply.status, 201, "{}", reply.text());
    reply.json()
}

/// A new branch whose commit has every required build.
pub(super) async fn built(demo: &Demo, branch: &str) {
    let files: [(&str, Option<&[u8]>); 1] = [("topic.md", Some(b"one\n"))];
    let tip = demo.push("PAY", "ledger", branch, USER, "One", &files).unwrap();
    for parent in ["ledger-build", "ledger-integration"] {
        let build = json!({ "key": parent, "parent": parent, "state": "SUCCESSFUL", "url": "https://ci.example.com" });
        assert_eq!(write(demo, "POST", &format!("/commits/{tip}/builds"), build).await.status, 204);
    }
}

async fn actions(demo: &Demo, id: u64) -> Vec<String> {
    let page = ledger(demo, &format!("{PULLS}/{id}/activities?limit=100")).await;
    values(&page).iter().map(|activity| activity["action"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn a_pull_request_is_opened_once() {
    let demo = demo().await;
    let created = opened(&demo).await;
    let id = created["id"].as_u64().unwrap();
    assert!(id > 7);
    assert_eq!((&created["version"], &created["state"]), (&json!(0), &json!("OPEN")));
    assert!(created.get("properties").is_none(), "a write's answer has no properties");
    assert_eq!(created["reviewers"][0]["user"]["name"], "mei.tanaka");
    assert_eq!(actions(&demo, id).await, ["OPENED"]);
    let again = write(&demo, "POST", PULLS, opening("topic/one")).await;
    assert_eq!((again.status, again.error().as_str()), (409, "DuplicatePullRequestException"));
    assert_eq!(again.json()["errors"][0]["existingPullRequest"]["id"], id);
}

#[tokio::test]
async fn what_cannot_be_opened_is_refused() {
    let demo = demo().await;
    demo.push("PAY", "ledger", "topic/one", USER, "One", &[("topic.md", Some(b"one\n"))]).unwrap();
    let with = |name: &str, value: Value| {
        let mut body = opening("topic/one");
        body[name] = value;
        body
    };
    let reviewer =
        |name: &str| json!([{ "user": { "name": name } }, { "user": { "name": "mei.tanaka" } }]);
    for (body, status, error) in [
        (with("title", json!(" ")), 400, None),
        (with("title", json!("x".repeat(256))), 400, None),
        (with("fromRef", json!({})), 400, None),
        (opening("none"), 404, Some("NoSuchBranchException")),
        (opening("main"), 409, Some("InvalidPullRequestTargetException")),
        (opening("stable"), 409, Some("EmptyPullRequestException")),
        (with("reviewers", reviewer(USER)), 409, Some("InvalidPullRequestReviewersException")),
        (with("reviewers", reviewer("nobody")), 409, Some("InvalidPullRequestReviewersException")),
        (
            with("reviewers", reviewer("heike.brandt")),
            409,
            Some("InvalidPullRequestReviewersException"),
        ),
    ] {
        let reply = write(&demo, "POST", PULLS, body.clone()).await;
        assert_eq!(reply.status, status, "{body}: {}", reply.text());
        match error {
            Some(error) => assert_eq!(reply.error(), error),
            None => assert!(reply.json()["errors"][0]["exceptionName"].is_null()),
        }
        if status == 409 && error.is_some_and(|error| error.contains("Reviewers")) {
            let error = &reply.json()["errors"][0];
            assert_eq!(error["validReviewers"][0]["user"]["name"], "mei.tanaka");
            assert!(error["reviewerErrors"][0]["context"].is_string());
        }
    }
    let archived = "/rest/api/latest/projects/OPS/repos/archive-me/pull-requests";
    assert_eq!(send(&demo, USER, "POST", archived, opening("x")).await.status, 409);
}

#[tokio::test]
async fn a_change_needs_the_present_version() {
    let demo = demo().await;
    let created = opened(&demo).await;
    let path = format!("{PULLS}/{}", created["id"]);
    let reply = write(&demo, "PUT", &path, json!({ "title": "x" })).await;
    assert_eq!((reply.status, &reply.json()["errors"][0]["context"]), (400, &json!("version")));
    let reply = write(
        &demo,
        "PUT",
        &path,
        json!({ "version": 7, "title": "x", "reviewers": [{ "user": { "name": "mei.tanaka" } }] }),
    )
    .await;
    assert_eq!((reply.status, reply.error().as_str()), (409, "PullRequestOutOfDateException"));
    let error = &reply.json()["errors"][0];
    assert_eq!((&error["currentVersion"], &error["expectedVersion"]), (&json!(0), &json!(7)));
    assert_eq!(error["pullRequest"]["title"], "A new one");
    let body = json!({ "version": 0, "title": "Another", "draft": true,
        "reviewers": [{ "user": { "name": "priya.raman" } }] });
    let changed = write(&demo, "PUT", &path, body).await.json();
    assert_eq!((&changed["version"], &changed["draft"]), (&json!(1), &json!(true)));
    assert!(changed.get("description").is_none(), "what is left out is cleared");
    let page = ledger(&demo, &format!("{path}/activities")).await;
    assert_eq!(page["values"][0]["addedReviewers"][0]["name"], "priya.raman");
    assert_eq!(page["values"][0]["removedReviewers"][0]["name"], "mei.tanaka");
    let other = json!({ "version": 1, "reviewers": [] });
    let reply = send(&demo, "mei.tanaka", "PUT", &format!("{LEDGER}{path}"), other).await;
    assert_eq!(
        (reply.status, reply.error().as_str()),
        (409, "InvalidPullRequestReviewersException")
    );
    let merge = write(&demo, "POST", &format!("{path}/merge?version=1"), json!({})).await;
    assert_eq!(merge.error(), "PullRequestMergeVetoedException", "a draft");
}

#[tokio::test]
async fn merging_checks_version_conflicts_and_vetoes() {
    let demo = demo().await;
    let missing = write(&demo, "POST", "/pull-requests/2/merge", json!({})).await;
    assert_eq!(missing.error(), "PullRequestOutOfDateException");
    assert_eq!(missing.json()["errors"][0]["expectedVersion"], -1);
    let current = missing.json()["errors"][0]["currentVersion"].clone();
    let body = json!({ "version": current });
    let conflict = write(&demo, "POST", "/pull-requests/2/merge", body).await.json();
    assert_eq!(conflict["errors"][0]["conflicted"], true);
    assert_eq!(conflict["errors"][0]["vetoes"], json!([]));
    let path = format!(
        "/pull-requests/1/merge?version={}",
        ledger(&demo, "/pull-requests/1").await["version"]
    );
    let vetoed = write(&demo, "POST", &path, json!({})).await.json();
    assert_eq!(vetoed["errors"][0]["vetoes"].as_array().unwrap().len(), 3);
    let unknown = write(&demo, "POST", &path, json!({ "strategyId": "ff-only" })).await;
    assert_eq!(unknown.status, 400);
    let closed = write(&demo, "POST", "/pull-requests/4/merge?version=1", json!({})).await;
    assert_eq!(closed.error(), "IllegalPullRequestStateException");
    let reader = send(&demo, "mallory", "POST", &format!("{LEDGER}{path}"), json!({})).await;
    assert_eq!((reader.status, reader.error().as_str()), (401, "AuthorisationException"));
}

#[tokio::test]
async fn every_strategy_leaves_its_own_history() {
    for (strategy, parents) in [("no-ff", 2), ("squash", 1), ("rebase-no-ff", 2), ("ff", 1)] {
        let demo = demo().await;
        let created = opened(&demo).await;
        let path = format!("{PULLS}/{}", created["id"]);
        let source = created["fromRef"]["latestCommit"].clone();
        let body = json!({ "version": 0, "strategyId": strategy, "message": "As agreed" });
        let merged = write(&demo, "POST", &format!("{path}/merge"), body).await;
        assert_eq!(merged.status, 200, "{}", merged.text());
        assert_eq!(merged.json()["state"], "MERGED");
        let tip =
            ledger(&demo, "/commits?until=refs/heads/main&limit=1").await["values"][0].clone();
        assert_eq!(tip["parents"].as_array().unwrap().len(), parents, "{strategy}");
        assert_eq!(tip["id"] == source, strategy == "ff");
        let full = ledger(&demo, &format!("{path}?withProperties=true")).await;
        assert_eq!(full["properties"].get("mergeCommit").is_some(), strategy != "ff");
        let activity = ledger(&demo, &format!("{path}/activities")).await["values"][0].clone();
        assert_eq!(
            (&activity["action"], activity.get("commit").is_some()),
            (&json!("MERGED"), strategy != "ff")
        );
    }
}

#[tokio::test]
async fn a_declined_one_can_be_reopened_and_deleted() {
    let demo = demo().await;
    let created = opened(&demo).await;
    let id = created["id"].as_u64().unwrap();
    let path = format!("{PULLS}/{id}");
    let early = write(&demo, "POST", &format!("{path}/reopen?version=0"), json!({})).await;
    assert_eq!(early.error(), "IllegalPullRequestStateException");
    let body = json!({ "version": 0, "comment": "Not now" });
    let declined = write(&demo, "POST", &format!("{path}/decline"), body).await.json();
    assert_eq!((&declined["state"], &declined["version"]), (&json!("DECLINED"), &json!(1)));
    let reopened =
        write(&demo, "POST", &format!("{path}/reopen?version=1"), json!({})).await.json();
    assert_eq!((&reopened["state"], reopened.get("closedDate")), (&json!("OPEN"), None));
    assert_eq!(actions(&demo, id).await, ["REOPENED", "DECLINED", "COMMENTED", "OPENED"]);
    let stale = write(&demo, "DELETE", &path, json!({ "version": 0 })).await;
    assert_eq!(stale.error(), "PullRequestOutOfDateException");
    let gone = write(&demo, "DELETE", &path, json!({ "version": 2 })).await;
    assert_eq!((gone.status, gone.body.len()), (204, 0));
    assert_eq!(get(&demo, &format!("{LEDGER}{path}")).await.status, 404);
    let next = write(&demo, "POST", PULLS, opening("topic/one")).await.json();
    assert_eq!(next["id"], id + 1, "no number is given twice");
}

#[tokio::test]
async fn an_armed_merge_waits_for_what_blocks_it() {
    let demo = demo().await;
    let created = opened(&demo).await;
    let path = format!("{PULLS}/{}", created["id"]);
    let tip = created["fromRef"]["latestCommit"].as_str().unwrap().to_owned();
    let comment = json!({ "text": "Write it down", "severity": "BLOCKER" });
    let task = write(&demo, "POST", &format!("{path}/comments"), comment).await.json();
    let body = json!({ "version": 0, "autoMerge": true, "strategyId": "squash" });
    let armed = write(&demo, "POST", &format!("{path}/merge"), body.clone()).await.json();
    assert_eq!(armed["state"], "OPEN");
    let shown = ledger(&demo, &format!("{path}/auto-merge")).await;
    assert_eq!((&shown["strategyId"], &shown["fromHash"]), (&json!("squash"), &json!(tip)));
    assert_eq!(write(&demo, "DELETE", &format!("{path}/auto-merge"), json!({})).await.status, 204);
    assert_eq!(get(&demo, &format!("{LEDGER}{path}/auto-merge")).await.status, 404);
    assert_eq!(write(&demo, "POST", &format!("{path}/auto-merge"), json!({})).await.status, 400);
    write(&demo, "POST", &format!("{path}/merge"), body).await;
    let done = json!({ "version": 0, "state": "RESOLVED" });
    write(&demo, "PUT", &format!("{path}/comments/{}", task["id"]), done).await;
    assert_eq!(ledger(&demo, &path).await["state"], "MERGED");
    assert_eq!(
        actions(&demo, created["id"].as_u64().unwrap()).await[..3],
        ["MERGED", "AUTO_MERGE_REQUESTED", "AUTO_MERGE_CANCELLED"]
    );
}

#[tokio::test]
async fn distant_changes_of_one_file_merge() {
    let demo = demo().await;
    let text: String = (0..20).map(|line| format!("{line}\n")).collect();
    let push = |branch: &str, text: String| {
        let files: [(&str, Option<&[u8]>); 1] = [("lines.txt", Some(text.as_bytes()))];
        demo.push("OPS", "deploy-tools", branch, USER, "Lines", &files).unwrap()
    };
    push("main", text.clone());
    push("side", text.replacen("3\n", "three\n", 1));
    push("main", text.replace("17\n", "seventeen\n"));
    let path = "/rest/api/latest/projects/OPS/repos/deploy-tools";
    let body = json!({ "title": "T", "fromRef": { "id": "side" }, "toRef": { "id": "main" } });
    let made = send(&demo, USER, "POST", &format!("{path}/pull-requests"), body).await.json();
    let merge = format!("{path}/pull-requests/{}/merge?version=0", made["id"]);
    let merged = send(&demo, USER, "POST", &merge, json!({})).await;
    assert_eq!(merged.status, 200, "{}", merged.text());
    let now = get(&demo, &format!("{path}/raw/lines.txt?at=main")).await.text();
    assert!(now.contains("\nthree\n") && now.contains("\nseventeen\n"), "{now}");
}

#[tokio::test]
async fn an_overtaken_merge_is_to_be_tried_again() {
    let demo = demo().await;
    let created = opened(&demo).await;
    demo.overtake_merges(1);
    let path = format!("{PULLS}/{}/merge?version=0", created["id"]);
    let first = write(&demo, "POST", &path, json!({})).await;
    assert_eq!((first.status, first.error().as_str()), (409, "MergeException"));
    assert_eq!(write(&demo, "POST", &path, json!({})).await.status, 200);
}

#[tokio::test]
async fn a_tag_may_be_the_source() {
    let demo = demo().await;
    built(&demo, "topic/one").await;
    let tag = json!({ "name": "t", "startPoint": "topic/one" });
    write(&demo, "POST", "/tags", tag).await;
    let mut body = opening("x");
    body["fromRef"]["id"] = json!("refs/tags/t");
    let made = write(&demo, "POST", PULLS, body).await.json();
    assert_eq!(
        (&made["fromRef"]["id"], &made["fromRef"]["type"]),
        (&json!("refs/tags/t"), &json!("TAG"))
    );
    let path = format!("{PULLS}/{}/merge?version=0", made["id"]);
    assert_eq!(write(&demo, "POST", &path, json!({})).await.status, 200);
}

#[tokio::test]
async fn a_new_target_is_checked_like_a_first_one() {
    let demo = demo().await;
    let created = opened(&demo).await;
    let path = format!("{PULLS}/{}", created["id"]);
    let aimed = |version: u64, target: &str| {
        json!({ "version": version, "title": "T", "toRef": { "id": format!("refs/heads/{target}") },
            "reviewers": [{ "user": { "name": "mei.tanaka" } }] })
    };
    let comment = json!({ "text": "x", "anchor": { "path": "topic.md", "line": 1, "lineType": "ADDED", "fileType": "TO" } });
    let made = write(&demo, "POST", &format!("{path}/comments"), comment).await.json();
    let changed = write(&demo, "PUT", &path, aimed(0, "release/2.3")).await.json();
    assert_eq!(
        (&changed["toRef"]["displayId"], &changed["version"]),
        (&json!("release/2.3"), &json!(1))
    );
    let held = ledger(&demo, &format!("{path}/comments/{}", made["id"])).await;
    assert_eq!(held["anchor"]["orphaned"], false);
    assert_ne!(held["anchor"]["fromHash"], made["anchor"]["fromHash"]);
    let second = write(&demo, "POST", PULLS, opening("topic/one")).await;
    assert_eq!(second.status, 201, "the first one aims elsewhere");
    let back = write(&demo, "PUT", &path, aimed(1, "main")).await;
    assert_eq!((back.status, back.error().as_str()), (409, "DuplicatePullRequestException"));
}
