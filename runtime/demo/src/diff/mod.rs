//! Differences between two trees: which files changed, and which lines.
//! Knows nothing of how a difference is written down.

mod lines;
mod text;

use std::collections::BTreeSet;
use std::sync::Arc;

pub(crate) use lines::{Hunk, Whitespace, hunks};
pub(crate) use text::unified;

use crate::history::Tree;

/// One changed file.
#[derive(Debug, Clone)]
pub(crate) struct Change {
    /// Path and content before; none when added.
    pub(crate) before: Option<(String, Arc<str>)>,
    /// Path and content after; none when deleted.
    pub(crate) after: Option<(String, Arc<str>)>,
}

impl Change {
    /// The path now, or the last one of a deleted file.
    pub(crate) fn path(&self) -> &str {
        self.after.as_ref().or(self.before.as_ref()).map_or("", |(path, _)| path)
    }

    /// The earlier path of a file that was moved.
    pub(crate) fn source_path(&self) -> Option<&str> {
        match (&self.before, &self.after) {
            (Some((before, _)), Some((after, _))) if before != after => Some(before),
            _ => None,
        }
    }

    pub(crate) fn is_binary(&self) -> bool {
        [&self.before, &self.after].into_iter().flatten().any(|(_, content)| content.contains('\0'))
    }

    /// The share of lines that stayed, in percent.
    pub(crate) fn unchanged(&self) -> usize {
        match (&self.before, &self.after) {
            (Some((_, before)), Some((_, after))) => lines::similarity(before, after),
            _ => 0,
        }
    }

    pub(crate) fn hunks(&self, context: usize, whitespace: Whitespace) -> Vec<Hunk> {
        let content = |side: &Option<(String, Arc<str>)>| {
            side.as_ref().map(|(_, content)| Arc::clone(content))
        };
        hunks(
            content(&self.before).as_deref().unwrap_or(""),
            content(&self.after).as_deref().unwrap_or(""),
            context,
            whitespace,
        )
    }
}

/// The share of equal lines from which a deleted and an added file count as
/// one moved file: git's own limit.
const MOVED: usize = 50;

/// The changed files between two trees, ordered by path.
pub(crate) fn changes(before: &Tree, after: &Tree) -> Vec<Change> {
    let mut deleted: Vec<(&String, &Arc<str>)> =
        before.iter().filter(|(path, _)| !after.contains_key(*path)).collect();
    let mut found = Vec::new();
    let names: BTreeSet<&String> = after.keys().collect();
    for path in names {
        let Some(content) = after.get(path) else {
            continue;
        };
        let now = Some((path.clone(), Arc::clone(content)));
        match before.get(path) {
            Some(old) if old == content => {}
            Some(old) => {
                found.push(Change { before: Some((path.clone(), Arc::clone(old))), after: now })
            }
            None => {
                let closest = deleted
                    .iter()
                    .enumerate()
                    .map(|(index, (_, old))| (lines::similarity(old, content), index))
                    .filter(|(share, _)| *share >= MOVED)
                    .max();
                let before = closest.map(|(_, index)| {
                    let (path, old) = deleted.remove(index);
                    (path.clone(), Arc::clone(old))
                });
                found.push(Change { before, after: now });
            }
        }
    }
    found.extend(deleted.into_iter().map(|(path, content)| Change {
        before: Some((path.clone(), Arc::clone(content))),
        after: None,
    }));
    found.sort_by(|left, right| left.path().cmp(right.path()));
    found
}

#[cfg(test)]
mod tests;
