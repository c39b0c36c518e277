//! What a schema may say: enough to generate a client from, and nothing that would make the
//! client refuse what Bitbucket sends.

use super::{is_name, passes};
use crate::model::pascal;
use crate::node::{Located, Node};
use crate::reader::Source;

/// Members every schema may have; anything else would make the client refuse what Bitbucket sends.
const MEMBERS: &[&str] =
    &["type", "format", "description", "properties", "required", "items", "enum", "$ref"];

/// Members of schemas under components alone.
const MARKS: &[&str] = &["x-open-enum", "x-instant", "x-links", "x-repository", "x-words"];

const TYPES: &[&str] = &["string", "integer", "number", "boolean", "array", "object"];

/// Names of types that generated code uses by their plain names.
const TAKEN: &[&str] =
    &["Default", "Err", "None", "Ok", "Option", "Page", "Result", "Self", "Some", "String", "Vec"];

/// Lints a schema under components.
pub(super) fn component(
    source: &Source<'_>,
    name: &Located<String>,
    node: &Located<Node>,
    names: &[&str],
) {
    let mut letters = name.value.chars();
    let pascal = letters.next().is_some_and(|first| first.is_ascii_uppercase())
        && name.value.chars().all(|letter| letter.is_ascii_alphanumeric())
        && !name.value.chars().zip(letters).any(|(one, next)| {
            next.is_ascii_uppercase() && (one.is_ascii_uppercase() || one.is_ascii_digit())
                || next.is_ascii_digit()
        });
    if !pascal || TAKEN.contains(&name.value.as_str()) {
        let message = format!("`{}` cannot be a schema's name", name.value);
        source.fault("document-schema", &name.span, message, "");
    }
    let marks: Vec<&(Located<String>, Located<Node>)> = node
        .value
        .members()
        .iter()
        .filter(|(key, _)| matches!(key.value.as_str(), "x-open-enum" | "x-instant" | "x-links"))
        .collect();
    for (key, mark) in &marks {
        if mark.value != Node::Flag(true) || marks.len() > 1 {
            let message = format!("`{}` is one of several marks, or not `true`", key.value);
            source.fault("document-schema", &key.span, message, "");
        }
    }
    let is = |kind| node.value.get("type").and_then(|kind| kind.value.text()) == Some(kind);
    let wanted = match marks.first().map(|(key, _)| key.value.as_str()) {
        Some("x-instant") => "integer",
        Some("x-links") => "array",
        Some(_) => "string",
        None => "object",
    };
    if !is(wanted) {
        let message = match marks.first() {
            Some((key, _)) => format!("`{}` marks a schema of type {wanted}", key.value),
            None => format!("`{}` is neither an object nor marked as what it is", name.value),
        };
        source.fault("document-schema", &name.span, message, "");
    }
    if wanted == "string" && is("string") {
        words(source, name, node);
    } else if let Some(words) = node.value.get("enum") {
        closed(source, words);
    }
    if let (Some(words), true) = (node.value.get("x-words"), wanted != "string") {
        source.fault("document-schema", &words.span, "`x-words` stands with `x-open-enum`", "");
    }
    if let (Some(repository), true) = (node.value.get("x-repository"), wanted != "object") {
        source.fault("document-schema", &repository.span, "only an object has a repository", "");
    }
    members(source, node, names, MARKS);
}

fn closed(source: &Source<'_>, words: &Located<Node>) {
    source.fault("document-enum", &words.span, "this enumeration is closed", "");
}

/// The values of an open enumeration, each the name of a variant.
fn words(source: &Source<'_>, name: &Located<String>, node: &Located<Node>) {
    let items = source.list(&node.value, "enum").unwrap_or_default();
    if items.is_empty() && node.value.get("enum").is_none_or(|node| node.value.kind() == "a list") {
        let message = format!("`{}` lists no values under `enum`", name.value);
        source.fault("document-enum", &name.span, message, "");
    }
    let given = source.map(&node.value, "x-words");
    let mut seen: Vec<String> = Vec::new();
    for item in items {
        let Some(value) = source.as_text("enum", item) else { continue };
        let given = given.and_then(|given| given.value.get(&value.value));
        let given = given.and_then(|word| source.as_text("x-words", word));
        let word = given.map_or_else(|| value.value.to_lowercase(), |word| word.value);
        let variant = pascal(&word);
        if !is_name(&word) || matches!(variant.as_str(), "Other" | "Self") {
            let message = format!("`{}` does not become a word of ours", value.value);
            source.fault("document-enum", &value.span, message, "");
        } else if seen.contains(&variant) {
            let message = format!("`{}` is listed twice", value.value);
            source.fault("document-enum", &value.span, message, "");
        }
        seen.push(variant);
    }
    for (key, _) in given.map(|given| given.value.members()).unwrap_or_default() {
        if !items.iter().any(|item| item.value.text() == Some(&key.value)) {
            let message = format!("`{}` is no value of this enumeration", key.value);
            source.fault("document-enum", &key.span, message, "");
        }
    }
}

