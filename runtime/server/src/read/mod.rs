//! Reads that more than one handler makes.

pub(crate) mod activities;
pub(crate) mod pull_request;
