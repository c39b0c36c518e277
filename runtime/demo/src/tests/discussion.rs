//! Comments, tasks, verdicts and drafts, and what they leave alone.

use serde_json::{Value, json};

use super::{LEDGER, demo, get, ledger, send, values, write};
use crate::{Demo, USER};

const FIRST: &str = "/pull-requests/1";
const SERVICE: &str = "src/main/kotlin/ledger/PostingService.kt";

async fn comment(demo: &Demo, body: Value) -> Value {
    let reply = write(demo, "POST", &format!("{FIRST}/comments"), body).await;
    assert_eq!(reply.status, 201, "{}", reply.text());
    reply.json()
}

/// Line numbers of the service in the first pull request: one of each type.
async fn lines(demo: &Demo) -> Vec<(String, u64, u64)> {
    let diff = ledger(demo, &format!("{FIRST}/diff/{SERVICE}")).await;
    let mut found = Vec::new();
    for hunk in diff["diffs"][0]["hunks"].as_array().unwrap() {
        for segment in hunk["segments"].as_array().unwrap() {
            let line = &segment["lines"][0];
            found.push((
                segment["type"].as_str().unwrap().to_owned(),
                line["source"].as_u64().unwrap(),
                line["destination"].as_u64().unwrap(),
            ));
        }
    }
    found
}

#[tokio::test]
async fn a_comment_leaves_version_and_date_alone() {
    let demo = demo().await;
    let before = ledger(&demo, FIRST).await;
    let made = comment(&demo, json!({ "text": "A word", "unknown": 1 })).await;
    assert_eq!((&made["version"], &made["state"]), (&json!(0), &json!("OPEN")));
    assert_eq!(made["permittedOperations"]["editable"], true);
    let path = format!("{FIRST}/comments/{}", made["id"]);
    let resolved =
        write(&demo, "PUT", &path, json!({ "version": 0, "threadResolved": true })).await;
    assert_eq!(resolved.json()["threadResolved"], true);
    assert_eq!(
        (&resolved.json()["state"], &resolved.json()["version"]),
        (&json!("OPEN"), &json!(1))
    );
    let verdict = json!({ "status": "APPROVED" });
    write(&demo, "PUT", &format!("{FIRST}/participants/{USER}"), verdict).await;
    let after = ledger(&demo, FIRST).await;
    for member in ["version", "updatedDate"] {
        assert_eq!(before[member], after[member], "{member}");
    }
}

#[tokio::test]
async fn replies_hang_on_their_thread_and_go_first() {
    let demo = demo().await;
    let root = comment(&demo, json!({ "text": "Root" })).await;
    let reply = comment(&demo, json!({ "text": "Reply", "parent": { "id": root["id"] } })).await;
    let deep = comment(&demo, json!({ "text": "Deep", "parent": { "id": reply["id"] } })).await;
    let page = ledger(&demo, &format!("{FIRST}/activities")).await;
    let kinds: Vec<&str> = values(&page)[..3]
        .iter()
        .map(|activity| activity["commentAction"].as_str().unwrap())
        .collect();
    assert_eq!(kinds, ["REPLIED", "REPLIED", "ADDED"]);
    assert_eq!(page["values"][0]["comment"]["id"], root["id"]);
    assert_eq!(page["values"][0]["comment"]["comments"][0]["comments"][0]["text"], "Deep");
    let path = |id: &Value| format!("{FIRST}/comments/{id}?version=0");
    let early = write(&demo, "DELETE", &path(&root["id"]), Value::Null).await;
    assert_eq!((early.status, early.error().as_str()), (409, "CommentDeletionException"));
    let stale = format!("{FIRST}/comments/{}?version=4", deep["id"]);
    let stale = write(&demo, "DELETE", &stale, Value::Null).await;
    assert_eq!((stale.status, stale.error().as_str()), (409, "CommentOutOfDateException"));
    for id in [&deep["id"], &reply["id"], &root["id"]] {
        assert_eq!(write(&demo, "DELETE", &path(id), Value::Null).await.status, 204);
    }
    let page = ledger(&demo, &format!("{FIRST}/activities")).await;
    assert_eq!(page["values"][0]["commentAction"], "DELETED");
    let none = write(
        &demo,
        "POST",
        &format!("{FIRST}/comments"),
        json!({ "text": "x", "parent": { "id": 9 } }),
    )
    .await;
    assert_eq!((none.status, none.error().as_str()), (404, "NoSuchCommentException"));
}

