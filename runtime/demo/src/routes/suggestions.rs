//! Pull requests the caller may want to open: branches they pushed to that
//! bring something and that no pull request uses.

use serde_json::{Value, json};

use super::Call;
use crate::answer::{Answer, Outcome};
use crate::errors::Failure;
use crate::history::{Author, Commit};
use crate::json::NONE;
use crate::paging::{MAXIMUM_SMALL, Window};
use crate::state::Repository;

/// A page that does not page: only its limit is read.
pub(super) fn suggestions(call: &Call<'_>) -> Outcome {
    let mut window = Window::read(&call.query, MAXIMUM_SMALL)?;
    window.start = 0;
    let since = match call.query.get("changesSince") {
        None => None,
        Some(text) => Some(text.parse::<i64>().map_err(|_| {
            Failure::bad_parameter("changesSince", "changesSince must be a number of seconds.")
        })?),
    };
    let after = since.map(|seconds| call.store.now.saturating_sub(seconds.saturating_mul(1000)));
    let mut found: Vec<(&Repository, &String, &Commit)> = call
        .store
        .repositories
        .iter()
        .filter(|repository| !repository.archived && call.store.sees(call.user, repository))
        .flat_map(|repository| {
            let branches = repository.history.branches.iter();
            branches.map(move |(name, tip)| (repository, name, tip))
        })
        .filter_map(|(repository, name, tip)| {
            let tip = repository.history.commit(tip)?;
            is_wanted(call, repository, name, tip).then_some((repository, name, tip.as_ref()))
        })
        .filter(|(_, _, tip)| after.is_none_or(|after| tip.date >= after))
        .collect();
    found.sort_by_key(|(_, name, tip)| (std::cmp::Reverse(tip.date), name.as_str()));
    let page = window.page(&found, |(repository, name, tip)| shape(call, repository, name, tip));
    Ok(Answer::Json(page))
}

fn is_wanted(call: &Call<'_>, repository: &Repository, name: &str, tip: &Commit) -> bool {
    let history = &repository.history;
    let own = matches!(&tip.author, Author::Account(author) if Some(author.as_str()) == call.user);
    let Some(target) = history.branches.get(&history.default_branch) else {
        return false;
    };
    own && name != history.default_branch
        && !call.store.pull_requests.iter().any(|item| item.from.is_branch(repository.id, name))
        && !history.contains(target, &tip.id)
}

fn shape(call: &Call<'_>, repository: &Repository, name: &str, tip: &Commit) -> Value {
    let history = &repository.history;
    let reference = |name: &str| json!({ "id": format!("refs/heads/{name}"), "displayId": name, "type": "BRANCH" });
    // A branch that was begun with its last commit was added by that push.
    let target = history.branches.get(&history.default_branch);
    let before = tip
        .parents
        .first()
        .filter(|parent| target.is_some_and(|target| !history.contains(target, parent)));
    json!({
        // The document's own spelling.
        "changeTme": tip.date,
        "refChange": {
            "ref": reference(name),
            "refId": format!("refs/heads/{name}"),
            "fromHash": before.map_or(NONE, String::as_str),
            "toHash": tip.id,
            "type": if before.is_some() { "UPDATE" } else { "ADD" },
        },
        "repository": call.shapes().repository(repository),
        "fromRef": reference(name),
        "toRef": reference(&history.default_branch),
    })
}
