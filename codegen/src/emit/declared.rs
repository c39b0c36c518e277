//! The body of a declared tool: its calls, and its answer picked from theirs.

use super::facts::Facts;
use super::picks::{Access, access, picked, rust_type};
use super::types::{Structure, StructureField};
use crate::Spec;
use crate::document::Response;
use crate::document::schema::Kind;
use crate::model::{
    Answer, Argument, ArgumentType, Call, Element, Member, Origin, Source, Tool, Value, pascal,
};

/// The structs an answer needs, inner ones first.
#[derive(Default)]
pub(super) struct Structures {
    pub(super) list: Vec<Structure>,
}

impl Structures {
    /// A field for a member, adding the structs it is made of.
    pub(super) fn field(
        &mut self,
        member: &Member,
        around: &str,
        named: &dyn Fn(&Value) -> String,
    ) -> StructureField {
        let kind = match &member.value {
            Value::Named { .. } | Value::Picked { .. } => named(&member.value),
            Value::Object { members, .. } => self.object(&item(around, member), members, named),
            Value::Each { element: Element::Scalar { kind, .. }, .. } => {
                format!("Vec<{}>", rust_type(kind))
            }
            Value::Each { element: Element::Object(members), .. } => {
                format!("Vec<{}>", self.object(&item(around, member), members, named))
            }
        };
        let doc =
            if member.doc.is_empty() { format!("`{}`.", member.name) } else { member.doc.clone() };
        let optional = !member.required;
        StructureField {
            name: member.name.clone(),
            kind: if optional { format!("Option<{kind}>") } else { kind },
            optional,
            doc,
        }
    }

    fn object(
        &mut self,
        name: &str,
        members: &[Member],
        named: &dyn Fn(&Value) -> String,
    ) -> String {
        let fields = members.iter().map(|member| self.field(member, name, named)).collect();
        self.list.push(Structure {
            name: name.to_owned(),
            doc: "One element or part of the answer.".to_owned(),
            fields,
        });
        name.to_owned()
    }
}

/// The struct of a member, named after the members it is inside of.
fn item(around: &str, member: &Member) -> String {
    format!("{}{}Item", around.trim_end_matches("Item"), pascal(&member.name))
}

/// Writes the body.
pub(super) fn body(spec: &Spec, tool: &Tool, facts: &Facts) -> Result<String, String> {
    let Answer::Members(members) = &tool.answer else {
        return Err(format!("`{}` declares no answer", tool.name));
    };
    let mut body = String::from("let args = call.args();\n");
    let mut futures = Vec::new();
    for (index, call) in tool.calls.iter().enumerate() {
        futures.push((format!("answer_{index}"), future(spec, tool, facts, call)?));
    }
    body.push_str(&joined(futures));
    let write = Write { spec, tool, facts };
    let mut fields = String::new();
    for member in members {
        fields.push_str(&format!("{}: {},\n", member.name, write.value(member, "", None)?));
    }
    if let Some(paged) = tool.calls.iter().position(|call| call.pages) {
        fields.push_str(&format!(
            "limit_reached: answer_{paged}.next.is_some(),
next_cursor: answer_{paged}.next.map(|next| bb_contract::cursor::seal(call.digest(), next)),\n"
        ));
    }
    body.push_str(&format!("bb_contract::Answer::data(&Answered {{ {fields} }})"));
    Ok(body)
}

/// Awaits all calls at once; one alone plainly.
fn joined(futures: Vec<(String, String)>) -> String {
    if let [(name, future)] = futures.as_slice() {
        return format!("let {name} = {future}.await?;\n");
    }
    let mut pattern = String::new();
    let mut expression = String::new();
    for (name, future) in futures.into_iter().rev() {
        if pattern.is_empty() {
            (pattern, expression) = (name, future);
        } else {
            pattern = format!("({name}, {pattern})");
            expression = format!("bb_client::try_join({future}, {expression})");
        }
    }
    format!("let {pattern} = {expression}.await?;\n")
}

/// A future of a call's answer; of a paged one, of what was listed.
fn future(spec: &Spec, tool: &Tool, facts: &Facts, call: &Call) -> Result<String, String> {
    let operation = &spec.document.operations[call.operation];
    let mut arguments = Vec::new();
    for (name, source) in &call.path {
        let parameter = facts.parameter(&operation.id, name)?;
        arguments.push(match source {
            Source::Constant(text) => format!("{text:?}"),
            Source::Argument(name) if parameter.kind.contains("str") => {
                format!("args.{name}.as_str()")
            }
            Source::Argument(name) => format!("args.{name}"),
        });
    }
    let (mut members, mut set) = (String::new(), 0);
    for (wire, source) in &call.query {
        let parameter = operation.query(wire).ok_or("a query member that lowering has checked")?;
        if parameter.names.is_some() {
            // The handle binds it.
            continue;
        }
        let ident = &facts.parameter(&operation.id, wire)?.ident;
        set += 1;
        members.push_str(&format!("{ident}: {}, ", query_value(tool, source, &parameter.kind)?));
    }
    let free = super::operations::free_query(operation).count();
    let query = |members: &str, set: usize| {
        let rest = if set < free { "..Default::default()" } else { "" };
        format!("crate::query::{} {{ {members} {rest} }}", pascal(&operation.id))
    };
    if call.pages {
        let paged = format!(
            "{members} start: i64::try_from(start).ok(), limit: i64::try_from(limit).ok(),"
        );
        arguments.push(query(&paged, set + 2));
        return Ok(format!(
            "bb_client::listed(call.digest(), args.limit, args.cursor.as_deref(), |start, limit| reach.{}({}))",
            operation.id,
            arguments.join(", ")
        ));
    }
    if free > 0 {
        arguments.push(query(&members, set));
    }
    Ok(format!("bb_client::answered(reach.{}({}))", operation.id, arguments.join(", ")))
}

