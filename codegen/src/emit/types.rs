//! The named types of answers.

use super::rendered;
use crate::Spec;
use crate::model::{Field, FieldType, pascal};
use askama::Template;

#[derive(Template)]
#[template(path = "answers.rs.jinja", escape = "none")]
struct Answers {
    types: Vec<Structure>,
}

/// A struct to write.
pub(super) struct Structure {
    pub(super) name: String,
    pub(super) doc: String,
    pub(super) fields: Vec<StructureField>,
}

/// A field of it.
pub(super) struct StructureField {
    pub(super) name: String,
    pub(super) kind: String,
    pub(super) optional: bool,
    pub(super) doc: String,
}

pub(super) fn write(spec: &Spec) -> Result<String, String> {
    let types = spec.types.iter().map(|(name, named)| Structure {
        name: pascal(name),
        doc: format!("`{name}` of spec/types.yaml."),
        fields: named.fields.iter().map(field).collect(),
    });
    rendered(&Answers { types: types.collect() })
}

fn field(field: &Field) -> StructureField {
    let mut kind = rust_type(&field.kind);
    if field.list {
        kind = format!("Vec<{kind}>");
    }
    if field.optional {
        kind = format!("Option<{kind}>");
    }
    let mut doc =
        if field.doc.is_empty() { format!("`{}`.", field.name) } else { field.doc.clone() };
    if !field.choices.is_empty() {
        doc.push_str(&format!(" One of {}.", field.choices.join(", ")));
    }
    StructureField { name: field.name.clone(), kind, optional: field.optional, doc }
}

/// The Rust type of a named or built-in type.
pub(super) fn rust_type(kind: &FieldType) -> String {
    match kind {
        FieldType::Text | FieldType::Instant => "String".to_owned(),
        FieldType::Count => "i64".to_owned(),
        FieldType::Flag => "bool".to_owned(),
        FieldType::Person => "crate::answers::Person".to_owned(),
        FieldType::Named(name) => format!("crate::answers::{}", pascal(name)),
    }
}
