//! The published schemas of both files: derived here, committed under `generated/schema/`.
//!
//! `BLESS=1 cargo test -p bb schema` writes them.

use super::file::{SystemFile, UserFile};
use super::layout::{self, Folders, Owner};
use super::members::Faults;
use schemars::transform::{Transform, transform_subschemas};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::Value;
use std::path::{Path, PathBuf};

struct Tidy;

impl Transform for Tidy {
    fn transform(&mut self, schema: &mut Schema) {
        // A key that is left out and one without a value are two things: the reader refuses the
        // second.
        if let Some(Value::Array(kinds)) = schema.get_mut("type") {
            kinds.retain(|kind| kind != "null");
            if let [kind] = &kinds[..] {
                let kind = kind.clone();
                schema.insert("type".to_owned(), kind);
            }
        }
        if let Some(Value::Array(choices)) = schema.get_mut("anyOf") {
            choices.retain(|choice| choice["type"] != "null");
            if let [Value::Object(only)] = &choices[..] {
                let only = only.clone();
                schema.remove("anyOf");
                for (key, value) in only {
                    schema.insert(key, value);
                }
            }
        }
        if let Some(Value::String(text)) = schema.get_mut("description") {
            // A line break of the source is none of the sentence.
            *text = text.replace('\n', " ");
        }
        transform_subschemas(self, schema);
    }
}

fn text<T: JsonSchema>() -> String {
    let generator = SchemaGenerator::default();
    let mut schema = generator.into_root_schema_for::<T>();
    Tidy.transform(&mut schema);
    format!("{:#}\n", schema.to_value())
}

fn schemas() -> [(PathBuf, String); 2] {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../generated/schema");
    [
        (folder.join("config.schema.json"), text::<UserFile>()),
        (folder.join("system-config.schema.json"), text::<SystemFile>()),
    ]
}

#[test]
fn the_committed_schemas_are_what_the_reader_reads() {
    for (path, text) in schemas() {
        if std::env::var_os("BLESS").is_some() {
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            std::fs::write(&path, &text).expect("written");
        }
        let committed = std::fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
        assert!(
            committed == text,
            "{} is not what the types say; run BLESS=1 cargo test -p bb schema",
            path.display()
        );
    }
}

/// The keys that the reader knows where a file has this one beside them.
fn known(text: &str) -> Vec<String> {
    let faults = Faults::of("file");
    let folders = Folders { home: None, file: Path::new("/") };
    let _ = layout::read(text, Owner::System, folders, &faults);
    let lines = faults.into_lines();
    let keys = lines.iter().find_map(|line| line.split_once("its keys are ")).expect("a fault").1;
    keys.split(", ").map(str::to_owned).collect()
}

#[test]
fn the_schema_has_the_keys_the_reader_asks_for() {
    let schema: Value = serde_json::from_str(&text::<SystemFile>()).expect("JSON");
    let properties = |schema: &Value| -> Vec<String> {
        schema["properties"].as_object().expect("properties").keys().cloned().collect()
    };
    assert_eq!(properties(&schema), known("zzzzzzzz: 1"));
    let host = known("hosts: { a: { zzzzzzzz: 1 } }");
    assert_eq!(properties(&schema["$defs"]["HostKeys"]), host);
    assert_eq!(properties(&schema["$defs"]["PolicyKeys"]), known("policy: { zzzzzzzz: 1 }"));
    let secret: Vec<String> = schema["$defs"]["SecretFrom"]["anyOf"]
        .as_array()
        .expect("ways")
        .iter()
        .filter(|way| way["type"] == "object")
        .flat_map(properties)
        .collect();
    assert_eq!(secret, known("hosts: { a: { headers: { X-A: { zzzzzzzz: 1 } } } }"));
}
