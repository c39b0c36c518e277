//! Where the product differs from its document, each with the section of the
//! REST notes that says so.

/// Members of one kind of answer: where, what the check says, why it is right.
#[derive(Debug)]
pub(crate) struct Difference {
    /// The end of the operation's name, or nothing for all.
    operation: &'static str,
    /// The ends of the places in the answer.
    pub(crate) places: &'static [&'static str],
    what: &'static str,
    #[expect(dead_code, reason = "read by people")]
    reason: &'static str,
    #[expect(dead_code, reason = "read by people")]
    section: &'static str,
}

impl Difference {
    /// The place of this difference that a finding is at.
    pub(crate) fn covers(&self, operation: &str, place: &str, what: &str) -> Option<usize> {
        if !operation.ends_with(self.operation) || what != self.what {
            return None;
        }
        self.places.iter().position(|end| place == *end || place.ends_with(&format!("/{end}")))
    }
}

const fn one(
    operation: &'static str,
    places: &'static [&'static str],
    what: &'static str,
    reason: &'static str,
    section: &'static str,
) -> Difference {
    Difference { operation, places, what, reason, section }
}

const PAGE: &[&str] = &["size", "limit", "isLastPage", "start", "nextPageStart", "values"];

#[rustfmt::skip]
pub(crate) const DIFFERENCES: &[Difference] = &[
    one("", &["errors/context", "errors/exceptionName"], "type", "null when there is none", "1, error bodies"),
    one("", &["errors/currentVersion", "errors/expectedVersion", "errors/pullRequest"], "undeclared", "extras of an out-of-date write", "1, error bodies"),
    one("/merge", &["errors/conflicted", "errors/vetoes"], "undeclared", "extras of a vetoed merge", "1, error bodies"),
    one("/pull-requests", &["errors/existingPullRequest"], "undeclared", "the duplicate is linked", "1, error bodies"),
    one("", &["nextPageStart"], "type", "null on the last page", "1, paging"),
    one("/labels", PAGE, "undeclared", "a page, typed as one label", "11; 12.18"),
    one("/users", PAGE, "undeclared", "a page, typed as one user", "2; 12.18"),
    one("/pull-requests/{pullRequestId}/changes", PAGE, "undeclared", "a page, typed as one change", "7; 12.10"),
    one("/changes", &["fromHash", "toHash", "properties"], "undeclared", "between what the changes are", "7; 12.10"),
    one("/{path}", &["fromHash", "toHash", "contextLines", "whitespace", "diffs"], "undeclared", "diffs are wrapped", "7; 12.10"),
    one("", &["anchor/path"], "type", "paths are plain strings", "6; 12.7"),
    one("", &["anchor/orphaned", "permittedOperations"], "undeclared", "sent and not declared", "6; 12.8"),
    one("", &["anchor/multilineSpan"], "required", "only the spans of the side it is on", "6"),
    one("/blocker-comments", &["OPEN", "RESOLVED"], "undeclared", "count=true answers counts", "6"),
    one("/activities", &["values/added", "values/addedReviewers", "values/comment", "values/commentAction", "values/commentAnchor", "values/commit", "values/diff", "values/fromHash", "values/previousFromHash", "values/previousToHash", "values/removed", "values/removedReviewers", "values/toHash"], "undeclared", "only id, date, user and action are declared", "6; 12.9"),
    one("/merge", &["canMerge"], "undeclared", "missing from the document", "5; 12.11"),
    one("", &["properties"], "undeclared", "pull requests and commits carry properties", "5; 3; 12.12"),
    one("", &["isDefault"], "undeclared", "the document says `default`", "3; 12.6"),
    one("", &["hash"], "type", "null for a light tag", "3"),
    one("", &["toString"], "undeclared", "always sent", "7"),
    one("/commits", &["authorCount", "totalCount"], "undeclared", "withCounts adds them", "3"),
    one("", &["author/active", "author/displayName", "author/id", "author/links", "author/slug", "author/type", "committer/active", "committer/displayName", "committer/id", "committer/links", "committer/slug", "committer/type"], "undeclared", "a whole user for accounts", "3"),
    one("", &["parents/author", "parents/authorTimestamp", "parents/committer", "parents/committerTimestamp", "parents/message", "parents/parents"], "undeclared", "parents may be whole commits", "3"),
    one("", &["files/README.md", "files/.gitignore", "files/CHANGELOG.md", "files/VERSION", "files/config", "files/docs", "files/src", "files/notes", "files/release notes.md", "latestCommit"], "undeclared", "keyed by name, beside the latest commit", "4"),
    one("", &["project/owner"], "undeclared", "of a personal project", "2"),
    one("/{projectKey}", &["owner"], "undeclared", "of a personal project", "2"),
    one("/pull-requests", &["needsWork", "unapproveOnUpdate"], "undeclared", "seen and not declared", "8"),
    one("/builds", &["repository"], "undeclared", "since 9.4", "0; 10"),
    one("/commits/{commitId}", &["dateAdded"], "undeclared", "the date of the old form", "10"),
    one("", &["requiredForPullRequest", "requiredForMergeQueue"], "undeclared", "since 10.2", "0; 10"),
    one("/conditions", &["reviewers/active", "reviewers/displayName", "reviewers/emailAddress", "reviewers/links", "reviewers/slug", "reviewers/type"], "undeclared", "reviewers are users", "9; 12.14"),
    one("/conditions", &["sourceRefMatcher/active", "targetRefMatcher/active"], "undeclared", "recorded and not declared", "9"),
];

/// Routes that run and are not in the document: a part of the path, why, and
/// the section.
#[rustfmt::skip]
pub(crate) const UNDOCUMENTED: &[(&str, &str, &str)] = &[
    ("/rest/capabilities", "outside the API's versions", "2"),
    ("/rest/ui/", "internal to the pull request page", "9; 10"),
    ("/branchmodel", "not in the OpenAPI", "3"),
    ("/compare/diff", "written without the slash", "3; 12.2"),
    ("/diff", "the whole diff is not documented", "7; 12.2"),
];

/// Statuses that run and are not in the document.
#[rustfmt::skip]
pub(crate) const STATUSES: &[(&str, u16, &str, &str)] = &[
    ("/comments", 400, "a path is required", "6"),
    ("/branches", 400, "a duplicate is a 400", "1, error bodies"),
];
