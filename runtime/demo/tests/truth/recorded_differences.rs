//! Where the demo's answers have another shape than recorded ones, and why.

/// Members of recordings that begin with a name: where, what, why.
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
    because("", &["nextPageStart"], "only ours", "null on the last page, as some recordings have it"),
    because("", &["nextPageStart"], "type", "the demo's answers to these were whole"),
    because("", &["draft", "archived", "hierarchyId", "threadResolved", "severity", "state"], "only ours", NEWER),
    because("", &["tasks"], "only recorded", "before 7.2 tasks were of their own kind"),
    because("", &["description"], "only ours", "every project and repository of the seed that is met has one"),
    because("", &["fromRef/type", "toRef/type"], "only ours", "from 7.x"),
    because("", &["author/active", "author/displayName", "author/id", "author/links", "author/slug", "author/type", "committer/active", "committer/displayName", "committer/id", "committer/links", "committer/slug", "committer/type"], "only ours", WHOLE),
    because("", &["properties"], "only ours", "every message of these answers names an issue"),
    because("errors", &["project/public"], "only ours", "cut by the client that kept it"),
    because("pull-request", &["repository/name"], "type", CUT),
    because("pull-request /rest/api/1.0/projects/{key}/repos/{slug}/pull-requests/{id}/merge", &["user/links", "displayId", "latestCommit", "repository/forkable", "repository/id", "repository/links", "project/id", "project/links", "project/name", "project/public", "project/type", "repository/public", "repository/scmId", "repository/statusMessage"], "only ours", CUT),
    because("pull-request/merge-result", &["approved", "role", "status", "user"], "only recorded", "nobody reviews what the session merges"),
    because("pull-request/get-iso-8601-dates", &["createdDate", "updatedDate"], "type", "dates behind a gateway"),
    because("pull-request", &["properties/commentCount"], "only ours", NEWER),
    because("branches/create", &["node_id", "object", "ref", "url"], "only recorded", "the answer of another product"),
    because("branches /rest/api/1.0/projects/{key}/repos/{slug}/branches", &["displayId", "id", "isDefault", "latestChangeset", "latestCommit", "type"], "only ours", "the recording is of another product"),
    because("branches", &["metadata"], "only recorded", "the demo has no plugins that add metadata"),
    because("builds", &["cancelled", "unknown", "repository", "buildNumber"], "only ours", NEWER),
    because("can-merge", &["outcome"], "only ours", NEWER),
    because("changes", &["links/self/href"], "only recorded", "the demo's links are null, as others recorded them"),
    because("changes/commit-changes", &["srcPath"], "only recorded", "no commit of the session moves a file"),
    because("changes/pr-changes-large", &["contextLines", "diffs", "truncated", "whitespace"], "only recorded", "a diff, kept under the name of changes"),
    because("comments", &["properties/key"], "only recorded", CUT),
    because("comments", &["properties/repositoryId"], "only ours", CUT),
    because("comments/by-path", &["action", "comment", "commentAction", "user"], "only recorded", "activities: the client asked another resource"),
    because("comments", &["anchor/orphaned"], "only ours", NEWER),
    because("comments /rest/api/1.0/projects/{key}/repos/{slug}/pull-requests/{id}/activities", &["size", "limit", "isLastPage", "start"], "only ours", "the client kept the list alone"),
    because("commits /rest/api/1.0/projects/{key}/repos/{slug}/pull-requests/{id}/commits", &["size", "limit", "isLastPage", "start"], "only ours", "the client kept the list alone"),
    because("commits/list-v5", &["parents/author", "parents/authorTimestamp", "parents/committer", "parents/committerTimestamp", "parents/message", "parents/parents"], "only recorded", "lists of that release had whole parents"),
    because("commits", &["_comment"], "only recorded", "a remark of the client's authors"),
    because("diff", &["contextLines", "fromHash", "toHash", "truncated", "whitespace"], "only ours", "the client kept the list alone"),
    because("changes", &["ourChange/path/extension", "theirChange/path/extension"], "only ours", "the one file that conflicts has one"),
    because("", &["diff/destination/extension"], "only ours", "every file that is commented on has one"),
    because("files/browse-dir-v5", &["values"], "only recorded", "the answer of `files`, kept under another name"),
    because("repos", &["mergeConfig/commitMessageTemplate", "mergeConfig/commitSummaries", "needsWork"], "only ours", NEWER),
    because("repos", &["requiredApprovers", "requiredSuccessfulBuilds"], "type", "a number then, an object since"),
    because("required-builds", &["displayId", "id", "type/name"], "only ours", "cut by the client that wrote it"),
    because("server", &["capabilities/atlassian-remote-event-consumer", "capabilities/atlassian-remote-event-diagnostics-v1", "capabilities/atlassian-remote-event-producer", "capabilities/atlassian-remote-event-status", "capabilities/bitbucket-remote-event-support", "capabilities/deployment", "capabilities/dev-status-detail-pullrequest", "capabilities/dev-status-detail-repository", "capabilities/dev-status-pull-changes", "capabilities/dev-status-summary", "capabilities/navigation", "capabilities/remote-link-aggregation", "capabilities/repository-mirroring", "capabilities/smart-commit-producer"], "only recorded", "plugins the demo does not have"),
    because("tags/special-characters", &["hash"], "type", "the tag the session reads is a light one"),
];

/// Recordings of operations that the demo does not serve, and why not.
#[rustfmt::skip]
pub(crate) const NOT_SERVED: &[(&str, &str)] = &[
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
