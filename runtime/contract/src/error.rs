//! Why a tool could not answer. The texts are for the model; the log has its own.

use std::fmt;

/// A failure of a tool, as the model reads it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolError {
    /// What went wrong and what to do about it, for the model.
    pub message: String,
    /// What the operator's log may say beyond that; never sent to the model.
    pub internal: Option<String>,
    /// Whether the same call may succeed later.
    pub retryable: bool,
    /// Whether the scope stopped it after the call had been admitted, as for a moved repository.
    pub denied: bool,
}

impl ToolError {
    /// A failure that the caller can mend.
    #[must_use]
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), internal: None, retryable: false, denied: false }
    }

    /// A failure of this server, whose detail the model is not told.
    #[must_use]
    pub fn internal(detail: impl Into<String>) -> Self {
        Self {
            message: "this server failed inside; the operator's log says more".to_owned(),
            internal: Some(detail.into()),
            retryable: false,
            denied: false,
        }
    }
}

impl fmt::Display for ToolError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for ToolError {}
