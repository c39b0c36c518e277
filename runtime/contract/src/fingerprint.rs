//! The digest of the part of a payload that a person would call its content.
//!
//! It does not know which part that is; the spec says it field by field.

use crate::ToolError;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::fmt::Write as _;

/// A field by name, as it counts.
///
/// # Errors
/// When it does not serialise, which no generated type can cause.
pub fn field<'n, V: serde::Serialize>(
    name: &'n str,
    value: &V,
) -> Result<(&'n str, Value), ToolError> {
    let value =
        serde_json::to_value(value).map_err(|error| ToolError::internal(error.to_string()))?;
    Ok((name, value))
}

/// A digest of fields by name, as 32 hexadecimal digits. Their order counts and is the spec's.
#[must_use]
pub fn fingerprint(fields: &[(&str, Value)]) -> String {
    let mut hash = Sha256::new();
    for (name, value) in fields {
        // JSON texts cannot run into each other, so the parts need no lengths.
        hash.update(Value::from(*name).to_string().as_bytes());
        hash.update(value.to_string().as_bytes());
    }
    hash.finalize().iter().take(16).fold(String::with_capacity(32), |mut text, byte| {
        // Writing to a text does not fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::fingerprint;
    use serde_json::json;

    #[test]
    fn names_values_and_their_borders_count() {
        let one = fingerprint(&[("a", json!("b")), ("c", json!(1))]);
        assert_eq!(one.len(), 32);
        for other in [
            fingerprint(&[("a", json!("b")), ("c", json!(2))]),
            fingerprint(&[("a", json!("b")), ("d", json!(1))]),
            fingerprint(&[("c", json!(1)), ("a", json!("b"))]),
            fingerprint(&[("a", json!("b\"c\"1"))]),
        ] {
            assert_ne!(one, other);
        }
        assert_eq!(one, fingerprint(&[("a", json!("b")), ("c", json!(1))]));
    }
}
