//! What a test can make the demo do instead of answering, or to its answer.
//! Knows paths only, not what they mean. Nothing of it can be reached over
//! HTTP: whoever holds the [`Demo`](crate::Demo) holds the control.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

#[derive(Debug, Clone)]
pub(crate) struct Canned {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

/// A way in which an answer can go wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// The answer comes later.
    Delay(Duration),
    /// The answer never comes.
    Hang,
    /// The connection is cut after so many bytes of the body.
    CutAt(usize),
    /// The body ends in the middle, and says that it is whole.
    Truncated,
    /// The body is not JSON, and says that it is.
    Malformed,
    /// The answer is right, but for its media type.
    ContentType(String),
    /// The body comes a few bytes at a time, with a pause before each.
    Trickle {
        /// Bytes in one piece.
        piece: usize,
        /// The time before each piece.
        pause: Duration,
    },
    /// A refusal, with the seconds to wait if they are told.
    Status {
        /// The status, such as 429 or 503.
        status: u16,
        /// The value of `Retry-After`.
        retry_after: Option<u32>,
    },
    /// A refusal whose `Retry-After` is a date.
    StatusUntil {
        /// The status, such as 429 or 503.
        status: u16,
        /// How long from the moment of the answer to that date.
        wait: Duration,
    },
    /// The sign-in page, at once or by a redirect.
    Login {
        /// Whether it answers 302 instead of 200.
        redirect: bool,
    },
    /// Another place to ask.
    Redirect {
        /// The status, from 301 to 308.
        status: u16,
        /// The place, whole, as of another origin.
        location: String,
    },
    /// A JSON body of this many bytes, which is never held whole.
    Large(usize),
    /// The answer is right, but it names another user, or none.
    UserName(Option<String>),
    /// An error whose body repeats the request with all its headers, secrets
    /// included, as a debugging proxy does.
    Echo {
        /// The status, such as 400 or 502.
        status: u16,
        /// Whether the body has the form of the product's own errors.
        json: bool,
    },
    /// The answer is right, and the connection is reset soon after it, though
    /// it promised to stay.
    Reset,
}

#[derive(Debug)]
struct Planned {
    path_contains: String,
    fault: Fault,
    /// How many requests it is for; none is for all.
    left: Option<usize>,
}

#[derive(Debug, Default)]
pub(crate) struct Control {
    holds: Mutex<Vec<String>>,
    canned: Mutex<Vec<(String, Canned)>>,
    planned: Mutex<Vec<Planned>>,
    in_flight: AtomicUsize,
}

impl Control {
    pub(crate) fn hold(&self, path_contains: &str) {
        lock(&self.holds).push(path_contains.to_owned());
    }

    pub(crate) fn answer_with(&self, path_contains: &str, canned: Canned) {
        lock(&self.canned).push((path_contains.to_owned(), canned));
    }

    pub(crate) fn fail(&self, path_contains: &str, fault: Fault, times: Option<usize>) {
        let path_contains = path_contains.to_owned();
        lock(&self.planned).push(Planned { path_contains, fault, left: times });
    }

    /// Ends holds, canned answers and faults.
    pub(crate) fn heal(&self) {
        lock(&self.holds).clear();
        lock(&self.canned).clear();
        lock(&self.planned).clear();
    }

    /// The last fault planned for a part of the path; using it uses it up.
    pub(crate) fn fault(&self, path: &str) -> Option<Fault> {
        let mut planned = lock(&self.planned);
        let found = planned
            .iter_mut()
            .rev()
            .find(|plan| path.contains(plan.path_contains.as_str()) && plan.left != Some(0))?;
        if let Some(left) = found.left.as_mut() {
            *left -= 1;
        }
        Some(found.fault.clone())
    }

    /// The last canned answer given for a part of the path, so that a test can
    /// change its mind.
    pub(crate) fn canned(&self, path: &str) -> Option<Canned> {
        lock(&self.canned)
            .iter()
            .rev()
            .find(|(part, _)| path.contains(part.as_str()))
            .map(|(_, canned)| canned.clone())
    }

    pub(crate) fn holds(&self, path: &str) -> bool {
        lock(&self.holds).iter().any(|part| path.contains(part.as_str()))
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

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

pub(crate) struct Held<'a>(&'a AtomicUsize);

impl Drop for Held<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}
