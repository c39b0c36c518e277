//! Filters, and operations beside the main road.

use serde_json::{Value, json};

use super::{LEDGER, demo, get, ledger, send, values, write};
use crate::USER;

async fn names(demo: &crate::Demo, path: &str, member: &str) -> Vec<String> {
    let reply = get(demo, &format!("/rest/api/latest/{path}")).await;
    assert_eq!(reply.status, 200, "{path}: {}", reply.text());
    let page = reply.json();
    values(&page).iter().map(|item| item[member].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn people_are_filtered_by_what_they_may_do() {
    let demo = demo().await;
    let place = "permission.projectKey=PAY&permission.repositorySlug=ledger";
    let all = names(&demo, &format!("users?permission=REPO_READ&{place}"), "name").await;
    let writing = names(&demo, &format!("users?permission=REPO_WRITE&{place}"), "name").await;
    let ruling = names(&demo, &format!("users?permission=REPO_ADMIN&{place}"), "name").await;
    assert!(all.len() > writing.len() && writing.len() > ruling.len());
    assert_eq!(ruling, [USER, "luis.ferreira"]);
    let two = "permission.1=PROJECT_ADMIN&permission.1.projectKey=PAY&permission.2=LICENSED_USER";
    assert_eq!(names(&demo, &format!("users?{two}"), "name").await, ruling);
    // The last one asks about a repository that is hidden from the caller.
    for wrong in [
        "permission=EVERYTHING",
        "permission=REPO_READ",
        "permission=REPO_READ&permission.repositoryId=9",
    ] {
        let reply = get(&demo, &format!("/rest/api/latest/users?{wrong}")).await;
        assert_eq!(reply.status, 400, "{wrong}");
    }
}

#[tokio::test]
async fn repositories_are_filtered_by_everything_there_is() {
    let demo = demo().await;
    let all = names(&demo, "repos?limit=100", "slug").await;
    for (filter, expected) in [
        ("visibility=public", vec![]),
        ("state=OFFLINE", vec![]),
        ("projectkey=pay&name=led", vec!["ledger"]),
        ("projectname=Platform&name=deploy", vec!["deploy-tools"]),
        ("archived=ARCHIVED", vec!["archive-me"]),
    ] {
        assert_eq!(names(&demo, &format!("repos?{filter}"), "slug").await, expected, "{filter}");
    }
    assert_eq!(names(&demo, "repos?visibility=private&limit=100", "slug").await, all);
    // What is somebody's own is no place for the others to write in.
    let writable = names(&demo, "repos?permission=REPO_WRITE&limit=100", "slug").await;
    assert_eq!(writable.len() + 1, all.len());
    let recent = "profile/recent/repos?permission=REPO_ADMIN&limit=100";
    assert_eq!(names(&demo, recent, "slug").await.len(), writable.len());
    assert_eq!(names(&demo, "projects?name=pay&permission=PROJECT_ADMIN", "key").await, ["PAY"]);
    assert_eq!(values(&ledger(&demo, "/forks").await)[0]["project"]["key"], "~YUSUF.DEMIR");
    let picture = get(&demo, "/rest/api/latest/projects/PAY/avatar.png").await;
    assert!(picture.body.starts_with(b"\x89PNG"));
}

#[tokio::test]
async fn a_branch_that_was_pushed_is_suggested_until_a_pull_request_uses_it() {
    let demo = demo().await;
    let file: [(&str, Option<&[u8]>); 1] = [("x.md", Some(b"x\n"))];
    let tip = demo.push("PAY", "ledger", "topic/new", USER, "New", &file).unwrap();
    let place = "/rest/api/latest/dashboard/pull-request-suggestions";
    let page = get(&demo, &format!("{place}?changesSince=60&limit=1")).await.json();
    let first = &values(&page)[0];
    assert_eq!(first["fromRef"]["displayId"], "topic/new");
    assert_eq!(first["toRef"]["displayId"], "main");
    assert_eq!(
        (&first["refChange"]["toHash"], &first["refChange"]["type"]),
        (&json!(tip), &json!("ADD"))
    );
    assert!(first["changeTme"].is_i64() && first["repository"]["slug"] == "ledger");
    demo.push("PAY", "ledger", "topic/new", USER, "More", &[("y.md", Some(b"y\n"))]).unwrap();
    let page = get(&demo, &format!("{place}?changesSince=60")).await.json();
    assert_eq!(values(&page)[0]["refChange"]["type"], "UPDATE");
    assert_eq!(values(&page)[0]["refChange"]["fromHash"], tip);
    let body = json!({ "title": "T", "fromRef": { "id": "topic/new" }, "toRef": { "id": "main" } });
    assert_eq!(write(&demo, "POST", "/pull-requests", body).await.status, 201);
    let page = get(&demo, &format!("{place}?changesSince=60")).await.json();
    assert_eq!(values(&page).len(), 0);
}

#[tokio::test]
async fn a_commit_is_in_one_branch_and_a_path_has_its_own_history() {
    let demo = demo().await;
    let from = "until=refs/heads/feature/PAY-412-idempotent-retries";
    let moved = "src/main/kotlin/ledger/money/Amount.kt";
    let short = ledger(&demo, &format!("/commits?{from}&path={moved}")).await;
    let whole = ledger(&demo, &format!("/commits?{from}&path={moved}&followRenames=true")).await;
    assert_eq!((values(&short).len(), values(&whole).len()), (1, 2), "one under the old name");
    let none = ledger(&demo, "/commits?until=none&ignoreMissing=true").await;
    assert_eq!(values(&none).len(), 0);
    let last = ledger(&demo, "/commits/main?path=config/limits.yaml").await;
    assert!(last["message"].as_str().unwrap().starts_with("PAY-431"), "{last}");
    let id = last["id"].as_str().unwrap();
    let info = "/rest/branch-utils/latest/projects/PAY/repos/ledger/branches/info";
    let page = get(&demo, &format!("{info}/{id}")).await.json();
    assert_eq!(values(&page).len(), 1);
    assert_eq!(
        page["values"][0],
        json!({ "id": "refs/heads/main", "displayId": "main", "type": "BRANCH" })
    );
    let boosted = ledger(&demo, "/branches?filterText=main&boostMatches=true").await;
    assert_eq!(boosted["values"][0]["displayId"], "main");
}

#[tokio::test]
async fn a_build_goes_by_its_key() {
    let demo = demo().await;
    let tip = ledger(&demo, "/pull-requests/1").await["fromRef"]["latestCommit"].clone();
    let path = format!("/commits/{}/builds", tip.as_str().unwrap());
    let key = format!("{path}?key=ledger-build-1288");
    let other = send(&demo, "mei.tanaka", "DELETE", &format!("{LEDGER}{key}"), Value::Null).await;
    assert_eq!((other.status, other.error().as_str()), (401, "AuthorisationException"));
    assert_eq!(write(&demo, "DELETE", &key, Value::Null).await.status, 204);
    assert_eq!(get(&demo, &format!("{LEDGER}{key}")).await.status, 404);
    let wrong = write(&demo, "POST", &path, json!({ "key": "k" })).await;
    assert_eq!(wrong.json()["errors"].as_array().unwrap().len(), 2, "{}", wrong.text());
    let at = "/rest/ui/latest/projects/PAY/repos/ledger/builds?at=refs/heads/feature/PAY-412-idempotent-retries";
    assert_eq!(values(&get(&demo, at).await.json()).len(), 4, "without the one removed");
}

#[tokio::test]
async fn a_page_of_activities_begins_where_it_is_told() {
    let demo = demo().await;
    let all = ledger(&demo, "/pull-requests/1/activities?limit=100").await;
    let ids: Vec<&Value> = values(&all).iter().map(|item| &item["id"]).collect();
    let from = format!("/pull-requests/1/activities?limit=3&fromType=ACTIVITY&fromId={}", ids[4]);
    let page = ledger(&demo, &from).await;
    let shown: Vec<&Value> = values(&page).iter().map(|item| &item["id"]).collect();
    assert_eq!(shown, ids[4..7]);
    let thread = values(&all).iter().find(|item| item["action"] == "COMMENTED").unwrap();
    let id = &thread["comment"]["id"];
    let from = format!("/pull-requests/1/activities?limit=1&fromType=COMMENT&fromId={id}");
    assert_eq!(ledger(&demo, &from).await["values"][0]["id"], thread["id"]);
    let vague = get(&demo, &format!("{LEDGER}/pull-requests/1/activities?fromId={id}")).await;
    assert_eq!(vague.status, 400);
}

#[tokio::test]
async fn a_comment_on_a_commit_is_drawn_in_the_diff_of_that_commit_alone() {
    let demo = demo().await;
    let commits = ledger(&demo, "/pull-requests/1/commits").await;
    let (tip, parent) = (&commits["values"][0]["id"], &commits["values"][1]["id"]);
    let file = "docs/release%20notes.md";
    let anchor = json!({ "path": "docs/release notes.md", "line": 3, "lineType": "ADDED",
        "fileType": "TO", "diffType": "COMMIT", "fromHash": parent, "toHash": tip });
    let body = json!({ "text": "Here", "anchor": anchor });
    let made = write(&demo, "POST", "/pull-requests/1/comments", body).await;
    assert_eq!(made.status, 201, "{}", made.text());
    let id = made.json()["id"].to_string();
    let drawn = |diff: Value| diff.to_string().contains(&format!("\"id\":{id}"));
    let path = format!("/pull-requests/1/diff/{file}");
    assert!(!drawn(ledger(&demo, &path).await));
    let until = format!("{path}?untilId={}&diffType=COMMIT", tip.as_str().unwrap());
    assert!(drawn(ledger(&demo, &until).await));
    let list = format!("/pull-requests/1/comments?path={file}&limit=100");
    assert!(!drawn(ledger(&demo, &list).await));
    let (from, to) = (parent.as_str().unwrap(), tip.as_str().unwrap());
    let list = format!("{list}&diffTypes=COMMIT&fromHash={from}&toHash={to}");
    assert!(drawn(ledger(&demo, &list).await));
    let open = format!("/pull-requests/1/comments?path={file}&states=OPEN");
    let resolved = format!("/pull-requests/1/comments?path={file}&states=RESOLVED");
    assert_eq!(values(&ledger(&demo, &open).await).len(), 0);
    assert_eq!(values(&ledger(&demo, &resolved).await).len(), 1);
}

#[tokio::test]
async fn the_subject_is_left_out_where_it_is_not_wanted() {
    let whole = "Pull request #8: A new one\n\nAs is";
    for (wanted, expected) in [
        (json!(false), "As is"),
        (json!("false"), "As is"),
        (json!(true), whole),
        (json!(null), whole),
    ] {
        let demo = demo().await;
        let created = super::lifecycle::opened(&demo).await;
        let path = format!("/pull-requests/{}/merge", created["id"]);
        let body = json!({ "version": 0, "message": "As is", "autoSubject": wanted,
            "strategyId": "squash" });
        assert_eq!(write(&demo, "POST", &path, body).await.status, 200);
        assert_eq!(ledger(&demo, "/commits/main").await["message"], expected);
    }
}

#[tokio::test]
async fn an_applied_suggestion_says_so() {
    let demo = demo().await;
    super::lifecycle::opened(&demo).await;
    let body = json!({ "text": "```suggestion\ntwo\n```", "anchor": { "path": "topic.md",
        "line": 1, "lineType": "ADDED", "fileType": "TO" } });
    let id = ledger(&demo, "/pull-requests").await["values"][0]["id"].clone();
    let pull = format!("/pull-requests/{id}");
    let made = write(&demo, "POST", &format!("{pull}/comments"), body).await.json();
    assert!(made["properties"].get("suggestionState").is_none());
    let path = format!("{pull}/comments/{}", made["id"]);
    let body = json!({ "commentVersion": 0, "pullRequestVersion": 0, "suggestionIndex": 0,
        "message": "Apply" });
    let applied = write(&demo, "POST", &format!("{path}/apply-suggestion"), body).await;
    assert_eq!(applied.status, 204, "{}", applied.text());
    let comment = ledger(&demo, &path).await;
    assert_eq!(comment["properties"]["suggestionState"], "APPLIED");
    assert_eq!(comment["properties"]["suggestionIndex"], 0);
    let raw = get(&demo, &format!("{LEDGER}/raw/topic.md?at=topic/one")).await;
    assert_eq!(raw.text(), "two\n");
}

#[tokio::test]
async fn what_is_kept_elsewhere_answers_as_its_pointer() {
    let demo = demo().await;
    let path = "/rest/api/latest/projects/PAY/repos/statements/raw/assets/how-to-read.mp4";
    let reply = get(&demo, path).await;
    assert!(reply.text().starts_with("version https://git-lfs"), "{}", reply.text());
}
