//! Builds that are reported, and the conditions that ask for them.

use serde_json::{Map, Value, json};

use super::Write;
use crate::answer::{Answer, Outcome};
use crate::errors::Failure;
use crate::state::{Build, Condition, Matcher, Permission};

const STATES: [&str; 5] = ["SUCCESSFUL", "FAILED", "INPROGRESS", "CANCELLED", "UNKNOWN"];

pub(super) fn post(call: &mut Write<'_>, key: &str, slug: &str, id: &str) -> Outcome {
    let repository = call.open_to(key, slug, Permission::Read)?;
    let place = call.store.repository(repository).ok_or_else(Failure::no_route)?;
    let commit = place.history.commit(id).ok_or_else(|| Failure::no_commit(id, &place.slug))?;
    let commit = commit.id.clone();
    put(call, commit, Some(repository))
}

/// Removes the build with a key; one that is not there is gone already.
pub(super) fn delete(call: &mut Write<'_>, key: &str, slug: &str, id: &str) -> Outcome {
    let repository = call.open_to(key, slug, Permission::Admin)?;
    let place = call.store.repository(repository).ok_or_else(Failure::no_route)?;
    let commit = place.history.commit(id).ok_or_else(|| Failure::no_commit(id, &place.slug))?;
    let commit = commit.id.clone();
    let Some(key) = call.query.get("key").map(str::to_owned) else {
        return Err(Failure::bad_parameter("key", "The key must be supplied."));
    };
    call.store.builds.retain(|build| {
        build.commit != commit || build.key != key || build.repository != Some(repository)
    });
    Ok(Answer::NoContent)
}

/// The old form knows neither a parent nor a repository.
pub(super) fn post_legacy(call: &mut Write<'_>, id: &str) -> Outcome {
    if call.method != "POST" {
        return Err(Failure::method_not_allowed());
    }
    let id = crate::routes::commit_id(id)?;
    put(call, id, None)
}

fn put(call: &mut Write<'_>, commit: String, repository: Option<u64>) -> Outcome {
    let text = |name: &str| call.text(name).filter(|text| !text.is_empty()).map(str::to_owned);
    let (Some(key), Some(state), Some(url)) = (text("key"), text("state"), text("url")) else {
        let missing: Vec<(&str, String)> = ["key", "state", "url"]
            .into_iter()
            .filter(|name| text(name).is_none())
            .map(|name| (name, format!("{name} is required.")))
            .collect();
        return Err(Failure::bad_parameters(&missing));
    };
    if !STATES.contains(&state.as_str()) {
        let message = format!("'{state}' is not a valid build state.");
        return Err(Failure::bad_parameter("state", &message));
    }
    let now = call.store.now;
    let same = |build: &Build| {
        build.commit == commit
            && build.key == key
            && (build.repository == repository || repository.is_none())
    };
    let tests = &call.body["testResults"];
    let count = |name: &str| tests[name].as_u64();
    let known = call.store.builds.iter().position(same);
    let created = known.map_or(now, |index| call.store.builds[index].created);
    let branch = text("ref").and_then(|id| id.strip_prefix("refs/heads/").map(str::to_owned));
    let build = Build {
        parent: text("parent").filter(|_| repository.is_some()),
        name: text("name").unwrap_or_else(|| key.clone()),
        state,
        url,
        description: text("description"),
        number: text("buildNumber"),
        duration: call.body["duration"].as_i64(),
        created,
        updated: now,
        branch: branch.filter(|_| repository.is_some()),
        tests: count("successful")
            .zip(count("failed"))
            .zip(count("skipped"))
            .map(|((successful, failed), skipped)| (successful, failed, skipped)),
        ends: None,
        repository,
        commit,
        key,
    };
    match known {
        Some(index) => call.store.builds[index] = build,
        None => call.store.builds.push(build),
    }
    Ok(Answer::NoContent)
}

/// Counts for several commits at once.
pub(super) fn counts(call: &mut Write<'_>) -> Outcome {
    let shapes = call.shapes();
    let mut answer = Map::new();
    for id in call.body.as_array().into_iter().flatten().filter_map(Value::as_str) {
        let builds: Vec<&Build> =
            call.store.builds.iter().filter(|build| build.commit == id).collect();
        answer.insert(id.to_owned(), shapes.build_counts(&builds));
    }
    Ok(Answer::Json(Value::Object(answer)))
}

/// Adds, changes or removes a required builds condition.
pub(super) fn condition(call: &mut Write<'_>, key: &str, slug: &str, id: &[&str]) -> Outcome {
    let repository = call.open_to(key, slug, Permission::Admin)?;
    let id = match (call.method, id) {
        ("POST", []) => None,
        ("PUT" | "DELETE", [id]) => Some(id.parse::<u64>().map_err(|_| Failure::no_route())?),
        _ => return Err(Failure::method_not_allowed()),
    };
    let place = call.store.repository(repository).ok_or_else(Failure::no_route)?;
    // One that was never there is gone as well.
    if let Some(id) = id
        && call.method == "PUT"
        && !place.conditions.iter().any(|held| held.id == id)
    {
        return Err(Failure::no_entity(&format!("Required builds condition {id}")));
    }
    let next = place.conditions.iter().map(|held| held.id).max().unwrap_or(0) + 1;
    let asked = if call.method == "DELETE" { None } else { Some(asked(call, id.unwrap_or(next))?) };
    let place = call.store.repository_mut(repository).ok_or_else(Failure::no_route)?;
    let Some(asked) = asked else {
        place.conditions.retain(|held| Some(held.id) != id);
        return Ok(Answer::NoContent);
    };
    let drawn = asked.clone();
    match place.conditions.iter_mut().find(|held| held.id == asked.id) {
        Some(held) => *held = asked,
        None => place.conditions.push(asked),
    }
    Ok(Answer::Json(call.shapes().condition(&drawn, call.version.has_merge_queue())))
}

fn asked(call: &Write<'_>, id: u64) -> Result<Condition, Failure> {
    let parents: Vec<String> = call.body["buildParentKeys"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|key| key.as_str().map(str::to_owned))
        .collect();
    if parents.is_empty() {
        return Err(Failure::bad_parameter("buildParentKeys", "At least one key is required."));
    }
    let matcher = |given: &Value| {
        let id = given["id"].as_str()?;
        let kind = given["type"]["id"].as_str().or(given["type"].as_str())?;
        let display = given["displayId"].as_str().unwrap_or(id);
        Some(Matcher { id: id.to_owned(), display_id: display.to_owned(), kind: kind.to_owned() })
    };
    Ok(Condition {
        id,
        parents,
        matcher: matcher(&call.body["refMatcher"]).ok_or_else(|| {
            Failure::with(
                400,
                Some("refMatcher"),
                "Not a matcher.",
                Some("ArgumentValidationException"),
            )
        })?,
        exempt: matcher(&call.body["exemptRefMatcher"]),
        for_pull_request: call.body["requiredForPullRequest"] != json!(false),
    })
}
