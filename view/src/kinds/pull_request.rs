//! The pull request card: from what was read to what is drawn, and to the words for the model.

use crate::avatar;
use bb_domain::builds;
use bb_generated::answers::{
    Avatar, BranchEnd, BuildCounts, CardBuild, CardMergeability, CardReviewer, Person,
    ReviewerCounts,
};
use bb_generated::kinds::pull_request::{Gathered, MOST_BUILDS, MOST_REVIEWERS, Payload};
use bb_generated::open::{MergeOutcome, PullRequestState};
use bb_generated::types::{Participant, Ref, User};
use bb_generated::values::{Instant, Links};
use std::collections::BTreeMap;

/// Most reasons against a merge that are told; all are counted.
const MOST_VETOES: usize = 20;
/// Longest title drawn; Bitbucket takes 255 characters.
const LONGEST_TITLE: usize = 500;
/// Longest of the other texts drawn: names, branches, reasons.
const LONGEST_TEXT: usize = 300;
/// Longest address kept; a longer one is left out, since a cut one leads elsewhere.
const LONGEST_ADDRESS: usize = 500;
/// Most characters of a payload without pictures. With them, and with what stands around it, a
/// result stays below what hosts deliver.
const MOST_CHARACTERS: usize = 46_000;

/// The beginning of a text, with a mark where it was cut.
fn cut(text: &str, longest: usize) -> String {
    match text.char_indices().nth(longest) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// An address that is not too long to be one.
fn address(url: Option<&String>) -> Option<String> {
    url.filter(|url| url.len() <= LONGEST_ADDRESS).cloned()
}

/// Cuts lists until the payload fits; what is counted stays counted.
fn fit(payload: &mut Payload) {
    let size =
        |payload: &Payload| serde_json::to_string(payload).map_or(0, |text| text.chars().count());
    while size(payload) > MOST_CHARACTERS && !payload.builds.is_empty() {
        payload.builds.truncate(payload.builds.len() / 2);
    }
    while size(payload) > MOST_CHARACTERS && !payload.reviewers.is_empty() {
        payload.reviewers.truncate(payload.reviewers.len() / 2);
    }
}

/// What is drawn. `now` is when it was read, RFC 3339.
#[must_use]
pub fn payload(gathered: &Gathered, now: &str) -> Payload {
    let found = &gathered.pull_request;
    let state = found.state.clone().unwrap_or(PullRequestState::Open);
    let closed = matches!(state, PullRequestState::Merged | PullRequestState::Declined);
    let (project, repo) = repository(found.to_ref.as_ref());
    let reviewers = reviewers(&found.reviewers);
    let counts = build_counts(gathered);
    let tasks = found.properties.as_ref();
    let open_tasks = tasks.and_then(|tasks| tasks.open_task_count);
    let resolved_tasks = tasks.and_then(|tasks| tasks.resolved_task_count);
    let comments = tasks.and_then(|tasks| tasks.comment_count);
    let all_tasks = open_tasks.unwrap_or(0) + resolved_tasks.unwrap_or(0);
    let mut payload = Payload {
        id: found.id,
        title: cut(found.title.as_deref().unwrap_or_default(), LONGEST_TITLE),
        state: state.word(),
        draft: found.draft.unwrap_or(false),
        author: author(found.author.as_ref()),
        source: branch(found.from_ref.as_ref(), (&project, &repo)),
        target: branch(found.to_ref.as_ref(), (&project, &repo)),
        url: url(gathered),
        reviewer_counts: reviewer_counts(&found.reviewers),
        reviewers: reviewers.into_iter().take(MOST_REVIEWERS).collect(),
        mergeability: mergeability(gathered, closed),
        builds_known: counts.is_some(),
        builds: listed(gathered),
        builds_in_progress: counts.as_ref().is_some_and(|counts| counts.in_progress > 0),
        build_counts: counts.unwrap_or_default(),
        discussion_known: open_tasks.is_some() && comments.is_some(),
        open_tasks: open_tasks.unwrap_or(0),
        resolved_tasks: resolved_tasks.unwrap_or(0),
        // Bitbucket's total holds tasks too; the card tells them apart.
        comment_count: (comments.unwrap_or(0) - all_tasks).max(0),
        auto_merge: gathered.auto_merge.is_some(),
        created: found.created_date.as_ref().and_then(Instant::text).unwrap_or_default(),
        updated: found.updated_date.as_ref().and_then(Instant::text).unwrap_or_default(),
        closed,
        generated_at: now.to_owned(),
        avatars: Vec::new(),
        project,
        repo,
    };
    // Pictures come after the cut: they must not decide what the content is.
    fit(&mut payload);
    payload.avatars = avatars(gathered);
    payload
}

/// People on the card by slug, in the card's order, the author first: whose pictures it can use.
#[must_use]
pub fn people(found: &bb_generated::types::PullRequest) -> Vec<&str> {
    let mut reviewers: Vec<&Participant> = found.reviewers.iter().collect();
    reviewers.sort_by_key(|reviewer| rank(&bb_domain::review::verdict(reviewer)));
    let all =
        found.author.iter().chain(reviewers).filter_map(|participant| participant.user.as_ref());
    let mut slugs: Vec<&str> = Vec::new();
    for slug in all.filter_map(|user| user.slug.as_deref()) {
        if !slugs.contains(&slug) {
            slugs.push(slug);
        }
    }
    slugs
}

/// Those who asked for changes come first, then approvals, then the rest.
fn rank(verdict: &str) -> u8 {
    match verdict {
        "needs_work" => 0,
        "approved" => 1,
        _ => 2,
    }
}

/// The card in one sentence, for the model.
#[must_use]
pub fn words(payload: &Payload) -> String {
    let draft = if payload.draft { " draft" } else { "" };
    let mut parts = vec![format!("{}{draft}", payload.state)];
    let counts = &payload.reviewer_counts;
    if counts.total > 0 {
        parts.push(format!("{} of {} approved", counts.approved, counts.total));
    }
    if counts.needs_work > 0 {
        parts.push(format!("{} requested changes", counts.needs_work));
    }
    if payload.mergeability.conflicted && !payload.closed {
        parts.push("conflict".to_owned());
    }
    if payload.closed {
        return parts.join(", ");
    }
    let builds = &payload.build_counts;
    for (count, what) in [
        (builds.failed, "failed"),
        (builds.in_progress, "in progress"),
        (builds.successful, "passed"),
    ] {
        if count > 0 {
            parts.push(format!("{count} {} {what}", if count == 1 { "build" } else { "builds" }));
        }
    }
    if payload.open_tasks > 0 {
        let tasks = if payload.open_tasks == 1 { "open task" } else { "open tasks" };
        parts.push(format!("{} {tasks}", payload.open_tasks));
    }
    parts.join(", ")
}

fn repository(reference: Option<&Ref>) -> (String, String) {
    let repository = reference.and_then(|reference| reference.repository.as_ref());
    let key =
        repository.and_then(|found| found.project.as_ref()).and_then(|project| project.key.clone());
    (key.unwrap_or_default(), repository.and_then(|found| found.slug.clone()).unwrap_or_default())
}

/// An end of the pull request; a fork is named, the pull request's own repository is not.
fn branch(reference: Option<&Ref>, own: (&str, &str)) -> BranchEnd {
    let (project, repo) = repository(reference);
    let is_fork = !repo.is_empty() && (project.as_str(), repo.as_str()) != own;
    let name = reference.and_then(|reference| {
        let id = || {
            reference
                .id
                .as_deref()
                .map(|id| id.strip_prefix("refs/heads/").unwrap_or(id).to_owned())
        };
        reference.display_id.clone().or_else(id)
    });
    BranchEnd {
        name: cut(&name.unwrap_or_default(), LONGEST_TEXT),
        commit: reference.and_then(|reference| reference.latest_commit.clone()).unwrap_or_default(),
        project: is_fork.then_some(project),
        repo: is_fork.then_some(repo),
    }
}

fn named(user: Option<&User>) -> Person {
    let person = user.map(Person::from).unwrap_or_default();
    let shown = person.display_name.as_deref().unwrap_or(&person.name);
    Person { display_name: Some(cut(shown, LONGEST_TEXT)), name: cut(&person.name, LONGEST_TEXT) }
}

fn author(participant: Option<&Participant>) -> Person {
    named(participant.and_then(|participant| participant.user.as_ref()))
}

/// Those who asked for changes first, then approvals, then the rest, each by display name.
fn reviewers(participants: &[Participant]) -> Vec<CardReviewer> {
    let mut reviewers: Vec<CardReviewer> = participants
        .iter()
        .map(|participant| {
            let person = named(participant.user.as_ref());
            CardReviewer {
                name: person.name,
                display_name: person.display_name.unwrap_or_default(),
                verdict: bb_domain::review::verdict(participant),
            }
        })
        .collect();
    let rank = |reviewer: &CardReviewer| rank(&reviewer.verdict);
    reviewers.sort_by(|one, other| {
        (rank(one), &one.display_name).cmp(&(rank(other), &other.display_name))
    });
    reviewers
}

fn reviewer_counts(participants: &[Participant]) -> ReviewerCounts {
    let with = |word: &str| {
        let count = participants
            .iter()
            .filter(|participant| bb_domain::review::verdict(participant) == word)
            .count();
        i64::try_from(count).unwrap_or(i64::MAX)
    };
    ReviewerCounts {
        total: i64::try_from(participants.len()).unwrap_or(i64::MAX),
        approved: with("approved"),
        needs_work: with("needs_work"),
    }
}

/// What stands in the way of a merge. Without the verdict, what the pull request itself last knew;
/// of a closed one nothing does.
fn mergeability(gathered: &Gathered, closed: bool) -> CardMergeability {
    if closed {
        return CardMergeability { known: true, ..CardMergeability::default() };
    }
    match &gathered.mergeability {
        Some(found) => {
            let summaries = found.vetoes.iter().filter_map(|veto| veto.summary_message.as_deref());
            CardMergeability {
                known: true,
                conflicted: found.conflicted.unwrap_or(false),
                vetoes: summaries.take(MOST_VETOES).map(|text| cut(text, LONGEST_TEXT)).collect(),
                veto_count: i64::try_from(found.vetoes.len()).unwrap_or(i64::MAX),
            }
        }
        None => {
            let properties = gathered.pull_request.properties.as_ref();
            let result = properties.and_then(|all| all.merge_result.as_ref());
            let outcome = result
                .filter(|result| result.current != Some(false))
                .and_then(|result| result.outcome.as_ref());
            CardMergeability {
                known: matches!(outcome, Some(MergeOutcome::Clean | MergeOutcome::Conflicted)),
                conflicted: outcome == Some(&MergeOutcome::Conflicted),
                ..CardMergeability::default()
            }
        }
    }
}

/// Counts of the pull request page's own listing; without it, of the commit's builds.
fn build_counts(gathered: &Gathered) -> Option<BuildCounts> {
    if let Some(found) = gathered.builds.as_ref().and_then(|found| found.page.as_ref()) {
        return Some(builds::count(&found.values));
    }
    let counts = gathered.build_counts.as_ref()?;
    let of = |count: Option<i64>| count.unwrap_or(0);
    let parts =
        [counts.successful, counts.failed, counts.in_progress, counts.cancelled, counts.unknown]
            .map(of);
    let [successful, failed, in_progress, cancelled, unknown] = parts;
    Some(BuildCounts {
        total: parts.iter().sum(),
        successful,
        failed,
        in_progress,
        cancelled,
        unknown,
    })
}

fn listed(gathered: &Gathered) -> Vec<CardBuild> {
    let page = gathered.builds.as_ref().and_then(|found| found.page.as_ref());
    let all = page.map(|page| builds::by_attention(&page.values)).unwrap_or_default();
    all.into_iter()
        .take(MOST_BUILDS)
        .map(|build| CardBuild {
            key: cut(build.key.as_deref().unwrap_or_default(), LONGEST_TEXT),
            name: build.name.as_deref().map(|name| cut(name, LONGEST_TEXT)),
            state: builds::state(build).to_owned(),
            url: address(build.url.as_ref()),
        })
        .collect()
}

fn url(gathered: &Gathered) -> String {
    let links = gathered.pull_request.links.as_ref().and_then(|links| links.self_.as_ref());
    links.and_then(Links::first).unwrap_or_default()
}

/// Pictures by user name, while they fit.
fn avatars(gathered: &Gathered) -> Vec<Avatar> {
    let found = &gathered.pull_request;
    let names: BTreeMap<&str, &str> = found
        .author
        .iter()
        .chain(&found.reviewers)
        .filter_map(|participant| participant.user.as_ref())
        .filter_map(|user| Some((user.slug.as_deref()?, user.name.as_deref()?)))
        .collect();
    let (mut pictures, mut used) = (Vec::new(), 0);
    for slug in people(found) {
        let Some(image) = gathered.avatar.get(slug).and_then(|bytes| avatar::data_uri(bytes))
        else {
            continue;
        };
        let Some(name) = names.get(slug) else { continue };
        if used + image.len() > avatar::MOST_CHARACTERS {
            continue;
        }
        used += image.len();
        pictures.push(Avatar { name: (*name).to_owned(), image });
    }
    pictures
}

#[cfg(test)]
mod tests;
