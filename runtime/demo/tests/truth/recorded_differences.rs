//! Where the demo's answers have another shape than recorded ones, and why.

/// Members of recordings or operations that begin with a name: where, what, why.
///
/// `only recorded` and `type` are about one recording, the others about all of
/// an operation: `only ours` is a member that none has, `always ours` one that
/// not all have and the demo always sends, `always recorded` the reverse.
#[derive(Debug)]
pub(crate) struct Explained {
    file: &'static str,
    pub(crate) places: &'static [&'static str],
    what: &'static str,
    #[expect(dead_code, reason = "read by people")]
    reason: &'static str,
}

impl Explained {
    pub(crate) fn covers(&self, file: &str, place: &str, what: &str) -> Option<usize> {
        if !file.starts_with(self.file) || what != self.what {
            return None;
        }
        self.places.iter().position(|end| place == *end || place.ends_with(&format!("/{end}")))
    }
}

const fn because(
    file: &'static str,
    places: &'static [&'static str],
    what: &'static str,
    reason: &'static str,
) -> Explained {
    Explained { file, places, what, reason }
}

/// What a newer release says that none of the recorded ones did.
const NEWER: &str = "newer than every recording";
const WHOLE: &str = "a whole user for an account; the recorded authors had none";
const CUT: &str = "the recording is a cut example of the documentation";

#[rustfmt::skip]
pub(crate) const EXPLAINED: &[Explained] = &[
    because("", &["nextPageStart"], "type", "the demo's answers to these were whole"),
    because("", &["tasks"], "only recorded", "before 7.2 tasks were of their own kind"),
    because("pull-request", &["repository/name"], "type", CUT),
    because("pull-request/merge-result", &["approved", "role", "status", "user"], "only recorded", "nobody reviews what the session merges"),
    because("pull-request/get-iso-8601-dates", &["createdDate", "updatedDate"], "type", "dates behind a gateway"),
    because("branches", &["metadata"], "only recorded", "the demo has no plugins that add metadata"),
    because("changes", &["links/self/href"], "only recorded", "the demo's links are null, as others recorded them"),
    because("comments", &["properties/key"], "only recorded", CUT),
    because("commits/list-v5", &["parents/author", "parents/authorTimestamp", "parents/committer", "parents/committerTimestamp", "parents/message", "parents/parents"], "only recorded", "lists of that release had whole parents"),
    because("commits", &["_comment"], "only recorded", "a remark of the client's authors"),
    because("repos", &["requiredApprovers", "requiredSuccessfulBuilds"], "type", "a number then, an object since"),
    because("server", &["capabilities/atlassian-remote-event-consumer", "capabilities/atlassian-remote-event-diagnostics-v1", "capabilities/atlassian-remote-event-producer", "capabilities/atlassian-remote-event-status", "capabilities/bitbucket-remote-event-support", "capabilities/deployment", "capabilities/dev-status-detail-pullrequest", "capabilities/dev-status-detail-repository", "capabilities/dev-status-pull-changes", "capabilities/dev-status-summary", "capabilities/navigation", "capabilities/remote-link-aggregation", "capabilities/repository-mirroring", "capabilities/smart-commit-producer"], "only recorded", "plugins the demo does not have"),
    because("", &["nextPageStart"], "only ours", "null on the last page, as some recordings have it"),
    because("", &["draft", "archived", "severity", "state", "threadResolved", "hierarchyId", "threadResolver", "threadResolvedDate", "resolver", "resolvedDate", "transitionable", "suggestionIndex", "suggestionState", "multilineMarker", "multilineSpan"], "only ours", NEWER),
    because("", &["fromRef/type", "toRef/type"], "only ours", "from 7.x"),
    because("", &["description"], "only ours", "the seed describes more than those who were recorded did"),
    because("", &["owner"], "only ours", "nobody recorded a personal project"),
    because("", &["author/active", "author/displayName", "author/id", "author/links", "author/slug", "author/type", "committer/active", "committer/displayName", "committer/id", "committer/links", "committer/slug", "committer/type"], "only ours", WHOLE),
    because("GET …/commits", &["properties"], "only ours", "the messages of the seed name issues"),
    because("GET …/pull-requests/{id}/commits", &["properties"], "only ours", "the messages of the seed name issues"),
    because("GET …/pull-requests/{id}/activities", &["commits/properties", "commit/properties", "parents/properties"], "only ours", "the messages of the seed name issues"),
    because("errors", &["project/public"], "only ours", "cut by the client that kept it"),
    because("GET api/1.0/repos", &["origin"], "only ours", "nobody recorded a list with a fork"),
    because("GET api/1.0/users", &["links"], "only ours", "a third of recorded users have none; these are of that third"),
    because("GET build-status", &["cancelled", "unknown", "buildNumber", "duration", "ref", "testResults"], "only ours", NEWER),
    because("GET …/pull-requests", &["closedDate", "mergeCommit"], "only ours", "no recorded list holds a merged one"),
    because("GET …/pull-requests", &["properties/commentCount"], "only ours", NEWER),
    because("GET …/pull-requests/{id}/activities", &["comment/anchor", "commentAnchor/srcPath"], "only ours", "the anchor inside the comment is newer; nobody recorded one on a moved file"),
    because("GET …/pull-requests/{id}/activities", &["diff/destination/extension"], "only ours", "the one file commented on in a recording has none"),
    because("GET …/pull-requests/{id}/changes", &["ourChange/path/extension", "theirChange/path/extension", "srcPath/components", "srcPath/extension", "srcPath/name", "srcPath/parent"], "only ours", "the recordings with a whole path are examples of the documentation"),
    because("GET …/commits/{id}/changes", &["srcPath/extension"], "only ours", "the one recorded file that moved has none"),
    because("GET …/pull-requests/{id}/comments", &["anchor/orphaned"], "only ours", NEWER),
    because("GET …/pull-requests/{id}/diff", &["binary", "fileComments", "lineComments", "commentIds"], "only ours", "the recorded diffs are of text that nobody spoke about"),
    because("GET …/pull-requests/{id}/participants", &["lastReviewedCommit"], "only ours", "nobody in the recording had reviewed"),
    because("GET …/settings/pull-requests", &["mergeConfig/commitMessageTemplate", "mergeConfig/commitSummaries", "needsWork"], "only ours", NEWER),
    because("POST …/pull-requests/{id}/comments", &["anchor"], "only ours", "the recorded comment is on no file"),
    // Members that the demo always sends, and not all recordings have.
    because("", &["nextPageStart", "start"], "always ours", "some clients' recordings leave out what says nothing"),
    because("", &["archived", "hierarchyId", "fromRef/type", "toRef/type", "properties/commentCount"], "always ours", "older recordings have none"),
    because("", &["author/active", "author/displayName", "author/id", "author/links", "author/slug", "author/type", "committer/active", "committer/displayName", "committer/id", "committer/links", "committer/slug", "committer/type"], "always ours", WHOLE),
    because("", &["project/description"], "always ours", "every project of the seed but the personal one has one"),
    because("GET …/branches", &["latestCommit", "type"], "always ours", "older recordings have `latestChangeset` alone"),
    because("GET …/commits/{id}", &["parents/author", "parents/authorTimestamp", "parents/committer", "parents/committerTimestamp", "parents/message", "parents/parents"], "always ours", "releases before 5 sent their ids alone"),
    because("GET …/commits/{id}", &["properties"], "always ours", "every message of these answers names an issue"),
    because("GET …/commits/{id}/changes", &["path/extension"], "always ours", "every file of these commits has one"),
    because("GET …/pull-requests/{id}", &["project/public"], "always ours", "older recordings have none"),
    because("GET …/pull-requests/{id}/changes", &["properties", "contentId", "fromContentId", "links", "nodeType", "path", "path/components", "path/extension", "path/name", "path/parent", "percentUnchanged", "gitChangeType"], "always ours", "one client kept nothing but the names"),
    because("errors", &["context"], "always ours", "one recording was cut"),
    // Members that every recording has, and the demo not always.
    because("", &["emailAddress", "links"], "always recorded", "the demo has people without either, as a third of real ones are"),
    because("", &["description"], "always recorded", "the recorded ones are few, and all have one"),
    because("GET …/pull-requests", &["mergeResult"], "always recorded", "of open ones alone; the recorded lists hold no other"),
    because("GET …/pull-requests/{id}", &["reviewers/lastReviewedCommit"], "always recorded", "in each recording all had reviewed"),
    because("GET …/pull-requests/{id}/activities", &["commentAnchor/fileType", "commentAnchor/line", "commentAnchor/lineType", "lines/commentIds"], "always recorded", "every recorded comment on a file is on a line of it"),
    because("GET …/pull-requests/{id}/diff", &["hunks"], "always recorded", "the recorded diffs hold no binary file"),
    because("errors", &["errors/pullRequest/closedDate", "fromRef/repository/origin", "project/owner"], "always recorded", "the one recorded was merged from a fork"),
];

