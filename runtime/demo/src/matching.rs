//! Which branches a ref matcher means, by every kind the product knows.

use crate::state::Matcher;

/// Categories of the branching model with their prefixes.
pub(crate) const CATEGORIES: [(&str, &str, &str); 4] = [
    ("BUGFIX", "Bugfix", "bugfix/"),
    ("FEATURE", "Feature", "feature/"),
    ("HOTFIX", "Hotfix", "hotfix/"),
    ("RELEASE", "Release", "release/"),
];

/// Whether a matcher means a branch; `None` when the product itself would have
/// to say. Branches and patterns are compared without regard to case.
pub(crate) fn matches(matcher: &Matcher, branch: &str, default: &str) -> Option<bool> {
    let full = format!("refs/heads/{branch}");
    match matcher.kind.as_str() {
        "ANY_REF" => Some(true),
        "DEFAULT_BRANCH" => Some(branch == default),
        "BRANCH" => Some(is_branch(&matcher.id, branch)),
        "PATTERN" => pattern(&matcher.id, &full),
        // Of the two branches of the model only development is set up.
        "MODEL_BRANCH" => Some(matcher.id == "development" && branch == default),
        "MODEL_CATEGORY" => Some(
            CATEGORIES
                .iter()
                .any(|(id, _, prefix)| *id == matcher.id && branch.starts_with(prefix)),
        ),
        _ => None,
    }
}

/// A branch by its name, by `heads/…` or by its full ref.
fn is_branch(id: &str, branch: &str) -> bool {
    let (id, branch) = (id.to_lowercase(), branch.to_lowercase());
    [format!("refs/heads/{branch}"), format!("heads/{branch}"), branch].contains(&id)
}

/// Ant's patterns over the full ref. Braces would be a regular expression.
fn pattern(pattern: &str, full: &str) -> Option<bool> {
    if pattern.contains(['{', '}']) {
        return None;
    }
    let mut whole = pattern.to_lowercase();
    if !whole.starts_with("**") && !whole.starts_with("refs/") {
        whole.insert_str(0, "**/");
    }
    if whole.ends_with(['/', '\\']) {
        whole.push_str("**");
    }
    let (full, whole) = (full.to_lowercase(), whole);
    let segments: Vec<&str> = whole.split('/').collect();
    let names: Vec<&str> = full.split('/').collect();
    Some(path(&segments, &names))
}

fn path(pattern: &[&str], names: &[&str]) -> bool {
    match (pattern.split_first(), names.split_first()) {
        (None, None) => true,
        (Some((&"**", rest)), _) => {
            path(rest, names) || names.split_first().is_some_and(|(_, left)| path(pattern, left))
        }
        (Some((segment, rest)), Some((name, left))) => {
            let (segment, name): (Vec<char>, Vec<char>) =
                (segment.chars().collect(), name.chars().collect());
            word(&segment, &name) && path(rest, left)
        }
        _ => false,
    }
}

fn word(pattern: &[char], text: &[char]) -> bool {
    match (pattern.split_first(), text.split_first()) {
        (None, None) => true,
        (Some(('*', rest)), _) => {
            word(rest, text) || text.split_first().is_some_and(|(_, left)| word(pattern, left))
        }
        (Some(('?', rest)), Some((_, left))) => word(rest, left),
        (Some((wanted, rest)), Some((letter, left))) => wanted == letter && word(rest, left),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decided(kind: &str, id: &str, branch: &str) -> Option<bool> {
        let matcher =
            Matcher { id: id.to_owned(), display_id: id.to_owned(), kind: kind.to_owned() };
        matches(&matcher, branch, "master")
    }

    #[test]
    fn patterns_are_read_as_the_product_reads_them() {
        for (id, branch, expected) in [
            ("release/*", "release/1.0", true),
            ("release/*", "release/1/2", false),
            ("release/**", "release/1/2", true),
            ("release/", "release/1.0", true),
            ("release/", "release/1/2", true),
            ("*", "release/1/2", true),
            ("refs/heads/release/*", "release/1/2", false),
            ("1/*", "release/1/2", true),
            ("**/release/**", "release", true),
            ("**/release/**", "releases/1", false),
            ("feature/*", "feature/ABC-1", true),
            ("RELEASE/*", "release/1.0", true),
            ("rel?ase/[ab]", "release/[ab]", true),
            ("rel?ase/[ab]", "release/a", false),
        ] {
            assert_eq!(decided("PATTERN", id, branch), Some(expected), "{id} {branch}");
        }
        assert_eq!(decided("PATTERN", "{a}/*", "a/b"), None);
    }

    #[test]
    fn branches_have_three_names_and_the_model_has_categories() {
        for id in ["master", "heads/master", "refs/heads/master", "MASTER"] {
            assert_eq!(decided("BRANCH", id, "master"), Some(true), "{id}");
        }
        assert_eq!(decided("BRANCH", "main", "master"), Some(false));
        assert_eq!(decided("MODEL_CATEGORY", "HOTFIX", "hotfix/x"), Some(true));
        assert_eq!(decided("MODEL_CATEGORY", "HOTFIX", "HOTFIX/x"), Some(false));
        assert_eq!(decided("MODEL_BRANCH", "development", "master"), Some(true));
        assert_eq!(decided("MODEL_BRANCH", "production", "master"), Some(false));
        assert_eq!(decided("DEFAULT_BRANCH", "#", "master"), Some(true));
        assert_eq!(decided("SOMETHING", "x", "master"), None);
    }
}
