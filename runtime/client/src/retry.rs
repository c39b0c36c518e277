//! Whether a request is sent again, and when.
//!
//! A read is repeated where that may help and does no harm. A write is repeated only when Bitbucket
//! cannot have read it.

use crate::Fault;
use reqwest::StatusCode;
use reqwest::header::{DATE, HeaderMap, RETRY_AFTER};
use std::time::Duration;

/// Requests for one answer, at most.
pub(crate) const ATTEMPTS: u32 = 3;
/// The wait before the second attempt; the third waits three times as long.
const WAIT: Duration = Duration::from_millis(250);
/// Kept of the call's time for the answer to the request that follows a wait.
const REST: Duration = Duration::from_millis(500);

/// What one attempt came to.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Tried<'a> {
    /// Something answered.
    Answered(StatusCode, &'a HeaderMap),
    /// Nothing did.
    Failed(&'a Fault),
}

/// How long to wait before the request is sent again; `None` when it is not. `left` is what remains
/// of the call's time.
pub(crate) fn wait(
    writes: bool,
    attempt: u32,
    tried: Tried<'_>,
    left: Duration,
) -> Option<Duration> {
    if attempt >= ATTEMPTS {
        return None;
    }
    let usual = WAIT * (2 * attempt - 1);
    let wait = match tried {
        Tried::Failed(Fault::Network(network)) => {
            (network.failure.is_passing() && !(writes && network.sent)).then_some(usual)?
        }
        Tried::Failed(_) => return None,
        Tried::Answered(status, headers) => {
            if writes || !matches!(status.as_u16(), 429 | 502..=504) {
                return None;
            }
            retry_after(headers).unwrap_or(usual)
        }
    };
    (wait + REST <= left).then_some(wait)
}

/// What the answer asks for: seconds, or a date, which is held against the answer's own date, since
/// this machine's clock may be wrong.
pub(crate) fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let text = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    if let Ok(seconds) = text.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let at = httpdate::parse_http_date(text).ok()?;
    let now = httpdate::parse_http_date(headers.get(DATE)?.to_str().ok()?).ok()?;
    Some(at.duration_since(now).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::{Tried, retry_after, wait};
    use crate::Fault;
    use crate::network::{Failure, Network};
    use reqwest::StatusCode;
    use reqwest::header::HeaderMap;
    use std::time::Duration;

    const LONG: Duration = Duration::from_secs(60);

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        pairs
            .iter()
            .filter_map(|(name, value)| Some((name.parse().ok()?, value.parse().ok()?)))
            .collect()
    }

    fn answered(writes: bool, attempt: u32, status: u16, asked: &'static str) -> Option<Duration> {
        let headers =
            if asked.is_empty() { headers(&[]) } else { headers(&[("retry-after", asked)]) };
        let status = StatusCode::from_u16(status).expect("a status");
        wait(writes, attempt, Tried::Answered(status, &headers), LONG)
    }

    #[test]
    fn reads_are_repeated_where_it_may_help() {
        for status in [429, 502, 503, 504] {
            assert_eq!(
                answered(false, 1, status, ""),
                Some(Duration::from_millis(250)),
                "{status}"
            );
            assert_eq!(
                answered(false, 2, status, ""),
                Some(Duration::from_millis(750)),
                "{status}"
            );
            assert_eq!(answered(false, 3, status, ""), None, "{status}");
            assert_eq!(answered(true, 1, status, ""), None, "a write, {status}");
        }
        for status in [200, 204, 304, 400, 401, 403, 404, 409, 500, 501] {
            assert_eq!(answered(false, 1, status, ""), None, "{status}");
        }
    }

    #[test]
    fn what_is_asked_for_is_waited_for_as_long_as_the_call_may_take() {
        assert_eq!(answered(false, 1, 429, "2"), Some(Duration::from_secs(2)));
        assert_eq!(answered(false, 1, 503, "0"), Some(Duration::ZERO));
        assert_eq!(answered(false, 1, 429, "60"), None, "the call's time would be over");
        assert_eq!(
            answered(false, 1, 429, "99999999999999999999"),
            Some(Duration::from_millis(250))
        );
        assert_eq!(answered(false, 1, 429, "soon"), Some(Duration::from_millis(250)));
    }

    #[test]
    fn a_date_is_held_against_the_answers_own() {
        let now = ("date", "Mon, 30 Nov 2026 21:00:00 GMT");
        let after = |date| retry_after(&headers(&[("retry-after", date), now]));
        assert_eq!(after("Mon, 30 Nov 2026 21:00:07 GMT"), Some(Duration::from_secs(7)));
        assert_eq!(after("Mon, 30 Nov 2026 20:00:00 GMT"), Some(Duration::ZERO));
        assert_eq!(after("yesterday"), None);
        assert_eq!(
            retry_after(&headers(&[("retry-after", "Mon, 30 Nov 2026 21:00:07 GMT")])),
            None
        );
    }

    #[test]
    fn a_write_is_repeated_only_when_it_cannot_have_been_read() {
        let tried = |writes, failure, sent| {
            let network = Network {
                failure,
                message: String::new(),
                found: String::new(),
                remedy: None,
                sent,
            };
            wait(writes, 1, Tried::Failed(&Fault::Network(network)), LONG).is_some()
        };
        assert!(tried(true, Failure::Connect, false));
        assert!(!tried(true, Failure::Broken, true));
        assert!(tried(false, Failure::Broken, true));
        for failure in [
            Failure::Name,
            Failure::ConnectTimeout,
            Failure::ProxyCredentials,
            Failure::Proxy,
            Failure::Certificate,
            Failure::ClientCertificate,
            Failure::Tls,
            Failure::Stalled,
        ] {
            assert!(!tried(false, failure, false), "{failure:?}");
        }
        assert_eq!(wait(false, 1, Tried::Failed(&Fault::Deadline), LONG), None);
        assert_eq!(wait(false, 1, Tried::Failed(&Fault::TooLarge(1)), LONG), None);
    }
}
