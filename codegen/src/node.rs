//! YAML as a tree in which every key and value knows its place. The only module that names
//! the YAML reader.
//!
//! It does not know what a spec file may hold.

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_saphyr::budget::BudgetBreach;
use serde_saphyr::{DuplicateKeyPolicy, Error, MergeKeyPolicy, Options, Spanned};
use std::fmt;
use std::ops::Range;

/// Deepest nesting read; a spec needs six levels, the document a dozen.
const DEEPEST: usize = 40;

/// A value and where it stands, as a range of bytes of the source.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Located<T> {
    pub(crate) value: T,
    pub(crate) span: Range<usize>,
}

/// A YAML value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Node {
    Null,
    Flag(bool),
    Integer(i64),
    Number(f64),
    Text(String),
    List(Vec<Located<Node>>),
    Map(Vec<(Located<String>, Located<Node>)>),
}

impl Node {
    /// What it is, in words.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::Null => "nothing",
            Self::Flag(_) => "true or false",
            Self::Integer(_) | Self::Number(_) => "a number",
            Self::Text(_) => "a text",
            Self::List(_) => "a list",
            Self::Map(_) => "a mapping",
        }
    }

    /// The member of a mapping.
    pub(crate) fn get(&self, name: &str) -> Option<&Located<Node>> {
        match self {
            Self::Map(members) => {
                members.iter().find(|(key, _)| key.value == name).map(|(_, value)| value)
            }
            _ => None,
        }
    }

    /// The members of a mapping; none of anything else.
    pub(crate) fn members(&self) -> &[(Located<String>, Located<Node>)] {
        match self {
            Self::Map(members) => members,
            _ => &[],
        }
    }

    /// The elements of a list; none of anything else.
    pub(crate) fn items(&self) -> &[Located<Node>] {
        match self {
            Self::List(items) => items,
            _ => &[],
        }
    }

    /// The text of a text.
    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The same value as JSON.
    pub(crate) fn json(&self) -> serde_json::Value {
        match self {
            Self::Null => serde_json::Value::Null,
            Self::Flag(flag) => (*flag).into(),
            Self::Integer(number) => (*number).into(),
            Self::Number(number) => (*number).into(),
            Self::Text(text) => text.as_str().into(),
            Self::List(items) => items.iter().map(|item| item.value.json()).collect(),
            Self::Map(members) => serde_json::Value::Object(
                members
                    .iter()
                    .map(|(key, value)| (key.value.clone(), value.value.json()))
                    .collect(),
            ),
        }
    }
}

/// A syntax fault: what the reader says, and where.
#[derive(Debug)]
pub(crate) struct SyntaxFault {
    pub(crate) message: String,
    pub(crate) span: Range<usize>,
}

/// Parses one document. No anchors, aliases or merge keys; strict booleans; no key twice.
pub(crate) fn parse(source: &str) -> Result<Located<Node>, SyntaxFault> {
    let mut options = Options::default();
    options.duplicate_keys = DuplicateKeyPolicy::Error;
    options.merge_keys = MergeKeyPolicy::Error;
    options.strict_booleans = true;
    options.with_snippet = false;
    if let Some(budget) = options.budget.as_mut() {
        // The reader recurses, and stops here.
        budget.max_depth = DEEPEST;
        budget.max_anchors = 0;
        budget.max_aliases = 0;
    }
    match serde_saphyr::from_str_with_options::<Spanned<Node>>(source, options) {
        Ok(spanned) => {
            let mut node = raw(spanned);
            settle(source, &mut node);
            Ok(node)
        }
        Err(error) => Err(SyntaxFault { message: words(&error), span: place(source, &error) }),
    }
}

/// The fault in this project's words, where the reader's speak of its own options.
fn words(error: &Error) -> String {
    match error {
        Error::DuplicateMappingKey { key: Some(key), .. } => format!("`{key}` is given twice"),
        Error::DuplicateMappingKey { key: None, .. } => "a key is given twice".to_owned(),
        Error::MultipleDocuments { .. } => "a second document begins here".to_owned(),
        Error::MergeKeyNotAllowed { .. } => "merge keys are not read".to_owned(),
        Error::UnknownAnchor { .. } | Error::AliasError { .. } => "aliases are not read".to_owned(),
        Error::Budget { breach, .. } => match breach {
            BudgetBreach::Anchors { .. } => "anchors are not read".to_owned(),
            BudgetBreach::Aliases { .. } => "aliases are not read".to_owned(),
            BudgetBreach::Depth { .. } => format!("nested deeper than {DEEPEST} levels"),
            _ => "the file is longer than any spec".to_owned(),
        },
        other => plain(&other.to_string()),
    }
}

