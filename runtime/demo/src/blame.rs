//! Which commit last changed each line of a file. Knows nothing of how that is
//! shown.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::blob::Blob;
use crate::diff::{self, Change, Whitespace, script};
use crate::history::{Commit, History};
use crate::state::LineType;

/// Lines that came from one commit, and what the file was called there.
#[derive(Debug)]
pub(crate) struct Origin {
    pub(crate) commit: Arc<Commit>,
    pub(crate) path: String,
    /// The first of them, from 1, and how many there are.
    pub(crate) line: usize,
    pub(crate) count: usize,
}

/// Lines still to be explained: their numbers in one version of the file, with
/// those they have in the version that was asked about.
struct Open {
    commit: Arc<Commit>,
    path: String,
    lines: Vec<(usize, usize)>,
}

/// The origins of lines that follow each other, in order. A line that a parent
/// has as well is its parent's, the first parent's before the others'.
pub(crate) fn blame(history: &History, commit: &Arc<Commit>, path: &str) -> Vec<Origin> {
    let count = commit.tree.get(path).map_or(0, Blob::lines);
    let mut waiting = vec![Open {
        commit: Arc::clone(commit),
        path: path.to_owned(),
        lines: (1..=count).map(|line| (line, line)).collect(),
    }];
    let mut found: BTreeMap<usize, (Arc<Commit>, String)> = BTreeMap::new();
    while let Some(mut open) = waiting.pop() {
        for parent in open.commit.parents.iter().filter_map(|id| history.commit(id)) {
            let Some((path, before)) = earlier(parent, &open) else {
                continue;
            };
            let kept = kept(before, open.commit.tree.get(&open.path));
            let mut theirs = Vec::new();
            open.lines.retain(|(line, asked)| match kept.get(line) {
                Some(line) => {
                    theirs.push((*line, *asked));
                    false
                }
                None => true,
            });
            if !theirs.is_empty() {
                waiting.push(Open { commit: Arc::clone(parent), path, lines: theirs });
            }
        }
        for (_, asked) in open.lines {
            found.insert(asked, (Arc::clone(&open.commit), open.path.clone()));
        }
    }
    let mut all: Vec<Origin> = Vec::new();
    for (line, (commit, path)) in found {
        match all.last_mut() {
            Some(last) if last.commit.id == commit.id && last.path == path => last.count += 1,
            _ => all.push(Origin { commit, path, line, count: 1 }),
        }
    }
    all
}

/// The file in a parent, under its name there.
fn earlier<'p>(parent: &'p Commit, open: &Open) -> Option<(String, &'p Blob)> {
    if let Some(blob) = parent.tree.get(&open.path) {
        return Some((open.path.clone(), blob));
    }
    let path = diff::changes(&parent.tree, &open.commit.tree)
        .iter()
        .find(|change| change.path() == open.path && !change.copied)
        .and_then(Change::source_path)?
        .to_owned();
    let blob = parent.tree.get(&path)?;
    Some((path, blob))
}

/// The lines that were there before, with their numbers then.
fn kept(before: &Blob, after: Option<&Blob>) -> BTreeMap<usize, usize> {
    let Some(after) = after else {
        return BTreeMap::new();
    };
    if before.same_content(after) {
        return (1..=after.lines()).map(|line| (line, line)).collect();
    }
    script(&before.text(), &after.text(), Whitespace::Show)
        .iter()
        .filter(|line| line.kind == LineType::Context)
        .map(|line| (line.destination, line.source))
        .collect()
}
