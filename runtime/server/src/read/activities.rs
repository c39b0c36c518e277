//! Everything that happened in a pull request, up to a bound.

use bb_client::Result;
use bb_contract::{Calls, Tool};
use bb_generated::handle::Repository;
use bb_generated::types::Activity;
use bb_generated::{op, query};

/// Asked for at once; Bitbucket lowers it to its own maximum, 500 where it was seen.
const PER_PAGE: i64 = 1000;
/// Pages read before counts are given up as too dear.
const MOST_PAGES: usize = 8;

/// Reads all activities, newest first; `None` when there are more than are read for one answer.
pub(crate) async fn all<T>(repo: &Repository<T>, id: i64) -> Result<Option<Vec<Activity>>>
where
    T: Tool + Calls<op::ListActivities>,
{
    let (mut activities, mut start) = (Vec::new(), 0);
    for _ in 0..MOST_PAGES {
        let query = query::ListActivities {
            start: Some(start),
            limit: Some(PER_PAGE),
            ..query::ListActivities::default()
        };
        let page = repo.list_activities(id, query).await?;
        activities.extend(page.values);
        match page.next.and_then(|next| i64::try_from(next).ok()) {
            Some(next) => start = next,
            None => return Ok(Some(activities)),
        }
    }
    Ok(None)
}
