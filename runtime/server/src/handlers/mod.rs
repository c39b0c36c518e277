//! Tools whose spec says `handler: custom`, one file each.

mod get_pr_diff;
mod get_pull_request;
mod list_pull_requests;

/// What every custom tool is implemented for.
#[derive(Debug)]
pub(crate) struct Handlers;