#[tokio::test]
async fn only_the_author_words_a_comment() {
    let demo = demo().await;
    let made = comment(&demo, json!({ "text": "Mine" })).await;
    let path = format!("{LEDGER}{FIRST}/comments/{}", made["id"]);
    let edit = |version: u64| json!({ "version": version, "text": "Edited" });
    let reply = send(&demo, "mei.tanaka", "PUT", &path, edit(0)).await;
    assert_eq!((reply.status, reply.error().as_str()), (401, "AuthorisationException"));
    let unversioned = send(&demo, USER, "PUT", &path, json!({ "text": "x" })).await;
    assert_eq!(unversioned.status, 400);
    assert_eq!(send(&demo, USER, "PUT", &path, edit(3)).await.error(), "CommentOutOfDateException");
    let edited = send(&demo, USER, "PUT", &path, edit(0)).await.json();
    assert_eq!((&edited["text"], &edited["version"]), (&json!("Edited"), &json!(1)));
    let state = send(&demo, USER, "PUT", &path, json!({ "version": 1, "state": "RESOLVED" })).await;
    assert_eq!(state.status, 400, "only a task has a state");
    let task = send(
        &demo,
        "jonas.lindqvist",
        "PUT",
        &path,
        json!({ "version": 1, "severity": "BLOCKER" }),
    )
    .await;
    assert_eq!(task.json()["severity"], "BLOCKER", "its author may make it a task");
    let done =
        send(&demo, USER, "PUT", &path, json!({ "version": 2, "state": "RESOLVED" })).await.json();
    assert_eq!((&done["state"], &done["threadResolved"]), (&json!("RESOLVED"), &json!(false)));
    assert_eq!(done["resolver"]["name"], USER);
    let counts = ledger(&demo, &format!("{FIRST}/blocker-comments?count=true")).await;
    assert_eq!(counts, json!({ "OPEN": 2, "RESOLVED": 2 }));
}

#[tokio::test]
async fn a_comment_stands_on_a_line_of_its_type() {
    let demo = demo().await;
    for (kind, source, destination) in lines(&demo).await {
        let (line, side) = if kind == "REMOVED" { (source, "FROM") } else { (destination, "TO") };
        let anchor = json!({ "path": SERVICE, "line": line, "lineType": kind, "fileType": side });
        let made = comment(&demo, json!({ "text": "here", "anchor": anchor })).await;
        assert_eq!(made["anchor"]["line"], line);
        assert_eq!(made["anchor"]["path"], SERVICE);
        let diff = ledger(&demo, &format!("{FIRST}/diff/{SERVICE}")).await.to_string();
        assert!(
            diff.contains(&format!("\"commentIds\":[{}]", made["id"]))
                || diff.contains(&format!("{}]", made["id"])),
            "{kind} {line}"
        );
        let wrong = if kind == "ADDED" { "CONTEXT" } else { "ADDED" };
        let anchor = json!({ "path": SERVICE, "line": line, "lineType": wrong, "fileType": "TO" });
        let body = json!({ "text": "x", "anchor": anchor });
        let refused = write(&demo, "POST", &format!("{FIRST}/comments"), body).await;
        assert_eq!(refused.status, if kind == "REMOVED" { refused.status } else { 400 });
    }
    let context = lines(&demo)
        .await
        .into_iter()
        .find(|(kind, source, destination)| kind == "CONTEXT" && source != destination)
        .unwrap();
    let anchor =
        json!({ "path": SERVICE, "line": context.1, "lineType": "CONTEXT", "fileType": "FROM" });
    let made = comment(&demo, json!({ "text": "as it was", "anchor": anchor })).await;
    assert_eq!(made["anchor"]["fileType"], "FROM");
    let anchor = json!({ "path": SERVICE });
    assert!(
        comment(&demo, json!({ "text": "file", "anchor": anchor })).await["anchor"]
            .get("line")
            .is_none()
    );
    let range = json!({ "path": SERVICE, "diffType": "RANGE" });
    let body = json!({ "text": "x", "anchor": range });
    assert_eq!(write(&demo, "POST", &format!("{FIRST}/comments"), body).await.status, 400);
}

#[tokio::test]
async fn a_comment_on_several_lines_keeps_them() {
    let demo = demo().await;
    let (_, _, first) =
        lines(&demo).await.into_iter().find(|(kind, ..)| kind == "CONTEXT").unwrap();
    let anchor = json!({
        "path": { "components": SERVICE.split('/').collect::<Vec<_>>() },
        "line": first + 1, "lineType": "CONTEXT", "fileType": "TO",
        "multilineMarker": { "startLine": first, "startLineType": "CONTEXT" },
        "multilineSpan": { "dstSpanStart": first, "dstSpanEnd": first + 1 },
    });
    let made =
        comment(&demo, json!({ "text": "```suggestion\nboth\n```", "anchor": anchor })).await;
    assert_eq!(made["anchor"]["multilineSpan"]["dstSpanStart"], first);
    let path = format!("{LEDGER}{FIRST}/comments/{}/apply-suggestion", made["id"]);
    let version = ledger(&demo, FIRST).await["version"].clone();
    let body = |message: &str| json!({ message: "Both", "commentVersion": 0, "pullRequestVersion": version, "suggestionIndex": 0 });
    assert_eq!(send(&demo, USER, "POST", &path, body("commitMessage")).await.status, 400);
    let reply = send(&demo, USER, "POST", &path, body("message")).await;
    assert_eq!(reply.status, 204, "{}", reply.text());
    let commits = ledger(&demo, &format!("{FIRST}/commits")).await;
    assert_eq!(commits["values"][0]["message"], "Both");
}

