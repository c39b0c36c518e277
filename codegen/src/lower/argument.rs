//! Arguments of a tool.

use super::{check_name, check_sentence, check_type_name};
use crate::model::{Argument, ArgumentType};
use crate::node::{Located, Node};
use crate::reader::Source;

/// An argument and where its name stands.
pub(super) type Placed = (Argument, std::ops::Range<usize>);

/// The names of all arguments, also of those that have faults.
pub(super) fn stated(root: &Node) -> Vec<&str> {
    let items = root.get("arguments").map(|node| node.value.items()).unwrap_or_default();
    items.iter().filter_map(|item| item.value.get("name")?.value.text()).collect()
}

/// Reads the arguments, in order.
pub(super) fn lower(source: &Source<'_>, node: &Node) -> Vec<Placed> {
    let mut arguments: Vec<Placed> = Vec::new();
    for item in source.list(node, "arguments").unwrap_or_default() {
        let Some(placed) = argument(source, item) else { continue };
        if arguments.iter().any(|(other, _)| other.name == placed.0.name) {
            source.fault(
                "duplicate",
                &placed.1,
                format!("the argument `{}` is declared twice", placed.0.name),
                "",
            );
        }
        arguments.push(placed);
    }
    arguments
}

fn argument(source: &Source<'_>, item: &Located<Node>) -> Option<Placed> {
    if !source.is_map("an argument", item) {
        return None;
    }
    source.only(
        "an argument",
        item,
        &["name", "type", "required", "default", "min", "max", "choices", "doc"],
    );
    let name = source.required_text(&item.value, "name", &item.span)?;
    let doc = source.required_text(&item.value, "doc", &name.span);
    if let Some(doc) = &doc {
        check_sentence(source, "doc", doc);
    }
    let kind = kind(source, item, &name)?;
    if matches!(kind, ArgumentType::Choice(_)) {
        check_type_name(source, &name);
    } else {
        check_name(source, &name);
    }
    repository_names(source, &name, &kind);
    let required = source.flag(&item.value, "required").is_some_and(|flag| flag.value);
    let (min, max) = (source.integer(&item.value, "min"), source.integer(&item.value, "max"));
    for bound in [&min, &max].into_iter().flatten() {
        if !matches!(kind, ArgumentType::Count | ArgumentType::Text) || bound.value < 0 {
            source.fault(
                "range-misplaced",
                &bound.span,
                format!("`{}` takes no bound like this", name.value),
                "",
            );
        }
    }
    if let (Some(least), Some(most)) = (&min, &max)
        && least.value > most.value
    {
        source.fault("range-misplaced", &most.span, "the range is empty", "");
    }
    let (min, max) = (min.map(|bound| bound.value), max.map(|bound| bound.value));
    let argument = Argument {
        default: default(source, item, &name, &kind, required, (min, max)),
        doc: doc.map(|doc| doc.value.trim().to_owned()).unwrap_or_default(),
        name: name.value,
        kind,
        required,
        min,
        max,
    };
    Some((argument, name.span))
}

fn kind(source: &Source<'_>, item: &Located<Node>, name: &Located<String>) -> Option<ArgumentType> {
    let Some(node) = item.value.get("type") else {
        source.missing("type", &name.span);
        return None;
    };
    let choices = item.value.get("choices");
    let word = match &node.value {
        Node::Text(text) => text.as_str(),
        Node::List(items) if items.len() == 1 && items[0].value.text() == Some("text") => "[text]",
        _ => "",
    };
    if let (Some(choices), true) = (choices, word != "choice") {
        source.fault(
            "choices-misplaced",
            &choices.span,
            format!("`{}` is not of type `choice`", name.value),
            "",
        );
    }
    Some(match word {
        "text" => ArgumentType::Text,
        "project_key" => ArgumentType::ProjectKey,
        "repo_slug" => ArgumentType::RepoSlug,
        "pull_request_id" => ArgumentType::PullRequestId,
        "commit" => ArgumentType::Commit,
        "ref" => ArgumentType::Ref,
        "path" => ArgumentType::Path,
        "user" => ArgumentType::User,
        "count" => ArgumentType::Count,
        "flag" => ArgumentType::Flag,
        "[text]" => ArgumentType::Texts,
        "choice" => ArgumentType::Choice(words(source, choices, node, name)?),
        _ => {
            source.fault(
                "unknown-type",
                &node.span,
                format!("`{word}` is no type of an argument"),
                "",
            );
            return None;
        }
    })
}

