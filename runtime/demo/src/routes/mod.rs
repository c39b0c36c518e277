//! Which endpoint answers which path.

mod builds;
mod compare;
mod content;
mod discussion;
mod files;
mod people;
mod places;
mod pull_requests;
mod refs;
mod settings;
mod sides;
mod suggestions;
pub(crate) mod writes;

use crate::answer::{Answer, Outcome};
use crate::errors::Failure;
use crate::json::Shapes;
use crate::query::Query;
use crate::state::{PullRequest, Repository, Store};
use crate::version::Version;

/// One request, as endpoints see it.
#[derive(Debug)]
pub(crate) struct Call<'a> {
    pub(crate) store: &'a Store,
    pub(crate) base: &'a str,
    pub(crate) context_path: &'a str,
    /// Still percent-encoded.
    pub(crate) path: &'a str,
    pub(crate) raw_query: &'a str,
    pub(crate) query: Query,
    pub(crate) accept: &'a str,
    pub(crate) version: Version,
    /// The name of the caller; none is anonymous.
    pub(crate) user: Option<&'a str>,
}

impl<'a> Call<'a> {
    fn shapes(&self) -> Shapes<'a> {
        let avatars = self.query.get("avatarSize").and_then(|size| size.parse().ok());
        Shapes { store: self.store, base: self.base, user: self.user, avatars }
    }

    /// The repository at a place, or at the new place of one that moved away
    /// silently.
    fn repository(&self, key: &str, slug: &str) -> Result<&'a Repository, Failure> {
        find_repository(self.store, self.user, key, slug)
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

fn find_repository<'s>(
    store: &'s Store,
    user: Option<&str>,
    key: &str,
    slug: &str,
) -> Result<&'s Repository, Failure> {
    store
        .repository_at(key, slug)
        .or_else(|| {
            store.moved_from(key, slug).and_then(|moved| store.repository(moved.repository))
        })
        .filter(|repository| store.sees(user, repository))
        .ok_or_else(|| match store.project(key) {
            // What is invisible is missing.
            Some(project) => Failure::no_repository(&project.key, slug),
            None => Failure::no_project(key),
        })
}

fn commit_id(text: &str) -> Result<String, Failure> {
    if text.len() == 40 && text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        Ok(text.to_ascii_lowercase())
    } else {
        Err(Failure::bad_parameter("commitId", &format!("'{text}' is not a valid commit ID.")))
    }
}

pub(crate) fn answer(call: &Call<'_>, segments: &[String]) -> Outcome {
    let parts: Vec<&str> = segments.iter().map(String::as_str).collect();
    match parts.as_slice() {
        ["users", slug, "avatar.png"] => people::avatar(call, slug),
        ["rest", "api", "latest" | "1.0", "application-properties"] => Ok(places::properties(call)),
        ["rest", ..] if call.user.is_none() => Err(Failure::unauthenticated()),
        ["rest", ..] if moved(call, segments).is_some() => {
            moved(call, segments).map(Answer::Moved).ok_or_else(Failure::no_route)
        }
        ["rest", "capabilities"] => places::capabilities(call),
        ["rest", "api", "latest" | "1.0", rest @ ..] => api(call, rest),
        ["rest", "default-reviewers", "latest" | "1.0", "projects", key, "conditions"] => {
            settings::project_conditions(call, key)
        }
        ["rest", module, "latest" | "1.0", "projects", key, "repos", slug, rest @ ..] => {
            plugin(call, module, key, slug, rest)
        }
        ["rest", "build-status", "latest" | "1.0", "commits", "stats", id] => {
            builds::counts(call, id)
        }
        ["rest", "build-status", "latest" | "1.0", "commits", id] => builds::of_commit(call, id),
        _ => Err(Failure::no_route()),
    }
}

/// What bundled plugins serve beside the API proper.
fn plugin(call: &Call<'_>, module: &str, key: &str, slug: &str, rest: &[&str]) -> Outcome {
    match (module, rest) {
        ("ui", ["pull-requests", id, "builds"]) => builds::of_pull_request(call, key, slug, id),
        ("ui", ["pull-requests", id, "build-summaries"]) => builds::summaries(call, key, slug, id),
        ("ui", ["builds"]) => builds::of_ref(call, key, slug),
        ("ui", ["code-owners"]) => settings::code_owners(call, key, slug),
        ("required-builds", ["conditions"]) => builds::conditions(call, key, slug),
        ("branch-utils", ["branches", "info", id]) => refs::holding(call, key, slug, id),
        ("branch-utils", ["branchmodel"]) => settings::model(call, key, slug),
        ("default-reviewers", ["conditions"]) => settings::conditions(call, key, slug),
        ("default-reviewers", ["reviewers"]) => settings::reviewers(call, key, slug),
        _ => Err(Failure::no_route()),
    }
}

