//! Pull requests, their discussion and what happened in them.

use super::{Time, same};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PullRequestState {
    Open,
    Merged,
    Declined,
}

impl PullRequestState {
    pub(crate) fn name(self) -> &'static str {
        match self {
            PullRequestState::Open => "OPEN",
            PullRequestState::Merged => "MERGED",
            PullRequestState::Declined => "DECLINED",
        }
    }
}

#[derive(Debug, Clone)]
pub(crate) struct PullRequest {
    pub(crate) id: u64,
    /// The target repository.
    pub(crate) repository: u64,
    pub(crate) version: u64,
    pub(crate) title: String,
    pub(crate) description: Option<String>,
    pub(crate) state: PullRequestState,
    pub(crate) draft: bool,
    pub(crate) created: Time,
    pub(crate) updated: Time,
    pub(crate) closed: Option<Time>,
    pub(crate) author: String,
    pub(crate) reviewers: Vec<Participant>,
    pub(crate) participants: Vec<Participant>,
    pub(crate) from: PullRequestRef,
    pub(crate) to: PullRequestRef,
    pub(crate) comments: Vec<Comment>,
    /// Oldest first.
    pub(crate) activities: Vec<Activity>,
    pub(crate) auto_merge: Option<AutoMerge>,
    pub(crate) merge_commit: Option<String>,
    pub(crate) watchers: Vec<String>,
}

#[derive(Debug, Clone)]
pub(crate) struct PullRequestRef {
    pub(crate) repository: u64,
    /// Its name, without what the ref begins with.
    pub(crate) branch: String,
    /// Whether it is a tag after all, as a source may be.
    pub(crate) is_tag: bool,
    pub(crate) commit: String,
}

impl PullRequestRef {
    /// The whole ref.
    pub(crate) fn id(&self) -> String {
        let kind = if self.is_tag { "tags" } else { "heads" };
        format!("refs/{kind}/{}", self.branch)
    }

    /// Whether it is this branch.
    pub(crate) fn is_branch(&self, repository: u64, branch: &str) -> bool {
        !self.is_tag && self.repository == repository && self.branch == branch
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Participant {
    pub(crate) user: String,
    pub(crate) verdict: Verdict,
    pub(crate) last_reviewed: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    Unapproved,
    NeedsWork,
    Approved,
}

impl Verdict {
    pub(crate) fn named(name: &str) -> Option<Verdict> {
        [Verdict::Unapproved, Verdict::NeedsWork, Verdict::Approved]
            .into_iter()
            .find(|verdict| verdict.name() == name)
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Verdict::Unapproved => "UNAPPROVED",
            Verdict::NeedsWork => "NEEDS_WORK",
            Verdict::Approved => "APPROVED",
        }
    }
}

#[derive(Debug, Clone)]
pub(crate) struct AutoMerge {
    pub(crate) requested: Time,
    pub(crate) message: String,
    pub(crate) strategy: String,
    pub(crate) user: String,
    pub(crate) from_hash: String,
    pub(crate) auto_subject: bool,
}

#[derive(Debug, Clone)]
pub(crate) struct Comment {
    pub(crate) id: u64,
    pub(crate) author: String,
    pub(crate) text: String,
    pub(crate) created: Time,
    pub(crate) updated: Time,
    pub(crate) version: u64,
    pub(crate) task: bool,
    /// Who resolved the task, and when.
    pub(crate) resolved: Option<(String, Time)>,
    /// Who resolved the thread, and when: another thing than a task's state.
    pub(crate) thread_resolved: Option<(String, Time)>,
    /// Whether it is a draft that only its author sees.
    pub(crate) pending: bool,
    pub(crate) anchor: Option<Anchor>,
    /// Which of its suggestions was applied.
    pub(crate) applied: Option<usize>,
    pub(crate) replies: Vec<Comment>,
}

impl Comment {
    pub(crate) fn is_visible_to(&self, user: Option<&str>) -> bool {
        !self.pending || user == Some(self.author.as_str())
    }

    /// Its state in the product's words: of a plain comment never resolved.
    pub(crate) fn state_name(&self) -> &'static str {
        match &self.resolved {
            _ if self.pending => "PENDING",
            Some(_) => "RESOLVED",
            None => "OPEN",
        }
    }

    pub(crate) fn find(&self, id: u64) -> Option<&Comment> {
        if self.id == id {
            Some(self)
        } else {
            self.replies.iter().find_map(|reply| reply.find(id))
        }
    }

    pub(crate) fn find_mut(&mut self, id: u64) -> Option<&mut Comment> {
        if self.id == id {
            Some(self)
        } else {
            self.replies.iter_mut().find_map(|reply| reply.find_mut(id))
        }
    }

    /// Takes a reply out, wherever below this comment it is.
    pub(crate) fn remove(&mut self, id: u64) {
        self.replies.retain(|reply| reply.id != id);
        for reply in &mut self.replies {
            reply.remove(id);
        }
    }

