//! Changed files and the JSON form of a diff.

use serde_json::{Value, json};

use super::{path, put};
use crate::diff::{Change, Hunk, Whitespace};
use crate::hash;
use crate::state::{Comment, LineType, PullRequest};

use super::Shapes;

/// How a diff is asked for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DiffOptions {
    pub(crate) context: usize,
    pub(crate) whitespace: Whitespace,
    pub(crate) with_comments: bool,
}

/// No file: the id git gives to nothing.
const NONE: &str = "0000000000000000000000000000000000000000";

impl Shapes<'_> {
    pub(crate) fn change(&self, change: &Change, pull_request: &PullRequest) -> Value {
        let id = |side: &Option<(String, std::sync::Arc<str>)>| {
            side.as_ref().map_or_else(|| NONE.to_owned(), |(_, content)| hash::blob(content))
        };
        let (kind, git) = match (&change.before, &change.after) {
            (None, _) => ("ADD", "ADD"),
            (_, None) => ("DELETE", "DELETE"),
            _ if change.source_path().is_some() => ("MOVE", "RENAME"),
            _ => ("MODIFY", "MODIFY"),
        };
        let mut object = json!({
            "contentId": id(&change.after),
            "fromContentId": id(&change.before),
            "path": path(change.path()),
        });
        // A deleted file carries none.
        let executable = change.after.as_ref().map(|_| json!(false));
        put(&mut object, "executable", executable);
        let unchanged = match kind {
            "MOVE" => json!(change.unchanged()),
            _ => json!(-1),
        };
        put(&mut object, "percentUnchanged", Some(unchanged));
        put(&mut object, "type", Some(json!(kind)));
        put(&mut object, "nodeType", Some(json!("FILE")));
        put(&mut object, "srcPath", change.source_path().map(path));
        let source = change.before.as_ref().map(|_| json!(false));
        put(&mut object, "srcExecutable", source);
        put(&mut object, "links", Some(json!({ "self": [null] })));
        let counted = |orphaned: bool| {
            pull_request
                .comments
                .iter()
                .filter(|comment| {
                    comment.anchor.as_ref().is_some_and(|anchor| {
                        anchor.path == change.path() && anchor.orphaned == orphaned
                    })
                })
                .count()
        };
        let mut properties = json!({ "gitChangeType": git });
        for (name, count) in
            [("activeComments", counted(false)), ("orphanedComments", counted(true))]
        {
            let value = (count > 0).then(|| json!(count));
            put(&mut properties, name, value);
        }
        put(&mut object, "properties", Some(properties));
        object
    }

    /// One file of a diff, with the threads that are drawn in it.
    pub(crate) fn file_diff(
        &self,
        change: &Change,
        pull_request: &PullRequest,
        comments: &[&Comment],
        options: DiffOptions,
    ) -> Value {
        let side = |side: &Option<(String, std::sync::Arc<str>)>| {
            side.as_ref().map_or(Value::Null, |(name, _)| path(name))
        };
        let mut object = json!({
            "source": side(&change.before),
            "destination": side(&change.after),
        });
        if change.is_binary() {
            put(&mut object, "binary", Some(json!(true)));
        } else {
            let hunks = change.hunks(options.context, options.whitespace);
            let drawn: Vec<Value> = hunks.iter().map(|hunk| self.hunk(hunk, comments)).collect();
            put(&mut object, "hunks", Some(json!(drawn)));
        }
        let shown = |on_line: bool| -> Vec<Value> {
            comments
                .iter()
                .filter(|comment| {
                    comment.anchor.as_ref().is_some_and(|anchor| anchor.line.is_some() == on_line)
                })
                .map(|comment| self.comment(comment, pull_request, false))
                .collect()
        };
        for (name, on_line) in [("lineComments", true), ("fileComments", false)] {
            let shown = shown(on_line);
            if !shown.is_empty() {
                put(&mut object, name, Some(json!(shown)));
            }
        }
        put(&mut object, "truncated", Some(json!(false)));
        object
    }

    pub(super) fn hunk(&self, hunk: &Hunk, comments: &[&Comment]) -> Value {
        let mut segments: Vec<(LineType, Vec<Value>)> = Vec::new();
        for line in &hunk.lines {
            let mut drawn = json!({
                "source": line.source,
                "destination": line.destination,
                "line": line.text,
                "truncated": false,
            });
            let ids: Vec<u64> = comments
                .iter()
                .filter(|comment| on_line(comment, line.kind, line.source, line.destination))
                .map(|comment| comment.id)
                .collect();
            if !ids.is_empty() {
                put(&mut drawn, "commentIds", Some(json!(ids)));
            }
            match segments.last_mut() {
                Some((kind, lines)) if *kind == line.kind => lines.push(drawn),
                _ => segments.push((line.kind, vec![drawn])),
            }
        }
        let segments: Vec<Value> = segments
            .into_iter()
            .map(|(kind, lines)| json!({ "type": kind.name(), "lines": lines, "truncated": false }))
            .collect();
        json!({
            "sourceLine": hunk.source_line,
            "sourceSpan": hunk.source_span,
            "destinationLine": hunk.destination_line,
            "destinationSpan": hunk.destination_span,
            "segments": segments,
            "truncated": false,
        })
    }
}

fn on_line(comment: &Comment, kind: LineType, source: usize, destination: usize) -> bool {
    comment.anchor.as_ref().and_then(|anchor| anchor.line).is_some_and(|(line, anchored)| {
        anchored == kind
            && line
                == match kind {
                    LineType::Removed => source,
                    _ => destination,
                }
    })
}
