//! A tool's tools/list entry: plain schemas, the spec's order, one line a member.

use crate::Spec;
use crate::model::{
    Answer, Argument, ArgumentType, Callers, Element, Field, FieldType, Member, Scalar, Tool, Value,
};
use serde_json::{Map, Value as Json, json};

/// The page that draws every view.
const VIEW: &str = "ui://bb/view";

/// The entry as a client sees it when no scope is set.
pub(crate) fn entry(spec: &Spec, tool: &Tool) -> Json {
    let mut entry = Map::new();
    entry.insert("name".to_owned(), json!(tool.name));
    entry.insert("title".to_owned(), json!(tool.title));
    entry.insert("description".to_owned(), json!(tool.summary));
    entry.insert("inputSchema".to_owned(), input(tool));
    if let Answer::Members(members) = &tool.answer {
        entry.insert("outputSchema".to_owned(), output(spec, tool, members));
    }
    entry.insert(
        "annotations".to_owned(),
        json!({
            "readOnlyHint": tool.read_only,
            "destructiveHint": tool.destructive,
            "idempotentHint": tool.idempotent,
            "openWorldHint": false,
        }),
    );
    if let Some(meta) = meta(tool) {
        entry.insert("_meta".to_owned(), meta);
    }
    Json::Object(entry)
}

/// Who may call it, where that is not the model alone, and, for what draws views, the page. The
/// flat key stands where a model's call opens a view: an old host takes it for that.
fn meta(tool: &Tool) -> Option<Json> {
    let mut ui = Map::new();
    if tool.kinds {
        ui.insert("resourceUri".to_owned(), json!(VIEW));
    }
    match tool.callers {
        Callers::Model => {}
        Callers::App => drop(ui.insert("visibility".to_owned(), json!(["app"]))),
        Callers::ModelAndApp => drop(ui.insert("visibility".to_owned(), json!(["model", "app"]))),
    }
    if ui.is_empty() {
        return None;
    }
    let mut meta = Map::new();
    meta.insert("ui".to_owned(), Json::Object(ui));
    if tool.kinds && tool.callers != Callers::App {
        meta.insert("ui/resourceUri".to_owned(), json!(VIEW));
    }
    Some(Json::Object(meta))
}

fn object(properties: Map<String, Json>, required: Vec<&str>) -> Json {
    let mut schema = Map::new();
    schema.insert("type".to_owned(), json!("object"));
    schema.insert("properties".to_owned(), Json::Object(properties));
    if !required.is_empty() {
        schema.insert("required".to_owned(), json!(required));
    }
    schema.insert("additionalProperties".to_owned(), json!(false));
    Json::Object(schema)
}

fn input(tool: &Tool) -> Json {
    let properties =
        tool.arguments.iter().map(|argument| (argument.name.clone(), argument_schema(argument)));
    let required = tool
        .arguments
        .iter()
        .filter(|argument| argument.required)
        .map(|argument| argument.name.as_str());
    object(properties.collect(), required.collect())
}

fn argument_schema(argument: &Argument) -> Json {
    let mut schema = Map::new();
    let kind = match &argument.kind {
        ArgumentType::Count | ArgumentType::PullRequestId => "integer",
        ArgumentType::Flag => "boolean",
        ArgumentType::Texts => "array",
        _ => "string",
    };
    schema.insert("type".to_owned(), json!(kind));
    match &argument.kind {
        ArgumentType::Choice(words) => {
            schema.insert("enum".to_owned(), words.iter().map(|(word, _)| json!(word)).collect());
        }
        ArgumentType::Texts => {
            schema.insert("items".to_owned(), json!({"type": "string"}));
        }
        _ => {}
    }
    let (least, most) = match argument.kind {
        ArgumentType::Text => ("minLength", "maxLength"),
        _ => ("minimum", "maximum"),
    };
    let min = argument.min.or((argument.kind == ArgumentType::PullRequestId).then_some(1));
    for (name, bound) in [(least, min), (most, argument.max)] {
        if let Some(bound) = bound {
            schema.insert(name.to_owned(), json!(bound));
        }
    }
    if let Some(default) = &argument.default {
        schema.insert("default".to_owned(), default.clone());
    }
    schema.insert("description".to_owned(), json!(argument.doc));
    Json::Object(schema)
}

