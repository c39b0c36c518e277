//! Files, comparisons, settings and people as clients read them.

use std::time::Instant;

use serde_json::{Value, json};

use super::{LEDGER, ask, demo, get, ledger, values};
use crate::{TOKEN, seed};

const STATEMENTS: &str = "/rest/api/latest/projects/PAY/repos/statements";

async fn statements(demo: &crate::Demo, path: &str) -> Value {
    let reply = get(demo, &format!("{STATEMENTS}{path}")).await;
    assert_eq!(reply.status, 200, "{path}: {}", reply.text());
    reply.json()
}

#[test]
fn the_seed_is_planted_quickly() {
    let start = Instant::now();
    let store = seed::store();
    let took = start.elapsed();
    assert!(store.pull_requests.len() >= 15);
    // A figure to read, not a limit: a busy machine proves nothing.
    eprintln!("planted in {took:?}");
}

#[tokio::test]
async fn files_of_every_kind_are_read() {
    let demo = demo().await;
    for (path, kind, start) in [
        ("assets/logo.png", "image/png", &b"\x89PNG"[..]),
        ("assets/font.bin", "application/octet-stream", b"\0"),
        ("templates/kontoauszug.txt", "application/octet-stream", b"\xFF\xFEK\0"),
        ("templates/latin-1.txt", "text/plain", b"Gr\xFC"),
        ("templates/windows.txt", "text/plain", b"Dear {name},\r\n"),
        ("templates/with%20space.txt", "text/plain", b"A name"),
        ("templates/100%25%20%231%2B2.txt", "text/plain", b"Percent"),
        (
            "templates/%D0%B2%D1%8B%D0%BF%D0%B8%D1%81%D0%BA%D0%B0/%E6%98%8E%E7%B4%B0%E6%9B%B8.txt",
            "text/plain",
            "Баланс".as_bytes(),
        ),
        ("templates/empty.txt", "text/plain", b""),
    ] {
        let reply = get(&demo, &format!("{STATEMENTS}/raw/{path}?at=refs/heads/main")).await;
        assert_eq!(reply.status, 200, "{path}");
        assert!(reply.head.contains(&format!("content-type: {kind}")), "{path}: {}", reply.head);
        assert!(reply.body.starts_with(start), "{path}");
        assert!(reply.head.contains("x-content-type-options: nosniff"));
    }
    let reply = get(&demo, &format!("{STATEMENTS}/raw/none")).await;
    assert_eq!((reply.status, reply.error().as_str()), (404, "NoSuchPathException"));
    let reply = get(&demo, &format!("{STATEMENTS}/raw/README.md?at=none")).await;
    assert_eq!(reply.error(), "NoSuchCommitException");
}

#[tokio::test]
async fn folders_and_files_are_browsed() {
    let demo = demo().await;
    let root = statements(&demo, "/browse").await;
    let kinds: Vec<&str> =
        values(&root["children"]).iter().map(|child| child["type"].as_str().unwrap()).collect();
    assert!(kinds.contains(&"DIRECTORY") && kinds.contains(&"FILE"));
    assert_eq!(statements(&demo, "/browse/db?type=true").await, json!({ "type": "DIRECTORY" }));
    assert_eq!(statements(&demo, "/browse/README.md?type=true").await, json!({ "type": "FILE" }));
    assert!(statements(&demo, "/browse/README.md?size=true").await["size"].as_u64() > Some(10));
    assert_eq!(statements(&demo, "/browse/assets/font.bin").await["binary"], true);
    let lines = statements(&demo, "/browse/data/rates.csv?limit=9000").await;
    assert_eq!((&lines["limit"], &lines["size"]), (&json!(5000), &json!(4000)));
    let second = statements(&demo, "/browse/data/rates.csv?start=500&limit=2").await;
    assert_eq!(second["nextPageStart"], 502);
    let blame = statements(&demo, "/browse/README.md?blame&noContent").await;
    assert_eq!((blame.get("lines"), &blame["blame"][0]["lineNumber"]), (None, &json!(1)));
    let names = statements(&demo, "/files/templates?limit=100").await;
    assert!(values(&names).contains(&json!("выписка/明細書.txt")));
    let modified = statements(&demo, "/last-modified/templates").await;
    assert!(modified["files"]["empty.txt"]["id"].is_string());
    assert!(modified["files"]["выписка"]["id"].is_string());
    assert!(modified["latestCommit"]["id"].is_string());
}

