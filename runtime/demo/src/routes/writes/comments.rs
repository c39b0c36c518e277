//! Writing, changing and deleting comments and tasks.

use super::anchors::anchor;
use super::{Place, Write};
use crate::answer::{Answer, Outcome};
use crate::errors::Failure;
use crate::state::{Action, Comment, CommentAction, Permission};

pub(super) fn create(call: &mut Write<'_>, place: Place, task: bool) -> Outcome {
    let text = worded(call.text("text"))?;
    let parent = call.body["parent"]["id"].as_u64();
    // A reply stands where its thread does, whatever else was sent.
    let anchor = match (&call.body["anchor"], parent) {
        (given, None) if given.is_object() => Some(anchor(call, place, given)?),
        _ => None,
    };
    let severity = call.text("severity").unwrap_or_default();
    let comment = Comment {
        task: task || severity == "BLOCKER",
        pending: call.text("state") == Some("PENDING"),
        anchor,
        ..fresh(call, text)
    };
    let id = add(call, place, parent, comment)?;
    Ok(Answer::Created(drawn(call, place, id)?))
}

/// A general comment, as declining and reviewing can leave one.
pub(super) fn say(call: &mut Write<'_>, place: Place, text: String) -> Result<(), Failure> {
    let comment = fresh(call, text);
    add(call, place, None, comment).map(|_| ())
}

fn fresh(call: &mut Write<'_>, text: String) -> Comment {
    Comment {
        id: call.store.next_id(),
        author: call.user.clone(),
        text,
        created: call.store.now,
        updated: call.store.now,
        version: 0,
        task: false,
        resolved: None,
        thread_resolved: None,
        pending: false,
        anchor: None,
        applied: None,
        replies: Vec::new(),
    }
}

/// Neither the version nor the date of the pull request moves.
fn add(
    call: &mut Write<'_>,
    place: Place,
    parent: Option<u64>,
    comment: Comment,
) -> Result<u64, Failure> {
    let (id, pending, user) = (comment.id, comment.pending, call.user.clone());
    let root = match parent {
        None => id,
        Some(parent) => call
            .found(place)?
            .comment(parent)
            .filter(|(_, parent)| parent.is_visible_to(Some(&user)))
            .map(|(root, _)| root.id)
            .ok_or_else(|| Failure::no_comment(parent, place.0))?,
    };
    let (activity, now) = (call.store.next_id(), call.store.now);
    let found = call.found_mut(place)?;
    let action = match parent.and_then(|parent| found.comment_mut(parent)) {
        Some(parent) => {
            parent.replies.push(comment);
            CommentAction::Replied
        }
        None => {
            found.comments.push(comment);
            CommentAction::Added
        }
    };
    if !pending {
        found.takes_part(&user);
        found.record(activity, &user, now, Action::Commented(root, action));
    }
    Ok(id)
}

