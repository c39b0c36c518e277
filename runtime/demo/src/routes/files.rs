//! Files and folders at a commit.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Value, json};

use super::Call;
use crate::answer::{Answer, Outcome};
use crate::blame::{Origin, blame};
use crate::blob::Blob;
use crate::errors::Failure;
use crate::hash;
use crate::history::{Author, Commit, Tree};
use crate::json::{path as path_object, put, short};
use crate::paging::{MAXIMUM, Window};
use crate::state::Repository;

/// The most lines of a source and names of an index one page holds.
const MAXIMUM_LINES: usize = 5000;
const MAXIMUM_NAMES: usize = 100_000;
/// The lines of a page when no limit is given.
const LINES: usize = 500;

/// The commit asked for, or the refusal of a repository that has none.
fn at<'a>(call: &Call<'a>, repository: &'a Repository) -> Result<&'a Arc<Commit>, Failure> {
    let history = &repository.history;
    if history.commits.is_empty() {
        return Err(Failure::no_default_branch(&repository.slug));
    }
    let at = call.query.get("at").unwrap_or(&history.default_branch);
    history.resolve(at).ok_or_else(|| Failure::no_commit(at, &repository.slug))
}

pub(super) fn raw(call: &Call<'_>, key: &str, slug: &str, path: &[&str]) -> Outcome {
    let repository = call.repository(key, slug)?;
    let commit = at(call, repository)?;
    let path = path.join("/");
    let blob = commit.tree.get(&path).ok_or_else(|| Failure::no_path(&path, &commit.id))?;
    Ok(Answer::Bytes(blob.bytes().to_vec(), media_type(&path, blob), Some(blob.id().to_owned())))
}

/// By the name, and often wrong: markup that a browser would run is called
/// text, and what the product does not know is called bytes.
fn media_type(path: &str, blob: &Blob) -> &'static str {
    match path.rsplit('.').next().unwrap_or_default() {
        "png" => "image/png",
        "gif" => "image/gif",
        "jpg" | "jpeg" => "image/jpeg",
        "pdf" => "application/pdf",
        "zip" | "jar" => "application/zip",
        "html" | "htm" | "svg" | "xml" => "text/plain;charset=UTF-8",
        _ if blob.is_binary() => "application/octet-stream",
        _ => "text/plain;charset=UTF-8",
    }
}

/// Every file below a folder, as plain strings relative to it.
pub(super) fn index(call: &Call<'_>, key: &str, slug: &str, path: &[&str]) -> Outcome {
    let repository = call.repository(key, slug)?;
    let commit = at(call, repository)?;
    let window = Window::read(&call.query, MAXIMUM_NAMES)?;
    let folder = folder(&path.join("/"));
    let names: Vec<&str> =
        commit.tree.keys().filter_map(|name| name.strip_prefix(folder.as_str())).collect();
    if names.is_empty() {
        return Err(Failure::no_path(&path.join("/"), &commit.id));
    }
    Ok(Answer::Json(window.page(&names, |name| json!(name))))
}

fn folder(path: &str) -> String {
    if path.is_empty() { String::new() } else { format!("{path}/") }
}

/// What stands directly in a folder: its files, and its folders without
/// content.
fn children<'t>(tree: &'t Tree, path: &str) -> BTreeMap<&'t str, Option<&'t Blob>> {
    let folder = folder(path);
    let mut found = BTreeMap::new();
    for (name, blob) in tree {
        let Some(rest) = name.strip_prefix(folder.as_str()) else {
            continue;
        };
        match rest.split_once('/') {
            Some((below, _)) => found.insert(below, None),
            None => found.insert(rest, Some(blob)),
        };
    }
    found
}

