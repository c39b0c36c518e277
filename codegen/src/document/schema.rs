//! The document's schemas: names, properties, and where each names a repository.

use super::tolerance;
use crate::node::{Located, Node};
use crate::reader::Source;
use std::collections::BTreeMap;

/// All schemas under components.
#[derive(Debug, Default)]
pub(crate) struct Schemas(BTreeMap<String, Schema>);

#[derive(Debug)]
enum Schema {
    Object(Object),
    Alias(Kind),
}

/// An object schema.
#[derive(Debug, Default)]
pub(crate) struct Object {
    pub(crate) properties: Vec<Property>,
    /// Where it names the repository it is about.
    pub(crate) repository: Option<Located<String>>,
}

impl Object {
    pub(crate) fn property(&self, name: &str) -> Option<&Property> {
        self.properties.iter().find(|property| property.name == name)
    }
}

/// A property of an object.
#[derive(Debug)]
pub(crate) struct Property {
    pub(crate) name: String,
    pub(crate) kind: Kind,
    pub(crate) required: bool,
    pub(crate) doc: String,
}

/// What a value is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Kind {
    Text,
    Integer,
    Number,
    Flag,
    Instant,
    Links,
    OpenEnum(String),
    Named(String),
    List(Box<Kind>),
}

impl Schemas {
    pub(crate) fn object(&self, name: &str) -> Option<&Object> {
        match self.0.get(name) {
            Some(Schema::Object(object)) => Some(object),
            _ => None,
        }
    }

    /// Follows a path of property names; the kind it ends at and whether it is always there.
    pub(crate) fn follow(
        &self,
        from: &str,
        path: &[String],
    ) -> Result<(Kind, bool, String), usize> {
        let (mut kind, mut required, mut doc) = (Kind::Named(from.to_owned()), true, String::new());
        for (index, name) in path.iter().enumerate() {
            let Kind::Named(schema) = &kind else { return Err(index) };
            let property =
                self.object(schema).and_then(|object| object.property(name)).ok_or(index)?;
            required &= property.required;
            doc.clone_from(&property.doc);
            kind = property.kind.clone();
        }
        Ok((kind, required, doc))
    }

    /// The steps of `x-repository`; none when it is the value itself.
    pub(crate) fn steps(place: &str) -> Vec<String> {
        place.split('.').filter(|part| !part.is_empty()).map(str::to_owned).collect()
    }

    /// The document's own copy of a schema's name.
    pub(crate) fn own_name(&self, name: &str) -> Option<&str> {
        self.0.get_key_value(name).map(|(name, _)| name.as_str())
    }

    /// Whether any object has a property of this name.
    pub(crate) fn any_has(&self, property: &str) -> bool {
        self.0.values().any(|schema| match schema {
            Schema::Object(object) => object.property(property).is_some(),
            Schema::Alias(_) => false,
        })
    }

    /// The names a value of this schema has.
    pub(crate) fn names(&self, schema: &str) -> Vec<&str> {
        self.object(schema).map_or_else(Vec::new, |object| {
            object.properties.iter().map(|property| property.name.as_str()).collect()
        })
    }
}

/// Reads all schemas.
pub(crate) fn load(source: &Source<'_>, root: &Located<Node>) -> Schemas {
    let mut schemas = BTreeMap::new();
    let Some(components) = source.map(&root.value, "components") else {
        if root.value.get("components").is_none() {
            source.missing("components", &(root.span.start..root.span.start));
        }
        return Schemas::default();
    };
    source.only("`components`", components, &["schemas"]);
    let Some(listed) = source.map(&components.value, "schemas") else {
        if components.value.get("schemas").is_none() {
            source.missing("schemas", &components.span);
        }
        return Schemas::default();
    };
    let members = listed.value.members();
    let names: Vec<&str> = members.iter().map(|(key, _)| key.value.as_str()).collect();
    for (key, node) in members {
        if !source.is_map(&key.value, node) {
            continue;
        }
        let flagged =
            |name: &str| node.value.get(name).is_some_and(|value| value.value == Node::Flag(true));
        let schema = if flagged("x-instant") {
            Schema::Alias(Kind::Instant)
        } else if flagged("x-links") {
            Schema::Alias(Kind::Links)
        } else if flagged("x-open-enum") {
            Schema::Alias(Kind::OpenEnum(key.value.clone()))
        } else if node.value.get("type").and_then(|kind| kind.value.text()) == Some("object") {
            Schema::Object(object(source, node))
        } else {
            Schema::Alias(kind(node))
        };
        tolerance::component(source, key, node, &names);
        schemas.insert(key.value.clone(), schema);
    }
    // Aliases are resolved once, so that the rest sees what a value is.
    let aliases: BTreeMap<String, Kind> = schemas
        .iter()
        .filter_map(|(name, schema)| match schema {
            Schema::Alias(kind) => Some((name.clone(), kind.clone())),
            Schema::Object(_) => None,
        })
        .collect();
    for schema in schemas.values_mut() {
        if let Schema::Object(object) = schema {
            for property in &mut object.properties {
                resolve(&mut property.kind, &aliases);
            }
        }
    }
    let schemas = Schemas(schemas);
    repositories(source, &schemas);
    people(source, listed, &schemas);
    schemas
}

