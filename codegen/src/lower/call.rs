//! Calls of operations.

use super::argument::Placed;
use super::check_name;
use crate::document::schema::Kind;
use crate::document::{Document, Operation, Parameter};
use crate::model::{Argument, ArgumentType, Call, Source as Value};
use crate::node::{Located, Node};
use crate::reader::Source;
use std::ops::Range;

/// The tools that draw kinds of views.
pub(super) const DRAW_KINDS: &[&str] = &["show", "refresh_view"];

/// What a call needs to know of its tool.
pub(super) struct Around<'a> {
    pub(super) tool: &'a Located<String>,
    pub(super) arguments: &'a [Placed],
    /// The names of all arguments, also of those with faults.
    pub(super) stated: &'a [&'a str],
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
        if !DRAW_KINDS.contains(&around.tool.value.as_str()) {
            let message = format!("`{}` draws no kinds", around.tool.value);
            source.fault("kinds-not-here", &node.span, message, "");
        }
        return Vec::new();
    }
    let items = source.list(&root.value, "calls").unwrap_or_default();
    if items.is_empty() && matches!(node.value, Node::List(_)) {
        source.fault("missing-member", &node.span, "`calls` lists no operation", "");
    }
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
    let (index, operation) = operation(source, &signature, document)?;
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
    let name = source.text(&item.value, "as");
    if let Some(name) = &name {
        check_name(source, name);
    }
    let name = name.map(|name| name.value).unwrap_or_default();
    let call = Call {
        operation: index,
        name,
        path: path(source, item, operation, around, &signature.span),
        query: query(source, item, operation, around),
        pages: pages.is_some_and(|pages| pages.value)
            && document.page_of(operation).is_some()
            && !around.custom,
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
            Some(node) => value(source, parameter, node, around),
            None => declared(around, &parameter.name).map(|(argument, span)| {
                fits(source, parameter, argument, span);
                Value::Argument(parameter.name.clone())
            }),
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
    let paged = item.value.get("pages").is_some_and(|pages| pages.value == Node::Flag(true));
    let mut values = Vec::new();
    for (key, node) in
        source.map(&item.value, "query").map(|query| query.value.members()).unwrap_or_default()
    {
        let Some(parameter) = operation.query(&key.value) else {
            let message = format!("{} has no query member `{}`", operation.signature(), key.value);
            let known: Vec<&str> = operation
                .parameters
                .iter()
                .filter(|parameter| !parameter.in_path)
                .map(|parameter| parameter.name.as_str())
                .collect();
            let help = format!("members are {}", known.join(", "));
            if known.is_empty() {
                source.fault("unknown-query", &key.span, message, "");
            } else {
                source.fault_with_help("unknown-query", &key.span, message, "", &help);
            }
            continue;
        };
        let before = source.faults.count();
        let Some(value) = value(source, parameter, node, around) else { continue };
        // An argument of that name is told elsewhere; a value with a fault has had its own.
        let told = value == Value::Argument(key.value.clone()) || source.faults.count() > before;
        if paged && matches!(key.value.as_str(), "start" | "limit") && !told {
            let message = format!("`pages` sets `{}` itself", key.value);
            source.fault("pages-misplaced", &key.span, message, "");
        }
        values.push((key.value.clone(), value));
    }
    values
}

fn value(
    source: &Source<'_>,
    parameter: &Parameter,
    node: &Located<Node>,
    around: &Around<'_>,
) -> Option<Value> {
    let text = source.as_text(&parameter.name, node)?;
    if let Some(constant) = text.value.strip_prefix('=') {
        let fits = match parameter.kind {
            // A path takes constants as texts only.
            Kind::Integer => !parameter.in_path && constant.parse::<i64>().is_ok(),
            Kind::Flag => matches!(constant, "true" | "false"),
            _ => true,
        };
        if !fits {
            let message =
                format!("`{}` takes {}, not `{constant}`", parameter.name, wanted(&parameter.kind));
            source.fault("source-of-wrong-type", &text.span, message, "");
        }
        return Some(Value::Constant(constant.to_owned()));
    }
    let Some((argument, _)) = declared(around, &text.value) else {
        if around.stated.contains(&text.value.as_str()) {
            return None;
        }
        let message = format!("`{}` is no argument of this tool", text.value);
        source.fault("unknown-source", &text.span, message, "");
        return None;
    };
    fits(source, parameter, argument, &text.span);
    Some(Value::Argument(text.value))
}

/// What a member takes, in words.
fn wanted(kind: &Kind) -> &'static str {
    match kind {
        Kind::Integer => "a whole number",
        Kind::Flag => "true or false",
        _ => "a text",
    }
}

/// Checks that an argument has the type that the member it is sent as takes.
fn fits(source: &Source<'_>, parameter: &Parameter, argument: &Argument, at: &Range<usize>) {
    let fits = match &argument.kind {
        ArgumentType::Count | ArgumentType::PullRequestId => parameter.kind == Kind::Integer,
        ArgumentType::Flag => parameter.kind == Kind::Flag,
        ArgumentType::Choice(_) => parameter.kind == Kind::Text && !parameter.in_path,
        ArgumentType::Texts => false,
        _ => parameter.kind == Kind::Text,
    };
    if !fits {
        let message = format!(
            "`{}` takes {}, which the argument `{}` is not",
            parameter.name,
            wanted(&parameter.kind),
            argument.name
        );
        source.fault("source-of-wrong-type", at, message, "");
    }
}

fn declared<'a>(around: &Around<'a>, name: &str) -> Option<&'a Placed> {
    around.arguments.iter().find(|(argument, _)| argument.name == name)
}

/// Finds an operation by its method and path.
pub(super) fn operation<'d>(
    source: &Source<'_>,
    signature: &Located<String>,
    document: &'d Document,
) -> Option<(usize, &'d Operation)> {
    if let Some(index) = document.find(&signature.value) {
        return Some((index, &document.operations[index]));
    }
    // An operation with faults of its own, or of a document that cannot be read, is there; one
    // fault is enough.
    if !document.mentions(&signature.value) && !document.json.is_null() {
        let message = format!("{} is not in the document", signature.value);
        source.fault("unknown-operation", &signature.span, message, "");
    }
    None
}

/// Every argument of a declared tool is sent by some call, or bound by its handle.
pub(super) fn unused(
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
        if !sent {
            source.fault("argument-unused", span, format!("no call sends `{}`", argument.name), "");
        }
    }
}
