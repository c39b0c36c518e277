//! Checking a call's arguments against what the spec declares, every fault at once.
//!
//! It does not know scopes: those have been applied before and are looked at again after.

use crate::JsonObject;
use crate::scope::kind_of;
use crate::text::visible;
use serde_json::{Number, Value};
use std::fmt;

/// Most characters in a text that names something: a ref, a path, a person.
const MOST_IN_A_NAME: usize = 1_024;
/// Most characters in any other text: what Bitbucket takes for a comment or a description.
const MOST_IN_A_TEXT: usize = 32_768;
/// Most elements in a list.
const MOST_IN_A_LIST: usize = 100;

/// One argument as the spec declares it.
#[derive(Debug)]
pub struct ArgumentFacts {
    /// Its name.
    pub name: &'static str,
    /// Whether a call without it is refused.
    pub required: bool,
    /// What it holds.
    pub kind: ArgumentType,
    /// What is used when it is left out, as JSON.
    pub default: Option<&'static str>,
    /// Smallest number, or least characters.
    pub min: Option<i64>,
    /// Largest number, or most characters.
    pub max: Option<i64>,
}

/// What an argument holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ArgumentType {
    /// Any text.
    Text,
    /// A project's key, `~user` for a personal one.
    ProjectKey,
    /// A repository's slug.
    RepoSlug,
    /// A pull request's number in its repository.
    PullRequestId,
    /// A full commit hash.
    Commit,
    /// A branch, a tag, a commit or a full ref.
    Ref,
    /// A file's path in a repository.
    Path,
    /// A person's user name or slug.
    User,
    /// A whole number.
    Count,
    /// True or false.
    Flag,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// A list of texts.
    Texts,
}

/// One thing wrong with a call's arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Where, as a JSON pointer.
    pub path: String,
    /// What is wrong and what would be right.
    pub message: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.path, self.message)
    }
}

/// Checks and completes the members of a call: fills in defaults, takes `"12"` for 12.
///
/// # Errors
/// Every fault, in the order of the members.
pub fn check(declared: &[ArgumentFacts], members: &mut JsonObject) -> Result<(), Vec<Fault>> {
    let mut faults = Vec::new();
    for (name, value) in members.iter_mut() {
        let path = format!("/{}", visible(&name.replace('~', "~0").replace('/', "~1")));
        match declared.iter().find(|argument| argument.name == name) {
            Some(argument) => {
                if let Err(message) = check_value(argument, value) {
                    faults.push(Fault { path, message });
                }
            }
            None => faults.push(Fault { path, message: unknown(declared, name) }),
        }
    }
    for argument in declared {
        if members.contains_key(argument.name) {
            continue;
        }
        if argument.required {
            let message = format!("missing; give {}", expected(argument));
            faults.push(Fault { path: format!("/{}", argument.name), message });
        } else if let Some(default) = argument.default {
            // Codegen has checked that defaults are JSON.
            members.insert(
                argument.name.to_owned(),
                serde_json::from_str(default).unwrap_or_default(),
            );
        }
    }
    if faults.is_empty() { Ok(()) } else { Err(faults) }
}

fn unknown(declared: &[ArgumentFacts], name: &str) -> String {
    let names = declared.iter().map(|argument| argument.name);
    match nearest(name, names.clone()) {
        Some(near) => format!("not an argument of this tool; did you mean `{near}`?"),
        None => {
            let all: Vec<_> = names.map(|name| format!("`{name}`")).collect();
            format!("not an argument of this tool; it takes {}", all.join(", "))
        }
    }
}

fn check_value(argument: &ArgumentFacts, value: &mut Value) -> Result<(), String> {
    let wrong =
        |value: &Value| format!("{} where {} is expected", kind_of(value), expected(argument));
    match argument.kind {
        ArgumentType::Count | ArgumentType::PullRequestId => {
            let number = whole_number(value).ok_or_else(|| wrong(value))?;
            let least =
                argument.min.unwrap_or(i64::from(argument.kind == ArgumentType::PullRequestId));
            if number < least || argument.max.is_some_and(|most| number > most) {
                return Err(format!("{number} is out of range; give {}", expected(argument)));
            }
            *value = Value::Number(Number::from(number));
            Ok(())
        }
        ArgumentType::Flag => match value {
            Value::Bool(_) => Ok(()),
            Value::String(text) if text == "true" || text == "false" => {
                *value = Value::Bool(text == "true");
                Ok(())
            }
            other => Err(wrong(other)),
        },
        ArgumentType::Texts => match value {
            Value::Array(items) if items.len() > MOST_IN_A_LIST => {
                Err(format!("{} elements; give at most {MOST_IN_A_LIST}", items.len()))
            }
            Value::Array(items) if items.iter().all(Value::is_string) => Ok(()),
            other => Err(wrong(other)),
        },
        ArgumentType::Text
        | ArgumentType::ProjectKey
        | ArgumentType::RepoSlug
        | ArgumentType::Commit
        | ArgumentType::Ref
        | ArgumentType::Path
        | ArgumentType::User
        | ArgumentType::Choice(_) => match value {
            Value::String(text) => check_text(argument, text),
            other => Err(wrong(other)),
        },
    }
}

