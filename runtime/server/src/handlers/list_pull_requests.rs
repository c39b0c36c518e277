//! `list_pull_requests`: a repository's, or one's own across repositories.

use super::Handlers;
use crate::read::pull_request::{branch, row};
use bb_contract::page::{Listed, list};
use bb_contract::{Admitted, Answer, Handle, ToolError, cursor};
use bb_generated::handle::{Own, OwnOrRepository, Repository};
use bb_generated::query::{ListOwnPullRequests, ListPullRequests as Query};
use bb_generated::tool::list_pull_requests::{Answered, Args, ListPullRequests, Role, State};
use bb_generated::types::PullRequest;

/// Elements to ask for when many may be left out again.
const WHEN_NARROWED: u64 = 100;

impl Handle<ListPullRequests> for Handlers {
    async fn handle(
        &self,
        reach: &OwnOrRepository<ListPullRequests>,
        call: &Admitted<ListPullRequests>,
    ) -> Result<Answer, ToolError> {
        let listed = match reach {
            OwnOrRepository::Repository(repo) => of_repository(repo, call).await?,
            OwnOrRepository::Own(own) => own_work(own, call).await?,
        };
        Answer::data(&Answered {
            pull_requests: listed.values.iter().map(row).collect(),
            limit_reached: listed.next.is_some(),
            next_cursor: listed.next.map(|next| cursor::seal(call.digest(), next)),
        })
    }
}

async fn of_repository(
    repo: &Repository<ListPullRequests>,
    call: &Admitted<ListPullRequests>,
) -> Result<Listed<PullRequest>, ToolError> {
    let args = call.args();
    let caller = match args.role {
        Some(_) => Some(repo.whoami().await?.name),
        None => None,
    };
    // Bitbucket filters by one ref, and only by a full one; the rest is filtered here.
    let (at, direction) =
        match (full(args.source_branch.as_deref()), full(args.target_branch.as_deref())) {
            (Some(source), _) => (Some(source), Some("OUTGOING")),
            (None, Some(target)) => (Some(target), Some("INCOMING")),
            (None, None) => (None, None),
        };
    let from = cursor::open(call.digest(), args.cursor.as_deref())?;
    Ok(list(
        limit(args),
        from,
        |found| fits(args, found),
        |start, ask| {
            repo.list_pull_requests(Query {
                state: Some(args.state.wire()),
                at: at.as_deref(),
                direction,
                username_1: caller.as_deref(),
                role_1: args.role.map(Role::wire),
                start: i64::try_from(start).ok(),
                limit: i64::try_from(asked(args, ask)).ok(),
                ..Query::default()
            })
        },
    )
    .await?)
}

async fn own_work(
    own: &Own<ListPullRequests>,
    call: &Admitted<ListPullRequests>,
) -> Result<Listed<PullRequest>, ToolError> {
    let args = call.args();
    let from = cursor::open(call.digest(), args.cursor.as_deref())?;
    let narrowed = own.project().is_some();
    Ok(list(
        limit(args),
        from,
        |found| fits(args, found),
        |start, ask| {
            let ask = if narrowed { WHEN_NARROWED.max(ask) } else { asked(args, ask) };
            own.list_own_pull_requests(ListOwnPullRequests {
                // The dashboard takes no word for all states: leaving it out means them.
                state: if args.state == State::All { None } else { Some(args.state.wire()) },
                role: args.role.map(Role::wire),
                start: i64::try_from(start).ok(),
                limit: i64::try_from(ask).ok(),
                ..ListOwnPullRequests::default()
            })
        },
    )
    .await?)
}

fn limit(args: &Args) -> usize {
    usize::try_from(args.limit).unwrap_or(1)
}

fn asked(args: &Args, ask: u64) -> u64 {
    let narrowed = args.source_branch.is_some() || args.target_branch.is_some();
    if narrowed { WHEN_NARROWED.max(ask) } else { ask }
}

/// A branch as Bitbucket's filter takes it.
fn full(branch: Option<&str>) -> Option<String> {
    branch.map(|name| {
        if name.starts_with("refs/") { name.to_owned() } else { format!("refs/heads/{name}") }
    })
}

fn fits(args: &Args, found: &PullRequest) -> bool {
    let same = |wanted: Option<&str>, reference| {
        wanted.is_none_or(|wanted| {
            let wanted = wanted.strip_prefix("refs/heads/").unwrap_or(wanted);
            branch(reference).is_some_and(|name| name == wanted)
        })
    };
    same(args.source_branch.as_deref(), found.from_ref.as_ref())
        && same(args.target_branch.as_deref(), found.to_ref.as_ref())
}
