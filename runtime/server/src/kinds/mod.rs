//! What the kinds of views need at run time: reading what they draw, and wrapping it for the page.

pub(crate) mod avatars;
pub(crate) mod envelope;
pub(crate) mod pull_request;
