//! One answer against one schema of the product's document.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

/// Something an answer has that its schema does not allow or does not know.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Finding {
    /// Member names from the root; an element of a list has none.
    pub(crate) place: String,
    /// The keyword that failed, or `undeclared`.
    pub(crate) what: String,
}

/// Everything about an answer that the document does not say.
pub(crate) fn check(document: &Value, schema: &Value, answer: &Value) -> BTreeSet<Finding> {
    let mut needed = Map::new();
    gather(document, schema, &mut needed);
    let mut whole = schema.clone();
    whole["components"] = json!({ "schemas": needed });
    let mut found = BTreeSet::new();
    let validator = jsonschema::draft4::new(&whole).expect("a schema");
    for error in validator.iter_errors(answer) {
        let path = error.schema_path().to_string();
        let what = path.rsplit('/').find(|word| word.parse::<usize>().is_err());
        found.insert(Finding {
            place: plain(&error.instance_path().to_string()),
            what: what.unwrap_or_default().to_owned(),
        });
    }
    undeclared(document, schema, answer, "", &mut found);
    found
}

/// A pointer without the numbers of list elements.
fn plain(pointer: &str) -> String {
    let names: Vec<&str> = pointer
        .split('/')
        .filter(|name| !name.is_empty() && name.parse::<usize>().is_err())
        .collect();
    names.join("/")
}

fn gather(document: &Value, schema: &Value, into: &mut Map<String, Value>) {
    match schema {
        Value::Object(members) => {
            if let Some(name) = reference(schema)
                && !into.contains_key(name)
            {
                let target = document["components"]["schemas"][name].clone();
                into.insert(name.to_owned(), target.clone());
                gather(document, &target, into);
            }
            members.values().for_each(|member| gather(document, member, into));
        }
        Value::Array(items) => items.iter().for_each(|item| gather(document, item, into)),
        _ => {}
    }
}

fn reference(schema: &Value) -> Option<&str> {
    schema["$ref"].as_str()?.strip_prefix("#/components/schemas/")
}

fn undeclared(
    document: &Value,
    schema: &Value,
    answer: &Value,
    place: &str,
    found: &mut BTreeSet<Finding>,
) {
    if let Some(name) = reference(schema) {
        let target = &document["components"]["schemas"][name];
        return undeclared(document, target, answer, place, found);
    }
    match answer {
        Value::Array(items) => {
            items
                .iter()
                .for_each(|item| undeclared(document, &schema["items"], item, place, found));
        }
        Value::Object(members) => {
            // A schema without members says nothing about them.
            let known = schema["properties"].as_object().filter(|known| !known.is_empty());
            let Some(known) = known else {
                return;
            };
            for (name, value) in members {
                let below = if place.is_empty() { name.clone() } else { format!("{place}/{name}") };
                match known.get(name) {
                    Some(schema) => undeclared(document, schema, value, &below, found),
                    None => {
                        found.insert(Finding { place: below, what: "undeclared".to_owned() });
                    }
                }
            }
        }
        _ => {}
    }
}
