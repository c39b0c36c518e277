//! One tool file.

use super::{Context, answer, argument, call, check_sentence, check_type_name, scope};
use crate::document::is_name;
use crate::model::{Argument, ArgumentType, Asks, Callers, Tool};
use crate::node::{Located, Node};
use crate::reader::Source;

/// Every member a tool file may have.
const MEMBERS: &[&str] = &[
    "tool",
    "title",
    "group",
    "summary",
    "read_only",
    "destructive",
    "idempotent",
    "visibility",
    "asks",
    "asks_when",
    "asks_reason",
    "scope",
    "scope_reason",
    "arguments",
    "calls",
    "handler",
    "pages",
    "answer",
    "example",
];

/// Longest summary: the whole list of tools has to fit a model's budget.
const LONGEST_SUMMARY: usize = 160;

/// Reads a tool; `None` when it has faults that leave nothing to work with.
pub(super) fn lower(
    source: &Source<'_>,
    root: &Located<Node>,
    stem: &str,
    context: &Context<'_>,
) -> Option<Tool> {
    source.only("a tool", root, MEMBERS);
    let name = source.required_text(&root.value, "tool", &super::top(&root.span))?;
    check_type_name(source, &name);
    if name.value != stem {
        let message = format!("tool `{}` is in a file of another name", name.value);
        source.fault("name-differs-from-file", &name.span, message, "must match the file name");
    }
    let texts = texts(source, root, &name);
    let read_only = source.flag(&root.value, "read_only");
    if read_only.is_none() && root.value.get("read_only").is_none() {
        source.missing("read_only", &name.span);
    }
    let read_only = read_only.is_none_or(|flag| flag.value);
    let custom = source.text(&root.value, "handler").is_some_and(|handler| {
        if handler.value != "custom" {
            source.fault(
                "wrong-kind",
                &handler.span,
                format!("`{}` is no handler; it is custom or absent", handler.value),
                "",
            );
        }
        true
    });
    if let (false, Some(scope)) = (custom, root.value.get("scope"))
        && scope.value.text() == Some("optional_project_repo")
    {
        let message = format!("`{}` has two ways to go and no handler to choose", name.value);
        source.fault("rule-needs-handler", &scope.span, message, "");
    }
    let mut arguments = argument::lower(source, &root.value);
    let stated = argument::stated(&root.value);
    let rule = scope::lower(source, root, &name, &arguments, &stated);
    let around =
        call::Around { tool: &name, arguments: &arguments, stated: &stated, custom, read_only };
    let before = source.faults.count();
    let calls = call::lower(source, root, context.document, &around);
    if let Some((rule, _, at)) = &rule {
        scope::check_calls(source, *rule, at, context.document, custom, &calls);
    }
    // What a faulty call sends is not known.
    let whole = source.faults.count() == before && !context.document.json.is_null();
    if whole && !custom && rule.is_some() && calls.len() == listed(root) {
        call::unused(source, &around, &calls, context.document);
    }
    let answer = answer::lower(source, root, &name, custom, &calls, context);
    let asks = asks(source, root, &name, read_only, &arguments);
    let callers = callers(source, root, read_only);
    let (destructive, idempotent) = effects(source, root, &name, read_only);
    let own_pages = source.flag(&root.value, "pages").filter(|pages| pages.value);
    if let Some(pages) = &own_pages
        && !custom
    {
        source.fault(
            "pages-misplaced",
            &pages.span,
            "a declared tool pages by one of its calls",
            "",
        );
    }
    let pages = own_pages.is_some() || calls.iter().any(|(call, _)| call.pages);
    if pages {
        add_paging(source, &mut arguments);
    }
    example(source, root, &name, &arguments, &stated);
    let draws = root.value.get("calls").is_some_and(|calls| calls.value.text() == Some("kinds"))
        && call::DRAW_KINDS.contains(&name.value.as_str());
    let (rule, reason, _) = rule?;
    Some(Tool {
        title: texts.0,
        group: texts.1,
        summary: texts.2,
        name: name.value,
        read_only,
        destructive,
        idempotent,
        callers,
        asks,
        rule,
        reason,
        arguments: arguments.into_iter().map(|(argument, _)| argument).collect(),
        calls: calls.into_iter().map(|(call, _)| call).collect(),
        custom,
        example: root.value.get("example").map(|example| example.value.json()).unwrap_or_default(),
        kinds: draws,
        pages,
        answer: answer?,
    })
}

fn listed(root: &Located<Node>) -> usize {
    root.value.get("calls").map_or(0, |calls| calls.value.items().len())
}

fn texts(
    source: &Source<'_>,
    root: &Located<Node>,
    name: &Located<String>,
) -> (String, String, String) {
    let title = source.required_text(&root.value, "title", &name.span);
    if let Some(title) = &title
        && (!title.value.starts_with(|first: char| first.is_uppercase())
            || title.value.ends_with('.')
            || title.value.contains(char::is_control)
            || title.value.len() > 60)
    {
        source.fault(
            "bad-text",
            &title.span,
            "the title is not a short phrase with a capital and no full stop",
            "",
        );
    }
    let group = source.required_text(&root.value, "group", &name.span);
    if let Some(group) = group.as_ref().filter(|group| !is_name(&group.value)) {
        source.fault("bad-name", &group.span, format!("`{}` is no group", group.value), "");
    }
    let summary = source.required_text(&root.value, "summary", &name.span);
    if let Some(summary) = &summary {
        check_sentence(source, "summary", summary);
        if summary.value.chars().count() > LONGEST_SUMMARY {
            source.fault(
                "bad-text",
                &summary.span,
                format!("the summary is longer than {LONGEST_SUMMARY} characters"),
                "",
            );
        }
    }
    let value = |text: Option<Located<String>>| {
        text.map(|text| text.value.trim().to_owned()).unwrap_or_default()
    };
    (value(title), value(group), value(summary))
}

