//! An in-memory stand-in for Bitbucket Data Center 10.x on the loopback
//! interface, for demonstrations and tests.
//!
//! It answers as running instances do: shapes, paging, errors, headers. It
//! knows nothing of the server that talks to it.

mod answer;
mod clock;
mod control;
mod diff;
mod errors;
mod hash;
mod history;
mod json;
mod log;
mod paging;
mod picture;
mod query;
mod routes;
mod seed;
mod server;
mod state;

pub use log::Request;
pub use seed::USER;
pub use server::{Demo, Options};

/// The only bearer token the demo accepts; anything else is answered 401.
pub const TOKEN: &str = "demo-token";

#[cfg(test)]
mod tests;