/// A list of words, or words with their values on the wire.
fn words(
    source: &Source<'_>,
    choices: Option<&Located<Node>>,
    kind: &Located<Node>,
    name: &Located<String>,
) -> Option<Vec<(String, String)>> {
    let words: Vec<(String, String)> = match choices.map(|choices| &choices.value) {
        Some(Node::List(items)) => items
            .iter()
            .filter_map(|item| source.as_text("choices", item))
            .map(|word| (word.value.clone(), word.value))
            .collect(),
        Some(Node::Map(members)) => members
            .iter()
            .filter_map(|(word, wire)| {
                Some((word.value.clone(), source.as_text("choices", wire)?.value))
            })
            .collect(),
        _ => Vec::new(),
    };
    let names = words.iter().all(|(word, _)| crate::document::is_name(word) && word != "self");
    let once = words
        .iter()
        .enumerate()
        .all(|(index, (word, _))| words[..index].iter().all(|(other, _)| other != word));
    if words.is_empty() || !names || !once {
        let span = choices.map_or(&kind.span, |choices| &choices.span);
        let message = format!("`{}` does not list lower-case words, each once", name.value);
        source.fault("choices-misplaced", span, message, "");
        return None;
    }
    Some(words)
}

/// `project` and `repo` are what rules bind, so they mean one thing, and nothing else means it.
fn repository_names(source: &Source<'_>, name: &Located<String>, kind: &ArgumentType) {
    let is_project = name.value == "project";
    let is_repo = name.value == "repo";
    let fits = is_project == (*kind == ArgumentType::ProjectKey)
        && is_repo == (*kind == ArgumentType::RepoSlug);
    if !fits {
        let message =
            format!("`{}` names a project or a repository that no rule binds", name.value);
        source.fault("second-repository", &name.span, message, "");
    }
}

fn default(
    source: &Source<'_>,
    item: &Located<Node>,
    name: &Located<String>,
    kind: &ArgumentType,
    required: bool,
    (min, max): (Option<i64>, Option<i64>),
) -> Option<serde_json::Value> {
    let node = item.value.get("default")?;
    let fits = match (kind, &node.value) {
        (ArgumentType::Count, Node::Integer(number)) => {
            min.is_none_or(|min| *number >= min) && max.is_none_or(|max| *number <= max)
        }
        (ArgumentType::Flag, Node::Flag(_))
        | (ArgumentType::Text | ArgumentType::Ref, Node::Text(_)) => true,
        (ArgumentType::Choice(words), Node::Text(text)) => {
            words.iter().any(|(word, _)| word == text)
        }
        _ => false,
    };
    if required || !fits {
        source.fault(
            "default-misplaced",
            &node.span,
            format!("this is no default for `{}`", name.value),
            "",
        );
        return None;
    }
    Some(node.value.json())
}

/// Whether a value of an example is one the argument takes.
pub(super) fn takes(argument: &Argument, value: &Node) -> bool {
    match (&argument.kind, value) {
        (ArgumentType::Count | ArgumentType::PullRequestId, Node::Integer(number)) => {
            argument.min.is_none_or(|min| *number >= min)
                && argument.max.is_none_or(|max| *number <= max)
        }
        (ArgumentType::Flag, Node::Flag(_)) | (ArgumentType::Texts, Node::List(_)) => true,
        (ArgumentType::Choice(words), Node::Text(text)) => {
            words.iter().any(|(word, _)| word == text)
        }
        (ArgumentType::Commit, Node::Text(text)) => {
            text.len() == 40 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
        }
        (
            ArgumentType::Text
            | ArgumentType::ProjectKey
            | ArgumentType::RepoSlug
            | ArgumentType::Ref
            | ArgumentType::Path
            | ArgumentType::User,
            Node::Text(text),
        ) => !text.is_empty(),
        _ => false,
    }
}
