//! Builds by what they ask of a person, and counted over all of them.

use bb_generated::answers::BuildCounts;
use bb_generated::open::BuildState;
use bb_generated::types::PageBuild;

/// A build's state in this server's words; states nobody knows, and missing ones, are unknown.
#[must_use]
pub fn state(build: &PageBuild) -> &'static str {
    // The page's own listing has been seen in either case.
    let known = build.state.as_ref().map(|state| BuildState::from(state.as_str().to_uppercase()));
    match known {
        Some(BuildState::Successful) => "successful",
        Some(BuildState::Failed) => "failed",
        Some(BuildState::InProgress) => "in_progress",
        Some(BuildState::Cancelled) => "cancelled",
        Some(BuildState::Unknown | BuildState::Other(_)) | None => "unknown",
    }
}

/// How many there are in each state.
#[must_use]
pub fn count(builds: &[PageBuild]) -> BuildCounts {
    let mut counts = BuildCounts::default();
    for build in builds {
        counts.total += 1;
        match state(build) {
            "successful" => counts.successful += 1,
            "failed" => counts.failed += 1,
            "in_progress" => counts.in_progress += 1,
            "cancelled" => counts.cancelled += 1,
            _ => counts.unknown += 1,
        }
    }
    counts
}

/// Failed first, then in progress, cancelled, unknown and passed; each by name.
#[must_use]
pub fn by_attention(builds: &[PageBuild]) -> Vec<&PageBuild> {
    let rank = |build: &PageBuild| match state(build) {
        "failed" => 0,
        "in_progress" => 1,
        "cancelled" => 2,
        "unknown" => 3,
        _ => 4,
    };
    let mut sorted: Vec<&PageBuild> = builds.iter().collect();
    sorted.sort_by(|one, other| {
        let name = |build: &PageBuild| build.name.clone().or_else(|| build.key.clone());
        (rank(one), name(one)).cmp(&(rank(other), name(other)))
    });
    sorted
}

#[cfg(test)]
mod tests {
    use super::{by_attention, count, state};
    use bb_generated::types::PageBuild;

    #[test]
    fn what_needs_a_person_comes_first_and_all_are_counted() {
        let builds: Vec<PageBuild> = serde_json::from_value(serde_json::json!([
            {"key": "a", "name": "z", "state": "SUCCESSFUL"}, {"key": "b", "state": "inprogress"},
            {"key": "c", "state": "FAILED"}, {"key": "d", "state": "NEW"}, {"key": "e"},
            {"key": "f", "state": "Cancelled"}, {"key": "g", "name": "a", "state": "SUCCESSFUL"},
        ]))
        .expect("builds in a test");
        let keys: Vec<_> =
            by_attention(&builds).iter().filter_map(|build| build.key.as_deref()).collect();
        assert_eq!(keys, ["c", "b", "f", "d", "e", "g", "a"]);
        let counts = count(&builds);
        assert_eq!((counts.total, counts.successful, counts.failed), (7, 2, 1));
        assert_eq!((counts.in_progress, counts.cancelled, counts.unknown), (1, 1, 2));
        assert_eq!(state(&builds[3]), "unknown");
    }
}
