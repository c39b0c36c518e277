//! Who a request is from: tokens and, where they are allowed, passwords.

use axum::http::{HeaderMap, header};

use crate::errors::Failure;
use crate::state::{Store, User};
use crate::{TOKEN, USER};

/// The token that acts as this user: the demo's own for the user whose it is,
/// and one with the slug behind it for everybody else.
pub(crate) fn token(slug: &str) -> String {
    if slug == USER { TOKEN.to_owned() } else { format!("{TOKEN}.{slug}") }
}

/// `None` is an anonymous caller; wrong credentials are refused even where
/// anonymous ones are not.
pub(crate) fn caller<'a>(
    store: &'a Store,
    headers: &HeaderMap,
    basic: bool,
) -> Result<Option<&'a User>, Failure> {
    let Some(value) = headers.get(header::AUTHORIZATION) else {
        return Ok(None);
    };
    let Some((scheme, secret)) = value.to_str().ok().and_then(|text| text.split_once(' ')) else {
        return Err(Failure::wrong_token());
    };
    let found = if scheme.eq_ignore_ascii_case("bearer") {
        store.users.iter().find(|user| token(&user.slug) == secret.trim())
    } else if scheme.eq_ignore_ascii_case("basic") && basic {
        with_password(store, secret.trim())
    } else {
        None
    };
    found.filter(|user| user.active).map(Some).ok_or_else(Failure::wrong_token)
}

/// A token may stand in for the password.
fn with_password<'a>(store: &'a Store, encoded: &str) -> Option<&'a User> {
    let text = String::from_utf8(decoded(encoded)?).ok()?;
    let (name, password) = text.split_once(':')?;
    let user = store.user(name)?;
    (password == token(&user.slug)).then_some(user)
}

/// Base64, of which nothing here needs more than reading.
pub(crate) fn decoded(text: &str) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    let (mut bits, mut held) = (0u32, 0);
    for byte in text.trim_end_matches('=').bytes() {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        bits = (bits << 6) | u32::from(value);
        held += 6;
        if held >= 8 {
            held -= 8;
            out.push(u8::try_from((bits >> held) & 0xFF).ok()?);
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    #[test]
    fn base64_is_read() {
        assert_eq!(super::decoded("YTpi"), Some(b"a:b".to_vec()));
        assert_eq!(super::decoded("YTpiYw=="), Some(b"a:bc".to_vec()));
        assert_eq!(super::decoded("a*"), None);
    }
}
