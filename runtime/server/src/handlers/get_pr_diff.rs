//! `get_pr_diff`: the changes as one unified diff, whole or for one file.

use super::Handlers;
use bb_client::CutText;
use bb_contract::arguments::nearest;
use bb_contract::text::visible;
use bb_contract::{Admitted, Answer, Handle, ToolError};
use bb_generated::handle::Repository;
use bb_generated::query;
use bb_generated::tool::get_pr_diff::{Args, GetPrDiff};
use bb_generated::types::{Change, FilePath};

/// Most bytes of a diff that one answer holds: about what a model reads at once.
const CAP: usize = 200_000;
/// Changed files asked for when looking for one; Bitbucket has no further page.
const CHANGES: i64 = 1000;

impl Handle<GetPrDiff> for Handlers {
    async fn handle(
        &self,
        repo: &Repository<GetPrDiff>,
        call: &Admitted<GetPrDiff>,
    ) -> Result<Answer, ToolError> {
        let args = call.args();
        let whitespace = (args.ignore_whitespace == Some(true)).then_some("ignore-all");
        let diff = match &args.path {
            Some(path) => of_file(repo, args, path, whitespace).await?,
            None => {
                let query =
                    query::GetPullRequestDiff { context_lines: args.context_lines, whitespace };
                repo.get_pull_request_diff(args.id, query, CAP).await?
            }
        };
        Ok(Answer::text(told(diff, args)))
    }
}

/// One file's diff. Without its old path a moved file would read as new, so the changes are
/// looked up first.
async fn of_file(
    repo: &Repository<GetPrDiff>,
    args: &Args,
    path: &str,
    whitespace: Option<&str>,
) -> Result<CutText, ToolError> {
    let query = query::ListPullRequestChanges {
        limit: Some(CHANGES),
        ..query::ListPullRequestChanges::default()
    };
    let page = repo.list_pull_request_changes(args.id, query).await?;
    let change = page.values.iter().find(|change| text(change.path.as_ref()) == Some(path));
    // With more changed files than the one page holds, a file that is not on it may still be changed.
    if change.is_none() && page.is_last_page != Some(false) {
        return Err(not_changed(path, &page.values));
    }
    let query = query::GetPullRequestFileDiff {
        src_path: change.and_then(|change| text(change.src_path.as_ref())),
        context_lines: args.context_lines,
        whitespace,
    };
    Ok(repo.get_pull_request_file_diff(args.id, path, query, CAP).await?)
}

fn text(path: Option<&FilePath>) -> Option<&str> {
    path.and_then(|path| path.to_string.as_deref())
}

fn not_changed(path: &str, changes: &[Change]) -> ToolError {
    let paths = || changes.iter().filter_map(|change| text(change.path.as_ref()));
    let named = |found: &str| {
        paths().find(|path| path.rsplit('/').next() == Some(found)).map(str::to_owned)
    };
    let near = named(path.rsplit('/').next().unwrap_or(path))
        .or_else(|| nearest(path, paths()).map(str::to_owned));
    let help = match near {
        Some(near) => format!("did you mean `{}`?", visible(&near)),
        None => format!("{} files are; leave `path` out to see them all", paths().count()),
    };
    ToolError::new(format!("`{}` is not changed in this pull request; {help}", visible(path)))
}

/// The diff, with a last line saying so when it was cut or there is nothing.
fn told(diff: CutText, args: &Args) -> String {
    if diff.text.trim().is_empty() {
        let why =
            if args.ignore_whitespace == Some(true) { " other than in white space" } else { "" };
        return format!("There are no changes{why}.");
    }
    if !diff.cut {
        return diff.text;
    }
    // A cut inside a line would read as a change that is not there.
    let end = diff.text.rfind('\n').map_or(diff.text.len(), |end| end + 1);
    let hint = if args.path.is_some() {
        "ask with fewer context_lines"
    } else {
        "ask for one file with path"
    };
    format!("{}[cut here: the diff is longer than {CAP} bytes; {hint}]\n", &diff.text[..end])
}
