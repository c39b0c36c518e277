//! Everything that changes the demo: which write answers which path.

mod anchors;
mod builds;
mod comments;
mod create;
mod manners;
mod merging;
mod refs;
mod reviews;
mod suggestions;
mod update;

use serde_json::Value;

use crate::answer::{Answer, Outcome};
use crate::errors::Failure;
use crate::json::Shapes;
use crate::query::Query;
use crate::state::{Permission, PullRequest, Repository, Store};
use crate::version::Version;

pub(crate) use manners::body;

/// One write, as endpoints see it.
#[derive(Debug)]
pub(crate) struct Write<'a> {
    pub(crate) store: &'a mut Store,
    pub(crate) base: &'a str,
    pub(crate) method: &'a str,
    pub(crate) query: Query,
    pub(crate) body: Value,
    pub(crate) version: Version,
    /// The name of the caller.
    pub(crate) user: String,
}

/// Where a pull request is: repository and number.
type Place = (u64, u64);

impl Write<'_> {
    fn shapes(&self) -> Shapes<'_> {
        let avatars = self.query.get("avatarSize").and_then(|size| size.parse().ok());
        Shapes { store: self.store, base: self.base, user: Some(&self.user), avatars }
    }

    fn repository(&self, key: &str, slug: &str) -> Result<&Repository, Failure> {
        super::find_repository(self.store, Some(&self.user), key, slug)
    }

    /// A repository that the caller may change, or at least discuss.
    fn open_to(&self, key: &str, slug: &str, needed: Permission) -> Result<u64, Failure> {
        let found = self.repository(key, slug)?;
        if found.archived {
            return Err(Failure::archived(&found.project, &found.slug));
        }
        if self.store.permission(&self.user, found) < needed {
            return Err(Failure::forbidden());
        }
        Ok(found.id)
    }

    fn place(&self, key: &str, slug: &str, id: &str) -> Result<Place, Failure> {
        let repository = self.open_to(key, slug, Permission::Read)?;
        let number: u64 = id.parse().map_err(|_| Failure::no_route())?;
        if self.store.pull_request(repository, number).is_none() {
            return Err(Failure::no_pull_request(id, key, slug));
        }
        Ok((repository, number))
    }

    fn found(&self, place: Place) -> Result<&PullRequest, Failure> {
        self.store.pull_request(place.0, place.1).ok_or_else(Failure::no_route)
    }

    fn found_mut(&mut self, place: Place) -> Result<&mut PullRequest, Failure> {
        self.store.pull_request_mut(place.0, place.1).ok_or_else(Failure::no_route)
    }

    fn may(&self, place: Place, needed: Permission) -> bool {
        self.store
            .repository(place.0)
            .is_some_and(|repository| self.store.permission(&self.user, repository) >= needed)
    }

    /// Refuses all but the author of a pull request and those with a permission.
    fn author_or(&self, place: Place, needed: Permission) -> Result<(), Failure> {
        if self.found(place)?.author == self.user || self.may(place, needed) {
            Ok(())
        } else {
            Err(Failure::forbidden())
        }
    }

    fn text(&self, name: &str) -> Option<&str> {
        self.body.get(name).and_then(Value::as_str)
    }

    fn flag(&self, name: &str) -> Option<bool> {
        self.body.get(name).and_then(Value::as_bool)
    }

    /// The version sent, in the query or in the body; −1 stands for none.
    fn version(&self) -> Result<i64, Failure> {
        if let Some(text) = self.query.get("version") {
            return text
                .parse()
                .map_err(|_| Failure::bad_parameter("version", "The version must be a number."));
        }
        Ok(self.body.get("version").and_then(Value::as_i64).unwrap_or(-1))
    }

    /// Refuses a write that was made for another version than the present one.
    fn up_to_date(&self, place: Place) -> Result<(), Failure> {
        let found = self.found(place)?;
        let expected = self.version()?;
        if u64::try_from(expected) == Ok(found.version) {
            return Ok(());
        }
        Err(Failure::pull_request_out_of_date(expected, found.version, self.drawn(place)?))
    }

    fn must_be_open(&self, place: Place) -> Result<(), Failure> {
        let found = self.found(place)?;
        if found.is_open() { Ok(()) } else { Err(Failure::not_open(found.id, found.state.name())) }
    }

    /// The pull request as answers of writes show it: without properties.
    fn drawn(&self, place: Place) -> Result<Value, Failure> {
        Ok(self.shapes().pull_request(self.found(place)?, false))
    }

    fn answer(&self, place: Place) -> Outcome {
        Ok(Answer::Json(self.drawn(place)?))
    }
}

