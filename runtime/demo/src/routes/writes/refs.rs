//! Branches, tags and labels that come and go.

use serde_json::{Value, json};

use super::Write;
use crate::answer::{Answer, Outcome};
use crate::errors::Failure;
use crate::hash;
use crate::state::{Permission, Push};

pub(super) fn create_branch(call: &mut Write<'_>, key: &str, slug: &str) -> Result<Value, Failure> {
    let id = call.open_to(key, slug, Permission::Write)?;
    let (name, commit) = named_point(call, id, "refs/heads/")?;
    let repository = call.store.repository_mut(id).ok_or_else(Failure::no_route)?;
    let branches = &repository.history.branches;
    must_be_free("Branch", &name, branches.keys(), &repository.slug)?;
    repository.history.branches.insert(name.clone(), commit.clone());
    let repository = call.store.repository(id).ok_or_else(Failure::no_route)?;
    let drawn = call.shapes().branch(&repository.history, &name, &commit);
    Ok(drawn)
}

pub(super) fn create_tag(call: &mut Write<'_>, key: &str, slug: &str) -> Result<Value, Failure> {
    let id = call.open_to(key, slug, Permission::Write)?;
    let (name, commit) = named_point(call, id, "refs/tags/")?;
    let light = call.text("type") == Some("LIGHTWEIGHT");
    let message = call.text("message").filter(|text| !text.is_empty() && !light);
    let (message, force) = (message.map(str::to_owned), call.flag("force") == Some(true));
    let repository = call.store.repository_mut(id).ok_or_else(Failure::no_route)?;
    if force {
        repository.history.tags.retain(|tag| tag.name != name);
    }
    let tags = &repository.history.tags;
    must_be_free("Tag", &name, tags.iter().map(|tag| &tag.name), &repository.slug)?;
    let object =
        message.map(|message| hash::sha1(format!("tag {name} {commit} {message}").as_bytes()));
    let tag = crate::history::Tag { name, commit, object };
    repository.history.tags.push(tag.clone());
    Ok(call.shapes().tag(&tag))
}

/// Refuses a name that is taken, and one that another would have to be a folder
/// for.
fn must_be_free<'n>(
    kind: &str,
    name: &str,
    mut others: impl Iterator<Item = &'n String> + Clone,
    slug: &str,
) -> Result<(), Failure> {
    if others.clone().any(|other| other == name) {
        return Err(Failure::with(
            400,
            Some("name"),
            &format!("{kind} \"{name}\" already exists in repository \"{slug}\"."),
            Some("repository.DuplicateRefException"),
        ));
    }
    let is_in = |inner: &str, outer: &str| {
        inner.strip_prefix(outer).is_some_and(|rest| rest.starts_with('/'))
    };
    match others.find(|other| is_in(other, name) || is_in(name, other)) {
        None => Ok(()),
        Some(other) => Err(Failure::conflict(
            &format!("{kind} \"{name}\" overlaps with \"{other}\" in repository \"{slug}\"."),
            "repository.InvalidRefNameException",
        )),
    }
}

/// A checked name and the commit it is to point to.
fn named_point(
    call: &Write<'_>,
    repository: u64,
    prefix: &str,
) -> Result<(String, String), Failure> {
    let name = call.text("name").unwrap_or_default();
    let name = name.strip_prefix(prefix).unwrap_or(name);
    let invalid = name.is_empty()
        || name.contains([' ', '~', '^', ':', '?', '*', '[', '\\'])
        || name.contains("..")
        || name.contains("@{")
        || name.starts_with('-')
        || name.ends_with('.')
        || name.split('/').any(|part| {
            part.is_empty() || part.starts_with('.') || part.strip_suffix(".lock").is_some()
        })
        || name.chars().any(char::is_control);
    if invalid {
        return Err(Failure::bad_parameter("name", &format!("'{name}' is not a valid name.")));
    }
    let repository = call.store.repository(repository).ok_or_else(Failure::no_route)?;
    let point = call.text("startPoint").unwrap_or_default();
    let commit = repository
        .history
        .resolve(point)
        .ok_or_else(|| Failure::no_commit(point, &repository.slug))?;
    Ok((name.to_owned(), commit.id.clone()))
}

