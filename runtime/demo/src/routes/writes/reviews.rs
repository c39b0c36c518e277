//! Verdicts, reviewers and reviews that are drafts first.

use super::create::newcomer;
use super::{Place, Write};
use crate::answer::{Answer, Outcome};
use crate::errors::Failure;
use crate::state::{Action, CommentAction, Permission, Verdict, same};

/// Sets the caller's own verdict; nobody can speak for another.
pub(super) fn set(call: &mut Write<'_>, place: Place, slug: &str) -> Outcome {
    let user = call.store.user_at(slug).ok_or_else(|| Failure::no_user(slug))?;
    if user.name != call.user {
        return Err(Failure::forbidden());
    }
    let status = call.text("status").unwrap_or_default().to_owned();
    let status = match call.flag("approved") {
        Some(true) if status.is_empty() => "APPROVED".to_owned(),
        Some(false) if status.is_empty() => "UNAPPROVED".to_owned(),
        _ => status,
    };
    let seen = call.text("lastReviewedCommit").map(str::to_owned);
    say(call, place, &status, seen.as_deref())
}

/// The deprecated way to approve, which sends no body.
pub(super) fn approve(call: &mut Write<'_>, place: Place, status: &str) -> Outcome {
    say(call, place, status, None)
}

fn say(call: &mut Write<'_>, place: Place, status: &str, seen: Option<&str>) -> Outcome {
    let Some(verdict) = Verdict::named(status) else {
        return Err(Failure::bad_parameter(
            "status",
            &format!("'{status}' is not one of UNAPPROVED, NEEDS_WORK, APPROVED."),
        ));
    };
    let found = call.found(place)?;
    if found.author == call.user {
        return Err(Failure::with(
            400,
            None,
            "Authors may not update their status.",
            Some("pull.InvalidPullRequestRoleException"),
        ));
    }
    call.must_be_open(place)?;
    if seen.is_some_and(|seen| seen != found.from.commit) {
        let current = found.version;
        let expected = i64::try_from(current).unwrap_or(-1);
        let drawn = call.drawn(place)?;
        return Err(Failure::pull_request_out_of_date(expected, current, drawn));
    }
    let (activity, now, user) = (call.store.next_id(), call.store.now, call.user.clone());
    let found = call.found_mut(place)?;
    found.takes_part(&user);
    let tip = found.from.commit.clone();
    if let Some(participant) = found.participant_mut(&user) {
        let before = std::mem::replace(&mut participant.verdict, verdict);
        participant.last_reviewed = Some(tip);
        let action = match verdict {
            Verdict::Approved => Action::Approved,
            Verdict::NeedsWork => Action::Reviewed,
            Verdict::Unapproved => Action::Unapproved,
        };
        if before != verdict {
            found.record(activity, &user, now, action);
        }
    }
    participant(call, place, &user)
}

fn participant(call: &Write<'_>, place: Place, user: &str) -> Outcome {
    let found = call.found(place)?;
    let shapes = call.shapes();
    for (all, role) in [(&found.reviewers, "REVIEWER"), (&found.participants, "PARTICIPANT")] {
        if let Some(held) = all.iter().find(|held| same(&held.user, user)) {
            return Ok(Answer::Json(shapes.participant(held, role)));
        }
    }
    Err(Failure::no_user(user))
}

/// Adds a reviewer; anybody may add themselves.
pub(super) fn add(call: &mut Write<'_>, place: Place) -> Outcome {
    let name = call.body["user"]["name"].as_str().unwrap_or_default().to_owned();
    if call.text("role") != Some("REVIEWER") {
        return Err(Failure::bad_parameter("role", "Only the role REVIEWER can be given."));
    }
    let known = call.store.user(&name).filter(|user| user.active).map(|user| user.name.clone());
    let name = known.ok_or_else(|| Failure::no_user(&name))?;
    if name != call.user {
        call.author_or(place, Permission::Admin)?;
    }
    call.must_be_open(place)?;
    if call.found(place)?.author == name {
        return Err(Failure::with(
            400,
            None,
            "The author of a pull request cannot review it.",
            Some("pull.InvalidPullRequestRoleException"),
        ));
    }
    let (activity, now, user) = (call.store.next_id(), call.store.now, call.user.clone());
    let found = call.found_mut(place)?;
    if !found.reviewers.iter().any(|held| held.user == name) {
        let known = found.participants.iter().position(|held| held.user == name);
        let reviewer = known.map(|index| found.participants.remove(index));
        found.reviewers.push(reviewer.unwrap_or_else(|| newcomer(name.clone())));
        found.touch(now);
        let action = Action::Updated { added: vec![name.clone()], removed: Vec::new() };
        found.record(activity, &user, now, action);
    }
    participant(call, place, &name)
}

