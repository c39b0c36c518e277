//! Pull requests and what stands between them and their merge.

use serde_json::{Value, json};

use super::{Shapes, commits, put};
use crate::history::Tree;
use crate::state::{
    Matcher, Participant, PullRequest, PullRequestRef, PullRequestState, Store, Verdict,
};

impl Shapes<'_> {
    pub(crate) fn pull_request(&self, pull_request: &PullRequest, with_properties: bool) -> Value {
        let mut object = json!({
            "id": pull_request.id,
            "version": pull_request.version,
            "title": pull_request.title,
        });
        // Absent, not empty, when nobody wrote one.
        let description = pull_request.description.as_ref().map(|text| json!(text));
        put(&mut object, "description", description);
        for (name, value) in [
            ("state", json!(pull_request.state.name())),
            ("open", json!(pull_request.is_open())),
            ("closed", json!(!pull_request.is_open())),
            ("draft", json!(pull_request.draft)),
            ("createdDate", json!(pull_request.created)),
            ("updatedDate", json!(pull_request.updated)),
        ] {
            put(&mut object, name, Some(value));
        }
        let closed = pull_request.closed.map(|date| json!(date));
        put(&mut object, "closedDate", closed);
        let people = |all: &[Participant], role| -> Value {
            all.iter().map(|participant| self.participant(participant, role)).collect()
        };
        let author = Participant {
            user: pull_request.author.clone(),
            verdict: Verdict::Unapproved,
            last_reviewed: None,
        };
        for (name, value) in [
            ("fromRef", self.reference(&pull_request.from)),
            ("toRef", self.reference(&pull_request.to)),
            ("locked", json!(false)),
            ("author", self.participant(&author, "AUTHOR")),
            ("reviewers", people(&pull_request.reviewers, "REVIEWER")),
            ("participants", people(&pull_request.participants, "PARTICIPANT")),
        ] {
            put(&mut object, name, Some(value));
        }
        if with_properties {
            put(&mut object, "properties", Some(self.properties(pull_request)));
        }
        let page = self
            .store
            .repository(pull_request.repository)
            .map(|repository| self.repository_page(repository))
            .unwrap_or_default();
        let href = format!("{page}/pull-requests/{}", pull_request.id);
        put(&mut object, "links", Some(json!({ "self": [{ "href": href }] })));
        object
    }

    fn properties(&self, pull_request: &PullRequest) -> Value {
        let tasks = pull_request.tasks();
        let resolved = tasks.iter().filter(|task| task.resolved.is_some()).count();
        let mut object = json!({});
        if pull_request.is_open() {
            let (outcome, _) = merge_state(self.store, pull_request);
            let result = json!({ "outcome": outcome, "current": true });
            put(&mut object, "mergeResult", Some(result));
        }
        put(&mut object, "resolvedTaskCount", Some(json!(resolved)));
        put(&mut object, "commentCount", Some(json!(pull_request.comment_count())));
        put(&mut object, "openTaskCount", Some(json!(tasks.len() - resolved)));
        let merged = pull_request
            .merge_commit
            .as_ref()
            .map(|id| json!({ "id": id, "displayId": commits::short(id) }));
        put(&mut object, "mergeCommit", merged);
        object
    }

    fn participant(&self, participant: &Participant, role: &str) -> Value {
        let mut object = json!({ "user": self.user_named(&participant.user) });
        let reviewed = participant.last_reviewed.as_ref().map(|id| json!(id));
        put(&mut object, "lastReviewedCommit", reviewed);
        put(&mut object, "role", Some(json!(role)));
        let approved = participant.verdict == Verdict::Approved;
        put(&mut object, "approved", Some(json!(approved)));
        put(&mut object, "status", Some(json!(participant.verdict.name())));
        object
    }

    pub(crate) fn reference(&self, side: &PullRequestRef) -> Value {
        let mut object = json!({
            "id": format!("refs/heads/{}", side.branch),
            "displayId": side.branch,
            "latestCommit": side.commit,
            "type": "BRANCH",
        });
        let repository =
            self.store.repository(side.repository).map(|repository| self.repository(repository));
        put(&mut object, "repository", repository);
        object
    }

    pub(crate) fn mergeability(&self, pull_request: &PullRequest) -> Value {
        let (outcome, vetoes) = merge_state(self.store, pull_request);
        let vetoes: Vec<Value> = vetoes
            .into_iter()
            .map(
                |(summary, detail)| json!({ "summaryMessage": summary, "detailedMessage": detail }),
            )
            .collect();
        json!({
            "canMerge": outcome == "CLEAN" && vetoes.is_empty(),
            "conflicted": outcome == "CONFLICTED",
            "outcome": outcome,
            "vetoes": vetoes,
        })
    }

    pub(crate) fn auto_merge(&self, pull_request: &PullRequest) -> Option<Value> {
        let armed = pull_request.auto_merge.as_ref()?;
        Some(json!({
            "autoSubject": true,
            "createdDate": armed.requested,
            "fromHash": pull_request.from.commit,
            "message": armed.message,
            "strategyId": armed.strategy,
            "toRefId": format!("refs/heads/{}", pull_request.to.branch),
        }))
    }
}

