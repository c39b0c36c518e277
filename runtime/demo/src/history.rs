//! The git side of a repository: commits with whole trees, branches, tags, and
//! the questions asked of them. Knows nothing of pull requests.

use std::collections::{BTreeMap, BTreeSet, BinaryHeap};
use std::sync::Arc;

use crate::blob::Blob;
use crate::diff;
use crate::hash;
use crate::overlay::overlaid;
use crate::state::Time;

/// The files of one commit by path.
pub(crate) type Tree = BTreeMap<String, Blob>;

#[derive(Debug, Clone)]
pub(crate) struct Commit {
    pub(crate) id: String,
    pub(crate) parents: Vec<String>,
    pub(crate) author: Author,
    pub(crate) date: Time,
    pub(crate) message: String,
    pub(crate) tree: Arc<Tree>,
}

#[derive(Debug, Clone)]
pub(crate) enum Author {
    /// The name of an account.
    Account(String),
    /// Somebody git knows and Bitbucket does not.
    Stranger { name: String, email: String },
}

#[derive(Debug, Clone)]
pub(crate) struct Tag {
    pub(crate) name: String,
    pub(crate) commit: String,
    /// The id of the tag object; none is a light tag.
    pub(crate) object: Option<String>,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct History {
    pub(crate) commits: BTreeMap<String, Arc<Commit>>,
    /// Branch names with their tips.
    pub(crate) branches: BTreeMap<String, String>,
    pub(crate) tags: Vec<Tag>,
    pub(crate) default_branch: String,
}

impl History {
    pub(crate) fn commit(&self, id: &str) -> Option<&Arc<Commit>> {
        self.commits.get(id)
    }

    /// What a revision names: a full ref, a branch, a tag, an id or at least
    /// seven digits of one, and first parents behind it as git writes them. A
    /// branch goes before a tag of the same name.
    pub(crate) fn resolve(&self, revision: &str) -> Option<&Arc<Commit>> {
        if let Some(child) = revision.strip_suffix('^') {
            return self.commits.get(self.resolve(child)?.parents.first()?);
        }
        if let Some((child, steps)) = revision.rsplit_once('~') {
            let steps = if steps.is_empty() { 1 } else { steps.parse::<usize>().ok()? };
            let mut found = self.resolve(child)?;
            for _ in 0..steps {
                found = self.commits.get(found.parents.first()?)?;
            }
            return Some(found);
        }
        self.named(revision)
    }

    fn named(&self, revision: &str) -> Option<&Arc<Commit>> {
        let tag = |name: &str| self.tags.iter().find(|tag| tag.name == name).map(|tag| &tag.commit);
        let id = if let Some(name) = revision.strip_prefix("refs/heads/") {
            self.branches.get(name)
        } else if let Some(name) = revision.strip_prefix("refs/tags/") {
            tag(name)
        } else {
            self.branches.get(revision).or_else(|| tag(revision))
        };
        match id {
            Some(id) => self.commits.get(id),
            None => self.by_prefix(revision),
        }
    }

    fn by_prefix(&self, digits: &str) -> Option<&Arc<Commit>> {
        let wanted = digits.to_ascii_lowercase();
        if wanted.len() < 7 || !wanted.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        let mut found =
            self.commits.range(wanted.clone()..).take_while(|(id, _)| id.starts_with(&wanted));
        let first = found.next()?;
        found.next().is_none().then_some(first.1)
    }

    /// Everything reachable from a commit, itself included.
    pub(crate) fn reachable(&self, id: &str) -> BTreeSet<String> {
        let mut seen = BTreeSet::new();
        let mut waiting = vec![id.to_owned()];
        while let Some(id) = waiting.pop() {
            if let Some(commit) = self.commits.get(&id)
                && seen.insert(id)
            {
                waiting.extend(commit.parents.iter().cloned());
            }
        }
        seen
    }

    /// The commits of `until` that are not in `since`, children before parents
    /// and newer before older where the graph leaves it open.
    pub(crate) fn log(&self, until: &str, since: Option<&str>) -> Vec<Arc<Commit>> {
        let mut wanted = self.reachable(until);
        if let Some(since) = since {
            let hidden = self.reachable(since);
            wanted.retain(|id| !hidden.contains(id));
        }
        let mut children: BTreeMap<&str, usize> = BTreeMap::new();
        for id in &wanted {
            for parent in self.commits.get(id).map_or(&[][..], |c| &c.parents) {
                *children.entry(parent).or_default() += 1;
            }
        }
        let mut ready: BinaryHeap<(Time, &str)> = wanted
            .iter()
            .filter(|id| !children.contains_key(id.as_str()))
            .filter_map(|id| self.commits.get(id).map(|c| (c.date, id.as_str())))
            .collect();
        let mut out = Vec::with_capacity(wanted.len());
        while let Some((_, id)) = ready.pop() {
            let Some(commit) = self.commits.get(id) else {
                continue;
            };
            out.push(Arc::clone(commit));
            for parent in &commit.parents {
                let Some(left) = children.get_mut(parent.as_str()) else {
                    continue;
                };
                *left -= 1;
                if *left == 0
                    && wanted.contains(parent)
                    && let Some(next) = self.commits.get(parent)
                {
                    ready.push((next.date, parent));
                }
            }
        }
        out
    }