/// Lints a schema inside another, and everything inside it.
pub(super) fn inner(source: &Source<'_>, node: &Located<Node>, names: &[&str]) {
    if !source.is_map("a schema", node) {
        return;
    }
    if let Some(words) = node.value.get("enum") {
        closed(source, words);
    }
    if node.value.get("$ref").is_none() {
        match node.value.get("type") {
            None => {
                source.missing("type", &node.span);
            }
            Some(kind) if kind.value.text() == Some("object") => {
                let message = "this object has no name of its own";
                source.fault("document-inline-object", &kind.span, message, "");
            }
            Some(_) => {}
        }
    }
    members(source, node, names, &[]);
}

fn members(source: &Source<'_>, node: &Located<Node>, names: &[&str], marks: &[&str]) {
    let kind = source.text(&node.value, "type");
    let is = |wanted: &str| kind.as_ref().is_some_and(|kind| kind.value == wanted);
    if let Some(kind) = kind.as_ref().filter(|kind| !TYPES.contains(&kind.value.as_str())) {
        let message = format!("`{}` is no type of a schema", kind.value);
        source.fault("document-schema", &kind.span, message, "");
    }
    if is("integer")
        && node.value.get("format").and_then(|format| format.value.text()) != Some("int64")
    {
        let at = kind.as_ref().map_or(&node.span, |kind| &kind.span);
        source.fault("document-integer", at, "this integer is not 64 bits wide", "");
    }
    if is("array") && node.value.get("items").is_none() {
        source.missing("items", &node.span);
    }
    source.text(&node.value, "description");
    for (key, value) in node.value.members() {
        match key.value.as_str() {
            "$ref" => {
                let name =
                    value.value.text().and_then(|text| text.strip_prefix("#/components/schemas/"));
                if name.is_none_or(|name| !names.contains(&name)) {
                    let message = "this reference leads nowhere";
                    source.fault("document-reference", &value.span, message, "");
                }
                if node.value.get("type").is_some() {
                    let message = "a reference stands beside a type";
                    source.fault("document-schema", &key.span, message, "");
                }
            }
            "properties" if is("object") => properties(source, node, value, names),
            "required" if is("object") => required(source, node, value),
            "items" if is("array") => inner(source, value, names),
            "format" if is("integer") => {}
            "format" => {
                let message = "this format is one the client would enforce";
                source.fault("document-constraint", &key.span, message, "");
            }
            "properties" | "required" | "items" => {
                let message = format!("`{}` does not belong to this type", key.value);
                source.fault("document-schema", &key.span, message, "");
            }
            name if MEMBERS.contains(&name) || marks.contains(&name) => {}
            name if MARKS.contains(&name) => {
                let message = format!("`{name}` marks schemas under components only");
                source.fault("document-schema", &key.span, message, "");
            }
            name => {
                let message = format!("`{name}` would make the client refuse answers");
                source.fault("document-constraint", &key.span, message, "");
            }
        }
    }
    if is("object") && node.value.get("properties").is_none() {
        source.missing("properties", &node.span);
    }
}

fn properties(source: &Source<'_>, node: &Located<Node>, all: &Located<Node>, names: &[&str]) {
    if source.map(&node.value, "properties").is_none() {
        return;
    }
    let mut seen: Vec<&str> = Vec::new();
    for (key, property) in all.value.members() {
        let name = key.value.as_str();
        let plain = name.starts_with(|first: char| first.is_ascii_alphabetic())
            && name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
        if !plain {
            let message = format!("`{name}` is not a property's name of letters and digits");
            source.fault("document-schema", &key.span, message, "");
        } else if let Some(other) = seen.iter().find(|other| passes::same_name(other, name)) {
            let message = format!("`{name}` cannot be told from `{other}`");
            source.fault("duplicate", &key.span, message, "");
        }
        seen.push(name);
        inner(source, property, names);
    }
}

fn required(source: &Source<'_>, node: &Located<Node>, all: &Located<Node>) {
    for item in source.list(&node.value, "required").unwrap_or_default() {
        let Some(name) = source.as_text("required", item) else { continue };
        let properties = node.value.get("properties");
        if properties.is_none_or(|properties| properties.value.get(&name.value).is_none()) {
            let message = format!("the required `{}` is no property", name.value);
            source.fault("document-schema", &name.span, message, "");
        }
    }
    if all.value.items().is_empty() && matches!(all.value, Node::List(_)) {
        source.fault("document-schema", &all.span, "`required` lists nothing", "");
    }
}