/// A removal whose body names what is removed.
pub(super) fn delete_branch(call: &mut Write<'_>, key: &str, slug: &str) -> Outcome {
    let id = call.open_to(key, slug, Permission::Write)?;
    let name = call.text("name").unwrap_or_default();
    let name = name.strip_prefix("refs/heads/").unwrap_or(name).to_owned();
    let repository = call.store.repository(id).ok_or_else(Failure::no_route)?;
    let history = &repository.history;
    let Some(tip) = history.branches.get(&name) else {
        // Removing what is not there is no error.
        return Ok(Answer::NoContent);
    };
    if call.text("endPoint").is_some_and(|end| end != tip) {
        return Err(Failure::conflict(
            &format!("Branch \"{name}\" has been updated."),
            "repository.RefOutOfDateException",
        ));
    }
    let used = call.store.pull_requests.iter().any(|item| {
        item.is_open() && [&item.from, &item.to].iter().any(|side| side.is_branch(id, &name))
    });
    if used || history.default_branch == name {
        return Err(Failure::with(
            400,
            Some("name"),
            if used {
                "You cannot delete this branch since it has at least one open pull request \
                 associated with it"
            } else {
                "You cannot delete the default branch"
            },
            Some("internal.branch.UnsupportedOnBranchException"),
        ));
    }
    if call.flag("dryRun") != Some(true) {
        let (now, user) = (call.store.now, call.user.clone());
        if let Some(repository) = call.store.repository_mut(id) {
            repository.history.branches.remove(&name);
        }
        call.store.waiting.push((now, Push { repository: id, branch: name, user }));
    }
    Ok(Answer::NoContent)
}

pub(super) fn delete_tag(call: &mut Write<'_>, key: &str, slug: &str, name: &str) -> Outcome {
    if call.method != "DELETE" {
        return Err(Failure::method_not_allowed());
    }
    let id = call.open_to(key, slug, Permission::Write)?;
    let repository = call.store.repository_mut(id).ok_or_else(Failure::no_route)?;
    let count = repository.history.tags.len();
    repository.history.tags.retain(|tag| tag.name != name);
    if repository.history.tags.len() == count {
        return Err(Failure::no_tag(name, &repository.slug));
    }
    Ok(Answer::NoContent)
}

pub(super) fn add_label(call: &mut Write<'_>, key: &str, slug: &str) -> Outcome {
    let id = call.open_to(key, slug, Permission::Admin)?;
    let name = call.text("name").unwrap_or_default().to_lowercase();
    let allowed = |letter: char| letter.is_ascii_alphanumeric() || letter == '-';
    if name.is_empty() || name.len() > 50 || !name.chars().all(allowed) {
        return Err(Failure::bad_parameter("name", "A label has letters, digits and hyphens."));
    }
    let repository = call.store.repository_mut(id).ok_or_else(Failure::no_route)?;
    if !repository.labels.contains(&name) {
        repository.labels.push(name.clone());
        repository.labels.sort();
    }
    Ok(Answer::Json(json!({ "name": name })))
}

pub(super) fn remove_label(call: &mut Write<'_>, key: &str, slug: &str, name: &str) -> Outcome {
    let id = call.open_to(key, slug, Permission::Admin)?;
    let repository = call.store.repository_mut(id).ok_or_else(Failure::no_route)?;
    let count = repository.labels.len();
    repository.labels.retain(|label| label != name);
    if repository.labels.len() == count {
        return Err(Failure::no_entity(&format!("Label \"{name}\"")));
    }
    Ok(Answer::NoContent)
}
