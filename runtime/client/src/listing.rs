//! A paged listing of one call: limit and cursor in, elements and a place to go on out.

use bb_contract::page::{Listed, Page, list};
use bb_contract::{ToolError, cursor};
use std::future::Future;

/// Reads a listing for a call whose digest, `limit` and `cursor` these are.
///
/// # Errors
/// A cursor of another call, or why Bitbucket gave no answer.
pub async fn listed<T, Answer>(
    digest: &[u8; 32],
    limit: i64,
    cursor: Option<&str>,
    fetch: impl Fn(u64, u64) -> Answer,
) -> Result<Listed<T>, ToolError>
where
    Answer: Future<Output = crate::Result<Page<T>>>,
{
    let from = cursor::open(digest, cursor)?;
    Ok(list(usize::try_from(limit).unwrap_or(1), from, |_| true, fetch).await?)
}

/// Awaits an operation in the terms of a tool.
///
/// # Errors
/// Why Bitbucket gave no answer.
pub async fn answered<T>(
    operation: impl Future<Output = crate::Result<T>>,
) -> Result<T, ToolError> {
    Ok(operation.await?)
}