    /// Calls the visitor with this comment and every reply below it.
    pub(crate) fn visit<'a>(&'a self, visitor: &mut dyn FnMut(&'a Comment)) {
        visitor(self);
        for reply in &self.replies {
            reply.visit(visitor);
        }
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Anchor {
    pub(crate) path: String,
    pub(crate) source_path: Option<String>,
    /// The line and its type; none is a comment on the file.
    pub(crate) line: Option<(usize, LineType)>,
    /// Whether an unchanged line is counted as it was before.
    pub(crate) before: bool,
    /// The first line and its type of a comment on several lines.
    pub(crate) first: Option<(usize, LineType)>,
    /// `EFFECTIVE`, `COMMIT` or `RANGE`.
    pub(crate) diff_type: &'static str,
    pub(crate) orphaned: bool,
    pub(crate) from_hash: String,
    pub(crate) to_hash: String,
}

impl Anchor {
    /// Whether its line is counted as it was before the change.
    pub(crate) fn is_on_source(&self) -> bool {
        self.before || matches!(self.line, Some((_, LineType::Removed)))
    }

    /// Whether it stands on a line of a diff, both of whose numbers are given.
    pub(crate) fn is_on(&self, kind: LineType, source: usize, destination: usize) -> bool {
        let number = if self.is_on_source() { source } else { destination };
        self.line == Some((number, kind))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LineType {
    Added,
    Removed,
    Context,
}

impl LineType {
    pub(crate) fn named(name: &str) -> Option<LineType> {
        [LineType::Added, LineType::Removed, LineType::Context]
            .into_iter()
            .find(|kind| kind.name() == name)
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            LineType::Added => "ADDED",
            LineType::Removed => "REMOVED",
            LineType::Context => "CONTEXT",
        }
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Activity {
    pub(crate) id: u64,
    pub(crate) user: String,
    pub(crate) date: Time,
    pub(crate) action: Action,
}

#[derive(Debug, Clone)]
pub(crate) enum Action {
    Opened,
    Approved,
    Unapproved,
    Reviewed,
    Declined,
    Reopened,
    /// The id of the thread's root, and what was done in the thread.
    Commented(u64, CommentAction),
    /// The comment as it was: nothing else remembers it.
    CommentDeleted(Box<Comment>),
    Updated {
        added: Vec<String>,
        removed: Vec<String>,
    },
    Rescoped {
        from: String,
        previous_from: String,
        to: String,
        previous_to: String,
    },
    /// The merge commit, of strategies that leave one.
    Merged(Option<String>),
    AutoMergeRequested,
    AutoMergeCancelled,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CommentAction {
    Added,
    Replied,
    Updated,
}

impl PullRequest {
    pub(crate) fn is_open(&self) -> bool {
        self.state == PullRequestState::Open
    }

    /// The tasks of all threads that are no drafts, oldest first.
    pub(crate) fn tasks(&self) -> Vec<&Comment> {
        let mut tasks = Vec::new();
        self.each_comment(&mut |comment| {
            if comment.task && !comment.pending {
                tasks.push(comment);
            }
        });
        tasks
    }

    pub(crate) fn comment_count(&self) -> usize {
        let mut count = 0;
        self.each_comment(&mut |comment| count += usize::from(!comment.pending));
        count
    }

    pub(crate) fn each_comment<'a>(&'a self, visitor: &mut dyn FnMut(&'a Comment)) {
        for root in &self.comments {
            root.visit(visitor);
        }
    }

    /// A comment with the root of its thread.
    pub(crate) fn comment(&self, id: u64) -> Option<(&Comment, &Comment)> {
        self.comments.iter().find_map(|root| root.find(id).map(|found| (root, found)))
    }

    pub(crate) fn comment_mut(&mut self, id: u64) -> Option<&mut Comment> {
        self.comments.iter_mut().find_map(|root| root.find_mut(id))
    }

    /// Says in the activities who did what; moves nothing else.
    pub(crate) fn record(&mut self, id: u64, user: &str, date: Time, action: Action) {
        self.activities.push(Activity { id, user: user.to_owned(), date, action });
    }

    /// Moves the version and the date, as everything but discussion does.
    pub(crate) fn touch(&mut self, now: Time) {
        self.version += 1;
        self.updated = self.updated.max(now);
    }

    /// The reviewer or participant of this name.
    pub(crate) fn participant_mut(&mut self, user: &str) -> Option<&mut Participant> {
        self.reviewers
            .iter_mut()
            .chain(&mut self.participants)
            .find(|participant| same(&participant.user, user))
    }

    /// Somebody who takes part in any way is one of the participants.
    pub(crate) fn takes_part(&mut self, user: &str) {
        if self.role_of(user).is_none() {
            self.participants.push(Participant {
                user: user.to_owned(),
                verdict: Verdict::Unapproved,
                last_reviewed: None,
            });
        }
        if !self.watchers.iter().any(|watcher| watcher == user) {
            self.watchers.push(user.to_owned());
        }
    }

    /// How the user takes part, in the product's words.
    pub(crate) fn role_of(&self, user: &str) -> Option<(&'static str, Verdict)> {
        let find = |all: &[Participant]| {
            all.iter()
                .find(|participant| same(&participant.user, user))
                .map(|participant| participant.verdict)
        };
        if same(&self.author, user) {
            Some(("AUTHOR", Verdict::Unapproved))
        } else if let Some(verdict) = find(&self.reviewers) {
            Some(("REVIEWER", verdict))
        } else {
            find(&self.participants).map(|verdict| ("PARTICIPANT", verdict))
        }
    }
}
