//! YAML as a tree in which every key and value knows its line and column. The only module that
//! names the YAML reader.
//!
//! It does not know what a configuration file may hold. What it says of a fault never quotes a
//! value, which may be a secret that stands where it should not.

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_saphyr::budget::BudgetBreach;
use serde_saphyr::{DuplicateKeyPolicy, Error, MergeKeyPolicy, Options, Spanned};
use std::fmt;

/// Deepest nesting read; a configuration file needs five levels.
const DEEPEST: usize = 16;

/// A line and a column, both from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Position {
    pub(super) line: u64,
    pub(super) column: u64,
}

/// Something and where it begins.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Located<T> {
    pub(super) value: T,
    pub(super) at: Position,
}

/// A YAML value. Numbers that no setting takes are not kept.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Node {
    Null,
    Flag(bool),
    Integer(u64),
    Number,
    Text(String),
    List(Vec<Located<Node>>),
    Map(Vec<(Located<String>, Located<Node>)>),
}

impl Node {
    /// What it is, in words.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Self::Null => "nothing",
            Self::Flag(_) => "true or false",
            Self::Integer(_) | Self::Number => "a number",
            Self::Text(_) => "a text",
            Self::List(_) => "a list",
            Self::Map(_) => "a mapping",
        }
    }
}

/// Parses one document. No anchors, aliases or merge keys; strict booleans; no key twice.
///
/// # Errors
/// Where it is no such YAML, and why.
pub(super) fn parse(source: &str) -> Result<Located<Node>, Located<String>> {
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
    if source.lines().all(|line| line.trim().is_empty() || line.trim_start().starts_with('#')) {
        return Ok(Located { value: Node::Map(Vec::new()), at: Position { line: 1, column: 1 } });
    }
    match serde_saphyr::from_str_with_options::<Spanned<Node>>(source, options) {
        Ok(spanned) => Ok(located(spanned)),
        Err(error) => Err(fault(&error)),
    }
}

fn fault(error: &Error) -> Located<String> {
    let at = error.location().map_or(Position { line: 1, column: 1 }, |place| Position {
        line: place.line().max(1),
        column: place.column().max(1),
    });
    Located { value: words(error), at }
}

fn words(error: &Error) -> String {
    match error {
        Error::DuplicateMappingKey { key: Some(key), .. } => {
            format!("`{}` is given twice; keep one of them", super::shown(key))
        }
        Error::DuplicateMappingKey { key: None, .. } => {
            "a key is given twice; keep one of them".to_owned()
        }
        Error::MultipleDocuments { .. } => {
            "a second document begins here; keep one in a file".to_owned()
        }
        Error::MergeKeyNotAllowed { .. } => {
            "merge keys are not read; write the keys out".to_owned()
        }
        Error::UnknownAnchor { .. } | Error::AliasError { .. } => {
            "aliases are not read; write the value out".to_owned()
        }
        Error::Budget { breach, .. } => match breach {
            BudgetBreach::Anchors { .. } | BudgetBreach::Aliases { .. } => {
                "anchors and aliases are not read; write the value out".to_owned()
            }
            BudgetBreach::Depth { .. } => {
                format!("nested deeper than {DEEPEST} levels; a configuration needs five")
            }
            _ => "more than a configuration holds; shorten the file".to_owned(),
        },
        // The scanner's own words, which name marks and never values.
        Error::Message { msg, .. } => {
            let first = msg.lines().next().unwrap_or_default().trim_end_matches('.');
            format!("not YAML ({first}); mend it at this place")
        }
        _ => "not YAML that can be read; mend it at this place".to_owned(),
    }
}

