//! The text of each kind of change.

use std::sync::Arc;

use super::*;

fn tree(files: &[(&str, &str)]) -> Tree {
    files.iter().map(|(path, content)| ((*path).to_owned(), Arc::from(*content))).collect()
}

fn text(before: &[(&str, &str)], after: &[(&str, &str)], context: usize) -> String {
    changes(&tree(before), &tree(after))
        .iter()
        .map(|change| unified(change, context, Whitespace::Show))
        .collect()
}

#[test]
fn an_added_file_comes_from_nowhere() {
    assert_eq!(
        text(&[], &[("a b.txt", "one\ntwo\n")], 3),
        "diff --git a/a b.txt b/a b.txt\nnew file mode 100644\nindex 00000000000..814f4a42292\n\
         --- /dev/null\n+++ b/a b.txt\t\n@@ -0,0 +1,2 @@\n+one\n+two\n"
    );
}

#[test]
fn a_deleted_file_goes_nowhere() {
    let found = text(&[("a", "one\ntwo")], &[], 3);
    assert!(found.contains("deleted file mode 100644\n"), "{found}");
    assert!(
        found.ends_with(
            "--- a/a\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-one\n-two\n\\ No newline at end of file\n"
        ),
        "{found}"
    );
}

#[test]
fn a_modified_file_shows_as_much_context_as_asked() {
    let old = "1\n2\n3\n4\n5\n6\n7\n8\n";
    let new = "1\n2\nx\n4\n5\n6\ny\n8\n";
    let tight = text(&[("a", old)], &[("a", new)], 1);
    assert!(
        tight.ends_with("@@ -2,3 +2,3 @@\n 2\n-3\n+x\n 4\n@@ -6,3 +6,3 @@\n 6\n-7\n+y\n 8\n"),
        "{tight}"
    );
    assert_eq!(text(&[("a", old)], &[("a", new)], 3).matches("@@ -").count(), 1);
    assert!(text(&[("a", old)], &[("a", new)], 0).contains("@@ -3 +3 @@\n-3\n+x\n"));
}

#[test]
fn a_moved_file_keeps_its_unchanged_lines() {
    let found = text(&[("old", "1\n2\n3\n4\n")], &[("new", "1\n2\n3\nfour\n")], 0);
    assert!(
        found.starts_with(
            "diff --git a/old b/new\nsimilarity index 75%\nrename from old\nrename to new\nindex "
        ),
        "{found}"
    );
    assert!(found.ends_with("--- a/old\n+++ b/new\n@@ -4 +4 @@\n-4\n+four\n"), "{found}");
}

#[test]
fn blanks_are_ignored_on_demand() {
    let found = hunks("a b\n", "  a  b\n", 3, Whitespace::IgnoreAll);
    assert!(found.is_empty());
    assert_eq!(hunks("a b\n", "  a  b\n", 3, Whitespace::Show).len(), 1);
}

#[test]
fn an_odd_path_is_quoted() {
    let found = text(&[], &[("naïve\".txt", "x\n")], 3);
    assert!(found.contains("\"b/na\\303\\257ve\\\".txt\""), "{found}");
}