fn api(call: &Call<'_>, rest: &[&str]) -> Outcome {
    match rest {
        ["build", "capabilities"] => places::build_capabilities(),
        ["users"] => people::users(call),
        ["users", slug] => people::user(call, slug),
        ["repos"] => places::repositories(call, None),
        ["projects"] => places::projects(call),
        ["projects", key] => places::project(call, key),
        ["projects", key, "avatar.png"] => people::project_avatar(call, key),
        ["projects", key, "repos"] => places::repositories(call, Some(key)),
        ["projects", key, "repos", slug, rest @ ..] => repository(call, key, slug, rest),
        ["profile", "recent", "repos"] => places::recent(call),
        ["dashboard", "pull-requests"] => pull_requests::dashboard(call),
        ["dashboard", "pull-request-suggestions"] => suggestions::suggestions(call),
        ["inbox", "pull-requests"] => discussion::inbox(call),
        ["inbox", "pull-requests", "count"] => discussion::inbox_count(call),
        _ => Err(Failure::no_route()),
    }
}

fn repository(call: &Call<'_>, key: &str, slug: &str, rest: &[&str]) -> Outcome {
    match rest {
        [] => places::repository(call, key, slug),
        ["branches"] => refs::branches(call, key, slug),
        ["branches", "default"] => settings::default_branch(call, key, slug, true),
        ["default-branch"] => settings::default_branch(call, key, slug, false),
        ["tags"] => refs::tags(call, key, slug),
        ["tags", name @ ..] => refs::tag(call, key, slug, name),
        ["commits"] => refs::commits(call, key, slug),
        ["commits", id] => refs::commit(call, key, slug, id),
        ["commits", id, rest @ ..] => compare::of_commit(call, key, slug, id, rest),
        ["compare", what @ ("changes" | "commits"), path @ ..] if path.is_empty() => {
            compare::compare(call, key, slug, what, path)
        }
        ["compare", what @ ("diff" | "diff-stats-summary"), path @ ..] => {
            compare::compare(call, key, slug, what, path)
        }
        ["changes"] => compare::changes(call, key, slug),
        ["diff", path @ ..] => compare::text(call, key, slug, path),
        ["patch"] => compare::patch(call, key, slug),
        ["forks"] => places::forks(call, key, slug),
        ["browse", path @ ..] => files::browse(call, key, slug, path),
        ["raw", path @ ..] => files::raw(call, key, slug, path),
        ["files", path @ ..] => files::index(call, key, slug, path),
        ["last-modified", path @ ..] => files::last_modified(call, key, slug, path),
        ["participants"] => discussion::of_repository(call, key, slug),
        ["labels"] => settings::labels(call, key, slug),
        ["settings", "pull-requests"] => settings::pull_requests(call, key, slug),
        ["settings", "auto-merge"] => settings::auto_merge(call, key, slug),
        ["pull-requests"] => pull_requests::list(call, key, slug),
        ["pull-requests", id] => match (id.strip_suffix(".diff"), id.strip_suffix(".patch")) {
            (Some(id), _) => content::raw_diff(call, key, slug, id),
            (_, Some(id)) => content::patch(call, key, slug, id),
            _ => pull_requests::one(call, key, slug, id),
        },
        ["pull-requests", id, rest @ ..] => pull_request(call, key, slug, id, rest),
        _ => Err(Failure::no_route()),
    }
}

fn pull_request(call: &Call<'_>, key: &str, slug: &str, id: &str, rest: &[&str]) -> Outcome {
    match rest {
        ["merge"] => pull_requests::merge(call, key, slug, id),
        ["auto-merge"] => pull_requests::auto_merge(call, key, slug, id),
        ["activities"] => pull_requests::activities(call, key, slug, id),
        ["comments"] => discussion::comments(call, key, slug, id),
        ["blocker-comments"] => pull_requests::blocker_comments(call, key, slug, id),
        ["comments" | "blocker-comments", comment] => {
            discussion::comment(call, key, slug, id, comment)
        }
        ["participants"] => discussion::participants(call, key, slug, id),
        ["review"] => discussion::review(call, key, slug, id),
        ["commit-message-suggestion"] => discussion::message(call, key, slug, id),
        ["merge-base"] => content::merge_base(call, key, slug, id),
        ["changes"] => content::changes(call, key, slug, id),
        ["commits"] => content::commits(call, key, slug, id),
        ["diff", path @ ..] => content::diff(call, key, slug, id, path),
        ["diff-stats-summary", path @ ..] => content::summary(call, key, slug, id, path),
        _ => Err(Failure::no_route()),
    }
}

/// Where a request for a repository that moved and says so must go.
pub(crate) fn moved(call: &Call<'_>, segments: &[String]) -> Option<String> {
    let [_, _, _, projects, key, repos, slug, ..] = segments else {
        return None;
    };
    if projects != "projects" || repos != "repos" {
        return None;
    }
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
    call.query.get(name).map(|given| known(name, given, allowed)).transpose()
}

/// The names a parameter and its plural list, which may both be repeated.
fn some_of<'n>(
    call: &Call<'_>,
    names: [&str; 2],
    allowed: &[&'n str],
) -> Result<Vec<&'n str>, Failure> {
    names
        .iter()
        .flat_map(|name| call.query.all(name).into_iter().map(move |given| (*name, given)))
        .map(|(name, given)| known(name, given, allowed))
        .collect()
}

fn known<'n>(name: &str, given: &str, allowed: &[&'n str]) -> Result<&'n str, Failure> {
    allowed
        .iter()
        .find(|candidate| candidate.eq_ignore_ascii_case(given.trim()))
        .copied()
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
