//! Which headers a gateway may be sent. It does not know where they come from.

use super::shown;

/// Whether a header of this name may be added.
///
/// # Errors
/// A sentence saying why not.
pub(super) fn check_name(name: &str) -> Result<(), String> {
    let token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    if name.is_empty() || !name.bytes().all(token) {
        return Err(format!(
            "`{}` cannot be a header's name; use letters, digits and dashes",
            shown(name)
        ));
    }
    if bb_client::is_reserved_header(name) {
        return Err(format!("`{name}` is set by this server or by the protocol; take it out"));
    }
    Ok(())
}

/// Whether a header can carry this value.
///
/// # Errors
/// A sentence saying why not, without the value.
pub(super) fn check_value(value: &str) -> Result<(), String> {
    if value.is_empty() || !value.bytes().all(|byte| (b' '..=b'~').contains(&byte)) {
        return Err(
            "the value is empty, or holds a line break or another character no header can carry; \
             write it again on one line"
                .to_owned(),
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{check_name, check_value};

    #[test]
    fn only_headers_that_are_nobody_elses_are_taken() {
        for name in ["X-Gateway", "cf-access-client-id", "Cookie", "x_y"] {
            assert_eq!(check_name(name), Ok(()));
        }
        for name in [
            "",
            "a b",
            "a:b",
            "é",
            "Authorization",
            "HOST",
            "Proxy-Authorization",
            "Content-Length",
            "X-Atlassian-Token",
        ] {
            assert!(check_name(name).is_err(), "{name}");
        }
    }

    #[test]
    fn a_value_is_one_line_that_a_header_can_carry() {
        assert_eq!(check_value("a b=c; d"), Ok(()));
        for value in ["", "s3cret\nx", "s3cret\r", "s3crét", "s3cret\t"] {
            let error = check_value(value).expect_err(value);
            assert!(!error.contains("s3"), "{error}");
        }
    }
}