/// Recordings kept under the name of another operation than the one they answer.
#[rustfmt::skip]
pub(crate) const MISFILED: &[(&str, &str, &str)] = &[
    ("branches/create", "GET none", "the answer of another product"),
    ("changes/pr-changes-large", "GET /rest/api/1.0/projects/{key}/repos/{slug}/pull-requests/{id}/diff", "a diff"),
    ("comments/by-path-one", "GET /rest/api/1.0/projects/{key}/repos/{slug}/pull-requests/{id}/activities", "activities"),
    ("comments/by-path-empty", "GET /rest/api/1.0/projects/{key}/repos/{slug}/pull-requests/{id}/activities", "activities"),
    ("files/browse-dir-v5", "GET /rest/api/1.0/projects/{key}/repos/{slug}/files", "a list of names"),
];

/// Recordings of operations that the demo does not serve, and why not.
#[rustfmt::skip]
pub(crate) const NOT_SERVED: &[(&str, &str)] = &[
    ("branches/create", "of another product"),
    ("comments/legacy-task", "gone since 8.0"),
    ("comments/likes-page", "gone since 9.0"),
    ("deployments/", "no tool reads deployments"),
    ("files/edit-result", "files are changed by pushing"),
    ("insights/", "no tool reads insights"),
    ("jira/", "there is no Jira"),
    ("mirroring/", "there is no mirror"),
    ("repos/fork-with-origin", "forks are made by the seed"),
    ("repos/webhooks", "no tool reads webhooks"),
    ("search/", "search is switched off: its route does not exist"),
    ("users/group-members", "for administrators"),
];
