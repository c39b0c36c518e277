//! The server's own secrets, found wherever they come back: in an error page that shows the
//! request, in a log line, in a text of Bitbucket's.

use crate::Settings;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use memchr::memmem;
use std::fmt;

/// What stands in a secret's place.
const INSTEAD: &str = "(secret)";
/// Shorter secrets, such as a password that is a word, are left in what Bitbucket answers in good
/// order: they would be found in innocent texts.
const SURELY_SECRET: usize = 12;
/// Shorter ones are nowhere looked for.
const LEAST: usize = 4;

/// What to look for.
#[derive(Clone, Default)]
pub struct Redaction(Vec<String>);

impl fmt::Debug for Redaction {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Redaction").field(&self.0.len()).finish()
    }
}

impl Redaction {
    /// Every secret of the settings, as it is, percent-encoded, encoded in base64, and as JSON
    /// writers may escape it.
    pub(crate) fn of(settings: &Settings) -> Self {
        let mut plain: Vec<String> = Vec::new();
        match &settings.credential {
            crate::Credential::Bearer(token) => plain.push(token.expose().to_owned()),
            basic @ crate::Credential::Basic { password, .. } => {
                plain.push(password.expose().to_owned());
                plain.extend(basic.pair());
            }
        }
        let secret = settings.headers.iter().filter(|header| header.is_secret);
        plain.extend(secret.map(|header| header.value.expose().to_owned()));
        if let Some(proxy) = &settings.proxy {
            plain.extend(proxy.password().map(|password| password.expose().to_owned()));
            plain.extend(proxy.pair());
        }
        let mut forms = Vec::new();
        for secret in plain.into_iter().filter(|secret| secret.len() >= LEAST) {
            let encoded = encoded(&secret);
            forms.push(STANDARD.encode(&secret));
            forms.push(encoded.replace("%20", "+"));
            forms.push(lower_hex(&encoded));
            forms.push(encoded);
            forms.push(secret.replace('/', "\\/"));
            // As JSON writers that are afraid of HTML escape it, and as HTML itself does.
            forms.push(escaped(&secret, false));
            forms.push(escaped(&secret, true));
            forms.push(
                secret
                    .replace('&', "&amp;")
                    .replace('<', "&lt;")
                    .replace('>', "&gt;")
                    .replace('"', "&quot;"),
            );
            forms.push(secret);
        }
        // Longest first: a form may hold another.
        forms.sort_by_key(|form| std::cmp::Reverse(form.len()));
        forms.dedup();
        Self(forms)
    }

    /// A text for people, without any secret.
    #[must_use]
    pub fn text(&self, text: &str) -> String {
        let bytes = self.clean(text.as_bytes().to_vec(), LEAST);
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// A text of an answer in good order, without what is surely a secret.
    #[must_use]
    pub fn answer(&self, text: &str) -> String {
        String::from_utf8_lossy(&self.clean(text.as_bytes().to_vec(), SURELY_SECRET)).into_owned()
    }

    /// A body that failed, without any secret.
    pub(crate) fn failed_body(&self, body: Vec<u8>) -> Vec<u8> {
        self.clean(body, LEAST)
    }

    /// A body in good order, without what is surely a secret.
    pub(crate) fn body(&self, body: Vec<u8>) -> Vec<u8> {
        self.clean(body, SURELY_SECRET)
    }

    fn clean(&self, mut body: Vec<u8>, least: usize) -> Vec<u8> {
        for secret in self.0.iter().filter(|secret| secret.len() >= least) {
            let found: Vec<usize> = memmem::find_iter(&body, secret.as_bytes()).collect();
            if found.is_empty() {
                continue;
            }
            let mut cleaned = Vec::with_capacity(body.len());
            let mut from = 0;
            for at in found {
                cleaned.extend_from_slice(&body[from..at]);
                cleaned.extend_from_slice(INSTEAD.as_bytes());
                from = at + secret.len();
            }
            cleaned.extend_from_slice(&body[from..]);
            body = cleaned;
        }
        body
    }
}

/// With the escapes of JSON for signs that HTML gives a meaning.
fn escaped(text: &str, upper: bool) -> String {
    text.chars()
        .map(|letter| match letter {
            '=' | '+' | '<' | '>' | '&' | '\'' if upper => format!("\\u{:04X}", u32::from(letter)),
            '=' | '+' | '<' | '>' | '&' | '\'' => format!("\\u{:04x}", u32::from(letter)),
            other => other.to_string(),
        })
        .collect()
}

/// The digits of percent-encoding in lower case.
fn lower_hex(encoded: &str) -> String {
    let mut parts = encoded.split('%');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (digits, rest) = part.split_at(part.len().min(2));
        text.push_str(&format!("%{}{rest}", digits.to_ascii_lowercase()));
    }
    text
}

