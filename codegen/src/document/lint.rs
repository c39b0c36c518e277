//! The document's operations: what generation needs to be true of each, and what bounds it.

use super::schema::{self, Kind, Schemas};
use super::{Names, Operation, Parameter, Reach, Response};
use crate::node::{Located, Node};
use crate::reader::Source;
use std::ops::Range;

const METHODS: [&str; 4] = ["get", "post", "put", "delete"];

/// Reads every operation.
pub(super) fn operations(
    source: &Source<'_>,
    root: &Located<Node>,
    schemas: &Schemas,
) -> Vec<Operation> {
    let mut operations: Vec<Operation> = Vec::new();
    let Some(paths) = root.value.get("paths") else {
        source.missing("paths", &root.span);
        return operations;
    };
    for (path, item) in paths.value.members() {
        if !source.is_map(&path.value, item) {
            continue;
        }
        source.only("a path", item, &METHODS);
        for (method, node) in item.value.members() {
            if !METHODS.contains(&method.value.as_str()) || !source.is_map(&method.value, node) {
                continue;
            }
            let Some(operation) = operation(source, path, method, node, schemas) else { continue };
            if operations.iter().any(|other| other.id == operation.id) {
                source.fault(
                    "document-operation",
                    &method.span,
                    format!("the id `{}` is taken", operation.id),
                    "",
                );
            }
            operations.push(operation);
        }
    }
    operations
}

fn operation(
    source: &Source<'_>,
    path: &Located<String>,
    method: &Located<String>,
    node: &Located<Node>,
    schemas: &Schemas,
) -> Option<Operation> {
    source.only(
        "an operation",
        node,
        &[
            "operationId",
            "summary",
            "parameters",
            "requestBody",
            "responses",
            "x-reach",
            "x-reach-reason",
            "x-confirms-repository",
        ],
    );
    let id = source.text(&node.value, "operationId");
    let id = match id {
        Some(id) if is_name(&id.value) => id.value,
        Some(id) => {
            source.fault("document-operation", &id.span, format!("`{}` is no id", id.value), "");
            return None;
        }
        None => {
            source.fault("document-operation", &method.span, "an operation without an id", "");
            return None;
        }
    };
    let parameters = parameters(source, path, node);
    let response = response(source, method, node, schemas)?;
    let (reach, reason) = reach(source, path, method, node, &parameters);
    Some(Operation {
        id,
        method: method.value.to_uppercase(),
        path: path.value.clone(),
        summary: source
            .required_text(&node.value, "summary", &method.span)
            .map(|text| text.value)
            .unwrap_or_default(),
        reach,
        reason,
        parameters,
        response,
        confirms: source.flag(&node.value, "x-confirms-repository").is_some_and(|flag| flag.value),
    })
}

pub(crate) fn is_name(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_lowercase())
        && name
            .chars()
            .all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '_')
}

fn parameters(source: &Source<'_>, path: &Located<String>, node: &Located<Node>) -> Vec<Parameter> {
    let mut parameters: Vec<Parameter> = Vec::new();
    for item in source.list(&node.value, "parameters").unwrap_or_default() {
        if !source.is_map("a parameter", item) {
            continue;
        }
        source.only(
            "a parameter",
            item,
            &["name", "in", "required", "schema", "description", "x-names", "x-multi-segment"],
        );
        let Some(name) = source.required_text(&item.value, "name", &item.span) else { continue };
        let place = source
            .required_text(&item.value, "in", &item.span)
            .map(|place| place.value)
            .unwrap_or_default();
        let in_path = place == "path";
        let required = source.flag(&item.value, "required").is_some_and(|flag| flag.value);
        let there = path.value.contains(&format!("{{{}}}", name.value));
        if in_path != there || (in_path && !required) || !(in_path || place == "query") {
            source.fault(
                "document-parameter",
                &name.span,
                format!("`{}` is not declared as the path needs it", name.value),
                "",
            );
        }
        if parameters.iter().any(|other| other.name == name.value) {
            source.fault(
                "duplicate",
                &name.span,
                format!("the parameter `{}` is declared twice", name.value),
                "",
            );
        }
        let kind = item.value.get("schema").map_or(Kind::Text, |schema| {
            schema::check_parameter(source, schema);
            schema::kind(source, schema)
        });
        let names = names(source, item, &name, in_path);
        parameters.push(Parameter {
            multi: source.flag(&item.value, "x-multi-segment").is_some_and(|flag| flag.value),
            name: name.value,
            in_path,
            names,
            kind,
        });
    }
    for placeholder in placeholders(&path.value) {
        if !parameters.iter().any(|parameter| parameter.in_path && parameter.name == placeholder) {
            source.fault(
                "document-parameter",
                &path.span,
                format!("the placeholder `{placeholder}` is not declared"),
                "",
            );
        }
    }
    parameters
}

