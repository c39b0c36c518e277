//! From files to the checked model, collecting every fault of every file.

mod answer;
mod argument;
mod call;
mod scope;
mod tool;
mod types;

use crate::Diagnostic;
use crate::diagnostic::File;
use crate::document::{self, Document};
use crate::model::{NamedType, Server, Spec};
use crate::node::{self, Located, Node};
use crate::reader::{Faults, Source};
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// Longest name of a tool, an argument or a kind: clients prefix names and cut at 64.
const LONGEST_NAME: usize = 24;

/// What tools are lowered against.
pub(crate) struct Context<'c> {
    pub(crate) document: &'c Document,
    pub(crate) types: &'c BTreeMap<String, NamedType>,
}

/// Reads and checks a spec folder.
pub(crate) fn load(folder: &Path) -> Result<Spec, Vec<Diagnostic>> {
    let faults = Faults::default();
    let server =
        read(&faults, folder, "server.yaml").map(|(source, root)| self::server(&source, &root));
    let document = read(&faults, folder, "bitbucket/openapi.yaml")
        .map(|(source, root)| document::load(&source, &root))
        .unwrap_or_default();
    let types = read(&faults, folder, "types.yaml")
        .map(|(source, root)| types::lower(&source, &root))
        .unwrap_or_default();
    let context = Context { document: &document, types: &types };
    let mut tools = Vec::new();
    for name in listed(&faults, folder, "tools") {
        if let Some((source, root)) = read(&faults, folder, &format!("tools/{name}")) {
            let stem = name.trim_end_matches(".yaml");
            tools.extend(tool::lower(&source, &root, stem, &context));
        }
    }
    let faults = faults.into_sorted();
    if faults.is_empty() {
        Ok(Spec { server: server.unwrap_or_default(), types, document, tools })
    } else {
        Err(faults)
    }
}

/// The YAML files of a folder, sorted, so that the same spec gives the same bytes everywhere.
fn listed(faults: &Faults, folder: &Path, name: &str) -> Vec<String> {
    let unreadable = |message: String| {
        let source = Source { file: file(name, String::new()), faults };
        source.fault("file-unreadable", &(0..0), message, "");
    };
    let entries = match std::fs::read_dir(folder.join(name)) {
        Ok(entries) => entries,
        Err(error) => {
            unreadable(format!("the folder cannot be read: {error}"));
            return Vec::new();
        }
    };
    let mut names = Vec::new();
    for entry in entries {
        match entry.map(|entry| entry.file_name().into_string()) {
            Ok(Ok(name)) if name.ends_with(".yaml") => names.push(name),
            // Editors leave backups and swap files; those are not ours to judge.
            Ok(Ok(other)) if other.starts_with('.') || other.ends_with('~') => {}
            Ok(Ok(other)) => unreadable(format!("`{other}` is not a .yaml file")),
            Ok(Err(other)) => unreadable(format!("{} is not a UTF-8 name", other.display())),
            Err(error) => unreadable(format!("the folder cannot be read: {error}")),
        }
    }
    names.sort();
    names
}

fn file(name: &str, text: String) -> Arc<File> {
    Arc::new(File { path: format!("spec/{name}"), text })
}

fn read<'f>(faults: &'f Faults, folder: &Path, name: &str) -> Option<(Source<'f>, Located<Node>)> {
    let text = match std::fs::read_to_string(folder.join(name)) {
        Ok(text) => text,
        Err(error) => {
            let source = Source { file: file(name, String::new()), faults };
            source.fault(
                "file-unreadable",
                &(0..0),
                format!("the file cannot be read: {error}"),
                "",
            );
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

fn server(source: &Source<'_>, root: &Located<Node>) -> Server {
    source.only("the server", root, &["title", "description", "instructions"]);
    let top = top(&root.span);
    let text = |name: &str| {
        source.required_text(&root.value, name, &top).map(|text| text.value).unwrap_or_default()
    };
    Server {
        title: text("title"),
        description: text("description"),
        instructions: text("instructions"),
    }
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
    }
}

/// Checks that a text is a sentence: capital first, full stop last, one line.
pub(crate) fn check_sentence(source: &Source<'_>, what: &str, text: &Located<String>) {
    let trimmed = text.value.trim();
    let capital =
        trimmed.chars().next().is_some_and(|first| first.is_uppercase() || first.is_numeric());
    if !capital || !trimmed.ends_with('.') || trimmed.contains('\n') {
        source.fault(
            "bad-text",
            &text.span,
            format!("the {what} is not a sentence with a full stop"),
            "",
        );
    }
}