#[tokio::test]
async fn an_empty_repository_has_nothing_to_read() {
    let demo = demo().await;
    let base = "/rest/api/latest/projects/OPS/repos/incubator";
    for path in ["/commits", "/browse", "/files", "/raw/README.md", "/last-modified"] {
        let reply = get(&demo, &format!("{base}{path}")).await;
        assert_eq!(
            (reply.status, reply.error().as_str()),
            (404, "NoDefaultBranchException"),
            "{path}"
        );
    }
    assert_eq!(get(&demo, &format!("{base}/default-branch")).await.status, 204);
    assert_eq!(values(&get(&demo, &format!("{base}/branches")).await.json()).len(), 0);
    let default = ledger(&demo, "/default-branch").await;
    assert_eq!(default, json!({ "id": "refs/heads/main", "displayId": "main", "type": "BRANCH" }));
    assert_eq!(ledger(&demo, "/branches/default").await["isDefault"], true);
}

#[tokio::test]
async fn a_comparison_holds_what_only_the_source_has() {
    let demo = demo().await;
    let query = "from=refs/heads/feature/PAY-412-idempotent-retries&to=refs/heads/main";
    let commits = ledger(&demo, &format!("/compare/commits?{query}&withCounts=true")).await;
    assert_eq!((values(&commits).len(), &commits["totalCount"]), (3, &json!(3)));
    let changes = ledger(&demo, &format!("/compare/changes?{query}")).await;
    assert_eq!(values(&changes).len(), 5);
    let whole = ledger(&demo, &format!("/compare/diff?{query}")).await;
    assert_eq!(whole["diffs"].as_array().unwrap().len(), 5);
    let one = ledger(&demo, &format!("/compare/diff/docs/release%20notes.md?{query}")).await;
    assert_eq!(one["diffs"].as_array().unwrap().len(), 1);
    let summary = ledger(&demo, &format!("/compare/diff-stats-summary?{query}")).await;
    assert_eq!(summary["filesChanged"], 5);
    assert_eq!(summary, ledger(&demo, "/pull-requests/1/diff-stats-summary").await);
    let fork = "from=fix-readme&to=main&fromRepo=~YUSUF.DEMIR/ledger";
    assert_eq!(values(&ledger(&demo, &format!("/compare/commits?{fork}")).await).len(), 1);
    let tip = commits["values"][0]["id"].as_str().unwrap().to_owned();
    let changes = ledger(&demo, &format!("/commits/{tip}/changes")).await;
    assert!(changes["fromHash"].is_null());
    assert_eq!(values(&changes).len(), 3);
    assert_eq!(
        ledger(&demo, &format!("/commits/{tip}/diff")).await["diffs"].as_array().unwrap().len(),
        3
    );
    assert_eq!(
        ledger(&demo, &format!("/commits/{tip}/diff-stats-summary")).await["filesChanged"],
        3
    );
    let holding = ledger(&demo, &format!("/commits/{tip}/pull-requests")).await;
    assert_eq!(holding["values"][0]["id"], 1);
    let base = ledger(&demo, &format!("/commits/{tip}/merge-base?otherCommitId=main")).await;
    assert_eq!(base["id"], ledger(&demo, "/pull-requests/1/merge-base").await["id"]);
    let build = ledger(&demo, &format!("/commits/{tip}/builds?key=ledger-build-1288")).await;
    assert_eq!(
        (&build["parent"], &build["repository"]["slug"]),
        (&json!("ledger-build"), &json!("ledger"))
    );
    let none = get(&demo, &format!("{LEDGER}/commits/{tip}/builds?key=none")).await;
    assert_eq!(none.status, 404);
}

