//! Short ways to write comments and their places down.

use crate::diff::{self, Whitespace};
use crate::history::History;
use crate::state::{Anchor, LineType};

/// A comment before it has an id.
#[derive(Debug)]
pub(super) struct Say {
    pub(super) author: &'static str,
    pub(super) age: i64,
    pub(super) text: String,
    pub(super) task: bool,
    pub(super) resolved: Option<(&'static str, i64)>,
    pub(super) anchor: Option<Anchor>,
    pub(super) replies: Vec<Say>,
}

pub(super) fn say(author: &'static str, age: i64, text: &str) -> Say {
    Say {
        author,
        age,
        text: text.to_owned(),
        task: false,
        resolved: None,
        anchor: None,
        replies: Vec::new(),
    }
}

impl Say {
    pub(super) fn task(mut self) -> Say {
        self.task = true;
        self
    }

    pub(super) fn resolved(mut self, by: &'static str, age: i64) -> Say {
        self.resolved = Some((by, age));
        self
    }

    pub(super) fn reply(mut self, reply: Say) -> Say {
        self.replies.push(reply);
        self
    }

    pub(super) fn at(mut self, anchor: Option<Anchor>) -> Say {
        self.anchor = anchor;
        self
    }
}

/// The place of the first changed line that holds a text, or of the whole file
/// without one, in the diff from the merge base to a commit.
pub(super) fn place(
    history: &History,
    target: &str,
    source: &str,
    path: &str,
    text: Option<&str>,
) -> Option<Anchor> {
    let base = history.merge_base(target, source)?;
    let tip = history.commit(source)?;
    let change =
        diff::changes(&base.tree, &tip.tree).into_iter().find(|change| change.path() == path)?;
    let line = match text {
        None => None,
        Some(text) => {
            let hunks = change.hunks(usize::MAX, Whitespace::Show);
            let holding: Vec<_> = hunks
                .iter()
                .flat_map(|hunk| &hunk.lines)
                .filter(|line| line.text.contains(text))
                .collect();
            let found =
                holding.iter().find(|line| line.kind != LineType::Context).or(holding.first())?;
            Some(match found.kind {
                LineType::Removed => (found.source, found.kind),
                _ => (found.destination, found.kind),
            })
        }
    };
    Some(Anchor {
        path: path.to_owned(),
        source_path: change.source_path().map(str::to_owned),
        line,
        before: false,
        first: None,
        diff_type: "EFFECTIVE",
        orphaned: false,
        from_hash: base.id.clone(),
        to_hash: tip.id.clone(),
    })
}
