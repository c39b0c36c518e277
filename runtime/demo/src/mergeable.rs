//! What stands between a pull request and its merge.

use serde_json::{Value, json};

use crate::matching;
use crate::state::{PullRequest, Store, Verdict};

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
        .filter(|condition| {
            matching::matches(
                &condition.matcher,
                &pull_request.to.branch,
                &repository.history.default_branch,
            ) == Some(true)
        })
        .filter(|condition| {
            !condition.exempt.as_ref().is_some_and(|exempt| {
                matching::matches(exempt, source, &repository.history.default_branch) == Some(true)
            })
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

/// Vetoes as the product writes them.
pub(crate) fn drawn(vetoes: &[(String, String)]) -> Value {
    vetoes
        .iter()
        .map(|(summary, detail)| json!({ "summaryMessage": summary, "detailedMessage": detail }))
        .collect()
}
