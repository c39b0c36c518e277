//! One long use of the product: every operation the demo serves, in an order
//! in which each finds what it needs.

use bb_demo::{Demo, USER};
use serde_json::{Value, json};

use crate::http::{Reply, ask, demo, get};

/// One request that was sent, with its answer.
#[derive(Debug)]
pub(crate) struct Exchange {
    pub(crate) method: &'static str,
    pub(crate) path: String,
    pub(crate) reply: Reply,
}

const LEDGER: &str = "/rest/api/latest/projects/PAY/repos/ledger";
const STATEMENTS: &str = "/rest/api/latest/projects/PAY/repos/statements";

struct Session {
    demo: Demo,
    log: Vec<Exchange>,
}

/// Everything that was asked and answered.
pub(crate) fn exchanges() -> Vec<Exchange> {
    let mut session = Session { demo: demo(), log: Vec::new() };
    session.server();
    session.repository();
    session.pull_requests();
    session.discussion();
    session.life();
    session.rest();
    session.log
}

impl Session {
    fn get(&mut self, path: &str) -> Value {
        self.send(USER, "GET", path, &Value::Null)
    }

    fn send(&mut self, user: &str, method: &'static str, path: &str, body: &Value) -> Value {
        let reply = ask(&self.demo, user, method, path, body);
        let value = serde_json::from_slice(&reply.body).unwrap_or(Value::Null);
        self.log.push(Exchange { method, path: path.to_owned(), reply });
        value
    }

    fn write(&mut self, method: &'static str, path: &str, body: &Value) -> Value {
        self.send(USER, method, path, body)
    }

    fn server(&mut self) {
        for path in [
            "application-properties",
            "build/capabilities",
            "users?filter=a",
            "users?permission=REPO_WRITE&permission.projectKey=PAY&permission.repositorySlug=ledger",
            "users?permission=WRONG",
            "users/mei.tanaka",
            "users/nobody",
            "projects",
            "projects?name=pay&permission=PROJECT_WRITE",
            "projects/PAY",
            "projects/PAY/avatar.png?s=64",
            "projects/~yusuf.demir",
            "projects/NONE",
            "projects/PAY/repos",
            "repos?archived=ALL",
            "repos?name=led&projectname=pay&permission=REPO_ADMIN&visibility=private",
            "repos?permission=WRONG",
            "profile/recent/repos",
            "profile/recent/repos?permission=REPO_WRITE",
            "dashboard/pull-request-suggestions",
            "dashboard/pull-request-suggestions?changesSince=x",
            "dashboard/pull-requests",
            "dashboard/pull-requests?role=REVIEWER&participantStatus=UNAPPROVED&order=OLDEST",
            "dashboard/pull-requests?state=WRONG",
            "inbox/pull-requests",
            "inbox/pull-requests/count",
        ] {
            self.get(&format!("/rest/api/latest/{path}"));
        }
        self.get("/rest/capabilities");
    }

