//! Values that Bitbucket writes in more than one way.

use serde::{Deserialize, Deserializer, Serialize};

/// A point in time: milliseconds since 1970, or, behind some gateways, an ISO 8601 text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Instant {
    /// Milliseconds since 1970.
    Milliseconds(i64),
    /// A text, as it came.
    Text(String),
}

impl Instant {
    /// RFC 3339 in UTC; a text that is no ISO 8601 stays as it came.
    #[must_use]
    pub fn text(&self) -> Option<String> {
        match self {
            Self::Milliseconds(milliseconds) => {
                bb_contract::instant::from_milliseconds(*milliseconds)
            }
            Self::Text(text) => Some(
                self.milliseconds()
                    .and_then(bb_contract::instant::from_milliseconds)
                    .unwrap_or_else(|| text.clone()),
            ),
        }
    }

    /// Milliseconds since 1970, when it is known what the text means.
    #[must_use]
    pub fn milliseconds(&self) -> Option<i64> {
        match self {
            Self::Milliseconds(milliseconds) => Some(*milliseconds),
            Self::Text(text) => bb_contract::instant::to_milliseconds(text),
        }
    }
}

impl<'de> Deserialize<'de> for Instant {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(match serde_json::Value::deserialize(deserializer)? {
            serde_json::Value::Number(number) => {
                // A float is what some rewriting gateways make of an integer.
                Self::Milliseconds(
                    number
                        .as_i64()
                        .or_else(|| number.as_f64().map(|float| float as i64))
                        .unwrap_or_default(),
                )
            }
            serde_json::Value::String(text) => Self::Text(text),
            other => return Err(serde::de::Error::custom(format!("no point in time: {other}"))),
        })
    }
}

/// A list of links, of which some may be null or lack their address.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Links(Vec<String>);

impl Links {
    /// The first address.
    #[must_use]
    pub fn first(&self) -> Option<String> {
        self.0.first().cloned()
    }
}

impl<'de> Deserialize<'de> for Links {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let links =
            Option::<Vec<serde_json::Value>>::deserialize(deserializer)?.unwrap_or_default();
        let address = |link: serde_json::Value| match link {
            serde_json::Value::String(address) => Some(address),
            other => other.get("href").and_then(serde_json::Value::as_str).map(str::to_owned),
        };
        Ok(Self(links.into_iter().filter_map(address).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::{Instant, Links};

    #[test]
    fn both_ways_of_writing_a_date_are_read() {
        let read = |json: &str| {
            serde_json::from_str::<Instant>(json).ok().and_then(|instant| instant.text())
        };
        assert_eq!(read("1530766870000").as_deref(), Some("2018-07-05T05:01:10Z"));
        assert_eq!(read("1530766870000.0").as_deref(), Some("2018-07-05T05:01:10Z"));
        assert_eq!(read("\"2018-07-05T05:01:10+0000\"").as_deref(), Some("2018-07-05T05:01:10Z"));
        assert_eq!(
            read("\"2018-07-05T07:01:10.123+02:00\"").as_deref(),
            Some("2018-07-05T05:01:10Z")
        );
        assert_eq!(read("\"yesterday\"").as_deref(), Some("yesterday"));
        assert_eq!(read("{}"), None);
    }

    #[test]
    fn links_with_holes_are_read() {
        let read =
            |json: &str| serde_json::from_str::<Links>(json).ok().and_then(|links| links.first());
        assert_eq!(
            read("[null, {}, {\"href\": \"https://a\"}, {\"href\": \"b\"}]").as_deref(),
            Some("https://a")
        );
        assert_eq!(read("null"), None);
        assert_eq!(read("[]"), None);
    }
}
