//! Short ways to write histories and pull requests down.

use super::discussion::Say;
use crate::blob::Blob;
use crate::hash;
use crate::history::{Author, Draft, History, Tag, Tree};
use crate::state::{
    Action, Activity, Comment, CommentAction, Participant, PullRequest, PullRequestRef,
    PullRequestState, Time, Verdict,
};

pub(super) const MINUTE: i64 = 60_000;
pub(super) const HOUR: i64 = 60;
pub(super) const DAY: i64 = 24 * HOUR;

/// What a commit does to a file.
#[derive(Debug, Clone, Copy)]
pub(super) enum Edit<'a> {
    Put(&'a str, &'a str),
    Append(&'a str, &'a str),
    /// Path, the text to find, the text to put in its place.
    Replace(&'a str, &'a str, &'a str),
    /// Path, bytes, whether it may be run.
    Bytes(&'a str, &'a [u8], bool),
    Mode(&'a str, bool),
    Remove(&'a str),
    Move(&'a str, &'a str),
}

/// Grows a history; ages are minutes before the start of the demo.
#[derive(Debug)]
pub(super) struct Grow {
    pub(super) history: History,
    pub(super) now: Time,
}

impl Grow {
    pub(super) fn new(now: Time) -> Grow {
        Grow { history: History { default_branch: "main".to_owned(), ..History::default() }, now }
    }

    pub(super) fn tip(&self, branch: &str) -> String {
        self.history.branches.get(branch).cloned().unwrap_or_default()
    }

    pub(super) fn commit(
        &mut self,
        branch: &str,
        author: &str,
        age: i64,
        message: &str,
        edits: &[Edit<'_>],
    ) -> String {
        let author = Author::Account(author.to_owned());
        self.commit_by(branch, author, age, message, edits)
    }

    pub(super) fn commit_by(
        &mut self,
        branch: &str,
        author: Author,
        age: i64,
        message: &str,
        edits: &[Edit<'_>],
    ) -> String {
        let parent = self.history.commit(&self.tip(branch)).cloned();
        let mut tree = parent.as_ref().map(|commit| Tree::clone(&commit.tree)).unwrap_or_default();
        for edit in edits {
            apply(&mut tree, *edit);
        }
        let parents = parent.map(|commit| commit.id.clone()).into_iter().collect();
        self.add(branch, author, age, message, tree, parents)
    }

    pub(super) fn branch(&mut self, name: &str, from: &str) {
        let tip = match self.history.branches.get(from) {
            Some(tip) => tip.clone(),
            None => from.to_owned(),
        };
        self.history.branches.insert(name.to_owned(), tip);
    }

    /// Merges without conflicts: what the side changed against the merge base
    /// is laid over the target.
    pub(super) fn merge(
        &mut self,
        into: &str,
        from: &str,
        author: &str,
        age: i64,
        message: &str,
    ) -> String {
        let (target, side) = (self.tip(into), self.tip(from));
        let tree = self.history.merged_tree(&target, &side);
        let author = Author::Account(author.to_owned());
        self.add(into, author, age, message, tree, vec![target, side])
    }

    pub(super) fn tag(&mut self, name: &str, commit: &str, annotated: bool) {
        self.history.tags.push(Tag {
            name: name.to_owned(),
            commit: commit.to_owned(),
            object: annotated.then(|| hash::sha1(format!("tag {name} {commit}").as_bytes())),
        });
    }

    fn add(
        &mut self,
        branch: &str,
        author: Author,
        age: i64,
        message: &str,
        tree: Tree,
        parents: Vec<String>,
    ) -> String {
        let id = self.history.add(Draft {
            parents,
            author,
            age,
            // git keeps whole seconds.
            date: (self.now - age * MINUTE) / 1000 * 1000,
            message: message.to_owned(),
            tree,
        });
        self.history.branches.insert(branch.to_owned(), id.clone());
        id
    }
}

fn apply(tree: &mut Tree, edit: Edit<'_>) {
    match edit {
        Edit::Put(path, content) => {
            tree.insert(path.to_owned(), Blob::from(content));
        }
        Edit::Append(path, content) => {
            let old = tree.get(path).map(|old| old.text().into_owned()).unwrap_or_default();
            tree.insert(path.to_owned(), Blob::new(format!("{old}{content}"), false));
        }
        Edit::Replace(path, find, with) => {
            if let Some(old) = tree.get(path) {
                debug_assert!(old.text().contains(find), "`{path}` does not hold `{find}`");
                let new = Blob::new(old.text().replacen(find, with, 1), old.is_executable());
                tree.insert(path.to_owned(), new);
            }
        }
        Edit::Bytes(path, bytes, executable) => {
            tree.insert(path.to_owned(), Blob::new(bytes, executable));
        }
        Edit::Mode(path, executable) => {
            if let Some(old) = tree.get(path) {
                let new = old.with_mode(executable);
                tree.insert(path.to_owned(), new);
            }
        }
        Edit::Remove(path) => {
            tree.remove(path);
        }
        Edit::Move(from, to) => {
            if let Some(content) = tree.remove(from) {
                tree.insert(to.to_owned(), content);
            }
        }
    }
}

/// Writes one pull request down.
#[derive(Debug)]
pub(super) struct Pull {
    inner: PullRequest,
    now: Time,
    comments: u64,
}

/// The side of a pull request: repository, branch, commit.
pub(super) fn side(repository: u64, branch: &str, commit: &str) -> PullRequestRef {
    PullRequestRef {
        repository,
        branch: branch.to_owned(),
        is_tag: false,
        commit: commit.to_owned(),
    }
}

impl Pull {
    pub(super) fn new(
        now: Time,
        id: u64,
        author: &str,
        age: i64,
        title: &str,
        from: PullRequestRef,
        to: PullRequestRef,
    ) -> Pull {
        let created = now - age * MINUTE;
        let inner = PullRequest {
            id,
            repository: to.repository,
            version: 0,
            title: title.to_owned(),
            description: None,
            state: PullRequestState::Open,
            draft: false,
            created,
            updated: created,
            closed: None,
            author: author.to_owned(),
            reviewers: Vec::new(),
            participants: Vec::new(),
            from,
            to,
            comments: Vec::new(),
            activities: Vec::new(),
            auto_merge: None,
            merge_commit: None,
            watchers: Vec::new(),
        };
        Pull { inner, now, comments: 0 }.event(author, age, Action::Opened)
    }

    /// Changes fields for which there is no short way.
    pub(super) fn with(mut self, change: impl FnOnce(&mut PullRequest)) -> Pull {
        change(&mut self.inner);
        self
    }

    pub(super) fn describe(self, text: &str) -> Pull {
        self.with(|inner| inner.description = Some(text.to_owned()))
    }

    pub(super) fn reviewer(mut self, user: &str, verdict: Verdict, age: Option<i64>) -> Pull {
        let last_reviewed = age.map(|_| self.inner.from.commit.clone());
        self.inner.reviewers.push(Participant { user: user.to_owned(), verdict, last_reviewed });
        match (verdict, age) {
            (Verdict::Approved, Some(age)) => self.event(user, age, Action::Approved),
            (Verdict::NeedsWork, Some(age)) => self.event(user, age, Action::Reviewed),
            _ => self,
        }
    }

    pub(super) fn participant(mut self, user: &str) -> Pull {
        self.inner.participants.push(Participant {
            user: user.to_owned(),
            verdict: Verdict::Unapproved,
            last_reviewed: None,
        });
        self
    }

    pub(super) fn event(mut self, user: &str, age: i64, action: Action) -> Pull {
        let date = self.now - age * MINUTE;
        // Discussion and reviews leave version and date of the request alone.
        if matches!(
            action,
            Action::Rescoped { .. }
                | Action::Updated { .. }
                | Action::Merged(_)
                | Action::Declined
                | Action::Reopened
        ) {
            self.inner.version += 1;
            self.inner.updated = self.inner.updated.max(date);
        }
        match &action {
            Action::Merged(commit) => {
                self.inner.state = PullRequestState::Merged;
                self.inner.closed = Some(date);
                self.inner.merge_commit.clone_from(commit);
            }
            Action::Declined => {
                self.inner.state = PullRequestState::Declined;
                self.inner.closed = Some(date);
            }
            Action::Reopened => {
                self.inner.state = PullRequestState::Open;
                self.inner.closed = None;
            }
            _ => {}
        }
        self.inner.activities.push(Activity { id: 0, user: user.to_owned(), date, action });
        self
    }

    pub(super) fn thread(mut self, root: Say) -> Pull {
        let (user, age) = (root.author, root.age);
        let comment = self.numbered(root);
        let id = comment.id;
        self.inner.comments.push(comment);
        self.event(user, age, Action::Commented(id, CommentAction::Added))
    }

    fn numbered(&mut self, root: Say) -> Comment {
        self.comments += 1;
        let id = self.inner.repository * 10_000 + self.inner.id * 100 + self.comments;
        let now = self.now;
        let created = now - root.age * MINUTE;
        let resolved = root.resolved.map(|(by, age)| (by.to_owned(), now - age * MINUTE));
        Comment {
            id,
            author: root.author.to_owned(),
            text: root.text,
            created,
            updated: resolved.as_ref().map_or(created, |(_, date)| *date),
            version: u64::from(resolved.is_some()),
            task: root.task,
            resolved: resolved.clone().filter(|_| root.task),
            thread_resolved: resolved.filter(|_| !root.task),
            pending: false,
            anchor: root.anchor,
            applied: None,
            replies: root.replies.into_iter().map(|reply| self.numbered(reply)).collect(),
        }
    }

    /// Puts the activities in order and numbers them.
    pub(super) fn done(mut self) -> PullRequest {
        let first = self.inner.repository * 10_000 + self.inner.id * 100 + 1;
        self.inner.activities.sort_by_key(|activity| activity.date);
        for (activity, id) in self.inner.activities.iter_mut().zip(first..) {
            activity.id = id;
        }
        self.inner
    }
}
