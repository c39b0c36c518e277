//! Path arguments as segments of a URL: one argument never changes a path's shape.
//!
//! It does not know which argument is which; the document says whether one may hold slashes.

/// Characters that stand for themselves in a segment. `;` is not among them: servlet
/// containers read it as the start of path parameters.
const PLAIN: &[u8] = b"-_.~!$&'()*+,=:@";

/// One segment, percent-encoded.
///
/// # Errors
/// A text for the caller when the value is empty, `.`, `..`, or holds a slash, a backslash
/// or a control character: each of these would reach another path.
pub fn segment(value: &str) -> Result<String, String> {
    if value.contains('/') {
        return Err(format!("{value:?} cannot be one segment of a path: it contains a slash"));
    }
    segments(value)
}

/// Several segments, percent-encoded one by one, their slashes kept.
///
/// # Errors
/// As [`segment`], for each of them.
pub fn segments(value: &str) -> Result<String, String> {
    let mut encoded = String::with_capacity(value.len());
    for (index, part) in value.split('/').enumerate() {
        check(value, part)?;
        if index > 0 {
            encoded.push('/');
        }
        encode(part, &mut encoded);
    }
    Ok(encoded)
}

fn check(whole: &str, part: &str) -> Result<(), String> {
    let fault = if part.is_empty() {
        "a segment is empty"
    } else if part == "." || part == ".." {
        "a segment is a dot or two"
    } else if part.contains('\\') {
        "it contains a backslash"
    } else if part.chars().any(char::is_control) {
        "it contains a control character"
    } else {
        return Ok(());
    };
    Err(format!("{whole:?} cannot stand in a path: {fault}"))
}

fn encode(part: &str, encoded: &mut String) {
    const HEX: &[u8; 16] = b"0123456789ABCDEF";
    for byte in part.bytes() {
        if byte.is_ascii_alphanumeric() || PLAIN.contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            encoded.push('%');
            encoded.push(char::from(HEX[usize::from(byte >> 4)]));
            encoded.push(char::from(HEX[usize::from(byte & 15)]));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{segment, segments};

    #[test]
    fn what_would_walk_to_another_path_is_refused() {
        for value in ["", ".", "..", "a/b", "a\\..\\b", "a\0b", "a\nb"] {
            assert!(segment(value).is_err(), "{value:?}");
        }
        for value in ["", "/", "a//b", "../a", "a/..", "./a", "a\\b", "a/\u{7}"] {
            assert!(segments(value).is_err(), "{value:?}");
        }
    }

    #[test]
    fn everything_else_is_encoded_in_place() {
        assert_eq!(segment("~user").as_deref(), Ok("~user"));
        assert_eq!(segment("a%2Fb+?#;[|^").as_deref(), Ok("a%252Fb+%3F%23%3B%5B%7C%5E"));
        assert_eq!(segments("src/a b/ü.txt").as_deref(), Ok("src/a%20b/%C3%BC.txt"));
    }
}
