//! Reading a mapping member by member while collecting every fault on the way.
//!
//! It knows shapes, not meanings. A fault names keys and never quotes a value.

use super::shown;
use super::sourced::{Place, Source, Sourced};
use super::yaml::{Located, Node, Position};
use bb_contract::arguments::nearest;
use std::cell::RefCell;
use std::sync::Arc;

/// Keys that would hold a secret, and what to give in their place.
const SECRETS: &[(&str, &str)] = &[
    ("token", "token_file` (a path) or `token_env` (a variable's name)"),
    ("access_token", "token_file` (a path) or `token_env` (a variable's name)"),
    ("password", "password_file` (a path) or `password_env` (a variable's name)"),
];

/// A fault of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fault {
    at: Position,
    text: String,
}

/// The file under reading, and its faults.
#[derive(Debug)]
pub(super) struct Faults {
    path: Arc<str>,
    found: RefCell<Vec<Fault>>,
}

impl Faults {
    /// No faults yet, of the file that is shown by this path.
    pub(super) fn of(path: &str) -> Self {
        Self { path: Arc::from(path), found: RefCell::default() }
    }

    /// Adds a fault: what is wrong, and what to do.
    pub(super) fn push(&self, at: Position, text: impl Into<String>) {
        self.found.borrow_mut().push(Fault { at, text: text.into() });
    }

    /// Adds a fault where a value stands.
    pub(super) fn push_at<T>(&self, value: &Sourced<T>, text: impl Into<String>) {
        if let Source::File(place) = &value.source {
            self.push(Position { line: place.line, column: place.column }, text);
        }
    }

    /// A line for each fault, in the order of the file.
    pub(super) fn into_lines(self) -> Vec<String> {
        let mut found = self.found.into_inner();
        found.sort_by_key(|fault| fault.at);
        found
            .iter()
            .map(|Fault { at, text }| format!("{}:{}:{}: {text}", self.path, at.line, at.column))
            .collect()
    }

    /// Where a value stands.
    pub(super) fn place(&self, at: Position) -> Place {
        Place { path: Arc::clone(&self.path), line: at.line, column: at.column }
    }

    fn sourced<T>(&self, value: T, at: Position) -> Sourced<T> {
        Sourced { value, source: Source::File(self.place(at)) }
    }

    /// A value that has to be a text.
    pub(super) fn text(&self, name: &str, node: &Located<Node>) -> Option<Sourced<String>> {
        match &node.value {
            Node::Text(text) if text.trim().is_empty() => {
                self.push(node.at, format!("`{name}` is empty; give a value, or take the key out"));
                None
            }
            Node::Text(text) => Some(self.sourced(text.clone(), node.at)),
            Node::Flag(_) | Node::Integer(_) | Node::Number => {
                let kind = node.value.kind();
                self.push(
                    node.at,
                    format!("`{name}` is {kind} where a text is expected; put it in quotes"),
                );
                None
            }
            other => {
                self.wrong(&format!("`{name}`"), node.at, other, "a text");
                None
            }
        }
    }

    fn wrong(&self, what: &str, at: Position, node: &Node, wanted: &str) {
        let text = match node {
            Node::Null => format!("{what} has no value; give {wanted}, or take the key out"),
            other => format!("{what} is {}; give {wanted}", other.kind()),
        };
        self.push(at, text);
    }
}

/// The members of one mapping, asked for by name.
#[derive(Debug)]
pub(super) struct Members<'a> {
    what: &'a str,
    entries: &'a [(Located<String>, Located<Node>)],
    asked: RefCell<Vec<&'static str>>,
    faults: &'a Faults,
}

impl<'a> Members<'a> {
    /// The members of a value that has to be a mapping; `what` is what faults call it.
    pub(super) fn of(what: &'a str, node: &'a Located<Node>, faults: &'a Faults) -> Option<Self> {
        match &node.value {
            Node::Map(entries) => Some(Self { what, entries, asked: RefCell::default(), faults }),
            other => {
                faults.wrong(what, node.at, other, "a mapping");
                None
            }
        }
    }

    /// All members, for a mapping whose keys are names that the file's author chooses.
    pub(super) fn all(&self) -> &'a [(Located<String>, Located<Node>)] {
        self.entries
    }

    /// Whether there is such a member, of whatever value.
    pub(super) fn has(&self, name: &str) -> bool {
        self.entries.iter().any(|(key, _)| key.value == name)
    }

    /// The value of a member, as it stands.
    pub(super) fn node(&self, name: &'static str) -> Option<&'a Located<Node>> {
        self.asked.borrow_mut().push(name);
        self.entries.iter().find(|(key, _)| key.value == name).map(|(_, value)| value)
    }

    /// A member that is a text.
    pub(super) fn text(&self, name: &'static str) -> Option<Sourced<String>> {
        self.faults.text(name, self.node(name)?)
    }

    /// A member that is true or false.
    pub(super) fn flag(&self, name: &'static str) -> Option<Sourced<bool>> {
        let node = self.node(name)?;
        if let Node::Flag(flag) = node.value {
            return Some(self.faults.sourced(flag, node.at));
        }
        let called = format!("`{name}`");
        self.faults.wrong(&called, node.at, &node.value, "true or false, without quotes");
        None
    }

    /// A member that is a whole number of a range.
    pub(super) fn whole(
        &self,
        name: &'static str,
        range: std::ops::RangeInclusive<u64>,
    ) -> Option<Sourced<u64>> {
        let node = self.node(name)?;
        match node.value {
            Node::Integer(number) if range.contains(&number) => {
                Some(self.faults.sourced(number, node.at))
            }
            _ => {
                let (least, most) = (range.start(), range.end());
                let text = format!("`{name}` is no whole number from {least} to {most}; give one");
                self.faults.push(node.at, text);
                None
            }
        }
    }

    /// A member that is a list of texts.
    pub(super) fn texts(&self, name: &'static str) -> Option<Sourced<Vec<Sourced<String>>>> {
        let node = self.node(name)?;
        let Node::List(items) = &node.value else {
            self.faults.wrong(&format!("`{name}`"), node.at, &node.value, "a list of texts");
            return None;
        };
        let texts = items.iter().filter_map(|item| self.faults.text(name, item)).collect();
        Some(self.faults.sourced(texts, node.at))
    }

    /// Reports every member that nobody has asked for.
    pub(super) fn close(self) {
        let asked = self.asked.into_inner();
        for (key, _) in self.entries.iter().filter(|(key, _)| !asked.contains(&key.value.as_str()))
        {
            let name = shown(&key.value);
            let lower = key.value.to_lowercase();
            let text = if let Some((_, instead)) = SECRETS.iter().find(|(name, _)| *name == lower) {
                format!("`{name}` would put a secret into this file; give a host's `{instead}")
            } else if let Some(near) = nearest(&key.value, asked.iter().copied()) {
                format!("`{name}` is no key of {}; write `{near}`, if that is meant", self.what)
            } else {
                format!("`{name}` is no key of {}; its keys are {}", self.what, asked.join(", "))
            };
            self.faults.push(key.at, text);
        }
    }
}
