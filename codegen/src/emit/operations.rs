//! Operations as unit types with their facts, and their queries as structs of named fields.

use super::facts::Facts;
use super::{filters, rendered};
use crate::Spec;
use crate::document::passes::same_name;
use crate::document::{Names, Operation, Reach, Response};
use crate::model::pascal;
use askama::Template;

#[derive(Template)]
#[template(path = "operations.rs.jinja", escape = "none")]
struct Operations {
    operations: Vec<Written>,
}

struct Written {
    name: String,
    id: String,
    signature: String,
    summary: String,
    method: String,
    template: String,
    reach: String,
    noted: String,
    stream: bool,
    accept: String,
}

pub(super) fn facts(spec: &Spec) -> Result<String, String> {
    let operations = spec.document.operations.iter().map(|operation| {
        let (stream, accept) = match &operation.response {
            Response::Json(_) => (false, "application/json".to_owned()),
            Response::Stream(media) => (true, media.clone()),
        };
        Written {
            name: pascal(&operation.id),
            id: operation.id.clone(),
            signature: operation.signature(),
            summary: operation.summary.clone(),
            method: operation.method.clone(),
            template: operation.template(),
            reach: reach(operation),
            noted: format!("{:?}", operation.noted),
            stream,
            accept,
        }
    });
    rendered(&Operations { operations: operations.collect() })
}

fn reach(operation: &Operation) -> String {
    let member =
        |wanted| operation.parameters.iter().find(|parameter| parameter.names == Some(wanted));
    match operation.reach {
        Reach::Filter => {
            let project = member(Names::Project).map_or("", |parameter| &parameter.name);
            let repo = member(Names::Repo).map(|parameter| parameter.name.as_str());
            format!("Reach::Filter {{ project: {project:?}, repo: {repo:?} }}")
        }
        other => format!("Reach::{}", pascal(other.name())),
    }
}

#[derive(Template)]
#[template(path = "queries.rs.jinja", escape = "none")]
struct Queries {
    operations: Vec<Query>,
}

struct Query {
    name: String,
    signature: String,
    has_query: bool,
    lifetime: &'static str,
    lifetime_only: bool,
    query: Vec<QueryMember>,
}

struct QueryMember {
    wire: String,
    ident: String,
    kind: String,
}

/// The query members a caller may set: all that name no project or repository.
pub(super) fn free_query(
    operation: &Operation,
) -> impl Iterator<Item = &crate::document::Parameter> {
    operation.parameters.iter().filter(|parameter| !parameter.in_path && parameter.names.is_none())
}

pub(super) fn queries(spec: &Spec, facts: &Facts) -> Result<String, String> {
    let mut operations = Vec::new();
    for operation in &spec.document.operations {
        let mut query = Vec::new();
        for parameter in free_query(operation) {
            let found = facts.parameter(&operation.id, &parameter.name)?;
            query.push(QueryMember {
                wire: parameter.name.clone(),
                ident: found.ident.clone(),
                kind: found.kind.clone(),
            });
        }
        let borrows = query.iter().any(|member| member.kind.contains("'a"));
        operations.push(Query {
            name: pascal(&operation.id),
            signature: operation.signature(),
            has_query: !query.is_empty(),
            // Every query has the lifetime, so that callers need not know which hold texts.
            lifetime: "<'a>",
            lifetime_only: !borrows,
            query,
        });
    }
    rendered(&Queries { operations })
}

#[derive(Template)]
#[template(path = "probes.rs.jinja", escape = "none")]
struct Probes {
    probes: Vec<Probe>,
}

struct Probe {
    id: String,
    name: String,
    numbers: String,
    arguments: String,
}

/// For the tests of the crate the client is in: a way to send every operation with any path
/// arguments, to see that none changes a path's shape.
pub(super) fn probes(spec: &Spec, facts: &Facts) -> Result<String, String> {
    let mut probes = Vec::new();
    for operation in &spec.document.operations {
        // The order of the path, not of the declaration.
        let mut placeholders: Vec<_> = operation.placeholders().collect();
        placeholders
            .sort_by_key(|parameter| operation.path.find(&format!("{{{}}}", parameter.name)));
        if placeholders.is_empty() {
            continue;
        }
        let mut numbers = Vec::new();
        for placeholder in &placeholders {
            numbers.push(!facts.parameter(&operation.id, &placeholder.name)?.kind.contains("str"));
        }
        let mut arguments = Vec::new();
        for parameter in facts.parameters(&operation.id)? {
            let place = placeholders
                .iter()
                .position(|placeholder| same_name(&placeholder.name, &parameter.ident));
            arguments.push(match place {
                Some(place) if numbers[place] => format!("arguments[{place}].parse().unwrap_or(1)"),
                Some(place) => format!("&arguments[{place}]"),
                None => "None".to_owned(),
            });
        }
        probes.push(Probe {
            id: operation.id.clone(),
            name: pascal(&operation.id),
            numbers: format!("{numbers:?}"),
            arguments: arguments.join(", "),
        });
    }
    rendered(&Probes { probes })
}
