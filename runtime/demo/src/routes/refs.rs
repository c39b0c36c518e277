//! Branches, tags and commits of a repository.

use std::sync::Arc;

use serde_json::json;

use super::{Call, one_of};
use crate::answer::{Answer, Outcome};
use crate::errors::Failure;
use crate::history::{Commit, History, Tag};
use crate::paging::{MAXIMUM, MAXIMUM_SMALL, Window};

pub(super) fn branches(call: &Call<'_>, key: &str, slug: &str) -> Outcome {
    let history = &call.repository(key, slug)?.history;
    let window = Window::read(&call.query, MAXIMUM)?;
    let mut found: Vec<(&String, &String)> =
        history.branches.iter().filter(|(name, _)| wanted(call, name)).collect();
    order(call, history, &mut found, |(name, tip)| (name, tip))?;
    if call.query.flag("boostMatches", false) {
        // An exact match first, then what begins so.
        let text = call.query.get("filterText").unwrap_or_default().to_lowercase();
        found.sort_by_key(|(name, _)| {
            let name = name.to_lowercase();
            (name != text, !name.starts_with(&text))
        });
    }
    let shapes = call.shapes();
    Ok(Answer::Json(window.page(&found, |(name, tip)| shapes.branch(history, name, tip))))
}

pub(super) fn tags(call: &Call<'_>, key: &str, slug: &str) -> Outcome {
    let history = &call.repository(key, slug)?.history;
    let window = Window::read(&call.query, MAXIMUM)?;
    let mut found: Vec<&Tag> = history.tags.iter().filter(|tag| wanted(call, &tag.name)).collect();
    order(call, history, &mut found, |tag| (&tag.name, &tag.commit))?;
    let shapes = call.shapes();
    Ok(Answer::Json(window.page(&found, |tag| shapes.tag(tag))))
}

/// One branch that holds a commit, and only one, though it is a page: the
/// default branch if it does.
pub(super) fn holding(call: &Call<'_>, key: &str, slug: &str, id: &str) -> Outcome {
    let repository = call.repository(key, slug)?;
    let history = &repository.history;
    let window = Window::read(&call.query, MAXIMUM)?;
    let commit = history.resolve(id).ok_or_else(|| Failure::no_commit(id, &repository.slug))?;
    let default = history.branches.get_key_value(&history.default_branch);
    let found: Vec<&String> = default
        .into_iter()
        .chain(&history.branches)
        .find(|(_, tip)| history.contains(tip, &commit.id))
        .map(|(name, _)| name)
        .into_iter()
        .collect();
    Ok(Answer::Json(window.page(
        &found,
        |name| json!({ "id": format!("refs/heads/{name}"), "displayId": name, "type": "BRANCH" }),
    )))
}

/// One tag; its name may hold slashes.
pub(super) fn tag(call: &Call<'_>, key: &str, slug: &str, name: &[&str]) -> Outcome {
    let repository = call.repository(key, slug)?;
    let name = name.join("/");
    repository
        .history
        .tags
        .iter()
        .find(|tag| tag.name == name)
        .map(|tag| Answer::Json(call.shapes().tag(tag)))
        .ok_or_else(|| Failure::no_tag(&name, &repository.slug))
}

pub(super) fn commits(call: &Call<'_>, key: &str, slug: &str) -> Outcome {
    let repository = call.repository(key, slug)?;
    let history = &repository.history;
    let window = Window::read(&call.query, MAXIMUM_SMALL)?;
    let merges = one_of(call, "merges", &["include", "exclude", "only"])?;
    let resolve = |revision: &str| {
        history.resolve(revision).ok_or_else(|| Failure::no_commit(revision, &repository.slug))
    };
    if history.commits.is_empty() {
        return Err(Failure::no_default_branch(&repository.slug));
    }
    let lenient = call.query.flag("ignoreMissing", false);
    let resolve = |revision: &str| match resolve(revision) {
        Err(_) if lenient => Ok(None),
        found => found.map(Some),
    };
    let until = resolve(call.query.get("until").unwrap_or(&history.default_branch))?;
    let since = call.query.get("since").map(resolve).transpose()?.flatten();
    let mut found: Vec<Arc<Commit>> = until
        .map(|until| history.log(&until.id, since.map(|since| since.id.as_str())))
        .unwrap_or_default();
    if let Some(path) = call.query.get("path") {
        found = history.of_path(found, path, call.query.flag("followRenames", false));
    }
    match merges {
        Some("exclude") => found.retain(|commit| commit.parents.len() < 2),
        Some("only") => found.retain(|commit| commit.parents.len() > 1),
        _ => {}
    }
    let shapes = call.shapes();
    let mut page = window.page(&found, |commit| shapes.commit(commit));
    super::compare::add_counts(call, &mut page, &found);
    Ok(Answer::Json(page))
}

pub(super) fn commit(call: &Call<'_>, key: &str, slug: &str, id: &str) -> Outcome {
    let repository = call.repository(key, slug)?;
    let history = &repository.history;
    let mut commit = history.resolve(id).ok_or_else(|| Failure::no_commit(id, &repository.slug))?;
    let last;
    if let Some(path) = call.query.get("path") {
        // The answer is then about the last commit that changed it.
        last = history
            .of_path(history.log(&commit.id, None), path, false)
            .into_iter()
            .next()
            .ok_or_else(|| Failure::no_path(path, &commit.id))?;
        commit = &last;
    }
    Ok(Answer::Json(call.shapes().commit_with_parents(history, commit)))
}

/// Whether a name holds every word of `filterText`.
fn wanted(call: &Call<'_>, name: &str) -> bool {
    let name = name.to_lowercase();
    call.query
        .get("filterText")
        .unwrap_or_default()
        .to_lowercase()
        .split_whitespace()
        .all(|word| name.contains(word))
}

/// Orders refs, the last changed first unless the alphabet is asked for.
fn order<T>(
    call: &Call<'_>,
    history: &History,
    refs: &mut [T],
    parts: impl Fn(&T) -> (&str, &str),
) -> Result<(), Failure> {
    match one_of(call, "orderBy", &["ALPHABETICAL", "MODIFICATION"])? {
        Some("ALPHABETICAL") => refs.sort_by_cached_key(|item| parts(item).0.to_lowercase()),
        _ => refs.sort_by_cached_key(|item| {
            let (name, tip) = parts(item);
            let date = history.commit(tip).map_or(0, |commit| commit.date);
            (std::cmp::Reverse(date), name.to_lowercase())
        }),
    }
    Ok(())
}
