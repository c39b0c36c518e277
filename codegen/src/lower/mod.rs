//! From files to the checked model, collecting every fault of every file.

mod answer;
mod argument;
mod call;
mod kind;
mod scope;
mod strings;
mod tool;
mod types;

use crate::Diagnostic;
use crate::diagnostic::File;
use crate::document::{self, Document, Reach};
use crate::model::{NamedType, Server, Spec};
use crate::node::{self, Located, Node};
use crate::reader::{Faults, Source};
use std::collections::BTreeMap;
use std::io;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// Longest name of a tool, an argument or a kind: clients prefix names and cut at 64.
const LONGEST_NAME: usize = 24;

/// Words Rust keeps for itself: names become fields, methods and modules.
#[rustfmt::skip]
const KEYWORDS: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate",
    "do", "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl",
    "in", "let", "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref",
    "return", "self", "static", "struct", "super", "trait", "true", "try", "type", "typeof",
    "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

/// Names whose Rust type generated modules have already.
#[rustfmt::skip]
const TAKEN: &[&str] = &[
    "answered", "args", "argument_facts", "argument_type", "asks", "callers", "calls", "clone",
    "copy", "debug", "default", "eq", "err", "none", "ok", "operation", "operation_facts",
    "option", "partial_eq", "result", "rule_name", "some", "string", "tool", "tool_facts", "vec",
];

/// What tools are lowered against.
pub(crate) struct Context<'c> {
    pub(crate) document: &'c Document,
    pub(crate) types: &'c BTreeMap<String, NamedType>,
}

/// Reads and checks a spec folder.
pub(crate) fn load(folder: &Path) -> Result<Spec, Vec<Diagnostic>> {
    let faults = Faults::default();
    let document = read(&faults, folder, "bitbucket/openapi.yaml")
        .map(|(source, root)| document::load(&source, &root))
        .unwrap_or_default();
    let server = read(&faults, folder, "server.yaml")
        .map(|(source, root)| self::server(&source, &root, &document));
    let types = read(&faults, folder, "types.yaml")
        .map(|(source, root)| types::lower(&source, &root))
        .unwrap_or_default();
    let context = Context { document: &document, types: &types };
    let mut tools = Vec::new();
    let names = listed(&faults, folder, "tools");
    for name in &names {
        if let Some((source, root)) = read(&faults, folder, &format!("tools/{name}")) {
            let stem = name.trim_end_matches(".yaml");
            tools.extend(tool::lower(&source, &root, stem, &context));
        }
    }
    let kinds = kinds(&faults, folder, &context, &names, &mut tools);
    let faults = faults.into_sorted();
    if faults.is_empty() {
        Ok(Spec { server: server.unwrap_or_default(), types, document, tools, kinds })
    } else {
        Err(faults)
    }
}

/// Reads the kinds of views, which a spec may be without, and completes the tools that draw them.
fn kinds(
    faults: &Faults,
    folder: &Path,
    context: &Context<'_>,
    files: &[String],
    tools: &mut [crate::model::Tool],
) -> Vec<crate::model::Kind> {
    let (mut placed, mut declared) = (Vec::new(), Vec::new());
    let names =
        if folder.join("views").exists() { listed(faults, folder, "views") } else { Vec::new() };
    for name in names {
        if let Some((source, root)) = read(faults, folder, &format!("views/{name}")) {
            let found = kind::lower(&source, &root, name.trim_end_matches(".yaml"), context);
            if let Some(found) = found {
                kind::check_against(&source, &found, tools, files);
                placed.push(found.kind);
            }
            declared.push(strings::Declared { source, root });
        }
    }
    if let Some(page) = folder.parent().map(|root| root.join("view/page")) {
        strings::check(&declared, &page);
    }
    for (tool, kinds) in kind::complete(tools, &placed) {
        let source = Source { file: file(&format!("tools/{tool}.yaml"), String::new()), faults };
        let message = format!(
            "`{tool}` is not of the rule optional_project_repo with a choice `kind` of exactly: {kinds}"
        );
        source.fault("kinds-differ", &(0..0), message, "");
    }
    placed
}

/// The YAML files of a folder, sorted, so that the same spec gives the same bytes everywhere.
fn listed(faults: &Faults, folder: &Path, name: &str) -> Vec<String> {
    let unreadable = |message: String| {
        let source = Source { file: file(name, String::new()), faults };
        source.fault("file-unreadable", &(0..0), message, "");
    };
    let strange = |name: String, message: &str| {
        let source = Source { file: file(&name, String::new()), faults };
        let help = "rename or remove it: every file here is read";
        source.fault_with_help("file-unreadable", &(0..0), message, "", help);
    };
    let entries = match std::fs::read_dir(folder.join(name)) {
        Ok(entries) => entries,
        Err(error) => {
            unreadable(unread("folder", &error));
            return Vec::new();
        }
    };
    let mut names = Vec::new();
    for entry in entries {
        match entry.map(|entry| entry.file_name().into_string()) {
            Ok(Ok(name)) if name.ends_with(".yaml") => names.push(name),
            // Editors leave backups and swap files; those are not ours to judge.
            Ok(Ok(other)) if other.starts_with('.') || other.ends_with('~') => {}
            Ok(Ok(other)) => strange(format!("{name}/{other}"), "this is no .yaml file"),
            Ok(Err(other)) => {
                strange(format!("{name}/{}", other.display()), "this name is not UTF-8");
            }
            Err(error) => unreadable(unread("folder", &error)),
        }
    }
    names.sort();
    if names.is_empty() {
        unreadable("this folder holds no .yaml file".to_owned());
    }
    names
}

