//! Pictures of people, read with the server's own credentials and kept for a bounded time.

use bb_contract::{Calls, Tool};
use bb_generated::handle::Repository;
use bb_generated::{op, query};
use bb_view::avatar::MOST_BYTES;
use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Pixels asked for: twice what the page draws, for dense screens.
const PIXELS: i64 = 64;
/// How long a picture, or that there is none, is remembered.
const KEPT_FOR: Duration = Duration::from_secs(600);
/// How long somebody whose picture did not come in time goes without.
const MISSED_FOR: Duration = Duration::from_secs(60);
/// Most people remembered.
const MOST_KEPT: usize = 500;
/// Most people whose pictures one view asks for; the others are initials.
const MOST_ASKED: usize = 24;
/// How long a view waits for pictures it does not have yet.
const PATIENCE: Duration = Duration::from_millis(1500);

type Picture = Option<Arc<Vec<u8>>>;

/// Pictures by slug, and until when each is remembered.
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
        let mut found = BTreeMap::new();
        let (mut reads, mut asked) = (FuturesUnordered::new(), Vec::new());
        for slug in slugs.iter().copied().take(MOST_ASKED) {
            match self.known(slug) {
                Some(Some(picture)) => {
                    drop(found.insert(slug.to_owned(), picture.as_ref().clone()))
                }
                Some(None) => {}
                None => {
                    asked.push(slug);
                    reads.push(async move { (slug, read(repo, slug).await) });
                }
            }
        }
        let collected = async {
            while let Some((slug, picture)) = reads.next().await {
                asked.retain(|other| *other != slug);
                if let Some(picture) = &picture {
                    found.insert(slug.to_owned(), picture.as_ref().clone());
                }
                self.keep(slug, picture, KEPT_FOR);
            }
        };
        if tokio::time::timeout(PATIENCE, collected).await.is_err() {
            // Whoever could not be had in time is not waited for again at once.
            for slug in asked {
                self.keep(slug, None, MISSED_FOR);
            }
        }
        found
    }

    /// What is remembered: that there is a picture, that there is none, or nothing.
    fn known(&self, slug: &str) -> Option<Picture> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.get(slug)
            .filter(|(until, _)| Instant::now() < *until)
            .map(|(_, picture)| picture.clone())
    }

    fn keep(&self, slug: &str, picture: Picture, duration: Duration) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= MOST_KEPT {
            kept.retain(|_, (until, _)| Instant::now() < *until);
        }
        if kept.len() < MOST_KEPT {
            kept.insert(slug.to_owned(), (Instant::now() + duration, picture));
        }
    }
}

async fn read<T>(repo: &Repository<T>, slug: &str) -> Picture
where
    T: Tool + Calls<op::GetAvatar>,
{
    let query = query::GetAvatar { s: Some(PIXELS), ..query::GetAvatar::default() };
    match repo.get_avatar(slug, query, MOST_BYTES).await {
        Ok(read) if !read.cut => Some(Arc::new(read.bytes)),
        Ok(_) | Err(_) => None,
    }
}
