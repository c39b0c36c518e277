//! The line difference of two texts, as hunks. Lines end at a line feed alone:
//! a carriage return belongs to its line, as git has it.

use super::script::{Line, script};
use crate::state::LineType as Kind;

/// Whether differences in blanks count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Whitespace {
    Show,
    IgnoreAll,
}

/// A stretch of lines with its surroundings.
#[derive(Debug, Clone)]
pub(crate) struct Hunk {
    pub(crate) source_line: usize,
    pub(crate) source_span: usize,
    pub(crate) destination_line: usize,
    pub(crate) destination_span: usize,
    pub(crate) lines: Vec<OwnedLine>,
    /// Whether lines of it were left out.
    pub(crate) truncated: bool,
}

/// Leaves out what goes beyond a number of lines, which what is kept uses up.
/// Whether anything was left out.
pub(crate) fn cut(hunks: &mut Vec<Hunk>, left: &mut usize) -> bool {
    let mut kept = 0;
    for hunk in hunks.iter_mut() {
        if *left == 0 {
            break;
        }
        hunk.truncated = hunk.lines.len() > *left;
        hunk.lines.truncate(*left);
        *left -= hunk.lines.len();
        kept += 1;
    }
    let whole = kept == hunks.len() && !hunks.iter().any(|hunk| hunk.truncated);
    hunks.truncate(kept);
    !whole
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OwnedLine {
    pub(crate) kind: Kind,
    pub(crate) source: usize,
    pub(crate) destination: usize,
    pub(crate) text: String,
    /// The last line of a text that does not end in a line break.
    pub(crate) unended: bool,
}

/// The lines of a text, without their line feeds.
pub(crate) fn split(text: &str) -> Vec<&str> {
    text.split_terminator('\n').collect()
}

/// The hunks between two texts, each with so many lines around the changes.
pub(crate) fn hunks(
    before: &str,
    after: &str,
    context: usize,
    whitespace: Whitespace,
) -> Vec<Hunk> {
    let all = script(before, after, whitespace);
    let mut shown = vec![false; all.len()];
    for (index, line) in all.iter().enumerate() {
        if line.kind != Kind::Context {
            let from = index.saturating_sub(context);
            let to = index.saturating_add(context).min(all.len() - 1);
            shown[from..=to].fill(true);
        }
    }
    let ends = Ends {
        source: (!before.ends_with('\n')).then(|| split(before).len()),
        destination: (!after.ends_with('\n')).then(|| split(after).len()),
    };
    let mut found = Vec::new();
    let mut at = 0;
    while at < all.len() {
        if !shown[at] {
            at += 1;
            continue;
        }
        let end = (at..all.len()).find(|index| !shown[*index]).unwrap_or(all.len());
        found.push(hunk(&all[at..end], &ends));
        at = end;
    }
    found
}

/// The share of lines two texts have in common, in percent.
pub(crate) fn similarity(before: &str, after: &str) -> usize {
    if before == after {
        return 100;
    }
    let (old, new) = (split(before).len(), split(after).len());
    let common = script(before, after, Whitespace::Show)
        .iter()
        .filter(|line| line.kind == Kind::Context)
        .count();
    (common * 200).checked_div(old + new).unwrap_or(0)
}

/// The last lines of texts that do not end in a line feed.
struct Ends {
    source: Option<usize>,
    destination: Option<usize>,
}

fn hunk(lines: &[Line<'_>], ends: &Ends) -> Hunk {
    let on_source: Vec<&Line<'_>> = lines.iter().filter(|line| line.kind != Kind::Added).collect();
    let on_destination: Vec<&Line<'_>> =
        lines.iter().filter(|line| line.kind != Kind::Removed).collect();
    Hunk {
        truncated: false,
        // An empty side names the line before it, as git does.
        source_line: on_source.first().or(lines.first().as_ref()).map_or(0, |line| line.source),
        source_span: on_source.len(),
        destination_line: on_destination
            .first()
            .or(lines.first().as_ref())
            .map_or(0, |line| line.destination),
        destination_span: on_destination.len(),
        lines: lines
            .iter()
            .map(|line| OwnedLine {
                kind: line.kind,
                source: line.source,
                destination: line.destination,
                text: line.text.to_owned(),
                unended: match line.kind {
                    Kind::Removed => ends.source == Some(line.source),
                    _ => ends.destination == Some(line.destination),
                },
            })
            .collect(),
    }
}
