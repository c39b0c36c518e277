//! The line difference of two texts, by the longest common subsequence.
//! Texts here are small, so the quadratic table is fine.

use crate::state::LineType as Kind;

/// Whether differences in blanks count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Whitespace {
    Show,
    IgnoreAll,
}

/// One line of a hunk. Both numbers are always set, as in the product: for an
/// added line the source is the last one before it, for a removed line the
/// destination likewise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Line<'a> {
    kind: Kind,
    source: usize,
    destination: usize,
    text: &'a str,
}

/// A stretch of lines with its surroundings.
#[derive(Debug, Clone)]
pub(crate) struct Hunk {
    pub(crate) source_line: usize,
    pub(crate) source_span: usize,
    pub(crate) destination_line: usize,
    pub(crate) destination_span: usize,
    pub(crate) lines: Vec<OwnedLine>,
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
    let mut found = Vec::new();
    let mut at = 0;
    while at < all.len() {
        if !shown[at] {
            at += 1;
            continue;
        }
        let end = (at..all.len()).find(|index| !shown[*index]).unwrap_or(all.len());
        found.push(hunk(&all[at..end], before, after));
        at = end;
    }
    found
}

/// The share of lines two texts have in common, in percent.
pub(crate) fn similarity(before: &str, after: &str) -> usize {
    if before == after {
        return 100;
    }
    let total = before.lines().count() + after.lines().count();
    let common = script(before, after, Whitespace::Show)
        .iter()
        .filter(|line| line.kind == Kind::Context)
        .count();
    (common * 200).checked_div(total).unwrap_or(0)
}

fn hunk(lines: &[Line<'_>], before: &str, after: &str) -> Hunk {
    let (source_end, destination_end) = (before.lines().count(), after.lines().count());
    let on_source: Vec<&Line<'_>> = lines.iter().filter(|line| line.kind != Kind::Added).collect();
    let on_destination: Vec<&Line<'_>> =
        lines.iter().filter(|line| line.kind != Kind::Removed).collect();
    Hunk {
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
                    Kind::Removed => line.source == source_end && !before.ends_with('\n'),
                    _ => line.destination == destination_end && !after.ends_with('\n'),
                },
            })
            .collect(),
    }
}

/// The whole edit script, unchanged lines included. Removed lines go before
/// added ones.
fn script<'a>(before: &'a str, after: &'a str, whitespace: Whitespace) -> Vec<Line<'a>> {
    let old: Vec<&str> = before.lines().collect();
    let new: Vec<&str> = after.lines().collect();
    let key = |line: &str| -> String {
        match whitespace {
            Whitespace::Show => line.to_owned(),
            Whitespace::IgnoreAll => line.split_whitespace().collect(),
        }
    };
    let old_keys: Vec<String> = old.iter().map(|line| key(line)).collect();
    let new_keys: Vec<String> = new.iter().map(|line| key(line)).collect();
    let width = new.len() + 1;
    // table[i * width + j] is the length common to old[i..] and new[j..].
    let mut table = vec![0u32; (old.len() + 1) * width];
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            table[i * width + j] = if old_keys[i] == new_keys[j] {
                table[(i + 1) * width + j + 1] + 1
            } else {
                table[(i + 1) * width + j].max(table[i * width + j + 1])
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    let mut out = Vec::with_capacity(old.len() + new.len());
    while i < old.len() || j < new.len() {
        let equal = i < old.len() && j < new.len() && old_keys[i] == new_keys[j];
        let remove = !equal
            && i < old.len()
            && (j == new.len() || table[(i + 1) * width + j] >= table[i * width + j + 1]);
        let kind = if equal {
            Kind::Context
        } else if remove {
            Kind::Removed
        } else {
            Kind::Added
        };
        i += usize::from(kind != Kind::Added);
        j += usize::from(kind != Kind::Removed);
        out.push(Line {
            kind,
            source: i,
            destination: j,
            text: if kind == Kind::Removed { old[i - 1] } else { new[j - 1] },
        });
    }
    out
}
