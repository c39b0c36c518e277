//! Reading nodes member by member while collecting every fault on the way.
//!
//! It knows shapes, not meanings.

use crate::diagnostic::{Diagnostic, File};
use crate::node::{Located, Node};
use crate::slugs::SLUGS;
use std::cell::RefCell;
use std::ops::Range;
use std::sync::Arc;

/// Where faults are collected.
#[derive(Debug, Default)]
pub(crate) struct Faults(RefCell<Vec<Diagnostic>>);

impl Faults {
    pub(crate) fn into_sorted(self) -> Vec<Diagnostic> {
        let mut all = self.0.into_inner();
        all.sort_by_key(Diagnostic::order);
        all
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        self.0.borrow().len()
    }

    pub(crate) fn push(&self, diagnostic: Diagnostic) {
        self.0.borrow_mut().push(diagnostic);
    }
}

/// One file under reading, and where its faults go.
#[derive(Debug, Clone)]
pub(crate) struct Source<'f> {
    pub(crate) file: Arc<File>,
    pub(crate) faults: &'f Faults,
}

impl Source<'_> {
    /// Reports a fault; the help is the check's own unless the message says more.
    pub(crate) fn fault(
        &self,
        slug: &'static str,
        span: &Range<usize>,
        message: impl Into<String>,
        label: &str,
    ) {
        let help = SLUGS.iter().find(|entry| entry.0 == slug).map_or("", |entry| entry.2);
        self.fault_with_help(slug, span, message, label, &phrase(help));
    }

    /// Reports a fault with a help of its own.
    pub(crate) fn fault_with_help(
        &self,
        slug: &'static str,
        span: &Range<usize>,
        message: impl Into<String>,
        label: &str,
        help: &str,
    ) {
        self.faults.push(Diagnostic {
            slug,
            file: Arc::clone(&self.file),
            span: span.clone(),
            message: message.into(),
            label: label.to_owned(),
            help: help.to_owned(),
        });
    }

    /// Checks that a mapping has no member but these.
    pub(crate) fn only(&self, what: &str, node: &Located<Node>, known: &[&str]) {
        for (key, _) in node.value.members() {
            if known.contains(&key.value.as_str()) {
                continue;
            }
            let message = format!("{what} has no member `{}`", key.value);
            let near = known.iter().find(|name| is_near(name, &key.value));
            if let Some(near) = near {
                let help = format!("write `{near}`, if that is meant");
                self.fault_with_help("unknown-member", &key.span, message, "", &help);
            } else if key.value.contains(' ') {
                let help =
                    "quote the text, or write one member a line: a comma ends a member in `{…}`";
                self.fault_with_help("unknown-member", &key.span, message, "", help);
            } else {
                let help = format!("members are {}", known.join(", "));
                self.fault_with_help("unknown-member", &key.span, message, "", &help);
            }
        }
    }

    fn wrong(&self, name: &str, value: &Located<Node>, wanted: &str) {
        let message = format!("`{name}` is {} where {wanted} is expected", value.value.kind());
        self.fault("wrong-kind", &value.span, message, "");
    }

    /// A text member, when it is there.
    pub(crate) fn text(&self, node: &Node, name: &str) -> Option<Located<String>> {
        let value = node.get(name)?;
        self.as_text(name, value)
    }

    /// A value that must be a text.
    pub(crate) fn as_text(&self, name: &str, value: &Located<Node>) -> Option<Located<String>> {
        match &value.value {
            Node::Text(text) => Some(Located { value: text.clone(), span: value.span.clone() }),
            _ => {
                self.wrong(name, value, "a text");
                None
            }
        }
    }

    /// A text member that must be there; its absence is reported at `at`.
    pub(crate) fn required_text(
        &self,
        node: &Node,
        name: &str,
        at: &Range<usize>,
    ) -> Option<Located<String>> {
        if node.get(name).is_none() {
            self.missing(name, at);
        }
        self.text(node, name)
    }

    /// Reports a missing member.
    pub(crate) fn missing(&self, name: &str, at: &Range<usize>) {
        self.fault("missing-member", at, format!("`{name}` is missing"), "");
    }

    /// A flag member, when it is there.
    pub(crate) fn flag(&self, node: &Node, name: &str) -> Option<Located<bool>> {
        let value = node.get(name)?;
        match value.value {
            Node::Flag(flag) => Some(Located { value: flag, span: value.span.clone() }),
            _ => {
                self.wrong(name, value, "true or false");
                None
            }
        }
    }

    /// A whole-number member, when it is there.
    pub(crate) fn integer(&self, node: &Node, name: &str) -> Option<Located<i64>> {
        let value = node.get(name)?;
        match value.value {
            Node::Integer(number) => Some(Located { value: number, span: value.span.clone() }),
            _ => {
                self.wrong(name, value, "a whole number");
                None
            }
        }
    }

    /// A list member, when it is there.
    pub(crate) fn list<'n>(&self, node: &'n Node, name: &str) -> Option<&'n [Located<Node>]> {
        let value = node.get(name)?;
        match &value.value {
            Node::List(items) => Some(items),
            _ => {
                self.wrong(name, value, "a list");
                None
            }
        }
    }

    /// A mapping member, when it is there.
    pub(crate) fn map<'n>(&self, node: &'n Node, name: &str) -> Option<&'n Located<Node>> {
        let value = node.get(name)?;
        if matches!(value.value, Node::Map(_)) {
            return Some(value);
        }
        self.wrong(name, value, "a mapping");
        None
    }

    /// Whether a value is a mapping, reported when it is not.
    pub(crate) fn is_map(&self, what: &str, value: &Located<Node>) -> bool {
        let is = matches!(value.value, Node::Map(_));
        if !is {
            self.wrong(what, value, "a mapping");
        }
        is
    }
}

/// A sentence of the reference as a phrase under an excerpt.
fn phrase(sentence: &str) -> String {
    let mut letters = sentence.trim_end_matches('.').chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}

/// Whether two names differ by one letter, or by two that changed places.
fn is_near(one: &str, other: &str) -> bool {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let same = |(a, b): &(&char, &char)| a == b;
    let head = one.iter().zip(&other).take_while(same).count();
    let (one, other) = (&one[head..], &other[head..]);
    let tail = one.iter().rev().zip(other.iter().rev()).take_while(same).count();
    match (&one[..one.len() - tail], &other[..other.len() - tail]) {
        ([a, b], [c, d]) => a == d && b == c,
        (one, other) => one.len() <= 1 && other.len() <= 1 && head + tail > 0,
    }
}
