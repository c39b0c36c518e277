//! Pull requests and what stands between them and their merge.

use serde_json::{Value, json};

use super::{Shapes, commits, put};
use crate::mergeable::{drawn, merge_state};
use crate::state::{Participant, PullRequest, PullRequestRef, PullRequestState, Verdict};

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

    pub(crate) fn participant(&self, participant: &Participant, role: &str) -> Value {
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
            "id": side.id(),
            "displayId": side.branch,
            "latestCommit": side.commit,
            "type": if side.is_tag { "TAG" } else { "BRANCH" },
        });
        let repository =
            self.store.repository(side.repository).map(|repository| self.repository(repository));
        put(&mut object, "repository", repository);
        object
    }

    pub(crate) fn mergeability(&self, pull_request: &PullRequest) -> Value {
        let (outcome, vetoes) = merge_state(self.store, pull_request);
        json!({
            "canMerge": outcome == "CLEAN" && vetoes.is_empty(),
            "conflicted": outcome == "CONFLICTED",
            "outcome": outcome,
            "vetoes": drawn(&vetoes),
        })
    }

    pub(crate) fn auto_merge(&self, pull_request: &PullRequest) -> Option<Value> {
        let armed = pull_request.auto_merge.as_ref()?;
        Some(json!({
            "autoSubject": armed.auto_subject,
            "createdDate": armed.requested,
            "fromHash": armed.from_hash,
            "message": armed.message,
            "strategyId": armed.strategy,
            "toRefId": format!("refs/heads/{}", pull_request.to.branch),
        }))
    }
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
