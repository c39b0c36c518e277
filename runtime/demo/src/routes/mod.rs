//! Which endpoint answers which path.

mod builds;
mod content;
mod places;
mod pull_requests;
mod refs;

use crate::answer::{Answer, Outcome};
use crate::errors::Failure;
use crate::json::Shapes;
use crate::query::Query;
use crate::state::{PullRequest, Repository, Store};

/// One request, as endpoints see it.
#[derive(Debug)]
pub(crate) struct Call<'a> {
    pub(crate) store: &'a Store,
    pub(crate) base: &'a str,
    pub(crate) context_path: &'a str,
    pub(crate) method: &'a str,
    /// Still percent-encoded.
    pub(crate) path: &'a str,
    pub(crate) raw_query: &'a str,
    pub(crate) query: Query,
    pub(crate) accept: &'a str,
    /// The name of the caller; none is anonymous.
    pub(crate) user: Option<&'static str>,
}

impl<'a> Call<'a> {
    fn shapes(&self) -> Shapes<'a> {
        Shapes { store: self.store, base: self.base }
    }

    /// The repository at a place, or at the new place of one that moved away
    /// silently.
    fn repository(&self, key: &str, slug: &str) -> Result<&'a Repository, Failure> {
        if let Some(repository) = self.store.repository_at(key, slug) {
            return Ok(repository);
        }
        self.store
            .moved_from(key, slug)
            .and_then(|moved| self.store.repository(moved.repository))
            .ok_or_else(|| match self.store.project(key) {
                Some(project) => Failure::no_repository(&project.key, slug),
                None => Failure::no_project(key),
            })
    }

    fn pull_request(
        &self,
        key: &str,
        slug: &str,
        id: &str,
    ) -> Result<(&'a Repository, &'a PullRequest), Failure> {
        let repository = self.repository(key, slug)?;
        // What is not a number matches no route of the product.
        let number: u64 = id.parse().map_err(|_| Failure::no_route())?;
        self.store
            .pull_requests
            .iter()
            .find(|found| found.repository == repository.id && found.id == number)
            .map(|found| (repository, found))
            .ok_or_else(|| Failure::no_pull_request(id, &repository.project, &repository.slug))
    }
}

pub(crate) fn answer(call: &Call<'_>, segments: &[String]) -> Outcome {
    let parts: Vec<&str> = segments.iter().map(String::as_str).collect();
    match parts.as_slice() {
        ["users", slug, "avatar.png"] => places::avatar(call, slug),
        ["rest", "api", "latest" | "1.0", "application-properties"] => Ok(places::properties()),
        ["rest", ..] if call.user.is_none() => Err(Failure::unauthenticated()),
        ["rest", _, _, "projects", key, "repos", slug, ..] if moved(call, key, slug).is_some() => {
            moved(call, key, slug).map(Answer::Moved).ok_or_else(Failure::no_route)
        }
        ["rest", ..] if call.method != "GET" && call.method != "HEAD" => {
            Err(Failure::method_not_allowed())
        }
        ["rest", module, "latest" | "1.0", rest @ ..] => match *module {
            "api" => api(call, rest),
            "build-status" => match rest {
                ["commits", "stats", id] => builds::counts(call, id),
                ["commits", id] => builds::of_commit(call, id),
                _ => Err(Failure::no_route()),
            },
            "ui" => match rest {
                ["projects", key, "repos", slug, "pull-requests", id, "builds"] => {
                    builds::of_pull_request(call, key, slug, id)
                }
                _ => Err(Failure::no_route()),
            },
            "required-builds" => match rest {
                ["projects", key, "repos", slug, "conditions"] => {
                    builds::conditions(call, key, slug)
                }
                _ => Err(Failure::no_route()),
            },
            _ => Err(Failure::no_route()),
        },
        _ => Err(Failure::no_route()),
    }
}

fn api(call: &Call<'_>, rest: &[&str]) -> Outcome {
    match rest {
        ["users"] => places::users(call),
        ["users", slug] => places::user(call, slug),
        ["repos"] => places::repositories(call, None),
        ["projects"] => places::projects(call),
        ["projects", key] => places::project(call, key),
        ["projects", key, "repos"] => places::repositories(call, Some(key)),
        ["projects", key, "repos", slug, rest @ ..] => repository(call, key, slug, rest),
        ["dashboard", "pull-requests"] => pull_requests::dashboard(call),
        _ => Err(Failure::no_route()),
    }
}

fn repository(call: &Call<'_>, key: &str, slug: &str, rest: &[&str]) -> Outcome {
    match rest {
        [] => places::repository(call, key, slug),
        ["branches"] => refs::branches(call, key, slug),
        ["tags"] => refs::tags(call, key, slug),
        ["commits"] => refs::commits(call, key, slug),
        ["commits", id] => refs::commit(call, key, slug, id),
        ["pull-requests"] => pull_requests::list(call, key, slug),
        ["pull-requests", id] => match id.strip_suffix(".diff") {
            Some(id) => content::raw_diff(call, key, slug, id),
            None => pull_requests::one(call, key, slug, id),
        },
        ["pull-requests", id, "merge"] => pull_requests::merge(call, key, slug, id),
        ["pull-requests", id, "auto-merge"] => pull_requests::auto_merge(call, key, slug, id),
        ["pull-requests", id, "activities"] => pull_requests::activities(call, key, slug, id),
        ["pull-requests", id, "blocker-comments"] => {
            pull_requests::blocker_comments(call, key, slug, id)
        }
        ["pull-requests", id, "changes"] => content::changes(call, key, slug, id),
        ["pull-requests", id, "commits"] => content::commits(call, key, slug, id),
        ["pull-requests", id, "diff", path @ ..] => content::diff(call, key, slug, id, path),
        _ => Err(Failure::no_route()),
    }
}

/// Where a request for a repository that moved and says so must go.
fn moved(call: &Call<'_>, key: &str, slug: &str) -> Option<String> {
    if call.store.repository_at(key, slug).is_some() {
        return None;
    }
    let moved = call.store.moved_from(key, slug).filter(|moved| moved.redirects)?;
    let now = call.store.repository(moved.repository)?;
    let raw: Vec<&str> = call.path.trim_start_matches('/').split('/').collect();
    let [rest, module, version, projects, _, repos, _, tail @ ..] = raw.as_slice() else {
        return None;
    };
    let mut place = format!(
        "{}/{rest}/{module}/{version}/{projects}/{}/{repos}/{}",
        call.context_path, now.project, now.slug
    );
    for segment in tail {
        place.push('/');
        place.push_str(segment);
    }
    if !call.raw_query.is_empty() {
        place.push('?');
        place.push_str(call.raw_query);
    }
    Some(place)
}

/// One of the names a parameter allows, without regard to case.
fn one_of<'n>(
    call: &Call<'_>,
    name: &str,
    allowed: &[&'n str],
) -> Result<Option<&'n str>, Failure> {
    let Some(given) = call.query.get(name) else {
        return Ok(None);
    };
    allowed
        .iter()
        .find(|candidate| candidate.eq_ignore_ascii_case(given.trim()))
        .map(|found| Some(*found))
        .ok_or_else(|| {
            Failure::bad_parameter(
                name,
                &format!(
                    "'{given}' is not a valid {name}. Valid values are: {}.",
                    allowed.join(", ")
                ),
            )
        })
}