fn located<T>(spanned: Spanned<T>) -> Located<T> {
    let place = spanned.referenced;
    let at = Position { line: place.line().max(1), column: place.column().max(1) };
    Located { value: spanned.value, at }
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
                Ok(u64::try_from(number).map_or(Node::Number, Node::Integer))
            }
            fn visit_u64<E>(self, number: u64) -> Result<Node, E> {
                Ok(Node::Integer(number))
            }
            fn visit_i128<E>(self, _: i128) -> Result<Node, E> {
                Ok(Node::Number)
            }
            fn visit_u128<E>(self, _: u128) -> Result<Node, E> {
                Ok(Node::Number)
            }
            fn visit_f64<E>(self, _: f64) -> Result<Node, E> {
                Ok(Node::Number)
            }
            fn visit_str<E>(self, text: &str) -> Result<Node, E> {
                Ok(Node::Text(text.to_owned()))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Node, A::Error> {
                let mut items = Vec::new();
                while let Some(item) = access.next_element::<Spanned<Node>>()? {
                    items.push(located(item));
                }
                Ok(Node::List(items))
            }
            fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Node, A::Error> {
                let mut members = Vec::new();
                while let Some((key, value)) =
                    access.next_entry::<Spanned<String>, Spanned<Node>>()?
                {
                    members.push((located(key), located(value)));
                }
                Ok(Node::Map(members))
            }
        }
        deserializer.deserialize_any(Any)
    }
}

#[cfg(test)]
mod tests {
    use super::{Node, parse};

    #[test]
    fn every_key_and_value_knows_its_place() {
        let tree = parse("# é\r\nhosts:\r\n  work: {url: 'ü', n: 5}\r\n").expect("YAML");
        let Node::Map(top) = tree.value else { panic!("a mapping") };
        let Node::Map(hosts) = &top[0].1.value else { panic!("a mapping") };
        assert_eq!((hosts[0].0.at.line, hosts[0].0.at.column), (3, 3));
        let Node::Map(work) = &hosts[0].1.value else { panic!("a mapping") };
        assert_eq!((work[0].1.at.line, work[0].1.at.column), (3, 15));
        assert_eq!((work[1].0.at.column, &work[1].1.value), (20, &Node::Integer(5)));
    }

    #[test]
    fn nothing_but_comments_is_an_empty_file() {
        for text in ["", "\n", "# a\r\n\r\n  # b"] {
            assert_eq!(parse(text).map(|tree| tree.value), Ok(Node::Map(Vec::new())), "{text:?}");
        }
    }

    #[test]
    fn what_is_not_read_is_told_with_its_place_and_without_its_value() {
        let mut wrong = Vec::new();
        for (text, line, column, expected) in [
            ("a: 1\na: 2\n", 2, 1, "`a` is given twice"),
            ("a: &x s3cret\nb: *x\n", 1, 7, "anchors and aliases are not read"),
            ("a:\n  <<: {b: s3cret}\n", 2, 3, "merge keys are not read"),
            ("a: 1\n---\nb: s3cret\n", 3, 1, "a second document"),
            ("a: [s3cret\n", 1, 4, "not YAML"),
            ("a: 's3cret\n", 1, 4, "not YAML"),
            ("a:\n\tb: s3cret\n", 2, 2, "not YAML"),
            ("a: s3cret: s3cret\n", 1, 10, "not YAML"),
            ("a: !!int s3cret\n", 1, 10, "not YAML"),
            ("a: !!bool s3cret\n", 1, 11, "not YAML"),
            ("a: .nan\n", 1, 4, "not YAML"),
            ("? [s3cret]\n: b\n", 1, 3, "not YAML"),
            ("a: *s3cret\n", 1, 4, "not read"),
        ] {
            let Err(fault) = parse(text) else {
                wrong.push(format!("{text:?} is read"));
                continue;
            };
            assert!(!fault.value.contains("s3cret"), "{text:?}: {}", fault.value);
            let place = (fault.at.line, fault.at.column);
            if !fault.value.contains(expected) || place != (line, column) {
                wrong.push(format!("{text:?} {place:?} {}", fault.value));
            }
        }
        assert!(wrong.is_empty(), "{wrong:#?}");
        assert!(parse(&"[".repeat(40)).is_err());
    }
}
