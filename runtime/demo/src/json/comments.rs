//! Comments with their replies, and the activities that show them.

use serde_json::{Value, json};

use super::{Shapes, put};
use crate::USER;
use crate::diff::{self, Whitespace};
use crate::history::{Commit, History};
use crate::state::{Action, Activity, Anchor, Comment, LineType, PullRequest};

/// The lines around a comment that an activity shows, and the commits a
/// RESCOPED activity lists at most.
const EXCERPT: usize = 3;
const LISTED: usize = 5;

impl Shapes<'_> {
    /// A comment of a pull request. Its anchor is drawn where the comment
    /// resources do, not inside a diff and not for a reply.
    pub(crate) fn comment(
        &self,
        comment: &Comment,
        pull_request: &PullRequest,
        anchored: bool,
    ) -> Value {
        let replies: Vec<Value> =
            comment.replies.iter().map(|reply| self.comment(reply, pull_request, false)).collect();
        let updated = comment
            .resolved
            .as_ref()
            .filter(|_| comment.task)
            .map_or(comment.created, |(_, date)| *date);
        let done = comment.task && comment.resolved.is_some();
        let mut object = json!({
            "properties": { "repositoryId": pull_request.repository },
            "id": comment.id,
            "version": u64::from(comment.resolved.is_some()),
            "text": comment.text,
            "author": self.user_named(&comment.author),
            "createdDate": comment.created,
            "updatedDate": updated,
            "comments": replies,
        });
        if anchored {
            let anchor = comment.anchor.as_ref().map(anchor);
            put(&mut object, "anchor", anchor);
        }
        let threads = !comment.task && comment.resolved.is_some();
        for (name, value) in [
            ("threadResolved", json!(threads)),
            ("severity", json!(if comment.task { "BLOCKER" } else { "NORMAL" })),
            ("state", json!(if done { "RESOLVED" } else { "OPEN" })),
        ] {
            put(&mut object, name, Some(value));
        }
        if let Some((user, date)) = &comment.resolved {
            let (by, at) = if comment.task {
                ("resolver", "resolvedDate")
            } else {
                ("threadResolver", "threadResolvedDate")
            };
            put(&mut object, by, Some(self.user_named(user)));
            put(&mut object, at, Some(json!(date)));
        }
        let own = comment.author == USER;
        let mut operations = json!({
            "editable": own,
            "deletable": own && comment.replies.is_empty(),
        });
        if comment.task {
            put(&mut operations, "transitionable", Some(json!(true)));
        }
        put(&mut object, "permittedOperations", Some(operations));
        object
    }

    pub(crate) fn activity(
        &self,
        history: &History,
        pull_request: &PullRequest,
        activity: &Activity,
    ) -> Value {
        let mut object = json!({
            "id": activity.id,
            "createdDate": activity.date,
            "user": self.user_named(&activity.user),
            "action": activity.action.name(),
        });
        let people = |names: &[String]| -> Value {
            names.iter().map(|name| self.user_named(name)).collect()
        };
        match &activity.action {
            Action::Commented(id) => {
                if let Some(root) = pull_request.comments.iter().find(|root| root.id == *id) {
                    self.commented(&mut object, history, pull_request, root);
                }
            }
            Action::Updated { added, removed } => {
                put(&mut object, "addedReviewers", Some(people(added)));
                put(&mut object, "removedReviewers", Some(people(removed)));
            }
            Action::Rescoped { from, previous_from, to, previous_to } => {
                for (name, id) in [
                    ("fromHash", from),
                    ("previousFromHash", previous_from),
                    ("previousToHash", previous_to),
                    ("toHash", to),
                ] {
                    put(&mut object, name, Some(json!(id)));
                }
                for (name, now, then) in
                    [("added", from, previous_from), ("removed", previous_from, from)]
                {
                    let commits = history.log(now, Some(then));
                    let listed: Vec<Value> = commits
                        .iter()
                        .take(LISTED)
                        .map(|commit: &std::sync::Arc<Commit>| self.commit(commit))
                        .collect();
                    put(
                        &mut object,
                        name,
                        Some(json!({ "commits": listed, "total": commits.len() })),
                    );
                }
            }
            Action::Merged(id) => {
                let commit =
                    history.commit(id).map(|commit| self.commit_with_parents(history, commit));
                put(&mut object, "commit", commit);
            }
            Action::Opened
            | Action::Approved
            | Action::Unapproved
            | Action::Reviewed
            | Action::Declined
            | Action::Reopened
            | Action::AutoMergeRequested => {}
        }
        object
    }

    fn commented(
        &self,
        object: &mut Value,
        history: &History,
        pull_request: &PullRequest,
        root: &Comment,
    ) {
        put(object, "commentAction", Some(json!("ADDED")));
        put(object, "comment", Some(self.comment(root, pull_request, true)));
        let Some(place) = &root.anchor else {
            return;
        };
        put(object, "commentAnchor", Some(anchor(place)));
        put(object, "diff", self.excerpt(history, root, place));
    }

    /// The lines around a comment, from the commits it was written on: an
    /// outdated one keeps showing what its author saw.
    fn excerpt(&self, history: &History, root: &Comment, place: &Anchor) -> Option<Value> {
        let before = history.commit(&place.from_hash)?;
        let after = history.commit(&place.to_hash)?;
        let change = diff::changes(&before.tree, &after.tree)
            .into_iter()
            .find(|change| change.path() == place.path)?;
        let (line, kind) = place.line?;
        let mut hunks = change.hunks(usize::MAX, Whitespace::Show);
        let hunk = hunks.first_mut()?;
        let at = hunk.lines.iter().position(|shown| {
            shown.kind == kind
                && line
                    == match kind {
                        LineType::Removed => shown.source,
                        _ => shown.destination,
                    }
        })?;
        let end = (at + EXCERPT + 1).min(hunk.lines.len());
        hunk.lines = hunk.lines.drain(at.saturating_sub(EXCERPT)..end).collect();
        let first = hunk.lines.first()?;
        let spans =
            |left_out: LineType| hunk.lines.iter().filter(|shown| shown.kind != left_out).count();
        (hunk.source_span, hunk.destination_span) =
            (spans(LineType::Added), spans(LineType::Removed));
        (hunk.source_line, hunk.destination_line) = (first.source, first.destination);
        let path_of = |side: &Option<(String, std::sync::Arc<str>)>| {
            side.as_ref().map_or(Value::Null, |(name, _)| super::path(name))
        };
        Some(json!({
            "source": path_of(&change.before),
            "destination": path_of(&change.after),
            "hunks": [self.hunk(hunk, &[root])],
            "truncated": false,
            "properties": {
                "toHash": place.to_hash,
                "current": !place.orphaned,
                "fromHash": place.from_hash,
            },
        }))
    }
}

