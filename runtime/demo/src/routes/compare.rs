//! Commits and what they change, alone and compared.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::{Value, json};

use super::{Call, sides};
use crate::answer::{Answer, Outcome};
use crate::errors::Failure;
use crate::history::{Author, Commit, History};
use crate::paging::{MAXIMUM, MAXIMUM_SMALL, Window};
use crate::patch;
use crate::placing::Sides;
use crate::state::{PullRequest, Repository};

impl Sides {
    /// From one commit, or from nothing, straight to another.
    pub(super) fn straight(history: &History, from: Option<&str>, to: &str) -> Option<Sides> {
        let to = history.resolve(to)?;
        let (from_hash, before) = match from {
            Some(from) => {
                let from = history.resolve(from)?;
                (from.id.clone(), Arc::clone(&from.tree))
            }
            None => (String::new(), Arc::default()),
        };
        Some(Sides { from_hash, before, to_hash: to.id.clone(), after: Arc::clone(&to.tree) })
    }
}

/// What is in `from` and not in `to`.
pub(super) fn compare(
    call: &Call<'_>,
    key: &str,
    slug: &str,
    what: &str,
    path: &[&str],
) -> Outcome {
    let repository = call.repository(key, slug)?;
    let default = repository.history.default_branch.as_str();
    let source = match call.query.get("fromRepo") {
        Some(place) => other(call, place)?,
        None => repository,
    };
    let history = joined(repository, source);
    let to = call.query.get("to").unwrap_or(default);
    let to = commit(repository, to)?.id.as_str();
    let from = call.query.get("from").unwrap_or(default);
    let from = commit(source, from)?.id.as_str();
    if what == "commits" {
        let window = Window::read(&call.query, MAXIMUM_SMALL)?;
        let shapes = call.shapes();
        let all = history.log(from, Some(to));
        let mut page = window.page(&all, |commit| shapes.commit(commit));
        add_counts(call, &mut page, &all);
        return Ok(Answer::Json(page));
    }
    let shown = Sides::between(&history, from, to)
        .ok_or_else(|| Failure::no_commit(from, &repository.slug))?;
    match what {
        "changes" => sides::changes(call, &shown, None, json!({ "changeScope": "ALL" })),
        "diff" => sides::diff(call, &shown, None, path),
        _ => sides::summary(call, &shown, path),
    }
}

/// A repository by its id or as `KEY/slug`.
pub(super) fn other<'a>(call: &Call<'a>, place: &str) -> Result<&'a Repository, Failure> {
    match place.split_once('/') {
        Some((key, slug)) => call.repository(key, slug),
        None => place
            .parse()
            .ok()
            .and_then(|id| call.store.repository(id))
            .filter(|found| call.store.sees(call.user, found))
            .ok_or_else(|| Failure::no_entity(&format!("Repository {place}"))),
    }
}

pub(super) fn joined<'a>(repository: &'a Repository, source: &Repository) -> Cow<'a, History> {
    if repository.id == source.id {
        return Cow::Borrowed(&repository.history);
    }
    let mut history = repository.history.clone();
    let theirs = source.history.commits.iter();
    history.commits.extend(theirs.map(|(id, commit)| (id.clone(), Arc::clone(commit))));
    Cow::Owned(history)
}

fn commit<'a>(repository: &'a Repository, revision: &str) -> Result<&'a Arc<Commit>, Failure> {
    repository
        .history
        .resolve(revision)
        .ok_or_else(|| Failure::no_commit(revision, &repository.slug))
}

