//! Threads of one file, single comments, drafts and who takes part.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{Call, one_of, some_of};
use crate::answer::{Answer, Outcome};
use crate::errors::Failure;
use crate::paging::{MAXIMUM, Window};
use crate::state::{Comment, Participant, PullRequest, Verdict};

/// One file's threads: there is no listing of all.
pub(super) fn comments(call: &Call<'_>, key: &str, slug: &str, id: &str) -> Outcome {
    let (_, found) = call.pull_request(key, slug, id)?;
    let Some(path) = call.query.get("path") else {
        return Err(Failure::bad_parameter(
            "path",
            "A path must be supplied when retrieving comments.",
        ));
    };
    let state = one_of(call, "anchorState", &["ACTIVE", "ORPHANED", "ALL"])?.unwrap_or("ACTIVE");
    let states = some_of(call, ["state", "states"], &["OPEN", "RESOLVED", "PENDING"])?;
    let mut kinds = some_of(call, ["diffType", "diffTypes"], &["EFFECTIVE", "COMMIT", "RANGE"])?;
    if kinds.is_empty() {
        kinds.push("EFFECTIVE");
    }
    let hashes = call.query.get("fromHash").zip(call.query.get("toHash"));
    if hashes.is_none() && kinds.iter().any(|kind| *kind != "EFFECTIVE") {
        return Err(Failure::bad_parameter(
            "fromHash",
            "fromHash and toHash must be supplied for this diff type.",
        ));
    }
    let window = Window::read(&call.query, MAXIMUM)?;
    let roots: Vec<&Comment> = found
        .comments
        .iter()
        .filter(|root| root.is_visible_to(call.user))
        .filter(|root| states.is_empty() || states.contains(&root.state_name()))
        .filter(|root| {
            root.anchor.as_ref().is_some_and(|anchor| {
                let between = (anchor.from_hash.as_str(), anchor.to_hash.as_str());
                kinds.contains(&anchor.diff_type)
                    && (anchor.diff_type == "EFFECTIVE" || hashes == Some(between))
            })
        })
        .filter(|root| {
            root.anchor.as_ref().is_some_and(|anchor| {
                anchor.path == path
                    && match state {
                        "ACTIVE" => !anchor.orphaned,
                        "ORPHANED" => anchor.orphaned,
                        _ => true,
                    }
            })
        })
        .collect();
    let shapes = call.shapes();
    Ok(Answer::Json(window.page(&roots, |root| shapes.comment(root, found, true))))
}

pub(super) fn comment(call: &Call<'_>, key: &str, slug: &str, id: &str, comment: &str) -> Outcome {
    let (repository, found) = call.pull_request(key, slug, id)?;
    let number: u64 = comment.parse().map_err(|_| Failure::no_route())?;
    let (_, comment) = found
        .comment(number)
        .filter(|(_, comment)| comment.is_visible_to(call.user))
        .ok_or_else(|| Failure::no_comment(number, repository.id))?;
    Ok(Answer::Json(call.shapes().comment(comment, found, true)))
}

/// The caller's own draft.
pub(super) fn review(call: &Call<'_>, key: &str, slug: &str, id: &str) -> Outcome {
    let (_, found) = call.pull_request(key, slug, id)?;
    let window = Window::read(&call.query, MAXIMUM)?;
    let mut drafts: Vec<&Comment> = Vec::new();
    for root in &found.comments {
        let mut own = false;
        root.visit(&mut |comment| {
            own |= comment.pending && Some(comment.author.as_str()) == call.user;
        });
        if own {
            drafts.push(root);
        }
    }
    if drafts.is_empty() {
        return Err(Failure::no_review(found.id));
    }
    let shapes = call.shapes();
    Ok(Answer::Json(window.page(&drafts, |root| shapes.comment(root, found, true))))
}

