//! The shapes of the demo's answers against those recorded from running
//! instances: which members there are, whether always, and of which types.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::Value;

use crate::http::reference;
use crate::recorded_differences::{EXPLAINED, MISFILED, NOT_SERVED};
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

    /// Adds the value of a member whose object is not known.
    fn add_below(&mut self, place: &str, value: &Value) {
        self.types.entry(place.to_owned()).or_default().insert(kind(value));
        self.add(place, value);
    }

    /// How many of the objects that could have the member have it.
    fn presence(&self, place: &str) -> Presence {
        let (above, _) = place.rsplit_once('/').unwrap_or(("", place));
        match self.seen.get(place) {
            None => Presence::Never,
            count if count == self.objects.get(above) => Presence::Always,
            Some(_) => Presence::Sometimes,
        }
    }
}

#[derive(Clone, Copy)]
enum Presence {
    Never,
    Sometimes,
    Always,
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
    let mut notes = Notes::default();
    let mut compared = 0;
    let mut together: BTreeMap<String, (Shape, Shape)> = BTreeMap::new();
    for line in index.lines().skip(1) {
        let mut columns = line.split('\t');
        let (file, operation) =
            (columns.next().expect("a file"), columns.next().expect("an operation"));
        let operation = MISFILED
            .iter()
            .find(|(name, ..)| file.starts_with(name))
            .map_or(operation, |(_, operation, _)| operation);
        let mut ours = Shape::default();
        answers(&all, file, operation).into_iter().for_each(|answer| ours.add("", &answer));
        if ours.types.is_empty() {
            let known = NOT_SERVED.iter().any(|(name, _)| file.starts_with(name));
            if !known {
                notes.note(file, "", "not served");
            }
            continue;
        }
        compared += 1;
        let mut theirs = Shape::default();
        record(&mut theirs, &folder, file, &ours);
        for (place, what) in differences(&theirs, &ours) {
            notes.note(file, &place, what);
        }
        // What was cut for an example says nothing of what is always there.
        let whole = columns.nth(2).is_some_and(|kind| kind.starts_with("recorded"));
        let family = family(file, operation);
        let both = together.entry(family).or_insert_with(|| (Shape::default(), ours));
        if whole {
            record(&mut both.0, &folder, file, &both.1);
        }
    }
    // Whether a member is always there shows over all recordings of an
    // operation together, and over all items of their lists.
    for (family, (theirs, ours)) in &together {
        for (place, what) in optionality(theirs, ours) {
            notes.note(family, place, what);
        }
    }
    assert!(notes.unexplained.is_empty(), "{:#?}", notes.unexplained);
    assert!(compared > 70, "only {compared} recordings were compared");
    // An explanation of what is no longer so must not stay.
    let idle: Vec<String> = EXPLAINED
        .iter()
        .enumerate()
        .flat_map(|(index, explained)| {
            explained.places.iter().enumerate().map(move |(at, place)| (index, at, place))
        })
        .filter(|(index, at, _)| !notes.used.contains(&(*index, *at)))
        .map(|(index, _, place)| format!("{place}: {:?}", EXPLAINED[index]))
        .collect();
    assert!(idle.is_empty(), "these never occur: {idle:#?}");
    let misfiled = MISFILED.iter().map(|(name, _, reason)| (name, reason));
    let not_served = NOT_SERVED.iter().map(|(name, reason)| (name, reason));
    for (name, reason) in misfiled.chain(not_served) {
        assert!(index.lines().any(|line| line.starts_with(name)), "{name}: {reason}");
    }
}

/// The differences found, and which explanations they used.
#[derive(Default)]
struct Notes {
    unexplained: BTreeMap<String, BTreeSet<String>>,
    used: BTreeSet<(usize, usize)>,
}

impl Notes {
    fn note(&mut self, file: &str, place: &str, what: &str) {
        let known = EXPLAINED.iter().enumerate().find_map(|(index, explained)| {
            explained.covers(file, place, what).map(|at| (index, at))
        });
        match known {
            Some(known) => drop(self.used.insert(known)),
            None => {
                let entry = self.unexplained.entry(format!("{place}: {what}")).or_default();
                entry.insert(file.to_owned());
            }
        }
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

/// Members that one side always has and the other not always, or never.
fn optionality<'s>(theirs: &'s Shape, ours: &'s Shape) -> Vec<(&'s str, &'static str)> {
    let places: BTreeSet<&String> = ours.types.keys().chain(theirs.types.keys()).collect();
    places
        .into_iter()
        .filter(|place| {
            let (above, _) = place.rsplit_once('/').unwrap_or(("", place));
            // Where one side has no such object there is nothing to miss.
            theirs.objects.contains_key(above) && ours.objects.contains_key(above)
        })
        .filter_map(|place| {
            let (in_theirs, in_ours) = (theirs.presence(place), ours.presence(place));
            let what = match (in_theirs, in_ours) {
                (Presence::Never, Presence::Always | Presence::Sometimes) => "only ours",
                (Presence::Sometimes, Presence::Always) => "always ours",
                (Presence::Always, Presence::Sometimes) => "always recorded",
                _ => return None,
            };
            Some((place.as_str(), what))
        })
        .collect()
}

fn missing_above(place: &str, ours: &Shape) -> bool {
    place.rsplit_once('/').is_some_and(|(above, _)| !ours.types.contains_key(above))
}

/// Adds a recorded body. Of a list that its client took out of a page only the
/// items count: nothing is known of what stood around them.
fn record(shape: &mut Shape, folder: &Path, file: &str, ours: &Shape) {
    let text = std::fs::read_to_string(folder.join(file)).expect("a file");
    let value: Value = serde_json::from_str(&text).expect("JSON");
    let list = ["values", "diffs"].into_iter().find(|name| ours.types.contains_key(*name));
    match (&value, list) {
        (Value::Array(_), Some(list)) => shape.add_below(list, &value),
        (Value::Object(item), Some("values"))
            if !item.contains_key("values") && item.contains_key("id") =>
        {
            shape.add_below("values", &Value::Array(vec![value]));
        }
        _ => shape.add("", &value),
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

/// What recordings are looked at together: an operation, or all refusals.
fn family(file: &str, operation: &str) -> String {
    if is_failure(file) {
        return "errors".to_owned();
    }
    let (method, path) = template(operation);
    let path = path.strip_prefix("/rest/").unwrap_or(path);
    let path = path.replace("api/1.0/projects/{key}/repos/{slug}", "…");
    let what = VARIANTS.iter().find(|word| operation.contains(**word)).unwrap_or(&"");
    format!("{method} {path}{what}")
}

/// What of a query makes it another operation.
const VARIANTS: [&str; 2] = ["type=true", "blame"];

fn is_failure(file: &str) -> bool {
    file.starts_with("errors/") || file.contains("error")
}

fn template(operation: &str) -> (&str, &str) {
    let (method, path) = operation.split_once(' ').unwrap_or(("", operation));
    (method, path.split(['?', ' ']).next().unwrap_or_default())
}

/// Operations whose query decides what they answer.
fn query_fits(operation: &str, path: &str) -> bool {
    VARIANTS.iter().all(|word| operation.contains(word) == path.contains(word))
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