    fn repository(&mut self) {
        let tip =
            get(&self.demo, &format!("{LEDGER}/pull-requests/1")).json()["fromRef"]["latestCommit"]
                .as_str()
                .expect("a commit")
                .to_owned();
        let range = "from=refs/heads/feature/PAY-412-idempotent-retries&to=refs/heads/main";
        for path in [
            String::new(),
            "/branches?limit=3".into(),
            "/branches?filterText=release&boostMatches=true&orderBy=ALPHABETICAL".into(),
            "/branches/default".into(),
            "/default-branch".into(),
            "/tags".into(),
            "/tags/books/closed/2026-09".into(),
            "/tags/none".into(),
            "/commits?limit=5&withCounts=true".into(),
            "/commits?until=none".into(),
            "/commits?path=README.md&followRenames=true&merges=exclude".into(),
            format!("/commits/{tip}"),
            format!("/commits/{tip}?path=docs"),
            format!("/changes?until={tip}"),
            format!("/diff?until={tip}"),
            format!("/diff/docs/release%20notes.md?until={tip}"),
            format!("/patch?until={tip}"),
            "/forks".into(),
            format!("/commits/{tip}/changes"),
            format!("/commits/{tip}~1/changes"),
            format!("/commits/{tip}~2/changes"),
            format!("/commits/{tip}/diff/docs/release%20notes.md"),
            format!("/commits/{tip}/diff-stats-summary/docs"),
            format!("/commits/{tip}/merge-base?otherCommitId=main"),
            format!("/commits/{tip}/pull-requests"),
            format!("/commits/{tip}/comments?path=README.md"),
            format!("/commits/{tip}/builds?key=ledger-build-1288"),
            format!("/commits/{tip}/builds?key=none"),
            format!("/compare/changes?{range}"),
            format!("/compare/commits?{range}"),
            format!("/compare/diff?{range}"),
            format!("/compare/diff/docs/release%20notes.md?{range}"),
            format!("/compare/diff-stats-summary?{range}"),
            "/browse".into(),
            "/browse/README.md".into(),
            "/browse/README.md?type=true".into(),
            "/browse/README.md?blame&limit=3".into(),
            "/browse/none".into(),
            "/files".into(),
            "/files/docs".into(),
            "/raw/README.md".into(),
            "/last-modified".into(),
            "/last-modified/docs".into(),
            "/participants".into(),
            "/labels".into(),
            "/settings/pull-requests".into(),
            "/settings/auto-merge".into(),
        ] {
            self.get(&format!("{LEDGER}{path}"));
        }
        let info = format!("branches/info/{tip}");
        for (module, rest) in [
            ("branch-utils", info.as_str()),
            ("ui", "builds?at=refs/heads/main"),
            ("ui", "pull-requests/1/builds"),
            ("ui", "pull-requests/1/build-summaries"),
            ("ui", "code-owners?sourceRefId=main&targetRefId=main"),
            ("required-builds", "conditions"),
            ("branch-utils", "branchmodel"),
            ("default-reviewers", "conditions"),
            (
                "default-reviewers",
                "reviewers?sourceRepoId=1&targetRepoId=1&sourceRefId=x&targetRefId=main",
            ),
            ("default-reviewers", "reviewers"),
        ] {
            self.get(&format!("/rest/{module}/latest/projects/PAY/repos/ledger/{rest}"));
        }
        self.get("/rest/default-reviewers/latest/projects/PAY/repos/statements/conditions");
        self.get("/rest/default-reviewers/latest/projects/PAY/conditions");
        let builds = "/rest/build-status/latest/commits";
        self.get(&format!("{builds}/{tip}"));
        self.get(&format!("{builds}/stats/{tip}"));
        self.write("POST", &format!("{builds}/stats"), &json!([tip]));
        let build = json!({ "key": "k", "state": "FAILED", "url": "https://ci.example.com/1",
            "description": "It failed", "buildNumber": "7", "duration": 9, "ref": "refs/heads/main",
            "testResults": { "successful": 1, "failed": 1, "skipped": 0 } });
        self.write("POST", &format!("{builds}/{tip}"), &build);
        self.write("POST", &format!("{LEDGER}/commits/{tip}/builds"), &build);
        self.write("POST", &format!("{LEDGER}/commits/{tip}/builds"), &json!({}));
        self.get(&format!("{LEDGER}/commits/{tip}/builds?key=k"));
        for query in ["?key=k", ""] {
            self.write("DELETE", &format!("{LEDGER}/commits/{tip}/builds{query}"), &Value::Null);
        }
    }

    fn pull_requests(&mut self) {
        self.get(&format!("{LEDGER}/pull-requests?state=ALL"));
        self.get(&format!("{LEDGER}/pull-requests?state=WRONG"));
        self.get(&format!("{STATEMENTS}/pull-requests"));
        for id in 1..=7 {
            self.get(&format!("{LEDGER}/pull-requests/{id}?withProperties=true"));
            self.get(&format!("{LEDGER}/pull-requests/{id}/activities?limit=500"));
            self.get(&format!("{LEDGER}/pull-requests/{id}/merge"));
            self.get(&format!("{LEDGER}/pull-requests/{id}/auto-merge"));
            self.get(&format!("{LEDGER}/pull-requests/{id}/diff"));
        }
        for path in [
            "999",
            "1.diff",
            "1.patch",
            "1/activities?fromId=10101&fromType=ACTIVITY",
            "1/activities?fromId=10101",
            "1/comments?path=docs/release%20notes.md&states=RESOLVED&diffTypes=EFFECTIVE",
            "1/comments?path=README.md&diffTypes=COMMIT",
            "1/blocker-comments?states=OPEN",
            "1/diff?untilId=main",
            "1/changes",
            "2/changes",
            "1/commits",
            "1/comments?path=src/main/kotlin/ledger/PostingService.kt",
            "1/comments",
            "1/blocker-comments",
            "1/blocker-comments?count=true",
            "1/participants",
            "1/merge-base",
            "1/commit-message-suggestion",
            "1/diff/src/main/kotlin/ledger/PostingService.kt",
            "1/diff/none",
            "1/diff-stats-summary/docs",
        ] {
            self.get(&format!("{LEDGER}/pull-requests/{path}"));
        }
        self.get(&format!("{STATEMENTS}/pull-requests/1/changes"));
        self.get(&format!("{STATEMENTS}/pull-requests/1/diff"));
        self.get(&format!("{STATEMENTS}/pull-requests/1/activities"));
    }

