//! The checked spec: what emission works from. No `Option` here for what the spec requires.

use crate::document::Document;
use crate::document::schema::Kind as SchemaKind;
use std::collections::BTreeMap;

/// A spec without faults.
#[derive(Debug)]
pub struct Spec {
    pub(crate) server: Server,
    pub(crate) types: BTreeMap<String, NamedType>,
    pub(crate) document: Document,
    pub(crate) tools: Vec<Tool>,
    pub(crate) kinds: Vec<Kind>,
}

impl Spec {
    /// The tools' names, sorted.
    pub fn tools(&self) -> impl Iterator<Item = &str> {
        self.tools.iter().map(|tool| tool.name.as_str())
    }
}

/// `spec/server.yaml`.
#[derive(Debug, Default)]
pub(crate) struct Server {
    pub(crate) title: String,
    pub(crate) description: String,
    pub(crate) instructions: String,
    /// Operations the server asks for itself, whichever tool runs.
    pub(crate) calls: Vec<usize>,
}

/// A scope rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rule {
    ProjectRepo,
    OptionalProjectRepo,
    ProjectFilter,
    Unbounded,
}

impl Rule {
    pub(crate) const ALL: [Self; 4] =
        [Self::ProjectRepo, Self::OptionalProjectRepo, Self::ProjectFilter, Self::Unbounded];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::ProjectRepo => "project_repo",
            Self::OptionalProjectRepo => "optional_project_repo",
            Self::ProjectFilter => "project_filter",
            Self::Unbounded => "unbounded",
        }
    }

    /// The contract's type of the same name.
    pub(crate) fn variant(self) -> &'static str {
        match self {
            Self::ProjectRepo => "ProjectRepo",
            Self::OptionalProjectRepo => "OptionalProjectRepo",
            Self::ProjectFilter => "ProjectFilter",
            Self::Unbounded => "Unbounded",
        }
    }
}

/// When a tool asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Asks {
    Never,
    Always,
    WhenPresent(String),
}

/// Who may call a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Callers {
    Model,
    App,
    ModelAndApp,
}

/// One tool.
#[derive(Debug)]
pub(crate) struct Tool {
    pub(crate) name: String,
    pub(crate) title: String,
    pub(crate) group: String,
    pub(crate) summary: String,
    pub(crate) read_only: bool,
    pub(crate) destructive: bool,
    pub(crate) idempotent: bool,
    pub(crate) callers: Callers,
    pub(crate) asks: Asks,
    pub(crate) rule: Rule,
    pub(crate) reason: String,
    pub(crate) arguments: Vec<Argument>,
    pub(crate) calls: Vec<Call>,
    pub(crate) custom: bool,
    /// Arguments of a call, checked against its own.
    pub(crate) example: serde_json::Value,
    /// Whether it draws kinds, and so calls what they call.
    pub(crate) kinds: bool,
    pub(crate) pages: bool,
    pub(crate) answer: Answer,
}

/// One argument.
#[derive(Debug, Clone)]
pub(crate) struct Argument {
    pub(crate) name: String,
    pub(crate) kind: ArgumentType,
    pub(crate) required: bool,
    pub(crate) default: Option<serde_json::Value>,
    pub(crate) min: Option<i64>,
    pub(crate) max: Option<i64>,
    pub(crate) doc: String,
}

/// What an argument holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ArgumentType {
    Text,
    ProjectKey,
    RepoSlug,
    PullRequestId,
    Commit,
    Ref,
    Path,
    User,
    Count,
    Flag,
    /// Words, each with its value on the wire.
    Choice(Vec<(String, String)>),
    Texts,
}

/// One call of an operation.
#[derive(Debug, Clone)]
pub(crate) struct Call {
    /// Index into the document's operations.
    pub(crate) operation: usize,
    /// Name of its answer; empty for the first.
    pub(crate) name: String,
    /// Path placeholders of declared tools, but for project and repo, by name.
    pub(crate) path: Vec<(String, Source)>,
    /// Query members, by wire name.
    pub(crate) query: Vec<(String, Source)>,
    pub(crate) pages: bool,
}

/// Where a value comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Source {
    Argument(String),
    Constant(String),
}