fn encoded(text: &str) -> String {
    text.bytes()
        .map(|byte| {
            if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
                char::from(byte).to_string()
            } else {
                format!("%{byte:02X}")
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::Redaction;
    use crate::{BaseUrl, Credential, GatewayHeader, Proxy, Secret, Settings};

    fn settings(credential: Result<Credential, String>) -> Settings {
        let base = BaseUrl::parse("https://bitbucket.example", false).expect("a base URL");
        Settings::new(base, credential.expect("a credential"))
    }

    #[test]
    fn a_token_is_found_in_each_form() {
        let redaction = Redaction::of(&settings(Credential::bearer("NDk3MjA0NjQ1/zNh:Nn+dGQ==")));
        for form in [
            "NDk3MjA0NjQ1/zNh:Nn+dGQ==",
            "NDk3MjA0NjQ1\\/zNh:Nn+dGQ==",
            "NDk3MjA0NjQ1%2FzNh%3ANn%2BdGQ%3D%3D",
            "TkRrM01qQTBOalExL3pOaDpObitkR1E9PQ==",
            "NDk3MjA0NjQ1%2fzNh%3aNn%2bdGQ%3d%3d",
            "NDk3MjA0NjQ1/zNh:Nn\\u002bdGQ\\u003d\\u003d",
            "NDk3MjA0NjQ1/zNh:Nn\\u002BdGQ\\u003D\\u003D",
        ] {
            let text = format!("before {form} after {form}");
            assert_eq!(redaction.text(&text), "before (secret) after (secret)");
            assert_eq!(redaction.body(text.into_bytes()), b"before (secret) after (secret)");
        }
        assert!(!format!("{redaction:?}").contains("NDk3"));
    }

    #[test]
    fn every_secret_of_the_settings_is_looked_for() {
        let mut settings = settings(Credential::basic("ada", "correct horse battery"));
        let header = |value: &str, is_secret| GatewayHeader {
            name: "X-Gateway".to_owned(),
            value: Secret::new(value.to_owned()),
            is_secret,
        };
        settings.headers =
            vec![header("gateway-secret-1", true), header("internal-gateway", false)];
        settings.proxy = Proxy::parse("http://p:proxy%20secret%201@proxy:3128").ok();
        let redaction = Redaction::of(&settings);
        for secret in [
            "correct horse battery",
            "YWRhOmNvcnJlY3QgaG9yc2UgYmF0dGVyeQ==",
            "gateway-secret-1",
            "proxy secret 1",
            "proxy+secret+1",
            "cDpwcm94eSBzZWNyZXQgMQ==",
        ] {
            assert_eq!(redaction.text(secret), "(secret)", "{secret}");
        }
        assert_eq!(redaction.text("internal-gateway"), "internal-gateway");
    }

    #[test]
    fn a_password_that_is_a_word_does_not_spoil_answers() {
        let redaction = Redaction::of(&settings(Credential::basic("ada", "admin")));
        assert_eq!(redaction.body(b"the admin page".to_vec()), b"the admin page");
        assert_eq!(redaction.text("the admin page"), "the (secret) page");
    }
}