pub(super) fn update(call: &mut Write<'_>, place: Place, id: &str) -> Outcome {
    let id = number(call, place, id)?;
    if call.body.get("version").is_none() {
        return Err(Failure::bad_parameter(
            "version",
            "The version must be supplied for this request.",
        ));
    }
    let (found, user) = (call.found(place)?, &call.user);
    let (root, comment) = found.comment(id).ok_or_else(|| Failure::no_comment(id, place.0))?;
    let (is_root, own) = (root.id == id, comment.author == *user);
    let text = call.text("text").filter(|text| *text != comment.text);
    let text = text.map(|text| worded(Some(text))).transpose()?;
    let task = call.text("severity").map(|severity| severity == "BLOCKER");
    let state = call.text("state").map(str::to_owned);
    let resolved = call.flag("threadResolved").filter(|_| is_root);
    let governs = own || found.author == *user || call.may(place, Permission::Admin);
    if (text.is_some() && !own) || !governs {
        return Err(Failure::forbidden());
    }
    same_version(call, comment)?;
    let is_task = task.unwrap_or(comment.task);
    if state.as_deref() == Some("RESOLVED") && !is_task {
        return Err(Failure::bad_parameter(
            "state",
            "Only a comment of severity BLOCKER can be resolved by its state.",
        ));
    }
    let root = root.id;
    let (activity, now, user) = (call.store.next_id(), call.store.now, call.user.clone());
    let found = call.found_mut(place)?;
    let Some(comment) = found.comment_mut(id) else {
        return Err(Failure::no_comment(id, place.0));
    };
    let before = comment.clone();
    let edited = text.is_some() && !comment.pending;
    if let Some(text) = text {
        comment.text = text;
    }
    comment.task = is_task;
    match state.as_deref() {
        Some("RESOLVED") if comment.resolved.is_none() => {
            comment.resolved = Some((user.clone(), now));
        }
        Some("OPEN") => comment.resolved = None,
        _ => {}
    }
    if !is_task {
        comment.resolved = None;
    }
    match resolved {
        Some(true) if comment.thread_resolved.is_none() => {
            comment.thread_resolved = Some((user.clone(), now));
        }
        Some(false) => comment.thread_resolved = None,
        _ => {}
    }
    let state = |comment: &Comment| {
        (
            comment.text.clone(),
            comment.task,
            comment.resolved.is_some(),
            comment.thread_resolved.is_some(),
        )
    };
    if state(&before) != state(comment) {
        comment.version += 1;
        comment.updated = now;
    }
    if edited {
        found.record(activity, &user, now, Action::Commented(root, CommentAction::Updated));
    }
    Ok(Answer::Json(drawn(call, place, id)?))
}

pub(super) fn delete(call: &mut Write<'_>, place: Place, id: &str) -> Outcome {
    let id = number(call, place, id)?;
    let (_, comment) =
        call.found(place)?.comment(id).ok_or_else(|| Failure::no_comment(id, place.0))?;
    if comment.author != call.user && !call.may(place, Permission::Admin) {
        return Err(Failure::forbidden());
    }
    same_version(call, comment)?;
    if !comment.replies.is_empty() {
        return Err(Failure::conflict(
            &format!("Comment {id} has replies which must be deleted first."),
            "comment.CommentDeletionException",
        ));
    }
    let last = comment.clone();
    let (activity, now, user) = (call.store.next_id(), call.store.now, call.user.clone());
    let found = call.found_mut(place)?;
    found.comments.retain(|root| root.id != id);
    for root in &mut found.comments {
        root.remove(id);
    }
    // What a thread left behind goes with it.
    found
        .activities
        .retain(|held| !matches!(held.action, Action::Commented(root, _) if root == id));
    if !last.pending {
        found.record(activity, &user, now, Action::CommentDeleted(Box::new(last)));
    }
    Ok(Answer::NoContent)
}

fn same_version(call: &Write<'_>, comment: &Comment) -> Result<(), Failure> {
    let expected = call.version()?;
    if u64::try_from(expected) == Ok(comment.version) {
        Ok(())
    } else {
        Err(Failure::comment_out_of_date(expected, comment.version))
    }
}

/// The comment a path names; a draft is there for its author alone.
pub(super) fn number(call: &Write<'_>, place: Place, id: &str) -> Result<u64, Failure> {
    let id = id.parse().map_err(|_| Failure::no_route())?;
    call.found(place)?
        .comment(id)
        .filter(|(_, comment)| comment.is_visible_to(Some(&call.user)))
        .map(|_| id)
        .ok_or_else(|| Failure::no_comment(id, place.0))
}

fn drawn(call: &Write<'_>, place: Place, id: u64) -> Result<serde_json::Value, Failure> {
    let found = call.found(place)?;
    let (_, comment) = found.comment(id).ok_or_else(|| Failure::no_comment(id, place.0))?;
    Ok(call.shapes().comment(comment, found, true))
}

fn worded(text: Option<&str>) -> Result<String, Failure> {
    match text {
        Some(text) if !text.trim().is_empty() => Ok(text.to_owned()),
        _ => Err(Failure::bad_parameter("text", "The comment text must not be empty.")),
    }
}
