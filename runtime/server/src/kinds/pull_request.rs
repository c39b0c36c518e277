//! Reading what the pull request card draws: the pull request, then everything else at once.

use crate::kinds::avatars::Avatars;
use crate::read::pull_request::is_open;
use bb_client::{ErrorKind, Result};
use bb_generated::handle::Repository;
use bb_generated::kinds::pull_request::{Gathered, Gathers};
use bb_generated::query;
use bb_generated::types::{self, PullRequestBuilds};
use bb_view::kinds::pull_request::people;
use futures_util::future::join5;
use std::collections::BTreeMap;

/// Builds asked for at once; the page itself asks for as many.
const PER_PAGE: i64 = 500;
/// Pages of builds read; of more builds than that only the commit's own counts are told.
const MOST_PAGES: usize = 4;

/// Reads the card. Pictures are left out where it may turn out that nothing is sent.
pub(crate) async fn gather<T: Gathers>(
    repo: &Repository<T>,
    id: i64,
    avatars: Option<&Avatars>,
) -> Result<Gathered> {
    let query =
        query::GetPullRequest { with_properties: Some(true), ..query::GetPullRequest::default() };
    let pull_request = repo.get_pull_request(id, query).await?;
    let open = is_open(&pull_request);
    let commit = pull_request.from_ref.as_ref().and_then(|from| from.latest_commit.as_deref());
    let (mergeability, auto_merge, builds, build_counts, avatar) = join5(
        async { if open { absent(repo.get_mergeability(id).await) } else { Ok(None) } },
        async { if open { absent(repo.get_auto_merge(id).await) } else { Ok(None) } },
        async {
            match commit {
                Some(commit) => builds(repo, id, commit).await,
                None => Ok(None),
            }
        },
        async {
            match commit {
                Some(commit) => absent(repo.get_commit_build_counts(commit).await),
                None => Ok(None),
            }
        },
        pictures(repo, &pull_request, avatars),
    )
    .await;
    let listed = matches!(builds, Ok(Some(_)));
    Ok(Gathered {
        mergeability: mergeability?,
        auto_merge: auto_merge?,
        builds: builds?,
        // The counts stand in for the listing; where that was had, they are not missed.
        build_counts: if listed { build_counts.unwrap_or_default() } else { build_counts? },
        avatar,
        pull_request,
    })
}

/// Pictures of the people on the card.
pub(crate) async fn pictures<T: Gathers>(
    repo: &Repository<T>,
    found: &types::PullRequest,
    avatars: Option<&Avatars>,
) -> BTreeMap<String, Vec<u8>> {
    match avatars {
        Some(avatars) => avatars.of(repo, &people(found)).await,
        None => BTreeMap::new(),
    }
}

/// What this Bitbucket does not have, or its user may not see, is left out; the card says less.
fn absent<A>(result: Result<A>) -> Result<Option<A>> {
    match result {
        Ok(answer) => Ok(Some(answer)),
        Err(error) if error.is_absence() || error.kind == ErrorKind::Conflict => Ok(None),
        Err(error) => Err(error),
    }
}

/// The listing Bitbucket's own page reads, whole. Nothing, when it is of another commit: the pull
/// request has moved on while it was read.
async fn builds<T: Gathers>(
    repo: &Repository<T>,
    id: i64,
    commit: &str,
) -> Result<Option<PullRequestBuilds>> {
    let mut whole: Option<PullRequestBuilds> = None;
    let mut start = 0;
    for _ in 0..MOST_PAGES {
        let query = query::ListPullRequestBuilds {
            commit_id: Some(commit),
            start: Some(start),
            limit: Some(PER_PAGE),
        };
        let Some(read) = absent(repo.list_pull_request_builds(id, query).await)? else {
            return Ok(None);
        };
        let of = read
            .pull_request
            .as_ref()
            .and_then(|found| found.from_ref.as_ref())
            .and_then(|from| from.latest_commit.as_deref());
        let Some(page) = read.page.as_ref().filter(|_| of == Some(commit)) else { return Ok(None) };
        let next =
            page.next_page_start.filter(|next| *next > start && page.is_last_page != Some(true));
        match whole.as_mut().and_then(|whole| whole.page.as_mut()) {
            Some(first) => first.values.extend(page.values.iter().cloned()),
            None => whole = Some(read.clone()),
        }
        match next {
            Some(next) => start = next,
            None => return Ok(whole),
        }
    }
    Ok(None)
}