    fn discussion(&mut self) {
        let first = format!("{LEDGER}/pull-requests/1");
        let anchor = json!({ "path": "src/main/kotlin/ledger/RetryPolicy.kt", "line": 3,
            "lineType": "ADDED", "fileType": "TO",
            "multilineMarker": { "startLine": 2, "startLineType": "ADDED" } });
        let held =
            self.get(&format!("{first}/comments?path=src/main/kotlin/ledger/PostingService.kt"));
        self.get(&format!("{first}/comments/{}", held["values"][0]["id"]));
        for (route, body) in [
            ("comments", json!({ "text": "A word" })),
            ("comments", json!({ "text": "On a line", "anchor": anchor })),
            ("comments", json!({ "text": "" })),
            ("blocker-comments", json!({ "text": "A task" })),
        ] {
            let made = self.write("POST", &format!("{first}/{route}"), &body);
            let Some(id) = made["id"].as_u64() else {
                continue;
            };
            let path = format!("{first}/{route}/{id}");
            self.get(&path);
            self.write("PUT", &path, &json!({ "version": 0, "text": "Another word" }));
            self.write("PUT", &path, &json!({ "version": 0, "text": "Too late" }));
            self.write("PUT", &path, &json!({ "version": 1, "threadResolved": true }));
            self.write("DELETE", &format!("{path}?version=0"), &Value::Null);
            self.write("DELETE", &format!("{path}?version=2"), &Value::Null);
            self.get(&path);
        }
        // A suggestion on the line before the last push.
        let service = "src/main/kotlin/ledger/RetryPolicy.kt";
        let body = json!({ "text": "```suggestion\npackage ledger\n```", "anchor": {
            "path": service, "line": 1, "lineType": "ADDED", "fileType": "TO" } });
        let made = self.write("POST", &format!("{first}/comments"), &body);
        let apply = format!("{first}/comments/{}/apply-suggestion", made["id"]);
        self.write("POST", &apply, &json!({ "commitMessage": "x" }));
        let version = self.get(&first)["version"].clone();
        let stale = json!({ "message": "x", "commentVersion": 0, "pullRequestVersion": 99 });
        self.write("POST", &apply, &stale);
        let body = json!({ "message": "Apply", "commentVersion": 0, "pullRequestVersion": version,
            "suggestionIndex": 0 });
        self.write("POST", &apply, &body);
        self.get(&format!("{first}/comments/{}", made["id"]));
        self.get(&format!("{first}/review"));
        self.write(
            "POST",
            &format!("{first}/comments"),
            &json!({ "text": "x", "state": "PENDING" }),
        );
        self.get(&format!("{first}/review"));
        self.write(
            "PUT",
            &format!("{first}/review"),
            &json!({ "participantStatus": "NEEDS_WORK" }),
        );
        self.write("DELETE", &format!("{first}/review"), &Value::Null);
        self.write(
            "PUT",
            &format!("{first}/participants/{USER}"),
            &json!({ "status": "APPROVED" }),
        );
        self.write("PUT", &format!("{first}/participants/{USER}"), &json!({ "status": "FINE" }));
        self.write(
            "PUT",
            &format!("{first}/participants/nour.haddad"),
            &json!({ "status": "APPROVED" }),
        );
        self.write("POST", &format!("{first}/approve"), &json!({}));
        self.write("DELETE", &format!("{first}/approve"), &Value::Null);
        let luis = json!({ "user": { "name": "nour.haddad" }, "role": "REVIEWER" });
        self.send("nour.haddad", "POST", &format!("{first}/participants"), &luis);
        let own = format!("{first}/participants/nour.haddad");
        self.send("nour.haddad", "DELETE", &own, &Value::Null);
        self.send("nour.haddad", "POST", &format!("{first}/participants"), &luis);
        let own = format!("{first}/participants?username=nour.haddad");
        self.send("nour.haddad", "DELETE", &own, &Value::Null);
        self.write("POST", &format!("{first}/watch"), &json!({}));
        self.write("DELETE", &format!("{first}/watch"), &Value::Null);
        self.get(&format!("{first}/activities?limit=100"));
    }

