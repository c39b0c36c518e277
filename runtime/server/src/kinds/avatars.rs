//! Pictures of people, read with the server's own credentials and kept for a bounded time.

use bb_contract::{Calls, Tool};
use bb_generated::handle::Repository;
use bb_generated::{op, query};
use bb_view::avatar::MOST_BYTES;
use futures_util::future::join_all;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Pixels asked for: twice what the page draws, for dense screens.
const PIXELS: i64 = 64;
/// How long a picture, or that there is none, is remembered.
const KEPT_FOR: Duration = Duration::from_secs(600);
/// Most people remembered.
const MOST_KEPT: usize = 500;
/// Most people whose pictures one view asks for; the others are initials.
const MOST_ASKED: usize = 24;
/// How long a view waits for pictures it does not have yet.
const PATIENCE: Duration = Duration::from_millis(1500);

type Picture = Option<Arc<Vec<u8>>>;

/// Pictures by slug.
#[derive(Debug, Default)]
pub(crate) struct Avatars(Mutex<BTreeMap<String, (Instant, Picture)>>);

impl Avatars {
    /// Pictures of these people, as far as they can be had in time.
    pub(crate) async fn of<T>(
        &self,
        repo: &Repository<T>,
        slugs: &[&str],
    ) -> BTreeMap<String, Vec<u8>>
    where
        T: Tool + Calls<op::GetAvatar>,
    {
        let wanted: Vec<&str> = slugs.iter().copied().take(MOST_ASKED).collect();
        let reads = wanted
            .iter()
            .filter(|slug| self.known(slug).is_none())
            .map(|slug| self.read(repo, slug));
        // What does not come in time comes with a later refresh, or not at all.
        let _ = tokio::time::timeout(PATIENCE, join_all(reads)).await;
        wanted
            .into_iter()
            .filter_map(|slug| Some((slug.to_owned(), self.known(slug)??.as_ref().clone())))
            .collect()
    }

    /// What is remembered: that there is a picture, that there is none, or nothing.
    fn known(&self, slug: &str) -> Option<Picture> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.get(slug)
            .filter(|(since, _)| since.elapsed() < KEPT_FOR)
            .map(|(_, picture)| picture.clone())
    }

    async fn read<T>(&self, repo: &Repository<T>, slug: &str)
    where
        T: Tool + Calls<op::GetAvatar>,
    {
        let query = query::GetAvatar { s: Some(PIXELS), ..query::GetAvatar::default() };
        let picture = match repo.get_avatar(slug, query, MOST_BYTES).await {
            Ok(read) if !read.cut => Some(Arc::new(read.bytes)),
            Ok(_) | Err(_) => None,
        };
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= MOST_KEPT {
            kept.retain(|_, (since, _)| since.elapsed() < KEPT_FOR);
        }
        if kept.len() < MOST_KEPT {
            kept.insert(slug.to_owned(), (Instant::now(), picture));
        }
    }
}
