//! What the product answers when it refuses, in its own words and classes.

use serde_json::{Value, json};

/// A refusal: one status and one body.
#[derive(Debug, Clone)]
pub(crate) struct Failure {
    pub(crate) status: u16,
    pub(crate) body: Value,
}

impl Failure {
    fn with(status: u16, context: Option<&str>, message: &str, exception: Option<&str>) -> Failure {
        let exception = exception.map(|class| format!("com.atlassian.bitbucket.{class}"));
        Failure {
            status,
            body: json!({ "errors": [{
                "context": context,
                "message": message,
                "exceptionName": exception,
            }] }),
        }
    }

    pub(crate) fn unauthenticated() -> Failure {
        Failure::with(
            401,
            None,
            "Authentication is required to access this resource.",
            Some("auth.AuthenticationRequiredException"),
        )
    }

    pub(crate) fn wrong_token() -> Failure {
        Failure::with(
            401,
            None,
            "Authentication failed. Please check your credentials and try again.",
            Some("auth.IncorrectPasswordAuthenticationException"),
        )
    }

    /// The route does not exist: no `errors`, unlike a missing entity.
    pub(crate) fn no_route() -> Failure {
        Failure {
            status: 404,
            body: json!({ "message": "HTTP 404 Not Found", "status-code": 404, "sub-code": -1 }),
        }
    }

    pub(crate) fn method_not_allowed() -> Failure {
        Failure {
            status: 405,
            body: json!({
                "message": "HTTP 405 Method Not Allowed",
                "status-code": 405,
                "sub-code": -1,
            }),
        }
    }

    pub(crate) fn bad_parameter(name: &str, message: &str) -> Failure {
        Failure::with(400, Some(name), message, None)
    }

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

    pub(crate) fn not_open(id: u64, state: &str) -> Failure {
        Failure::with(
            409,
            None,
            &format!("Pull request {id} is {}.", state.to_lowercase()),
            Some("pull.IllegalPullRequestStateException"),
        )
    }
}
