//! Users, projects and repositories.

use serde_json::{Value, json};

use super::{Shapes, put};
use crate::state::{Matcher, Project, Repository, User};

impl Shapes<'_> {
    /// A user by name; one who has no account any more is a bare name.
    pub(crate) fn user_named(&self, name: &str) -> Value {
        self.store.user(name).map_or_else(
            || json!({ "name": name, "displayName": name, "active": false, "type": "NORMAL" }),
            |user| self.user(user),
        )
    }

    pub(crate) fn user(&self, user: &User) -> Value {
        let mut object = json!({ "name": user.name });
        put(&mut object, "emailAddress", user.email.as_ref().map(|email| json!(email)));
        for (name, value) in [
            ("active", json!(user.active)),
            ("displayName", json!(user.display_name)),
            ("id", json!(user.id)),
            ("slug", json!(user.slug)),
            ("type", json!(if user.service { "SERVICE" } else { "NORMAL" })),
        ] {
            put(&mut object, name, Some(value));
        }
        let links = user
            .linked
            .then(|| json!({ "self": [{ "href": format!("{}/users/{}", self.base, user.slug) }] }));
        put(&mut object, "links", links);
        let picture = self
            .avatars
            .map(|size| json!(format!("{}/users/{}/avatar.png?s={size}", self.base, user.slug)));
        put(&mut object, "avatarUrl", picture);
        object
    }

    pub(crate) fn project(&self, project: &Project) -> Value {
        let mut object = json!({ "key": project.key, "id": project.id, "name": project.name });
        put(&mut object, "description", project.description.as_ref().map(|text| json!(text)));
        put(&mut object, "public", Some(json!(false)));
        let (kind, place) = match &project.owner {
            None => ("NORMAL", format!("projects/{}", project.key)),
            Some(_) => (
                "PERSONAL",
                format!("users/{}", project.key.trim_start_matches('~').to_lowercase()),
            ),
        };
        put(&mut object, "type", Some(json!(kind)));
        let owner = project.owner.as_ref().map(|name| self.user_named(name));
        put(&mut object, "owner", owner);
        let href = format!("{}/{place}", self.base);
        put(&mut object, "links", Some(json!({ "self": [{ "href": href }] })));
        object
    }

    pub(crate) fn repository(&self, repository: &Repository) -> Value {
        let mut object = json!({
            "slug": repository.slug,
            "id": repository.id,
            "name": repository.name,
        });
        put(&mut object, "description", repository.description.as_ref().map(|text| json!(text)));
        for (name, value) in [
            (
                "hierarchyId",
                json!(format!(
                    "{:020x}",
                    0x2cec_9021_4810 + repository.origin.unwrap_or(repository.id)
                )),
            ),
            ("scmId", json!("git")),
            ("state", json!("AVAILABLE")),
            ("statusMessage", json!("Available")),
            ("forkable", json!(true)),
        ] {
            put(&mut object, name, Some(value));
        }
        let origin = repository
            .origin
            .and_then(|id| self.store.repository(id))
            .map(|origin| self.repository(origin));
        put(&mut object, "origin", origin);
        let project = self.store.project(&repository.project).map(|project| self.project(project));
        put(&mut object, "project", project);
        put(&mut object, "public", Some(json!(false)));
        put(&mut object, "archived", Some(json!(repository.archived)));
        let (key, slug) = (&repository.project, &repository.slug);
        let low = key.to_lowercase();
        let ssh = format!("ssh://git@127.0.0.1:7999/{low}/{slug}.git");
        put(
            &mut object,
            "links",
            Some(json!({
                "clone": [
                    { "href": format!("{}/scm/{low}/{slug}.git", self.base), "name": "http" },
                    { "href": ssh, "name": "ssh" },
                ],
                "self": [{ "href": format!("{}/browse", self.repository_page(repository)) }],
            })),
        );
        object
    }

    /// The web address of a repository, without the page inside it.
    pub(super) fn repository_page(&self, repository: &Repository) -> String {
        let slug = &repository.slug;
        match repository.project.strip_prefix('~') {
            Some(owner) => format!("{}/users/{}/repos/{slug}", self.base, owner.to_lowercase()),
            None => format!("{}/projects/{}/repos/{slug}", self.base, repository.project),
        }
    }

    pub(crate) fn condition(&self, condition: &crate::state::Condition, with_queue: bool) -> Value {
        let matcher = |matcher: &Matcher| {
            json!({
                "id": matcher.id,
                "displayId": matcher.display_id,
                "type": { "id": matcher.kind, "name": matcher.kind },
            })
        };
        let mut object = json!({
            "id": condition.id,
            "buildParentKeys": condition.parents,
            "refMatcher": matcher(&condition.matcher),
        });
        put(&mut object, "exemptRefMatcher", condition.exempt.as_ref().map(matcher));
        // Older releases keep the condition and do not know the marks.
        if with_queue {
            put(&mut object, "requiredForPullRequest", Some(json!(condition.for_pull_request)));
            put(&mut object, "requiredForMergeQueue", Some(json!(false)));
        }
        object
    }
}
