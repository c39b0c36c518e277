//! The server itself, its users, projects and repositories.

use serde_json::json;

use super::{Call, one_of};
use crate::answer::{Answer, Outcome};
use crate::errors::Failure;
use crate::paging::{MAXIMUM, Window};
use crate::picture;
use crate::state::{Project, Repository, User, same};

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
    let found: Vec<&Repository> =
        call.store.repositories.iter().filter(|repository| !repository.archived).collect();
    let shapes = call.shapes();
    Ok(Answer::Json(window.page_of_visible(
        &found,
        |repository| call.store.sees(call.user, repository),
        |repository| shapes.repository(repository),
    )))
}

pub(super) fn users(call: &Call<'_>) -> Outcome {
    let window = Window::read(&call.query, MAXIMUM)?;
    let filter = call.query.get("filter").unwrap_or_default().to_lowercase();
    let matches = |user: &&User| {
        [Some(&user.name), Some(&user.display_name), user.email.as_ref()]
            .into_iter()
            .flatten()
            .any(|text| text.to_lowercase().contains(&filter))
    };
    // Inactive users are not listed to people who do not administer them.
    let found: Vec<&User> =
        call.store.users.iter().filter(|user| user.active).filter(matches).collect();
    let shapes = call.shapes();
    Ok(Answer::Json(window.page(&found, |user| shapes.user(user))))
}

pub(super) fn user(call: &Call<'_>, slug: &str) -> Outcome {
    call.store
        .users
        .iter()
        .find(|user| user.active && same(&user.slug, slug))
        .map(|user| Answer::Json(call.shapes().user(user)))
        .ok_or_else(|| Failure::no_user(slug))
}

/// A web path, not REST: anonymous callers and unknown people get the default
/// picture instead of a refusal.
pub(super) fn avatar(call: &Call<'_>, slug: &str) -> Outcome {
    let size = call.query.get("s").and_then(|text| text.parse().ok()).unwrap_or(64);
    let known =
        call.store.users.iter().find(|user| same(&user.slug, slug)).filter(|_| call.user.is_some());
    let (name, display_name) =
        known.map_or(("", ""), |user| (user.name.as_str(), &user.display_name));
    Ok(Answer::Bytes(picture::avatar(name, display_name, size), "image/png", None))
}

pub(super) fn projects(call: &Call<'_>) -> Outcome {
    let window = Window::read(&call.query, MAXIMUM)?;
    let name = call.query.get("name").unwrap_or_default().trim();
    // Personal projects are not listed.
    let mut found: Vec<&Project> = call
        .store
        .projects
        .iter()
        .filter(|project| project.owner.is_none() && contains(&project.name, name))
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
    one_of(call, "permission", &["REPO_READ", "REPO_WRITE", "REPO_ADMIN"])?;
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

fn starts(text: &str, start: &str) -> bool {
    text.to_lowercase().starts_with(&start.to_lowercase())
}

fn contains(text: &str, part: &str) -> bool {
    text.to_lowercase().contains(&part.to_lowercase())
}
