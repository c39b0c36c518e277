//! Diffs between any two commits, as a pull request, a comparison or a commit
//! shows them.

use serde_json::{Value, json};

use super::{Call, one_of};
use crate::answer::{Answer, Outcome};
use crate::blob::Blob;
use crate::diff::{self, Change, Whitespace};
use crate::errors::Failure;
use crate::history::Tree;
use crate::json::DiffOptions;
use crate::paging::{MAXIMUM, Window};
use crate::placing::Sides;
use crate::state::{Anchor, Comment, LineType, PullRequest};

/// The product's own number of lines around a change.
const CONTEXT: usize = 10;

/// The threads that may be drawn in a diff of a pull request.
#[derive(Clone, Copy)]
pub(super) struct Threads<'a> {
    pub(super) of: &'a PullRequest,
    /// Whether the diff is what the pull request changes, and no range in it.
    pub(super) effective: bool,
}

/// The whole difference or that of one file: JSON, or text for who asks for it.
pub(super) fn diff(
    call: &Call<'_>,
    sides: &Sides,
    threads: Option<Threads<'_>>,
    path: &[&str],
) -> Outcome {
    let options = options(call)?;
    let changes = changed(call, sides, path)?;
    if call.accept.contains("text/plain") {
        return Ok(text(&changes, options));
    }
    let shapes = call.shapes();
    let mut left = call.store.limits.lines;
    let diffs: Vec<Value> = changes
        .iter()
        .map(|change| {
            let comments = match threads {
                Some(threads) if options.with_comments => {
                    drawn_in(threads, sides, change, call.user)
                }
                _ => Vec::new(),
            };
            let found = threads.map(|threads| threads.of);
            shapes.file_diff(change, found, &comments, options, &mut left)
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
        "truncated": diffs.iter().any(|diff| diff["truncated"] == true),
        "diffs": diffs,
    })))
}

pub(super) fn raw(call: &Call<'_>, sides: &Sides, path: &[&str]) -> Outcome {
    let options = options(call)?;
    Ok(text(&changed(call, sides, path)?, options))
}

/// The changed files as pages; those of a pull request as one that does not say
/// where to go on.
pub(super) fn changes(
    call: &Call<'_>,
    sides: &Sides,
    found: Option<&PullRequest>,
    properties: Value,
) -> Outcome {
    let mut window = Window::read(&call.query, MAXIMUM)?;
    if found.is_some() {
        window.start = 0;
    }
    let all = diff::changes(&sides.before, &sides.after);
    let shapes = call.shapes();
    let conflicts = found.map(|found| conflicts(call, found)).unwrap_or_default();
    let counted = found.filter(|_| call.query.flag("withComments", true));
    let page = window.page(&all, |change| {
        let target = conflicts.iter().find(|(path, _)| path == change.path());
        shapes.change(change, counted, target.map(|(_, kind)| *kind))
    });
    let mut answer = json!({
        "fromHash": sides.from_hash,
        "toHash": sides.to_hash,
        "properties": properties,
    });
    if let (Some(fields), Value::Object(page)) = (answer.as_object_mut(), page) {
        fields.extend(page);
        if found.is_some() {
            fields.insert("nextPageStart".into(), Value::Null);
        }
    }
    Ok(Answer::Json(answer))
}

/// The files both sides of an open pull request changed, and how the target
/// did.
fn conflicts(call: &Call<'_>, found: &PullRequest) -> Vec<(String, &'static str)> {
    let Some(repository) = call.store.repository(found.repository).filter(|_| found.is_open())
    else {
        return Vec::new();
    };
    let history = &repository.history;
    let (target, source) = (&found.to.commit, &found.from.commit);
    let tree = |id: &str| history.commit(id).map(|commit| &commit.tree);
    let base = history.merge_base(target, source).map(|commit| &commit.tree);
    let has = |tree: Option<&std::sync::Arc<Tree>>, path: &String| {
        tree.is_some_and(|tree| tree.contains_key(path))
    };
    history
        .conflicts(target, source)
        .into_iter()
        .map(|path| {
            let kind = match (has(base, &path), has(tree(target), &path)) {
                // Changed under the name it had before the source moved it.
                (false, false) => "MODIFY",
                (false, true) => "ADD",
                (true, false) => "DELETE",
                (true, true) => "MODIFY",
            };
            (path, kind)
        })
        .collect()
}

