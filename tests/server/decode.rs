//! Recorded answers of real instances go through the server, also with what the next release may
//! put into them.

use crate::harness::{Server, demo};
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};

/// Where the recordings are; they are not part of this repository.
fn recordings() -> Option<PathBuf> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let found = here
        .ancestors()
        .map(|folder| folder.join("shared/bitbucket/recorded"))
        .find(|folder| folder.is_dir());
    if found.is_none() {
        eprintln!("SKIPPED: no recorded answers beside this repository");
    }
    found
}

fn files(folder: &Path, name: &str) -> Vec<(String, Value)> {
    let mut files: Vec<_> = std::fs::read_dir(folder.join(name))
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.sort();
    files
        .into_iter()
        .map(|path| {
            let text = std::fs::read_to_string(&path).expect("UTF-8");
            (path.display().to_string(), serde_json::from_str(&text).expect("JSON"))
        })
        .collect()
}

/// A page of what was recorded, as the clients that recorded it sometimes kept one element or the
/// bare values.
fn page(value: &Value) -> Value {
    match value {
        Value::Array(_) => json!({"values": value, "isLastPage": true}),
        Value::Object(members) if members.contains_key("values") => value.clone(),
        _ => json!({"values": [value], "isLastPage": true}),
    }
}

/// Members the document requires, which are not made null.
const REQUIRED: &[&str] = &["id", "displayId"];
/// Values that stand in enumerations.
const WORDS: &[&str] = &[
    "OPEN",
    "MERGED",
    "DECLINED",
    "APPROVED",
    "NEEDS_WORK",
    "UNAPPROVED",
    "AUTHOR",
    "REVIEWER",
    "PARTICIPANT",
    "SUCCESSFUL",
    "FAILED",
    "INPROGRESS",
    "AVAILABLE",
    "CLEAN",
    "CONFLICTED",
    "UNKNOWN",
    "NORMAL",
    "BLOCKER",
    "RESOLVED",
    "COMMENTED",
    "OPENED",
    "RESCOPED",
    "ADDED",
    "UPDATED",
    "REVIEWED",
    "ADD",
    "MODIFY",
    "MOVE",
    "DELETE",
];

/// With a member nobody knows in every object.
fn with_unknown_members(value: &Value) -> Value {
    match value {
        Value::Object(members) => {
            let mut more: Map<String, Value> = members
                .iter()
                .map(|(name, value)| (name.clone(), with_unknown_members(value)))
                .collect();
            more.insert("somethingNew".to_owned(), json!({"nested": [1, null, "x"]}));
            Value::Object(more)
        }
        Value::Array(items) => items.iter().map(with_unknown_members).collect(),
        other => other.clone(),
    }
}

/// With a word nobody knows in every enumeration.
fn with_unknown_words(value: &Value) -> Value {
    match value {
        Value::Object(members) => Value::Object(
            members.iter().map(|(name, value)| (name.clone(), with_unknown_words(value))).collect(),
        ),
        Value::Array(items) => items.iter().map(with_unknown_words).collect(),
        Value::String(text) if WORDS.contains(&text.as_str()) => json!("SOMETHING_NEW"),
        other => other.clone(),
    }
}

/// With null for every member that is not required, one variant for each name there is.
fn with_nulls(value: &Value) -> Vec<(String, Value)> {
    fn names(value: &Value, into: &mut Vec<String>) {
        match value {
            Value::Object(members) => {
                for (name, value) in members {
                    if !REQUIRED.contains(&name.as_str()) && !into.contains(name) {
                        into.push(name.clone());
                    }
                    names(value, into);
                }
            }
            Value::Array(items) => items.iter().for_each(|item| names(item, into)),
            _ => {}
        }
    }
    fn without(value: &Value, name: &str) -> Value {
        match value {
            Value::Object(members) => Value::Object(
                members
                    .iter()
                    .map(|(key, value)| {
                        (key.clone(), if key == name { Value::Null } else { without(value, name) })
                    })
                    .collect(),
            ),
            Value::Array(items) => items.iter().map(|item| without(item, name)).collect(),
            other => other.clone(),
        }
    }
    let mut found = Vec::new();
    names(value, &mut found);
    found.into_iter().map(|name| (name.clone(), without(value, &name))).collect()
}

