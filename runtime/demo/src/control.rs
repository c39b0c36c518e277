//! What a test can make the demo do instead of answering: hold a request, or
//! give a canned answer. Knows paths only, not what they mean.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

#[derive(Debug, Clone)]
pub(crate) struct Canned {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

#[derive(Debug, Default)]
pub(crate) struct Control {
    holds: Mutex<Vec<String>>,
    canned: Mutex<Vec<(String, Canned)>>,
    in_flight: AtomicUsize,
}

impl Control {
    pub(crate) fn hold(&self, path_contains: &str) {
        self.holds.lock().unwrap_or_else(PoisonError::into_inner).push(path_contains.to_owned());
    }

    pub(crate) fn answer_with(&self, path_contains: &str, canned: Canned) {
        self.canned
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push((path_contains.to_owned(), canned));
    }

    /// The last canned answer given for a part of the path, so that a test can
    /// change its mind.
    pub(crate) fn canned(&self, path: &str) -> Option<Canned> {
        self.canned
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .iter()
            .rev()
            .find(|(part, _)| path.contains(part.as_str()))
            .map(|(_, canned)| canned.clone())
    }

    pub(crate) fn holds(&self, path: &str) -> bool {
        self.holds
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .iter()
            .any(|part| path.contains(part.as_str()))
    }

    pub(crate) fn in_flight(&self) -> usize {
        self.in_flight.load(Ordering::SeqCst)
    }

    /// Counts a held request for as long as the guard lives: the connection's
    /// future owns it, and is dropped when the client goes away.
    pub(crate) fn held(&self) -> Held<'_> {
        self.in_flight.fetch_add(1, Ordering::SeqCst);
        Held(&self.in_flight)
    }
}

pub(crate) struct Held<'a>(&'a AtomicUsize);

impl Drop for Held<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}