/// The same, named in the query.
pub(super) fn demote_named(call: &mut Write<'_>, place: Place) -> Outcome {
    let name = call.query.get("username").unwrap_or_default().to_owned();
    let slug = call.store.user(&name).map(|user| user.slug.clone());
    demote(call, place, &slug.ok_or_else(|| Failure::no_user(&name))?)
}

/// A reviewer becomes a participant again.
pub(super) fn demote(call: &mut Write<'_>, place: Place, slug: &str) -> Outcome {
    let name = call.store.user_at(slug).map(|user| user.name.clone());
    let name = name.ok_or_else(|| Failure::no_user(slug))?;
    if name != call.user {
        call.author_or(place, Permission::Admin)?;
    }
    call.must_be_open(place)?;
    let (activity, now, user) = (call.store.next_id(), call.store.now, call.user.clone());
    let found = call.found_mut(place)?;
    if let Some(index) = found.reviewers.iter().position(|held| held.user == name) {
        let held = found.reviewers.remove(index);
        found.participants.push(held);
        found.touch(now);
        let action = Action::Updated { added: Vec::new(), removed: vec![name] };
        found.record(activity, &user, now, action);
    }
    Ok(Answer::NoContent)
}

pub(super) fn watch(call: &mut Write<'_>, place: Place) -> Outcome {
    let (user, watches) = (call.user.clone(), call.method == "POST");
    let found = call.found_mut(place)?;
    found.watchers.retain(|watcher| *watcher != user);
    if watches {
        found.watchers.push(user);
    }
    Ok(Answer::NoContent)
}

/// Publishes the caller's draft, with a verdict and a closing word.
pub(super) fn publish(call: &mut Write<'_>, place: Place) -> Outcome {
    let (user, now) = (call.user.clone(), call.store.now);
    let drafts = drafts(call, place)?;
    if drafts.is_empty() {
        return Err(Failure::no_review(place.1));
    }
    // The document's own example is in small letters.
    let status = call.text("participantStatus").map(str::to_uppercase);
    let seen = call.text("lastReviewedCommit").map(str::to_owned);
    if let Some(status) = status {
        say(call, place, &status, seen.as_deref())?;
    }
    for (root, id) in drafts {
        let activity = call.store.next_id();
        let found = call.found_mut(place)?;
        if let Some(comment) = found.comment_mut(id) {
            comment.pending = false;
        }
        let action = if root == id { CommentAction::Added } else { CommentAction::Replied };
        found.takes_part(&user);
        found.record(activity, &user, now, Action::Commented(root, action));
    }
    if let Some(text) = call.text("commentText").filter(|text| !text.trim().is_empty()) {
        let text = text.to_owned();
        super::comments::say(call, place, text)?;
    }
    participant(call, place, &user).or_else(|_| call.answer(place))
}

pub(super) fn discard(call: &mut Write<'_>, place: Place) -> Outcome {
    let drafts = drafts(call, place)?;
    if drafts.is_empty() {
        return Err(Failure::no_review(place.1));
    }
    let found = call.found_mut(place)?;
    for (_, id) in drafts {
        found.comments.retain(|root| root.id != id);
        for root in &mut found.comments {
            root.remove(id);
        }
    }
    Ok(Answer::NoContent)
}

/// The caller's drafts: the root of the thread and the comment.
fn drafts(call: &Write<'_>, place: Place) -> Result<Vec<(u64, u64)>, Failure> {
    let found = call.found(place)?;
    let mut drafts = Vec::new();
    for root in &found.comments {
        root.visit(&mut |comment| {
            if comment.pending && comment.author == call.user {
                drafts.push((root.id, comment.id));
            }
        });
    }
    Ok(drafts)
}
