//! Comments with their replies, and the activities that show them.

use serde_json::{Value, json};

use super::{Shapes, put};
use crate::blob::Blob;
use crate::diff::{self, Whitespace};
use crate::history::{Commit, History};
use crate::state::{
    Action, Activity, Anchor, Comment, CommentAction, LineType, Permission, PullRequest,
};

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
        let replies: Vec<Value> = comment
            .replies
            .iter()
            .filter(|reply| reply.is_visible_to(self.user))
            .map(|reply| self.comment(reply, pull_request, false))
            .collect();
        let mut object = json!({
            "properties": { "repositoryId": pull_request.repository },
            "id": comment.id,
            "version": comment.version,
            "text": comment.text,
            "author": self.user_named(&comment.author),
            "createdDate": comment.created,
            "updatedDate": comment.updated,
            "comments": replies,
        });
        if let (Some(index), Some(properties)) = (comment.applied, object.get_mut("properties")) {
            put(properties, "suggestionState", Some(json!("APPLIED")));
            put(properties, "suggestionIndex", Some(json!(index)));
        }
        if anchored {
            let anchor = comment.anchor.as_ref().map(anchor);
            put(&mut object, "anchor", anchor);
        }
        for (name, value) in [
            ("threadResolved", json!(comment.thread_resolved.is_some())),
            ("severity", json!(if comment.task { "BLOCKER" } else { "NORMAL" })),
            ("state", json!(comment.state_name())),
        ] {
            put(&mut object, name, Some(value));
        }
        for (done, by, at) in [
            (&comment.resolved, "resolver", "resolvedDate"),
            (&comment.thread_resolved, "threadResolver", "threadResolvedDate"),
        ] {
            let Some((user, date)) = done else {
                continue;
            };
            put(&mut object, by, Some(self.user_named(user)));
            put(&mut object, at, Some(json!(date)));
        }
        let own = self.user == Some(comment.author.as_str());
        let admin = self.store.repository(pull_request.repository).zip(self.user).is_some_and(
            |(repository, user)| self.store.permission(user, repository) == Permission::Admin,
        );
        let mut operations = json!({
            "editable": own,
            "deletable": (own || admin) && comment.replies.is_empty(),
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
            Action::Commented(id, action) => {
                if let Some(root) = pull_request.comments.iter().find(|root| root.id == *id) {
                    put(&mut object, "commentAction", Some(json!(action.name())));
                    self.commented(&mut object, history, pull_request, root);
                }
            }
            Action::CommentDeleted(comment) => {
                put(&mut object, "commentAction", Some(json!("DELETED")));
                put(&mut object, "comment", Some(self.comment(comment, pull_request, true)));
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
                let commit = id
                    .as_ref()
                    .and_then(|id| history.commit(id))
                    .map(|commit| self.commit_with_parents(history, commit));
                put(&mut object, "commit", commit);
            }
            Action::Opened
            | Action::Approved
            | Action::Unapproved
            | Action::Reviewed
            | Action::Declined
            | Action::Reopened
            | Action::AutoMergeRequested
            | Action::AutoMergeCancelled => {}
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
        place.line?;
        let mut hunks = change.hunks(usize::MAX, Whitespace::Show);
        let hunk = hunks.first_mut()?;
        let at = hunk
            .lines
            .iter()
            .position(|shown| place.is_on(shown.kind, shown.source, shown.destination))?;
        let end = (at + EXCERPT + 1).min(hunk.lines.len());
        hunk.lines = hunk.lines.drain(at.saturating_sub(EXCERPT)..end).collect();
        let first = hunk.lines.first()?;
        let spans =
            |left_out: LineType| hunk.lines.iter().filter(|shown| shown.kind != left_out).count();
        (hunk.source_span, hunk.destination_span) =
            (spans(LineType::Added), spans(LineType::Removed));
        (hunk.source_line, hunk.destination_line) = (first.source, first.destination);
        let path_of = |side: &Option<(String, Blob)>| {
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
        let side = if anchor.is_on_source() { "FROM" } else { "TO" };
        put(&mut object, "line", Some(json!(line)));
        put(&mut object, "lineType", Some(json!(kind.name())));
        put(&mut object, "fileType", Some(json!(side)));
        if let Some((first, kind)) = anchor.first {
            let span = if anchor.is_on_source() {
                json!({ "srcSpanStart": first, "srcSpanEnd": line })
            } else {
                json!({ "dstSpanStart": first, "dstSpanEnd": line })
            };
            let marker = json!({ "startLine": first, "startLineType": kind.name() });
            put(&mut object, "multilineMarker", Some(marker));
            put(&mut object, "multilineSpan", Some(span));
        }
    }
    put(&mut object, "path", Some(json!(anchor.path)));
    let source = anchor.source_path.as_ref().map(|path| json!(path));
    put(&mut object, "srcPath", source);
    put(&mut object, "diffType", Some(json!(anchor.diff_type)));
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
            Action::Commented(..) | Action::CommentDeleted(_) => "COMMENTED",
            Action::Updated { .. } => "UPDATED",
            Action::Rescoped { .. } => "RESCOPED",
            Action::Merged(_) => "MERGED",
            Action::AutoMergeRequested => "AUTO_MERGE_REQUESTED",
            Action::AutoMergeCancelled => "AUTO_MERGE_CANCELLED",
        }
    }
}

impl CommentAction {
    fn name(self) -> &'static str {
        match self {
            CommentAction::Added => "ADDED",
            CommentAction::Replied => "REPLIED",
            CommentAction::Updated => "UPDATED",
        }
    }
}
