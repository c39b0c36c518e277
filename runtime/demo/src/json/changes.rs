//! Changed files and the JSON form of a diff.

use serde_json::{Value, json};

use super::{path, put};
use crate::blob::Blob;
use crate::diff::{self, Change, Hunk, Whitespace};
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
pub(crate) const NONE: &str = "0000000000000000000000000000000000000000";

impl Shapes<'_> {
    /// A changed file; `target` is how the target changed it too, where that
    /// conflicts.
    pub(crate) fn change(
        &self,
        change: &Change,
        pull_request: Option<&PullRequest>,
        target: Option<&str>,
    ) -> Value {
        let id = |side: &Option<(String, Blob)>| {
            side.as_ref().map_or_else(|| NONE.to_owned(), |(_, content)| content.id().to_owned())
        };
        let mode = |side: &Option<(String, Blob)>| {
            side.as_ref().map(|(_, content)| json!(content.is_executable()))
        };
        let (kind, git) = change.kind();
        let mut object = json!({
            "contentId": id(&change.after),
            "fromContentId": id(&change.before),
            "path": path(change.path()),
        });
        // A deleted file carries none.
        put(&mut object, "executable", mode(&change.after));
        let unchanged = match kind {
            "MOVE" | "COPY" => json!(change.unchanged()),
            _ => json!(-1),
        };
        put(&mut object, "percentUnchanged", Some(unchanged));
        put(&mut object, "type", Some(json!(kind)));
        put(&mut object, "nodeType", Some(json!("FILE")));
        put(&mut object, "srcPath", change.source_path().map(path));
        put(&mut object, "srcExecutable", mode(&change.before));
        put(&mut object, "links", Some(json!({ "self": [null] })));
        let counted = |orphaned: bool| {
            pull_request
                .into_iter()
                .flat_map(|pull_request| &pull_request.comments)
                .filter(|comment| !comment.pending)
                .filter(|comment| {
                    comment.anchor.as_ref().is_some_and(|anchor| {
                        anchor.path == change.path()
                            && anchor.diff_type == "EFFECTIVE"
                            && anchor.orphaned == orphaned
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
        let conflict = target.map(|target| {
            let side = |kind: &str| json!({ "path": path(change.path()), "type": kind });
            json!({ "ourChange": side(target), "theirChange": side(kind) })
        });
        put(&mut object, "conflict", conflict);
        object
    }

    /// One file of a diff, with the threads that are drawn in it, as far as the
    /// lines that are left for it reach.
    pub(crate) fn file_diff(
        &self,
        change: &Change,
        pull_request: Option<&PullRequest>,
        comments: &[&Comment],
        options: DiffOptions,
        left: &mut usize,
    ) -> Value {
        let side = |side: &Option<(String, Blob)>| {
            side.as_ref().map_or(Value::Null, |(name, _)| path(name))
        };
        let mut object = json!({
            "source": side(&change.before),
            "destination": side(&change.after),
        });
        let mut truncated = false;
        if change.is_binary() {
            put(&mut object, "binary", Some(json!(true)));
        } else {
            let mut hunks = change.hunks(options.context, options.whitespace);
            truncated = diff::cut(&mut hunks, left);
            let drawn: Vec<Value> = hunks.iter().map(|hunk| self.hunk(hunk, comments)).collect();
            put(&mut object, "hunks", Some(json!(drawn)));
        }
        let shown = |on_line: bool| -> Vec<Value> {
            comments
                .iter()
                .filter(|comment| {
                    comment.anchor.as_ref().is_some_and(|anchor| anchor.line.is_some() == on_line)
                })
                .filter_map(|comment| Some(self.comment(comment, pull_request?, false)))
                .collect()
        };
        for (name, on_line) in [("lineComments", true), ("fileComments", false)] {
            let shown = shown(on_line);
            if !shown.is_empty() {
                put(&mut object, name, Some(json!(shown)));
            }
        }
        put(&mut object, "truncated", Some(json!(truncated)));
        object
    }

    pub(super) fn hunk(&self, hunk: &Hunk, comments: &[&Comment]) -> Value {
        let mut segments: Vec<(LineType, Vec<Value>)> = Vec::new();
        for line in &hunk.lines {
            let end = line.text.char_indices().nth(self.store.limits.length);
            let mut drawn = json!({
                "source": line.source,
                "destination": line.destination,
                "line": end.map_or(line.text.as_str(), |(end, _)| &line.text[..end]),
                "truncated": end.is_some(),
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
        let last = segments.len().saturating_sub(1);
        let segments: Vec<Value> = segments
            .into_iter()
            .enumerate()
            .map(|(index, (kind, lines))| {
                let truncated = hunk.truncated && index == last;
                json!({ "type": kind.name(), "lines": lines, "truncated": truncated })
            })
            .collect();
        json!({
            "sourceLine": hunk.source_line,
            "sourceSpan": hunk.source_span,
            "destinationLine": hunk.destination_line,
            "destinationSpan": hunk.destination_span,
            "segments": segments,
            "truncated": hunk.truncated,
        })
    }
}

fn on_line(comment: &Comment, kind: LineType, source: usize, destination: usize) -> bool {
    comment.anchor.as_ref().is_some_and(|anchor| anchor.is_on(kind, source, destination))
}
