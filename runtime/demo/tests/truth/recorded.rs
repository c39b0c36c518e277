//! The shapes of the demo's answers against those recorded from running
//! instances: which members there are, and of which types.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::{Value, json};

use crate::http::reference;
use crate::recorded_differences::{EXPLAINED, NOT_SERVED};
use crate::session::{Exchange, exchanges};

/// Types by place; an element of a list has the place of the list.
#[derive(Debug, Default)]
struct Shape {
    types: BTreeMap<String, BTreeSet<&'static str>>,
    /// How often an object is there that has, or could have, a member.
    seen: BTreeMap<String, usize>,
    objects: BTreeMap<String, usize>,
}

impl Shape {
    fn add(&mut self, place: &str, value: &Value) {
        match value {
            Value::Object(members) => {
                *self.objects.entry(place.to_owned()).or_default() += 1;
                for (name, value) in members {
                    let below = join(place, name);
                    *self.seen.entry(below.clone()).or_default() += 1;
                    self.types.entry(below.clone()).or_default().insert(kind(value));
                    self.add(&below, value);
                }
            }
            Value::Array(items) => items.iter().for_each(|item| self.add(place, item)),
            _ => {}
        }
    }

    /// Whether every object that could have the member has it.
    fn is_always(&self, place: &str) -> bool {
        let (above, _) = place.rsplit_once('/').unwrap_or(("", place));
        self.seen.get(place) == self.objects.get(above)
    }
}

