//! Pull requests: lists, discussion, diffs, builds.

use serde_json::Value;

use super::{LEDGER, ask, demo, get, ledger, values};
use crate::{TOKEN, USER};

#[tokio::test]
async fn the_dashboard_holds_only_own_work() {
    let demo = demo().await;
    let path = "/rest/api/latest/dashboard/pull-requests";
    let all = get(&demo, path).await.json();
    assert_eq!(values(&all).len(), 8);
    for item in values(&all) {
        let own = ["reviewers", "participants"]
            .iter()
            .flat_map(|part| item[part].as_array().unwrap())
            .chain([&item["author"]])
            .any(|participant| participant["user"]["name"] == USER);
        assert!(own, "{}", item["title"]);
    }
    let authored = get(&demo, &format!("{path}?role=AUTHOR&state=OPEN")).await.json();
    assert_eq!(values(&authored).len(), 2);
    assert_eq!(get(&demo, &format!("{path}?role=OWNER")).await.status, 400);
}

#[tokio::test]
async fn lists_filter_by_people_state_and_branch() {
    let demo = demo().await;
    let count =
        async |query: &str| values(&ledger(&demo, &format!("/pull-requests?{query}")).await).len();
    assert_eq!(count("").await, 5);
    assert_eq!(count("state=ALL").await, 7);
    assert_eq!(count("state=MERGED").await, 1);
    assert_eq!(count("username.1=amara.okafor&role.1=REVIEWER").await, 2);
    assert_eq!(count("username.1=AMARA.okafor&role.1=REVIEWER&username.2=mei.tanaka").await, 1);
    assert_eq!(count("direction=OUTGOING&at=refs/heads/main").await, 0);
    assert_eq!(count("filterText=parquet").await, 1);
}

