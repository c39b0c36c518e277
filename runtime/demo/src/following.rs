//! What happens by itself: builds end, pull requests follow their branches,
//! armed ones merge. Runs before each request is answered.

use std::sync::Arc;

use crate::history::History;
use crate::mergeable::merge_state;
use crate::merging::{Wish, merge};
use crate::placing::{Sides, place_again};
use crate::state::{Action, PullRequestState, Push, Store, Time};

impl Store {
    /// Brings everything up to a time.
    pub(crate) fn settle(&mut self, now: Time) {
        self.now = self.now.max(now);
        let now = self.now;
        for build in &mut self.builds {
            if let Some((at, state)) = build.ends
                && at <= now
            {
                build.state = state.to_owned();
                build.updated = at;
                build.duration = Some(at - build.created);
                build.ends = None;
                self.stirred = true;
            }
        }
        while let Some(index) = self.waiting.iter().position(|(at, _)| *at <= now) {
            let (_, push) = self.waiting.remove(index);
            self.follow(&push);
            self.stirred = true;
        }
        if std::mem::take(&mut self.stirred) {
            self.merge_armed();
        }
    }

    fn merge_armed(&mut self) {
        let ready: Vec<(u64, u64)> = self
            .pull_requests
            .iter()
            .filter(|found| found.is_open() && found.auto_merge.is_some())
            .filter(|found| {
                let (outcome, vetoes) = merge_state(self, found);
                outcome == "CLEAN" && vetoes.is_empty()
            })
            .map(|found| (found.repository, found.id))
            .collect();
        for (repository, id) in ready {
            let armed =
                self.pull_request(repository, id).and_then(|found| found.auto_merge.clone());
            if let Some(armed) = armed {
                let wish = Wish {
                    user: &armed.user,
                    strategy: &armed.strategy,
                    message: Some(&armed.message)
                        .filter(|text| !text.is_empty())
                        .map(String::as_str),
                    auto_subject: armed.auto_subject,
                };
                // It was found to be ready; if it is refused it stays armed.
                let _ = merge(self, repository, id, &wish);
            }
        }
    }

    fn follow(&mut self, push: &Push) {
        let concerned: Vec<(u64, u64)> = self
            .pull_requests
            .iter()
            .filter(|found| found.is_open())
            .filter(|found| {
                [&found.from, &found.to]
                    .iter()
                    .any(|side| side.is_branch(push.repository, &push.branch))
            })
            .map(|found| (found.repository, found.id))
            .collect();
        for (repository, id) in concerned {
            self.rescope(repository, id, &push.user);
        }
    }

    /// Takes commits of another repository over, as opening a pull request from
    /// a fork does.
    pub(crate) fn adopt(&mut self, from: u64, to: u64, tip: &str) {
        if from == to {
            return;
        }
        let Some(source) = self.repository(from) else {
            return;
        };
        let commits: Vec<_> = source
            .history
            .reachable(tip)
            .iter()
            .filter_map(|id| source.history.commit(id).cloned())
            .collect();
        if let Some(target) = self.repository_mut(to) {
            for commit in commits {
                target.history.commits.entry(commit.id.clone()).or_insert(commit);
            }
        }
    }

    /// Makes one pull request follow the tips of its branches.
    pub(crate) fn rescope(&mut self, repository: u64, id: u64, user: &str) {
        let (activity, now) = (self.next_id(), self.now);
        let Some(found) = self.pull_request(repository, id) else {
            return;
        };
        let (old_from, old_to) = (found.from.commit.clone(), found.to.commit.clone());
        let from_repository = found.from.repository;
        let (from, to) = (self.tip(&found.from), self.tip(&found.to));
        let (Some(from), Some(to)) = (from, to) else {
            // The source is gone: the product declines what was open.
            if let Some(found) = self.pull_request_mut(repository, id) {
                found.state = PullRequestState::Declined;
                found.closed = Some(now);
                found.auto_merge = None;
                found.touch(now);
                found.record(activity, user, now, Action::Declined);
            }
            return;
        };
        if from == old_from && to == old_to {
            return;
        }
        self.adopt(from_repository, repository, &from);
        let contained =
            self.repository(repository).is_some_and(|place| place.history.contains(&to, &from));
        if !contained {
            self.place_between(repository, id, &from, &to);
        }
        let cancelled = self.last_id + 1;
        let Some(found) = self.pull_request_mut(repository, id) else {
            return;
        };
        found.touch(now);
        if contained {
            found.state = PullRequestState::Merged;
            found.closed = Some(now);
            found.auto_merge = None;
            found.record(activity, user, now, Action::Merged(None));
            return;
        }
        if from != old_from {
            let action =
                Action::Rescoped { from, previous_from: old_from, to, previous_to: old_to };
            found.record(activity, user, now, action);
            if found.auto_merge.take().is_some() {
                found.record(cancelled, user, now, Action::AutoMergeCancelled);
                self.last_id = cancelled;
            }
        }
    }

    /// Puts a pull request between two commits and its comments where they
    /// belong then.
    pub(crate) fn place_between(&mut self, repository: u64, id: u64, from: &str, to: &str) {
        let Some(place) = self.repositories.iter().find(|place| place.id == repository) else {
            return;
        };
        let Some(found) = self
            .pull_requests
            .iter_mut()
            .find(|found| found.repository == repository && found.id == id)
        else {
            return;
        };
        let history = &place.history;
        let before = Sides::between(history, &found.from.commit, &found.to.commit);
        if let Some((before, after)) = before.zip(Sides::between(history, from, to)) {
            place_again(&mut found.comments, &before, &after);
        }
        from.clone_into(&mut found.from.commit);
        to.clone_into(&mut found.to.commit);
    }
}

impl Sides {
    /// The sides of the diff a pull request shows between two tips.
    pub(crate) fn between(history: &History, from: &str, to: &str) -> Option<Sides> {
        let base = history.merge_base(to, from)?;
        let tip = history.commit(from)?;
        Some(Sides {
            from_hash: base.id.clone(),
            before: Arc::clone(&base.tree),
            to_hash: tip.id.clone(),
            after: Arc::clone(&tip.tree),
        })
    }
}
