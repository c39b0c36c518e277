//! Expressions that reach into a decoded answer and convert what they find.

use super::facts::Facts;
use crate::document::Document;
use crate::document::schema::Kind;
use crate::model::Scalar;

/// An expression for a place in a value: `&T`, or `Option<&T>` when something on the way may be missing.
pub(super) struct Access {
    pub(super) expression: String,
    pub(super) optional: bool,
}

/// Reaches from a variable holding `&SCHEMA` along property names.
pub(super) fn access(
    facts: &Facts,
    document: &Document,
    schema: &str,
    variable: &str,
    path: &[String],
) -> Result<Access, String> {
    let mut access = Access { expression: variable.to_owned(), optional: false };
    let mut schema = schema.to_owned();
    for (index, name) in path.iter().enumerate() {
        let field = facts.field(&schema, name)?;
        let ident = &field.ident;
        access = match (access.optional, field.optional) {
            (false, false) => {
                Access { expression: reference(&access.expression, ident), optional: false }
            }
            (false, true) => Access {
                expression: format!("{}.{ident}.as_ref()", access.expression),
                optional: true,
            },
            (true, false) => Access {
                expression: format!("{}.map(|value| &value.{ident})", access.expression),
                optional: true,
            },
            (true, true) => Access {
                expression: format!(
                    "{}.and_then(|value| value.{ident}.as_ref())",
                    access.expression
                ),
                optional: true,
            },
        };
        if index + 1 < path.len() {
            match document.schemas.follow(&schema, std::slice::from_ref(name)) {
                Ok((Kind::Named(next), _, _)) => schema = next,
                _ => return Err(format!("`{schema}.{name}` has no members")),
            }
        }
    }
    Ok(access)
}

/// `&value.a`, then `&value.a.b` rather than `&&value.a.b`.
fn reference(expression: &str, ident: &str) -> String {
    format!("&{}.{ident}", expression.strip_prefix('&').unwrap_or(expression))
}

/// A picked and converted value: `T` when it is always there, else `Option<T>`.
pub(super) fn picked(access: &Access, kind: &Scalar) -> String {
    let Access { expression, optional } = access;
    let function = match kind {
        Scalar::Text => {
            return if *optional {
                format!("{expression}.cloned()")
            } else {
                format!("{}.clone()", expression.trim_start_matches('&'))
            };
        }
        Scalar::Count | Scalar::Number | Scalar::Flag => {
            return if *optional {
                format!("{expression}.copied()")
            } else {
                expression.trim_start_matches('&').to_owned()
            };
        }
        Scalar::Instant => "bb_client::Instant::text".to_owned(),
        Scalar::Link => "bb_client::Links::first".to_owned(),
        Scalar::Person => "crate::answers::Person::from".to_owned(),
        Scalar::Word(name) => format!("crate::open::{name}::word"),
    };
    match (optional, kind.may_fail()) {
        (false, _) => format!("{function}({expression})"),
        (true, false) => format!("{expression}.map({function})"),
        (true, true) => format!("{expression}.and_then({function})"),
    }
}

/// The Rust type of a converted value.
pub(super) fn rust_type(kind: &Scalar) -> &'static str {
    match kind {
        Scalar::Text | Scalar::Instant | Scalar::Link | Scalar::Word(_) => "String",
        Scalar::Count => "i64",
        Scalar::Number => "f64",
        Scalar::Flag => "bool",
        Scalar::Person => "crate::answers::Person",
    }
}