fn asks(
    source: &Source<'_>,
    root: &Located<Node>,
    name: &Located<String>,
    read_only: bool,
    arguments: &[argument::Placed],
) -> Asks {
    let asks = source.text(&root.value, "asks");
    let when = source.text(&root.value, "asks_when");
    if let Some(reason) = source.text(&root.value, "asks_reason") {
        check_sentence(source, "reason", &reason);
    }
    if read_only {
        if let Some(asks) = &asks {
            source.fault(
                "read-only-asks",
                &asks.span,
                format!("`{}` writes nothing and asks", name.value),
                "",
            );
        }
        return Asks::Never;
    }
    match asks.as_ref().map(|asks| asks.value.as_str()) {
        Some("always") => Asks::Always,
        Some("when_present") => match when {
            Some(when) if arguments.iter().any(|(argument, _)| argument.name == when.value) => {
                Asks::WhenPresent(when.value)
            }
            Some(when) => {
                source.fault(
                    "unknown-source",
                    &when.span,
                    format!("`{}` is no argument of this tool", when.value),
                    "",
                );
                Asks::Always
            }
            None => {
                source.missing("asks_when", &name.span);
                Asks::Always
            }
        },
        Some("never") => {
            if root.value.get("asks_reason").is_none() {
                source.fault(
                    "never-asks-unexplained",
                    &name.span,
                    format!("`{}` writes and never asks", name.value),
                    "",
                );
            }
            Asks::Never
        }
        Some(other) => {
            let span = asks.as_ref().map_or(&name.span, |asks| &asks.span);
            source.fault(
                "wrong-kind",
                span,
                format!("`{other}` is none of never, always, when_present"),
                "",
            );
            Asks::Always
        }
        None => {
            source.missing("asks", &name.span);
            Asks::Always
        }
    }
}

fn callers(source: &Source<'_>, root: &Located<Node>, read_only: bool) -> Callers {
    let Some(node) = root.value.get("visibility") else { return Callers::Model };
    let words: Vec<&str> = node.value.items().iter().filter_map(|word| word.value.text()).collect();
    match words.as_slice() {
        ["app"] => {
            if !read_only {
                source.fault(
                    "app-only-writes",
                    &node.span,
                    "a tool that only views may call writes",
                    "",
                );
            }
            Callers::App
        }
        ["model", "app"] => Callers::ModelAndApp,
        _ => {
            source.fault(
                "wrong-kind",
                &node.span,
                "visibility is [app] or [model, app], or left out for the model alone",
                "",
            );
            Callers::Model
        }
    }
}

fn effects(
    source: &Source<'_>,
    root: &Located<Node>,
    name: &Located<String>,
    read_only: bool,
) -> (bool, bool) {
    let flag = |member: &str| {
        let flag = source.flag(&root.value, member);
        match (&flag, read_only) {
            (Some(flag), true) => {
                source.fault(
                    "unknown-member",
                    &flag.span,
                    format!("`{member}` is said of writing tools only"),
                    "",
                );
            }
            (None, false) => source.missing(member, &name.span),
            _ => {}
        }
        flag.map(|flag| flag.value)
    };
    let (destructive, idempotent) = (flag("destructive"), flag("idempotent"));
    // A reading tool changes nothing however often it is called.
    (destructive.unwrap_or(false), idempotent.unwrap_or(read_only))
}

/// `pages: true` adds these two.
fn add_paging(source: &Source<'_>, arguments: &mut Vec<argument::Placed>) {
    for (argument, span) in arguments.iter() {
        if matches!(argument.name.as_str(), "limit" | "cursor") {
            source.fault("duplicate", span, format!("`{}` is added by `pages`", argument.name), "");
        }
    }
    let added = |name: &str, kind, default, (min, max), doc: &str| {
        let argument = Argument {
            name: name.to_owned(),
            kind,
            required: false,
            default,
            min,
            max,
            doc: doc.to_owned(),
        };
        (argument, 0..0)
    };
    arguments.push(added(
        "limit",
        ArgumentType::Count,
        Some(25.into()),
        (Some(1), Some(100)),
        "Most elements to answer.",
    ));
    arguments.push(added(
        "cursor",
        ArgumentType::Text,
        None,
        (None, Some(200)),
        "`next_cursor` of the previous answer.",
    ));
}

fn example(
    source: &Source<'_>,
    root: &Located<Node>,
    name: &Located<String>,
    arguments: &[argument::Placed],
    stated: &[&str],
) {
    let Some(node) = source.map(&root.value, "example") else {
        if root.value.get("example").is_none() {
            source.missing("example", &name.span);
        }
        return;
    };
    for (key, value) in node.value.members() {
        match arguments.iter().find(|(argument, _)| argument.name == key.value) {
            Some((argument, _)) if !argument::takes(argument, &value.value) => {
                let message = format!("`{}` does not take this value", key.value);
                source.fault("bad-example", &value.span, message, "");
            }
            None if !stated.contains(&key.value.as_str()) => {
                let message = format!("the tool has no argument `{}`", key.value);
                source.fault("bad-example", &key.span, message, "");
            }
            _ => {}
        }
    }
    for (argument, _) in arguments.iter().filter(|(argument, _)| argument.required) {
        // Only a required argument needs to be there; what it holds was checked above.
        if node.value.get(&argument.name).is_none() {
            source.fault(
                "bad-example",
                &node.span,
                format!("the required argument `{}` is missing", argument.name),
                "",
            );
        }
    }
}
