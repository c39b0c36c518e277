//! Merging a pull request: what each strategy leaves behind.

use crate::errors::Failure;
use crate::history::{Author, Commit, Draft, History};
use crate::mergeable::merge_state;
use crate::overlay::overlaid;
use crate::state::{Action, PullRequestState, Push, Store};

/// Who merges, and how.
#[derive(Debug)]
pub(crate) struct Wish<'a> {
    pub(crate) user: &'a str,
    pub(crate) strategy: &'a str,
    pub(crate) message: Option<&'a str>,
    /// Whether a subject is put before the message.
    pub(crate) auto_subject: bool,
}

/// Every strategy with its name, flag and what it does.
pub(crate) const STRATEGIES: [(&str, &str, &str, &str); 7] = [
    ("no-ff", "Merge commit", "--no-ff", "Always creates a merge commit on the target branch."),
    ("ff", "Fast-forward", "--ff", "Moves the target branch when it can, and merges when not."),
    ("ff-only", "Fast-forward only", "--ff-only", "Moves the target branch, or refuses."),
    (
        "rebase-no-ff",
        "Rebase and merge",
        "rebase + merge --no-ff",
        "Rebases the source's commits, then creates a merge commit.",
    ),
    (
        "rebase-ff-only",
        "Rebase and fast-forward",
        "rebase + merge --ff-only",
        "Rebases the source's commits, then moves the target branch.",
    ),
    ("squash", "Squash", "--squash", "Puts all changes into one commit on the target branch."),
    (
        "squash-ff-only",
        "Squash, fast-forward only",
        "--squash --ff-only",
        "Puts all changes into one commit, or refuses when the source is behind.",
    ),
];

/// Merges an open pull request whose version was checked. Conflicts and vetoes
/// refuse it.
pub(crate) fn merge(
    store: &mut Store,
    repository: u64,
    id: u64,
    wish: &Wish<'_>,
) -> Result<(), Failure> {
    let (Some(found), Some(place)) =
        (store.pull_request(repository, id), store.repository(repository))
    else {
        return Err(Failure::no_route());
    };
    let (outcome, vetoes) = merge_state(store, found);
    if outcome == "CONFLICTED" || !vetoes.is_empty() {
        return Err(Failure::vetoed(outcome == "CONFLICTED", crate::mergeable::drawn(&vetoes)));
    }
    if let Some(left) = store.overtaken.checked_sub(1) {
        let message = format!(
            "New changes were pushed to {} in {}/{} while the merge was being performed. Please \
             retry the merge.",
            found.to.branch, place.project, place.slug
        );
        store.overtaken = left;
        return Err(Failure::conflict(&message, "scm.MergeException"));
    }
    let now = store.now;
    let (target, source) = (found.to.commit.clone(), found.from.commit.clone());
    let branch = found.to.branch.clone();
    let subject = format!("Pull request #{id}: {}", found.title);
    let body =
        format!("Merge in {}/{} from {} to {branch}", place.project, place.slug, found.from.branch);
    let message = match wish.message {
        Some(text) if text.starts_with("Pull request #") => text.to_owned(),
        Some(text) if !wish.auto_subject && !text.trim().is_empty() => text.to_owned(),
        Some(text) if !text.trim().is_empty() => format!("{subject}\n\n{text}"),
        _ => format!("{subject}\n\n{body}"),
    };
    let Some(place) = store.repository_mut(repository) else {
        return Err(Failure::no_route());
    };
    let mut git =
        Git { history: &mut place.history, user: wish.user, now, message, target, source };
    let (tip, commit) = git.run(wish.strategy)?;
    place.history.branches.insert(branch.clone(), tip);
    let activity = store.next_id();
    let Some(found) = store.pull_request_mut(repository, id) else {
        return Err(Failure::no_route());
    };
    found.state = PullRequestState::Merged;
    found.closed = Some(now);
    found.auto_merge = None;
    found.merge_commit.clone_from(&commit);
    found.touch(now);
    found.record(activity, wish.user, now, Action::Merged(commit));
    let push = Push { repository, branch, user: wish.user.to_owned() };
    store.waiting.push((now + store.follow_after, push));
    Ok(())
}

struct Git<'a> {
    history: &'a mut History,
    user: &'a str,
    now: i64,
    message: String,
    target: String,
    source: String,
}

impl Git<'_> {
    /// The new tip of the target, and the commit the merge made, if any.
    fn run(&mut self, strategy: &str) -> Result<(String, Option<String>), Failure> {
        let ahead = self.history.contains(&self.source, &self.target);
        let refused = || {
            Failure::conflict(
                "The source branch is out of date with the target branch; it cannot be \
                 fast-forwarded.",
                "scm.MergeException",
            )
        };
        match strategy {
            "ff" if ahead => Ok((self.source.clone(), None)),
            "ff-only" if ahead => Ok((self.source.clone(), None)),
            "ff-only" => Err(refused()),
            "squash-ff-only" if !ahead => Err(refused()),
            "squash" | "squash-ff-only" => {
                let id = self.commit(vec![self.target.clone()]);
                Ok((id.clone(), Some(id)))
            }
            "rebase-ff-only" => Ok((self.rebase(), None)),
            "rebase-no-ff" => {
                self.source = self.rebase();
                let id = self.commit(vec![self.target.clone(), self.source.clone()]);
                Ok((id.clone(), Some(id)))
            }
            _ => {
                let id = self.commit(vec![self.target.clone(), self.source.clone()]);
                Ok((id.clone(), Some(id)))
            }
        }
    }

    fn commit(&mut self, parents: Vec<String>) -> String {
        let tree = self.history.merged_tree(&self.target, &self.source);
        self.history.add(Draft {
            parents,
            author: Author::Account(self.user.to_owned()),
            age: self.now,
            date: self.now / 1000 * 1000,
            message: self.message.clone(),
            tree,
        })
    }

    /// The tip of the source's commits put on top of the target.
    fn rebase(&mut self) -> String {
        let mut own = self.history.log(&self.source, Some(&self.target));
        own.reverse();
        let mut tip = self.target.clone();
        for commit in own.iter().filter(|commit| commit.parents.len() < 2) {
            tip = self.replayed(commit, &tip);
        }
        tip
    }

    fn replayed(&mut self, commit: &Commit, onto: &str) -> String {
        let tree = |id: &str| {
            self.history.commit(id).map(|commit| (*commit.tree).clone()).unwrap_or_default()
        };
        let before = commit.parents.first().map(|id| tree(id)).unwrap_or_default();
        let tree = overlaid(&before, &commit.tree, &tree(onto)).tree;
        self.history.add(Draft {
            parents: vec![onto.to_owned()],
            author: commit.author.clone(),
            age: self.now,
            date: commit.date,
            message: commit.message.clone(),
            tree,
        })
    }
}
