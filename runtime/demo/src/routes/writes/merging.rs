//! Merging, declining and reopening, at once or when nothing blocks any more.

use serde_json::json;

use super::create::must_be_new;
use super::{Place, Write};
use crate::answer::{Answer, Outcome};
use crate::errors::Failure;
use crate::mergeable::merge_state;
use crate::merging::{STRATEGIES, Wish, merge as perform};
use crate::state::{Action, AutoMerge, Permission, PullRequestState};

pub(super) fn merge(call: &mut Write<'_>, place: Place) -> Outcome {
    if !call.may(place, Permission::Write) {
        return Err(Failure::forbidden());
    }
    let strategy = strategy(call, place)?;
    let automatic = call.flag("autoMerge").unwrap_or(false);
    if automatic {
        must_allow_auto_merge(call, place)?;
    }
    call.up_to_date(place)?;
    call.must_be_open(place)?;
    let user = call.user.clone();
    let message = call.text("message").map(str::to_owned);
    if automatic {
        let (outcome, vetoes) = merge_state(call.store, call.found(place)?);
        if outcome != "CLEAN" || !vetoes.is_empty() {
            return arm(call, place, &strategy, message.unwrap_or_default());
        }
    }
    let auto_subject = auto_subject(call);
    let wish = Wish { user: &user, strategy: &strategy, message: message.as_deref(), auto_subject };
    perform(call.store, place.0, place.1, &wish)?;
    call.answer(place)
}

fn must_allow_auto_merge(call: &Write<'_>, place: Place) -> Result<(), Failure> {
    if call.store.repository(place.0).is_some_and(|found| found.allows_auto_merge) {
        return Ok(());
    }
    Err(Failure::with(
        403,
        None,
        "Auto-merge is not enabled for this repository.",
        Some("pull.automerge.AutoMergeDisabledException"),
    ))
}

/// Whether a subject goes before the message. The document calls it text.
fn auto_subject(call: &Write<'_>) -> bool {
    call.flag("autoSubject").unwrap_or(call.text("autoSubject") != Some("false"))
}

fn arm(call: &mut Write<'_>, place: Place, strategy: &str, message: String) -> Outcome {
    let (activity, now, user) = (call.store.next_id(), call.store.now, call.user.clone());
    let auto_subject = auto_subject(call);
    let found = call.found_mut(place)?;
    found.auto_merge = Some(AutoMerge {
        requested: now,
        message,
        strategy: strategy.to_owned(),
        user: user.clone(),
        from_hash: found.from.commit.clone(),
        auto_subject,
    });
    found.record(activity, &user, now, Action::AutoMergeRequested);
    call.answer(place)
}

/// The strategy asked for, or the repository's default.
fn strategy(call: &Write<'_>, place: Place) -> Result<String, Failure> {
    let enabled =
        call.store.repository(place.0).map(|found| found.strategies.clone()).unwrap_or_default();
    let asked = call.text("strategyId").or(enabled.first().copied()).unwrap_or("no-ff");
    if !STRATEGIES.iter().any(|(id, ..)| *id == asked) || !enabled.contains(&asked) {
        return Err(Failure::bad_parameter(
            "strategyId",
            &format!("The merge strategy '{asked}' is not enabled for this repository."),
        ));
    }
    Ok(asked.to_owned())
}

pub(super) fn decline(call: &mut Write<'_>, place: Place) -> Outcome {
    call.author_or(place, Permission::Write)?;
    call.up_to_date(place)?;
    call.must_be_open(place)?;
    if let Some(text) = call.text("comment").filter(|text| !text.trim().is_empty()) {
        let text = text.to_owned();
        super::comments::say(call, place, text)?;
    }
    let (activity, now, user) = (call.store.next_id(), call.store.now, call.user.clone());
    let found = call.found_mut(place)?;
    found.state = PullRequestState::Declined;
    found.closed = Some(now);
    found.auto_merge = None;
    found.touch(now);
    found.record(activity, &user, now, Action::Declined);
    call.answer(place)
}

pub(super) fn reopen(call: &mut Write<'_>, place: Place) -> Outcome {
    call.author_or(place, Permission::Write)?;
    call.up_to_date(place)?;
    let found = call.found(place)?;
    if found.state != PullRequestState::Declined {
        return Err(Failure::not_open(found.id, found.state.name()));
    }
    must_be_new(call, &found.from, &found.to)?;
    if call.store.tip(&found.from).is_none() || call.store.tip(&found.to).is_none() {
        return Err(Failure::conflict(
            "The source or target branch of this pull request does not exist any more.",
            "pull.IllegalPullRequestStateException",
        ));
    }
    let (activity, now, user) = (call.store.next_id(), call.store.now, call.user.clone());
    let found = call.found_mut(place)?;
    found.state = PullRequestState::Open;
    found.closed = None;
    found.touch(now);
    found.record(activity, &user, now, Action::Reopened);
    // What was pushed meanwhile counts from here on.
    call.store.rescope(place.0, place.1, &user);
    call.answer(place)
}

/// Only tries an armed merge again.
pub(super) fn retry(call: &mut Write<'_>, place: Place) -> Outcome {
    if !call.may(place, Permission::Write) {
        return Err(Failure::forbidden());
    }
    must_allow_auto_merge(call, place)?;
    let found = call.found(place)?;
    if found.auto_merge.is_none() {
        return Err(Failure::bad_parameter(
            "autoMerge",
            "Auto-merge has not been requested for this pull request.",
        ));
    }
    let (outcome, vetoes) = merge_state(call.store, found);
    let result = if outcome == "CLEAN" && vetoes.is_empty() { "MERGED" } else { "VETOED" };
    call.store.stirred = true;
    call.store.settle(call.store.now);
    Ok(Answer::Json(json!({
        "autoMergeProcessingStatus": result,
        "pullRequest": call.drawn(place)?,
    })))
}

pub(super) fn disarm(call: &mut Write<'_>, place: Place) -> Outcome {
    if !call.may(place, Permission::Write) {
        return Err(Failure::forbidden());
    }
    call.must_be_open(place)?;
    let (activity, now, user) = (call.store.next_id(), call.store.now, call.user.clone());
    let found = call.found_mut(place)?;
    if found.auto_merge.take().is_none() {
        return Err(Failure::no_auto_merge(found.id));
    }
    found.record(activity, &user, now, Action::AutoMergeCancelled);
    Ok(Answer::NoContent)
}
