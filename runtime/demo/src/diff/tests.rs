//! The text of each kind of change.

use super::*;

fn tree(files: &[(&str, &str)]) -> Tree {
    files.iter().map(|(path, content)| ((*path).to_owned(), Blob::from(*content))).collect()
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

fn few_lines() -> impl proptest::strategy::Strategy<Value = String> {
    use proptest::prelude::*;
    let line = prop_oneof!["a", "b", "c d", "e\r", ""];
    (proptest::collection::vec(line, 0..12), any::<bool>()).prop_map(|(lines, ended)| {
        let text = lines.join("\n");
        if ended && !text.is_empty() { format!("{text}\n") } else { text }
    })
}

/// What a text becomes under the hunks of a difference.
fn applied(before: &str, hunks: &[Hunk]) -> String {
    let old: Vec<&str> = before.split_inclusive('\n').collect();
    let (mut out, mut at) = (String::new(), 0);
    for hunk in hunks {
        let start = if hunk.source_span == 0 { hunk.source_line } else { hunk.source_line - 1 };
        out.push_str(&old[at..start].concat());
        at = start + hunk.source_span;
        for line in hunk.lines.iter().filter(|line| line.kind != crate::state::LineType::Removed) {
            out.push_str(&line.text);
            if !line.unended {
                out.push('\n');
            }
        }
    }
    out.push_str(&old[at..].concat());
    out
}

proptest::proptest! {
    #[test]
    fn hunks_turn_one_text_into_the_other(before in few_lines(), after in few_lines(), context in 0usize..4) {
        let found = hunks(&before, &after, context, Whitespace::Show);
        proptest::prop_assert_eq!(applied(&before, &found), after.clone());
        proptest::prop_assert_eq!(found.is_empty(), before == after);
        for hunk in &found {
            for (span, left_out) in [
                (hunk.source_span, crate::state::LineType::Added),
                (hunk.destination_span, crate::state::LineType::Removed),
            ] {
                let count = hunk.lines.iter().filter(|line| line.kind != left_out).count();
                proptest::prop_assert_eq!(span, count);
            }
        }
    }
}

#[test]
fn long_texts_are_compared_between_lines_that_occur_once() {
    let before: String = (0..4000).map(|line| format!("{line}\n")).collect();
    let after: String = (0..4000)
        .map(|line| if line % 97 == 0 { "x\n".into() } else { format!("{line}\n") })
        .collect();
    let found = hunks(&before, &after, 0, Whitespace::Show);
    assert_eq!(found.len(), 42);
    assert_eq!(applied(&before, &found), after);
    let other: String = (0..4000).map(|line| format!("other {line}\n")).collect();
    assert_eq!(applied(&before, &hunks(&before, &other, 3, Whitespace::Show)), other);
}