pub(crate) fn answer(call: &mut Write<'_>, segments: &[String]) -> Outcome {
    let parts: Vec<&str> = segments.iter().map(String::as_str).collect();
    let outcome = match parts.as_slice() {
        ["rest", module, "latest" | "1.0", rest @ ..] => match (*module, rest) {
            ("api", ["projects", key, "repos", slug, rest @ ..]) => {
                repository(call, key, slug, rest)
            }
            ("build-status", ["commits", "stats"]) => builds::counts(call),
            ("build-status", ["commits", id]) => builds::post_legacy(call, id),
            ("branch-utils", ["projects", key, "repos", slug, "branches"]) => match call.method {
                "POST" => refs::create_branch(call, key, slug).map(Answer::Created),
                "DELETE" => refs::delete_branch(call, key, slug),
                _ => Err(Failure::method_not_allowed()),
            },
            ("git", ["projects", key, "repos", slug, "tags"]) if call.method == "POST" => {
                refs::create_tag(call, key, slug).map(Answer::Created)
            }
            ("git", ["projects", key, "repos", slug, "tags", name @ ..]) => {
                refs::delete_tag(call, key, slug, &name.join("/"))
            }
            ("required-builds", ["projects", key, "repos", slug, "condition", id @ ..]) => {
                builds::condition(call, key, slug, id)
            }
            _ => Err(Failure::no_route()),
        },
        _ => Err(Failure::no_route()),
    };
    call.store.stirred |= outcome.is_ok();
    outcome
}

fn repository(call: &mut Write<'_>, key: &str, slug: &str, rest: &[&str]) -> Outcome {
    match (call.method, rest) {
        ("POST", ["branches"]) => refs::create_branch(call, key, slug).map(Answer::Json),
        ("POST", ["tags"]) => refs::create_tag(call, key, slug).map(Answer::Json),
        ("POST", ["labels"]) => refs::add_label(call, key, slug),
        ("DELETE", ["labels", name]) => refs::remove_label(call, key, slug, name),
        ("POST", ["commits", id, "builds"]) => builds::post(call, key, slug, id),
        ("DELETE", ["commits", id, "builds"]) => builds::delete(call, key, slug, id),
        ("POST", ["pull-requests"]) => create::create(call, key, slug),
        (_, ["pull-requests", id, rest @ ..]) => {
            let place = call.place(key, slug, id)?;
            pull_request(call, place, rest)
        }
        (_, ["branches" | "tags" | "labels" | "pull-requests"] | ["commits", _, "builds"]) => {
            Err(Failure::method_not_allowed())
        }
        _ => Err(Failure::no_route()),
    }
}

fn pull_request(call: &mut Write<'_>, place: Place, rest: &[&str]) -> Outcome {
    match (call.method, rest) {
        ("PUT", []) => update::update(call, place),
        ("DELETE", []) => update::delete(call, place),
        ("POST", ["merge"]) => merging::merge(call, place),
        ("POST", ["decline"]) => merging::decline(call, place),
        ("POST", ["reopen"]) => merging::reopen(call, place),
        ("POST", ["auto-merge"]) => merging::retry(call, place),
        ("DELETE", ["auto-merge"]) => merging::disarm(call, place),
        ("POST", ["approve"]) => reviews::approve(call, place, "APPROVED"),
        ("DELETE", ["approve"]) => reviews::approve(call, place, "UNAPPROVED"),
        ("POST", ["participants"]) => reviews::add(call, place),
        ("DELETE", ["participants"]) => reviews::demote_named(call, place),
        ("PUT", ["participants", slug]) => reviews::set(call, place, slug),
        ("DELETE", ["participants", slug]) => reviews::demote(call, place, slug),
        ("POST" | "DELETE", ["watch"]) => reviews::watch(call, place),
        ("PUT", ["review"]) => reviews::publish(call, place),
        ("DELETE", ["review"]) => reviews::discard(call, place),
        ("POST", ["comments"]) => comments::create(call, place, false),
        ("POST", ["blocker-comments"]) => comments::create(call, place, true),
        ("POST", ["comments", id, "apply-suggestion"]) => suggestions::apply(call, place, id),
        ("PUT", ["comments" | "blocker-comments", id]) => comments::update(call, place, id),
        ("DELETE", ["comments" | "blocker-comments", id]) => comments::delete(call, place, id),
        (
            _,
            []
            | [
                "merge" | "decline" | "reopen" | "auto-merge" | "approve" | "participants"
                | "watch" | "review" | "comments" | "blocker-comments" | "activities" | "commits"
                | "changes",
            ]
            | ["participants" | "comments" | "blocker-comments", _],
        ) => Err(Failure::method_not_allowed()),
        _ => Err(Failure::no_route()),
    }
}
