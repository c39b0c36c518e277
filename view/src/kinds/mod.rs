//! From what was read to what is drawn, kind by kind.

pub mod pull_request;