/// Where a comment stands; paths are plain strings on the wire.
fn anchor(anchor: &Anchor) -> Value {
    let mut object = json!({ "fromHash": anchor.from_hash, "toHash": anchor.to_hash });
    if let Some((line, kind)) = anchor.line {
        let side = match kind {
            LineType::Removed => "FROM",
            _ => "TO",
        };
        put(&mut object, "line", Some(json!(line)));
        put(&mut object, "lineType", Some(json!(kind.name())));
        put(&mut object, "fileType", Some(json!(side)));
    }
    put(&mut object, "path", Some(json!(anchor.path)));
    let source = anchor.source_path.as_ref().map(|path| json!(path));
    put(&mut object, "srcPath", source);
    put(&mut object, "diffType", Some(json!("EFFECTIVE")));
    put(&mut object, "orphaned", Some(json!(anchor.orphaned)));
    object
}

impl Action {
    fn name(&self) -> &'static str {
        match self {
            Action::Opened => "OPENED",
            Action::Approved => "APPROVED",
            Action::Unapproved => "UNAPPROVED",
            Action::Reviewed => "REVIEWED",
            Action::Declined => "DECLINED",
            Action::Reopened => "REOPENED",
            Action::Commented(_) => "COMMENTED",
            Action::Updated { .. } => "UPDATED",
            Action::Rescoped { .. } => "RESCOPED",
            Action::Merged(_) => "MERGED",
            Action::AutoMergeRequested => "AUTO_MERGE_REQUESTED",
        }
    }
}