/// Why something was not read, in words that are the same on every system where that can be.
fn unread(what: &str, error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => format!("this {what} is not there"),
        io::ErrorKind::InvalidData => format!("this {what} is not UTF-8 text"),
        io::ErrorKind::PermissionDenied => format!("this {what} may not be read"),
        io::ErrorKind::IsADirectory => format!("this is a folder where a {what} is expected"),
        io::ErrorKind::NotADirectory => format!("this is a file where a {what} is expected"),
        _ => format!("this {what} cannot be read: {error}"),
    }
}

fn file(name: &str, text: String) -> Arc<File> {
    Arc::new(File { path: format!("spec/{name}"), text })
}

fn read<'f>(faults: &'f Faults, folder: &Path, name: &str) -> Option<(Source<'f>, Located<Node>)> {
    let text = match std::fs::read_to_string(folder.join(name)) {
        Ok(text) => text,
        Err(error) => {
            let source = Source { file: file(name, String::new()), faults };
            source.fault("file-unreadable", &(0..0), unread("file", &error), "");
            return None;
        }
    };
    let source = Source { file: file(name, text), faults };
    match node::parse(&source.file.text) {
        Ok(root) if matches!(root.value, Node::Map(_)) => Some((source, root)),
        Ok(root) => {
            source.fault(
                "wrong-kind",
                &root.span,
                format!("the file holds {} where a mapping is expected", root.value.kind()),
                "",
            );
            None
        }
        Err(fault) => {
            source.fault("yaml-syntax", &fault.span, fault.message, "");
            None
        }
    }
}

fn server(source: &Source<'_>, root: &Located<Node>, document: &Document) -> Server {
    source.only("the server", root, &["title", "description", "instructions", "calls"]);
    let top = top(&root.span);
    let text = |name: &str| {
        source.required_text(&root.value, name, &top).map(|text| text.value).unwrap_or_default()
    };
    let calls = source.list(&root.value, "calls").unwrap_or_default();
    Server {
        title: text("title"),
        description: text("description"),
        instructions: text("instructions"),
        calls: calls.iter().filter_map(|item| own_call(source, item, document)).collect(),
    }
}

/// What the server asks for itself, whichever tool runs and whatever the scope: so it may only read,
/// and only what belongs to no project.
fn own_call(source: &Source<'_>, item: &Located<Node>, document: &Document) -> Option<usize> {
    let signature = source.as_text("calls", item)?;
    let (index, operation) = call::operation(source, &signature, document)?;
    if operation.method != "GET" || operation.reach != Reach::Server {
        let message = format!(
            "the server asks `{}` for itself, under every scope, and its reach is `{}`",
            operation.signature(),
            operation.reach.name()
        );
        let help = "leave it to a tool: only a GET of the reach `server` bounds itself";
        source.fault_with_help("reach-not-allowed", &signature.span, message, "", help);
    }
    Some(index)
}

/// The first character of a mapping, to report what is missing from it.
fn top(span: &Range<usize>) -> Range<usize> {
    span.start..span.start
}

/// Checks a name of a tool, an argument, a member or a type.
pub(crate) fn check_name(source: &Source<'_>, name: &Located<String>) {
    if name.value.len() > LONGEST_NAME || !document::is_name(&name.value) {
        let message = format!(
            "`{}` is not a name of lower-case words of at most {LONGEST_NAME} characters",
            name.value
        );
        source.fault("bad-name", &name.span, message, "");
    } else if is_keyword(&name.value) {
        let message = format!("`{}` is a word that Rust keeps for itself", name.value);
        source.fault("bad-name", &name.span, message, "");
    }
}

/// Whether Rust keeps a word for itself.
pub(crate) fn is_keyword(word: &str) -> bool {
    KEYWORDS.contains(&word)
}

/// Checks a name that becomes a Rust type as well.
fn check_type_name(source: &Source<'_>, name: &Located<String>) {
    check_name(source, name);
    if TAKEN.contains(&name.value.as_str()) {
        let message = format!("`{}` is taken by generated code", name.value);
        source.fault("bad-name", &name.span, message, "");
    }
}

/// Checks that a text is a sentence: capital first, full stop last, one line.
pub(crate) fn check_sentence(source: &Source<'_>, what: &str, text: &Located<String>) {
    let trimmed = text.value.trim();
    let capital =
        trimmed.chars().next().is_some_and(|first| first.is_uppercase() || first.is_numeric());
    if !capital || !trimmed.ends_with('.') || trimmed.contains(char::is_control) {
        source.fault(
            "bad-text",
            &text.span,
            format!("the {what} is not a sentence with a full stop"),
            "",
        );
    }
}
