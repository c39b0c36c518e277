//! The only place that reads the clock: dates are relative to the start.

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
