//! The document's schemas: names, properties, and what makes a client intolerant.

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
    pub(crate) repository: Option<String>,
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

    /// The document's own copy of a schema's name.
    pub(crate) fn own_name(&self, name: &str) -> Option<&str> {
        self.0.get_key_value(name).map(|(name, _)| name.as_str())
    }

    /// The names a value of this schema has.
    pub(crate) fn names(&self, schema: &str) -> Vec<&str> {
        self.object(schema).map_or_else(Vec::new, |object| {
            object.properties.iter().map(|property| property.name.as_str()).collect()
        })
    }
}

/// Members a schema may have; anything else would make the client refuse what Bitbucket sends.
const MEMBERS: &[&str] = &[
    "type",
    "format",
    "description",
    "properties",
    "required",
    "items",
    "enum",
    "$ref",
    "x-open-enum",
    "x-instant",
    "x-links",
    "x-repository",
];

/// Reads all schemas.
pub(crate) fn load(source: &Source<'_>, root: &Located<Node>) -> Schemas {
    let mut schemas = BTreeMap::new();
    let listed =
        root.value.get("components").and_then(|components| components.value.get("schemas"));
    let names: Vec<&str> = listed.map_or_else(Vec::new, |listed| {
        listed.value.members().iter().map(|(key, _)| key.value.as_str()).collect()
    });
    for (key, node) in listed.map(|listed| listed.value.members()).unwrap_or_default() {
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
            if node.value.get("enum").is_none_or(|words| {
                words.value.items().iter().any(|word| word.value.text().is_none())
            }) {
                source.fault(
                    "document-enum",
                    &key.span,
                    format!("`{}` lists no texts under `enum`", key.value),
                    "",
                );
            }
            Schema::Alias(Kind::OpenEnum(key.value.clone()))
        } else if node.value.get("type").and_then(|kind| kind.value.text()) == Some("object") {
            Schema::Object(object(source, node))
        } else {
            Schema::Alias(kind(source, node))
        };
        check(source, node, &names);
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
    Schemas(schemas)
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
            kind: kind(source, value),
            required: required.contains(&key.value.as_str()),
            doc: value
                .value
                .get("description")
                .and_then(|doc| doc.value.text())
                .unwrap_or_default()
                .to_owned(),
        });
    }
    let repository = source.text(&node.value, "x-repository").map(|path| path.value);
    Object { properties, repository }
}

/// What a schema in a property, a parameter or a list says its value is.
pub(crate) fn kind(source: &Source<'_>, node: &Located<Node>) -> Kind {
    if let Some(reference) = node.value.get("$ref") {
        let name =
            reference.value.text().and_then(|text| text.strip_prefix("#/components/schemas/"));
        return Kind::Named(name.unwrap_or_default().to_owned());
    }
    match node.value.get("type").and_then(|kind| kind.value.text()) {
        Some("integer") => Kind::Integer,
        Some("number") => Kind::Number,
        Some("boolean") => Kind::Flag,
        Some("array") => match node.value.get("items") {
            Some(items) => Kind::List(Box::new(kind(source, items))),
            None => {
                source.fault("missing-member", &node.span, "`items` is missing", "");
                Kind::List(Box::new(Kind::Text))
            }
        },
        Some("object") => {
            source.fault(
                "document-inline-object",
                &node.span,
                "an object without a name of its own",
                "",
            );
            Kind::Text
        }
        _ => Kind::Text,
    }
}

/// Lints a schema and everything inside it.
fn check(source: &Source<'_>, node: &Located<Node>, names: &[&str]) {
    for (key, value) in node.value.members() {
        match key.value.as_str() {
            "$ref" => {
                let name =
                    value.value.text().and_then(|text| text.strip_prefix("#/components/schemas/"));
                if name.is_none_or(|name| !names.contains(&name)) {
                    source.fault(
                        "document-reference",
                        &value.span,
                        "this reference leads nowhere",
                        "",
                    );
                }
            }
            "properties" => value
                .value
                .members()
                .iter()
                .for_each(|(_, property)| check(source, property, names)),
            "items" => check(source, value, names),
            "enum" if node.value.get("x-open-enum").is_none() => {
                source.fault(
                    "document-enum",
                    &key.span,
                    "a closed enumeration",
                    "an unknown value fails the whole answer",
                );
            }
            "format" if matches!(value.value.text(), Some("int64")) => {}
            "format"
                if node.value.get("type").and_then(|kind| kind.value.text()) == Some("integer") => {
            }
            "format" => source.fault(
                "document-constraint",
                &key.span,
                "a format the client would enforce",
                "",
            ),
            name if MEMBERS.contains(&name) => {}
            name => source.fault(
                "document-constraint",
                &key.span,
                format!("`{name}` is not a member tolerance allows"),
                "",
            ),
        }
    }
    let integer = node.value.get("type").filter(|kind| kind.value.text() == Some("integer"));
    let wide = node.value.get("format").is_some_and(|format| format.value.text() == Some("int64"));
    if let (Some(kind), false) = (integer, wide) {
        source.fault("document-integer", &kind.span, "an integer that is not 64 bits wide", "");
    }
}

/// Lints a parameter's schema.
pub(crate) fn check_parameter(source: &Source<'_>, node: &Located<Node>) {
    check(source, node, &[]);
}
