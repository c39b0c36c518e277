//! The one door to Bitbucket: every request of every operation passes [`send`].
//!
//! It knows HTTP and how Bitbucket words its errors. It knows no tool, and of MCP nothing.

mod attempt;
mod base;
mod connection;
mod context;
mod egress;
mod error;
mod fault;
mod identity;
mod journal;
mod listing;
mod network;
mod nulls;
mod probe;
mod proxy;
mod redaction;
mod retry;
mod send;
mod settings;
mod stream;
mod tls;
mod values;

pub use base::BaseUrl;
pub use connection::{Connection, is_reserved_header};
pub use context::{CallContext, CallFacts};
pub use error::{BitbucketError, ErrorKind, Extras, Veto, read_error};
pub use fault::Fault;
pub use identity::{OWN_OPERATIONS, Whoami, whoami};
pub use listing::{answered, listed};
pub use network::{Failure, Network};
pub use nulls::null_default;
pub use probe::{DOCTOR_OPERATIONS, Ended, Step, given_up, probe};
pub use proxy::Proxy;
pub use redaction::Redaction;
pub use send::send;
pub use settings::{
    ClientIdentity, Credential, GatewayHeader, Limits, Pem, Secret, Settings, Trust,
};
pub use stream::{CutBytes, CutText, read_bytes, read_text};
pub use tls::Chain;
pub use values::{Instant, Links};

/// Awaits two operations at once; the first failure ends both.
pub use futures_util::future::try_join;

/// What an operation answers, or why it did not.
pub type Result<T> = std::result::Result<T, BitbucketError>;
