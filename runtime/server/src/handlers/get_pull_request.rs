//! `get_pull_request`: the pull request, whether it can merge, and what its review comes to.

use super::Handlers;
use crate::read::{activities, pull_request};
use bb_client::{ErrorKind, Instant};
use bb_contract::{Admitted, Answer, Handle, ToolError};
use bb_domain::review;
use bb_generated::answers::{AutoMerge, Mergeability, Veto};
use bb_generated::handle::Repository;
use bb_generated::query;
use bb_generated::tool::get_pull_request::{Answered, GetPullRequest};
use bb_generated::types;
use futures_util::future::join3;

impl Handle<GetPullRequest> for Handlers {
    async fn handle(
        &self,
        repo: &Repository<GetPullRequest>,
        call: &Admitted<GetPullRequest>,
    ) -> Result<Answer, ToolError> {
        let id = call.args().id;
        let query = query::GetPullRequest {
            with_properties: Some(true),
            ..query::GetPullRequest::default()
        };
        let found = repo.get_pull_request(id, query).await?;
        let is_open = pull_request::is_open(&found);
        let (mergeability, auto_merge, activities) = join3(
            async { if is_open { mergeability(repo, id).await } else { Ok(None) } },
            async { if is_open { auto_merge(repo, id).await } else { Ok(None) } },
            activities::all(repo, id),
        )
        .await;
        let mut whole = pull_request::whole(&found);
        whole.mergeability = mergeability?;
        whole.auto_merge = auto_merge?;
        // Counts nobody could make are left out; that they could not is said.
        let counts = match activities {
            Ok(activities) => activities.as_deref().map(review::count),
            Err(error) if error.is_absence() => None,
            Err(error) => return Err(error.into()),
        };
        Answer::data(&Answered {
            pull_request: whole,
            review_summary: review::summary(&found.reviewers, counts),
        })
    }
}

/// The verdict; none when the pull request was closed since it was read, or on releases without.
async fn mergeability(
    repo: &Repository<GetPullRequest>,
    id: i64,
) -> bb_client::Result<Option<Mergeability>> {
    match repo.get_mergeability(id).await {
        Ok(found) => Ok(Some(Mergeability {
            can_merge: found.can_merge.unwrap_or(false),
            conflicted: found.conflicted.unwrap_or(false),
            vetoes: found.vetoes.iter().map(veto).collect(),
        })),
        Err(error) if error.is_absence() || error.kind == ErrorKind::Conflict => Ok(None),
        Err(error) => Err(error),
    }
}

fn veto(found: &types::Veto) -> Veto {
    let summary = found.summary_message.clone().unwrap_or_default();
    let detail =
        found.detailed_message.clone().filter(|detail| !detail.is_empty() && *detail != summary);
    Veto { summary, detail }
}

/// The armed auto-merge; Bitbucket answers not found, or nothing, when there is none.
async fn auto_merge(
    repo: &Repository<GetPullRequest>,
    id: i64,
) -> bb_client::Result<Option<AutoMerge>> {
    match repo.get_auto_merge(id).await {
        Ok(found) => Ok(Some(AutoMerge {
            strategy: found.strategy_id.clone(),
            created: found.created_date.as_ref().and_then(Instant::text),
        })),
        Err(error) if error.is_absence() => Ok(None),
        Err(error) => Err(error),
    }
}
