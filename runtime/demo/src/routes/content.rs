//! What a pull request changes: files, commits and diffs.

use serde_json::json;

use super::sides::{self, Threads};
use super::{Call, one_of};
use crate::answer::{Answer, Outcome};
use crate::errors::Failure;
use crate::history::History;
use crate::paging::{MAXIMUM_SMALL, Window};
use crate::placing::Sides;
use crate::state::{PullRequest, Repository};

/// One page only: `start` is ignored, and a list that was cut does not say
/// where to go on.
pub(super) fn changes(call: &Call<'_>, key: &str, slug: &str, id: &str) -> Outcome {
    let (repository, found) = call.pull_request(key, slug, id)?;
    let history = &repository.history;
    let scope = one_of(call, "changeScope", &["ALL", "UNREVIEWED", "RANGE"])?.unwrap_or("ALL");
    let (from, to) = (call.query.get("sinceId"), call.query.get("untilId"));
    let seen = found
        .reviewers
        .iter()
        .chain(&found.participants)
        .find(|held| Some(held.user.as_str()) == call.user)
        .and_then(|held| held.last_reviewed.as_deref());
    let range = match scope {
        "RANGE" => from.zip(to.or(Some(&found.from.commit))),
        "UNREVIEWED" => seen.map(|seen| (seen, found.from.commit.as_str())),
        _ => None,
    };
    let shown = match range {
        Some((from, to)) => Sides::straight(history, Some(from), to)
            .ok_or_else(|| Failure::no_commit(from, &repository.slug))?,
        None => of(history, found)?,
    };
    sides::changes(call, &shown, Some(found), json!({ "changeScope": scope }))
}

pub(super) fn commits(call: &Call<'_>, key: &str, slug: &str, id: &str) -> Outcome {
    let (repository, found) = call.pull_request(key, slug, id)?;
    let window = Window::read(&call.query, MAXIMUM_SMALL)?;
    let all = repository.history.log(&found.from.commit, Some(&found.to.commit));
    let shapes = call.shapes();
    let mut page = window.page(&all, |commit| shapes.commit(commit));
    super::compare::add_counts(call, &mut page, &all);
    Ok(Answer::Json(page))
}

pub(super) fn raw_diff(call: &Call<'_>, key: &str, slug: &str, id: &str) -> Outcome {
    let (repository, found) = call.pull_request(key, slug, id)?;
    sides::raw(call, &of(&repository.history, found)?, &[])
}

/// The commits one by one, as mails.
pub(super) fn patch(call: &Call<'_>, key: &str, slug: &str, id: &str) -> Outcome {
    let (repository, found) = call.pull_request(key, slug, id)?;
    let log = repository.history.log(&found.from.commit, Some(&found.to.commit));
    Ok(super::compare::mails(call, &repository.history, &log))
}

pub(super) fn diff(call: &Call<'_>, key: &str, slug: &str, id: &str, path: &[&str]) -> Outcome {
    let (repository, found) = call.pull_request(key, slug, id)?;
    one_of(call, "diffType", &["EFFECTIVE", "COMMIT", "RANGE"])?;
    let (shown, effective) = between(call, repository, found)?;
    sides::diff(call, &shown, Some(Threads { of: found, effective }), path)
}

pub(super) fn summary(call: &Call<'_>, key: &str, slug: &str, id: &str, path: &[&str]) -> Outcome {
    let (repository, found) = call.pull_request(key, slug, id)?;
    sides::summary(call, &between(call, repository, found)?.0, path)
}

pub(super) fn merge_base(call: &Call<'_>, key: &str, slug: &str, id: &str) -> Outcome {
    let (repository, found) = call.pull_request(key, slug, id)?;
    let base = repository.history.merge_base(&found.to.commit, &found.from.commit);
    Ok(base.map_or(Answer::NoContent, |base| Answer::Json(call.shapes().commit(base))))
}

/// What is compared, and whether that is what the pull request changes: with
/// `untilId` alone it is one commit, with `sinceId` a range.
fn between(
    call: &Call<'_>,
    repository: &Repository,
    found: &PullRequest,
) -> Result<(Sides, bool), Failure> {
    let history = &repository.history;
    let (since, until) = (call.query.get("sinceId"), call.query.get("untilId"));
    if since.is_none() && until.is_none() {
        return Ok((of(history, found)?, true));
    }
    let missing = |id: &str| Failure::no_commit(id, &repository.slug);
    let until = until.unwrap_or(&found.from.commit);
    let until = history.resolve(until).ok_or_else(|| missing(until))?;
    let since = since.or(until.parents.first().map(String::as_str));
    Sides::straight(history, since, &until.id)
        .map(|sides| (sides, false))
        .ok_or_else(|| missing(since.unwrap_or_default()))
}

fn of(history: &History, found: &PullRequest) -> Result<Sides, Failure> {
    Sides::between(history, &found.from.commit, &found.to.commit)
        .ok_or_else(|| Failure::no_commit(&found.from.commit, &found.from.branch))
}
