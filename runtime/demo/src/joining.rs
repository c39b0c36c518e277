//! Two changes of one text joined, line by line, as git does it.

use crate::blob::Blob;
use crate::diff::{Whitespace, script};
use crate::state::LineType;

/// What one side put in place of some lines of the base.
#[derive(Debug, PartialEq, Eq)]
struct Edit {
    start: usize,
    end: usize,
    lines: Vec<String>,
}

/// The file with what both sides changed; none when they touch each other, or
/// when it has no lines to speak of.
pub(crate) fn joined(base: &Blob, left: &Blob, right: &Blob) -> Option<Blob> {
    let executable = if left.is_executable() == base.is_executable() { right } else { left };
    if left.same_content(base) || right.same_content(base) || left.same_content(right) {
        let content = if left.same_content(base) { right } else { left };
        return Some(content.with_mode(executable.is_executable()));
    }
    let ended = |blob: &Blob| !blob.is_binary() && blob.bytes().ends_with(b"\n");
    if ![base, left, right].into_iter().all(ended) {
        return None;
    }
    let (text, left, right) = (base.text(), left.text(), right.text());
    let mut edits = edits(&text, &left);
    for edit in self::edits(&text, &right) {
        if edits.contains(&edit) {
            continue;
        }
        if edits.iter().any(|other| other.start <= edit.end && edit.start <= other.end) {
            return None;
        }
        edits.push(edit);
    }
    edits.sort_by_key(|edit| edit.start);
    let old: Vec<&str> = text.split_inclusive('\n').collect();
    let (mut out, mut at) = (String::new(), 0);
    for edit in &edits {
        out.push_str(&old[at..edit.start].concat());
        for line in &edit.lines {
            out.push_str(line);
            out.push('\n');
        }
        at = edit.end;
    }
    out.push_str(&old[at..].concat());
    Some(Blob::new(out, executable.is_executable()))
}

fn edits(base: &str, side: &str) -> Vec<Edit> {
    let mut found: Vec<Edit> = Vec::new();
    let mut inside = false;
    for line in script(base, side, Whitespace::Show) {
        if line.kind == LineType::Context {
            inside = false;
            continue;
        }
        if !inside {
            // A removed line counts itself, an added one the line before it.
            let start = line.source - usize::from(line.kind == LineType::Removed);
            found.push(Edit { start, end: start, lines: Vec::new() });
            inside = true;
        }
        if let Some(edit) = found.last_mut() {
            match line.kind {
                LineType::Removed => edit.end = line.source,
                _ => edit.lines.push(line.text.to_owned()),
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn join(left: &str, right: &str) -> Option<String> {
        let base = Blob::from("1\n2\n3\n4\n5\n6\n");
        joined(&base, &left.into(), &right.into()).map(|blob| blob.text().into_owned())
    }

    #[test]
    fn distant_changes_are_joined_and_touching_ones_are_not() {
        let expected = Some("one\n2\n3\n4\nfive\n6\nseven\n".to_owned());
        assert_eq!(join("one\n2\n3\n4\n5\n6\n", "1\n2\n3\n4\nfive\n6\nseven\n"), expected);
        assert_eq!(
            join("1\n2\n4\n5\n6\n", "1\n2\n3\n4\n5\nx\n6\n").as_deref(),
            Some("1\n2\n4\n5\nx\n6\n")
        );
        assert_eq!(join("1\ntwo\n3\n4\n5\n6\n", "1\nzwei\n3\n4\n5\n6\n"), None);
        assert_eq!(join("1\ntwo\n3\n4\n5\n6\n", "1\n2\ndrei\n4\n5\n6\n"), None);
        let same = "1\ntwo\n3\n4\n5\n6\n";
        assert_eq!(join(same, same).as_deref(), Some(same));
        assert_eq!(join("1\n2\n3\n4\n5\n6", "one\n2\n3\n4\n5\n6\n"), None);
    }
}
