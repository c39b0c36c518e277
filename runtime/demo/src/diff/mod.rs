//! Differences between two trees: which files changed, and which lines.
//! Knows nothing of how a difference is written down.

mod lines;
mod script;
mod text;

pub(crate) use lines::{Hunk, Whitespace, cut, hunks};
pub(crate) use script::script;
pub(crate) use text::unified;

use crate::blob::Blob;
use crate::history::Tree;

/// One changed file.
#[derive(Debug, Clone)]
pub(crate) struct Change {
    /// Path and content before; none when added.
    pub(crate) before: Option<(String, Blob)>,
    /// Path and content after; none when deleted.
    pub(crate) after: Option<(String, Blob)>,
    /// Whether the file before is still there as well.
    pub(crate) copied: bool,
}

impl Change {
    /// The path now, or the last one of a deleted file.
    pub(crate) fn path(&self) -> &str {
        self.after.as_ref().or(self.before.as_ref()).map_or("", |(path, _)| path)
    }

    /// The earlier path of a file that was moved or copied.
    pub(crate) fn source_path(&self) -> Option<&str> {
        match (&self.before, &self.after) {
            (Some((before, _)), Some((after, _))) if before != after => Some(before),
            _ => None,
        }
    }

    /// What the product calls it, and what git calls it.
    pub(crate) fn kind(&self) -> (&'static str, &'static str) {
        match (&self.before, &self.after) {
            (None, _) => ("ADD", "ADD"),
            (_, None) => ("DELETE", "DELETE"),
            _ if self.copied => ("COPY", "COPY"),
            _ if self.source_path().is_some() => ("MOVE", "RENAME"),
            _ => ("MODIFY", "MODIFY"),
        }
    }

    pub(crate) fn is_binary(&self) -> bool {
        [&self.before, &self.after].into_iter().flatten().any(|(_, content)| content.is_binary())
    }

    /// The share of lines that stayed, in percent.
    pub(crate) fn unchanged(&self) -> usize {
        match (&self.before, &self.after) {
            (Some((_, before)), Some((_, after))) => similarity(before, after),
            _ => 0,
        }
    }

    pub(crate) fn hunks(&self, context: usize, whitespace: Whitespace) -> Vec<Hunk> {
        let content =
            |side: &Option<(String, Blob)>| side.as_ref().map(|(_, content)| content.clone());
        let (before, after) = (content(&self.before), content(&self.after));
        hunks(
            &before.as_ref().map(Blob::text).unwrap_or_default(),
            &after.as_ref().map(Blob::text).unwrap_or_default(),
            context,
            whitespace,
        )
    }
}

/// The share of equal lines from which two files count as one that was moved
/// or copied: git's own limit.
const MOVED: usize = 50;

fn similarity(before: &Blob, after: &Blob) -> usize {
    if before.same_content(after) {
        100
    } else if before.lines().min(after.lines()) * 200 < (before.lines() + after.lines()) * MOVED {
        // Even if the shorter were wholly inside the longer it would not do.
        0
    } else if before.is_binary() || after.is_binary() {
        0
    } else {
        lines::similarity(&before.text(), &after.text())
    }
}

/// The changed files between two trees, ordered by path.
pub(crate) fn changes(before: &Tree, after: &Tree) -> Vec<Change> {
    let mut deleted: Vec<(&String, &Blob)> =
        before.iter().filter(|(path, _)| !after.contains_key(*path)).collect();
    // Only what changed itself is looked at as the source of a copy, as git
    // does unless it is told to try harder.
    let modified: Vec<(&String, &Blob)> = before
        .iter()
        .filter(|(path, old)| after.get(*path).is_some_and(|new| new != *old))
        .collect();
    let mut found = Vec::new();
    for (path, content) in after {
        let now = Some((path.clone(), content.clone()));
        match before.get(path) {
            Some(old) if old == content => {}
            Some(old) => found.push(Change {
                before: Some((path.clone(), old.clone())),
                after: now,
                copied: false,
            }),
            None => {
                if let Some(index) = closest(&deleted, content) {
                    let (path, old) = deleted.remove(index);
                    let before = Some((path.clone(), old.clone()));
                    found.push(Change { before, after: now, copied: false });
                } else {
                    let source = closest(&modified, content).map(|index| modified[index]);
                    let before = source.map(|(path, old)| (path.clone(), old.clone()));
                    let copied = before.is_some();
                    found.push(Change { before, after: now, copied });
                }
            }
        }
    }
    found.extend(deleted.into_iter().map(|(path, content)| Change {
        before: Some((path.clone(), content.clone())),
        after: None,
        copied: false,
    }));
    found.sort_by(|left, right| left.path().cmp(right.path()));
    found
}

/// The file most like this one, of those that are enough so.
fn closest(files: &[(&String, &Blob)], content: &Blob) -> Option<usize> {
    if content.bytes().is_empty() {
        return None;
    }
    if let Some(same) = files.iter().position(|(_, old)| old.same_content(content)) {
        return Some(same);
    }
    files
        .iter()
        .enumerate()
        .map(|(index, (_, old))| (similarity(old, content), index))
        .filter(|(share, _)| *share >= MOVED)
        .max()
        .map(|(_, index)| index)
}

#[cfg(test)]
mod tests;
