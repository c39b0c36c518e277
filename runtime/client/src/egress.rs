//! The last look at a request before it leaves: an undeclared operation, a URL of another
//! shape, a project outside the scope is never sent.
//!
//! It trusts nothing that was decided before: it reads the URL as it will be sent.

use crate::Fault;
use bb_contract::{OperationFacts, Reach, Scope};
use reqwest::Url;

/// What the guard knows of the call a request belongs to.
pub(crate) struct Call<'c> {
    /// Operations its tool lists.
    pub(crate) declared: &'static [&'static OperationFacts],
    /// What it is confined to.
    pub(crate) scope: Option<&'c Scope>,
    /// Where Bitbucket is.
    pub(crate) base: &'c str,
    /// Whether a value was read in a bounded answer of this call.
    pub(crate) noted: &'c dyn Fn(&str) -> bool,
}

/// Finds the declared operation and holds the request against it and the scope.
pub(crate) fn check(
    call: &Call<'_>,
    operation_id: &str,
    method: &str,
    url: &Url,
) -> Result<&'static OperationFacts, Fault> {
    let declared = call.declared.iter().find(|operation| operation.id == operation_id);
    let Some(operation) = declared else {
        return Err(Fault::Undeclared(operation_id.to_owned()));
    };
    if method != operation.method {
        return Err(Fault::Misshapen(format!("{method} for {}", operation.id)));
    }
    let whole = url.as_str().split(['?', '#']).next().unwrap_or_default();
    let path = whole
        .strip_prefix(call.base)
        .filter(|path| path.starts_with('/'))
        .ok_or_else(|| Fault::Misshapen("another base URL".to_owned()))?;
    let captured = capture(operation.template, path).ok_or_else(|| {
        Fault::Misshapen(format!("a path of another shape than {}", operation.template))
    })?;
    let keyed = !captured.is_empty() && captured.iter().all(|(_, value)| (call.noted)(value));
    if operation.reach == Reach::Noted && !keyed {
        return Err(Fault::Misshapen("a key that no bounded answer has shown".to_owned()));
    }
    if let Some(scope) = call.scope {
        let bounded = keyed && !operation.noted.is_empty();
        if !(bounded || inside(operation.reach, scope, &captured, url)) {
            return Err(Fault::OutOfScope(operation.template.to_owned()));
        }
    }
    Ok(operation)
}

fn inside(reach: Reach, scope: &Scope, captured: &[(&str, String)], url: &Url) -> bool {
    let (project, repo) = (variable(captured, "project"), variable(captured, "repo"));
    let same =
        |value: Option<&str>, own: &str| value.is_some_and(|value| value.eq_ignore_ascii_case(own));
    match reach {
        Reach::Repository => {
            same(project, scope.project())
                && repo.is_some()
                && scope.repo().is_none_or(|own| same(repo, own))
        }
        Reach::Project => scope.repo().is_none() && same(project, scope.project()),
        Reach::Filter { project, repo } => {
            query_is(url, project, scope.project())
                && match (scope.repo(), repo) {
                    (None, _) => true,
                    (Some(own), Some(name)) => query_is(url, name, own),
                    (Some(_), None) => false,
                }
        }
        Reach::Own | Reach::Noted | Reach::Server => true,
        Reach::Unbounded => false,
    }
}

/// Whether the query holds the member exactly once, with this value.
fn query_is(url: &Url, name: &str, own: &str) -> bool {
    let mut values = url.query_pairs().filter(|(key, _)| key == name);
    let first = values.next();
    first.is_some_and(|(_, value)| value.eq_ignore_ascii_case(own)) && values.next().is_none()
}

fn variable<'c>(captured: &'c [(&str, String)], name: &str) -> Option<&'c str> {
    captured.iter().find(|(key, _)| *key == name).map(|(_, value)| value.as_str())
}

/// Matches a path, still encoded, segment by segment. A placeholder takes exactly one segment, or
/// the rest when it ends in `*`. `None` when the shapes differ.
fn capture<'t>(template: &'t str, path: &str) -> Option<Vec<(&'t str, String)>> {
    let (mut expected, mut given) = (template.split('/'), path.split('/'));
    let mut captured = Vec::new();
    loop {
        match (expected.next(), given.next()) {
            (None, None) => return Some(captured),
            (Some(part), Some(value)) => {
                let Some((before, rest)) = part.split_once('{') else {
                    if part != value {
                        return None;
                    }
                    continue;
                };
                let (name, after) = rest.split_once('}')?;
                if let Some(name) = name.strip_suffix('*') {
                    let mut whole = decode(value).filter(|part| plain(part))?;
                    for more in given.by_ref() {
                        whole.push('/');
                        whole.push_str(&decode(more).filter(|part| plain(part))?);
                    }
                    captured.push((name, whole));
                    return expected.next().is_none().then_some(captured);
                }
                let value = value.strip_prefix(before)?.strip_suffix(after)?;
                captured.push((name, decode(value).filter(|value| plain(value))?));
            }
            (None, Some(_)) | (Some(_), None) => return None,
        }
    }
}

/// Whether a decoded segment stays where it is.
fn plain(segment: &str) -> bool {
    !segment.is_empty() && segment != "." && segment != ".." && !segment.contains(['/', '\\'])
}

/// Percent-decodes once.
pub(crate) fn decode(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut index = 0;
    while index < bytes.len() {
        if bytes[index] == b'%' {
            let digits = text.get(index + 1..index + 3)?;
            decoded.push(u8::from_str_radix(digits, 16).ok()?);
            index += 3;
        } else {
            decoded.push(bytes[index]);
            index += 1;
        }
    }
    String::from_utf8(decoded).ok()
}

#[cfg(test)]
mod tests;