/// A whole number, also when it is spelled as a text. `1e2`, `12abc` and `1.5` are none.
fn whole_number(value: &Value) -> Option<i64> {
    match value {
        Value::Number(number) => number.as_i64(),
        Value::String(text) => text.parse().ok(),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    }
}

fn check_text(argument: &ArgumentFacts, text: &str) -> Result<(), String> {
    let most = match (argument.max, argument.kind) {
        (Some(max), _) => usize::try_from(max).unwrap_or_default(),
        (None, ArgumentType::Text) => MOST_IN_A_TEXT,
        (None, _) => MOST_IN_A_NAME,
    };
    let length = text.chars().count();
    if length > most {
        return Err(format!("{length} characters; give at most {most}"));
    }
    if argument.min.is_some_and(|least| i64::try_from(length).is_ok_and(|length| length < least)) {
        return Err(format!("{length} characters; give {}", expected(argument)));
    }
    let fits = match argument.kind {
        ArgumentType::Choice(words) => words.contains(&text),
        ArgumentType::ProjectKey => is_key(text),
        ArgumentType::RepoSlug => is_slug(text),
        ArgumentType::Commit => {
            text.len() == 40 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
        }
        ArgumentType::Ref | ArgumentType::User => {
            !text.trim().is_empty() && !text.chars().any(char::is_control)
        }
        ArgumentType::Path => crate::path::segments(text).is_ok(),
        ArgumentType::Text
        | ArgumentType::PullRequestId
        | ArgumentType::Count
        | ArgumentType::Flag
        | ArgumentType::Texts => true,
    };
    if fits {
        return Ok(());
    }
    let shown: String = visible(text).chars().take(60).collect();
    Err(format!("`{shown}` is not {}", expected(argument)))
}

/// Whether a text can be a project's key: `PAY`, or `~user` for a personal project.
#[must_use]
pub fn is_key(text: &str) -> bool {
    let key = text.strip_prefix('~').unwrap_or(text);
    is_slug(key)
}

/// Whether a text can be a repository's slug.
#[must_use]
pub fn is_slug(text: &str) -> bool {
    !text.is_empty()
        && text != "."
        && text != ".."
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'))
}

/// What would be right, in words.
fn expected(argument: &ArgumentFacts) -> String {
    let range = |unit: &str| match (argument.min, argument.max) {
        (Some(min), Some(max)) => format!(" of {min} to {max}{unit}"),
        (Some(min), None) => format!(" of at least {min}{unit}"),
        (None, Some(max)) => format!(" of at most {max}{unit}"),
        (None, None) => String::new(),
    };
    match argument.kind {
        ArgumentType::Text => format!("a text{}", range(" characters")),
        ArgumentType::ProjectKey => "a project key, such as PAY or ~user".to_owned(),
        ArgumentType::RepoSlug => {
            "a repository slug: letters, digits, dots, hyphens, underscores".to_owned()
        }
        ArgumentType::PullRequestId => "a pull request's number".to_owned(),
        ArgumentType::Commit => "a full commit hash of 40 hexadecimal digits".to_owned(),
        ArgumentType::Ref => "a branch, a tag, a commit or a full ref".to_owned(),
        ArgumentType::Path => "a file's path, without empty or dot segments".to_owned(),
        ArgumentType::User => "a user name".to_owned(),
        ArgumentType::Count => format!("a whole number{}", range("")),
        ArgumentType::Flag => "true or false".to_owned(),
        ArgumentType::Choice(words) => format!("one of {}", words.join(", ")),
        ArgumentType::Texts => "a list of texts".to_owned(),
    }
}

/// The name among `known` that `name` most likely stands for.
#[must_use]
pub fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    if name.len() > 64 {
        return None;
    }
    let lower = name.to_lowercase();
    known
        .map(|candidate| {
            let related = candidate.len() > 2
                && (lower.starts_with(candidate) || candidate.starts_with(&lower));
            let distance =
                if related && !lower.is_empty() { 1 } else { distance(&lower, candidate) };
            (distance, candidate)
        })
        .filter(|(distance, candidate)| *distance <= 1 + candidate.len() / 4)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// Levenshtein's distance, by rows.
fn distance(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (index, character) in from.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = index + 1;
        for column in 0..to.len() {
            let replaced = diagonal + usize::from(character != to[column]);
            diagonal = row[column + 1];
            row[column + 1] = replaced.min(row[column] + 1).min(diagonal + 1);
        }
    }
    row[to.len()]
}

#[cfg(test)]
mod tests;
