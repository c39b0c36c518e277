//! An in-memory stand-in for Bitbucket Data Center 10.x on the loopback
//! interface, for demonstrations and tests.
//!
//! It answers as running instances do: shapes, paging, errors, headers. It
//! knows nothing of the server that talks to it.
//!
//! The feature `gateways` adds what stands between a client and an instance: TLS,
//! client certificates, a proxy, packed answers, and listeners that say nothing.

#[cfg(feature = "gateways")]
mod accepting;
mod access;
mod answer;
mod blame;
mod blob;
mod clock;
mod control;
mod diff;
mod errors;
mod faults;
mod following;
#[cfg(feature = "gateways")]
mod gzip;
mod hash;
mod history;
mod joining;
mod json;
mod log;
mod matching;
mod mergeable;
mod merging;
#[cfg(feature = "gateways")]
mod mute;
mod overlay;
mod paging;
mod patch;
mod picture;
mod placing;
#[cfg(feature = "gateways")]
pub mod proxy;
mod push;
mod query;
mod routes;
mod seed;
mod serve;
mod server;
mod state;
#[cfg(feature = "gateways")]
pub mod tls;
mod version;
mod wire;

pub use control::Fault;
pub use log::Request;
#[cfg(feature = "gateways")]
pub use mute::{Closing, Silent};
pub use seed::USER;
pub use server::{Demo, Options};
pub use version::Version;

/// The only bearer token the demo accepts; anything else is answered 401.
pub const TOKEN: &str = "demo-token";

#[cfg(test)]
mod tests;