/// The reader's words without their place, which the excerpt shows.
fn plain(message: &str) -> String {
    let first = message.lines().next().unwrap_or_default();
    let without = first
        .split_once(": ")
        .filter(|(place, _)| place.contains("line "))
        .map_or(first, |(_, rest)| rest);
    without.split(" at line ").next().unwrap_or(without).trim_end_matches('.').to_owned()
}

/// The word the reader stopped at; of an anchor, the anchor itself and not what it names.
fn place(source: &str, error: &Error) -> Range<usize> {
    let Some(place) = error.location() else { return 0..0 };
    let mut start = offset(source, place.line(), place.column());
    if matches!(error, Error::Budget { breach: BudgetBreach::Anchors { .. }, .. }) {
        let before = source.get(..start).unwrap_or_default();
        let line = before.rfind('\n').map_or(0, |at| at + 1);
        start = before[line..].rfind('&').map_or(start, |at| line + at);
    }
    start..end_of_word(source, start)
}

/// Where a line and a column, both from 1 and in characters, lie in the source.
fn offset(source: &str, line: u64, column: u64) -> usize {
    let mut at = 0;
    for (number, text) in (1_u64..).zip(source.split_inclusive('\n')) {
        if number == line {
            let skip = usize::try_from(column.saturating_sub(1)).unwrap_or_default();
            return at
                + text.char_indices().nth(skip).map_or(text.trim_end().len(), |(index, _)| index);
        }
        at += text.len();
    }
    source.len()
}

fn end_of_word(source: &str, start: usize) -> usize {
    let rest = source.get(start..).unwrap_or_default();
    start
        + rest
            .find(|character: char| character.is_whitespace() || ":,}]".contains(character))
            .unwrap_or(rest.len())
}

fn on_boundaries(source: &str, span: Range<usize>) -> Range<usize> {
    let down = |mut at: usize| {
        while !source.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    let (start, end) = (down(span.start), down(span.end));
    // A block's span ends with its last line; the caret belongs under the first.
    let line = source[start..end].find('\n').map_or(end, |at| start + at);
    start..line.max(start)
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Any;
        impl<'de> Visitor<'de> for Any {
            type Value = Node;
            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a YAML value")
            }
            fn visit_unit<E>(self) -> Result<Node, E> {
                Ok(Node::Null)
            }
            fn visit_none<E>(self) -> Result<Node, E> {
                Ok(Node::Null)
            }
            fn visit_bool<E>(self, flag: bool) -> Result<Node, E> {
                Ok(Node::Flag(flag))
            }
            fn visit_i64<E>(self, number: i64) -> Result<Node, E> {
                Ok(Node::Integer(number))
            }
            fn visit_u64<E>(self, number: u64) -> Result<Node, E> {
                Ok(i64::try_from(number).map_or(Node::Number(number as f64), Node::Integer))
            }
            fn visit_f64<E>(self, number: f64) -> Result<Node, E> {
                Ok(Node::Number(number))
            }
            fn visit_str<E>(self, text: &str) -> Result<Node, E> {
                Ok(Node::Text(text.to_owned()))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Node, A::Error> {
                let mut items = Vec::new();
                while let Some(item) = access.next_element::<Spanned<Node>>()? {
                    items.push(raw(item));
                }
                Ok(Node::List(items))
            }
            fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Node, A::Error> {
                let mut members = Vec::new();
                while let Some((key, value)) =
                    access.next_entry::<Spanned<String>, Spanned<Node>>()?
                {
                    members.push((raw(key), raw(value)));
                }
                Ok(Node::Map(members))
            }
        }
        deserializer.deserialize_any(Any)
    }
}

/// A place as the reader gives it. The source is not at hand inside a visitor; string sources
/// always have byte offsets, and [`settle`] corrects their ends.
fn raw<T>(spanned: Spanned<T>) -> Located<T> {
    let span = spanned.referenced.span();
    let start =
        span.byte_offset().and_then(|start| usize::try_from(start).ok()).unwrap_or_default();
    let length =
        span.byte_len().and_then(|length| usize::try_from(length).ok()).unwrap_or_default();
    Located { value: spanned.value, span: start..start + length }
}

/// Cuts every span to the source and to its first line.
fn settle(source: &str, node: &mut Located<Node>) {
    let cut = |span: &mut Range<usize>| {
        let start = span.start.min(source.len());
        let end = if span.end > span.start {
            span.end.min(source.len())
        } else {
            end_of_word(source, start)
        };
        *span = on_boundaries(source, start..end);
    };
    cut(&mut node.span);
    match &mut node.value {
        Node::List(items) => items.iter_mut().for_each(|item| settle(source, item)),
        Node::Map(members) => {
            for (key, value) in members {
                cut(&mut key.span);
                settle(source, value);
            }
        }
        Node::Null | Node::Flag(_) | Node::Integer(_) | Node::Number(_) | Node::Text(_) => {}
    }
}
