//! How a repository is set up: its branches, merges, reviewers and labels.

use serde_json::{Value, json};

use super::{Call, compare};
use crate::answer::{Answer, Outcome};
use crate::errors::Failure;
use crate::json::put;
use crate::matching::{CATEGORIES, matches};
use crate::merging::STRATEGIES;
use crate::paging::{MAXIMUM, Window};
use crate::state::{Matcher, Repository, same};

pub(super) fn pull_requests(call: &Call<'_>, key: &str, slug: &str) -> Outcome {
    let repository = call.repository(key, slug)?;
    let strategy = |(id, name, flag, description): &(&str, &str, &str, &str)| {
        json!({
            "description": description,
            "enabled": repository.strategies.contains(id),
            "flag": flag,
            "id": id,
            "name": name,
        })
    };
    let default = repository.strategies.first().copied().unwrap_or("no-ff");
    let default = STRATEGIES.iter().find(|(id, ..)| *id == default).map(strategy);
    let strategies: Vec<Value> = STRATEGIES.iter().map(strategy).collect();
    Ok(Answer::Json(json!({
        "mergeConfig": {
            "defaultStrategy": default,
            "strategies": strategies,
            "type": "REPOSITORY",
            "commitSummaries": 20,
            "commitMessageTemplate": {
                "title": "Pull request #${id}: ${title}",
                "body": "Merge in ${toProjectKey}/${toRepoSlug} from ${fromRefName} to ${toRefName}",
            },
        },
        "requiredAllApprovers": false,
        "requiredAllTasksComplete": repository.requires_tasks,
        "requiredApprovers": { "enabled": false, "count": "0" },
        "requiredSuccessfulBuilds": { "enabled": false, "count": "0" },
        "needsWork": true,
        "unapproveOnUpdate": false,
    })))
}

pub(super) fn auto_merge(call: &Call<'_>, key: &str, slug: &str) -> Outcome {
    let repository = call.repository(key, slug)?;
    Ok(Answer::Json(json!({
        "enabled": repository.allows_auto_merge,
        "restrictionState": "NONE",
        "scope": scope(repository),
    })))
}

fn scope(repository: &Repository) -> Value {
    json!({ "type": "REPOSITORY", "resourceId": repository.id })
}

/// Three answers: the branch, nothing in an empty repository, a refusal when
/// the branch that was set is not there.
pub(super) fn default_branch(call: &Call<'_>, key: &str, slug: &str, whole: bool) -> Outcome {
    let repository = call.repository(key, slug)?;
    let history = &repository.history;
    if history.commits.is_empty() {
        return Ok(Answer::NoContent);
    }
    let name = &history.default_branch;
    let tip = history
        .branches
        .get(name)
        .ok_or_else(|| Failure::no_branch(&format!("refs/heads/{name}"), &repository.slug))?;
    let branch = call.shapes().branch(history, name, tip);
    if whole {
        return Ok(Answer::Json(branch));
    }
    Ok(Answer::Json(json!({
        "id": branch["id"], "displayId": branch["displayId"], "type": "BRANCH",
    })))
}

pub(super) fn model(call: &Call<'_>, key: &str, slug: &str) -> Outcome {
    let repository = call.repository(key, slug)?;
    let history = &repository.history;
    let mut model = json!({});
    let development = history.branches.get_key_value(&history.default_branch);
    let development = development.map(|(name, tip)| call.shapes().branch(history, name, tip));
    put(&mut model, "development", development);
    let types: Vec<Value> = CATEGORIES
        .iter()
        .map(|(id, name, prefix)| json!({ "id": id, "displayName": name, "prefix": prefix }))
        .collect();
    put(&mut model, "types", Some(json!(types)));
    Ok(Answer::Json(model))
}

pub(super) fn labels(call: &Call<'_>, key: &str, slug: &str) -> Outcome {
    let repository = call.repository(key, slug)?;
    let window = Window::read(&call.query, MAXIMUM)?;
    Ok(Answer::Json(window.page(&repository.labels, |label| json!({ "name": label }))))
}

fn matcher(matcher: &Matcher) -> Value {
    let name = match matcher.kind.as_str() {
        "ANY_REF" => "Any branch",
        "BRANCH" => "Branch",
        "PATTERN" => "Pattern",
        other => other,
    };
    json!({
        "active": true,
        "id": matcher.id,
        "displayId": matcher.display_id,
        "type": { "id": matcher.kind, "name": name },
    })
}

/// No project of the seed has any of its own.
pub(super) fn project_conditions(call: &Call<'_>, key: &str) -> Outcome {
    call.store.project(key).ok_or_else(|| Failure::no_project(key))?;
    Ok(Answer::Json(json!([])))
}

