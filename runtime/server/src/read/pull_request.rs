//! A pull request in the words of this server's answers.

use bb_client::{Instant, Links};
use bb_domain::review;
use bb_generated::answers::{Person, PullRequest, PullRequestRow};
use bb_generated::open::PullRequestState;
use bb_generated::types::{self, Ref};

/// A row of a listing.
pub(crate) fn row(found: &types::PullRequest) -> PullRequestRow {
    let (project, repo) = repository(found.to_ref.as_ref());
    PullRequestRow {
        project,
        repo,
        id: found.id,
        title: found.title.clone().unwrap_or_default(),
        state: state(found),
        // Said only where it matters: most rows are no drafts.
        draft: found.draft.filter(|draft| *draft),
        author: author(found),
        source_branch: branch(found.from_ref.as_ref()),
        target_branch: branch(found.to_ref.as_ref()),
        updated: found.updated_date.as_ref().and_then(Instant::text),
        url: url(found),
    }
}

/// The whole of it, but for what other operations tell.
pub(crate) fn whole(found: &types::PullRequest) -> PullRequest {
    let (project, repo) = repository(found.to_ref.as_ref());
    let source = repository(found.from_ref.as_ref());
    let is_fork = !source.1.is_empty() && (&source.0, &source.1) != (&project, &repo);
    PullRequest {
        id: found.id,
        version: found.version.unwrap_or_default(),
        title: found.title.clone().unwrap_or_default(),
        description: found.description.clone().filter(|text| !text.is_empty()),
        state: state(found),
        draft: found.draft.unwrap_or(false),
        author: author(found),
        source_branch: branch(found.from_ref.as_ref()),
        source_commit: commit(found.from_ref.as_ref()),
        source_repository: is_fork.then(|| format!("{}/{}", source.0, source.1)),
        target_branch: branch(found.to_ref.as_ref()),
        target_commit: commit(found.to_ref.as_ref()),
        created: found.created_date.as_ref().and_then(Instant::text),
        updated: found.updated_date.as_ref().and_then(Instant::text),
        closed: found.closed_date.as_ref().and_then(Instant::text),
        reviewers: review::reviewers(&found.reviewers),
        mergeability: None,
        auto_merge: None,
        url: url(found),
        project,
        repo,
    }
}

/// Whether it is still open.
pub(crate) fn is_open(found: &types::PullRequest) -> bool {
    found.state.as_ref().is_none_or(|state| *state == PullRequestState::Open)
}

fn state(found: &types::PullRequest) -> String {
    found.state.as_ref().map(PullRequestState::word).unwrap_or_default()
}

fn author(found: &types::PullRequest) -> Option<Person> {
    found.author.as_ref().and_then(|author| author.user.as_ref()).map(Person::from)
}

fn repository(reference: Option<&Ref>) -> (String, String) {
    let repository = reference.and_then(|reference| reference.repository.as_ref());
    let key = repository
        .and_then(|repository| repository.project.as_ref())
        .and_then(|project| project.key.clone());
    (
        key.unwrap_or_default(),
        repository.and_then(|repository| repository.slug.clone()).unwrap_or_default(),
    )
}

/// A branch's name; the full ref without its beginning where no name is given.
pub(crate) fn branch(reference: Option<&Ref>) -> Option<String> {
    let reference = reference?;
    reference.display_id.clone().or_else(|| {
        reference.id.as_ref().map(|id| id.strip_prefix("refs/heads/").unwrap_or(id).to_owned())
    })
}

fn commit(reference: Option<&Ref>) -> Option<String> {
    reference.and_then(|reference| reference.latest_commit.clone())
}

fn url(found: &types::PullRequest) -> Option<String> {
    found.links.as_ref().and_then(|links| links.self_.as_ref()).and_then(Links::first)
}
