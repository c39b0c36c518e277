//! What people must read of a spec, as committed files: written by `bless`, held by a test.
//! The build never reads them.

use crate::Spec;
use crate::document::{Operation, Reach};
use crate::emit::{declarations, entry, implied};
use crate::model::{Asks, Callers, Kind, Rule, Tool};
use crate::slugs::{Entry, SLUGS};
use askama::Template;
use std::collections::BTreeMap;
use std::io;
use std::path::Path;

/// Folders whose every file is an artifact; another file in them is an orphan.
const FOLDERS: &[&str] = &["generated/tools", "generated/view"];

/// One committed file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Artifact {
    /// Path from the repository's root, with slashes.
    pub path: String,
    /// Its text, ending in a line feed.
    pub text: String,
}

/// How a committed file differs from what the spec says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Difference {
    /// It is not there.
    Missing(String),
    /// It says something else; the first line that differs, as it is and as it should be.
    Stale(String, String, String),
    /// No part of the spec claims it.
    Orphan(String),
}

/// Everything the spec decides for people to read.
#[must_use]
pub fn artifacts(spec: &Spec) -> Vec<Artifact> {
    let mut artifacts = vec![
        Artifact { path: "generated/scope-table.md".to_owned(), text: scope_table(spec) },
        Artifact { path: "generated/operations.md".to_owned(), text: operations(spec) },
        Artifact { path: "docs/reference/spec-errors.md".to_owned(), text: spec_errors() },
    ];
    if !spec.kinds.is_empty() {
        let text = declarations(spec);
        artifacts.push(Artifact { path: "generated/view/payload.d.ts".to_owned(), text });
    }
    for tool in &spec.tools {
        let text = format!("{:#}\n", entry(spec, tool));
        artifacts.push(Artifact { path: format!("generated/tools/{}.json", tool.name), text });
    }
    artifacts
}

/// Compares the committed files below `root` with the spec.
///
/// # Errors
/// When a folder cannot be listed.
pub fn differences(spec: &Spec, root: &Path) -> io::Result<Vec<Difference>> {
    let artifacts = artifacts(spec);
    let mut differences = Vec::new();
    for artifact in &artifacts {
        match std::fs::read_to_string(root.join(&artifact.path)) {
            Err(_) => differences.push(Difference::Missing(artifact.path.clone())),
            Ok(text) if text.replace("\r\n", "\n") != artifact.text => {
                let (is, should) = text
                    .lines()
                    .map(Some)
                    .chain(std::iter::repeat(None))
                    .zip(artifact.text.lines().map(Some).chain([None]))
                    .find(|(is, should)| is != should)
                    .unwrap_or_default();
                let say = |line: Option<&str>| line.unwrap_or("(nothing)").to_owned();
                differences.push(Difference::Stale(artifact.path.clone(), say(is), say(should)));
            }
            Ok(_) => {}
        }
    }
    for path in committed(root)? {
        if !artifacts.iter().any(|artifact| artifact.path == path) {
            differences.push(Difference::Orphan(path));
        }
    }
    Ok(differences)
}

/// Writes every artifact below `root` and removes orphans.
///
/// # Errors
/// When a file cannot be written or removed.
pub fn bless(spec: &Spec, root: &Path) -> io::Result<Vec<Difference>> {
    let differences = differences(spec, root)?;
    for artifact in artifacts(spec) {
        let path = root.join(&artifact.path);
        if std::fs::read_to_string(&path).is_ok_and(|old| old == artifact.text) {
            continue;
        }
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent)?;
        }
        std::fs::write(path, &artifact.text)?;
    }
    for difference in &differences {
        if let Difference::Orphan(path) = difference {
            std::fs::remove_file(root.join(path))?;
        }
    }
    Ok(differences)
}

fn committed(root: &Path) -> io::Result<Vec<String>> {
    let mut paths = Vec::new();
    for folder in FOLDERS {
        let entries = match std::fs::read_dir(root.join(folder)) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) => return Err(error),
        };
        for entry in entries {
            paths.push(format!("{folder}/{}", entry?.file_name().to_string_lossy()));
        }
    }
    paths.sort();
    Ok(paths)
}

#[derive(Template)]
#[template(path = "scope-table.md.jinja", escape = "none")]
struct ScopeTable {
    rows: Vec<String>,
    kinds: Vec<String>,
}

fn scope_table(spec: &Spec) -> String {
    let rows = spec.tools.iter().map(|tool| scope_row(spec, tool)).collect();
    let kinds = spec.kinds.iter().map(|kind| kind_row(spec, kind)).collect();
    ScopeTable { rows, kinds }.render().unwrap_or_default() + "\n"
}

