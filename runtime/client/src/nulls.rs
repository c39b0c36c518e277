//! Tolerance for `null` where Bitbucket's document says a list or a map.

use serde::{Deserialize, Deserializer};

/// Reads `null` as the type's default. Codegen puts it on every field that has one.
///
/// # Errors
/// Whatever reading the value itself fails with.
pub fn null_default<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Default + Deserialize<'de>,
{
    Ok(Option::<T>::deserialize(deserializer)?.unwrap_or_default())
}
