//! The only place that reads the clock: dates are relative to the start. A test
//! can put it forward.

use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use crate::state::Time;

#[expect(
    clippy::disallowed_methods,
    reason = "a demonstration says `2 hours ago`, which needs the time of its start"
)]
pub(crate) fn now() -> Time {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .ok()
        .and_then(|passed| Time::try_from(passed.as_millis()).ok())
        .unwrap_or(0)
}

/// The time of one demo.
#[derive(Debug, Default)]
pub(crate) struct Clock(AtomicI64);

impl Clock {
    pub(crate) fn now(&self) -> Time {
        now().saturating_add(self.0.load(Ordering::SeqCst))
    }

    pub(crate) fn advance(&self, by: Time) {
        self.0.fetch_add(by, Ordering::SeqCst);
    }
}
