//! The words of a kind, and that the page's scripts use exactly those.

use crate::node::{Located, Node};
use crate::reader::Source;
use std::path::Path;

/// Longest word or sentence of the page.
const LONGEST: usize = 200;

/// Reads the words, in order.
pub(super) fn lower(
    source: &Source<'_>,
    root: &Located<Node>,
    kind: &Located<String>,
) -> Vec<(String, String)> {
    let Some(node) = source.map(&root.value, "strings") else {
        if root.value.get("strings").is_none() {
            source.missing("strings", &kind.span);
        }
        return Vec::new();
    };
    let mut strings = Vec::new();
    for (key, value) in node.value.members() {
        if !crate::document::is_name(&key.value) {
            source.fault("bad-name", &key.span, format!("`{}` is no key", key.value), "");
        }
        let Some(text) = source.as_text(&key.value, value) else { continue };
        if text.value.is_empty() || text.value.chars().count() > LONGEST {
            source.fault(
                "bad-text",
                &text.span,
                format!("more than {LONGEST} characters, or none"),
                "",
            );
        }
        strings.push((key.value.clone(), text.value));
    }
    strings
}

/// A kind file with its declared keys, to be held against the scripts.
pub(super) struct Declared<'d> {
    pub(super) source: Source<'d>,
    pub(super) root: Located<Node>,
}

/// Holds the keys declared by all kinds against the keys the scripts use.
pub(super) fn check(declared: &[Declared<'_>], page: &Path) {
    let mut used: Vec<String> = Vec::new();
    let Some(first) = declared.first() else { return };
    let mut computed = Vec::new();
    for script in scripts(page) {
        let Ok(text) = std::fs::read_to_string(&script) else {
            let message = format!("{} cannot be read", script.display());
            first.source.fault("file-unreadable", &(0..0), message, "");
            continue;
        };
        for (line, argument) in uses(&text) {
            match argument {
                Some(key) => used.push(key),
                None => computed.push(format!("{}:{line}", name_of(&script, page))),
            }
        }
    }
    let all: Vec<&str> =
        declared.iter().flat_map(|file| keys(&file.root)).map(|key| key.value.as_str()).collect();
    for (index, file) in declared.iter().enumerate() {
        for key in keys(&file.root) {
            let taken = declared[..index]
                .iter()
                .any(|other| keys(&other.root).any(|known| known.value == key.value));
            if taken {
                let message = format!("another kind declares `{}` too", key.value);
                file.source.fault("duplicate", &key.span, message, "");
            }
        }
    }
    for place in computed {
        let message = format!("{place} looks a word up by a computed key");
        first.source.fault("string-computed", &top(&first.root), message, "");
    }
    let mut missing: Vec<&String> =
        used.iter().filter(|key| !all.contains(&key.as_str())).collect();
    missing.sort();
    missing.dedup();
    for key in missing {
        let message = format!("the page's scripts use `{key}`, which no kind declares");
        first.source.fault("string-undeclared", &top(&first.root), message, "");
    }
    for file in declared {
        for key in keys(&file.root).filter(|key| !used.contains(&key.value)) {
            let message = format!("no script of the page uses `{}`", key.value);
            file.source.fault("string-unused", &key.span, message, "");
        }
    }
}

fn top(root: &Located<Node>) -> std::ops::Range<usize> {
    root.value.get("strings").map_or(root.span.start..root.span.start, |node| node.span.clone())
}

fn keys(root: &Located<Node>) -> impl Iterator<Item = &Located<String>> {
    root.value.get("strings").into_iter().flat_map(|node| node.value.members()).map(|(key, _)| key)
}

fn name_of(script: &Path, page: &Path) -> String {
    script.strip_prefix(page).unwrap_or(script).display().to_string().replace('\\', "/")
}

fn scripts(folder: &Path) -> Vec<std::path::PathBuf> {
    let mut scripts = Vec::new();
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    for path in entries.map(|entry| entry.path()) {
        if path.is_dir() {
            scripts.extend(self::scripts(&path));
        } else if path.extension().is_some_and(|ending| ending == "js") {
            scripts.push(path);
        }
    }
    scripts.sort();
    scripts
}

/// Every call of `text(…)` with its line and, where it is a literal, its key.
fn uses(script: &str) -> Vec<(usize, Option<String>)> {
    let mut found = Vec::new();
    for (at, _) in script.match_indices("text(") {
        let before = &script[..at];
        let part_of_a_name = before.ends_with(|letter: char| {
            letter.is_alphanumeric() || letter == '_' || letter == '.' || letter == '$'
        });
        if part_of_a_name || before.trim_end().ends_with("function") {
            continue;
        }
        let line = before.matches('\n').count() + 1;
        let comment = before.rsplit('\n').next().unwrap_or_default().trim_start();
        if comment.starts_with("//") || comment.starts_with('*') {
            continue;
        }
        let argument = script[at + 5..].trim_start();
        let key = argument.strip_prefix('"').and_then(|rest| rest.split_once('"'));
        let literal = key.filter(|(_, rest)| rest.trim_start().starts_with([')', ',']));
        found.push((line, literal.map(|(key, _)| key.to_owned())));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::uses;

    #[test]
    fn literal_keys_are_told_from_computed_ones() {
        let script = "const a = text(\"one\");\n// text(\"no\")\nfoo.text(x); el({ text: text(\"two\", { n }) });\n\
            function text(key, values) {}\nsetContext(\"no\"); text(name); text(\"a\" + b)";
        let found = uses(script);
        assert_eq!(
            found,
            [(1, Some("one".to_owned())), (3, Some("two".to_owned())), (5, None), (5, None)]
        );
    }
}