/// One commit: what it changes, its builds, the pull requests that hold it.
pub(super) fn of_commit(
    call: &Call<'_>,
    key: &str,
    slug: &str,
    id: &str,
    rest: &[&str],
) -> Outcome {
    let repository = call.repository(key, slug)?;
    let found = commit(repository, id)?;
    let history = &repository.history;
    let since = call.query.get("since");
    let from = since.or(found.parents.first().map(String::as_str));
    let shown = || {
        Sides::straight(history, from, &found.id)
            .ok_or_else(|| Failure::no_commit(from.unwrap_or_default(), &repository.slug))
    };
    match rest {
        ["changes"] => {
            let mut shown = shown()?;
            let named = since.is_some();
            if !named {
                shown.from_hash.clear();
            }
            let answer = sides::changes(call, &shown, None, json!({}))?;
            // Without `since` the answer does not say what it starts from.
            Ok(match answer {
                Answer::Json(mut value) if !named => {
                    value["fromHash"] = Value::Null;
                    Answer::Json(value)
                }
                answer => answer,
            })
        }
        ["diff", path @ ..] => sides::diff(call, &shown()?, None, path),
        ["diff-stats-summary", path @ ..] => sides::summary(call, &shown()?, path),
        ["merge-base"] => {
            let other = call.query.get("otherCommitId").unwrap_or_default();
            let base = history.merge_base(&found.id, &commit(repository, other)?.id);
            Ok(base.map_or(Answer::NoContent, |base| Answer::Json(call.shapes().commit(base))))
        }
        ["pull-requests"] => {
            let window = Window::read(&call.query, MAXIMUM_SMALL)?;
            let holding: Vec<&PullRequest> = call
                .store
                .pull_requests
                .iter()
                .filter(|item| item.repository == repository.id)
                .filter(|item| {
                    let own = history.log(&item.from.commit, Some(&item.to.commit));
                    own.iter().any(|commit| commit.id == found.id)
                })
                .collect();
            let shapes = call.shapes();
            Ok(Answer::Json(window.page(&holding, |item| shapes.pull_request(item, true))))
        }
        ["comments"] => {
            let window = Window::read(&call.query, MAXIMUM)?;
            Ok(Answer::Json(window.page::<()>(&[], |()| Value::Null)))
        }
        ["builds"] => super::builds::by_key(call, repository, &found.id),
        _ => Err(Failure::no_route()),
    }
}

/// A difference as text: the whole, or that of one file.
pub(super) fn text(call: &Call<'_>, key: &str, slug: &str, path: &[&str]) -> Outcome {
    sides::raw(call, &range(call, call.repository(key, slug)?)?, path)
}

/// The commits of a range as mails: one without `since`, all there are before
/// it on demand.
pub(super) fn patch(call: &Call<'_>, key: &str, slug: &str) -> Outcome {
    let repository = call.repository(key, slug)?;
    let history = &repository.history;
    let Some(until) = call.query.get("until") else {
        return Err(Failure::bad_parameter("until", "The until revision must be supplied."));
    };
    let until = commit(repository, until)?;
    let log = if call.query.flag("allAncestors", false) {
        history.log(&until.id, None)
    } else if let Some(since) = call.query.get("since") {
        history.log(&until.id, Some(&commit(repository, since)?.id))
    } else {
        vec![Arc::clone(until)]
    };
    Ok(mails(call, history, &log))
}

/// The mails of a log, which is newest first.
pub(super) fn mails(call: &Call<'_>, history: &History, log: &[Arc<Commit>]) -> Answer {
    let author = |commit: &Commit| match &commit.author {
        Author::Account(name) => call.store.user(name).map_or_else(
            || (name.clone(), String::new()),
            |user| (user.display_name.clone(), user.email.clone().unwrap_or_default()),
        ),
        Author::Stranger { name, email } => (name.clone(), email.clone()),
    };
    Answer::Text(patch::mails(history, log.iter().rev().map(Arc::as_ref), author))
}

/// The changed files of the same range.
pub(super) fn changes(call: &Call<'_>, key: &str, slug: &str) -> Outcome {
    let shown = range(call, call.repository(key, slug)?)?;
    sides::changes(call, &shown, None, json!({ "changeScope": "ALL" }))
}

/// From `since`, or from the commit before, to `until`.
fn range(call: &Call<'_>, repository: &Repository) -> Result<Sides, Failure> {
    let history = &repository.history;
    let Some(until) = call.query.get("until") else {
        return Err(Failure::bad_parameter("until", "The until revision must be supplied."));
    };
    let until = commit(repository, until)?;
    let since = call.query.get("since").or(until.parents.first().map(String::as_str));
    Sides::straight(history, since, &until.id)
        .ok_or_else(|| Failure::no_commit(since.unwrap_or_default(), &repository.slug))
}

/// How many commits and people there are, for who asks.
pub(super) fn add_counts(call: &Call<'_>, page: &mut Value, all: &[Arc<Commit>]) {
    if !call.query.flag("withCounts", false) {
        return;
    }
    let people: BTreeSet<&str> = all
        .iter()
        .map(|commit| match &commit.author {
            Author::Account(name) => name.as_str(),
            Author::Stranger { email, .. } => email.as_str(),
        })
        .collect();
    page["authorCount"] = json!(people.len());
    page["totalCount"] = json!(all.len());
}