/// What a recording is fed to: part of the path it is the answer of, the call, and whether the
/// operation answers with pages.
type Feed = (&'static str, &'static str, &'static str, Value, bool);

fn feeds() -> Vec<Feed> {
    let repo = || json!({"project": "PAY", "repo": "ledger"});
    let one = || json!({"project": "PAY", "repo": "ledger", "id": 1});
    let commit = || json!({"commit": "a".repeat(40)});
    vec![
        ("branches", "/repos/ledger/branches", "list_branches", repo(), true),
        ("tags", "/repos/ledger/tags", "list_tags", repo(), true),
        ("commits", "/repos/ledger/commits", "list_commits", repo(), true),
        (
            "pull-request",
            "/repos/ledger/pull-requests",
            "list_pull_requests",
            json!({"project": "PAY", "repo": "ledger", "state": "all", "limit": 100}),
            true,
        ),
        (
            "pull-request",
            "/dashboard/pull-requests",
            "list_pull_requests",
            json!({"state": "all"}),
            true,
        ),
        ("pull-request", "/pull-requests/1", "get_pull_request", one(), false),
        ("can-merge", "/pull-requests/1/merge", "get_pull_request", one(), false),
        ("activities", "/pull-requests/1/activities", "get_pull_request", one(), true),
        ("builds", "/build-status/latest/commits/a", "get_build_status", commit(), true),
        ("builds", "/build-status/latest/commits/stats", "get_build_status", commit(), false),
        ("repos", "/rest/api/latest/repos", "search_repositories", json!({}), true),
    ]
}

/// Recordings of other operations of the same folder.
fn fits(folder: &str, path: &str, name: &str) -> bool {
    match folder {
        // `create.json` is the answer of another product.
        "branches" => !name.contains("branch-model") && !name.contains("create"),
        "commits" => !name.contains("error"),
        "builds" if path.contains("stats") => name.contains("stats"),
        "builds" => name.contains("legacy-list") || name.contains("scoped"),
        "pull-request" if path.ends_with("/1") => !name.contains("list"),
        "pull-request" => !name.contains("merge-result") && !name.contains("update"),
        "repos" => ["page", "filter", "single", "personal", "empty", "fork"]
            .iter()
            .any(|word| name.contains(word)),
        _ => true,
    }
}

#[test]
fn recorded_answers_are_read_with_unknown_members_unknown_words_and_nulls() {
    let Some(folder) = recordings() else { return };
    let demo = demo();
    let mut server = Server::ready(&demo, &[]);
    let schemas: Vec<(String, jsonschema::Validator)> = server
        .tools()
        .iter()
        .filter(|entry| !entry["outputSchema"].is_null())
        .map(|entry| {
            (
                entry["name"].as_str().expect("a name").to_owned(),
                jsonschema::validator_for(&entry["outputSchema"]).expect("a schema"),
            )
        })
        .collect();
    let (mut bodies, mut variants) = (0, 0);
    for (name, path, tool, arguments, pages) in feeds() {
        for (file, recorded) in files(&folder, name) {
            if !fits(name, path, file.rsplit('/').next().unwrap_or_default()) {
                continue;
            }
            bodies += 1;
            let whole = if pages { page(&recorded) } else { recorded };
            let mut all = vec![
                ("as recorded".to_owned(), whole.clone()),
                ("with unknown members".to_owned(), with_unknown_members(&whole)),
                ("with unknown words".to_owned(), with_unknown_words(&whole)),
            ];
            all.extend(
                with_nulls(&whole)
                    .into_iter()
                    .map(|(name, value)| (format!("with {name} null"), value)),
            );
            for (what, body) in all {
                variants += 1;
                let bytes = serde_json::to_vec(&body).expect("JSON");
                demo.answer_with(
                    path,
                    200,
                    vec![("Content-Type".to_owned(), "application/json".to_owned())],
                    bytes,
                );
                let result = server.call(tool, arguments.clone());
                assert_eq!(result["isError"], false, "{file} {what}: {result}");
                let schema = &schemas.iter().find(|(name, _)| name == tool).expect("a schema").1;
                let errors: Vec<String> = schema
                    .iter_errors(&result["structuredContent"])
                    .map(|error| error.to_string())
                    .collect();
                assert!(errors.is_empty(), "{file} {what}: {errors:?}");
                if name != "repos" && what == "as recorded" && pages && tool.starts_with("list_") {
                    let shown = result["structuredContent"]
                        .as_object()
                        .and_then(|members| members.values().find_map(Value::as_array))
                        .map(Vec::len);
                    let given = whole["values"].as_array().map(|values| {
                        values.len().min(if tool == "list_pull_requests" { 100 } else { 25 })
                    });
                    assert!(
                        shown >= given.filter(|_| path.contains("ledger")),
                        "{file}: {shown:?} of {given:?}"
                    );
                }
            }
        }
    }
    assert!(bodies > 40 && variants > 1_000, "{bodies} bodies, {variants} variants");
}

#[test]
fn recorded_errors_are_told_in_bitbuckets_own_words() {
    let Some(folder) = recordings() else { return };
    let demo = demo();
    let mut server = Server::ready(&demo, &[]);
    let mut told = 0;
    for (file, recorded) in files(&folder, "errors") {
        let status = if file.contains("409")
            || file.contains("stale")
            || file.contains("duplicate")
            || file.contains("retry")
        {
            409
        } else if file.contains("400") || file.contains("illegal") || file.contains("validation") {
            400
        } else {
            404
        };
        let bytes = serde_json::to_vec(&recorded).expect("JSON");
        demo.answer_with(
            "/repos/ledger/branches",
            status,
            vec![("Content-Type".to_owned(), "application/json;charset=UTF-8".to_owned())],
            bytes,
        );
        let text = server.failure("list_branches", json!({"project": "PAY", "repo": "ledger"}));
        assert!(text.contains(&format!("(HTTP {status})")), "{file}: {text}");
        for error in recorded["errors"].as_array().into_iter().flatten() {
            let words: String =
                error["message"].as_str().expect("a message").trim().chars().take(40).collect();
            assert!(text.contains(&words), "{file}: {text}");
        }
        told += 1;
    }
    assert!(told > 10, "{told}");
}
