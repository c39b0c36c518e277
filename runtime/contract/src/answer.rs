//! What a tool returns. It does not know the protocol that carries it.

use crate::{JsonObject, ToolError};

/// A tool's answer.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Answer {
    /// Text for the model. Empty when `structured` says everything: its JSON is then the text.
    pub text: String,
    /// The answer as data, matching the tool's output schema.
    pub structured: Option<JsonObject>,
    /// What travels beside the answer and is meant for a view.
    pub meta: Option<JsonObject>,
}

impl Answer {
    /// An answer of text alone.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    /// An answer of data.
    ///
    /// # Errors
    /// When the value does not serialise to a JSON object, which no generated answer type can cause.
    pub fn data<T: serde::Serialize>(value: &T) -> Result<Self, ToolError> {
        match serde_json::to_value(value) {
            Ok(serde_json::Value::Object(members)) => {
                Ok(Self { structured: Some(members), ..Self::default() })
            }
            Ok(_) => Err(ToolError::internal("the answer is not a JSON object")),
            Err(error) => {
                Err(ToolError::internal(format!("the answer does not serialise: {error}")))
            }
        }
    }
}
