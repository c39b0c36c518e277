//! What a tool answers: picks from operations' answers, or named types.

use super::types::field_type;
use super::{Context, check_name};
use crate::document::schema::Kind;
use crate::document::{Document, Response};
use crate::model::{Answer, Call, Element, Member, Origin, Scalar, Value};
use crate::node::{Located, Node};
use crate::reader::Source;
use std::ops::Range;

/// What a pick starts from: the schema, and how emission names it.
#[derive(Clone)]
struct Base<'b> {
    schema: &'b str,
    origin: Origin,
}

struct Picks<'p> {
    source: &'p Source<'p>,
    context: &'p Context<'p>,
    calls: &'p [(Call, Range<usize>)],
}

/// Reads `answer`.
pub(super) fn lower(
    source: &Source<'_>,
    root: &Located<Node>,
    tool: &Located<String>,
    custom: bool,
    calls: &[(Call, Range<usize>)],
    context: &Context<'_>,
) -> Option<Answer> {
    let Some(node) = root.value.get("answer") else {
        source.missing("answer", &tool.span);
        return None;
    };
    if node.value.text() == Some("text") {
        if !custom {
            source.fault(
                "answer-of-custom-tool",
                &node.span,
                "only a custom tool answers with a text",
                "",
            );
        }
        return Some(Answer::Text);
    }
    if !source.is_map("answer", node) {
        return None;
    }
    let mut members = Vec::new();
    let picks = Picks { source, context, calls };
    for (key, value) in node.value.members() {
        check_name(source, key);
        if matches!(key.value.as_str(), "limit_reached" | "next_cursor") {
            source.fault(
                "duplicate",
                &key.span,
                format!("`{}` is added by `pages`", key.value),
                "",
            );
        }
        let member =
            if custom { named(source, key, value, context) } else { picks.top(key, value) };
        members.extend(member);
    }
    Some(Answer::Members(members))
}

fn named(
    source: &Source<'_>,
    key: &Located<String>,
    value: &Located<Node>,
    context: &Context<'_>,
) -> Option<Member> {
    if matches!(value.value, Node::Map(_)) {
        source.fault(
            "answer-of-custom-tool",
            &value.span,
            "a custom tool's answer names types",
            "",
        );
        return None;
    }
    let names: Vec<&str> = context.types.keys().map(String::as_str).collect();
    let (kind, list) = field_type(source, value, &names)?;
    Some(member(key, Value::Named { kind, list }, true, String::new()))
}

fn member(key: &Located<String>, value: Value, required: bool, doc: String) -> Member {
    Member { name: key.value.clone(), value, required, doc }
}

