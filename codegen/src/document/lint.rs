//! The document's operations: what generation needs to be true of each, and what bounds it.

use super::schema::Schemas;
use super::{Names, Operation, Parameter, Reach, Response, parameters};
use crate::lower::{check_sentence, is_keyword};
use crate::node::{Located, Node};
use crate::reader::Source;
use std::ops::Range;

const METHODS: [&str; 4] = ["get", "post", "put", "delete"];

/// Methods that the client and the handles have beside those of operations.
const TAKEN: &[&str] = &[
    "api_version",
    "baseurl",
    "bound",
    "client",
    "clone",
    "confirm",
    "inner",
    "new",
    "new_with_client",
    "open",
    "own",
    "project",
    "repository",
];

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
    if !source.is_map("paths", paths) {
        return operations;
    }
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
                let at = node.value.get("operationId").map_or(&method.span, |id| &id.span);
                let message = format!("another operation has the id `{}`", operation.id);
                source.fault("document-operation", at, message, "");
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
            "responses",
            "x-reach",
            "x-reach-reason",
            "x-noted",
            "x-confirms-repository",
        ],
    );
    let id = source.text(&node.value, "operationId");
    let id = match id {
        Some(id) if is_free(&id.value) => id.value,
        Some(id) => {
            let message = format!("`{}` cannot be an operation's id", id.value);
            source.fault("document-operation", &id.span, message, "");
            return None;
        }
        None => {
            if node.value.get("operationId").is_none() {
                let message = format!("{} has an operation without an id", path.value);
                source.fault("document-operation", &method.span, message, "");
            }
            return None;
        }
    };
    let summary = source.required_text(&node.value, "summary", &method.span);
    if let Some(summary) = &summary {
        check_sentence(source, "summary", summary);
    }
    let parameters = parameters::read(source, path, node);
    let response = response(source, method, node, schemas)?;
    let (reach, reason) = reach(source, path, method, node, &parameters);
    Some(Operation {
        id,
        method: method.value.to_uppercase(),
        path: path.value.clone(),
        summary: summary.map(|text| text.value.trim().to_owned()).unwrap_or_default(),
        reach,
        reason,
        noted: noted(source, node, reach, &parameters, &method.span),
        parameters,
        response,
        place: method.span.clone(),
        confirms: source.flag(&node.value, "x-confirms-repository").is_some_and(|flag| flag.value),
    })
}

/// Members whose values, read in bounded answers of the same call, may be the operation's key.
fn noted(
    source: &Source<'_>,
    node: &Located<Node>,
    reach: Reach,
    parameters: &[Parameter],
    at: &Range<usize>,
) -> Vec<String> {
    let items = source.list(&node.value, "x-noted").unwrap_or_default();
    let names: Vec<String> = items
        .iter()
        .filter_map(|item| source.as_text("x-noted", item))
        .map(|name| name.value)
        .collect();
    let keyed = parameters.iter().any(|parameter| parameter.in_path);
    let fits = match reach {
        Reach::Noted => !names.is_empty() && keyed,
        Reach::Unbounded => names.is_empty() || keyed,
        _ => names.is_empty(),
    };
    if !fits {
        let message =
            format!("`x-noted` does not fit an operation whose reach is `{}`", reach.name());
        source.fault("document-reach", at, message, "");
    }
    names
}

/// Whether a name is lower-case words, each beginning with a letter, joined by underscores. Then
/// no two names become the same Rust type.
pub(crate) fn is_name(name: &str) -> bool {
    name.split('_').all(|word| {
        word.starts_with(|first: char| first.is_ascii_lowercase())
            && word.chars().all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit())
    })
}

fn is_free(id: &str) -> bool {
    is_name(id) && !is_keyword(id) && !TAKEN.contains(&id)
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
    let Some(responses) = node.value.get("responses") else {
        source.missing("responses", &method.span);
        return None;
    };
    if !source.is_map("responses", responses) {
        return None;
    }
    let [(status, response)] = responses.value.members() else {
        let at =
            responses.value.members().get(1).map_or(&responses.span, |(status, _)| &status.span);
        return bad(at, "an operation has exactly one response");
    };
    if !matches!(status.value.as_bytes(), [b'2', tens, ones] if tens.is_ascii_digit() && ones.is_ascii_digit())
    {
        return bad(&status.span, "this status is no success");
    }
    if !source.is_map("a response", response) {
        return None;
    }
    source.only("a response", response, &["description", "content"]);
    source.required_text(&response.value, "description", &status.span);
    let content = source.map(&response.value, "content");
    let [(media, body)] = content.map(|content| content.value.members()).unwrap_or_default() else {
        return bad(&status.span, "a response has exactly one media type");
    };
    if !source.is_map("a media type", body) {
        return None;
    }
    source.only("a media type", body, &["schema"]);
    let Some(schema) = body.value.get("schema") else {
        source.missing("schema", &media.span);
        return None;
    };
    let reference = schema.value.get("$ref");
    if media.value != "application/json" {
        let stream = schema.value.members().len() == 1
            && schema.value.get("type").and_then(|kind| kind.value.text()) == Some("string");
        if !stream || !is_media_type(&media.value) {
            return bad(
                &media.span,
                "neither JSON nor a stream, whose schema is `{ type: string }`",
            );
        }
        return Some(Response::Stream(media.value.clone()));
    }
    let name = reference
        .and_then(|reference| reference.value.text())
        .and_then(|text| text.strip_prefix("#/components/schemas/"));
    match name.filter(|name| schemas.object(name).is_some()) {
        Some(name) => Some(Response::Json(name.to_owned())),
        None => {
            let span = reference.map_or(&media.span, |reference| &reference.span);
            let message = "the answer is no object schema of the document";
            source.fault("document-reference", span, message, "");
            None
        }
    }
}

/// A plain type and subtype, without a suffix or parameters.
fn is_media_type(text: &str) -> bool {
    let word = |word: &str| {
        !word.is_empty() && word.chars().all(|letter| letter.is_ascii_lowercase() || letter == '-')
    };
    text.split_once('/').is_some_and(|(kind, subtype)| word(kind) && word(subtype))
        && text != "text/event-stream"
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
    if has("repo") && !has("project") {
        let message = format!("{} names a repository and not its project", path.value);
        source.fault("document-reach", &path.span, message, "");
        return (Reach::Unbounded, String::new());
    }
    let derived = match (has("project"), has("repo")) {
        (true, true) => Some(Reach::Repository),
        (true, false) => Some(Reach::Project),
        _ => None,
    };
    let stated = source.text(&node.value, "x-reach");
    let reason = source.text(&node.value, "x-reach-reason");
    if let Some(reason) = &reason {
        check_sentence(source, "reason", reason);
        if derived.is_some() {
            let message = "a reach that the path decides needs no reason";
            source.fault("document-reach", &reason.span, message, "");
        }
    }
    let reason = reason.map(|text| text.value.trim().to_owned()).unwrap_or_default();
    match (derived, stated) {
        (Some(derived), None) => (derived, reason),
        (Some(derived), Some(stated)) => {
            let message = format!("the path decides that the reach is `{}`", derived.name());
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
