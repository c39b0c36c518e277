//! What a pull request changes: files, commits and diffs.

use serde_json::json;

use super::{Call, one_of, sides};
use crate::answer::{Answer, Outcome};
use crate::errors::Failure;
use crate::history::History;
use crate::paging::{MAXIMUM_SMALL, Window};
use crate::placing::Sides;
use crate::state::PullRequest;

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
    sides::raw(call, &of(&repository.history, found)?)
}

pub(super) fn diff(call: &Call<'_>, key: &str, slug: &str, id: &str, path: &[&str]) -> Outcome {
    let (repository, found) = call.pull_request(key, slug, id)?;
    sides::diff(call, &of(&repository.history, found)?, Some(found), path)
}

pub(super) fn summary(call: &Call<'_>, key: &str, slug: &str, id: &str, path: &[&str]) -> Outcome {
    let (repository, found) = call.pull_request(key, slug, id)?;
    sides::summary(call, &of(&repository.history, found)?, path)
}

pub(super) fn merge_base(call: &Call<'_>, key: &str, slug: &str, id: &str) -> Outcome {
    let (repository, found) = call.pull_request(key, slug, id)?;
    let base = repository.history.merge_base(&found.to.commit, &found.from.commit);
    Ok(base.map_or(Answer::NoContent, |base| Answer::Json(call.shapes().commit(base))))
}

fn of(history: &History, found: &PullRequest) -> Result<Sides, Failure> {
    Sides::between(history, &found.from.commit, &found.to.commit)
        .ok_or_else(|| Failure::no_commit(&found.from.commit, &found.from.branch))
}