/// The outcome of a trial merge and the vetoes. A conflict is no veto.
pub(crate) fn merge_state(
    store: &Store,
    pull_request: &PullRequest,
) -> (&'static str, Vec<(String, String)>) {
    let Some(repository) = store.repository(pull_request.repository) else {
        return ("UNKNOWN", Vec::new());
    };
    let conflicts =
        repository.history.conflicts(&pull_request.to.commit, &pull_request.from.commit);
    if !conflicts.is_empty() {
        return ("CONFLICTED", Vec::new());
    }
    let mut vetoes = Vec::new();
    if pull_request.draft {
        vetoes.push((
            "Pull request is a draft".to_owned(),
            "Draft pull requests cannot be merged. Mark it as ready for review first.".to_owned(),
        ));
    }
    if pull_request.reviewers.iter().any(|reviewer| reviewer.verdict == Verdict::NeedsWork) {
        vetoes.push((
            "Requested changes need to be addressed".to_owned(),
            "A reviewer has requested changes on this pull request.".to_owned(),
        ));
    }
    let open = pull_request.tasks().iter().filter(|task| task.resolved.is_none()).count();
    if repository.requires_tasks && open > 0 {
        vetoes.push((
            "Not all required tasks are complete yet".to_owned(),
            format!("You need to complete the {open} open tasks before merging."),
        ));
    }
    let missing = missing_builds(store, pull_request);
    if !missing.is_empty() {
        vetoes.push((
            "Not all required builds are successful yet".to_owned(),
            format!("You are still waiting for: {}.", missing.join(", ")),
        ));
    }
    ("CLEAN", vetoes)
}

/// The required parent keys without a successful build, sorted without case.
fn missing_builds(store: &Store, pull_request: &PullRequest) -> Vec<String> {
    let Some(repository) = store.repository(pull_request.repository) else {
        return Vec::new();
    };
    let source = &pull_request.from.branch;
    let mut missing: Vec<String> = repository
        .conditions
        .iter()
        .filter(|condition| condition.for_pull_request)
        .filter(|condition| matches(&condition.matcher, &pull_request.to.branch))
        .filter(|condition| {
            !condition.exempt.as_ref().is_some_and(|exempt| matches(exempt, source))
        })
        .flat_map(|condition| &condition.parents)
        .filter(|parent| {
            !store.builds.iter().any(|build| {
                build.commit == pull_request.from.commit
                    && build.parent.as_ref() == Some(parent)
                    && build.state == "SUCCESSFUL"
                    && build.branch.as_ref().is_none_or(|branch| branch == source)
            })
        })
        .cloned()
        .collect();
    missing.sort_by_key(|key| key.to_lowercase());
    missing.dedup();
    missing
}

/// Whether a matcher means a branch. Of patterns only a final `*` is known,
/// which is all the seed uses.
fn matches(matcher: &Matcher, branch: &str) -> bool {
    let full = format!("refs/heads/{branch}");
    match matcher.kind.as_str() {
        "ANY_REF" => true,
        "BRANCH" => matcher.id == full || matcher.id == branch,
        "PATTERN" => matcher
            .id
            .strip_suffix('*')
            .is_some_and(|start| branch.starts_with(start.trim_end_matches('*'))),
        _ => false,
    }
}

/// The two trees a pull request's diff is between: the merge base's and the
/// source's.
pub(crate) fn merge_trees<'a>(
    store: &'a Store,
    pull_request: &PullRequest,
) -> Option<(&'a str, &'a Tree, &'a str, &'a Tree)> {
    let history = &store.repository(pull_request.repository)?.history;
    let base = history.merge_base(&pull_request.to.commit, &pull_request.from.commit)?;
    let tip = history.commit(&pull_request.from.commit)?;
    Some((&base.id, &base.tree, &tip.id, &tip.tree))
}

impl PullRequestState {
    /// The state a filter names; `None` is every state.
    pub(crate) fn wanted(text: &str) -> Option<Option<PullRequestState>> {
        match text.to_uppercase().as_str() {
            "OPEN" => Some(Some(PullRequestState::Open)),
            "MERGED" => Some(Some(PullRequestState::Merged)),
            "DECLINED" => Some(Some(PullRequestState::Declined)),
            "ALL" => Some(None),
            _ => None,
        }
    }
}
