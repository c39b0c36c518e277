//! Pull requests: lists, one, its mergeability and its discussion.

use serde_json::json;

use super::{Call, one_of, some_of};
use crate::answer::{Answer, Outcome};
use crate::errors::Failure;
use crate::paging::{MAXIMUM, MAXIMUM_ACTIVITIES, MAXIMUM_SMALL, Window};
use crate::state::{Action, Activity, Comment, PullRequest, PullRequestState, Verdict, same};

const ROLES: [&str; 3] = ["AUTHOR", "REVIEWER", "PARTICIPANT"];

/// The most numbered participants one filter may name.
const MAXIMUM_PARTICIPANTS: usize = 10;

pub(super) fn list(call: &Call<'_>, key: &str, slug: &str) -> Outcome {
    let repository = call.repository(key, slug)?;
    let window = Window::read(&call.query, MAXIMUM_SMALL)?;
    let state = state(call, Some(PullRequestState::Open))?;
    let order = one_of(call, "order", &["NEWEST", "OLDEST"])?;
    let outgoing = one_of(call, "direction", &["INCOMING", "OUTGOING"])? == Some("OUTGOING");
    let at = call.query.get("at");
    let text = call.query.get("filterText").unwrap_or_default().to_lowercase();
    let draft = call.query.get("draft").map(|text| same(text, "true"));
    let people = people(call)?;
    let mut found: Vec<&PullRequest> = call
        .store
        .pull_requests
        .iter()
        .filter(|item| {
            let side = if outgoing { &item.from } else { &item.to };
            side.repository == repository.id && at.is_none_or(|at| at == side.id())
        })
        .filter(|item| state.is_none_or(|state| item.state == state))
        .filter(|item| draft.is_none_or(|draft| item.draft == draft))
        .filter(|item| {
            item.title.to_lowercase().contains(&text)
                || item
                    .description
                    .as_ref()
                    .is_some_and(|description| description.to_lowercase().contains(&text))
        })
        .filter(|item| people.iter().all(|wanted| wanted.takes_part(item)))
        .collect();
    found.sort_by_key(|item| std::cmp::Reverse((item.updated, item.id)));
    if order == Some("OLDEST") {
        found.reverse();
    }
    // Lists carry properties unless told not to, unlike a single one.
    let with_properties = call.query.flag("withProperties", true);
    let shapes = call.shapes();
    Ok(Answer::Json(window.page(&found, |item| shapes.pull_request(item, with_properties))))
}

pub(super) fn dashboard(call: &Call<'_>) -> Outcome {
    let window = Window::read(&call.query, MAXIMUM_SMALL)?;
    let state = state(call, None)?;
    let role = one_of(call, "role", &ROLES)?;
    let user = call.query.get("user").or(call.user).unwrap_or_default();
    let mut found: Vec<&PullRequest> = call
        .store
        .pull_requests
        .iter()
        .filter(|item| state.is_none_or(|state| item.state == state))
        .filter(|item| {
            item.role_of(user).is_some_and(|(own, _)| role.is_none_or(|role| role == own))
        })
        .collect();
    if let Some(wanted) = call.query.get("participantStatus") {
        let wanted = verdicts(wanted)?;
        found.retain(|item| {
            item.role_of(user).is_some_and(|(_, verdict)| wanted.contains(&verdict.name()))
        });
    }
    if let Some(text) = call.query.get("closedSince") {
        let seconds: i64 = text.parse().map_err(|_| {
            Failure::bad_parameter("closedSince", "closedSince must be a number of seconds.")
        })?;
        let after = call.store.now.saturating_sub(seconds.saturating_mul(1000));
        found.retain(|item| item.closed.is_some_and(|closed| closed >= after));
    }
    sort_dashboard(call, user, &mut found)?;
    let shapes = call.shapes();
    Ok(Answer::Json(window.page(&found, |item| shapes.pull_request(item, true))))
}

/// Sorts by the last criterion first, so that earlier ones decide.
fn sort_dashboard(call: &Call<'_>, user: &str, found: &mut [&PullRequest]) -> Result<(), Failure> {
    found.sort_by_key(|item| std::cmp::Reverse((item.updated, item.id)));
    let order = call.query.get("order").unwrap_or("NEWEST");
    for word in order.split(',').rev() {
        match word.trim().to_uppercase().as_str() {
            "NEWEST" => found.sort_by_key(|item| std::cmp::Reverse(item.updated)),
            "OLDEST" => found.sort_by_key(|item| item.updated),
            "DRAFT_STATUS" => found.sort_by_key(|item| item.draft),
            "CLOSED_DATE" => found.sort_by_key(|item| std::cmp::Reverse(item.closed)),
            "PARTICIPANT_STATUS" => found.sort_by_key(|item| match item.role_of(user) {
                Some((_, Verdict::Unapproved)) => 0,
                Some((_, Verdict::NeedsWork)) => 1,
                _ => 2,
            }),
            _ => {
                return Err(Failure::bad_parameter(
                    "order",
                    &format!("'{word}' is not a valid order."),
                ));
            }
        }
    }
    Ok(())
}

pub(super) fn one(call: &Call<'_>, key: &str, slug: &str, id: &str) -> Outcome {
    let (_, found) = call.pull_request(key, slug, id)?;
    let default = !call.version.asks_for_properties();
    let with_properties = call.query.flag("withProperties", default) || default;
    Ok(Answer::Json(call.shapes().pull_request(found, with_properties)))
}

pub(super) fn merge(call: &Call<'_>, key: &str, slug: &str, id: &str) -> Outcome {
    let (_, found) = call.pull_request(key, slug, id)?;
    if !found.is_open() {
        return Err(Failure::not_open(found.id, found.state.name()));
    }
    Ok(Answer::Json(call.shapes().mergeability(found)))
}