fn query_value(tool: &Tool, source: &Source, wanted: &Kind) -> Result<String, String> {
    let name = match source {
        Source::Constant(text) => {
            return Ok(match wanted {
                Kind::Integer | Kind::Flag => format!("Some({text})"),
                _ => format!("Some({text:?})"),
            });
        }
        Source::Argument(name) => name,
    };
    let argument: &Argument = tool
        .arguments
        .iter()
        .find(|argument| argument.name == *name)
        .ok_or("an argument that lowering has checked")?;
    let always = argument.required || argument.default.is_some();
    Ok(match (&argument.kind, always) {
        (ArgumentType::Choice(_), true) => format!("Some(args.{name}.wire())"),
        (ArgumentType::Choice(_), false) => format!("args.{name}.map({}::wire)", pascal(name)),
        (ArgumentType::Count | ArgumentType::PullRequestId | ArgumentType::Flag, true) => {
            format!("Some(args.{name})")
        }
        (ArgumentType::Count | ArgumentType::PullRequestId | ArgumentType::Flag, false) => {
            format!("args.{name}")
        }
        (_, true) => format!("Some(args.{name}.as_str())"),
        (_, false) => format!("args.{name}.as_deref()"),
    })
}

struct Write<'w> {
    spec: &'w Spec,
    tool: &'w Tool,
    facts: &'w Facts,
}

/// Where a value is written: the variable at hand and its schema.
struct Place {
    variable: String,
    schema: String,
}

impl Write<'_> {
    fn whole(&self, call: usize) -> Result<Place, String> {
        let operation = &self.spec.document.operations[self.tool.calls[call].operation];
        match &operation.response {
            Response::Json(schema) => {
                Ok(Place { variable: format!("answer_{call}"), schema: schema.clone() })
            }
            Response::Stream(_) => Err("a pick from a stream".to_owned()),
        }
    }

    fn place(&self, origin: &Origin, element: Option<&Place>) -> Result<Place, String> {
        match (origin, element) {
            (Origin::Call(call), _) => self.whole(*call),
            (Origin::Element, Some(place)) => {
                Ok(Place { variable: place.variable.clone(), schema: place.schema.clone() })
            }
            (Origin::Element, None) => Err("an element outside a list".to_owned()),
        }
    }

    fn reach(&self, place: &Place, path: &[String]) -> Result<Access, String> {
        access(self.facts, &self.spec.document, &place.schema, &place.variable, path)
    }

    fn value(
        &self,
        member: &Member,
        around: &str,
        element: Option<&Place>,
    ) -> Result<String, String> {
        match &member.value {
            Value::Named { .. } => Err("a named type in a declared answer".to_owned()),
            Value::Picked { from, path, kind } => {
                let place = self.place(from, element)?;
                Ok(picked(&self.reach(&place, path)?, kind))
            }
            Value::Object { from, members } => {
                let place = self.place(from, element)?;
                self.object(&item(around, member), members, &place)
            }
            Value::Each { from, path, element: inner } => {
                let (list, schema) = if path.is_empty() {
                    let Origin::Call(call) = from else {
                        return Err("a page inside an element".to_owned());
                    };
                    let operation =
                        &self.spec.document.operations[self.tool.calls[*call].operation];
                    let schema = self
                        .spec
                        .document
                        .page_of(operation)
                        .ok_or("a paged call without pages")?;
                    (format!("answer_{call}.values.iter()"), schema.to_owned())
                } else {
                    let place = self.place(from, element)?;
                    let found = self.reach(&place, path)?;
                    let schema = match self.spec.document.schemas.follow(&place.schema, path) {
                        Ok((Kind::List(inner), _, _)) => match *inner {
                            Kind::Named(name) => name,
                            _ => return Err("a list of no objects".to_owned()),
                        },
                        _ => return Err("no list".to_owned()),
                    };
                    let list = if found.optional {
                        format!("{}.into_iter().flatten()", found.expression)
                    } else {
                        format!("{}.iter()", found.expression.trim_start_matches('&'))
                    };
                    (list, schema)
                };
                let place = Place { variable: "item".to_owned(), schema };
                match inner {
                    Element::Scalar { path, kind } => {
                        let found = self.reach(&place, path)?;
                        let value = picked(&found, kind);
                        let map =
                            if found.optional || kind.may_fail() { "filter_map" } else { "map" };
                        Ok(format!("{list}.{map}(|item| {value}).collect()"))
                    }
                    Element::Object(members) => {
                        let object = self.object(&item(around, member), members, &place)?;
                        Ok(format!("{list}.map(|item| {object}).collect()"))
                    }
                }
            }
        }
    }

    fn object(&self, name: &str, members: &[Member], place: &Place) -> Result<String, String> {
        let mut fields = String::new();
        for member in members {
            fields.push_str(&format!(
                "{}: {}, ",
                member.name,
                self.value(member, name, Some(place))?
            ));
        }
        Ok(format!("{name} {{ {fields} }}"))
    }
}
