//! Builds of a commit, of a pull request, and the conditions that ask for them.

use serde_json::{Value, json};

use super::{Call, commit_id, one_of};
use crate::answer::{Answer, Outcome};
use crate::errors::Failure;
use crate::paging::{MAXIMUM, Window};
use crate::state::{Build, Repository};

pub(super) fn of_commit(call: &Call<'_>, id: &str) -> Outcome {
    let id = commit_id(id)?;
    let order = one_of(call, "orderBy", &["NEWEST", "OLDEST", "STATUS"])?;
    let window = Window::read(&call.query, MAXIMUM)?;
    let mut found = of(call, &id);
    match order {
        Some("OLDEST") => found.sort_by_key(|build| build.updated),
        Some("STATUS") => found.sort_by_key(|build| match build.state.as_str() {
            "FAILED" => 0,
            "INPROGRESS" => 1,
            "CANCELLED" => 2,
            "UNKNOWN" => 3,
            _ => 4,
        }),
        _ => {}
    }
    let shapes = call.shapes();
    Ok(Answer::Json(window.page(&found, |build| shapes.commit_build(build))))
}

pub(super) fn counts(call: &Call<'_>, id: &str) -> Outcome {
    let id = commit_id(id)?;
    Ok(Answer::Json(call.shapes().build_counts(&of(call, &id))))
}

/// The listing behind the pull request page: builds for its branch or for none.
pub(super) fn of_pull_request(call: &Call<'_>, key: &str, slug: &str, id: &str) -> Outcome {
    let (_, found) = call.pull_request(key, slug, id)?;
    let window = Window::read(&call.query, MAXIMUM)?;
    let commit = call.query.get("commitId").unwrap_or(&found.from.commit);
    let builds: Vec<&Build> = of(call, commit)
        .into_iter()
        .filter(|build| build.branch.as_ref().is_none_or(|branch| *branch == found.from.branch))
        .collect();
    let shapes = call.shapes();
    let page: Value = window.page(&builds, |build| shapes.page_build(build));
    Ok(Answer::Json(json!({ "page": page, "pullRequest": shapes.sides(found) })))
}

/// The internal listing of a branch: builds of its tip, for it or for none.
pub(super) fn of_ref(call: &Call<'_>, key: &str, slug: &str) -> Outcome {
    let repository = call.repository(key, slug)?;
    let window = Window::read(&call.query, MAXIMUM)?;
    let at = call.query.get("at").unwrap_or(&repository.history.default_branch);
    let tip =
        repository.history.resolve(at).ok_or_else(|| Failure::no_commit(at, &repository.slug))?;
    let name = at.strip_prefix("refs/heads/").unwrap_or(at);
    let mut builds = of(call, &tip.id);
    builds.retain(|build| build.branch.as_ref().is_none_or(|branch| branch == name));
    let shapes = call.shapes();
    Ok(Answer::Json(window.page(&builds, |build| shapes.page_build(build))))
}

pub(super) fn conditions(call: &Call<'_>, key: &str, slug: &str) -> Outcome {
    let repository = call.repository(key, slug)?;
    let window = Window::read(&call.query, MAXIMUM)?;
    let shapes = call.shapes();
    Ok(Answer::Json(window.page(&repository.conditions, |condition| {
        shapes.condition(condition, call.version.has_merge_queue())
    })))
}

/// The builds of a commit, newest first. A commit nobody knows has none.
fn of<'a>(call: &Call<'a>, commit: &str) -> Vec<&'a Build> {
    let mut found: Vec<&Build> =
        call.store.builds.iter().filter(|build| build.commit == commit).collect();
    found.sort_by_key(|build| std::cmp::Reverse(build.updated));
    found
}

/// One build of a commit by its key; the product lists none.
pub(super) fn by_key(call: &Call<'_>, repository: &Repository, commit: &str) -> Outcome {
    let Some(key) = call.query.get("key") else {
        return Err(Failure::bad_parameter("key", "The key must be supplied."));
    };
    let found = of(call, commit)
        .into_iter()
        .find(|build| build.key == key && build.repository == Some(repository.id))
        .ok_or_else(|| Failure::no_build(key))?;
    // Every release here says whose it is; older ones do not.
    Ok(Answer::Json(call.shapes().repository_build(found, true)))
}

/// The counts of a pull request's commit, by commit.
pub(super) fn summaries(call: &Call<'_>, key: &str, slug: &str, id: &str) -> Outcome {
    let (_, found) = call.pull_request(key, slug, id)?;
    let counts = call.shapes().build_counts(&of(call, &found.from.commit));
    let mut answer = serde_json::Map::new();
    answer.insert(found.from.commit.clone(), counts);
    Ok(Answer::Json(Value::Object(answer)))
}
