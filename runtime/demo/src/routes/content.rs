//! What a pull request changes: files, commits and diffs.

use std::sync::Arc;

use serde_json::{Value, json};

use super::{Call, one_of};
use crate::answer::{Answer, Outcome};
use crate::diff::{self, Change, Whitespace};
use crate::errors::Failure;
use crate::history::Tree;
use crate::json::{DiffOptions, merge_trees};
use crate::paging::{MAXIMUM, MAXIMUM_SMALL, Window};
use crate::state::{Comment, PullRequest};

/// The product's own number of lines around a change.
const CONTEXT: usize = 10;

/// One page only: `start` is ignored, and a list that was cut does not say
/// where to go on.
pub(super) fn changes(call: &Call<'_>, key: &str, slug: &str, id: &str) -> Outcome {
    let (_, found) = call.pull_request(key, slug, id)?;
    let mut window = Window::read(&call.query, MAXIMUM)?;
    window.start = 0;
    let sides = Sides::of(call, found)?;
    let all = diff::changes(sides.before, sides.after);
    let shapes = call.shapes();
    let page = window.page(&all, |change| shapes.change(change, found));
    let mut answer = json!({
        "fromHash": sides.from_hash,
        "toHash": sides.to_hash,
        "properties": { "changeScope": "ALL" },
    });
    if let (Some(fields), Value::Object(page)) = (answer.as_object_mut(), page) {
        fields.extend(page);
        fields.insert("nextPageStart".into(), Value::Null);
    }
    Ok(Answer::Json(answer))
}

pub(super) fn commits(call: &Call<'_>, key: &str, slug: &str, id: &str) -> Outcome {
    let (repository, found) = call.pull_request(key, slug, id)?;
    let window = Window::read(&call.query, MAXIMUM_SMALL)?;
    let all = repository.history.log(&found.from.commit, Some(&found.to.commit));
    let shapes = call.shapes();
    Ok(Answer::Json(window.page(&all, |commit| shapes.commit(commit))))
}

pub(super) fn raw_diff(call: &Call<'_>, key: &str, slug: &str, id: &str) -> Outcome {
    let (_, found) = call.pull_request(key, slug, id)?;
    let sides = Sides::of(call, found)?;
    let options = options(call)?;
    Ok(text(&diff::changes(sides.before, sides.after), options))
}

pub(super) fn diff(call: &Call<'_>, key: &str, slug: &str, id: &str, path: &[&str]) -> Outcome {
    let (_, found) = call.pull_request(key, slug, id)?;
    let sides = Sides::of(call, found)?;
    let options = options(call)?;
    let path = path.join("/");
    let changes = if path.is_empty() {
        diff::changes(sides.before, sides.after)
    } else {
        sides.file(&path, call.query.get("srcPath"))?
    };
    if call.accept.contains("text/plain") {
        return Ok(text(&changes, options));
    }
    let shapes = call.shapes();
    let diffs: Vec<Value> = changes
        .iter()
        .map(|change| {
            let comments = if options.with_comments { drawn_in(found, change) } else { Vec::new() };
            shapes.file_diff(change, found, &comments, options)
        })
        .collect();
    let whitespace = match options.whitespace {
        Whitespace::Show => "SHOW",
        Whitespace::IgnoreAll => "IGNORE_ALL",
    };
    Ok(Answer::Json(json!({
        "fromHash": sides.from_hash,
        "toHash": sides.to_hash,
        "contextLines": i32::try_from(options.context).unwrap_or(i32::MAX),
        "whitespace": whitespace,
        "diffs": diffs,
        "truncated": false,
    })))
}

fn text(changes: &[Change], options: DiffOptions) -> Answer {
    Answer::Text(
        changes
            .iter()
            .map(|change| diff::unified(change, options.context, options.whitespace))
            .collect(),
    )
}

/// The threads of a file that have a place in its diff.
fn drawn_in<'a>(found: &'a PullRequest, change: &Change) -> Vec<&'a Comment> {
    found
        .comments
        .iter()
        .filter(|comment| {
            comment
                .anchor
                .as_ref()
                .is_some_and(|anchor| anchor.path == change.path() && !anchor.orphaned)
        })
        .collect()
}

fn options(call: &Call<'_>) -> Result<DiffOptions, Failure> {
    let context = match call.query.get("contextLines") {
        None => CONTEXT,
        Some(text) => {
            let number: i64 = text.parse().map_err(|_| {
                Failure::bad_parameter("contextLines", "contextLines must be a number.")
            })?;
            // A negative number asks for the whole file.
            usize::try_from(number).unwrap_or(usize::MAX)
        }
    };
    let whitespace = match one_of(call, "whitespace", &["ignore-all", "show"])? {
        Some("ignore-all") => Whitespace::IgnoreAll,
        _ => Whitespace::Show,
    };
    Ok(DiffOptions { context, whitespace, with_comments: call.query.flag("withComments", true) })
}

/// The two sides of a pull request's diff.
struct Sides<'a> {
    from_hash: &'a str,
    before: &'a Tree,
    to_hash: &'a str,
    after: &'a Tree,
}

impl<'a> Sides<'a> {
    fn of(call: &Call<'a>, found: &PullRequest) -> Result<Sides<'a>, Failure> {
        merge_trees(call.store, found)
            .map(|(from_hash, before, to_hash, after)| Sides { from_hash, before, to_hash, after })
            .ok_or_else(|| Failure::no_commit(&found.from.commit, &found.from.branch))
    }

    /// The change of one file. Without its earlier path a moved file shows as
    /// new, as in the product.
    fn file(&self, path: &str, source_path: Option<&str>) -> Result<Vec<Change>, Failure> {
        let side = |tree: &Tree, path: &str| {
            tree.get(path).map(|content| (path.to_owned(), Arc::clone(content)))
        };
        let change = Change {
            before: side(self.before, source_path.unwrap_or(path)),
            after: side(self.after, path),
        };
        match (&change.before, &change.after) {
            (None, None) => Err(Failure::no_path(path, self.to_hash)),
            (before, after) if before == after => Ok(Vec::new()),
            _ => Ok(vec![change]),
        }
    }
}
