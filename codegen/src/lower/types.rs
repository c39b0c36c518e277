//! `spec/types.yaml`: the named types of custom tools' answers.

use super::{check_name, check_type_name};
use crate::model::{Field, FieldType, NamedType};
use crate::node::{Located, Node};
use crate::reader::Source;
use std::collections::BTreeMap;
use std::ops::Range;

/// The built-in types of fields.
const BUILT_IN: &[&str] = &["text", "count", "flag", "instant", "person"];

pub(super) fn lower(source: &Source<'_>, root: &Located<Node>) -> BTreeMap<String, NamedType> {
    let mut types = BTreeMap::new();
    let names: Vec<&str> = root.value.members().iter().map(|(key, _)| key.value.as_str()).collect();
    for (key, node) in root.value.members() {
        check_type_name(source, key);
        if BUILT_IN.contains(&key.value.as_str()) {
            source.fault("duplicate", &key.span, format!("`{}` is built in", key.value), "");
        }
        if !source.is_map(&key.value, node) {
            continue;
        }
        let fields = node
            .value
            .members()
            .iter()
            .filter_map(|(name, value)| field(source, name, value, &names))
            .collect();
        types.insert(key.value.clone(), NamedType { fields });
    }
    for (key, _) in root.value.members() {
        if reaches(&types, &key.value, &key.value, &mut Vec::new()) {
            source.fault("type-recursive", &key.span, format!("`{}` holds itself", key.value), "");
        }
    }
    types
}

fn reaches<'t>(
    types: &'t BTreeMap<String, NamedType>,
    from: &'t str,
    to: &str,
    seen: &mut Vec<&'t str>,
) -> bool {
    if seen.contains(&from) {
        return false;
    }
    seen.push(from);
    types.get(from).is_some_and(|named| {
        named.fields.iter().any(|field| match &field.kind {
            FieldType::Named(next) => next == to || reaches(types, next, to, seen),
            _ => false,
        })
    })
}

fn field(
    source: &Source<'_>,
    name: &Located<String>,
    node: &Located<Node>,
    names: &[&str],
) -> Option<Field> {
    check_name(source, name);
    let (kind, optional, choices, doc) = match &node.value {
        Node::Map(_) => {
            source.only("a field", node, &["type", "optional", "choices", "doc"]);
            let choices = source.list(&node.value, "choices").unwrap_or_default();
            let choices = choices
                .iter()
                .filter_map(|word| source.as_text("choices", word))
                .inspect(|word| check_name(source, word))
                .map(|word| word.value)
                .collect();
            let optional = source.flag(&node.value, "optional").is_some_and(|flag| flag.value);
            let doc = source.text(&node.value, "doc");
            if let Some(doc) = &doc {
                super::check_sentence(source, "doc", doc);
            }
            let Some(kind) = node.value.get("type") else {
                source.missing("type", &name.span);
                return None;
            };
            (
                kind,
                optional,
                choices,
                doc.map(|doc| doc.value.trim().to_owned()).unwrap_or_default(),
            )
        }
        _ => (node, false, Vec::new(), String::new()),
    };
    let (kind, list) = field_type(source, kind, names)?;
    Some(Field { name: name.value.clone(), kind, list, optional, choices, doc })
}

/// Reads `TYPE` or `[TYPE]`.
pub(super) fn field_type(
    source: &Source<'_>,
    node: &Located<Node>,
    names: &[&str],
) -> Option<(FieldType, bool)> {
    let (text, span, list): (&str, &Range<usize>, bool) = match &node.value {
        Node::Text(text) => (text, &node.span, false),
        Node::List(items) => match items.as_slice() {
            [Located { value: Node::Text(text), span }] => (text, span, true),
            _ => {
                source.fault("wrong-kind", &node.span, "a list type is written `[TYPE]`", "");
                return None;
            }
        },
        other => {
            source.fault(
                "wrong-kind",
                &node.span,
                format!("{} where a type is expected", other.kind()),
                "",
            );
            return None;
        }
    };
    let kind = match text {
        "text" => FieldType::Text,
        "count" => FieldType::Count,
        "flag" => FieldType::Flag,
        "instant" => FieldType::Instant,
        "person" => FieldType::Person,
        name if names.contains(&name) => FieldType::Named(name.to_owned()),
        name => {
            source.fault("unknown-type", span, format!("`{name}` is no type"), "");
            return None;
        }
    };
    Some((kind, list))
}
