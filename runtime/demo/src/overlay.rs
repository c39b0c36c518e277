//! What two sides made of one tree, laid over each other as a merge does it.
//! A file that one side moved takes what the other changed to its new place.

use std::collections::BTreeSet;

use crate::blob::Blob;
use crate::diff::{self, Change};
use crate::history::Tree;
use crate::joining::joined;

/// The outcome of a merge. Where it conflicts the tree has the side's version.
#[derive(Debug, Default)]
pub(crate) struct Overlay {
    pub(crate) tree: Tree,
    /// The files that could not be joined, in order.
    pub(crate) conflicts: Vec<String>,
}

/// What changed from a base to a side, applied to a target.
pub(crate) fn overlaid(base: &Tree, side: &Tree, target: &Tree) -> Overlay {
    let moves = Moves::between(base, side, target);
    let mut conflicts: BTreeSet<String> = moves.conflicts.into_iter().collect();
    let (base, side, target) =
        (moved(base, &moves.in_base), moved(side, &moves.in_side), moved(target, &moves.in_target));
    let mut tree = target.clone().into_owned();
    for path in side.keys().chain(target.keys()).chain(base.keys()).collect::<BTreeSet<_>>() {
        let (then, theirs, ours) = (base.get(path), side.get(path), target.get(path));
        if then == theirs || theirs == ours {
            continue;
        }
        let result = if then == ours {
            theirs.cloned()
        } else {
            let both = join(then, ours, theirs);
            if both.is_none() {
                conflicts.insert(path.clone());
            }
            both.or_else(|| theirs.cloned())
        };
        match result {
            Some(content) => tree.insert(path.clone(), content),
            None => tree.remove(path),
        };
    }
    Overlay { tree, conflicts: conflicts.into_iter().collect() }
}

fn join(base: Option<&Blob>, left: Option<&Blob>, right: Option<&Blob>) -> Option<Blob> {
    joined(base?, left?, right?)
}

/// Old and new names by which a tree is made to look as if the move had been
/// there before.
#[derive(Default)]
struct Moves {
    in_base: Vec<(String, String)>,
    in_side: Vec<(String, String)>,
    in_target: Vec<(String, String)>,
    /// Moved on one side and removed, or moved elsewhere, on the other.
    conflicts: Vec<String>,
}

impl Moves {
    /// Only a file that is gone on one side and changed on the other can need
    /// this: everything else comes out right by its name.
    fn between(base: &Tree, side: &Tree, target: &Tree) -> Moves {
        let mut moves = Moves::default();
        let is_open = |gone: &Tree, other: &Tree| {
            base.iter()
                .any(|(path, then)| !gone.contains_key(path) && other.get(path) != Some(then))
        };
        if !is_open(side, target) && !is_open(target, side) {
            return moves;
        }
        let (theirs, ours) = (renames(base, side), renames(base, target));
        for (old, new) in &theirs {
            match ours.iter().find(|(path, _)| path == old) {
                Some((_, other)) if other == new => moves.in_base.push((old.clone(), new.clone())),
                Some(_) => moves.conflicts.push(old.clone()),
                None if target.contains_key(new) => {}
                None if target.contains_key(old) => {
                    moves.in_base.push((old.clone(), new.clone()));
                    moves.in_target.push((old.clone(), new.clone()));
                }
                None => moves.conflicts.push(new.clone()),
            }
        }
        for (old, new) in ours.iter().filter(|(old, _)| !theirs.iter().any(|(path, _)| path == old))
        {
            if side.contains_key(new) {
                continue;
            }
            if side.contains_key(old) {
                moves.in_base.push((old.clone(), new.clone()));
                moves.in_side.push((old.clone(), new.clone()));
            } else {
                moves.conflicts.push(new.clone());
            }
        }
        moves
    }
}

fn renames(before: &Tree, after: &Tree) -> Vec<(String, String)> {
    diff::changes(before, after)
        .iter()
        .filter(|change| !change.copied)
        .filter_map(|change: &Change| {
            Some((change.source_path()?.to_owned(), change.path().to_owned()))
        })
        .collect()
}

fn moved<'t>(tree: &'t Tree, moves: &[(String, String)]) -> std::borrow::Cow<'t, Tree> {
    let mut tree = std::borrow::Cow::Borrowed(tree);
    for (old, new) in moves {
        if let Some(content) = tree.to_mut().remove(old) {
            tree.to_mut().insert(new.clone(), content);
        }
    }
    tree
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "1\n2\n3\n4\n5\n6\n7\n8\n";

    fn tree(files: &[(&str, &str)]) -> Tree {
        files.iter().map(|(path, text)| ((*path).to_owned(), Blob::from(*text))).collect()
    }

    fn merged(side: &[(&str, &str)], target: &[(&str, &str)]) -> (Tree, Vec<String>) {
        let base = tree(&[("old", TEXT), ("other", "x\n")]);
        let found = overlaid(&base, &tree(side), &tree(target));
        (found.tree, found.conflicts)
    }

    #[test]
    fn a_file_moved_on_one_side_takes_what_the_other_changed() {
        let edited = TEXT.replace("7\n", "seven\n");
        let moved = TEXT.replace("1\n", "one\n");
        let both = moved.replace("7\n", "seven\n");
        let expected = (tree(&[("new", &both), ("other", "x\n")]), Vec::new());
        let here = [("new", moved.as_str()), ("other", "x\n")];
        let there = [("old", edited.as_str()), ("other", "x\n")];
        assert_eq!(merged(&here, &there), expected);
        assert_eq!(merged(&there, &here), expected);
        // Both moved it to the same place.
        let there = [("new", edited.as_str()), ("other", "x\n")];
        assert_eq!(merged(&here, &there), expected);
    }

    #[test]
    fn a_move_that_cannot_be_followed_is_a_conflict() {
        let clash = [("new", "one\n2\n3\n4\n5\n6\n7\n8\n"), ("other", "x\n")];
        let edited = [("old", "uno\n2\n3\n4\n5\n6\n7\n8\n"), ("other", "x\n")];
        assert_eq!(merged(&clash, &edited).1, ["new"]);
        let pure = [("new", TEXT), ("other", "x\n")];
        assert_eq!(merged(&pure, &[("other", "x\n")]).1, ["new"], "removed there");
        assert_eq!(merged(&[("other", "x\n")], &pure).1, ["new"], "removed here");
        let elsewhere = [("third", TEXT), ("other", "x\n")];
        assert_eq!(merged(&pure, &elsewhere).1, ["old"], "moved to two places");
    }

    #[test]
    fn what_one_side_left_alone_is_as_the_other_has_it() {
        let untouched = [("old", TEXT), ("other", "x\n")];
        let changed = [("new", TEXT), ("more", "y\n")];
        assert_eq!(merged(&changed, &untouched), (tree(&changed), Vec::new()));
        assert_eq!(merged(&untouched, &changed), (tree(&changed), Vec::new()));
        assert_eq!(merged(&[("old", TEXT)], &[("old", TEXT), ("other", "z\n")]).1, ["other"]);
    }
}