#[tokio::test]
async fn a_draft_shows_to_its_author_until_it_is_published() {
    let demo = demo().await;
    let review = format!("{FIRST}/review");
    assert_eq!(write(&demo, "PUT", &review, json!({})).await.status, 404);
    let before = ledger(&demo, &format!("{FIRST}?withProperties=true")).await;
    let made = comment(&demo, json!({ "text": "Draft", "state": "PENDING" })).await;
    assert_eq!(made["state"], "PENDING");
    let with = ledger(&demo, &format!("{FIRST}?withProperties=true")).await;
    assert_eq!(before["properties"]["commentCount"], with["properties"]["commentCount"]);
    let path = format!("{LEDGER}{FIRST}/comments/{}", made["id"]);
    let other = send(&demo, "mei.tanaka", "PUT", &path, json!({ "version": 0 })).await;
    assert_eq!(other.status, 404);
    let page = ledger(&demo, &format!("{FIRST}/activities")).await;
    assert_ne!(page["values"][0]["comment"]["id"], made["id"]);
    let body = json!({ "participantStatus": "NEEDS_WORK", "commentText": "See above" });
    assert_eq!(write(&demo, "PUT", &review, body).await.status, 200);
    let page = ledger(&demo, &format!("{FIRST}/activities")).await;
    let shown: Vec<&str> =
        values(&page)[..3].iter().map(|activity| activity["action"].as_str().unwrap()).collect();
    assert_eq!(shown, ["COMMENTED", "COMMENTED", "REVIEWED"]);
    comment(&demo, json!({ "text": "Second thought", "state": "PENDING" })).await;
    assert_eq!(write(&demo, "DELETE", &review, Value::Null).await.status, 204);
    assert_eq!(write(&demo, "DELETE", &review, Value::Null).await.status, 404);
}

#[tokio::test]
async fn a_verdict_is_ones_own_and_about_what_one_saw() {
    let demo = demo().await;
    let mine = format!("{FIRST}/participants/{USER}");
    let reply = write(
        &demo,
        "PUT",
        &format!("{FIRST}/participants/mei.tanaka"),
        json!({ "status": "APPROVED" }),
    )
    .await;
    assert_eq!((reply.status, reply.error().as_str()), (401, "AuthorisationException"));
    let author = send(
        &demo,
        "jonas.lindqvist",
        "PUT",
        &format!("{LEDGER}{FIRST}/participants/jonas.lindqvist"),
        json!({ "status": "APPROVED" }),
    )
    .await;
    assert_eq!((author.status, author.error().as_str()), (400, "InvalidPullRequestRoleException"));
    let moved = json!({ "status": "APPROVED", "lastReviewedCommit": "0".repeat(40) });
    assert_eq!(write(&demo, "PUT", &mine, moved).await.status, 409);
    assert_eq!(write(&demo, "PUT", &mine, json!({ "status": "FINE" })).await.status, 400);
    let closed = write(&demo, "PUT", "/pull-requests/5/participants/mei.tanaka", json!({})).await;
    assert!(closed.status >= 400);
    let tip = ledger(&demo, FIRST).await["fromRef"]["latestCommit"].clone();
    for (status, action) in
        [("APPROVED", "APPROVED"), ("NEEDS_WORK", "REVIEWED"), ("UNAPPROVED", "UNAPPROVED")]
    {
        let body = json!({ "user": { "name": USER }, "status": status, "lastReviewedCommit": tip });
        let held = write(&demo, "PUT", &mine, body).await.json();
        assert_eq!((&held["status"], &held["role"]), (&json!(status), &json!("REVIEWER")));
        assert_eq!(held["lastReviewedCommit"], tip);
        let page = ledger(&demo, &format!("{FIRST}/activities")).await;
        assert_eq!(page["values"][0]["action"], action);
    }
    let luis = send(&demo, "nour.haddad", "POST", &format!("{LEDGER}{FIRST}/approve"), json!({}))
        .await
        .json();
    assert_eq!((&luis["role"], &luis["approved"]), (&json!("PARTICIPANT"), &json!(true)));
    let added = json!({ "user": { "name": "nour.haddad" }, "role": "REVIEWER" });
    let added = send(&demo, "nour.haddad", "POST", &format!("{LEDGER}{FIRST}/participants"), added)
        .await
        .json();
    assert_eq!((&added["role"], &added["status"]), (&json!("REVIEWER"), &json!("APPROVED")));
    let path = format!("{LEDGER}{FIRST}/participants/nour.haddad");
    assert_eq!(send(&demo, "nour.haddad", "DELETE", &path, Value::Null).await.status, 204);
    assert_eq!(
        get(&demo, &format!("{LEDGER}{FIRST}")).await.json()["reviewers"].as_array().unwrap().len(),
        3
    );
}
