//! Tools whose spec says `handler: custom`, one file each.

mod get_pr_diff;
mod get_pull_request;
mod list_pull_requests;
mod refresh_view;
mod show;

use crate::kinds::avatars::Avatars;
use crate::kinds::envelope::Offers;

/// What every custom tool is implemented for.
#[derive(Debug)]
pub(crate) struct Handlers {
    /// What this server exposes to views.
    pub(crate) offers: Offers,
    /// Pictures of people.
    pub(crate) avatars: Avatars,
}
