//! Percent-decoding of paths and queries.

/// The decoded parameters of a query, in order.
#[derive(Debug, Default)]
pub(crate) struct Query(Vec<(String, String)>);

impl Query {
    pub(crate) fn parse(raw: &str) -> Query {
        Query(
            raw.split('&')
                .filter(|part| !part.is_empty())
                .map(|part| {
                    let (name, value) = part.split_once('=').unwrap_or((part, ""));
                    (decode(&name.replace('+', " ")), decode(&value.replace('+', " ")))
                })
                .collect(),
        )
    }

    /// The first value of a parameter; an empty one counts as not given, as
    /// the product treats it.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.0
            .iter()
            .find(|(key, _)| key == name)
            .map(|(_, value)| value.as_str())
            .filter(|value| !value.is_empty())
    }

    /// Every value of a parameter that may be repeated or hold several between
    /// commas.
    pub(crate) fn all(&self, name: &str) -> Vec<&str> {
        self.0
            .iter()
            .filter(|(key, _)| key == name)
            .flat_map(|(_, value)| value.split(','))
            .map(str::trim)
            .filter(|value| !value.is_empty())
            .collect()
    }

    /// Whether a parameter is there at all, with or without a value.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.0.iter().any(|(key, value)| key == name && !value.eq_ignore_ascii_case("false"))
    }

    pub(crate) fn flag(&self, name: &str, default: bool) -> bool {
        self.get(name).map_or(default, |value| value.eq_ignore_ascii_case("true"))
    }
}

/// Percent-decoding; what is not a valid escape stays as it is.
pub(crate) fn decode(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let escaped = (bytes[at] == b'%')
            .then(|| bytes.get(at + 1..at + 3))
            .flatten()
            .and_then(|digits| std::str::from_utf8(digits).ok())
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match escaped {
            Some(byte) => {
                out.push(byte);
                at += 3;
            }
            None => {
                out.push(bytes[at]);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// Percent-encoding of everything but unreserved characters.
pub(crate) fn encode(text: &str) -> String {
    use std::fmt::Write as _;
    let mut out = String::new();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            // Writing to a `String` cannot fail.
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}