#[tokio::test]
async fn every_kind_of_change_is_told() {
    let demo = demo().await;
    let changes = statements(&demo, "/pull-requests/1/changes?limit=1000").await;
    let find = |path: &str| {
        values(&changes).iter().find(|change| change["path"]["toString"] == path).unwrap()
    };
    for (path, kind) in [
        ("db/V8__archive.sql", "COPY"),
        ("db/V7__statements.sql", "MODIFY"),
        ("tools/reconcile.py", "MODIFY"),
        ("assets/stamp.png", "ADD"),
        ("templates/empty.txt", "DELETE"),
        ("templates/letters/with two spaces.txt", "MOVE"),
        ("web/src/statement.ts", "MOVE"),
    ] {
        assert_eq!(find(path)["type"], kind, "{path}");
    }
    let mode = find("tools/reconcile.py");
    assert_eq!((&mode["executable"], &mode["srcExecutable"]), (&json!(true), &json!(false)));
    assert_eq!(mode["contentId"], mode["fromContentId"]);
    assert_eq!(find("templates/letters/with two spaces.txt")["percentUnchanged"], 100);
    assert!(find("templates/empty.txt").get("executable").is_none());
    let text = get(&demo, &format!("{STATEMENTS}/pull-requests/1.diff")).await.text();
    for line in [
        "copy from db/V7__statements.sql\ncopy to db/V8__archive.sql\n",
        "old mode 100644\nnew mode 100755\n",
        "Binary files a/assets/font.bin and b/assets/font.bin differ\n",
        "similarity index 100%\nrename from templates/with space.txt\n",
        "+the balance of {month}\r\n",
        "\\ No newline at end of file\n",
        "--- \"a/templates/\\320\\262",
        "+++ b/templates/100% #1+2.txt\t\n",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
}

#[tokio::test]
async fn a_conflict_is_told_at_its_file() {
    let demo = demo().await;
    let changes = ledger(&demo, "/pull-requests/2/changes").await;
    let conflict = &changes["values"][0]["conflict"];
    assert_eq!(conflict["ourChange"]["type"], "MODIFY");
    assert_eq!(conflict["theirChange"]["path"]["toString"], "config/limits.yaml");
    let clean = ledger(&demo, "/pull-requests/1/changes").await;
    assert!(values(&clean).iter().all(|change| change.get("conflict").is_none()));
}

#[tokio::test]
async fn a_long_file_and_many_files_are_read_whole() {
    let demo = demo().await;
    let diff = statements(&demo, "/pull-requests/2/diff/data/rates.csv?contextLines=0").await;
    assert_eq!(diff["diffs"][0]["hunks"].as_array().unwrap().len(), 41);
    let whole = statements(&demo, "/pull-requests/2/diff/data/rates.csv?contextLines=-1").await;
    assert_eq!(whole["diffs"][0]["hunks"][0]["destinationSpan"], 4000);
    let changes = statements(&demo, "/pull-requests/3/changes?limit=1000&start=500").await;
    assert_eq!(values(&changes).len(), 600, "there is one page, whatever the start");
    let cut = statements(&demo, "/pull-requests/3/changes?limit=100").await;
    assert_eq!((&cut["isLastPage"], &cut["nextPageStart"]), (&json!(false), &Value::Null));
    let summary = statements(&demo, "/pull-requests/3/diff-stats-summary").await;
    assert_eq!(summary["filesChanged"], 600);
}

#[tokio::test]
async fn a_diff_beyond_the_limit_says_at_each_level_that_it_was_cut() {
    let demo = demo().await;
    let long: String = (0..12_000).map(|line| format!("{line}\n")).collect();
    let files: [(&str, Option<&[u8]>); 2] =
        [("fixtures/long.txt", Some(long.as_bytes())), ("zz.txt", Some(b"last\n"))];
    let tip = demo.push("PAY", "statements", "long", crate::USER, "Long", &files).unwrap();
    let diff = statements(&demo, &format!("/commits/{tip}/diff")).await;
    let first = &diff["diffs"][0];
    assert_eq!(diff["truncated"], true);
    assert_eq!(first["truncated"], true);
    assert_eq!(first["hunks"][0]["truncated"], true);
    assert_eq!(first["hunks"][0]["segments"][0]["truncated"], true);
    assert_eq!(first["hunks"][0]["segments"][0]["lines"].as_array().unwrap().len(), 10_000);
    assert_eq!(
        (&diff["diffs"][1]["truncated"], &diff["diffs"][1]["hunks"]),
        (&json!(true), &json!([]))
    );
    let text = get(&demo, &format!("{STATEMENTS}/diff?until={tip}")).await.text();
    assert!(text.contains("+11999\n"), "text is not cut");
}

#[tokio::test]
async fn each_level_of_a_diff_says_for_itself_whether_it_was_cut() {
    let demo = demo().await;
    let text = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n";
    let push = |text: String| {
        let files: [(&str, Option<&[u8]>); 2] =
            [("aa/first.txt", Some(b"short\n")), ("zz.txt", Some(text.as_bytes()))];
        demo.push("OPS", "deploy-tools", "cut", crate::USER, "Cut", &files).unwrap()
    };
    push(text.to_owned());
    let tip = push(
        text.replace("one", "1").replace("two", "2").replace("seven", "a long line, 七 七 七"),
    );
    let place = "/rest/api/latest/projects/OPS/repos/deploy-tools";
    let path = format!("{place}/commits/{tip}/diff?contextLines=0");
    let marks = |of: &Value| of["truncated"].as_bool().unwrap();
    let whole = get(&demo, &path).await.json();
    let text = whole.to_string();
    assert!(!text.contains("\"truncated\":true"), "{text}");
    // A line alone: what it is part of is whole.
    demo.limit_diffs(100, 15);
    let diff = get(&demo, &path).await.json();
    let hunk = &diff["diffs"][0]["hunks"][1];
    let segment = &hunk["segments"][1];
    let line = &segment["lines"][0];
    assert_eq!((&line["line"], marks(line)), (&json!("a long line, 七 "), true));
    assert!(![&diff, &diff["diffs"][0], hunk, segment].into_iter().any(marks));
    // A segment in the middle of a hunk, and with it all around it.
    demo.limit_diffs(3, 5000);
    let diff = get(&demo, &path).await.json();
    let first = &diff["diffs"][0];
    assert_eq!(first["hunks"].as_array().unwrap().len(), 1, "the second is left out");
    let hunk = &first["hunks"][0];
    let segments: Vec<(usize, bool)> = hunk["segments"]
        .as_array()
        .unwrap()
        .iter()
        .map(|segment| (segment["lines"].as_array().unwrap().len(), marks(segment)))
        .collect();
    assert_eq!(segments, [(2, false), (1, true)]);
    assert!([&diff, first, hunk].into_iter().all(marks));
    // At the end of a hunk: the hunk is whole, and the file is not.
    demo.limit_diffs(4, 5000);
    let diff = get(&demo, &path).await.json();
    assert!(!marks(&diff["diffs"][0]["hunks"][0]));
    assert!(marks(&diff["diffs"][0]) && marks(&diff));
    // The text knows nothing of it.
    let raw = get(&demo, &format!("{place}/diff?until={tip}")).await.text();
    assert!(raw.contains("+a long line, 七 七 七\n"));
}

#[tokio::test]
async fn settings_and_people_are_read() {
    let demo = demo().await;
    let settings = ledger(&demo, "/settings/pull-requests").await;
    assert_eq!(settings["mergeConfig"]["defaultStrategy"]["id"], "no-ff");
    assert_eq!(settings["mergeConfig"]["strategies"].as_array().unwrap().len(), 7);
    assert_eq!(ledger(&demo, "/settings/auto-merge").await["enabled"], true);
    let plugin = |module: &str, rest: &str| {
        format!("/rest/{module}/latest/projects/PAY/repos/statements/{rest}")
    };
    let model = get(&demo, &plugin("branch-utils", "branchmodel")).await.json();
    assert_eq!(model["types"][3]["prefix"], "release/");
    let query = "sourceRepoId=7&targetRepoId=7&sourceRefId=x&targetRefId=refs/heads/main";
    let people =
        get(&demo, &plugin("default-reviewers", &format!("reviewers?{query}"))).await.json();
    assert_eq!(people.as_array().unwrap().len(), 2);
    let missing = get(&demo, &plugin("default-reviewers", "reviewers?sourceRepoId=7")).await;
    assert_eq!(missing.status, 400);
    let conditions = get(&demo, &plugin("default-reviewers", "conditions")).await.json();
    assert_eq!(conditions[0]["scope"], json!({ "type": "REPOSITORY", "resourceId": 7 }));
    let query = "sourceRefId=chore/every-kind-of-change&targetRefId=main";
    let owners = get(&demo, &plugin("ui", &format!("code-owners?{query}"))).await.json();
    assert_eq!(owners["codeOwners"].as_array().unwrap().len(), 2);
    assert!(values(&ledger(&demo, "/participants?role=REVIEWER").await).len() > 3);
    let pictured = ledger(&demo, "/pull-requests/1?avatarSize=64").await;
    let place = pictured["author"]["user"]["avatarUrl"].as_str().unwrap().to_owned();
    assert!(place.starts_with(&demo.url()) && place.ends_with("/avatar.png?s=64"), "{place}");
    let all = ledger(&demo, "/pull-requests/1/participants").await;
    assert_eq!(all["values"][0]["role"], "AUTHOR");
    let count = get(&demo, "/rest/api/latest/inbox/pull-requests/count").await.json();
    let inbox = get(&demo, "/rest/api/latest/inbox/pull-requests").await.json();
    assert_eq!(count["count"], values(&inbox).len());
    assert!(values(&get(&demo, "/rest/api/latest/profile/recent/repos").await.json()).len() > 5);
    assert_eq!(get(&demo, "/rest/capabilities").await.json()["application"], "stash");
    let anonymous = ask(&demo, "/rest/api/latest/profile/recent/repos", "").await;
    assert_eq!(anonymous.status, 401);
    let headers = format!("Authorization: Bearer {}\r\n", demo.token_of("heike.brandt"));
    assert_eq!(ask(&demo, LEDGER, &headers).await.status, 401, "has left");
    let _ = TOKEN;
}

#[tokio::test]
async fn threads_are_read_by_file() {
    let demo = demo().await;
    let reply = get(&demo, &format!("{LEDGER}/pull-requests/1/comments")).await;
    assert_eq!((reply.status, &reply.json()["errors"][0]["context"]), (400, &json!("path")));
    let path = "/pull-requests/1/comments?path=src/main/kotlin/ledger/RetryPolicy.kt";
    assert_eq!(values(&ledger(&demo, path).await).len(), 1);
    assert_eq!(values(&ledger(&demo, &format!("{path}&anchorState=ORPHANED")).await).len(), 1);
    let all = ledger(&demo, &format!("{path}&anchorState=ALL")).await;
    assert_eq!(values(&all).len(), 2);
    let one = ledger(&demo, &format!("/pull-requests/1/comments/{}", all["values"][0]["id"])).await;
    assert_eq!(one, all["values"][0]);
    let suggestion = ledger(&demo, "/pull-requests/1/commit-message-suggestion").await;
    assert!(suggestion["title"].as_str().unwrap().starts_with("Pull request #1: "));
}
