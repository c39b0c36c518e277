//! The edit script between two texts: by the longest common subsequence where
//! that is cheap, between lines that occur once on each side where it is not.

use std::collections::HashMap;

use super::lines::{Whitespace, split};
use crate::state::LineType as Kind;

/// One line of a script. Both numbers are always set, as in the product: for
/// an added line the source is the last one before it, for a removed line the
/// destination likewise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Line<'a> {
    pub(crate) kind: Kind,
    pub(crate) source: usize,
    pub(crate) destination: usize,
    pub(crate) text: &'a str,
}

/// The largest table of the exact method, in cells.
const EXACT: usize = 200_000;

/// The whole script, unchanged lines included. Removed lines go before added
/// ones.
pub(crate) fn script<'a>(before: &'a str, after: &'a str, whitespace: Whitespace) -> Vec<Line<'a>> {
    let (old, new) = (split(before), split(after));
    let mut names = HashMap::new();
    let mut named = |lines: &[&'a str], unended: bool| -> Vec<usize> {
        let last = lines.len().saturating_sub(1);
        lines
            .iter()
            .enumerate()
            .map(|(index, line)| {
                let mut key: String = match whitespace {
                    Whitespace::Show => (*line).to_owned(),
                    Whitespace::IgnoreAll => line.split_whitespace().collect(),
                };
                // A missing line feed at the end is a difference of its own.
                if unended && index == last && whitespace == Whitespace::Show {
                    key.push('\n');
                }
                let next = names.len();
                *names.entry(key).or_insert(next)
            })
            .collect()
    };
    let old_keys = named(&old, !before.is_empty() && !before.ends_with('\n'));
    let new_keys = named(&new, !after.is_empty() && !after.ends_with('\n'));
    let mut kinds = Vec::with_capacity(old.len() + new.len());
    solve(&old_keys, &new_keys, &mut kinds);
    let (mut i, mut j) = (0, 0);
    kinds
        .into_iter()
        .map(|kind| {
            i += usize::from(kind != Kind::Added);
            j += usize::from(kind != Kind::Removed);
            let text = if kind == Kind::Removed { old[i - 1] } else { new[j - 1] };
            Line { kind, source: i, destination: j, text }
        })
        .collect()
}

fn solve(old: &[usize], new: &[usize], out: &mut Vec<Kind>) {
    let start = old.iter().zip(new).take_while(|(left, right)| left == right).count();
    out.extend(std::iter::repeat_n(Kind::Context, start));
    let (old, new) = (&old[start..], &new[start..]);
    let end =
        old.iter().rev().zip(new.iter().rev()).take_while(|(left, right)| left == right).count();
    let (old, new) = (&old[..old.len() - end], &new[..new.len() - end]);
    if old.len().saturating_mul(new.len()) <= EXACT {
        exact(old, new, out);
    } else {
        between_anchors(old, new, out);
    }
    out.extend(std::iter::repeat_n(Kind::Context, end));
}

fn between_anchors(old: &[usize], new: &[usize], out: &mut Vec<Kind>) {
    let anchors = anchors(old, new);
    if anchors.is_empty() {
        out.extend(std::iter::repeat_n(Kind::Removed, old.len()));
        out.extend(std::iter::repeat_n(Kind::Added, new.len()));
        return;
    }
    let (mut i, mut j) = (0, 0);
    for (at_old, at_new) in anchors {
        solve(&old[i..at_old], &new[j..at_new], out);
        out.push(Kind::Context);
        (i, j) = (at_old + 1, at_new + 1);
    }
    solve(&old[i..], &new[j..], out);
}

/// Lines that occur once on each side, in an order both sides share.
fn anchors(old: &[usize], new: &[usize]) -> Vec<(usize, usize)> {
    let once = |lines: &[usize]| -> HashMap<usize, Option<usize>> {
        let mut places = HashMap::new();
        for (index, line) in lines.iter().enumerate() {
            places.entry(*line).and_modify(|place| *place = None).or_insert(Some(index));
        }
        places
    };
    let (in_old, in_new) = (once(old), once(new));
    let pairs = old.iter().enumerate().filter_map(|(index, line)| {
        in_old.get(line).copied().flatten()?;
        in_new.get(line).copied().flatten().map(|place| (index, place))
    });
    // The longest run that ascends on both sides, by piles.
    let mut piles: Vec<usize> = Vec::new();
    let mut all: Vec<(usize, usize, Option<usize>)> = Vec::new();
    for (index, place) in pairs {
        let pile = piles.partition_point(|top| all[*top].1 < place);
        let before = pile.checked_sub(1).map(|before| piles[before]);
        all.push((index, place, before));
        let added = all.len() - 1;
        match piles.get_mut(pile) {
            Some(top) => *top = added,
            None => piles.push(added),
        }
    }
    let mut found = Vec::new();
    let mut at = piles.last().copied();
    while let Some(index) = at {
        let (old, new, before) = all[index];
        found.push((old, new));
        at = before;
    }
    found.reverse();
    found
}

fn exact(old: &[usize], new: &[usize], out: &mut Vec<Kind>) {
    let width = new.len() + 1;
    // table[i * width + j] is the length common to old[i..] and new[j..].
    let mut table = vec![0u32; (old.len() + 1) * width];
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            table[i * width + j] = if old[i] == new[j] {
                table[(i + 1) * width + j + 1] + 1
            } else {
                table[(i + 1) * width + j].max(table[i * width + j + 1])
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    while i < old.len() || j < new.len() {
        let equal = i < old.len() && j < new.len() && old[i] == new[j];
        let remove = !equal
            && i < old.len()
            && (j == new.len() || table[(i + 1) * width + j] >= table[i * width + j + 1]);
        let kind = match (equal, remove) {
            (true, _) => Kind::Context,
            (_, true) => Kind::Removed,
            _ => Kind::Added,
        };
        i += usize::from(kind != Kind::Added);
        j += usize::from(kind != Kind::Removed);
        out.push(kind);
    }
}
