//! Refusals of a write that came too late or may not be.

use serde_json::{Value, json};

use super::Failure;

impl Failure {
    pub(crate) fn not_open(id: u64, state: &str) -> Failure {
        Failure::with(
            409,
            None,
            &format!("Pull request {id} is {}.", state.to_lowercase()),
            Some("pull.IllegalPullRequestStateException"),
        )
    }

    /// The version sent is not the present one; −1 stands for none sent.
    pub(crate) fn pull_request_out_of_date(
        expected: i64,
        current: u64,
        pull_request: Value,
    ) -> Failure {
        Failure::with(
            409,
            None,
            "You are attempting to modify a pull request based on out-of-date information.",
            Some("pull.PullRequestOutOfDateException"),
        )
        .and("currentVersion", json!(current))
        .and("expectedVersion", json!(expected))
        .and("pullRequest", pull_request)
    }

    pub(crate) fn comment_out_of_date(expected: i64, current: u64) -> Failure {
        Failure::with(
            409,
            None,
            "You are attempting to modify a comment based on out-of-date information.",
            Some("comment.CommentOutOfDateException"),
        )
        .and("currentVersion", json!(current))
        .and("expectedVersion", json!(expected))
    }

    /// A conflict has no vetoes.
    pub(crate) fn vetoed(conflicted: bool, vetoes: Value) -> Failure {
        let message = if conflicted {
            "The pull request has conflicts and cannot be merged."
        } else {
            "Merging the pull request has been vetoed."
        };
        Failure::with(409, None, message, Some("pull.PullRequestMergeVetoedException"))
            .and("conflicted", json!(conflicted))
            .and("vetoes", vetoes)
    }

    pub(crate) fn duplicate(existing: Value) -> Failure {
        Failure::with(
            409,
            None,
            "Only one pull request may be open for a given source and target branch",
            Some("pull.DuplicatePullRequestException"),
        )
        .and("existingPullRequest", existing)
    }

    pub(crate) fn reviewers(errors: Value, valid: Value) -> Failure {
        Failure::with(
            409,
            Some("reviewers"),
            "Errors encountered while adding some reviewers to this pull request.",
            Some("pull.InvalidPullRequestReviewersException"),
        )
        .and("reviewerErrors", errors)
        .and("validReviewers", valid)
    }

    pub(crate) fn conflict(message: &str, exception: &str) -> Failure {
        Failure::with(409, None, message, Some(exception))
    }

    pub(crate) fn archived(key: &str, slug: &str) -> Failure {
        Failure::conflict(
            &format!("Repository {key}/{slug} is archived and cannot be modified."),
            "repository.RepositoryArchivedException",
        )
    }
}