fn join(place: &str, name: &str) -> String {
    if place.is_empty() { name.to_owned() } else { format!("{place}/{name}") }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

#[test]
fn every_recorded_shape_is_ours_or_is_explained() {
    let Some(folder) = reference("recorded") else {
        return;
    };
    let index = std::fs::read_to_string(folder.join("index.tsv")).expect("an index");
    let all = exchanges();
    let mut unexplained: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let (mut used, mut compared) = (BTreeSet::new(), 0);
    let mut together: BTreeMap<String, (Shape, Shape)> = BTreeMap::new();
    let mut note = |file: &str, place: String, what: &str| {
        let known = EXPLAINED.iter().enumerate().find_map(|(index, explained)| {
            explained.covers(file, &place, what).map(|name| format!("{index} {name}"))
        });
        match known {
            Some(known) => drop(used.insert(known)),
            None => {
                let entry = unexplained.entry(format!("{place}: {what}")).or_default();
                entry.insert(file.to_owned());
            }
        }
    };
    for line in index.lines().skip(1) {
        let mut columns = line.split('\t');
        let (file, operation) =
            (columns.next().expect("a file"), columns.next().expect("an operation"));
        let mut ours = Shape::default();
        answers(&all, file, operation).into_iter().for_each(|answer| ours.add("", &answer));
        if ours.types.is_empty() {
            let known = NOT_SERVED.iter().any(|(name, _)| file.starts_with(name));
            if !known {
                note(file, String::new(), "not served");
            }
            continue;
        }
        compared += 1;
        let mut theirs = Shape::default();
        let recording = recording(&folder, file, &ours);
        theirs.add("", &recording);
        for (place, what) in differences(&theirs, &ours) {
            note(file, place, what);
        }
        let family = if is_failure(file) { "errors" } else { template(operation).1 };
        let family = format!("{} {}", file.split('/').next().unwrap_or_default(), family);
        let both = together.entry(family).or_insert_with(|| (Shape::default(), ours));
        both.0.add("", &recording);
    }
    // Clients cut what they keep: what no recording of an operation has at all
    // is another thing.
    for (family, (theirs, ours)) in &together {
        for place in only_ours(theirs, ours) {
            note(family, place, "only ours");
        }
    }
    assert!(unexplained.is_empty(), "{unexplained:#?}");
    assert!(compared > 70, "only {compared} recordings were compared");
    // An explanation of what is no longer so must not stay.
    let idle: Vec<String> = EXPLAINED
        .iter()
        .enumerate()
        .flat_map(|(index, explained)| {
            explained.places.iter().enumerate().map(move |(at, place)| (index, at, place))
        })
        .filter(|(index, at, _)| !used.contains(&format!("{index} {at}")))
        .map(|(index, _, place)| format!("{place}: {:?}", EXPLAINED[index]))
        .collect();
    assert!(idle.is_empty(), "these never occur: {idle:#?}");
    for (name, reason) in NOT_SERVED {
        assert!(index.lines().any(|line| line.starts_with(name)), "{name}: {reason}");
    }
}

fn differences(theirs: &Shape, ours: &Shape) -> Vec<(String, &'static str)> {
    let mut found = Vec::new();
    for (place, types) in &theirs.types {
        match ours.types.get(place) {
            // What is below a member that is missing is missing with it.
            None if missing_above(place, ours) => {}
            None => found.push((place.clone(), "only recorded")),
            Some(own) if !types.is_subset(own) => found.push((place.clone(), "type")),
            Some(_) => {}
        }
    }
    found
}

fn only_ours(theirs: &Shape, ours: &Shape) -> Vec<String> {
    ours.types
        .keys()
        .filter(|place| ours.is_always(place))
        .filter(|place| {
            let (above, _) = place.rsplit_once('/').unwrap_or(("", place));
            // Where no recording has the object there is nothing to miss.
            theirs.objects.contains_key(above) && !theirs.types.contains_key(*place)
        })
        .cloned()
        .collect()
}

fn missing_above(place: &str, ours: &Shape) -> bool {
    place.rsplit_once('/').is_some_and(|(above, _)| !ours.types.contains_key(above))
}

/// The recorded body, as a page where the client that kept it took the bare
/// list out of one.
fn recording(folder: &Path, file: &str, ours: &Shape) -> Value {
    let text = std::fs::read_to_string(folder.join(file)).expect("a file");
    let value: Value = serde_json::from_str(&text).expect("JSON");
    let list = ["values", "diffs"].into_iter().find(|name| ours.types.contains_key(*name));
    match (value, list) {
        (Value::Array(items), Some(list)) => json!({ list: items }),
        (value, Some("values")) if value.get("values").is_none() && value.get("id").is_some() => {
            json!({ "values": [value] })
        }
        (value, _) => value,
    }
}

/// The demo's answers to an operation as the index names it. Errors are of one
/// family, whatever was asked.
fn answers(all: &[Exchange], file: &str, operation: &str) -> Vec<Value> {
    let failed = is_failure(file);
    let (method, path) = template(operation);
    let template: Vec<&str> = path.split('/').collect();
    all.iter()
        .filter(|exchange| exchange.reply.kind == "application/json")
        .filter(|exchange| (exchange.reply.status >= 400) == failed)
        .filter(|exchange| failed || exchange.method == method && fits(&template, &exchange.path))
        .filter(|exchange| query_fits(operation, &exchange.path))
        .map(|exchange| exchange.reply.json())
        .collect()
}

fn is_failure(file: &str) -> bool {
    file.starts_with("errors/") || file.contains("error")
}

fn template(operation: &str) -> (&str, &str) {
    let (method, path) = operation.split_once(' ').unwrap_or(("", operation));
    (method, path.split(['?', ' ']).next().unwrap_or_default())
}

/// Operations whose query decides what they answer.
fn query_fits(operation: &str, path: &str) -> bool {
    ["type=true", "blame"].iter().all(|word| operation.contains(word) == path.contains(word))
        && !path.contains("count=true")
}

fn fits(template: &[&str], path: &str) -> bool {
    let path = path.split('?').next().unwrap_or_default().replace("/latest/", "/1.0/");
    let names: Vec<&str> = path.split('/').collect();
    let longer = matches!(template.last(), Some(&("{path}" | "{name}")));
    (template.len() == names.len() || longer && names.len() > template.len())
        && template.iter().zip(&names).all(|(part, name)| {
            part.starts_with('{') || part == name || (*part == "latest" && *name == "1.0")
        })
}
