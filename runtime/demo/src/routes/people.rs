//! Accounts, their pictures, and who may do what.

use super::{Call, find_repository};
use crate::answer::{Answer, Outcome};
use crate::errors::Failure;
use crate::paging::{MAXIMUM, Window};
use crate::picture;
use crate::state::{Permission, Project, Repository, User, same};

pub(super) fn users(call: &Call<'_>) -> Outcome {
    let window = Window::read(&call.query, MAXIMUM)?;
    let filter = call.query.get("filter").unwrap_or_default().to_lowercase();
    let needed = needed(call)?;
    let matches = |user: &&User| {
        [Some(&user.name), Some(&user.display_name), user.email.as_ref()]
            .into_iter()
            .flatten()
            .any(|text| text.to_lowercase().contains(&filter))
    };
    // Inactive users are not listed to people who do not administer them.
    let found: Vec<&User> = call
        .store
        .users
        .iter()
        .filter(|user| user.active)
        .filter(matches)
        .filter(|user| needed.iter().all(|needed| needed.is_held(call, user)))
        .collect();
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
    let known =
        call.store.users.iter().find(|user| same(&user.slug, slug)).filter(|_| call.user.is_some());
    let (name, display_name) =
        known.map_or(("", ""), |user| (user.name.as_str(), &user.display_name));
    Ok(drawn(call, name, display_name))
}

pub(super) fn project_avatar(call: &Call<'_>, key: &str) -> Outcome {
    let project = call.store.project(key).ok_or_else(|| Failure::no_project(key))?;
    Ok(drawn(call, &project.key, &project.name))
}

fn drawn(call: &Call<'_>, name: &str, display_name: &str) -> Answer {
    let size = call.query.get("s").and_then(|text| text.parse().ok()).unwrap_or(64);
    Answer::Bytes(picture::avatar(name, display_name, size), "image/png", None)
}

/// A permission that `users` filters by, and what it is about.
enum Needed<'a> {
    Global(Permission),
    Project(Permission, &'a Project),
    Repository(Permission, &'a Repository),
}

impl Needed<'_> {
    fn is_held(&self, call: &Call<'_>, user: &User) -> bool {
        match self {
            Needed::Global(least) => user.permission >= *least && !user.service,
            Needed::Project(least, project) => match &project.owner {
                Some(owner) => *owner == user.name || *least == Permission::Read,
                None => user.permission >= *least,
            },
            Needed::Repository(least, repository) => {
                call.store.sees(Some(&user.name), repository)
                    && call.store.permission(&user.name, repository) >= *least
            }
        }
    }
}

/// `permission` with its place, and `permission.1`, `permission.2` and so on
/// with theirs.
fn needed<'a>(call: &Call<'a>) -> Result<Vec<Needed<'a>>, Failure> {
    let first = std::iter::once("permission".to_owned());
    let mut all = Vec::new();
    for name in first.chain((1..=50).map(|number| format!("permission.{number}"))) {
        if let Some(permission) = call.query.get(&name) {
            all.push(one(call, &name, permission)?);
        } else if name != "permission" {
            break;
        }
    }
    Ok(all)
}

fn one<'a>(call: &Call<'a>, name: &str, permission: &str) -> Result<Needed<'a>, Failure> {
    let part = |part: &str| call.query.get(&format!("{name}.{part}"));
    let refused = || {
        Failure::bad_parameter(name, &format!("'{permission}' is not a permission of that place."))
    };
    let global = match permission {
        "LICENSED_USER" => Some(Permission::Read),
        "PROJECT_CREATE" => Some(Permission::Write),
        "ADMIN" | "SYS_ADMIN" => Some(Permission::Admin),
        _ => None,
    };
    if let Some(global) = global {
        return Ok(Needed::Global(global));
    }
    let (kind, level) = permission.split_once('_').ok_or_else(refused)?;
    let level = Permission::named(level).ok_or_else(refused)?;
    let key = part("projectKey");
    match kind {
        "PROJECT" => {
            let id = part("projectId").and_then(|id| id.parse::<u64>().ok());
            let found = call.store.projects.iter().find(|project| {
                Some(project.id) == id || key.is_some_and(|key| same(&project.key, key))
            });
            found.map(|project| Needed::Project(level, project)).ok_or_else(refused)
        }
        "REPO" => {
            let id = part("repositoryId").and_then(|id| id.parse().ok());
            let found = id.and_then(|id| call.store.repository(id));
            if let Some(found) = found.filter(|found| call.store.sees(call.user, found)) {
                return Ok(Needed::Repository(level, found));
            }
            let (Some(key), Some(slug)) = (key, part("repositorySlug")) else {
                return Err(refused());
            };
            let found = find_repository(call.store, call.user, key, slug)?;
            Ok(Needed::Repository(level, found))
        }
        _ => Err(refused()),
    }
}
