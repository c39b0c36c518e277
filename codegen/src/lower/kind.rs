//! One kind of view: what it reads, what it draws, and which part of that is its content.

use super::types::field_type;
use super::{Context, call, check_name, strings};
use crate::model::{ArgumentType, Callers, Field, FieldType, Kind, PayloadField, Rule, Tool};
use crate::node::{Located, Node};
use crate::reader::Source;
use std::ops::Range;

/// Every member a kind file may have.
const MEMBERS: &[&str] =
    &["kind", "title", "source", "takes", "calls", "payload", "refresh", "actions", "strings"];

/// A kind, and where the names stand that other files decide about.
pub(super) struct Placed {
    pub(super) kind: Kind,
    source_at: Range<usize>,
    takes_at: Vec<Located<String>>,
    actions_at: Vec<Located<String>>,
}

/// Reads a kind; `None` when it has faults that leave nothing to work with.
pub(super) fn lower(
    source: &Source<'_>,
    root: &Located<Node>,
    stem: &str,
    context: &Context<'_>,
) -> Option<Placed> {
    source.only("a kind", root, MEMBERS);
    let name = source.required_text(&root.value, "kind", &super::top(&root.span))?;
    check_name(source, &name);
    if name.value != stem {
        let message = format!("kind `{}` is in a file of another name", name.value);
        source.fault("name-differs-from-file", &name.span, message, "must match the file name");
    }
    let title = source.required_text(&root.value, "title", &name.span);
    if let Some(title) = &title
        && (!title.value.starts_with(|first: char| first.is_uppercase())
            || title.value.ends_with('.'))
    {
        let message = "the title is not a short phrase with a capital and no full stop";
        source.fault("bad-text", &title.span, message, "");
    }
    let drawn = source.required_text(&root.value, "source", &name.span);
    let takes = words(source, &root.value, "takes", &name.span);
    let actions = words(source, &root.value, "actions", &name.span);
    // Like a custom tool's: placeholders are filled from earlier answers, never from arguments.
    let around =
        call::Around { tool: &name, arguments: &[], stated: &[], custom: true, read_only: true };
    let calls = call::lower(source, root, context.document, &around);
    super::scope::check_kind_calls(source, context.document, &calls);
    let payload = payload(source, root, &name, context);
    let (in_motion, settled) = refresh(source, root, &name, &payload);
    let strings = strings::lower(source, root, &name);
    let drawn = drawn?;
    Some(Placed {
        kind: Kind {
            name: name.value,
            title: title.map(|title| title.value).unwrap_or_default(),
            source: drawn.value,
            takes: takes.iter().map(|word| word.value.clone()).collect(),
            calls: calls.into_iter().map(|(call, _)| call).collect(),
            payload: payload.into_iter().map(|(field, _)| field).collect(),
            in_motion,
            settled,
            actions: actions.iter().map(|word| word.value.clone()).collect(),
            strings,
        },
        source_at: drawn.span,
        takes_at: takes,
        actions_at: actions,
    })
}

fn words(source: &Source<'_>, node: &Node, name: &str, at: &Range<usize>) -> Vec<Located<String>> {
    if node.get(name).is_none() {
        source.missing(name, at);
    }
    let items = source.list(node, name).unwrap_or_default();
    items.iter().filter_map(|item| source.as_text(name, item)).collect()
}

type PlacedField = (PayloadField, Range<usize>);

fn payload(
    source: &Source<'_>,
    root: &Located<Node>,
    kind: &Located<String>,
    context: &Context<'_>,
) -> Vec<PlacedField> {
    if root.value.get("payload").is_none() {
        source.missing("payload", &kind.span);
    }
    let mut fields: Vec<PlacedField> = Vec::new();
    let mut totals: Vec<Located<String>> = Vec::new();
    for item in source.list(&root.value, "payload").unwrap_or_default() {
        let Some((field, span, total)) = field(source, item, context) else { continue };
        if fields.iter().any(|(other, _)| other.field.name == field.field.name) {
            let message = format!("the field `{}` is declared twice", field.field.name);
            source.fault("duplicate", &span, message, "");
        }
        totals.extend(total);
        fields.push((field, span));
    }
    for total in totals {
        if !fields.iter().any(|(field, _)| field.field.name == total.value) {
            let message = format!("`{}` is no field of this payload", total.value);
            source.fault("unknown-source", &total.span, message, "");
        }
    }
    fields
}