/// A tool's row of the scope table.
fn scope_row(spec: &Spec, tool: &Tool) -> String {
    let (project, repo) = match tool.rule {
        Rule::ProjectRepo => ("project bound, repository free", "bound"),
        Rule::OptionalProjectRepo => ("project bound; own work narrowed to it", "bound"),
        Rule::ProjectFilter => ("pinned", "withheld"),
        Rule::Unbounded => ("withheld", "withheld"),
    };
    let asks = match &tool.asks {
        Asks::Never => "never".to_owned(),
        Asks::Always => "always".to_owned(),
        Asks::WhenPresent(argument) => format!("when `{argument}` is set"),
    };
    let callers = match tool.callers {
        Callers::Model => "model",
        Callers::App => "views",
        Callers::ModelAndApp => "model, views",
    };
    let mut operations: Vec<String> = Vec::new();
    for call in &tool.calls {
        let operation = called(&spec.document.operations[call.operation], tool.rule);
        if !operations.contains(&operation) {
            operations.push(operation);
        }
    }
    operations.extend(
        implied(spec, tool)
            .map(|index| format!("`{}` (confirms)", spec.document.operations[index].signature())),
    );
    format!(
        "| `{}`{} | {} | {asks} | {callers} | `{}` | {project} | {repo} | {} | {} |",
        tool.name,
        if tool.custom { " (custom)" } else { "" },
        if tool.read_only { "no" } else { "yes" },
        tool.rule.name(),
        cell(&tool.reason),
        operations.join("<br>")
    )
}

/// A kind's row: what a view of it reads, and what its buttons call.
fn kind_row(spec: &Spec, kind: &Kind) -> String {
    let code = |names: &[String]| {
        let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
        if names.is_empty() { "none".to_owned() } else { names.join(", ") }
    };
    let operations: Vec<String> = kind
        .calls
        .iter()
        .map(|call| called(&spec.document.operations[call.operation], Rule::OptionalProjectRepo))
        .collect();
    format!(
        "| `{}` | `{}` | {} | {} | {} |",
        kind.name,
        kind.source,
        code(&kind.takes),
        code(&kind.actions),
        operations.join("<br>")
    )
}

/// The scope table's row of one tool, for the command line.
impl Spec {
    /// The row of a tool in the scope table.
    #[must_use]
    pub fn row(&self, tool: &str) -> Option<String> {
        self.tools.iter().find(|found| found.name == tool).map(|found| scope_row(self, found))
    }
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}

#[derive(Template)]
#[template(path = "operations.md.jinja", escape = "none")]
struct Operations {
    rows: Vec<String>,
    confirming: Option<String>,
}

fn operations(spec: &Spec) -> String {
    let mut users: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
    for tool in &spec.tools {
        for index in tool.calls.iter().map(|call| call.operation).chain(implied(spec, tool)) {
            let tools = users.entry(index).or_default();
            if tools.last() != Some(&tool.name.as_str()) {
                tools.push(&tool.name);
            }
        }
    }
    let rows = spec.document.operations.iter().enumerate().map(|(index, operation)| {
        let own = spec.server.calls.contains(&index).then(|| "the server itself".to_owned());
        let named = users.get(&index).into_iter().flatten().map(|tool| format!("`{tool}`"));
        let tools: Vec<String> = own.into_iter().chain(named).collect();
        let mark = if spec.document.needs_confirming(operation) { " †" } else { "" };
        let tools = if tools.is_empty() { "none".to_owned() } else { tools.join(", ") };
        format!(
            "| `{}`{mark} | {} | {} | {tools} |",
            operation.signature(),
            reach(operation),
            why(operation)
        )
    });
    let confirming =
        spec.document.confirming().map(|index| spec.document.operations[index].signature());
    Operations { rows: rows.collect(), confirming }.render().unwrap_or_default() + "\n"
}

/// The reach, and what may key the operation where no argument may.
fn reach(operation: &Operation) -> String {
    let name = operation.reach.name();
    if operation.noted.is_empty() {
        return name.to_owned();
    }
    let names: Vec<String> = operation.noted.iter().map(|name| format!("`{name}`")).collect();
    let noted = format!("noted by {}", names.join(", "));
    if operation.reach == Reach::Noted { noted } else { format!("{name}; {noted}") }
}

/// An operation as a tool of this rule may call it.
fn called(operation: &Operation, rule: Rule) -> String {
    let signature = operation.signature();
    if operation.noted.is_empty() || rule == Rule::Unbounded {
        return format!("`{signature}`");
    }
    let names = operation.noted.join("` or `");
    format!("`{signature}` (only for a `{names}` that the same call has read)")
}

fn why(operation: &Operation) -> String {
    match operation.reach {
        Reach::Repository => "project and repository stand in the path".to_owned(),
        Reach::Project => "the project stands in the path".to_owned(),
        _ => cell(&operation.reason),
    }
}

#[derive(Template)]
#[template(path = "spec-errors.md.jinja", escape = "none")]
struct SpecErrors {
    entries: &'static [Entry],
}

fn spec_errors() -> String {
    SpecErrors { entries: SLUGS }.render().unwrap_or_default() + "\n"
}