pub(super) fn participants(call: &Call<'_>, key: &str, slug: &str, id: &str) -> Outcome {
    let (_, found) = call.pull_request(key, slug, id)?;
    let window = Window::read(&call.query, MAXIMUM)?;
    let author = author(found);
    let all: Vec<(&Participant, &str)> = [(&author, "AUTHOR")]
        .into_iter()
        .chain(found.reviewers.iter().map(|held| (held, "REVIEWER")))
        .chain(found.participants.iter().map(|held| (held, "PARTICIPANT")))
        .collect();
    let shapes = call.shapes();
    Ok(Answer::Json(window.page(&all, |(held, role)| shapes.participant(held, role))))
}

fn author(found: &PullRequest) -> Participant {
    Participant { user: found.author.clone(), verdict: Verdict::Unapproved, last_reviewed: None }
}

/// Everybody who took part in a repository's pull requests.
pub(super) fn of_repository(call: &Call<'_>, key: &str, slug: &str) -> Outcome {
    let repository = call.repository(key, slug)?;
    let window = Window::read(&call.query, MAXIMUM)?;
    let role = one_of(call, "role", &["AUTHOR", "REVIEWER", "PARTICIPANT"])?;
    let outgoing = one_of(call, "direction", &["INCOMING", "OUTGOING"])? == Some("OUTGOING");
    let filter = call.query.get("filter").unwrap_or_default().to_lowercase();
    let mut people: BTreeMap<&str, &str> = BTreeMap::new();
    for found in &call.store.pull_requests {
        let side = if outgoing { &found.from } else { &found.to };
        if side.repository != repository.id {
            continue;
        }
        let all = [(found.author.as_str(), "AUTHOR")]
            .into_iter()
            .chain(found.reviewers.iter().map(|held| (held.user.as_str(), "REVIEWER")))
            .chain(found.participants.iter().map(|held| (held.user.as_str(), "PARTICIPANT")));
        for (name, own) in all.filter(|(_, own)| role.is_none_or(|role| role == *own)) {
            people.insert(name, own);
        }
    }
    let people: Vec<&str> = people
        .into_keys()
        .filter(|name| {
            call.store.user(name).is_some_and(|user| {
                user.name.to_lowercase().contains(&filter)
                    || user.display_name.to_lowercase().contains(&filter)
            })
        })
        .collect();
    let shapes = call.shapes();
    Ok(Answer::Json(window.page(&people, |name| shapes.user_named(name))))
}

/// What the merge form begins with.
pub(super) fn message(call: &Call<'_>, key: &str, slug: &str, id: &str) -> Outcome {
    let (repository, found) = call.pull_request(key, slug, id)?;
    let commits = repository.history.log(&found.from.commit, Some(&found.to.commit));
    let list: String = commits
        .iter()
        .map(|commit| format!("\n  {}", commit.message.lines().next().unwrap_or_default()))
        .collect();
    let body = format!(
        "Merge in {}/{} from {} to {}\n\n* commit '{}':{list}",
        repository.project, repository.slug, found.from.branch, found.to.branch, found.from.commit
    );
    let title = format!("Pull request #{}: {}", found.id, found.title);
    Ok(Answer::Json(json!({ "title": title, "body": body })))
}

/// What waits for the caller: the number beside the bell.
pub(super) fn waiting<'a>(call: &Call<'a>) -> Vec<&'a PullRequest> {
    let role = call.query.get("role").unwrap_or("REVIEWER").to_uppercase();
    call.store
        .pull_requests
        .iter()
        .filter(|found| found.is_open())
        .filter(|found| {
            call.user.and_then(|user| found.role_of(user)).is_some_and(|(own, verdict)| {
                own == role && (own != "REVIEWER" || verdict == Verdict::Unapproved)
            })
        })
        .collect()
}

pub(super) fn inbox(call: &Call<'_>) -> Outcome {
    let window = Window::read(&call.query, MAXIMUM)?;
    let shapes = call.shapes();
    let found = waiting(call);
    Ok(Answer::Json(window.page(&found, |item| shapes.pull_request(item, true))))
}

pub(super) fn inbox_count(call: &Call<'_>) -> Outcome {
    let count: Value = json!(waiting(call).len());
    Ok(Answer::Json(json!({ "count": count })))
}
