//! `spec/bitbucket/openapi.yaml`: the operations this server can call, linted and modelled.
//!
//! It does not know tools.

mod handles;
mod lint;
mod parameters;
pub(crate) mod passes;
pub(crate) mod schema;
mod tolerance;

pub(crate) use lint::is_name;

use crate::node::{Located, Node};
use crate::reader::Source;
use schema::{Kind, Schemas};
use serde_json::Value;
use std::ops::Range;

/// The document.
#[derive(Debug, Default)]
pub(crate) struct Document {
    pub(crate) operations: Vec<Operation>,
    pub(crate) schemas: Schemas,
    /// The document as JSON, as progenitor is given it after the pass.
    pub(crate) json: Value,
}

/// One operation.
#[derive(Debug, Clone)]
pub(crate) struct Operation {
    pub(crate) id: String,
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) summary: String,
    pub(crate) reach: Reach,
    pub(crate) reason: String,
    /// Members of bounded answers that may be its key, where no argument may.
    pub(crate) noted: Vec<String>,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) response: Response,
    /// Where its method stands in the document.
    pub(crate) place: Range<usize>,
    /// Whether it is the one that tells where a repository is.
    pub(crate) confirms: bool,
}

impl Operation {
    /// `METHOD /path`, as specs write it.
    pub(crate) fn signature(&self) -> String {
        format!("{} {}", self.method, self.path)
    }

    pub(crate) fn query(&self, name: &str) -> Option<&Parameter> {
        self.parameters.iter().find(|parameter| !parameter.in_path && parameter.name == name)
    }

    pub(crate) fn placeholders(&self) -> impl Iterator<Item = &Parameter> {
        self.parameters.iter().filter(|parameter| parameter.in_path)
    }

    /// The path with `{name*}` for a placeholder of several segments.
    pub(crate) fn template(&self) -> String {
        let mut template = self.path.clone();
        for parameter in self.placeholders().filter(|parameter| parameter.multi) {
            template = template
                .replace(&format!("{{{}}}", parameter.name), &format!("{{{}*}}", parameter.name));
        }
        template
    }
}

/// A parameter in a path or a query.
#[derive(Debug, Clone)]
pub(crate) struct Parameter {
    pub(crate) name: String,
    pub(crate) in_path: bool,
    pub(crate) multi: bool,
    pub(crate) names: Option<Names>,
    pub(crate) kind: Kind,
}

/// What a query member names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Names {
    Project,
    Repo,
}

/// What an operation answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Response {
    /// A JSON object of this schema.
    Json(String),
    /// Bytes of this media type.
    Stream(String),
}

/// What bounds an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reach {
    Repository,
    Project,
    Filter,
    Own,
    Noted,
    Server,
    Unbounded,
}

impl Reach {
    pub(crate) const ALL: [Self; 7] = [
        Self::Repository,
        Self::Project,
        Self::Filter,
        Self::Own,
        Self::Noted,
        Self::Server,
        Self::Unbounded,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Repository => "repository",
            Self::Project => "project",
            Self::Filter => "filter",
            Self::Own => "own",
            Self::Noted => "noted",
            Self::Server => "server",
            Self::Unbounded => "unbounded",
        }
    }
}

impl Document {
    /// The operation a spec names as `METHOD /path`.
    pub(crate) fn find(&self, signature: &str) -> Option<usize> {
        self.operations.iter().position(|operation| operation.signature() == signature)
    }

    /// Whether the document has something under this signature, be it with faults.
    pub(crate) fn mentions(&self, signature: &str) -> bool {
        let (method, path) = signature.split_once(' ').unwrap_or_default();
        let item = self.json.get("paths").and_then(|paths| paths.get(path));
        item.is_some_and(|item| item.get(method.to_lowercase()).is_some())
    }

    /// The schema of a page's elements, when the operation answers with pages.
    pub(crate) fn page_of(&self, operation: &Operation) -> Option<&str> {
        let Response::Json(name) = &operation.response else { return None };
        let object = self.schemas.object(name)?;
        object.property("nextPageStart")?;
        match &object.property("values")?.kind {
            Kind::List(element) => match element.as_ref() {
                Kind::Named(element) => Some(element),
                _ => None,
            },
            _ => None,
        }
    }

    /// Where an operation's answer, or each element of its pages, names its repository.
    pub(crate) fn repository_in(&self, operation: &Operation) -> Option<&str> {
        let Response::Json(name) = &operation.response else { return None };
        let schema = self.page_of(operation).unwrap_or(name);
        self.schemas.object(schema)?.repository.as_ref().map(|place| place.value.as_str())
    }

    /// The operation that tells where a repository is.
    pub(crate) fn confirming(&self) -> Option<usize> {
        self.operations.iter().position(|operation| operation.confirms)
    }

    /// Whether, under a scope, the operation's repository has to be confirmed by another request,
    /// because its own answer does not say whose it is.
    pub(crate) fn needs_confirming(&self, operation: &Operation) -> bool {
        operation.reach == Reach::Repository
            && !operation.confirms
            && self.repository_in(operation).is_none()
    }
}

/// Reads and lints the document.
pub(crate) fn load(source: &Source<'_>, root: &Located<Node>) -> Document {
    source.only("the document", root, &["openapi", "info", "paths", "components"]);
    let top = root.span.start..root.span.start;
    if let Some(version) = source.required_text(&root.value, "openapi", &top)
        && version.value != "3.0.3"
    {
        let message = format!("the document is OpenAPI {}, not 3.0.3", version.value);
        source.fault("wrong-kind", &version.span, message, "");
    }
    match source.map(&root.value, "info") {
        Some(info) => {
            source.only("`info`", info, &["title", "version"]);
            source.required_text(&info.value, "title", &info.span);
            source.required_text(&info.value, "version", &info.span);
        }
        None if root.value.get("info").is_none() => source.missing("info", &top),
        None => {}
    }
    let schemas = schema::load(source, root);
    let operations = lint::operations(source, root, &schemas);
    let document = Document { operations, schemas, json: root.value.json() };
    handles::check(source, &document);
    document
}
