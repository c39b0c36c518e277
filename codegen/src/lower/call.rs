//! Calls of operations.

use super::argument::Placed;
use crate::document::{Document, Operation};
use crate::model::{ArgumentType, Call, Source as Value};
use crate::node::{Located, Node};
use crate::reader::Source;
use std::ops::Range;

/// What a call needs to know of its tool.
pub(super) struct Around<'a> {
    pub(super) tool: &'a Located<String>,
    pub(super) arguments: &'a [Placed],
    pub(super) custom: bool,
    pub(super) read_only: bool,
}

/// Reads the calls, each with its operation's place.
pub(super) fn lower(
    source: &Source<'_>,
    root: &Located<Node>,
    document: &Document,
    around: &Around<'_>,
) -> Vec<(Call, Range<usize>)> {
    let Some(node) = root.value.get("calls") else {
        source.missing("calls", &around.tool.span);
        return Vec::new();
    };
    if node.value.text() == Some("kinds") {
        source.fault(
            "kinds-not-here",
            &node.span,
            format!("`{}` draws no kinds", around.tool.value),
            "",
        );
        return Vec::new();
    }
    let items = source.list(&root.value, "calls").unwrap_or_default();
    let mut calls: Vec<(Call, Range<usize>)> = Vec::new();
    for (index, item) in items.iter().enumerate() {
        let Some((call, span)) = call(source, item, document, around) else { continue };
        let taken =
            calls.iter().any(|(other, _)| !other.name.is_empty() && other.name == call.name);
        if (index > 0 && call.name.is_empty()) || taken {
            source.fault("call-unnamed", &span, "this call's answer has no name of its own", "");
        }
        if call.pages && calls.iter().any(|(other, _)| other.pages) {
            source.fault("pages-misplaced", &span, "a second paged call", "");
        }
        calls.push((call, span));
    }
    if !around.custom {
        unused(source, around, &calls, document);
    }
    calls
}

fn call(
    source: &Source<'_>,
    item: &Located<Node>,
    document: &Document,
    around: &Around<'_>,
) -> Option<(Call, Range<usize>)> {
    if !source.is_map("a call", item) {
        return None;
    }
    source.only("a call", item, &["operation", "as", "path", "query", "pages"]);
    let signature = source.required_text(&item.value, "operation", &item.span)?;
    let Some(index) = document.find(&signature.value) else {
        // A document with faults of its own lacks operations that are there; one fault is enough.
        if source.faults.count() == 0 || !document.operations.is_empty() {
            let message = format!("{} is not in the document", signature.value);
            source.fault("unknown-operation", &signature.span, message, "");
        }
        return None;
    };
    let operation = &document.operations[index];
    if around.read_only && operation.method != "GET" {
        let message =
            format!("`{}` is read only and calls an operation that writes", around.tool.value);
        source.fault("read-only-writes", &signature.span, message, "not a GET");
    }
    let pages = source.flag(&item.value, "pages");
    if let Some(pages) = pages.as_ref().filter(|pages| pages.value)
        && (document.page_of(operation).is_none() || around.custom)
    {
        let message = if around.custom {
            "a custom tool says `pages: true` itself"
        } else {
            "this operation has no pages"
        };
        source.fault("pages-misplaced", &pages.span, message, "");
    }
    let name = source.text(&item.value, "as").map(|name| name.value).unwrap_or_default();
    let call = Call {
        operation: index,
        name,
        path: path(source, item, operation, around, &signature.span),
        query: query(source, item, operation, around),
        pages: pages.is_some_and(|pages| pages.value),
    };
    Some((call, signature.span))
}

/// Values of the placeholders: stated, else the argument of the same name. Custom tools fill them
/// in their handlers, often from an earlier answer.
fn path(
    source: &Source<'_>,
    item: &Located<Node>,
    operation: &Operation,
    around: &Around<'_>,
    at: &Range<usize>,
) -> Vec<(String, Value)> {
    let stated = source.map(&item.value, "path");
    for (key, _) in stated.map(|stated| stated.value.members()).unwrap_or_default() {
        let known = operation.placeholders().any(|parameter| parameter.name == key.value);
        if !known || matches!(key.value.as_str(), "project" | "repo") {
            source.fault(
                "unknown-query",
                &key.span,
                format!("`{}` is no free placeholder of this path", key.value),
                "",
            );
        }
    }
    let mut values = Vec::new();
    for parameter in operation.placeholders() {
        if around.custom || matches!(parameter.name.as_str(), "project" | "repo") {
            continue;
        }
        let value = match stated.and_then(|stated| stated.value.get(&parameter.name)) {
            Some(node) => value(source, &parameter.name, node, around),
            None => {
                declared(around, &parameter.name).map(|_| Value::Argument(parameter.name.clone()))
            }
        };
        let required = match &value {
            Some(Value::Argument(name)) => {
                declared(around, name).is_some_and(|argument| argument.0.required)
            }
            Some(Value::Constant(_)) => true,
            None => false,
        };
        match value.filter(|_| required) {
            Some(value) => values.push((parameter.name.clone(), value)),
            None => {
                let message = format!("nothing required gives `{{{}}}` its value", parameter.name);
                source.fault("placeholder-unbound", at, message, "");
            }
        }
    }
    values
}

fn query(
    source: &Source<'_>,
    item: &Located<Node>,
    operation: &Operation,
    around: &Around<'_>,
) -> Vec<(String, Value)> {
    let mut values = Vec::new();
    for (key, node) in
        source.map(&item.value, "query").map(|query| query.value.members()).unwrap_or_default()
    {
        if operation.query(&key.value).is_none() {
            let message = format!("{} has no query member `{}`", operation.signature(), key.value);
            source.fault("unknown-query", &key.span, message, "");
            continue;
        }
        if let Some(value) = value(source, &key.value, node, around) {
            values.push((key.value.clone(), value));
        }
    }
    values
}

fn value(
    source: &Source<'_>,
    name: &str,
    node: &Located<Node>,
    around: &Around<'_>,
) -> Option<Value> {
    let text = source.as_text(name, node)?;
    if let Some(constant) = text.value.strip_prefix('=') {
        return Some(Value::Constant(constant.to_owned()));
    }
    if declared(around, &text.value).is_none() {
        source.fault(
            "unknown-source",
            &text.span,
            format!("`{}` is no argument of this tool", text.value),
            "",
        );
        return None;
    }
    Some(Value::Argument(text.value))
}

fn declared<'a>(around: &Around<'a>, name: &str) -> Option<&'a Placed> {
    around.arguments.iter().find(|(argument, _)| argument.name == name)
}

/// Every argument of a declared tool is sent by some call, or bound by its handle.
fn unused(
    source: &Source<'_>,
    around: &Around<'_>,
    calls: &[(Call, Range<usize>)],
    document: &Document,
) {
    for (argument, span) in around.arguments {
        let wanted = Value::Argument(argument.name.clone());
        let sent = calls.iter().any(|(call, _)| {
            call.path.iter().chain(&call.query).any(|(_, value)| *value == wanted)
                || document.operations[call.operation]
                    .placeholders()
                    .any(|parameter| parameter.name == argument.name)
        });
        let bound = matches!(argument.kind, ArgumentType::ProjectKey | ArgumentType::RepoSlug);
        if !sent && !(bound && calls.is_empty()) {
            source.fault("argument-unused", span, format!("no call sends `{}`", argument.name), "");
        }
    }
}
