//! What a review comes to: verdicts, tasks and threads, counted over the whole of it.

use bb_generated::answers::{ReviewSummary, Reviewer};
use bb_generated::open::{CommentAction, CommentSeverity, CommentState, ReviewStatus};
use bb_generated::types::{Activity, Comment, Participant};
use std::collections::BTreeMap;

/// Counts over a pull request's comments.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Tasks not done.
    pub open_tasks: i64,
    /// Tasks done.
    pub resolved_tasks: i64,
    /// Threads that are no tasks and not resolved.
    pub unresolved_threads: i64,
    /// Comments and replies, tasks included.
    pub comments: i64,
}

/// Counts over all activities of a pull request, newest first as Bitbucket lists them.
///
/// A thread occurs once for each thing that happened to it, each time as it is now: it counts
/// once. Drafts are their author's own and count for nobody.
#[must_use]
pub fn count(activities: &[Activity]) -> Counts {
    let mut threads: BTreeMap<i64, &Comment> = BTreeMap::new();
    for activity in activities {
        if activity.comment_action == Some(CommentAction::Deleted) {
            continue;
        }
        if let Some(comment) = &activity.comment {
            threads.entry(comment.id.unwrap_or_default()).or_insert(comment);
        }
    }
    let mut counts = Counts::default();
    for root in threads.into_values() {
        if root.state != Some(CommentState::Pending) && !is_task(root) && !is_resolved(root) {
            counts.unresolved_threads += 1;
        }
        let mut open = vec![root];
        while let Some(comment) = open.pop() {
            open.extend(&comment.comments);
            if comment.state == Some(CommentState::Pending) {
                continue;
            }
            counts.comments += 1;
            match (is_task(comment), is_resolved(comment)) {
                (true, true) => counts.resolved_tasks += 1,
                (true, false) => counts.open_tasks += 1,
                (false, _) => {}
            }
        }
    }
    counts
}

fn is_task(comment: &Comment) -> bool {
    comment.severity == Some(CommentSeverity::Blocker)
}

/// A task by its state, a plain thread by its flag, and on releases without either by its date.
fn is_resolved(comment: &Comment) -> bool {
    if is_task(comment) {
        return comment.state == Some(CommentState::Resolved);
    }
    comment.thread_resolved.unwrap_or(comment.resolved_date.is_some())
}

/// Reviewers as answers name them.
#[must_use]
pub fn reviewers(participants: &[Participant]) -> Vec<Reviewer> {
    participants
        .iter()
        .filter_map(|participant| {
            let person = bb_generated::answers::Person::from(participant.user.as_ref()?);
            Some(Reviewer {
                name: person.name,
                display_name: person.display_name,
                status: verdict(participant),
            })
        })
        .collect()
}

/// A verdict in this server's words.
#[must_use]
pub fn verdict(participant: &Participant) -> String {
    match (&participant.status, participant.approved) {
        (Some(status), _) => status.word(),
        // Releases before 4.2 had the flag alone.
        (None, Some(true)) => ReviewStatus::Approved.word(),
        (None, _) => ReviewStatus::Unapproved.word(),
    }
}

/// The summary of a review; counts are left out where the activity could not be read whole.
#[must_use]
pub fn summary(reviewers: &[Participant], counts: Option<Counts>) -> ReviewSummary {
    let with = |status: ReviewStatus| {
        let word = status.word();
        reviewers.iter().filter(move |reviewer| verdict(reviewer) == word)
    };
    let name = |participant: &Participant| {
        let person = bb_generated::answers::Person::from(participant.user.as_ref()?);
        Some(person.display_name.unwrap_or(person.name))
    };
    ReviewSummary {
        approvals: i64::try_from(with(ReviewStatus::Approved).count()).unwrap_or(i64::MAX),
        needs_work: with(ReviewStatus::NeedsWork).filter_map(name).collect(),
        open_tasks: counts.map(|counts| counts.open_tasks),
        resolved_tasks: counts.map(|counts| counts.resolved_tasks),
        unresolved_threads: counts.map(|counts| counts.unresolved_threads),
        comments: counts.map(|counts| counts.comments),
        complete: counts.is_some(),
    }
}

#[cfg(test)]
mod tests {
    use super::{Counts, count, summary};
    use bb_generated::types::{Activity, Participant};

    fn activities(json: serde_json::Value) -> Vec<Activity> {
        serde_json::from_value(json).expect("activities in a test")
    }

    #[test]
    fn a_thread_counts_once_however_often_it_is_mentioned() {
        let thread = serde_json::json!({"id": 7, "severity": "NORMAL", "comments": [
            {"id": 8, "severity": "BLOCKER", "state": "OPEN"},
            {"id": 9, "severity": "BLOCKER", "state": "RESOLVED", "comments": [{"id": 10}]},
        ]});
        let all = activities(serde_json::json!([
            {"action": "COMMENTED", "commentAction": "REPLIED", "comment": thread},
            {"action": "APPROVED"},
            {"action": "COMMENTED", "commentAction": "ADDED", "comment": thread},
            {"action": "COMMENTED", "commentAction": "DELETED", "comment": {"id": 11}},
            {"action": "COMMENTED", "comment": {"id": 12, "threadResolved": true}},
            {"action": "COMMENTED", "comment": {"id": 13, "state": "PENDING"}},
            {"action": "COMMENTED", "comment": {"id": 14, "severity": "BLOCKER", "state": "OPEN"}},
            {"action": "SOMETHING_NEW", "comment": null},
        ]));
        let expected =
            Counts { open_tasks: 2, resolved_tasks: 1, unresolved_threads: 1, comments: 6 };
        assert_eq!(count(&all), expected);
    }

    #[test]
    fn verdicts_are_told_by_name_and_missing_counts_are_left_out() {
        let reviewers: Vec<Participant> = serde_json::from_value(serde_json::json!([
            {"user": {"name": "a", "displayName": "Ada"}, "status": "NEEDS_WORK"},
            {"user": {"name": "b", "displayName": " "}, "status": "NEEDS_WORK"},
            {"user": {"name": "c"}, "approved": true},
            {"user": {"name": "d"}, "status": "SOMETHING_NEW"},
            {"status": "NEEDS_WORK"},
        ]))
        .expect("participants in a test");
        let summary = summary(&reviewers, None);
        assert_eq!((summary.approvals, summary.complete), (1, false));
        assert_eq!(summary.needs_work, ["Ada", "b"]);
        assert_eq!(summary.open_tasks, None);
    }
}