    /// The newest commit both sides have.
    pub(crate) fn merge_base(&self, left: &str, right: &str) -> Option<&Arc<Commit>> {
        let theirs = self.reachable(right);
        self.log(left, None)
            .iter()
            .find(|commit| theirs.contains(&commit.id))
            .and_then(|commit| self.commits.get(&commit.id))
    }

    /// Whether a commit changed a file, or anything in a folder, against its
    /// first parent.
    pub(crate) fn touches(&self, commit: &Commit, path: &str) -> bool {
        let folder = format!("{}/", path.trim_end_matches('/'));
        let part = |tree: &Tree| -> Vec<(String, Blob)> {
            tree.iter()
                .filter(|(name, _)| name.as_str() == path || name.starts_with(&folder))
                .map(|(name, content)| (name.clone(), content.clone()))
                .collect()
        };
        let before = commit
            .parents
            .first()
            .and_then(|id| self.commits.get(id))
            .map(|parent| part(&parent.tree))
            .unwrap_or_default();
        before != part(&commit.tree)
    }

    /// Those commits of a log that changed a path, under its earlier names too
    /// when renames are followed. A merge repeats what its side brought, so it
    /// is left out, as git leaves it out.
    pub(crate) fn of_path(
        &self,
        log: Vec<Arc<Commit>>,
        path: &str,
        follow: bool,
    ) -> Vec<Arc<Commit>> {
        let mut path = path.to_owned();
        let mut found = Vec::new();
        for commit in log.into_iter().filter(|commit| commit.parents.len() < 2) {
            if !self.touches(&commit, &path) {
                continue;
            }
            let parent = commit.parents.first().and_then(|id| self.commits.get(id));
            let is_new = parent.is_some_and(|parent| !parent.tree.contains_key(&path));
            if let Some(parent) = parent.filter(|_| follow && is_new)
                && let Some(earlier) = diff::changes(&parent.tree, &commit.tree)
                    .iter()
                    .find(|change| change.path() == path)
                    .and_then(diff::Change::source_path)
            {
                earlier.clone_into(&mut path);
            }
            found.push(commit);
        }
        found
    }

    /// Whether a commit is another or one of its ancestors.
    pub(crate) fn contains(&self, descendant: &str, commit: &str) -> bool {
        descendant == commit || self.reachable(descendant).contains(commit)
    }

    /// Files both sides changed since their merge base in ways that cannot be
    /// joined.
    pub(crate) fn conflicts(&self, target: &str, side: &str) -> Vec<String> {
        match (self.merge_base(target, side), self.commits.get(target), self.commits.get(side)) {
            // Where one side did nothing there is nothing to join.
            (Some(base), Some(target), Some(side))
                if base.id != target.id && base.id != side.id =>
            {
                overlaid(&base.tree, &side.tree, &target.tree).conflicts
            }
            _ => Vec::new(),
        }
    }

    /// What the side changed since the merge base, laid over the target.
    pub(crate) fn merged_tree(&self, target: &str, side: &str) -> Tree {
        let tree = |id: &str| {
            self.commits.get(id).map(|commit| Arc::clone(&commit.tree)).unwrap_or_default()
        };
        let base = self
            .merge_base(target, side)
            .map(|commit| Arc::clone(&commit.tree))
            .unwrap_or_default();
        overlaid(&base, &tree(side), &tree(target)).tree
    }

    /// Adds a commit. Its id follows from its content and its age, never from
    /// the clock, so that ids are the same at every start.
    pub(crate) fn add(&mut self, draft: Draft) -> String {
        let content = draft.tree.iter().fold(0u64, |sum, (path, blob)| {
            let file = hash::quick(path.as_bytes()) ^ blob.sum();
            sum.wrapping_mul(31).wrapping_add(file).wrapping_add(u64::from(blob.is_executable()))
        });
        let author = match &draft.author {
            Author::Account(name) => name.clone(),
            Author::Stranger { name, email } => format!("{name} <{email}>"),
        };
        let text =
            format!("{content:x}\n{:?}\n{author}\n{}\n{}", draft.parents, draft.age, draft.message);
        let id = hash::sha1(text.as_bytes());
        let commit = Commit {
            id: id.clone(),
            parents: draft.parents,
            author: draft.author,
            date: draft.date,
            message: draft.message,
            tree: Arc::new(draft.tree),
        };
        self.commits.insert(id.clone(), Arc::new(commit));
        id
    }
}

/// A commit that has no id yet.
#[derive(Debug)]
pub(crate) struct Draft {
    pub(crate) parents: Vec<String>,
    pub(crate) author: Author,
    /// Minutes before the start of the demo.
    pub(crate) age: i64,
    pub(crate) date: Time,
    pub(crate) message: String,
    pub(crate) tree: Tree,
}