fn field(
    source: &Source<'_>,
    item: &Located<Node>,
    context: &Context<'_>,
) -> Option<(PayloadField, Range<usize>, Option<Located<String>>)> {
    if !source.is_map("a field", item) {
        return None;
    }
    source.only("a field", item, &["name", "type", "fingerprint", "why", "cap", "total"]);
    let name = source.required_text(&item.value, "name", &item.span)?;
    check_name(source, &name);
    let fingerprint = source.flag(&item.value, "fingerprint");
    if item.value.get("fingerprint").is_none() {
        source.missing("fingerprint", &name.span);
    }
    let why = source.text(&item.value, "why");
    if let Some(why) = &why {
        super::check_sentence(source, "reason", why);
    }
    if fingerprint.as_ref().is_some_and(|flag| flag.value) == why.is_some() {
        let message =
            format!("`{}` says why exactly when it is no part of the content", name.value);
        source.fault("fingerprint-unexplained", &name.span, message, "");
    }
    let (cap, total) = (source.integer(&item.value, "cap"), source.text(&item.value, "total"));
    if let (Some(cap), None) = (&cap, &total) {
        let message = format!("`{}` is cut and does not say what counts the whole", name.value);
        source.fault("cap-without-total", &cap.span, message, "");
    }
    let Some(node) = item.value.get("type") else {
        source.missing("type", &name.span);
        return None;
    };
    let names: Vec<&str> = context.types.keys().map(String::as_str).collect();
    let (kind, list) = field_type(source, node, &names)?;
    let field = Field {
        name: name.value,
        kind,
        list,
        optional: false,
        choices: Vec::new(),
        doc: why.map(|why| why.value).unwrap_or_default(),
    };
    let cap = cap.and_then(|cap| usize::try_from(cap.value).ok());
    let fingerprint = fingerprint.is_none_or(|flag| flag.value);
    Some((PayloadField { field, fingerprint, cap }, name.span, total))
}

fn refresh(
    source: &Source<'_>,
    root: &Located<Node>,
    kind: &Located<String>,
    payload: &[PlacedField],
) -> (Vec<String>, Vec<String>) {
    let Some(node) = source.map(&root.value, "refresh") else {
        if root.value.get("refresh").is_none() {
            source.missing("refresh", &kind.span);
        }
        return (Vec::new(), Vec::new());
    };
    source.only("refresh", node, &["in_motion", "settled"]);
    let flags = |name: &str| {
        let words = words(source, &node.value, name, &node.span);
        for word in &words {
            let is_flag = payload.iter().any(|(field, _)| {
                field.field.name == word.value
                    && field.field.kind == FieldType::Flag
                    && !field.field.list
            });
            if !is_flag {
                let message = format!("`{}` is no flag of this payload", word.value);
                source.fault("refresh-flag", &word.span, message, "");
            }
        }
        words.into_iter().map(|word| word.value).collect()
    };
    (flags("in_motion"), flags("settled"))
}

/// What only all files together can say: the tools a kind names, and the arguments it takes.
/// A tool whose file has faults is there, whatever else it is.
pub(super) fn check_against(
    source: &Source<'_>,
    placed: &Placed,
    tools: &[Tool],
    files: &[String],
) {
    let tool = |name: &str| tools.iter().find(|tool| tool.name == name);
    let there = |name: &str| {
        files.is_empty() || files.iter().any(|file| file.trim_end_matches(".yaml") == name)
    };
    if tool(&placed.kind.source).is_none() && !there(&placed.kind.source) {
        let message = format!("`{}` is no tool", placed.kind.source);
        source.fault("unknown-tool", &placed.source_at, message, "");
    }
    for action in &placed.actions_at {
        match tool(&action.value) {
            None if there(&action.value) => {}
            None => {
                let message = format!("`{}` is no tool", action.value);
                source.fault("unknown-tool", &action.span, message, "");
            }
            Some(tool) if tool.callers == Callers::Model => {
                let message = format!("views may not call `{}`", action.value);
                source.fault("action-not-for-views", &action.span, message, "");
            }
            Some(_) => {}
        }
    }
    for taken in &placed.takes_at {
        for drawing in tools.iter().filter(|tool| tool.kinds) {
            if !drawing.arguments.iter().any(|argument| argument.name == taken.value) {
                let message = format!("`{}` has no argument `{}`", drawing.name, taken.value);
                source.fault("unknown-source", &taken.span, message, "");
            }
        }
    }
}

/// Tools that draw kinds take exactly the kinds there are, and call what these call.
pub(super) fn complete(tools: &mut [Tool], kinds: &[Kind]) -> Vec<(String, String)> {
    let mut differences = Vec::new();
    let names: Vec<&str> = kinds.iter().map(|kind| kind.name.as_str()).collect();
    for tool in tools.iter_mut().filter(|tool| tool.kinds) {
        tool.calls = kinds.iter().flat_map(|kind| kind.calls.iter().cloned()).collect();
        let argument = tool.arguments.iter().find(|argument| argument.name == "kind");
        let words: Vec<&str> = match argument.map(|argument| &argument.kind) {
            Some(ArgumentType::Choice(words)) => {
                words.iter().map(|(word, _)| word.as_str()).collect()
            }
            _ => Vec::new(),
        };
        if words != names || tool.rule != Rule::OptionalProjectRepo {
            differences.push((tool.name.clone(), names.join(", ")));
        }
    }
    differences
}
