//! The one place that reads the environment.

/// A variable's value, when it is set, is text and is not blank.
pub(crate) fn read(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.trim().is_empty())
}
