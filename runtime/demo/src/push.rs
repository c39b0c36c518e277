//! What a test does to repositories from the outside: commits that are pushed,
//! branches that go, builds that run.

use std::time::Duration;

use crate::blob::Blob;
use crate::history::{Author, Draft};
use crate::server::Demo;
use crate::state::{Build, Limits, Push};

impl Demo {
    /// Pushes one commit to a branch, which begins at the default branch if it
    /// is new. A file without content is removed. Answers the commit's id, or
    /// none when there is no such repository or user.
    pub fn push(
        &self,
        project: &str,
        slug: &str,
        branch: &str,
        user: &str,
        message: &str,
        files: &[(&str, Option<&[u8]>)],
    ) -> Option<String> {
        let mut store = self.shared.store();
        store.settle(self.shared.clock.now());
        let now = store.now;
        store.user(user)?;
        let repository = store.repository_at(project, slug)?.id;
        let history = &mut store.repository_mut(repository)?.history;
        let default = history.branches.get(&history.default_branch).cloned();
        let tip = history.branches.get(branch).cloned().or(default);
        let parent = tip.as_ref().and_then(|tip| history.commit(tip)).cloned();
        let mut tree = parent.map(|parent| (*parent.tree).clone()).unwrap_or_default();
        for (path, content) in files {
            match content {
                Some(content) => {
                    let executable = tree.get(*path).is_some_and(Blob::is_executable);
                    tree.insert((*path).to_owned(), Blob::new(*content, executable));
                }
                None => {
                    tree.remove(*path);
                }
            }
        }
        let commit = history.add(Draft {
            parents: tip.into_iter().collect(),
            author: Author::Account(user.to_owned()),
            age: now,
            date: now / 1000 * 1000,
            message: message.to_owned(),
            tree,
        });
        history.branches.insert(branch.to_owned(), commit.clone());
        if history.default_branch.is_empty() {
            history.default_branch = branch.to_owned();
        }
        let at = now + store.follow_after;
        let push = Push { repository, branch: branch.to_owned(), user: user.to_owned() };
        store.waiting.push((at, push));
        Some(commit)
    }

    /// Removes a branch as a push would, whatever uses it.
    pub fn push_removal(&self, project: &str, slug: &str, branch: &str, user: &str) {
        let mut store = self.shared.store();
        let Some(repository) = store.repository_at(project, slug).map(|found| found.id) else {
            return;
        };
        if let Some(found) = store.repository_mut(repository) {
            found.history.branches.remove(branch);
        }
        let at = store.now;
        let push = Push { repository, branch: branch.to_owned(), user: user.to_owned() };
        store.waiting.push((at, push));
    }

    /// Lets the next merges fail as if somebody had pushed to the target while
    /// they were under way: trying again is the remedy.
    pub fn overtake_merges(&self, count: usize) {
        self.shared.store().overtaken = count;
    }

    /// How long pull requests take to follow a branch that moved. Without this
    /// they have followed when the next request is answered.
    pub fn follow_after(&self, time: Duration) {
        self.shared.store().follow_after = i64::try_from(time.as_millis()).unwrap_or(i64::MAX);
    }

    /// Lowers how many lines a diff in JSON holds, and how many characters one
    /// of them. What is left out is marked at every level it is part of.
    pub fn limit_diffs(&self, lines: usize, length: usize) {
        self.shared.store().limits = Limits { lines, length };
    }

    /// Starts a build on the demo's clock: it runs for so long and then ends
    /// in this state. The key of the plan is its parent.
    pub fn run_build(
        &self,
        project: &str,
        slug: &str,
        commit: &str,
        plan: &str,
        takes: Duration,
        ends: &'static str,
    ) {
        let mut store = self.shared.store();
        store.settle(self.shared.clock.now());
        let now = store.now;
        let Some(repository) = store.repository_at(project, slug).map(|found| found.id) else {
            return;
        };
        let number = store.next_id();
        store.builds.push(Build {
            commit: commit.to_owned(),
            key: format!("{plan}-{number}"),
            parent: Some(plan.to_owned()),
            name: plan.to_owned(),
            state: "INPROGRESS".to_owned(),
            url: format!("https://ci.example.com/job/{plan}/{number}/"),
            description: None,
            number: Some(number.to_string()),
            duration: None,
            repository: Some(repository),
            created: now,
            updated: now,
            branch: None,
            tests: None,
            ends: Some((now + i64::try_from(takes.as_millis()).unwrap_or(i64::MAX / 2), ends)),
        });
    }
}
