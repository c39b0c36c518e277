//! What holds of a pull request at any time, whatever was done to it.

use std::collections::{BTreeMap, BTreeSet};

use bb_demo::{Demo, USER};
use serde_json::{Value, json};

use crate::http::{ask, get};
use crate::random::{PULL, REPOSITORY, USERS};

/// One line of a diff.
pub(crate) struct Line {
    pub(crate) path: String,
    pub(crate) source_path: String,
    pub(crate) kind: String,
    pub(crate) source: u64,
    pub(crate) destination: u64,
    pub(crate) text: String,
}

/// Every line of the whole diff.
pub(crate) fn lines(demo: &Demo) -> Vec<Line> {
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
pub(crate) fn threads(demo: &Demo, user: &str) -> Vec<Value> {
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

pub(crate) fn flat(comment: Value) -> Vec<Value> {
    let replies = comment["comments"].as_array().cloned().unwrap_or_default();
    let mut all = vec![comment];
    all.extend(replies.into_iter().flat_map(flat));
    all
}

/// Everything that must be so at any time.
pub(crate) fn hold(demo: &Demo, pull: &Value, start: &Value) {
    counts_agree_with_lists(demo, pull);
    changes_agree_with_each_other(demo);
    builds_agree_with_their_counts(demo, pull);
    activities_tell_what_was_before(demo, pull, start);
    comments_are_drawn_where_they_say(demo);
    activities_explain_the_state(demo, pull);
}

/// What takes many requests to see.
pub(crate) fn hold_at_the_end(demo: &Demo, pull: &Value) {
    people_agree_with_their_lists(demo, pull);
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

/// Files, lines and commits are counted as they are listed.
fn changes_agree_with_each_other(demo: &Demo) {
    let changes = get(demo, &format!("{PULL}/changes?limit=1000")).json();
    let listed = changes["values"].as_array().expect("changes");
    let summary = get(demo, &format!("{PULL}/diff-stats-summary")).json();
    assert_eq!(summary["filesChanged"], listed.len());
    let lines = lines(demo);
    for (member, kind) in [("linesAdded", "ADDED"), ("linesRemoved", "REMOVED")] {
        assert_eq!(summary[member], lines.iter().filter(|line| line.kind == kind).count());
    }
    let roots = threads(demo, USER);
    for change in listed {
        let count = |orphaned: bool| {
            roots
                .iter()
                .filter(|root| root["state"] != "PENDING")
                .filter(|root| root["anchor"]["path"] == change["path"]["toString"])
                .filter(|root| root["anchor"]["orphaned"] == orphaned)
                .count()
        };
        let properties = &change["properties"];
        assert_eq!(properties["activeComments"].as_u64().unwrap_or(0), count(false) as u64);
        assert_eq!(properties["orphanedComments"].as_u64().unwrap_or(0), count(true) as u64);
    }
    let commits = get(demo, &format!("{PULL}/commits?withCounts=true&limit=100")).json();
    let own = commits["values"].as_array().expect("commits");
    let authors: BTreeSet<String> =
        own.iter().map(|commit| commit["author"]["name"].to_string()).collect();
    assert_eq!(
        (&commits["totalCount"], &commits["authorCount"]),
        (&json!(own.len()), &json!(authors.len()))
    );
}

/// Who takes part is listed once and found by the role that is shown.
fn people_agree_with_their_lists(demo: &Demo, pull: &Value) {
    let listed = get(demo, &format!("{PULL}/participants?limit=100")).json();
    let mut expected = vec![pull["author"].clone()];
    for list in ["reviewers", "participants"] {
        expected.extend(pull[list].as_array().expect("a list").iter().cloned());
    }
    assert_eq!(listed["values"], json!(expected));
    let list = |user: &str, place: &str| {
        let path = format!("/rest/api/latest/{place}");
        ask(demo, user, "GET", &path, &Value::Null).json()
    };
    let is_here = |page: &Value| {
        let values = page["values"].as_array().expect("values");
        values.iter().any(|item| item["links"] == pull["links"])
    };
    for held in &expected {
        let slug = held["user"]["slug"].as_str().expect("a slug");
        if !USERS.contains(&slug) {
            continue;
        }
        for role in ["AUTHOR", "REVIEWER", "PARTICIPANT"] {
            let page = list(slug, &format!("dashboard/pull-requests?limit=100&role={role}"));
            assert_eq!(is_here(&page), held["role"] == role, "{slug} {role}");
        }
        let inbox = list(slug, "inbox/pull-requests?limit=100");
        let waits =
            pull["open"] == true && held["role"] == "REVIEWER" && held["status"] == "UNAPPROVED";
        assert_eq!(is_here(&inbox), waits, "{slug}");
        let count = list(slug, "inbox/pull-requests/count");
        assert_eq!(count["count"], inbox["size"]);
    }
}

fn builds_agree_with_their_counts(demo: &Demo, pull: &Value) {
    let tip = pull["fromRef"]["latestCommit"].as_str().expect("an id");
    let place = "/rest/build-status/latest/commits";
    let builds = get(demo, &format!("{place}/{tip}?limit=100")).json();
    let counts = get(demo, &format!("{place}/stats/{tip}")).json();
    let values = builds["values"].as_array().expect("builds");
    let keys: BTreeSet<&str> =
        values.iter().map(|build| build["key"].as_str().expect("a key")).collect();
    assert_eq!(keys.len(), values.len(), "a key is there once");
    for (member, state) in [
        ("successful", "SUCCESSFUL"),
        ("failed", "FAILED"),
        ("inProgress", "INPROGRESS"),
        ("cancelled", "CANCELLED"),
        ("unknown", "UNKNOWN"),
    ] {
        assert_eq!(counts[member], values.iter().filter(|build| build["state"] == state).count());
    }
    let map = ask(demo, USER, "POST", &format!("{place}/stats"), &json!([tip])).json();
    assert_eq!(map[tip], counts);
}

/// Undone from the newest on, activities lead from the present reviewers and
/// commits to those at the start, without a gap.
fn activities_tell_what_was_before(demo: &Demo, pull: &Value, start: &Value) {
    let page = get(demo, &format!("{PULL}/activities?limit=500")).json();
    let activities = page["values"].as_array().expect("activities");
    let names = |list: &Value| -> BTreeSet<String> {
        let people = list.as_array().expect("people").iter();
        people.map(|held| held["name"].as_str().expect("a name").to_owned()).collect()
    };
    let reviewers = |pull: &Value| -> BTreeSet<String> {
        let held = pull["reviewers"].as_array().expect("reviewers").iter();
        held.map(|held| held["user"]["name"].as_str().expect("a name").to_owned()).collect()
    };
    let at_the_start = reviewers(start);
    let mut reviewers = reviewers(pull);
    let mut from = pull["fromRef"]["latestCommit"].clone();
    let (mut ids, mut date) = (BTreeSet::new(), i64::MAX);
    for activity in activities {
        assert!(ids.insert(activity["id"].as_u64().expect("an id")), "an id is there once");
        let then = activity["createdDate"].as_i64().expect("a date");
        assert!(then <= date, "the newest is first");
        date = then;
        match activity["action"].as_str().expect("an action") {
            "UPDATED" => {
                let added = names(&activity["addedReviewers"]);
                let removed = names(&activity["removedReviewers"]);
                assert!(added.is_subset(&reviewers), "{activity} {reviewers:?}");
                assert!(removed.is_disjoint(&reviewers), "{activity} {reviewers:?}");
                reviewers = reviewers.difference(&added).cloned().chain(removed).collect();
            }
            "RESCOPED" => {
                assert_eq!(activity["fromHash"], from, "{activity}");
                from = activity["previousFromHash"].clone();
                for list in ["added", "removed"] {
                    let shown = activity[list]["commits"].as_array().expect("commits").len();
                    let total = activity[list]["total"].as_u64().expect("a total");
                    assert!(shown as u64 <= total, "{activity}");
                }
            }
            _ => {}
        }
    }
    assert_eq!(reviewers, at_the_start, "every change of reviewers is told");
    assert_eq!(from, start["fromRef"]["latestCommit"], "every push is told");
    let last = activities.iter().find_map(|activity| {
        let action = activity["action"].as_str()?;
        let ends = ["AUTO_MERGE_REQUESTED", "AUTO_MERGE_CANCELLED", "MERGED", "DECLINED"];
        ends.contains(&action).then_some(action)
    });
    let armed = get(demo, &format!("{PULL}/auto-merge")).status == 200;
    assert_eq!(armed, last == Some("AUTO_MERGE_REQUESTED"), "{last:?}");
}

/// Lists that are walked in small pages, with what tells their items apart.
const LISTS: [(&str, usize, &str); 9] = [
    ("PULL/activities", 3, "/id"),
    ("REPO/pull-requests?state=ALL", 1, "/id"),
    ("PULL/commits", 1, "/id"),
    ("PULL/blocker-comments", 1, "/id"),
    ("PULL/participants", 1, "/user/name"),
    ("REPO/commits?until=main", 4, "/id"),
    ("REPO/branches", 2, "/id"),
    ("/rest/api/latest/repos?archived=ALL", 2, "/id"),
    ("/rest/api/latest/users", 4, "/id"),
];

fn pages_yield_each_item_once(demo: &Demo) {
    for (list, limit, member) in LISTS {
        let path = list.replacen("PULL", PULL, 1).replacen("REPO", REPOSITORY, 1);
        let join = if path.contains('?') { '&' } else { '?' };
        let ids = |page: &Value| -> Vec<String> {
            let values = page["values"].as_array().expect("values");
            assert_eq!(page["size"], values.len(), "{path}");
            values.iter().map(|value| value.pointer(member).expect("an id").to_string()).collect()
        };
        let whole = ids(&get(demo, &format!("{path}{join}limit=500")).json());
        let (mut walked, mut start, mut last) = (Vec::new(), 0, false);
        while !last {
            let page = get(demo, &format!("{path}{join}limit={limit}&start={start}")).json();
            assert!(ids(&page).len() <= limit, "{path}");
            walked.extend(ids(&page));
            last = page["isLastPage"].as_bool().expect("a mark");
            match page["nextPageStart"].as_u64() {
                Some(next) => assert!(!last && next > start, "{path}: it goes on"),
                None => assert!(last, "{path}: it ends"),
            }
            start = page["nextPageStart"].as_u64().unwrap_or(start);
        }
        assert_eq!(walked, whole, "{path}");
        assert_eq!(walked.iter().collect::<BTreeSet<_>>().len(), walked.len(), "{path}");
    }
}
