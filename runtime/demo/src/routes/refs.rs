//! Branches, tags and commits of a repository.

use std::sync::Arc;

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
    let until = resolve(call.query.get("until").unwrap_or(&history.default_branch))?;
    let since = call.query.get("since").map(resolve).transpose()?;
    let mut found: Vec<Arc<Commit>> = history.log(&until.id, since.map(|since| since.id.as_str()));
    if let Some(path) = call.query.get("path") {
        // A merge repeats what its side brought; git leaves it out as well.
        found.retain(|commit| commit.parents.len() < 2 && history.touches(commit, path));
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
    let commit = history.resolve(id).ok_or_else(|| Failure::no_commit(id, &repository.slug))?;
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
