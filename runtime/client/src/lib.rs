//! The one door to Bitbucket: every request of every operation passes [`send`].
//!
//! It knows HTTP and how Bitbucket words its errors. It knows no tool, and of MCP nothing.

mod base;
mod connection;
mod context;
mod egress;
mod error;
mod fault;
mod listing;
mod nulls;
mod send;
mod stream;
mod values;

pub use base::BaseUrl;
pub use connection::{Connection, Limits, Secret, Settings};
pub use context::{CallContext, CallFacts};
pub use error::{BitbucketError, ErrorKind, read_error};
pub use fault::Fault;
pub use listing::{answered, listed};
pub use nulls::null_default;
pub use send::send;
pub use stream::{CutBytes, CutText, read_bytes, read_text};
pub use values::{Instant, Links};

/// Awaits two operations at once; the first failure ends both.
pub use futures_util::future::try_join;

/// What an operation answers, or why it did not.
pub type Result<T> = std::result::Result<T, BitbucketError>;
