//! Refusals of what is not there, or is there for others only.

use super::Failure;

impl Failure {
    pub(crate) fn no_project(key: &str) -> Failure {
        Failure::with(
            404,
            None,
            &format!("Project {key} does not exist."),
            Some("project.NoSuchProjectException"),
        )
    }

    pub(crate) fn no_repository(key: &str, slug: &str) -> Failure {
        Failure::with(
            404,
            None,
            &format!("Repository {key}/{slug} does not exist."),
            Some("repository.NoSuchRepositoryException"),
        )
    }

    pub(crate) fn no_pull_request(id: &str, key: &str, slug: &str) -> Failure {
        Failure::with(
            404,
            None,
            &format!("Pull request {id} does not exist in {key}/{slug}."),
            Some("pull.NoSuchPullRequestException"),
        )
    }

    pub(crate) fn no_commit(id: &str, repository: &str) -> Failure {
        Failure::with(
            404,
            None,
            &format!("Commit '{id}' does not exist in repository '{repository}'."),
            Some("commit.NoSuchCommitException"),
        )
    }

    pub(crate) fn no_user(slug: &str) -> Failure {
        Failure::with(
            404,
            None,
            &format!("User {slug} does not exist."),
            Some("user.NoSuchUserException"),
        )
    }

    pub(crate) fn no_path(path: &str, revision: &str) -> Failure {
        Failure::with(
            404,
            None,
            &format!("The path \"{path}\" does not exist at revision \"{revision}\""),
            Some("content.NoSuchPathException"),
        )
    }

    /// No body of this case is recorded; the class follows the product's
    /// pattern and clients match on its last part only.
    pub(crate) fn no_auto_merge(id: u64) -> Failure {
        Failure::with(
            404,
            None,
            &format!("Auto-merge has not been requested for pull request {id}."),
            Some("NoSuchEntityException"),
        )
    }

    pub(crate) fn no_comment(id: u64, repository: u64) -> Failure {
        Failure::with(
            404,
            None,
            &format!("No comment exists with ID {id} for this repository {repository}."),
            Some("comment.NoSuchCommentException"),
        )
    }

    pub(crate) fn no_branch(branch: &str, repository: &str) -> Failure {
        Failure::with(
            404,
            None,
            &format!("Branch \"{branch}\" does not exist in repository \"{repository}\"."),
            Some("repository.NoSuchBranchException"),
        )
    }

    pub(crate) fn no_default_branch(repository: &str) -> Failure {
        Failure::with(
            404,
            None,
            &format!("Repository \"{repository}\" has no default branch."),
            Some("repository.NoDefaultBranchException"),
        )
    }

    pub(crate) fn no_tag(tag: &str, repository: &str) -> Failure {
        Failure::with(
            404,
            None,
            &format!("Tag \"{tag}\" does not exist in repository \"{repository}\"."),
            Some("repository.NoSuchTagException"),
        )
    }

    pub(crate) fn no_build(key: &str) -> Failure {
        Failure::with(
            404,
            None,
            &format!("No build with key {key} exists for this commit."),
            Some("build.status.NoSuchBuildStatusException"),
        )
    }

    pub(crate) fn no_review(id: u64) -> Failure {
        Failure::with(
            404,
            None,
            &format!("No review has been started for pull request {id}."),
            Some("NoSuchEntityException"),
        )
    }

    pub(crate) fn no_entity(what: &str) -> Failure {
        Failure::with(404, None, &format!("{what} does not exist."), Some("NoSuchEntityException"))
    }

    /// Known and not allowed: 401 where others would say 403.
    pub(crate) fn forbidden() -> Failure {
        Failure::with(
            401,
            None,
            "You are not permitted to access this resource",
            Some("AuthorisationException"),
        )
    }
}
