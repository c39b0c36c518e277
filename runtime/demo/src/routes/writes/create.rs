//! Opening a pull request.

use serde_json::{Value, json};

use super::{Place, Write};
use crate::answer::{Answer, Outcome};
use crate::errors::Failure;
use crate::state::{
    Action, Participant, Permission, PullRequest, PullRequestRef, PullRequestState, Verdict,
};

/// The longest title and description, in characters.
const LONGEST_TITLE: usize = 255;
const LONGEST_DESCRIPTION: usize = 32_768;

pub(super) fn create(call: &mut Write<'_>, key: &str, slug: &str) -> Outcome {
    let target = call.open_to(key, slug, Permission::Read)?;
    let title = titled(call.text("title"), call.text("description"))?;
    let from = side(call, "fromRef", target)?;
    let to = side(call, "toRef", target)?;
    if to.repository != target {
        return Err(Failure::bad_parameter(
            "toRef",
            "The target repository must be the one the request is sent to.",
        ));
    }
    if from.repository == to.repository && from.id() == to.id() {
        return Err(Failure::conflict(
            "A pull request cannot have the same source and target branch.",
            "pull.InvalidPullRequestTargetException",
        ));
    }
    call.store.adopt(from.repository, target, &from.commit);
    must_be_new(call, &from, &to)?;
    must_bring_something(call, &from, &to)?;
    let reviewers = reviewers(call, &call.user)?;
    let id = number(call, target);
    let now = call.store.now;
    let mut created = PullRequest {
        id,
        repository: target,
        version: 0,
        title,
        description: described(call),
        state: PullRequestState::Open,
        draft: call.flag("draft").unwrap_or(false),
        created: now,
        updated: now,
        closed: None,
        author: call.user.clone(),
        reviewers: reviewers.into_iter().map(newcomer).collect(),
        participants: Vec::new(),
        from,
        to,
        comments: Vec::new(),
        activities: Vec::new(),
        auto_merge: None,
        merge_commit: None,
        watchers: vec![call.user.clone()],
    };
    let activity = call.store.next_id();
    created.record(activity, &call.user, now, Action::Opened);
    call.store.pull_requests.push(created);
    Ok(Answer::Created(call.drawn((target, id))?))
}

/// Refuses a second open pull request between the same refs.
pub(super) fn must_be_new(
    call: &Write<'_>,
    from: &PullRequestRef,
    to: &PullRequestRef,
) -> Result<(), Failure> {
    let same = |left: &PullRequestRef, right: &PullRequestRef| {
        left.repository == right.repository && left.id() == right.id()
    };
    let existing = call
        .store
        .pull_requests
        .iter()
        .find(|item| item.is_open() && same(&item.from, from) && same(&item.to, to));
    match existing {
        Some(existing) => Err(Failure::duplicate(call.shapes().pull_request(existing, false))),
        None => Ok(()),
    }
}

/// Refuses a source that the target already holds.
pub(super) fn must_bring_something(
    call: &Write<'_>,
    from: &PullRequestRef,
    to: &PullRequestRef,
) -> Result<(), Failure> {
    let place = call.store.repository(to.repository).ok_or_else(Failure::no_route)?;
    if !place.history.contains(&to.commit, &from.commit) {
        return Ok(());
    }
    let message = format!(
        "Branch \"{}\" is already up-to-date with branch \"{}\" in repository \"{}\".",
        to.branch, from.branch, place.slug
    );
    Err(Failure::conflict(&message, "pull.EmptyPullRequestException"))
}

/// The number after the largest one ever given in a repository.
fn number(call: &mut Write<'_>, repository: u64) -> u64 {
    let largest = call
        .store
        .pull_requests
        .iter()
        .filter(|item| item.repository == repository)
        .map(|item| item.id)
        .max()
        .unwrap_or(0);
    call.store.repository_mut(repository).map_or(largest + 1, |place| {
        place.last_pull_request = place.last_pull_request.max(largest) + 1;
        place.last_pull_request
    })
}

pub(super) fn newcomer(user: String) -> Participant {
    Participant { user, verdict: Verdict::Unapproved, last_reviewed: None }
}

pub(super) fn described(call: &Write<'_>) -> Option<String> {
    call.text("description").filter(|text| !text.is_empty()).map(str::to_owned)
}

/// The title, checked together with the description.
pub(super) fn titled(title: Option<&str>, description: Option<&str>) -> Result<String, Failure> {
    let title = title.unwrap_or_default().trim();
    if title.is_empty() {
        return Err(Failure::bad_parameter("title", "Please enter a title for the pull request."));
    }
    if title.chars().count() > LONGEST_TITLE {
        return Err(Failure::bad_parameter(
            "title",
            "Please enter a title with no more than 255 characters.",
        ));
    }
    if description.is_some_and(|text| text.chars().count() > LONGEST_DESCRIPTION) {
        return Err(Failure::bad_parameter(
            "description",
            "Please enter a description with no more than 32768 characters.",
        ));
    }
    Ok(title.to_owned())
}

/// One side of the body; a repository left out is the one asked.
pub(super) fn side(call: &Write<'_>, name: &str, default: u64) -> Result<PullRequestRef, Failure> {
    let given = &call.body[name];
    let Some(id) = given["id"].as_str().filter(|id| !id.is_empty()) else {
        return Err(Failure::bad_parameter(name, &format!("The {name} must have an id.")));
    };
    let repository = match given["repository"]["slug"].as_str() {
        None => call.store.repository(default).ok_or_else(Failure::no_route)?,
        Some(slug) => {
            let key = given["repository"]["project"]["key"].as_str().ok_or_else(|| {
                Failure::bad_parameter(name, "The project key must be specified.")
            })?;
            call.repository(key, slug)?
        }
    };
    let tag = id.strip_prefix("refs/tags/").filter(|_| name == "fromRef");
    let branch = tag.or(id.strip_prefix("refs/heads/")).unwrap_or(id);
    let mut side = PullRequestRef {
        repository: repository.id,
        branch: branch.to_owned(),
        is_tag: tag.is_some(),
        commit: String::new(),
    };
    side.commit = call.store.tip(&side).ok_or_else(|| Failure::no_branch(id, &repository.slug))?;
    Ok(side)
}

/// The reviewers of the body, all of them or a refusal that names the others.
pub(super) fn reviewers(call: &Write<'_>, author: &str) -> Result<Vec<String>, Failure> {
    let (mut valid, mut errors) = (Vec::<String>::new(), Vec::<Value>::new());
    for given in call.body["reviewers"].as_array().into_iter().flatten() {
        let name = given["user"]["name"].as_str().or(given["name"].as_str()).unwrap_or_default();
        let message = match call.store.user(name).filter(|user| user.active) {
            None => format!("{name} is not a user, or may not see this repository."),
            Some(user) if user.name == author => {
                format!("{name} is the author of this pull request and cannot be a reviewer.")
            }
            Some(user) => {
                if !valid.contains(&user.name) {
                    valid.push(user.name.clone());
                }
                continue;
            }
        };
        errors.push(json!({ "context": name, "message": message, "exceptionName": null }));
    }
    if errors.is_empty() {
        return Ok(valid);
    }
    let shapes = call.shapes();
    let valid: Value =
        valid.iter().map(|name| json!({ "user": shapes.user_named(name) })).collect();
    Err(Failure::reviewers(json!(errors), valid))
}

/// Where the source of a pull request is, for what follows its commits.
pub(super) fn source(call: &Write<'_>, place: Place) -> Result<(u64, String), Failure> {
    let found = call.found(place)?;
    Ok((found.from.repository, found.from.branch.clone()))
}