    fn life(&mut self) {
        self.write(
            "POST",
            &format!("{LEDGER}/branches"),
            &json!({ "name": "t", "startPoint": "main" }),
        );
        self.write(
            "POST",
            &format!("{LEDGER}/branches"),
            &json!({ "name": "t", "startPoint": "main" }),
        );
        self.demo.push("PAY", "ledger", "t", USER, "One", &[("t.md", Some(b"one\n"))]);
        let pulls = format!("{LEDGER}/pull-requests");
        let body = json!({ "title": "T", "description": "Why", "fromRef": { "id": "t" }, "toRef": { "id": "main" } });
        let made = self.write("POST", &pulls, &body);
        self.write("POST", &pulls, &body);
        self.write("POST", &pulls, &json!({}));
        let path = format!("{pulls}/{}", made["id"]);
        self.write("PUT", &path, &json!({ "title": "x" }));
        self.write("PUT", &path, &json!({ "version": 9, "title": "x" }));
        self.write("PUT", &path, &json!({ "version": 0, "title": "x", "description": "y" }));
        self.write("POST", &format!("{path}/merge?version=1"), &json!({}));
        self.write("POST", &format!("{path}/merge?version=1"), &json!({ "autoMerge": true }));
        self.get(&format!("{path}/auto-merge"));
        self.write("POST", &format!("{path}/auto-merge"), &json!({}));
        self.write("DELETE", &format!("{path}/auto-merge"), &json!({}));
        self.write("POST", &format!("{path}/auto-merge"), &json!({}));
        self.write("POST", &format!("{path}/decline?version=1"), &json!({}));
        self.write("POST", &format!("{path}/decline?version=2"), &json!({}));
        self.write("POST", &format!("{path}/reopen?version=2"), &json!({}));
        let tip = made["fromRef"]["latestCommit"].as_str().expect("a commit").to_owned();
        for key in ["ledger-build", "ledger-integration"] {
            let build = json!({ "key": key, "parent": key, "state": "SUCCESSFUL", "url": "https://ci.example.com" });
            self.write("POST", &format!("{LEDGER}/commits/{tip}/builds"), &build);
        }
        self.write("POST", &format!("{path}/merge?version=3"), &json!({ "strategyId": "squash" }));
        self.get(&format!("{path}?withProperties=true"));
        self.get(&format!("{path}/activities"));
        self.write("DELETE", &format!("{pulls}/6"), &json!({ "version": 99 }));
        self.write("DELETE", &path, &json!({ "version": 3 }));
        self.write("DELETE", &path, &json!({ "version": 4 }));
    }

    fn rest(&mut self) {
        self.write(
            "POST",
            &format!("{LEDGER}/tags"),
            &json!({ "name": "t1", "startPoint": "main" }),
        );
        let git = "/rest/git/latest/projects/PAY/repos/ledger/tags";
        self.write(
            "POST",
            git,
            &json!({ "name": "t2", "startPoint": "main", "message": "Two", "type": "ANNOTATED" }),
        );
        self.get(&format!("{LEDGER}/tags/t2"));
        self.write("DELETE", &format!("{git}/t2"), &json!({}));
        self.write("POST", &format!("{LEDGER}/labels"), &json!({ "name": "money" }));
        self.get(&format!("{LEDGER}/labels"));
        self.write("DELETE", &format!("{LEDGER}/labels/money"), &json!({}));
        let utils = "/rest/branch-utils/latest/projects/PAY/repos/ledger/branches";
        self.write("POST", utils, &json!({ "name": "u", "startPoint": "main" }));
        self.write("DELETE", utils, &json!({ "name": "u" }));
        self.write("DELETE", utils, &json!({ "name": "main" }));
        self.write("DELETE", "/rest/git/latest/projects/PAY/repos/ledger/tags/t1", &json!({}));
        let condition = "/rest/required-builds/latest/projects/PAY/repos/ledger/condition";
        let body = json!({ "buildParentKeys": ["a"],
            "refMatcher": { "id": "x", "type": { "id": "BRANCH" } } });
        let made = self.write("POST", condition, &body);
        self.write("PUT", &format!("{condition}/{}", made["id"]), &body);
        self.write("DELETE", &format!("{condition}/{}", made["id"]), &json!({}));
        self.write("POST", condition, &json!({}));
    }
}
