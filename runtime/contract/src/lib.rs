//! The small runtime every tool stands on: tools, scope rules, operations, answers.
//!
//! It knows no transport, no HTTP and nothing of Bitbucket. The security of a scope rests
//! on [`scope`] and [`operation`]; the rest is vocabulary.

pub mod answer;
pub mod arguments;
pub mod cursor;
pub mod error;
pub mod fingerprint;
pub mod instant;
pub mod kind;
pub mod operation;
pub mod page;
pub mod path;
pub mod scope;
pub mod text;
pub mod tool;

pub use answer::Answer;
pub use error::ToolError;
pub use operation::{Calls, Operation, OperationFacts, Reach};
pub use scope::{Admitted, Bound, Refused, Rule, RuleName, Scope, Target, admit};
pub use tool::{Asked, Asks, Callers, Handle, Plan, Tool, ToolFacts};

/// A JSON object as it travels: member order kept, a repeated member's last value.
pub type JsonObject = serde_json::Map<String, serde_json::Value>;
