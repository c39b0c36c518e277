//! Where a comment stands after the code below it changed.

use std::sync::Arc;

use crate::blob::Blob;
use crate::diff::{self, Change, Whitespace, script};
use crate::history::Tree;
use crate::state::{Anchor, Comment, LineType};

/// The two sides of a diff, with the commits they are of.
#[derive(Debug, Clone)]
pub(crate) struct Sides {
    pub(crate) from_hash: String,
    pub(crate) before: Arc<Tree>,
    pub(crate) to_hash: String,
    pub(crate) after: Arc<Tree>,
}

/// Moves the threads from the diff they were in to the one that took its
/// place. One whose line is gone is outdated and keeps its old place.
pub(crate) fn place_again(comments: &mut [Comment], old: &Sides, new: &Sides) {
    let changes = diff::changes(&new.before, &new.after);
    for comment in comments {
        let Some(anchor) = comment.anchor.as_mut().filter(|anchor| is_moved(anchor)) else {
            continue;
        };
        match moved(anchor, old, &changes) {
            Some(line) => {
                if let (Some((now, _)), Some((then, _)), Some((first, _))) =
                    (line, anchor.line, anchor.first.as_mut())
                {
                    *first = (*first + now).saturating_sub(then).max(1);
                }
                anchor.before = anchor.is_on_source()
                    && line.is_some_and(|(_, kind)| kind == LineType::Context);
                anchor.line = line;
                anchor.from_hash.clone_from(&new.from_hash);
                anchor.to_hash.clone_from(&new.to_hash);
            }
            None => anchor.orphaned = true,
        }
    }
}

/// Comments on a commit or a range stay where they were written.
fn is_moved(anchor: &Anchor) -> bool {
    !anchor.orphaned && anchor.diff_type == "EFFECTIVE"
}

/// The line in the new diff; the inner `None` is a comment on the file.
#[expect(clippy::option_option, reason = "a place may be lost, and a kept one may have no line")]
fn moved(anchor: &Anchor, old: &Sides, changes: &[Change]) -> Option<Option<(usize, LineType)>> {
    let change = changes.iter().find(|change| change.path() == anchor.path)?;
    let Some((line, _)) = anchor.line else {
        return Some(None);
    };
    let (then, now) = if anchor.is_on_source() {
        let path = anchor.source_path.as_ref().unwrap_or(&anchor.path);
        (old.before.get(path), &change.before)
    } else {
        (old.after.get(&anchor.path), &change.after)
    };
    let (then, (_, now)) = (then?, now.as_ref()?);
    let number = same_line(then, now, line)?;
    let kind = kind_of(change, number, anchor.is_on_source())?;
    Some(Some((number, kind)))
}

fn same_line(then: &Blob, now: &Blob, line: usize) -> Option<usize> {
    if then.same_content(now) {
        return Some(line);
    }
    script(&then.text(), &now.text(), Whitespace::Show)
        .iter()
        .find(|step| step.kind == LineType::Context && step.source == line)
        .map(|step| step.destination)
}

/// What a diff says of a line of one of its sides.
pub(crate) fn kind_of(change: &Change, number: usize, on_source: bool) -> Option<LineType> {
    let text = |side: &Option<(String, Blob)>| {
        side.as_ref().map(|(_, content)| content.text().into_owned()).unwrap_or_default()
    };
    let (before, after) = (text(&change.before), text(&change.after));
    script(&before, &after, Whitespace::Show)
        .iter()
        .find(|step| {
            if on_source {
                step.kind != LineType::Added && step.source == number
            } else {
                step.kind != LineType::Removed && step.destination == number
            }
        })
        .map(|step| step.kind)
}
