//! Views and the clients that draw them: what is said to those that draw none, and the page.

use bb_contract::{Answer, Callers, ToolFacts};
use bb_view::page::{MIME_TYPE, URI, page};
use serde_json::{Value, json};

/// The extension's name, where a client declares it and this server announces it.
pub(super) const EXTENSION: &str = "io.modelcontextprotocol/ui";

/// Whether a client's declaration of the extension says that it draws our page. One that does not
/// say which pages it draws is taken at its word.
pub(super) fn draws(declared: Option<&Value>) -> bool {
    let Some(Value::Object(extension)) = declared else { return false };
    match extension.get("mimeTypes") {
        None => true,
        Some(Value::Array(kinds)) => kinds.iter().any(|kind| kind == MIME_TYPE),
        Some(_) => false,
    }
}

/// The answer to a call that would show something to a person whose client draws nothing. Nothing
/// is read for it.
pub(super) fn nothing_shown(tool: &ToolFacts, draws: bool) -> Option<Answer> {
    // Calls that only views make are served to any client: a view is the proof that it draws.
    let shows = tool.kinds && tool.callers != Callers::App;
    (shows && !draws).then(|| {
        Answer::text("Nothing was shown: this client draws no views. Nothing was read either; answer in words, with the other tools.")
    })
}

/// What the extension's announcement says.
pub(super) fn announcement() -> Value {
    json!({"mimeTypes": [MIME_TYPE]})
}

/// The page's address, media type, text, and what a host is told of it: no network, no permission.
pub(super) fn resource(uri: &str) -> Option<(&'static str, &'static str, &'static str, Value)> {
    (uri == URI).then(|| {
        let csp = json!({"connectDomains": [], "resourceDomains": []});
        (URI, MIME_TYPE, page(), json!({"csp": csp, "prefersBorder": true}))
    })
}

#[cfg(test)]
mod tests {
    use super::draws;
    use serde_json::json;

    #[test]
    fn a_client_is_taken_at_its_word() {
        assert!(draws(Some(&json!({}))));
        assert!(draws(Some(&json!({"mimeTypes": ["text/html;profile=mcp-app"]}))));
        assert!(draws(Some(&json!({"mimeTypes": ["a/b", "text/html;profile=mcp-app"]}))));
        for other in [
            json!({"mimeTypes": []}),
            json!({"mimeTypes": ["text/html"]}),
            json!({"mimeTypes": "text/html;profile=mcp-app"}),
            json!(true),
            json!(null),
        ] {
            assert!(!draws(Some(&other)), "{other}");
        }
        assert!(!draws(None));
    }
}