#[tokio::test]
async fn the_first_pull_request_shows_everything() {
    let demo = demo().await;
    let bare = ledger(&demo, "/pull-requests/1").await;
    assert!(bare.get("properties").is_none());
    let full = ledger(&demo, "/pull-requests/1?withProperties=true").await;
    assert_eq!(full["properties"]["mergeResult"]["outcome"], "CLEAN");
    assert_eq!(full["properties"]["openTaskCount"], 2);
    assert_eq!(full["properties"]["resolvedTaskCount"], 1);
    let verdicts: Vec<&str> = full["reviewers"]
        .as_array()
        .unwrap()
        .iter()
        .map(|reviewer| reviewer["status"].as_str().unwrap())
        .collect();
    assert_eq!(verdicts, ["APPROVED", "NEEDS_WORK", "UNAPPROVED"]);
    assert_eq!(values(&ledger(&demo, "/pull-requests/1/commits").await).len(), 3);
    let changes = ledger(&demo, "/pull-requests/1/changes").await;
    let mut kinds: Vec<&str> =
        values(&changes).iter().map(|change| change["type"].as_str().unwrap()).collect();
    kinds.sort_unstable();
    assert_eq!(kinds, ["ADD", "DELETE", "MODIFY", "MODIFY", "MOVE"]);
    let counts = ledger(&demo, "/pull-requests/1/blocker-comments?count=true").await;
    assert_eq!(counts.to_string(), r#"{"OPEN":2,"RESOLVED":1}"#);
    let merge = ledger(&demo, "/pull-requests/1/merge").await;
    assert_eq!(merge["canMerge"], false);
    assert_eq!(merge["vetoes"].as_array().unwrap().len(), 3);
    let merge = ledger(&demo, "/pull-requests/2/merge").await;
    assert_eq!(
        (&merge["conflicted"], merge["vetoes"].as_array().unwrap().len()),
        (&true.into(), 0)
    );
    assert_eq!(ledger(&demo, "/pull-requests/6/merge").await["conflicted"], false);
    assert_eq!(ledger(&demo, "/pull-requests/6/auto-merge").await["strategyId"], "squash");
    assert_eq!(values(&ledger(&demo, "/pull-requests/6/commits").await).len(), 1);
}

#[tokio::test]
async fn activities_come_newest_first_with_their_threads() {
    let demo = demo().await;
    let page = ledger(&demo, "/pull-requests/1/activities?limit=100").await;
    let dates: Vec<i64> =
        values(&page).iter().map(|activity| activity["createdDate"].as_i64().unwrap()).collect();
    assert!(dates.is_sorted_by(|left, right| left >= right));
    let actions: Vec<&str> =
        values(&page).iter().map(|activity| activity["action"].as_str().unwrap()).collect();
    for action in ["OPENED", "APPROVED", "REVIEWED", "COMMENTED", "RESCOPED", "UPDATED"] {
        assert!(actions.contains(&action), "{action}");
    }
    let anchored: Vec<&Value> =
        values(&page).iter().filter(|activity| activity.get("commentAnchor").is_some()).collect();
    assert_eq!(anchored.len(), 6);
    for activity in &anchored {
        let on_line = activity["commentAnchor"].get("line").is_some();
        assert_eq!(on_line, activity.get("diff").is_some(), "{activity}");
    }
    assert!(anchored.iter().any(|activity| activity["commentAnchor"]["orphaned"] == true));
    let rescoped = values(&page).iter().find(|activity| activity["action"] == "RESCOPED").unwrap();
    assert_eq!(rescoped["added"]["total"], 1);
}

#[tokio::test]
async fn the_raw_diff_holds_every_kind_of_change() {
    let demo = demo().await;
    let reply = get(&demo, &format!("{LEDGER}/pull-requests/1.diff?contextLines=1")).await;
    assert!(reply.head.contains("content-type: text/plain"));
    let text = reply.text();
    for line in [
        "new file mode 100644\n",
        "deleted file mode 100644\n",
        "rename from src/main/kotlin/ledger/Amounts.kt\n",
        "+++ b/docs/release notes.md\t\n",
        "+    private val retries: RetryPolicy = RetryPolicy(),\n",
        "-            postedAt = Instant.now(),\n",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
    let path = format!("{LEDGER}/pull-requests/1/diff/docs/release%20notes.md");
    let headers = format!("Authorization: Bearer {TOKEN}\r\nAccept: text/plain\r\n");
    let text = ask(&demo, &path, &headers).await.text();
    assert!(text.starts_with("diff --git a/docs/release notes.md b/docs/release notes.md\n"));
    let diff = get(&demo, &path).await.json();
    assert_eq!(diff["diffs"][0]["hunks"][0]["segments"][1]["type"], "ADDED");
    assert_eq!(diff["contextLines"], 10);
}

#[tokio::test]
async fn a_moved_file_needs_its_earlier_path() {
    let demo = demo().await;
    let path = format!("{LEDGER}/pull-requests/1/diff/src/main/kotlin/ledger/money/Amount.kt");
    let alone = get(&demo, &path).await.json();
    assert!(alone["diffs"][0]["source"].is_null());
    let both =
        get(&demo, &format!("{path}?srcPath=src/main/kotlin/ledger/Amounts.kt")).await.json();
    assert_eq!(both["diffs"][0]["source"]["name"], "Amounts.kt");
    assert_eq!(both["diffs"][0]["lineComments"].as_array().unwrap().len(), 1);
    let reply = get(&demo, &format!("{LEDGER}/pull-requests/1/diff/none.txt")).await;
    assert_eq!((reply.status, reply.error().as_str()), (404, "NoSuchPathException"));
}

#[tokio::test]
async fn builds_are_listed_by_commit_and_by_pull_request() {
    let demo = demo().await;
    let ui = "/rest/ui/latest/projects/PAY/repos/ledger/pull-requests/1/builds";
    let listed = get(&demo, ui).await.json();
    assert_eq!(values(&listed["page"]).len(), 5);
    assert_eq!(listed["page"]["values"][0]["parent"], "ledger-security");
    let commit = listed["pullRequest"]["fromRef"]["latestCommit"].as_str().unwrap().to_owned();
    let base = "/rest/build-status/latest/commits";
    let all = get(&demo, &format!("{base}/{commit}?orderBy=OLDEST")).await.json();
    assert_eq!(values(&all).len(), 6);
    assert!(all["values"][0].get("parent").is_none());
    assert_eq!(get(&demo, &format!("{base}/{commit}?orderBy=X")).await.status, 400);
    let counts = get(&demo, &format!("{base}/stats/{commit}")).await.json();
    assert_eq!(
        counts.to_string(),
        r#"{"successful":3,"failed":1,"inProgress":1,"cancelled":1,"unknown":0}"#
    );
    let conditions = "/rest/required-builds/latest/projects/PAY/repos/ledger/conditions";
    assert_eq!(values(&get(&demo, conditions).await.json()).len(), 3);
}