pub(super) fn browse(call: &Call<'_>, key: &str, slug: &str, path: &[&str]) -> Outcome {
    let repository = call.repository(key, slug)?;
    let commit = at(call, repository)?;
    let path = path.join("/");
    let Some(blob) = commit.tree.get(&path) else {
        return list(call, commit, &path);
    };
    if call.query.flag("type", false) {
        return Ok(Answer::Json(json!({ "type": "FILE" })));
    }
    if call.query.flag("size", false) {
        return Ok(Answer::Json(json!({ "size": blob.bytes().len() })));
    }
    if blob.is_binary() {
        return Ok(Answer::Json(json!({ "binary": true, "path": path_object(&path) })));
    }
    let mut window = Window::read(&call.query, MAXIMUM_LINES)?;
    if call.query.get("limit").is_none() {
        window.limit = LINES;
    }
    let text = blob.text();
    let lines: Vec<&str> = text.split_terminator('\n').collect();
    let page =
        window.page(&lines, |line| json!({ "text": line.strip_suffix('\r').unwrap_or(line) }));
    let mut answer = json!({});
    if !call.query.has("noContent") {
        put(&mut answer, "lines", Some(page["values"].clone()));
    }
    for name in ["start", "size", "isLastPage", "limit", "nextPageStart"] {
        put(&mut answer, name, Some(page[name].clone()));
    }
    if call.query.has("blame") {
        let found = blame(&repository.history, commit, &path);
        let first = window.start + 1;
        let end = first + lines.len().saturating_sub(window.start).min(window.limit);
        put(&mut answer, "blame", Some(origins(call, &found, first..end)));
    }
    Ok(Answer::Json(answer))
}

fn list(call: &Call<'_>, commit: &Commit, path: &str) -> Outcome {
    let found = children(&commit.tree, path);
    if found.is_empty() {
        return Err(Failure::no_path(path, &commit.id));
    }
    if call.query.flag("type", false) {
        return Ok(Answer::Json(json!({ "type": "DIRECTORY" })));
    }
    let window = Window::read(&call.query, MAXIMUM)?;
    // Folders go before files, as the product's pages show them.
    let mut found: Vec<(&str, Option<&Blob>)> = found.into_iter().collect();
    found.sort_by_key(|(name, blob)| (blob.is_some(), *name));
    let page = window.page(&found, |(name, blob)| {
        let mut child = json!({ "path": path_object(name) });
        let id = match blob {
            Some(blob) => blob.id().to_owned(),
            None => hash::sha1(format!("{}{path}/{name}", commit.id).as_bytes()),
        };
        let kind = if blob.is_some() { "FILE" } else { "DIRECTORY" };
        let node = blob.is_none().then(|| json!(id));
        put(&mut child, "node", node);
        put(&mut child, "contentId", blob.is_some().then(|| json!(id)));
        put(&mut child, "type", Some(json!(kind)));
        put(&mut child, "size", blob.map(|blob| json!(blob.bytes().len())));
        child
    });
    let own = if path.is_empty() {
        json!({ "components": [], "name": "", "toString": "" })
    } else {
        path_object(path)
    };
    Ok(Answer::Json(json!({ "path": own, "revision": commit.id, "children": page })))
}

/// Where the lines of a page come from; an origin that goes beyond it is cut.
fn origins(call: &Call<'_>, found: &[Origin], page: std::ops::Range<usize>) -> Value {
    found
        .iter()
        .filter_map(|origin| {
            let start = origin.line.max(page.start);
            let end = (origin.line + origin.count).min(page.end);
            let commit = &origin.commit;
            let author = match &commit.author {
                Author::Account(name) => call.shapes().user_named(name),
                Author::Stranger { name, email } => json!({ "name": name, "emailAddress": email }),
            };
            (start < end).then(|| {
                json!({
                    "author": author,
                    "authorTimestamp": commit.date,
                    "commitHash": commit.id,
                    "displayCommitHash": short(&commit.id),
                    "commitId": commit.id,
                    "commitDisplayId": short(&commit.id),
                    "fileName": origin.path,
                    "lineNumber": start,
                    "spannedLines": end - start,
                })
            })
        })
        .collect()
}

/// The last commit that touched each child of a folder; not paged.
pub(super) fn last_modified(call: &Call<'_>, key: &str, slug: &str, path: &[&str]) -> Outcome {
    let repository = call.repository(key, slug)?;
    let commit = at(call, repository)?;
    let path = path.join("/");
    let names = children(&commit.tree, &path);
    if names.is_empty() {
        return Err(Failure::no_path(&path, &commit.id));
    }
    let (shapes, folder) = (call.shapes(), folder(&path));
    let log = repository.history.log(&commit.id, None);
    let files: serde_json::Map<String, Value> = names
        .keys()
        .filter_map(|name| {
            let whole = format!("{folder}{name}");
            let last = log.iter().find(|commit| {
                commit.parents.len() < 2 && repository.history.touches(commit, &whole)
            })?;
            Some(((*name).to_owned(), shapes.commit(last)))
        })
        .collect();
    Ok(Answer::Json(json!({ "files": files, "latestCommit": shapes.commit(commit) })))
}
