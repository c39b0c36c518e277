//! The one place that reads the clock.

use bb_contract::instant;
use std::time::{SystemTime, UNIX_EPOCH};

/// Now, as the system keeps it.
#[expect(clippy::disallowed_methods, reason = "this is the place")]
pub(crate) fn system() -> SystemTime {
    SystemTime::now()
}

/// Now, as RFC 3339.
pub(crate) fn now() -> String {
    // A clock before 1970 is as wrong as one that says 1970.
    let since = system().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).ok().and_then(instant::from_milliseconds).unwrap_or_default()
}
