//! What stands under `bb/view` in a result, and who may see what in a view.

use crate::random;
use bb_contract::{Answer, JsonObject, ToolError};
use bb_generated::kinds::KINDS;
use bb_view::page::{KEY, URI, VERSION};
use serde_json::{Value, json};

/// Most characters of a whole result: hosts replace longer ones by a pointer to a file.
pub(crate) const MOST_CHARACTERS: usize = 130_000;

/// What this server exposes to views.
#[derive(Debug, Clone)]
pub(crate) struct Offers {
    kinds: Vec<&'static str>,
    actions: Vec<&'static str>,
    refresh: bool,
}

impl Offers {
    /// The offers of a server that exposes these tools.
    pub(crate) fn of(exposed: impl Fn(&str) -> bool) -> Self {
        let kinds: Vec<_> = KINDS.iter().filter(|kind| exposed(kind.source)).collect();
        let mut actions: Vec<&'static str> = kinds
            .iter()
            .flat_map(|kind| kind.actions.iter().copied())
            .filter(|action| exposed(action))
            .collect();
        actions.sort_unstable();
        actions.dedup();
        Self {
            kinds: kinds.iter().map(|kind| kind.name).collect(),
            actions,
            refresh: exposed("refresh_view"),
        }
    }

    /// Whether a kind is offered, or why not.
    pub(crate) fn check(&self, kind: &str) -> Result<(), ToolError> {
        if self.kinds.contains(&kind) {
            return Ok(());
        }
        let kinds = self.kinds.join(", ");
        Err(ToolError::new(format!("`{kind}` is not shown by this server; it shows {kinds}")))
    }
}

/// The addresses of the page, as a result of `show` carries them.
pub(crate) fn addresses() -> JsonObject {
    let mut meta = JsonObject::new();
    meta.insert("ui".to_owned(), json!({"resourceUri": URI}));
    meta.insert("ui/resourceUri".to_owned(), json!(URI));
    meta
}

/// A whole view.
pub(crate) fn whole(
    offers: &Offers,
    kind: &str,
    fingerprint: &str,
    payload: Value,
) -> Result<Value, ToolError> {
    Ok(json!({
        "version": VERSION,
        "kind": kind,
        "view": random::hex().map_err(ToolError::internal)?,
        "fingerprint": fingerprint,
        "offers": {"kinds": offers.kinds, "actions": offers.actions, "refresh": offers.refresh},
        "payload": payload,
    }))
}

/// That nothing has changed.
pub(crate) fn unchanged(fingerprint: &str, read_at: &str) -> Value {
    json!({"version": VERSION, "unchanged": true, "fingerprint": fingerprint, "read_at": read_at})
}

/// An answer whose metadata carries what a view draws, unless the whole is more than hosts deliver.
pub(crate) fn answer(
    text: String,
    mut meta: JsonObject,
    envelope: Value,
) -> Result<Answer, ToolError> {
    meta.insert(KEY.to_owned(), envelope);
    let written =
        serde_json::to_string(&meta).map_err(|error| ToolError::internal(error.to_string()))?;
    let size = text.chars().count() + written.chars().count();
    if size > MOST_CHARACTERS {
        return Err(ToolError::internal(format!(
            "a view of {size} characters is more than a result holds"
        )));
    }
    Ok(Answer { text, structured: None, meta: Some(meta) })
}

#[cfg(test)]
mod tests {
    use super::{MOST_CHARACTERS, Offers, answer};
    use bb_contract::JsonObject;
    use serde_json::json;

    #[test]
    fn a_kind_is_offered_while_the_tool_it_shows_is_exposed() {
        assert!(Offers::of(|_| true).check("pull_request").is_ok());
        let offers = Offers::of(|name| name != "get_pull_request");
        assert!(offers.check("pull_request").is_err() && offers.refresh);
    }

    #[test]
    fn text_and_view_together_stay_within_what_hosts_deliver() {
        let half = "é".repeat(MOST_CHARACTERS / 2);
        assert!(answer(half.clone(), JsonObject::new(), json!({"payload": "x"})).is_ok());
        let error = answer(half.clone(), JsonObject::new(), json!({"payload": half})).unwrap_err();
        assert!(error.internal.is_some_and(|said| said.contains("more than a result holds")));
    }
}
