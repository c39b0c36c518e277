//! The card from recorded-like answers, and its fingerprint field by field.

use super::{payload, people, words};
use bb_generated::kinds::pull_request::{Gathered, MOST_BUILDS, Payload};
use serde_json::{Value, json};
use std::collections::BTreeMap;

const NOW: &str = "2026-11-30T12:00:00Z";

fn pull_request() -> Value {
    let user =
        |name: &str| json!({"name": name, "slug": name, "displayName": format!("Display {name}")});
    json!({
        "id": 1, "version": 3, "title": "Title", "state": "OPEN", "createdDate": 1_700_000_000_000_i64, "updatedDate": 1_700_000_100_000_i64,
        "fromRef": {"displayId": "feature", "latestCommit": "c1", "repository": {"slug": "fork", "project": {"key": "~ada"}}},
        "toRef": {"displayId": "main", "latestCommit": "c2", "repository": {"slug": "ledger", "project": {"key": "PAY"}}},
        "author": {"user": user("ada")},
        "reviewers": [
            {"user": user("bo"), "status": "UNAPPROVED"}, {"user": user("cy"), "status": "APPROVED"},
            {"user": user("di"), "status": "NEEDS_WORK"}, {"user": user("ab"), "status": "APPROVED"},
        ],
        "properties": {"openTaskCount": 2, "resolvedTaskCount": 1, "commentCount": 10},
        "links": {"self": [{"href": "https://bitbucket/pr/1"}]},
    })
}

fn gathered(found: Value) -> Gathered {
    Gathered {
        pull_request: serde_json::from_value(found).expect("a pull request"),
        mergeability: serde_json::from_value(json!({"conflicted": true, "vetoes": [{"summaryMessage": "No"}]})).ok(),
        builds: serde_json::from_value(json!({"page": {"values": [
            {"key": "k1", "state": "SUCCESSFUL"}, {"key": "k2", "state": "FAILED", "name": "Tests", "url": "https://ci"},
        ]}}))
        .ok(),
        build_counts: None,
        auto_merge: None,
        avatar: BTreeMap::from([("ada".to_owned(), b"\x89PNG\r\n\x1a\n".to_vec()), ("cy".to_owned(), b"<svg>".to_vec())]),
    }
}

#[test]
fn the_card_holds_what_was_read() {
    let card = payload(&gathered(pull_request()), NOW);
    assert_eq!((card.project.as_str(), card.repo.as_str(), card.id), ("PAY", "ledger", 1));
    assert_eq!(
        (card.source.project.as_deref(), card.source.repo.as_deref()),
        (Some("~ada"), Some("fork"))
    );
    assert_eq!((card.target.project.as_deref(), card.target.name.as_str()), (None, "main"));
    let order: Vec<&str> = card.reviewers.iter().map(|reviewer| reviewer.name.as_str()).collect();
    assert_eq!(order, ["di", "ab", "cy", "bo"]);
    assert_eq!(
        (
            card.reviewer_counts.total,
            card.reviewer_counts.approved,
            card.reviewer_counts.needs_work
        ),
        (4, 2, 1)
    );
    assert_eq!((card.open_tasks, card.resolved_tasks, card.comment_count), (2, 1, 7));
    assert_eq!((card.builds[0].key.as_str(), card.build_counts.total), ("k2", 2));
    assert!(
        card.mergeability.conflicted && card.builds_known && card.discussion_known && !card.closed
    );
    let pictured: Vec<&str> = card.avatars.iter().map(|avatar| avatar.name.as_str()).collect();
    assert_eq!(pictured, ["ada"], "an SVG is no picture");
    assert_eq!(
        words(&card),
        "open, 2 of 4 approved, 1 requested changes, conflict, 1 build failed, 1 build passed, 2 open tasks"
    );
}

#[test]
fn what_is_missing_is_said_to_be_unknown_and_never_zero() {
    let mut bare = gathered(json!({"id": 7}));
    (bare.mergeability, bare.builds) = (None, None);
    let card = payload(&bare, NOW);
    assert!(!card.builds_known && !card.discussion_known);
    assert_eq!((card.state.as_str(), card.author.display_name.as_deref()), ("open", Some("")));
    assert_eq!(people(&bare.pull_request), [""; 0]);
}

#[test]
fn counts_are_of_the_whole_and_lists_are_cut() {
    let mut many = gathered(pull_request());
    let builds: Vec<Value> =
        (0..400).map(|number| json!({"key": number.to_string(), "state": "SUCCESSFUL"})).collect();
    many.builds = serde_json::from_value(json!({"page": {"values": builds}})).ok();
    let card = payload(&many, NOW);
    assert_eq!((card.builds.len(), card.build_counts.total), (MOST_BUILDS, 400));
}

#[test]
fn exactly_the_fields_of_the_content_move_the_fingerprint() {
    let base = payload(&gathered(pull_request()), NOW);
    let fields = serde_json::to_value(&base).expect("JSON");
    let print = |payload: &Payload| payload.fingerprint().expect("a fingerprint");
    // Each field changed alone, by hand where its type has no other value at hand.
    let changed: Vec<(&str, Payload)> = vec![
        ("project", Payload { project: "X".into(), ..base.clone() }),
        ("repo", Payload { repo: "x".into(), ..base.clone() }),
        ("id", Payload { id: 99, ..base.clone() }),
        ("title", Payload { title: "x".into(), ..base.clone() }),
        ("state", Payload { state: "x".into(), ..base.clone() }),
        ("draft", Payload { draft: !base.draft, ..base.clone() }),
        ("author", Payload { author: Default::default(), ..base.clone() }),
        ("source", Payload { source: Default::default(), ..base.clone() }),
        ("target", Payload { target: Default::default(), ..base.clone() }),
        ("url", Payload { url: "x".into(), ..base.clone() }),
        ("reviewers", Payload { reviewers: Vec::new(), ..base.clone() }),
        ("reviewer_counts", Payload { reviewer_counts: Default::default(), ..base.clone() }),
        ("mergeability", Payload { mergeability: Default::default(), ..base.clone() }),
        ("builds_known", Payload { builds_known: !base.builds_known, ..base.clone() }),
        ("builds", Payload { builds: Vec::new(), ..base.clone() }),
        ("build_counts", Payload { build_counts: Default::default(), ..base.clone() }),
        (
            "builds_in_progress",
            Payload { builds_in_progress: !base.builds_in_progress, ..base.clone() },
        ),
        ("discussion_known", Payload { discussion_known: !base.discussion_known, ..base.clone() }),
        ("open_tasks", Payload { open_tasks: 99, ..base.clone() }),
        ("resolved_tasks", Payload { resolved_tasks: 99, ..base.clone() }),
        ("comment_count", Payload { comment_count: 99, ..base.clone() }),
        ("auto_merge", Payload { auto_merge: !base.auto_merge, ..base.clone() }),
        ("created", Payload { created: "x".into(), ..base.clone() }),
        ("updated", Payload { updated: "x".into(), ..base.clone() }),
        ("closed", Payload { closed: !base.closed, ..base.clone() }),
        ("generated_at", Payload { generated_at: "x".into(), ..base.clone() }),
        ("avatars", Payload { avatars: Vec::new(), ..base.clone() }),
    ];
    let names: Vec<&str> = changed.iter().map(|(name, _)| *name).collect();
    let all: Vec<&String> = fields.as_object().expect("fields").keys().collect();
    assert_eq!(names, all, "every field is tried");
    for (name, payload) in &changed {
        let moved = print(payload) != print(&base);
        assert_eq!(moved, Payload::CONTENT.contains(name), "{name}");
    }
}
