//! Changing and deleting a pull request.

use serde_json::json;

use super::create::{
    described, must_be_new, must_bring_something, newcomer, reviewers, side, titled,
};
use super::{Place, Write};
use crate::answer::{Answer, Outcome};
use crate::errors::Failure;
use crate::state::{Action, Participant, Permission};

/// What is left out counts as cleared, but for the title, the target and the
/// draft mark.
pub(super) fn update(call: &mut Write<'_>, place: Place) -> Outcome {
    if call.body.get("version").is_none() && call.query.get("version").is_none() {
        return Err(Failure::bad_parameter(
            "version",
            "The version must be supplied for this request.",
        ));
    }
    let asked = reviewers(call, &call.found(place)?.author)?;
    let found = call.found(place)?;
    let held: Vec<String> = found.reviewers.iter().map(|reviewer| reviewer.user.clone()).collect();
    let added: Vec<String> = asked.iter().filter(|name| !held.contains(name)).cloned().collect();
    let removed: Vec<String> = held.iter().filter(|name| !asked.contains(name)).cloned().collect();
    if !(added.is_empty() && removed.is_empty())
        && found.author != call.user
        && !call.may(place, Permission::Admin)
    {
        let message = "Only the author of a pull request may change its reviewers.";
        let errors: Vec<_> = added
            .iter()
            .chain(&removed)
            .map(|name| json!({ "context": name, "message": message, "exceptionName": null }))
            .collect();
        return Err(Failure::reviewers(json!(errors), json!([])));
    }
    call.author_or(place, Permission::Write)?;
    call.up_to_date(place)?;
    call.must_be_open(place)?;
    let found = call.found(place)?;
    let title = titled(call.text("title").or(Some(&found.title)), call.text("description"))?;
    let target = match call.body["toRef"]["id"].as_str() {
        Some(_) => Some(side(call, "toRef", place.0)?),
        None => None,
    };
    let target = target.filter(|target| target.branch != found.to.branch);
    if let Some(target) = &target {
        must_be_new(call, &found.from, target)?;
        must_bring_something(call, &found.from, target)?;
    }
    let draft = call.flag("draft").unwrap_or(found.draft);
    let description = described(call);
    let changed = title != found.title
        || description != found.description
        || draft != found.draft
        || target.is_some()
        || !(added.is_empty() && removed.is_empty());
    if changed {
        let (activity, now, user) = (call.store.next_id(), call.store.now, call.user.clone());
        if let Some(target) = target {
            let from = call.found(place)?.from.commit.clone();
            call.store.place_between(place.0, place.1, &from, &target.commit);
            call.found_mut(place)?.to = target;
        }
        let found = call.found_mut(place)?;
        found.title = title;
        found.description = description;
        found.draft = draft;
        let former: Vec<Participant> =
            found.reviewers.iter().filter(|held| removed.contains(&held.user)).cloned().collect();
        found.reviewers.retain(|held| !removed.contains(&held.user));
        // Who has said something stays, as a participant.
        found.participants.extend(former.into_iter().filter(|held| held.last_reviewed.is_some()));
        for name in &added {
            let known = found.participants.iter().position(|held| held.user == *name);
            let reviewer = known.map(|index| found.participants.remove(index));
            found.reviewers.push(reviewer.unwrap_or_else(|| newcomer(name.clone())));
        }
        found.touch(now);
        found.record(activity, &user, now, Action::Updated { added, removed });
    }
    call.answer(place)
}

pub(super) fn delete(call: &mut Write<'_>, place: Place) -> Outcome {
    call.author_or(place, Permission::Admin)?;
    call.up_to_date(place)?;
    let largest = place.1;
    if let Some(repository) = call.store.repository_mut(place.0) {
        repository.last_pull_request = repository.last_pull_request.max(largest);
    }
    call.store.pull_requests.retain(|item| (item.repository, item.id) != place);
    Ok(Answer::NoContent)
}
