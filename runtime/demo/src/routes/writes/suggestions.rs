//! Applying what a comment suggests: a commit on the source branch.

use super::create::source;
use super::{Place, Write};
use crate::answer::{Answer, Outcome};
use crate::blob::Blob;
use crate::errors::Failure;
use crate::history::{Author, Draft};
use crate::state::{Permission, Push};

pub(super) fn apply(call: &mut Write<'_>, place: Place, id: &str) -> Outcome {
    let id = super::comments::number(call, place, id)?;
    // The document says `commitMessage`; the product wants `message`.
    let message = call
        .text("message")
        .filter(|text| !text.trim().is_empty())
        .ok_or_else(|| Failure::bad_parameter("message", "The message must be supplied."))?
        .to_owned();
    let sent = |name: &str| call.body[name].as_i64().unwrap_or(-1);
    let (comment_version, version) = (sent("commentVersion"), sent("pullRequestVersion"));
    let index = call.body["suggestionIndex"].as_u64().and_then(|index| index.try_into().ok());
    let index = index.unwrap_or(0);
    let found = call.found(place)?;
    let (_, comment) = found.comment(id).ok_or_else(|| Failure::no_comment(id, place.0))?;
    if u64::try_from(version) != Ok(found.version) {
        let drawn = call.drawn(place)?;
        return Err(Failure::pull_request_out_of_date(version, found.version, drawn));
    }
    if u64::try_from(comment_version) != Ok(comment.version) {
        return Err(Failure::comment_out_of_date(comment_version, comment.version));
    }
    call.must_be_open(place)?;
    let (repository, branch) = source(call, place)?;
    if !call.may((repository, 0), Permission::Write) {
        return Err(Failure::forbidden());
    }
    let suggested = suggestion(&comment.text, index);
    let anchor = comment.anchor.as_ref().filter(|anchor| !anchor.orphaned);
    let (Some(lines), Some((anchor, (last, _)))) =
        (suggested, anchor.and_then(|anchor| Some((anchor, anchor.line?))))
    else {
        return Err(Failure::bad_parameter("suggestionIndex", "There is no such suggestion."));
    };
    let first = anchor.first.map_or(last, |(first, _)| first);
    let path = anchor.path.clone();
    let (now, user) = (call.store.now, call.user.clone());
    let Some(history) = call.store.repository_mut(repository).map(|found| &mut found.history)
    else {
        return Err(Failure::no_route());
    };
    let tip = history.branches.get(&branch).cloned().unwrap_or_default();
    let mut tree = history.commit(&tip).map(|tip| (*tip.tree).clone()).unwrap_or_default();
    let Some(old) = tree.get(&path) else {
        return Err(Failure::no_path(&path, &tip));
    };
    let text = old.text().into_owned();
    let mut kept: Vec<&str> = text.split_inclusive('\n').collect();
    let end = last.min(kept.len());
    kept.splice(first.saturating_sub(1).min(end)..end, [lines.as_str()]);
    let new = Blob::new(kept.concat(), old.is_executable());
    tree.insert(path, new);
    let commit = history.add(Draft {
        parents: vec![tip],
        author: Author::Account(user.clone()),
        age: now,
        date: now / 1000 * 1000,
        message,
        tree,
    });
    history.branches.insert(branch.clone(), commit);
    call.store.waiting.push((now, Push { repository, branch, user }));
    if let Some(comment) = call.found_mut(place)?.comment_mut(id) {
        comment.applied = Some(index);
    }
    Ok(Answer::NoContent)
}

/// The text between the fences of the wanted suggestion.
fn suggestion(text: &str, index: usize) -> Option<String> {
    let (_, rest) = text.split("```suggestion").nth(index + 1).map(|rest| ("", rest))?;
    let rest = rest.trim_start_matches('\r').strip_prefix('\n')?;
    rest.split_once("```").map(|(lines, _)| lines.replace("\r\n", "\n"))
}
