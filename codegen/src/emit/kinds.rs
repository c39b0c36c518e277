//! Kinds of views: their facts, what a gatherer fills, what a builder makes, and its fingerprint.

use super::types::rust_type;
use super::{filters, rendered};
use crate::Spec;
use crate::document::Response;
use crate::model::{Field, FieldType, Kind, pascal};
use askama::Template;

#[derive(Template)]
#[template(path = "kinds.rs.jinja", escape = "none")]
struct Kinds {
    kinds: Vec<KindText>,
}

struct KindText {
    module: String,
    title: String,
    source: String,
    takes: String,
    actions: String,
    strings: String,
    calls: Vec<String>,
    gathered: Vec<GatheredText>,
    payload: Vec<PayloadText>,
    content: String,
    in_motion: String,
    settled: String,
    caps: Vec<CapText>,
}

struct GatheredText {
    name: String,
    kind: String,
    signature: String,
}

struct PayloadText {
    name: String,
    kind: String,
    doc: String,
    fingerprint: bool,
}

struct CapText {
    name: String,
    constant: String,
    value: usize,
}

pub(super) fn write(spec: &Spec) -> Result<String, String> {
    rendered(&Kinds { kinds: spec.kinds.iter().map(|kind| text(spec, kind)).collect() })
}

fn text(spec: &Spec, kind: &Kind) -> KindText {
    let any = |flags: &[String]| {
        let flags: Vec<String> = flags.iter().map(|flag| format!("self.{flag}")).collect();
        if flags.is_empty() { "false".to_owned() } else { flags.join(" || ") }
    };
    let content: Vec<&str> = kind
        .payload
        .iter()
        .filter(|field| field.fingerprint)
        .map(|field| field.field.name.as_str())
        .collect();
    KindText {
        module: kind.name.clone(),
        title: kind.title.clone(),
        source: kind.source.clone(),
        takes: format!("{:?}", kind.takes),
        actions: format!("{:?}", kind.actions),
        strings: format!("{:?}", kind.strings),
        calls: kind
            .calls
            .iter()
            .map(|call| pascal(&spec.document.operations[call.operation].id))
            .collect(),
        gathered: gathered(spec, kind),
        payload: kind
            .payload
            .iter()
            .map(|field| PayloadText {
                name: field.field.name.clone(),
                kind: field_kind(&field.field),
                doc: if field.fingerprint {
                    format!("`{}`.", field.field.name)
                } else {
                    format!("No part of the content: {}", field.field.doc)
                },
                fingerprint: field.fingerprint,
            })
            .collect(),
        content: format!("{content:?}"),
        in_motion: any(&kind.in_motion),
        settled: any(&kind.settled),
        caps: kind
            .payload
            .iter()
            .filter_map(|field| {
                let name = field.field.name.clone();
                Some(CapText {
                    constant: format!("MOST_{}", name.to_uppercase()),
                    name,
                    value: field.cap?,
                })
            })
            .collect(),
    }
}

fn field_kind(field: &Field) -> String {
    let kind = rust_type(&field.kind);
    if field.list { format!("Vec<{kind}>") } else { kind }
}

/// A member for each call: the first is always there, others may be missing, and a stream is
/// kept by what it was asked for.
fn gathered(spec: &Spec, kind: &Kind) -> Vec<GatheredText> {
    kind.calls
        .iter()
        .enumerate()
        .map(|(index, call)| {
            let operation = &spec.document.operations[call.operation];
            let base = match (&operation.response, spec.document.page_of(operation)) {
                (Response::Stream(_), _) => {
                    "::std::collections::BTreeMap<String, Vec<u8>>".to_owned()
                }
                (Response::Json(_), Some(element)) => {
                    format!("Option<Vec<crate::types::{element}>>")
                }
                (Response::Json(name), None) if index == 0 => format!("crate::types::{name}"),
                (Response::Json(name), None) => format!("Option<crate::types::{name}>"),
            };
            let name = if call.name.is_empty() { kind.name.clone() } else { call.name.clone() };
            GatheredText { name, kind: base, signature: operation.signature() }
        })
        .collect()
}

#[derive(Template)]
#[template(path = "payload.d.ts.jinja", escape = "none")]
struct Declarations {
    types: Vec<Declared>,
    kinds: Vec<Declared>,
}

struct Declared {
    name: String,
    pascal: String,
    fields: Vec<String>,
}

/// Declarations for the page's type check.
pub(crate) fn declarations(spec: &Spec) -> String {
    let mut needed: Vec<&str> = Vec::new();
    for kind in &spec.kinds {
        for field in &kind.payload {
            need(spec, &field.field.kind, &mut needed);
        }
    }
    needed.sort_unstable();
    let types = needed.into_iter().filter_map(|name| {
        let named = spec.types.get(name)?;
        let fields = named.fields.iter().map(declared).collect();
        Some(Declared { name: name.to_owned(), pascal: pascal(name), fields })
    });
    let kinds = spec.kinds.iter().map(|kind| Declared {
        name: kind.name.clone(),
        pascal: pascal(&kind.name),
        fields: kind.payload.iter().map(|field| declared(&field.field)).collect(),
    });
    Declarations { types: types.collect(), kinds: kinds.collect() }.render().unwrap_or_default()
        + "\n"
}

fn need<'s>(spec: &'s Spec, kind: &'s FieldType, needed: &mut Vec<&'s str>) {
    if let FieldType::Named(name) = kind
        && !needed.contains(&name.as_str())
    {
        needed.push(name);
        for field in spec.types.get(name).into_iter().flat_map(|named| &named.fields) {
            need(spec, &field.kind, needed);
        }
    }
}

fn declared(field: &Field) -> String {
    let kind = match &field.kind {
        FieldType::Text | FieldType::Instant => "string".to_owned(),
        FieldType::Count => "number".to_owned(),
        FieldType::Flag => "boolean".to_owned(),
        FieldType::Person => "Person".to_owned(),
        FieldType::Named(name) => pascal(name),
    };
    let list = if field.list { "[]" } else { "" };
    let optional = if field.optional { "?" } else { "" };
    format!("{}{optional}: {kind}{list}", field.name)
}
