//! What the demo knows: users, projects, repositories, pull requests, builds.
//! Plain data and look-ups; knows nothing of HTTP or JSON.

use crate::history::History;

/// Milliseconds since the epoch.
pub(crate) type Time = i64;

#[derive(Debug)]
pub(crate) struct Store {
    pub(crate) users: Vec<User>,
    pub(crate) projects: Vec<Project>,
    pub(crate) repositories: Vec<Repository>,
    pub(crate) pull_requests: Vec<PullRequest>,
    pub(crate) builds: Vec<Build>,
    pub(crate) moved: Vec<Moved>,
}

#[derive(Debug, Clone)]
pub(crate) struct User {
    pub(crate) id: u64,
    pub(crate) name: String,
    pub(crate) slug: String,
    pub(crate) display_name: String,
    pub(crate) email: Option<String>,
    pub(crate) active: bool,
    /// Whether answers carry links for this user: a third of real ones do not.
    pub(crate) linked: bool,
    pub(crate) service: bool,
}

#[derive(Debug)]
pub(crate) struct Project {
    pub(crate) id: u64,
    pub(crate) key: String,
    pub(crate) name: String,
    pub(crate) description: Option<String>,
    /// The name of the user whose personal project this is.
    pub(crate) owner: Option<String>,
}

#[derive(Debug)]
pub(crate) struct Repository {
    pub(crate) id: u64,
    pub(crate) project: String,
    pub(crate) slug: String,
    pub(crate) name: String,
    pub(crate) description: Option<String>,
    pub(crate) archived: bool,
    /// The repository this one was forked from.
    pub(crate) origin: Option<u64>,
    pub(crate) history: History,
    pub(crate) conditions: Vec<Condition>,
    pub(crate) requires_tasks: bool,
}

/// A required builds condition.
#[derive(Debug)]
pub(crate) struct Condition {
    pub(crate) id: u64,
    pub(crate) parents: Vec<String>,
    pub(crate) matcher: Matcher,
    pub(crate) exempt: Option<Matcher>,
    pub(crate) for_pull_request: bool,
}

#[derive(Debug)]
pub(crate) struct Matcher {
    pub(crate) id: String,
    pub(crate) display_id: String,
    /// `BRANCH`, `PATTERN`, `ANY_REF` and so on.
    pub(crate) kind: String,
}

/// An old place of a repository.
#[derive(Debug)]
pub(crate) struct Moved {
    pub(crate) project: String,
    pub(crate) slug: String,
    pub(crate) repository: u64,
    /// Whether the old place answers 307; otherwise it answers silently.
    pub(crate) redirects: bool,
}

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

#[derive(Debug)]
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
}

#[derive(Debug, Clone)]
pub(crate) struct PullRequestRef {
    pub(crate) repository: u64,
    pub(crate) branch: String,
    pub(crate) commit: String,
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
    pub(crate) fn name(self) -> &'static str {
        match self {
            Verdict::Unapproved => "UNAPPROVED",
            Verdict::NeedsWork => "NEEDS_WORK",
            Verdict::Approved => "APPROVED",
        }
    }
}

#[derive(Debug)]
pub(crate) struct AutoMerge {
    pub(crate) requested: Time,
    pub(crate) message: String,
    pub(crate) strategy: String,
}

#[derive(Debug)]
pub(crate) struct Comment {
    pub(crate) id: u64,
    pub(crate) author: String,
    pub(crate) text: String,
    pub(crate) created: Time,
    pub(crate) task: bool,
    /// Who resolved the task or the thread, and when.
    pub(crate) resolved: Option<(String, Time)>,
    pub(crate) anchor: Option<Anchor>,
    pub(crate) replies: Vec<Comment>,
}

impl Comment {
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
    pub(crate) orphaned: bool,
    pub(crate) from_hash: String,
    pub(crate) to_hash: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LineType {
    Added,
    Removed,
    Context,
}

impl LineType {
    pub(crate) fn name(self) -> &'static str {
        match self {
            LineType::Added => "ADDED",
            LineType::Removed => "REMOVED",
            LineType::Context => "CONTEXT",
        }
    }
}

#[derive(Debug)]
pub(crate) struct Activity {
    pub(crate) id: u64,
    pub(crate) user: String,
    pub(crate) date: Time,
    pub(crate) action: Action,
}

#[derive(Debug)]
pub(crate) enum Action {
    Opened,
    Approved,
    Unapproved,
    Reviewed,
    Declined,
    Reopened,
    /// The id of the thread's root.
    Commented(u64),
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
    Merged(String),
    AutoMergeRequested,
}

#[derive(Debug)]
pub(crate) struct Build {
    pub(crate) commit: String,
    pub(crate) key: String,
    pub(crate) parent: Option<String>,
    pub(crate) name: String,
    /// `SUCCESSFUL`, `FAILED`, `INPROGRESS`, `CANCELLED` or `UNKNOWN`.
    pub(crate) state: &'static str,
    pub(crate) url: String,
    pub(crate) description: Option<String>,
    pub(crate) number: u64,
    pub(crate) created: Time,
    pub(crate) updated: Time,
    /// The branch it was run for; none is for any.
    pub(crate) branch: Option<String>,
    /// Successful, failed and skipped tests.
    pub(crate) tests: Option<(u64, u64, u64)>,
}

impl Store {
    pub(crate) fn user(&self, name: &str) -> Option<&User> {
        self.users.iter().find(|user| user.name == name)
    }

    pub(crate) fn project(&self, key: &str) -> Option<&Project> {
        self.projects.iter().find(|project| same(&project.key, key))
    }

    pub(crate) fn repository(&self, id: u64) -> Option<&Repository> {
        self.repositories.iter().find(|repository| repository.id == id)
    }

    pub(crate) fn repository_at(&self, key: &str, slug: &str) -> Option<&Repository> {
        self.repositories
            .iter()
            .find(|repository| same(&repository.project, key) && same(&repository.slug, slug))
    }

    pub(crate) fn moved_from(&self, key: &str, slug: &str) -> Option<&Moved> {
        self.moved.iter().find(|moved| same(&moved.project, key) && same(&moved.slug, slug))
    }
}

/// Keys and slugs are compared without regard to case.
pub(crate) fn same(left: &str, right: &str) -> bool {
    left.to_lowercase() == right.to_lowercase()
}

impl PullRequest {
    pub(crate) fn is_open(&self) -> bool {
        self.state == PullRequestState::Open
    }

    /// The tasks of all threads, oldest first, with their resolution.
    pub(crate) fn tasks(&self) -> Vec<&Comment> {
        let mut tasks = Vec::new();
        self.each_comment(&mut |comment| {
            if comment.task {
                tasks.push(comment);
            }
        });
        tasks
    }

    pub(crate) fn comment_count(&self) -> usize {
        let mut count = 0;
        self.each_comment(&mut |_| count += 1);
        count
    }

    fn each_comment<'a>(&'a self, visitor: &mut dyn FnMut(&'a Comment)) {
        for root in &self.comments {
            root.visit(visitor);
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
