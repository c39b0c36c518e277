//! Every answer of every operation against the product's own document.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::differences::{DIFFERENCES, STATUSES, UNDOCUMENTED};
use crate::http::reference;
use crate::schema::check;
use crate::session::{Exchange, exchanges};

#[test]
fn every_answer_is_what_the_document_says_or_is_explained() {
    let Some(file) = reference("atlassian-bitbucket-10.0-openapi.json") else {
        return;
    };
    let text = std::fs::read_to_string(file).expect("a file");
    let document: Value = serde_json::from_str(&text).expect("JSON");
    let mut unexplained: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let (mut used, mut operations) = (BTreeSet::new(), BTreeSet::new());
    let all = exchanges();
    for exchange in &all {
        let Some((template, operation)) = find(&document, exchange) else {
            let known = UNDOCUMENTED.iter().position(|(part, ..)| exchange.path.contains(part));
            match known {
                Some(index) => drop(used.insert(format!("undocumented {index}"))),
                None => note(&mut unexplained, "no such operation", &exchange.path),
            }
            continue;
        };
        let name = format!("{} {template}", exchange.method);
        operations.insert(name.clone());
        let status = exchange.reply.status.to_string();
        let response = [status.as_str(), "default"]
            .iter()
            .map(|status| &operation["responses"][*status])
            .find(|response| response.is_object());
        let Some(response) = response else {
            let known = STATUSES.iter().position(|(part, known, ..)| {
                name.ends_with(part) && *known == exchange.reply.status
            });
            match known {
                Some(index) => drop(used.insert(format!("status {index}"))),
                None => note(&mut unexplained, &format!("{name}: status {status}"), &exchange.path),
            }
            continue;
        };
        let schema = response["content"].as_object().and_then(|content| {
            content
                .iter()
                .find(|(kind, _)| kind.contains("json"))
                .map(|(_, content)| &content["schema"])
        });
        let (Some(schema), "application/json") = (schema, exchange.reply.kind.as_str()) else {
            continue;
        };
        for finding in check(&document, schema, &exchange.reply.json()) {
            let known = DIFFERENCES.iter().enumerate().find_map(|(index, difference)| {
                let place = difference.covers(&name, &finding.place, &finding.what)?;
                Some(format!("difference {index} {place}"))
            });
            match known {
                Some(known) => drop(used.insert(known)),
                None => {
                    let what = format!("{}: {}", finding.place, finding.what);
                    note(&mut unexplained, &what, &name);
                }
            }
        }
    }
    assert!(unexplained.is_empty(), "{unexplained:#?}");
    assert!(operations.len() > 108, "only {} operations: {operations:#?}", operations.len());
    // A difference that is gone must not stay written down.
    let places = DIFFERENCES.iter().enumerate().flat_map(|(index, difference)| {
        let places = difference.places.iter().enumerate();
        places.map(move |(at, place)| (format!("difference {index} {at}"), (*place).to_owned()))
    });
    let routes = UNDOCUMENTED.iter().enumerate();
    let routes = routes.map(|(index, known)| (format!("undocumented {index}"), known.0.to_owned()));
    let statuses = STATUSES.iter().enumerate();
    let statuses = statuses.map(|(index, known)| (format!("status {index}"), known.0.to_owned()));
    let idle: Vec<String> = places
        .chain(routes)
        .chain(statuses)
        .filter(|(key, _)| !used.contains(key))
        .map(|(key, name)| format!("{key}: {name}"))
        .collect();
    assert!(idle.is_empty(), "these never occur: {idle:#?}");
}

fn note(into: &mut BTreeMap<String, BTreeSet<String>>, what: &str, place: &str) {
    into.entry(what.to_owned()).or_default().insert(place.to_owned());
}

/// The documented operation of a request, the most literal path first.
fn find<'d>(document: &'d Value, exchange: &Exchange) -> Option<(&'d str, &'d Value)> {
    let path = exchange.path.split('?').next().unwrap_or_default();
    let path = path.strip_prefix("/rest")?;
    let names: Vec<&str> = path.split('/').collect();
    let paths = document["paths"].as_object().expect("paths");
    paths
        .iter()
        .filter(|(template, _)| fits(&template.split('/').collect::<Vec<_>>(), &names))
        .filter_map(|(template, item)| {
            let operation = item.get(exchange.method.to_lowercase())?;
            Some((template.as_str(), operation))
        })
        .min_by_key(|(template, _)| template.matches('{').count())
}

/// A path or a name of a tag at the end may have several segments.
fn fits(template: &[&str], names: &[&str]) -> bool {
    match (template.split_first(), names.split_first()) {
        (None, None) => true,
        (Some((&("{path}" | "{name}"), [])), Some(_)) => true,
        (Some((part, rest)), Some((name, left))) => segment(part, name) && fits(rest, left),
        _ => false,
    }
}

fn segment(part: &str, name: &str) -> bool {
    let Some((start, rest)) = part.split_once('{') else {
        return part == name;
    };
    let end = rest.split_once('}').map_or("", |(_, end)| end);
    // `diff{path}` lacks its slash and is no segment of any request.
    start.is_empty() && name.ends_with(end) && (!end.is_empty() || !name.ends_with(".diff"))
}