impl<'p> Picks<'p> {
    fn document(&self) -> &'p Document {
        self.context.document
    }

    /// A member of the answer itself.
    fn top(&self, key: &Located<String>, node: &Located<Node>) -> Option<Member> {
        match &node.value {
            Node::Map(_) if node.value.get("from").is_some() => self.from(key, node),
            Node::Map(_) if node.value.get("each").is_some() => {
                let paged = self.calls.iter().position(|(call, _)| call.pages);
                match (paged, node.value.get("each").map(|each| &each.value)) {
                    (Some(paged), Some(Node::Map(_))) => self.each_of_page(key, node, paged),
                    _ => self.each_inside(key, node, &self.first(&node.span)?),
                }
            }
            Node::Map(_) => {
                self.source.fault(
                    "pick-not-found",
                    &node.span,
                    "a pick is a path, or has `each` or `from`",
                    "",
                );
                None
            }
            Node::List(_) => {
                self.source.fault(
                    "answer-of-custom-tool",
                    &node.span,
                    "a declared tool picks from operations",
                    "",
                );
                None
            }
            _ => self.path(key, node, &self.first(&node.span)?),
        }
    }

    fn base(&self, call: usize) -> Option<Base<'p>> {
        let (call_of, _) = self.calls.get(call)?;
        if call_of.pages {
            return None;
        }
        let operation = &self.document().operations[call_of.operation];
        match &operation.response {
            Response::Json(schema) => Some(Base { schema, origin: Origin::Call(call) }),
            Response::Stream(_) => None,
        }
    }

    fn first(&self, span: &Range<usize>) -> Option<Base<'p>> {
        let base = self.base(0);
        let Some((call, _)) = self.calls.first() else { return base };
        if call.pages {
            let message = "the answer is pages, whose elements are picked from";
            let help = "pick with `each: { MEMBER: PATH }`";
            self.source.fault_with_help("pick-not-found", span, message, "", help);
        } else if base.is_none() {
            self.source.fault("pick-not-found", span, "the operation answers with no object", "");
        }
        base
    }

    fn from(&self, key: &Located<String>, node: &Located<Node>) -> Option<Member> {
        self.source.only("a pick", node, &["from", "pick"]);
        let name = self.source.text(&node.value, "from")?;
        let Some(call) = self.calls.iter().position(|(call, _)| call.name == name.value) else {
            self.source.fault(
                "unknown-source",
                &name.span,
                format!("no call's answer is named `{}`", name.value),
                "",
            );
            return None;
        };
        let Some(base) = self.base(call) else {
            let message = format!("`{}` answers with pages or with no object", name.value);
            self.source.fault("pick-not-found", &name.span, message, "");
            return None;
        };
        let Some(pick) = node.value.get("pick") else {
            self.source.missing("pick", &name.span);
            return None;
        };
        match &pick.value {
            Node::Map(_) => {
                let members = self.members(pick, &base);
                Some(member(key, Value::Object { from: base.origin, members }, true, String::new()))
            }
            _ => self.path(key, pick, &base),
        }
    }

    fn each_of_page(
        &self,
        key: &Located<String>,
        node: &Located<Node>,
        paged: usize,
    ) -> Option<Member> {
        self.source.only("a pick", node, &["each"]);
        let operation = &self.document().operations[self.calls[paged].0.operation];
        let base = Base { schema: self.document().page_of(operation)?, origin: Origin::Element };
        let members = self.members(node.value.get("each")?, &base);
        let value = Value::Each {
            from: Origin::Call(paged),
            path: Vec::new(),
            element: Element::Object(members),
        };
        Some(member(key, value, true, String::new()))
    }

    fn members(&self, node: &Located<Node>, base: &Base<'p>) -> Vec<Member> {
        let mut members = Vec::new();
        for (key, value) in node.value.members() {
            check_name(self.source, key);
            members.extend(match &value.value {
                Node::Map(_) if value.value.get("each").is_some() => {
                    self.each_inside(key, value, base)
                }
                Node::Map(_) | Node::List(_) => {
                    self.source.fault(
                        "pick-not-found",
                        &value.span,
                        "a pick inside is a path, or has `each`",
                        "",
                    );
                    None
                }
                _ => self.path(key, value, base),
            });
        }
        members
    }

    fn each_inside(
        &self,
        key: &Located<String>,
        node: &Located<Node>,
        base: &Base<'p>,
    ) -> Option<Member> {
        self.source.only("a pick", node, &["each", "pick"]);
        let each = self.source.text(&node.value, "each")?;
        let path = split(&each.value);
        let (kind, _, doc) = self.follow(base, &path, &each)?;
        let Kind::List(inner) = kind else {
            self.source.fault(
                "pick-not-found",
                &each.span,
                format!("`{}` is no list", each.value),
                "",
            );
            return None;
        };
        let Some(pick) = node.value.get("pick") else {
            self.source.missing("pick", &each.span);
            return None;
        };
        let Kind::Named(schema) = inner.as_ref() else {
            self.source.fault("pick-not-found", &each.span, "its elements have no members", "");
            return None;
        };
        let base = Base { schema: self.schema(schema)?, origin: base.origin.clone() };
        let element = match &pick.value {
            Node::Map(_) => Element::Object(
                self.members(pick, &Base { origin: Origin::Element, ..base.clone() }),
            ),
            _ => {
                let text = self.source.as_text("pick", pick)?;
                let inner = split(&text.value);
                let (kind, _, _) = self.follow(&base, &inner, &text)?;
                Element::Scalar { path: inner, kind: self.scalar(&kind, &text)? }
            }
        };
        Some(member(key, Value::Each { from: base.origin, path, element }, true, doc))
    }

    /// The document's own copy of a schema's name.
    fn schema(&self, name: &str) -> Option<&'p str> {
        self.document().schemas.own_name(name)
    }

    fn path(&self, key: &Located<String>, node: &Located<Node>, base: &Base<'p>) -> Option<Member> {
        let text = self.source.as_text(&key.value, node)?;
        let path = split(&text.value);
        let (kind, required, doc) = self.follow(base, &path, &text)?;
        let kind = self.scalar(&kind, &text)?;
        let required = required && !kind.may_fail();
        Some(member(key, Value::Picked { from: base.origin.clone(), path, kind }, required, doc))
    }

    fn scalar(&self, kind: &Kind, text: &Located<String>) -> Option<Scalar> {
        let scalar = Scalar::of(kind);
        if scalar.is_none() {
            self.source.fault(
                "pick-of-object",
                &text.span,
                format!("`{}` is a whole object or list", text.value),
                "",
            );
        }
        scalar
    }

    fn follow(
        &self,
        base: &Base<'p>,
        path: &[String],
        text: &Located<String>,
    ) -> Option<(Kind, bool, String)> {
        // Where the schema is not there, the document has been told so.
        self.document().schemas.object(base.schema)?;
        match self.document().schemas.follow(base.schema, path) {
            Ok(found) => Some(found),
            Err(index) => {
                let known = match index {
                    0 => format!(
                        "; it has {}",
                        self.document().schemas.names(base.schema).join(", ")
                    ),
                    _ => String::new(),
                };
                let name = path.get(index).map_or("", String::as_str);
                self.source.fault(
                    "pick-not-found",
                    &text.span,
                    format!("the answer has no `{name}`{known}"),
                    "",
                );
                None
            }
        }
    }
}

fn split(path: &str) -> Vec<String> {
    path.split('.').map(str::to_owned).collect()
}
