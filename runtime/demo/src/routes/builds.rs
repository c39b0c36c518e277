//! Builds of a commit, of a pull request, and the conditions that ask for them.

use serde_json::{Value, json};

use super::{Call, one_of};
use crate::answer::{Answer, Outcome};
use crate::errors::Failure;
use crate::paging::{MAXIMUM, Window};
use crate::state::Build;

pub(super) fn of_commit(call: &Call<'_>, id: &str) -> Outcome {
    let id = commit_id(id)?;
    let order = one_of(call, "orderBy", &["NEWEST", "OLDEST", "STATUS"])?;
    let window = Window::read(&call.query, MAXIMUM)?;
    let mut found = of(call, &id);
    match order {
        Some("OLDEST") => found.sort_by_key(|build| build.updated),
        Some("STATUS") => found.sort_by_key(|build| match build.state {
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

pub(super) fn conditions(call: &Call<'_>, key: &str, slug: &str) -> Outcome {
    let repository = call.repository(key, slug)?;
    let window = Window::read(&call.query, MAXIMUM)?;
    let shapes = call.shapes();
    Ok(Answer::Json(window.page(&repository.conditions, |condition| shapes.condition(condition))))
}

/// The builds of a commit, newest first. A commit nobody knows has none.
fn of<'a>(call: &Call<'a>, commit: &str) -> Vec<&'a Build> {
    let mut found: Vec<&Build> =
        call.store.builds.iter().filter(|build| build.commit == commit).collect();
    found.sort_by_key(|build| std::cmp::Reverse(build.updated));
    found
}

fn commit_id(text: &str) -> Result<String, Failure> {
    if text.len() == 40 && text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        Ok(text.to_ascii_lowercase())
    } else {
        Err(Failure::bad_parameter("commitId", &format!("'{text}' is not a valid commit ID.")))
    }
}
