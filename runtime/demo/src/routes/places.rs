//! The server itself, its projects and repositories.

use serde_json::json;

use super::{Call, one_of};
use crate::answer::{Answer, Outcome};
use crate::errors::Failure;
use crate::paging::{MAXIMUM, Window};
use crate::state::{Permission, Project, Repository, same};

pub(super) fn properties(call: &Call<'_>) -> Answer {
    let (version, build) = call.version.numbers();
    Answer::Json(json!({
        "version": version,
        "buildNumber": build,
        "buildDate": "1763510400000",
        "displayName": "Bitbucket",
    }))
}

/// Outside the versions of the API, and read by whoever integrates.
pub(super) fn capabilities(call: &Call<'_>) -> Outcome {
    let base = call.base;
    Ok(Answer::Json(json!({
        "links": { "self": format!("{base}/rest/capabilities") },
        "application": "stash",
        "buildDate": "2025-11-19T00:00:00Z",
        "capabilities": {
            "build": format!("{base}/rest/api/latest/build/capabilities"),
            "code-insights": format!("{base}/rest/insights/latest/capabilities"),
            "webhooks": format!("{base}/rest/webhooks/latest/capabilities"),
        },
    })))
}

pub(super) fn build_capabilities() -> Outcome {
    Ok(Answer::Json(json!({ "buildStatus": ["richBuildStatus"] })))
}

/// What the caller looked at last: here, all that is active.
pub(super) fn recent(call: &Call<'_>) -> Outcome {
    let window = Window::read(&call.query, MAXIMUM)?;
    let least = least(call)?;
    let found: Vec<&Repository> = call
        .store
        .repositories
        .iter()
        .filter(|repository| !repository.archived && may(call, repository, least))
        .collect();
    let shapes = call.shapes();
    Ok(Answer::Json(window.page_of_visible(
        &found,
        |repository| call.store.sees(call.user, repository),
        |repository| shapes.repository(repository),
    )))
}

pub(super) fn projects(call: &Call<'_>) -> Outcome {
    let window = Window::read(&call.query, MAXIMUM)?;
    let name = call.query.get("name").unwrap_or_default().trim();
    let allowed = ["PROJECT_VIEW", "PROJECT_READ", "PROJECT_WRITE", "PROJECT_ADMIN"];
    let least = match one_of(call, "permission", &allowed)? {
        Some("PROJECT_WRITE") => Permission::Write,
        Some("PROJECT_ADMIN") => Permission::Admin,
        _ => Permission::Read,
    };
    let held = call.user.and_then(|user| call.store.user(user)).map(|user| user.permission);
    // Personal projects are not listed.
    let mut found: Vec<&Project> = call
        .store
        .projects
        .iter()
        .filter(|project| project.owner.is_none() && contains(&project.name, name))
        .filter(|_| held.is_some_and(|held| held >= least))
        .collect();
    found.sort_by_key(|project| project.name.to_lowercase());
    let shapes = call.shapes();
    Ok(Answer::Json(window.page(&found, |project| shapes.project(project))))
}

pub(super) fn project(call: &Call<'_>, key: &str) -> Outcome {
    call.store
        .project(key)
        .map(|project| Answer::Json(call.shapes().project(project)))
        .ok_or_else(|| Failure::no_project(key))
}

/// The repositories of one project, or of all that the parameters admit.
pub(super) fn repositories(call: &Call<'_>, key: Option<&str>) -> Outcome {
    let window = Window::read(&call.query, MAXIMUM)?;
    let mut found: Vec<&Repository> = match key {
        Some(key) => {
            let project = call.store.project(key).ok_or_else(|| Failure::no_project(key))?;
            call.store
                .repositories
                .iter()
                .filter(|repository| repository.project == project.key)
                .collect()
        }
        None => admitted(call)?,
    };
    found.sort_by_key(|repository| (repository.name.to_lowercase(), repository.id));
    let shapes = call.shapes();
    Ok(Answer::Json(window.page_of_visible(
        &found,
        |repository| call.store.sees(call.user, repository),
        |repository| shapes.repository(repository),
    )))
}

fn admitted<'a>(call: &Call<'a>) -> Result<Vec<&'a Repository>, Failure> {
    let least = least(call)?;
    let visibility = one_of(call, "visibility", &["public", "private"])?;
    let states = ["AVAILABLE", "INITIALISING", "INITIALISATION_FAILED", "OFFLINE"];
    let state = one_of(call, "state", &states)?;
    // Every repository of the seed is private, and none is still being made.
    if visibility == Some("public") || state.is_some_and(|state| state != "AVAILABLE") {
        return Ok(Vec::new());
    }
    let archived = one_of(call, "archived", &["ACTIVE", "ARCHIVED", "ALL"])?.unwrap_or("ACTIVE");
    let text = |name: &str| call.query.get(name).unwrap_or_default().trim().to_owned();
    let (name, project_name, project_key) = (text("name"), text("projectname"), text("projectkey"));
    Ok(call
        .store
        .repositories
        .iter()
        .filter(|repository| match archived {
            "ACTIVE" => !repository.archived,
            "ARCHIVED" => repository.archived,
            _ => true,
        })
        .filter(|repository| may(call, repository, least))
        .filter(|repository| starts(&repository.name, &name))
        .filter(|repository| project_key.is_empty() || same(&repository.project, &project_key))
        .filter(|repository| {
            call.store
                .project(&repository.project)
                .is_some_and(|project| starts(&project.name, &project_name))
        })
        .collect())
}

pub(super) fn repository(call: &Call<'_>, key: &str, slug: &str) -> Outcome {
    let repository = call.repository(key, slug)?;
    Ok(Answer::Json(call.shapes().repository(repository)))
}

/// The least that the caller is to be allowed.
fn least(call: &Call<'_>) -> Result<Permission, Failure> {
    let asked = one_of(call, "permission", &["REPO_READ", "REPO_WRITE", "REPO_ADMIN"])?;
    let level = asked.and_then(|asked| asked.split_once('_')).map(|(_, level)| level);
    Ok(level.and_then(Permission::named).unwrap_or(Permission::Read))
}

fn may(call: &Call<'_>, repository: &Repository, least: Permission) -> bool {
    call.user.is_some_and(|user| call.store.permission(user, repository) >= least)
}

/// The repositories that were made from this one.
pub(super) fn forks(call: &Call<'_>, key: &str, slug: &str) -> Outcome {
    let origin = call.repository(key, slug)?.id;
    let window = Window::read(&call.query, MAXIMUM)?;
    let found: Vec<&Repository> = call
        .store
        .repositories
        .iter()
        .filter(|repository| repository.origin == Some(origin))
        .collect();
    let shapes = call.shapes();
    Ok(Answer::Json(window.page_of_visible(
        &found,
        |repository| call.store.sees(call.user, repository),
        |repository| shapes.repository(repository),
    )))
}

fn starts(text: &str, start: &str) -> bool {
    text.to_lowercase().starts_with(&start.to_lowercase())
}

fn contains(text: &str, part: &str) -> bool {
    text.to_lowercase().contains(&part.to_lowercase())
}