fn output(spec: &Spec, tool: &Tool, members: &[Member]) -> Json {
    let mut properties: Map<String, Json> = members
        .iter()
        .map(|member| (member.name.clone(), described(value(spec, &member.value), &member.doc)))
        .collect();
    let mut required: Vec<&str> = members
        .iter()
        .filter(|member| member.required)
        .map(|member| member.name.as_str())
        .collect();
    if tool.pages {
        properties.insert("limit_reached".to_owned(), json!({"type": "boolean"}));
        properties.insert("next_cursor".to_owned(), json!({"type": "string"}));
        required.push("limit_reached");
    }
    object(properties, required)
}

fn described(mut schema: Json, doc: &str) -> Json {
    if let (Some(members), false) = (schema.as_object_mut(), doc.is_empty()) {
        members.insert("description".to_owned(), json!(doc));
    }
    schema
}

fn value(spec: &Spec, value: &Value) -> Json {
    match value {
        Value::Named { kind, list } => listed(field_type(spec, kind), *list),
        Value::Picked { kind, .. } => scalar(kind),
        Value::Object { members, .. } => picked(spec, members),
        Value::Each { element: Element::Scalar { kind, .. }, .. } => listed(scalar(kind), true),
        Value::Each { element: Element::Object(members), .. } => {
            listed(picked(spec, members), true)
        }
    }
}

fn listed(schema: Json, list: bool) -> Json {
    if list { json!({"type": "array", "items": schema}) } else { schema }
}

fn picked(spec: &Spec, members: &[Member]) -> Json {
    let properties = members
        .iter()
        .map(|member| (member.name.clone(), described(value(spec, &member.value), &member.doc)));
    let required =
        members.iter().filter(|member| member.required).map(|member| member.name.as_str());
    object(properties.collect(), required.collect())
}

fn scalar(kind: &Scalar) -> Json {
    match kind {
        Scalar::Text | Scalar::Instant | Scalar::Link | Scalar::Word(_) => {
            json!({"type": "string"})
        }
        Scalar::Count => json!({"type": "integer"}),
        Scalar::Number => json!({"type": "number"}),
        Scalar::Flag => json!({"type": "boolean"}),
        Scalar::Person => person(),
    }
}

fn person() -> Json {
    let properties = [
        ("name".to_owned(), json!({"type": "string"})),
        ("display_name".to_owned(), json!({"type": "string"})),
    ];
    object(properties.into_iter().collect(), vec!["name"])
}

fn field_type(spec: &Spec, kind: &FieldType) -> Json {
    match kind {
        FieldType::Text | FieldType::Instant => json!({"type": "string"}),
        FieldType::Count => json!({"type": "integer"}),
        FieldType::Flag => json!({"type": "boolean"}),
        FieldType::Person => person(),
        // Lowering has checked that the name is there and the types are not circular.
        FieldType::Named(name) => spec.types.get(name).map_or(Json::Null, |named| {
            let properties =
                named.fields.iter().map(|field| (field.name.clone(), field_schema(spec, field)));
            let required = named
                .fields
                .iter()
                .filter(|field| !field.optional)
                .map(|field| field.name.as_str());
            object(properties.collect(), required.collect())
        }),
    }
}

fn field_schema(spec: &Spec, field: &Field) -> Json {
    let mut doc = field.doc.clone();
    // Values that Bitbucket may add to are told, not enumerated: a client that validates would
    // refuse the whole answer for one new word.
    if !field.choices.is_empty() {
        doc = format!("{} One of {}.", doc, field.choices.join(", ")).trim().to_owned();
    }
    described(listed(field_type(spec, &field.kind), field.list), &doc)
}
