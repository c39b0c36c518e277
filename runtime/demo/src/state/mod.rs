//! What the demo knows: users, projects, repositories, pull requests, builds.
//! Plain data and look-ups; knows nothing of HTTP or JSON.

mod pull_requests;

use crate::history::History;

pub(crate) use pull_requests::{
    Action, Activity, Anchor, AutoMerge, Comment, CommentAction, LineType, Participant,
    PullRequest, PullRequestRef, PullRequestState, Verdict,
};

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
    /// What the clock said when the request being answered arrived.
    pub(crate) now: Time,
    /// The last id given to a comment or an activity after the start.
    pub(crate) last_id: u64,
    /// Branches that moved, with the time at which pull requests follow.
    pub(crate) waiting: Vec<(Time, Push)>,
    /// Whether something moved that an armed pull request may wait for.
    pub(crate) stirred: bool,
    /// How many merges are still to be overtaken by a push.
    pub(crate) overtaken: usize,
    /// How long pull requests take to follow a branch.
    pub(crate) follow_after: Time,
    pub(crate) limits: Limits,
}

/// How much of a diff goes out as JSON. Text is not cut.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// The most lines of one answer, `page.max.diff.lines`.
    pub(crate) lines: usize,
    /// The most characters of one line, `page.max.source.length`.
    pub(crate) length: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { lines: 10_000, length: 5000 }
    }
}

/// A branch that moved; pull requests that use it are still to follow.
#[derive(Debug, Clone)]
pub(crate) struct Push {
    pub(crate) repository: u64,
    pub(crate) branch: String,
    pub(crate) user: String,
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
    /// What the user may do in projects that are nobody's own.
    pub(crate) permission: Permission,
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
    /// The strategies a merge may use; the first is the default.
    pub(crate) strategies: Vec<&'static str>,
    pub(crate) allows_auto_merge: bool,
    pub(crate) labels: Vec<String>,
    /// Who reviews by default: source matcher, target matcher, people.
    pub(crate) default_reviewers: Vec<DefaultReviewers>,
    /// Who may see it; nobody named is everybody.
    pub(crate) readers: Vec<String>,
    /// The largest number given to a pull request: none is given twice.
    pub(crate) last_pull_request: u64,
}

#[derive(Debug)]
pub(crate) struct DefaultReviewers {
    pub(crate) id: u64,
    pub(crate) source: Matcher,
    pub(crate) target: Matcher,
    pub(crate) people: Vec<String>,
    pub(crate) approvals: u64,
}

/// What a person may do in a repository, the least first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Permission {
    Read,
    Write,
    Admin,
}

impl Permission {
    /// By what stands behind `REPO_` or `PROJECT_` in the product's names.
    pub(crate) fn named(name: &str) -> Option<Permission> {
        match name {
            "READ" => Some(Permission::Read),
            "WRITE" => Some(Permission::Write),
            "ADMIN" => Some(Permission::Admin),
            _ => None,
        }
    }
}

/// A required builds condition.
#[derive(Debug, Clone)]
pub(crate) struct Condition {
    pub(crate) id: u64,
    pub(crate) parents: Vec<String>,
    pub(crate) matcher: Matcher,
    pub(crate) exempt: Option<Matcher>,
    pub(crate) for_pull_request: bool,
}

#[derive(Debug, Clone)]
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

#[derive(Debug, Clone)]
pub(crate) struct Build {
    pub(crate) commit: String,
    pub(crate) key: String,
    pub(crate) parent: Option<String>,
    pub(crate) name: String,
    /// `SUCCESSFUL`, `FAILED`, `INPROGRESS`, `CANCELLED` or `UNKNOWN`.
    pub(crate) state: String,
    pub(crate) url: String,
    pub(crate) description: Option<String>,
    pub(crate) number: Option<String>,
    pub(crate) duration: Option<Time>,
    /// The repository it was posted to; none for the form that names none.
    pub(crate) repository: Option<u64>,
    pub(crate) created: Time,
    pub(crate) updated: Time,
    /// The branch it was run for; none is for any.
    pub(crate) branch: Option<String>,
    /// Successful, failed and skipped tests.
    pub(crate) tests: Option<(u64, u64, u64)>,
    /// When a running build ends, and how.
    pub(crate) ends: Option<(Time, &'static str)>,
}

impl Store {
    /// An id no comment and no activity has.
    pub(crate) fn next_id(&mut self) -> u64 {
        self.last_id += 1;
        self.last_id
    }

    pub(crate) fn user_at(&self, slug: &str) -> Option<&User> {
        self.users.iter().find(|user| same(&user.slug, slug))
    }

    /// What somebody may do in a repository. Everybody signed in may read.
    pub(crate) fn permission(&self, user: &str, repository: &Repository) -> Permission {
        let Some(user) = self.user(user).filter(|user| user.active && !user.service) else {
            return Permission::Read;
        };
        match self.project(&repository.project).and_then(|project| project.owner.as_ref()) {
            Some(owner) if *owner == user.name => Permission::Admin,
            Some(_) => Permission::Read,
            None => user.permission,
        }
    }

    /// Whether a repository is there at all for somebody.
    pub(crate) fn sees(&self, user: Option<&str>, repository: &Repository) -> bool {
        repository.readers.is_empty()
            || user.is_some_and(|user| repository.readers.iter().any(|reader| reader == user))
    }

    /// Where a side of a pull request points to at present.
    pub(crate) fn tip(&self, side: &PullRequestRef) -> Option<String> {
        let history = &self.repository(side.repository)?.history;
        if side.is_tag {
            let tag = history.tags.iter().find(|tag| tag.name == side.branch);
            tag.map(|tag| tag.commit.clone())
        } else {
            history.branches.get(&side.branch).cloned()
        }
    }

    pub(crate) fn repository_mut(&mut self, id: u64) -> Option<&mut Repository> {
        self.repositories.iter_mut().find(|repository| repository.id == id)
    }

    pub(crate) fn pull_request(&self, repository: u64, id: u64) -> Option<&PullRequest> {
        self.pull_requests.iter().find(|found| found.repository == repository && found.id == id)
    }

    pub(crate) fn pull_request_mut(
        &mut self,
        repository: u64,
        id: u64,
    ) -> Option<&mut PullRequest> {
        self.pull_requests.iter_mut().find(|found| found.repository == repository && found.id == id)
    }

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