/// A bare array, unlike nearly everything else.
pub(super) fn conditions(call: &Call<'_>, key: &str, slug: &str) -> Outcome {
    let repository = call.repository(key, slug)?;
    let shapes = call.shapes();
    let all: Vec<Value> = repository
        .default_reviewers
        .iter()
        .map(|condition| {
            let people: Vec<Value> =
                condition.people.iter().map(|name| shapes.user_named(name)).collect();
            json!({
                "id": condition.id,
                "scope": scope(repository),
                "sourceRefMatcher": matcher(&condition.source),
                "targetRefMatcher": matcher(&condition.target),
                "reviewers": people,
                "requiredApprovals": condition.approvals,
            })
        })
        .collect();
    Ok(Answer::Json(json!(all)))
}

/// The people two refs ask for, the author among them if they are: a bare
/// array.
pub(super) fn reviewers(call: &Call<'_>, key: &str, slug: &str) -> Outcome {
    let repository = call.repository(key, slug)?;
    let id = |name: &str| call.query.get(name).and_then(|text| text.parse::<u64>().ok());
    for name in ["sourceRepoId", "targetRepoId"] {
        let found = id(name).and_then(|id| call.store.repository(id));
        if !found.is_some_and(|found| call.store.sees(call.user, found)) {
            return Err(Failure::bad_parameter(name, &format!("{name} is not a repository.")));
        }
    }
    let (Some(source), Some(target)) =
        (call.query.get("sourceRefId"), call.query.get("targetRefId"))
    else {
        return Err(Failure::bad_parameter("sourceRefId", "Both refs must be supplied."));
    };
    let bare = |id: &str| id.strip_prefix("refs/heads/").unwrap_or(id).to_owned();
    let (source, target) = (bare(source), bare(target));
    let default = &repository.history.default_branch;
    let mut people: Vec<&String> = Vec::new();
    for condition in &repository.default_reviewers {
        let applies = matches(&condition.source, &source, default) == Some(true)
            && matches(&condition.target, &target, default) == Some(true);
        for name in condition.people.iter().filter(|_| applies) {
            if !people.contains(&name) {
                people.push(name);
            }
        }
    }
    let shapes = call.shapes();
    let people: Vec<Value> = people.into_iter().map(|name| shapes.user_named(name)).collect();
    Ok(Answer::Json(json!(people)))
}

/// Who `CODEOWNERS` of the target names for the files that change.
pub(super) fn code_owners(call: &Call<'_>, key: &str, slug: &str) -> Outcome {
    let repository = call.repository(key, slug)?;
    let source = match call.query.get("sourceRepo") {
        Some(place) => compare::other(call, place)?,
        None => repository,
    };
    let named = |place: &'_ Repository, name: &str| {
        let revision = call.query.get(name).unwrap_or_default();
        let found = place.history.resolve(revision).cloned();
        found.ok_or_else(|| Failure::no_commit(revision, &place.slug))
    };
    let (from, to) = (named(source, "sourceRefId")?, named(repository, "targetRefId")?);
    let history = compare::joined(repository, source);
    let changed = crate::placing::Sides::between(&history, &from.id, &to.id)
        .map(|sides| crate::diff::changes(&sides.before, &sides.after))
        .unwrap_or_default();
    let rules = [".bitbucket/CODEOWNERS", "CODEOWNERS"]
        .iter()
        .find_map(|path| to.tree.get(*path))
        .map(|blob| blob.text().into_owned())
        .unwrap_or_default();
    let mut owners: Vec<&str> = Vec::new();
    for change in &changed {
        // The last rule that fits decides.
        let rule = rules
            .lines()
            .filter(|line| !line.trim_start().starts_with('#'))
            .filter_map(|line| line.split_once(char::is_whitespace))
            .rfind(|(pattern, _)| owns(pattern, change.path()));
        for name in rule.into_iter().flat_map(|(_, names)| names.split_whitespace()) {
            let name = name.trim_start_matches('@');
            if !owners.contains(&name) {
                owners.push(name);
            }
        }
    }
    let shapes = call.shapes();
    let owners: Vec<Value> = owners
        .into_iter()
        .filter_map(|name| call.store.users.iter().find(|user| same(&user.slug, name)))
        .map(|user| shapes.user(user))
        .collect();
    Ok(Answer::Json(json!({ "codeOwners": owners })))
}

/// The two forms the seed uses: a folder, and an ending.
fn owns(pattern: &str, path: &str) -> bool {
    match pattern.strip_prefix('*') {
        Some(ending) => path.ends_with(ending),
        None => path.starts_with(pattern.trim_start_matches('/').trim_end_matches("**")),
    }
}