/// The names between braces.
fn placeholders(path: &str) -> impl Iterator<Item = &str> {
    path.split('{').skip(1).filter_map(|rest| rest.split_once('}').map(|(name, _)| name))
}

fn names(
    source: &Source<'_>,
    item: &Located<Node>,
    name: &Located<String>,
    in_path: bool,
) -> Option<Names> {
    match source.text(&item.value, "x-names") {
        Some(text) if text.value == "project" => Some(Names::Project),
        Some(text) if text.value == "repo" => Some(Names::Repo),
        Some(text) => {
            source.fault(
                "wrong-kind",
                &text.span,
                format!("`{}` is neither project nor repo", text.value),
                "",
            );
            None
        }
        None => {
            let lower = name.value.to_ascii_lowercase();
            if !in_path && (lower.contains("proj") || lower.contains("repo")) {
                source.fault(
                    "document-unmarked-repository",
                    &name.span,
                    format!("`{}` may name a repository", name.value),
                    "",
                );
            }
            None
        }
    }
}

fn response(
    source: &Source<'_>,
    method: &Located<String>,
    node: &Located<Node>,
    schemas: &Schemas,
) -> Option<Response> {
    let bad = |span: &Range<usize>, message: &str| {
        source.fault("document-response", span, message, "");
        None
    };
    let Some(responses) = source.map(&node.value, "responses") else {
        return bad(&method.span, "an operation without responses");
    };
    let [(status, response)] = responses.value.members() else {
        return bad(&responses.span, "not exactly one response");
    };
    if !(status.value.len() == 3 && status.value.starts_with('2')) {
        return bad(&status.span, "not a success");
    }
    let content =
        response.value.get("content").map(|content| content.value.members()).unwrap_or_default();
    let [(media, body)] = content else {
        return bad(&status.span, "not exactly one media type");
    };
    if media.value != "application/json" {
        return Some(Response::Stream(media.value.clone()));
    }
    let reference = body.value.get("schema").and_then(|schema| schema.value.get("$ref"));
    let name = reference
        .and_then(|reference| reference.value.text())
        .and_then(|text| text.rsplit('/').next());
    match name.filter(|name| schemas.object(name).is_some()) {
        Some(name) => Some(Response::Json(name.to_owned())),
        None => {
            let span = reference.map_or(&media.span, |reference| &reference.span);
            source.fault(
                "document-reference",
                span,
                "the answer is no object schema of the document",
                "",
            );
            None
        }
    }
}

fn reach(
    source: &Source<'_>,
    path: &Located<String>,
    method: &Located<String>,
    node: &Located<Node>,
    parameters: &[Parameter],
) -> (Reach, String) {
    let has =
        |name: &str| parameters.iter().any(|parameter| parameter.in_path && parameter.name == name);
    let derived = match (has("project"), has("repo")) {
        (true, true) => Some(Reach::Repository),
        (true, false) => Some(Reach::Project),
        _ => None,
    };
    let stated = source.text(&node.value, "x-reach");
    let reason =
        source.text(&node.value, "x-reach-reason").map(|text| text.value).unwrap_or_default();
    match (derived, stated) {
        (Some(derived), None) => (derived, reason),
        (Some(derived), Some(stated)) => {
            let message = format!("the path says `{}`", derived.name());
            source.fault("document-reach", &stated.span, message, "");
            (derived, reason)
        }
        (None, None) => {
            let message = format!("nothing says what bounds {}", path.value);
            source.fault("document-reach", &method.span, message, "");
            (Reach::Unbounded, reason)
        }
        (None, Some(stated)) => {
            let found = Reach::ALL.into_iter().find(|reach| reach.name() == stated.value);
            let Some(found) =
                found.filter(|reach| !matches!(reach, Reach::Repository | Reach::Project))
            else {
                source.fault(
                    "document-reach",
                    &stated.span,
                    format!("`{}` cannot be stated for this path", stated.value),
                    "",
                );
                return (Reach::Unbounded, reason);
            };
            if reason.is_empty() {
                source.fault(
                    "document-reach",
                    &stated.span,
                    "a stated reach without its reason",
                    "",
                );
            }
            let project =
                parameters.iter().any(|parameter| parameter.names == Some(Names::Project));
            if found == Reach::Filter && !project {
                source.fault(
                    "document-reach",
                    &stated.span,
                    "no query member is marked `x-names: project`",
                    "",
                );
            }
            (found, reason)
        }
    }
}
