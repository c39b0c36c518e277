//! Parameters of operations: what a path and a query may hold, and which of them name a
//! repository.

use super::schema::{self, Kind};
use super::{Names, Parameter, passes};
use crate::node::{Located, Node};
use crate::reader::Source;

/// Reads an operation's parameters and holds them against its path.
pub(super) fn read(
    source: &Source<'_>,
    path: &Located<String>,
    node: &Located<Node>,
) -> Vec<Parameter> {
    let mut parameters: Vec<Parameter> = Vec::new();
    for item in source.list(&node.value, "parameters").unwrap_or_default() {
        let Some((parameter, name)) = parameter(source, path, item) else { continue };
        // The client's identifiers keep letters and digits only.
        if let Some(other) =
            parameters.iter().find(|other| passes::same_name(&other.name, &parameter.name))
        {
            let message = if other.name == parameter.name {
                format!("the parameter `{}` is declared twice", parameter.name)
            } else {
                format!("`{}` cannot be told from `{}`", parameter.name, other.name)
            };
            source.fault("duplicate", &name.span, message, "");
        }
        parameters.push(parameter);
    }
    check_path(source, path, &parameters);
    parameters
}

fn parameter(
    source: &Source<'_>,
    path: &Located<String>,
    item: &Located<Node>,
) -> Option<(Parameter, Located<String>)> {
    if !source.is_map("a parameter", item) {
        return None;
    }
    source.only(
        "a parameter",
        item,
        &["name", "in", "required", "schema", "description", "x-names", "x-multi-segment"],
    );
    let name = source.required_text(&item.value, "name", &item.span)?;
    source.text(&item.value, "description");
    let place = source.required_text(&item.value, "in", &name.span)?;
    let in_path = place.value == "path";
    let fault = |message: String| source.fault("document-parameter", &name.span, message, "");
    if !is_wire_name(&name.value) {
        fault(format!("`{}` is not a parameter's name of letters and digits", name.value));
        return None;
    }
    if !(in_path || place.value == "query") {
        fault(format!("`{}` stands neither in the path nor in the query", name.value));
    }
    let required = source.flag(&item.value, "required").is_some_and(|flag| flag.value);
    let there = path.value.contains(&format!("{{{}}}", name.value));
    match (in_path, there, required) {
        (true, false, _) => fault(format!("the path has no placeholder `{{{}}}`", name.value)),
        (false, true, _) => fault(format!("`{}` is a placeholder of the path", name.value)),
        (true, true, false) => fault(format!("the placeholder `{}` is not required", name.value)),
        (false, false, true) => fault(format!("the query member `{}` is required", name.value)),
        (true, true, true) | (false, false, false) => {}
    }
    let Some(schema) = item.value.get("schema") else {
        source.missing("schema", &name.span);
        return None;
    };
    let kind = schema::of_parameter(source, schema);
    let multi = source.flag(&item.value, "x-multi-segment").is_some_and(|flag| flag.value);
    if multi && !(in_path && kind == Kind::Text) {
        fault(format!("`{}` is no text in the path, so it has no segments", name.value));
    }
    if in_path && kind == Kind::Flag {
        fault(format!("the placeholder `{}` is neither a text nor an integer", name.value));
    }
    let names = names(source, item, &name, in_path);
    Some((Parameter { name: name.value.clone(), in_path, multi, names, kind }, name))
}

/// Letters, digits and `.`, `_`, `-`, beginning with a letter.
fn is_wire_name(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_alphabetic())
        && name.chars().all(|letter| letter.is_ascii_alphanumeric() || ".-_".contains(letter))
}

/// Every placeholder is declared, stands once, and the rest is plain segments.
fn check_path(source: &Source<'_>, path: &Located<String>, parameters: &[Parameter]) {
    let fault = |message: String| source.fault("document-parameter", &path.span, message, "");
    let mut plain = String::new();
    let mut rest = path.value.as_str();
    let mut seen = Vec::new();
    while let Some((before, after)) = rest.split_once('{') {
        plain.push_str(before);
        let Some((name, after)) = after.split_once('}') else { break };
        if seen.contains(&name) {
            fault(format!("the placeholder `{name}` stands twice in the path"));
        } else if !parameters.iter().any(|parameter| parameter.in_path && parameter.name == name) {
            fault(format!("the placeholder `{name}` is not declared"));
        }
        seen.push(name);
        rest = after;
    }
    plain.push_str(rest);
    let segments =
        plain.chars().all(|letter| letter.is_ascii_alphanumeric() || "/.-_".contains(letter));
    if !plain.starts_with('/') || !segments || plain.split('/').any(|segment| segment == "..") {
        fault(format!("`{}` is not a path below the base URL", path.value));
    }
}

fn names(
    source: &Source<'_>,
    item: &Located<Node>,
    name: &Located<String>,
    in_path: bool,
) -> Option<Names> {
    if let Some(text) = source.text(&item.value, "x-names") {
        if in_path {
            let message = format!("`{}` stands in the path, where names alone decide", name.value);
            source.fault("document-parameter", &text.span, message, "");
            return None;
        }
        return match text.value.as_str() {
            "project" => Some(Names::Project),
            "repo" => Some(Names::Repo),
            other => {
                let message = format!("`{other}` is neither project nor repo");
                source.fault("wrong-kind", &text.span, message, "");
                None
            }
        };
    }
    let lower = name.value.to_ascii_lowercase();
    let bound = in_path && matches!(name.value.as_str(), "project" | "repo");
    if !bound && (lower.contains("proj") || lower.contains("repo")) {
        let message = format!("`{}` may name a project or a repository", name.value);
        source.fault("document-unmarked-repository", &name.span, message, "");
    }
    None
}