/// The only whole count of lines there is.
pub(super) fn summary(call: &Call<'_>, sides: &Sides, path: &[&str]) -> Outcome {
    let changes = changed(call, sides, path)?;
    let whitespace = options(call)?.whitespace;
    let (mut added, mut removed) = (0, 0);
    for change in changes.iter().filter(|change| !change.is_binary()) {
        for line in change.hunks(0, whitespace).iter().flat_map(|hunk| &hunk.lines) {
            added += usize::from(line.kind == LineType::Added);
            removed += usize::from(line.kind == LineType::Removed);
        }
    }
    Ok(Answer::Json(json!({
        "filesChanged": changes.len(),
        "linesAdded": added,
        "linesRemoved": removed,
    })))
}

fn changed(call: &Call<'_>, sides: &Sides, path: &[&str]) -> Result<Vec<Change>, Failure> {
    let path = path.join("/");
    if path.is_empty() {
        Ok(diff::changes(&sides.before, &sides.after))
    } else {
        let earlier = call.query.get("srcPath").map(str::to_owned).or_else(|| {
            let all = call
                .query
                .flag("autoSrcPath", false)
                .then(|| diff::changes(&sides.before, &sides.after))?;
            all.iter().find(|change| change.path() == path)?.source_path().map(str::to_owned)
        });
        file(sides, &path, earlier.as_deref())
    }
}

fn text(changes: &[Change], options: DiffOptions) -> Answer {
    Answer::Text(
        changes
            .iter()
            .map(|change| diff::unified(change, options.context, options.whitespace))
            .collect(),
    )
}

/// The threads of a file that have a place in its diff. One that was written
/// on a commit or a range is drawn there and nowhere else.
fn drawn_in<'a>(
    threads: Threads<'a>,
    sides: &Sides,
    change: &Change,
    user: Option<&str>,
) -> Vec<&'a Comment> {
    let is_here = |anchor: &Anchor| {
        let own = anchor.diff_type == "EFFECTIVE";
        let same = anchor.from_hash == sides.from_hash && anchor.to_hash == sides.to_hash;
        anchor.path == change.path()
            && !anchor.orphaned
            && if threads.effective { own } else { !own && same }
    };
    threads
        .of
        .comments
        .iter()
        .filter(|comment| comment.is_visible_to(user))
        .filter(|comment| comment.anchor.as_ref().is_some_and(is_here))
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

/// The change of one file, or of every file below a folder. Without its
/// earlier path a moved file shows as new, as in the product.
fn file(sides: &Sides, path: &str, source_path: Option<&str>) -> Result<Vec<Change>, Failure> {
    let side = |tree: &Tree, path: &str| -> Option<(String, Blob)> {
        tree.get(path).map(|content| (path.to_owned(), content.clone()))
    };
    let source = source_path.unwrap_or(path);
    let change = Change {
        before: side(&sides.before, source),
        after: side(&sides.after, path),
        copied: source != path && sides.after.contains_key(source),
    };
    match (&change.before, &change.after) {
        (None, None) => below(sides, path),
        (before, after) if before == after => Ok(Vec::new()),
        _ => Ok(vec![change]),
    }
}

fn below(sides: &Sides, path: &str) -> Result<Vec<Change>, Failure> {
    let folder = format!("{path}/");
    let inside = |tree: &Tree| -> Tree {
        tree.iter()
            .filter(|(name, _)| name.starts_with(&folder))
            .map(|(name, content)| (name.clone(), content.clone()))
            .collect()
    };
    let (before, after) = (inside(&sides.before), inside(&sides.after));
    if before.is_empty() && after.is_empty() {
        return Err(Failure::no_path(path, &sides.to_hash));
    }
    Ok(diff::changes(&before, &after))
}