pub(super) fn auto_merge(call: &Call<'_>, key: &str, slug: &str, id: &str) -> Outcome {
    let (_, found) = call.pull_request(key, slug, id)?;
    call.shapes()
        .auto_merge(found)
        .map(Answer::Json)
        .ok_or_else(|| Failure::no_auto_merge(found.id))
}

pub(super) fn activities(call: &Call<'_>, key: &str, slug: &str, id: &str) -> Outcome {
    let (repository, found) = call.pull_request(key, slug, id)?;
    let window = Window::read(&call.query, MAXIMUM_ACTIVITIES)?;
    let mut newest: Vec<&Activity> = found
        .activities
        .iter()
        .rev()
        .filter(|activity| is_shown(found, activity, call.user))
        .collect();
    if let Some(first) = first(call)? {
        let at = newest.iter().position(|activity| first.is(found, activity));
        newest.drain(..at.unwrap_or(newest.len()));
    }
    let shapes = call.shapes();
    Ok(Answer::Json(
        window.page(&newest, |activity| shapes.activity(&repository.history, found, activity)),
    ))
}

/// The item a page of activities begins with, by its own id or by that of a
/// comment of its thread.
enum First {
    Activity(u64),
    Comment(u64),
}

impl First {
    fn is(&self, found: &PullRequest, activity: &Activity) -> bool {
        match (self, &activity.action) {
            (First::Activity(id), _) => activity.id == *id,
            (First::Comment(id), Action::Commented(root, _)) => {
                found.comment(*id).is_some_and(|(thread, _)| thread.id == *root)
            }
            _ => false,
        }
    }
}

fn first(call: &Call<'_>) -> Result<Option<First>, Failure> {
    let Some(id) = call.query.get("fromId") else {
        return Ok(None);
    };
    let id = id.parse().map_err(|_| Failure::bad_parameter("fromId", "Not an id."))?;
    match one_of(call, "fromType", &["ACTIVITY", "COMMENT"])? {
        Some("ACTIVITY") => Ok(Some(First::Activity(id))),
        Some(_) => Ok(Some(First::Comment(id))),
        None => Err(Failure::bad_parameter("fromType", "fromType is required with fromId.")),
    }
}

/// A thread that is a draft shows to its author alone.
fn is_shown(found: &PullRequest, activity: &Activity, user: Option<&str>) -> bool {
    match &activity.action {
        Action::Commented(root, _) => {
            found.comment(*root).is_some_and(|(root, _)| root.is_visible_to(user))
        }
        _ => true,
    }
}

pub(super) fn blocker_comments(call: &Call<'_>, key: &str, slug: &str, id: &str) -> Outcome {
    let (_, found) = call.pull_request(key, slug, id)?;
    let tasks = found.tasks();
    let (resolved, open): (Vec<&Comment>, Vec<&Comment>) =
        tasks.iter().partition(|task| task.resolved.is_some());
    if call.query.flag("count", false) {
        return Ok(Answer::Json(json!({ "OPEN": open.len(), "RESOLVED": resolved.len() })));
    }
    let window = Window::read(&call.query, MAXIMUM)?;
    let states = some_of(call, ["state", "states"], &["OPEN", "RESOLVED"])?;
    let shown: Vec<&Comment> = tasks
        .into_iter()
        .filter(|task| states.is_empty() || states.contains(&task.state_name()))
        .collect();
    let shapes = call.shapes();
    Ok(Answer::Json(window.page(&shown, |task| shapes.comment(task, found, true))))
}

/// The state asked for; `None` is every state.
fn state(
    call: &Call<'_>,
    default: Option<PullRequestState>,
) -> Result<Option<PullRequestState>, Failure> {
    let Some(text) = call.query.get("state") else {
        return Ok(default);
    };
    PullRequestState::wanted(text).ok_or_else(|| {
        Failure::bad_parameter(
            "state",
            &format!(
                "'{text}' is not a valid state. Valid values are: OPEN, MERGED, DECLINED, ALL."
            ),
        )
    })
}

/// One numbered `username.N` with its role and verdict.
struct Wanted {
    user: String,
    role: Option<&'static str>,
    approved: Option<bool>,
}

impl Wanted {
    fn takes_part(&self, item: &PullRequest) -> bool {
        item.role_of(&self.user).is_some_and(|(role, verdict)| {
            self.role.is_none_or(|wanted| wanted == role)
                && self.approved.is_none_or(|wanted| wanted == (verdict == Verdict::Approved))
        })
    }
}

/// Numbers begin at 1 and have no gaps: what follows a gap is not read.
fn people(call: &Call<'_>) -> Result<Vec<Wanted>, Failure> {
    let mut wanted = Vec::new();
    for number in 1..=MAXIMUM_PARTICIPANTS {
        let Some(user) = call.query.get(&format!("username.{number}")) else {
            break;
        };
        wanted.push(Wanted {
            user: user.to_owned(),
            role: one_of(call, &format!("role.{number}"), &ROLES)?,
            approved: call.query.get(&format!("approved.{number}")).map(|text| same(text, "true")),
        });
    }
    Ok(wanted)
}

fn verdicts(text: &str) -> Result<Vec<&'static str>, Failure> {
    text.split(',')
        .map(|word| {
            [Verdict::Unapproved, Verdict::NeedsWork, Verdict::Approved]
                .into_iter()
                .map(Verdict::name)
                .find(|name| same(name, word.trim()))
                .ok_or_else(|| {
                    Failure::bad_parameter(
                        "participantStatus",
                        &format!("'{word}' is not a valid participant status."),
                    )
                })
        })
        .collect()
}
