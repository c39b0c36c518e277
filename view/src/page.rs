//! The one page at `ui://bb/view`: the same bytes for every user and setting, and nothing of
//! Bitbucket in them.

use askama::Template;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bb_generated::kinds::KINDS;
use sha2::{Digest, Sha256};
use std::sync::LazyLock;

/// Where the page is.
pub const URI: &str = "ui://bb/view";
/// What it is.
pub const MIME_TYPE: &str = "text/html;profile=mcp-app";
/// The member of a result's `_meta` that holds what is drawn.
pub const KEY: &str = "bb/view";
/// The version of what stands under [`KEY`].
pub const VERSION: u32 = 1;

const SCRIPT: &str = include_str!(concat!(env!("OUT_DIR"), "/script.js"));
const STYLE: &str = include_str!(concat!(env!("OUT_DIR"), "/style.css"));

#[derive(Template)]
#[template(path = "index.html", escape = "none")]
struct Index<'i> {
    csp: &'i str,
    style: &'i str,
    strings: &'i str,
    script: &'i str,
}

/// The page.
#[must_use]
pub fn page() -> &'static str {
    static PAGE: LazyLock<String> = LazyLock::new(assemble);
    &PAGE
}

fn assemble() -> String {
    let script = format!("(() => {{\n\"use strict\";\n{SCRIPT}}})();\n");
    // No network, script and style by hash, and no policy that could make a string into markup.
    let csp = format!(
        "default-src 'none'; script-src {}; style-src {}; img-src data:; base-uri 'none'; form-action 'none'; \
         require-trusted-types-for 'script'; trusted-types 'none'",
        hash(&script),
        hash(STYLE)
    );
    let index = Index { csp: &csp, style: STYLE, strings: &strings(), script: &script };
    // The template has no condition and no loop, so rendering into a text cannot fail.
    index.render().unwrap_or_default()
}

fn hash(text: &str) -> String {
    format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text.as_bytes())))
}

/// The words of every kind as JSON that can stand inside a script element: no `<`, and nothing
/// outside ASCII.
fn strings() -> String {
    let words: serde_json::Map<String, serde_json::Value> = KINDS
        .iter()
        .flat_map(|kind| kind.strings)
        .map(|(key, text)| ((*key).to_owned(), serde_json::Value::from(*text)))
        .collect();
    let json = serde_json::Value::Object(words).to_string();
    let mut escaped = String::with_capacity(json.len());
    for unit in json.encode_utf16() {
        match u8::try_from(unit) {
            Ok(byte) if byte.is_ascii() && byte != b'<' && byte != 0x7f => {
                escaped.push(char::from(byte))
            }
            _ => escaped.push_str(&format!("\\u{unit:04x}")),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::{hash, page};

    #[test]
    fn the_page_is_whole_small_and_closed() {
        let page = page();
        assert!(page.len() > 10_000 && page.len() <= 150_000, "{} bytes", page.len());
        for name in ["csp", "style", "strings", "script"] {
            assert!(!page.contains(&format!("{{{{ {name} }}}}")), "{name} is not filled in");
        }
        for word in [
            "http://",
            "https://",
            "src=",
            "url(",
            "@import",
            "fetch(",
            "XMLHttpRequest",
            "WebSocket",
            "sendBeacon",
        ] {
            let lines: Vec<&str> = page
                .lines()
                .filter(|line| line.contains(word) && !line.contains("www.w3.org/2000/svg"))
                .collect();
            assert!(lines.is_empty(), "{word}: {lines:?}");
        }
    }

    #[test]
    fn the_policy_names_exactly_the_script_and_the_style_that_are_there() {
        let page = page();
        let between = |from: &str, to: &str| {
            let start = page.find(from).expect("the beginning") + from.len();
            let end = start + page[start..].find(to).expect("the end");
            page[start..end].to_owned()
        };
        let script = between("<script>", "</script>");
        let style = between("<style>", "</style>");
        let policy = between("Content-Security-Policy\" content=\"", "\">");
        assert!(policy.contains(&format!("script-src {};", hash(&script))), "{policy}");
        assert!(policy.contains(&format!("style-src {};", hash(&style))), "{policy}");
        for rule in [
            "default-src 'none'",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
            "require-trusted-types-for 'script'",
            "trusted-types 'none'",
        ] {
            assert!(policy.contains(rule), "{policy}");
        }
        assert!(!policy.contains("unsafe") && !policy.contains('*'), "{policy}");
    }

    #[test]
    fn words_cannot_end_their_script_element() {
        let page = page();
        let start = page.find("id=\"strings\">").expect("the words") + 13;
        let end = start + page[start..].find("</script>").expect("their end");
        let words = &page[start..end];
        assert!(words.is_ascii() && !words.contains('<'));
        let parsed: serde_json::Value = serde_json::from_str(words).expect("JSON");
        assert_eq!(parsed["open_in_bitbucket"], "Open in Bitbucket");
    }
}
