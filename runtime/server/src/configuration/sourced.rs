//! A value and where it was given. It does not know which settings there are.

use schemars::{JsonSchema, Schema, SchemaGenerator};
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

/// Where in a file something stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Place {
    /// The file's path, as it is shown.
    pub(crate) path: Arc<str>,
    /// From 1.
    pub(crate) line: u64,
    /// From 1, in characters.
    pub(crate) column: u64,
}

impl fmt::Display for Place {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}:{}", self.path, self.line, self.column)
    }
}

/// Where a value was given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Source {
    /// On the command line, by this flag.
    Flag(&'static str),
    /// In the environment, by this variable.
    Variable(&'static str),
    /// In a configuration file.
    File(Place),
    /// Nowhere.
    Default,
}

impl Source {
    /// A fault of what was given here: where, and what is wrong.
    pub(crate) fn fault(&self, what: &str) -> String {
        match self {
            Self::File(place) => format!("{place}: {what}"),
            other => format!("{other}: {what}"),
        }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flag(name) | Self::Variable(name) => formatter.write_str(name),
            Self::File(place) => write!(formatter, "{}:{}", place.path, place.line),
            Self::Default => formatter.write_str("default"),
        }
    }
}

/// A value that knows where it was given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Sourced<T> {
    /// The value.
    pub(crate) value: T,
    /// Where it was given.
    pub(crate) source: Source,
}

impl<T> Sourced<T> {
    /// What is used when nobody gives a value.
    pub(crate) fn default(value: T) -> Self {
        Self { value, source: Source::Default }
    }

    /// The same, made into something else.
    pub(crate) fn map<U>(self, make: impl FnOnce(T) -> U) -> Sourced<U> {
        Sourced { value: make(self.value), source: self.source }
    }

    /// The same, made into something else by what may refuse it; the fault says where it stands.
    pub(crate) fn try_map<U>(
        self,
        make: impl FnOnce(T) -> Result<U, String>,
    ) -> Result<Sourced<U>, String> {
        match make(self.value) {
            Ok(value) => Ok(Sourced { value, source: self.source }),
            Err(what) => Err(self.source.fault(&what)),
        }
    }
}

/// In a file a value stands alone; where it stands is no part of it.
impl<T: JsonSchema> JsonSchema for Sourced<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        generator.subschema_for::<T>()
    }
}
