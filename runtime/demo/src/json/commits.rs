//! Commits, branches and tags.

use serde_json::{Value, json};

use super::{Shapes, put};
use crate::history::{Author, Commit, History, Tag};

/// The length of a shortened id.
const SHORT: usize = 11;

pub(crate) fn short(id: &str) -> &str {
    id.get(..SHORT).unwrap_or(id)
}

impl Shapes<'_> {
    pub(crate) fn commit(&self, commit: &Commit) -> Value {
        let author = match &commit.author {
            Author::Account(name) => self.user_named(name),
            Author::Stranger { name, email } => json!({ "name": name, "emailAddress": email }),
        };
        let mut object = json!({
            "id": commit.id,
            "displayId": short(&commit.id),
            "author": author,
            "authorTimestamp": commit.date,
            "committer": author,
            "committerTimestamp": commit.date,
            "message": commit.message,
            "parents": commit
                .parents
                .iter()
                .map(|id| json!({ "id": id, "displayId": short(id) }))
                .collect::<Vec<_>>(),
        });
        let issues = issues(&commit.message);
        let properties = (!issues.is_empty()).then(|| json!({ "jira-key": issues }));
        put(&mut object, "properties", properties);
        object
    }

    /// A commit whose parents are whole commits, as MERGED activities and the
    /// answer for one commit carry it.
    pub(crate) fn commit_with_parents(&self, history: &History, commit: &Commit) -> Value {
        let parents: Vec<Value> = commit
            .parents
            .iter()
            .filter_map(|id| history.commit(id))
            .map(|parent| self.commit(parent))
            .collect();
        let mut object = self.commit(commit);
        put(&mut object, "parents", Some(json!(parents)));
        object
    }

    pub(crate) fn branch(&self, history: &History, name: &str, tip: &str) -> Value {
        json!({
            "id": format!("refs/heads/{name}"),
            "displayId": name,
            "type": "BRANCH",
            "latestCommit": tip,
            "latestChangeset": tip,
            "isDefault": history.default_branch == name,
        })
    }

    pub(crate) fn tag(&self, tag: &Tag) -> Value {
        json!({
            "id": format!("refs/tags/{}", tag.name),
            "displayId": tag.name,
            "type": "TAG",
            "latestCommit": tag.commit,
            "latestChangeset": tag.commit,
            "hash": tag.object,
        })
    }
}

/// Issue keys such as `PAY-12` in a message.
fn issues(message: &str) -> Vec<&str> {
    message
        .split(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '-'))
        .filter(|word| {
            word.split_once('-').is_some_and(|(key, number)| {
                key.len() > 1
                    && key.bytes().all(|byte| byte.is_ascii_uppercase())
                    && !number.is_empty()
                    && number.bytes().all(|byte| byte.is_ascii_digit())
            })
        })
        .collect()
}