/// Answers name people by these members of `User`.
fn people(source: &Source<'_>, listed: &Located<Node>, schemas: &Schemas) {
    let Some((key, _)) = listed.value.members().iter().find(|(key, _)| key.value == "User") else {
        let message = "the schema `User` is missing, by which answers name people";
        return source.fault("document-schema", &listed.span, message, "");
    };
    for name in ["name", "slug", "displayName", "emailAddress"] {
        let member = schemas.object("User").and_then(|user| user.property(name));
        if member.is_none_or(|member| member.required || member.kind != Kind::Text) {
            let message =
                format!("`User` has no optional text `{name}`, by which answers name people");
            source.fault("document-schema", &key.span, message, "");
        }
    }
}

/// Where an object says that it names a repository, there is one.
fn repositories(source: &Source<'_>, schemas: &Schemas) {
    for (name, schema) in &schemas.0 {
        let Schema::Object(Object { repository: Some(place), .. }) = schema else { continue };
        let text = |member: &[&str]| {
            let mut path = Schemas::steps(&place.value);
            path.extend(member.iter().map(|name| (*name).to_owned()));
            matches!(schemas.follow(name, &path), Ok((Kind::Text, _, _)))
        };
        if !(text(&["project", "key"]) && text(&["slug"])) {
            let message = format!("`{}` leads to no `slug` and `project.key`", place.value);
            source.fault("document-repository", &place.span, message, "");
        }
    }
}

fn resolve(kind: &mut Kind, aliases: &BTreeMap<String, Kind>) {
    match kind {
        Kind::Named(name) => {
            if let Some(alias) = aliases.get(name) {
                *kind = alias.clone();
            }
        }
        Kind::List(element) => resolve(element, aliases),
        _ => {}
    }
}

/// A description becomes the comment of one line.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn object(source: &Source<'_>, node: &Located<Node>) -> Object {
    let required: Vec<&str> = node
        .value
        .get("required")
        .map(|names| names.value.items().iter().filter_map(|name| name.value.text()).collect())
        .unwrap_or_default();
    let mut properties = Vec::new();
    for (key, value) in
        node.value.get("properties").map(|all| all.value.members()).unwrap_or_default()
    {
        properties.push(Property {
            name: key.value.clone(),
            kind: kind(value),
            required: required.contains(&key.value.as_str()),
            doc: value
                .value
                .get("description")
                .and_then(|doc| doc.value.text())
                .map(one_line)
                .unwrap_or_default(),
        });
    }
    let repository = source.text(&node.value, "x-repository");
    Object { properties, repository }
}

/// What a schema in a property, a parameter or a list says its value is.
fn kind(node: &Located<Node>) -> Kind {
    if let Some(reference) = node.value.get("$ref") {
        let name =
            reference.value.text().and_then(|text| text.strip_prefix("#/components/schemas/"));
        return Kind::Named(name.unwrap_or_default().to_owned());
    }
    match node.value.get("type").and_then(|kind| kind.value.text()) {
        Some("integer") => Kind::Integer,
        Some("number") => Kind::Number,
        Some("boolean") => Kind::Flag,
        Some("array") => {
            let element = node.value.get("items").map_or(Kind::Text, kind);
            Kind::List(Box::new(element))
        }
        // Whatever is no type is a fault; it is taken for a text to go on.
        _ => Kind::Text,
    }
}

/// Reads and lints a parameter's schema: a text, an integer or a flag.
pub(crate) fn of_parameter(source: &Source<'_>, node: &Located<Node>) -> Kind {
    tolerance::inner(source, node, &[]);
    let kind = kind(node);
    if node.value.get("$ref").is_none()
        && !matches!(kind, Kind::Text | Kind::Integer | Kind::Flag)
        && let Some(at) = node.value.get("type")
    {
        let message = "a parameter is a text, an integer or a flag";
        source.fault("document-parameter", &at.span, message, "");
    }
    kind
}
