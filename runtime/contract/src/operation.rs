//! Which operations a tool may call, and what bounds each.
//!
//! It does not know how an operation is sent.

use crate::Tool;

/// What bounds an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// Project and repository stand in the path.
    Repository,
    /// The project stands in the path.
    Project,
    /// These query members carry the project's key and, where there is one, the repository's slug.
    Filter {
        /// Query member holding the project's key.
        project: &'static str,
        /// Query member holding the repository's slug.
        repo: Option<&'static str>,
    },
    /// The caller's own work; each element says whose it is.
    Own,
    /// Keyed by something this same call has read from a bounded answer.
    Noted,
    /// Nothing that belongs to a project.
    Server,
    /// Reaches repository data by something else.
    Unbounded,
}

impl Reach {
    /// The word the spec, the tables and the documents use.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Repository => "repository",
            Self::Project => "project",
            Self::Filter { .. } => "filter",
            Self::Own => "own",
            Self::Noted => "noted",
            Self::Server => "server",
            Self::Unbounded => "unbounded",
        }
    }
}

/// One Bitbucket method and path, as `spec/bitbucket/openapi.yaml` states it.
#[derive(Debug, PartialEq, Eq)]
pub struct OperationFacts {
    /// The document's operation id; the client's hook is told it.
    pub id: &'static str,
    /// HTTP method, upper case.
    pub method: &'static str,
    /// Path below the base URL. A placeholder `{name*}` takes several segments.
    pub template: &'static str,
    /// What bounds it.
    pub reach: Reach,
    /// Members of bounded answers of the same call whose values may be its key, where no argument may.
    pub noted: &'static [&'static str],
    /// Whether its answer is a stream of bytes rather than JSON.
    pub stream: bool,
    /// The media type to ask for.
    pub accept: &'static str,
}

/// A unit type per operation, so that the compiler can tell them apart.
pub trait Operation: 'static {
    /// What the document says of it.
    const FACTS: OperationFacts;
}

/// "The tool lists the operation under `calls:`." Only generated code implements it.
#[diagnostic::on_unimplemented(
    message = "the tool `{Self}` does not list the operation `{O}`",
    label = "not among the `calls:` of `{Self}`",
    note = "add the operation under `calls:` in the tool's spec file; the scope table will show it"
)]
pub trait Calls<O: Operation>: Tool {}