/// A tool's answer.
#[derive(Debug)]
pub(crate) enum Answer {
    Text,
    Members(Vec<Member>),
}

/// A member of an answer.
#[derive(Debug, Clone)]
pub(crate) struct Member {
    pub(crate) name: String,
    pub(crate) value: Value,
    /// Whether it is always there.
    pub(crate) required: bool,
    pub(crate) doc: String,
}

/// What a member holds.
#[derive(Debug, Clone)]
pub(crate) enum Value {
    /// A named type, or a list of one; custom tools.
    Named { kind: FieldType, list: bool },
    /// A value picked from an answer.
    Picked { from: Origin, path: Vec<String>, kind: Scalar },
    /// An object made of picks.
    Object { from: Origin, members: Vec<Member> },
    /// A list: of the paged call's elements (an empty path) or of a list inside.
    Each { from: Origin, path: Vec<String>, element: Element },
}

/// What a pick starts from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Origin {
    /// The whole answer of a call, by index.
    Call(usize),
    /// The element of the list around it.
    Element,
}

/// What a list's elements become.
#[derive(Debug, Clone)]
pub(crate) enum Element {
    Scalar { path: Vec<String>, kind: Scalar },
    Object(Vec<Member>),
}

/// A converted value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Scalar {
    Text,
    Count,
    Number,
    Flag,
    Instant,
    Link,
    Person,
    Word(String),
}

impl Scalar {
    /// The conversion that the document's schema decides.
    pub(crate) fn of(kind: &SchemaKind) -> Option<Self> {
        Some(match kind {
            SchemaKind::Text => Self::Text,
            SchemaKind::Integer => Self::Count,
            SchemaKind::Number => Self::Number,
            SchemaKind::Flag => Self::Flag,
            SchemaKind::Instant => Self::Instant,
            SchemaKind::Links => Self::Link,
            SchemaKind::OpenEnum(name) => Self::Word(name.clone()),
            SchemaKind::Named(name) if name == "User" => Self::Person,
            SchemaKind::Named(_) | SchemaKind::List(_) => return None,
        })
    }

    /// Whether the conversion may come to nothing even where the value is there.
    pub(crate) fn may_fail(&self) -> bool {
        matches!(self, Self::Instant | Self::Link)
    }
}

/// A type of `spec/types.yaml`.
#[derive(Debug, Clone)]
pub(crate) struct NamedType {
    pub(crate) fields: Vec<Field>,
}

/// A field of a named type.
#[derive(Debug, Clone)]
pub(crate) struct Field {
    pub(crate) name: String,
    pub(crate) kind: FieldType,
    pub(crate) list: bool,
    pub(crate) optional: bool,
    pub(crate) choices: Vec<String>,
    pub(crate) doc: String,
}

/// What a field holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum FieldType {
    Text,
    Count,
    Flag,
    Instant,
    Person,
    Named(String),
}

/// A kind of view.
#[derive(Debug)]
pub(crate) struct Kind {
    pub(crate) name: String,
    pub(crate) title: String,
    /// The tool whose answer it shows.
    pub(crate) source: String,
    /// Arguments of `show` it needs.
    pub(crate) takes: Vec<String>,
    pub(crate) calls: Vec<Call>,
    pub(crate) payload: Vec<PayloadField>,
    /// Flags of the payload that say something is happening.
    pub(crate) in_motion: Vec<String>,
    /// Flags of the payload that say nothing more will.
    pub(crate) settled: Vec<String>,
    /// Tools its buttons call.
    pub(crate) actions: Vec<String>,
    /// The page's words.
    pub(crate) strings: Vec<(String, String)>,
}

/// A field of what a view draws.
#[derive(Debug)]
pub(crate) struct PayloadField {
    pub(crate) field: Field,
    /// Whether it is part of what a person would call the content.
    pub(crate) fingerprint: bool,
    /// Most elements of a list.
    pub(crate) cap: Option<usize>,
}

/// `list_branches` as `ListBranches`.
pub(crate) fn pascal(name: &str) -> String {
    name.split(['_', '.', '-'])
        .map(|word| {
            let mut letters = word.chars();
            letters
                .next()
                .map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
        })
        .collect()
}
