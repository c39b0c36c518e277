//! Releases that answer differently, as far as the REST notes say how.

/// The release the demo says it is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Version {
    /// Basic authentication is allowed; there is no merge queue.
    V9_4,
    /// A fresh installation refuses basic authentication.
    V10_0,
    /// Knows the merge queue, and `withProperties` for one pull request.
    #[default]
    V10_2,
}

impl Version {
    /// The version with the number of its build.
    pub(crate) fn numbers(self) -> (&'static str, &'static str) {
        match self {
            Version::V9_4 => ("9.4.1", "9004001"),
            Version::V10_0 => ("10.0.2", "10000002"),
            Version::V10_2 => ("10.2.1", "10002001"),
        }
    }

    /// Whether conditions say what they are required for.
    pub(crate) fn has_merge_queue(self) -> bool {
        self >= Version::V10_2
    }

    /// Whether one pull request carries `properties` only on demand.
    pub(crate) fn asks_for_properties(self) -> bool {
        self >= Version::V10_2
    }
}

impl std::str::FromStr for Version {
    type Err = ();

    fn from_str(text: &str) -> Result<Version, ()> {
        match text {
            "9.4" => Ok(Version::V9_4),
            "10.0" => Ok(Version::V10_0),
            "10.2" => Ok(Version::V10_2),
            _ => Err(()),
        }
    }
}
