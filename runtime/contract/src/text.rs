//! Text that others wrote, made safe to read. It does not judge what the text says.

/// The same text with every control, bidirectional and zero-width character made visible
/// as `\u{…}`, so that what a person or a model reads is what is there. Line feeds and tabs stay.
#[must_use]
pub fn visible(text: &str) -> String {
    if !text.contains(is_hidden) {
        return text.to_owned();
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        if is_hidden(character) {
            shown.extend(character.escape_unicode());
        } else {
            shown.push(character);
        }
    }
    shown
}

/// As [`visible`], on every text inside a JSON value, member names included.
pub fn make_visible(value: &mut serde_json::Value) {
    match value {
        serde_json::Value::String(text) => {
            if text.contains(is_hidden) {
                *text = visible(text);
            }
        }
        serde_json::Value::Array(items) => items.iter_mut().for_each(make_visible),
        serde_json::Value::Object(members) => {
            members.values_mut().for_each(make_visible);
            if members.keys().any(|name| name.contains(is_hidden)) {
                let old = std::mem::take(members);
                *members = old.into_iter().map(|(name, value)| (visible(&name), value)).collect();
            }
        }
        serde_json::Value::Null | serde_json::Value::Bool(_) | serde_json::Value::Number(_) => {}
    }
}

/// Whether a character changes what is read without being seen.
fn is_hidden(character: char) -> bool {
    match character {
        '\n' | '\t' => false,
        // A carriage return overwrites the line in a terminal, but Bitbucket's texts end lines with it.
        '\r' => false,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{180e}' | '\u{feff}' => true,
        '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' => true,
        // Tag characters spell ASCII that no font draws.
        '\u{e0000}'..='\u{e007f}' => true,
        other => other.is_control(),
    }
}

#[cfg(test)]
mod tests {
    use super::{make_visible, visible};

    #[test]
    fn hidden_characters_are_spelled_out_and_others_stay() {
        assert_eq!(visible("naïve 漢字\n\tok\r\n"), "naïve 漢字\n\tok\r\n");
        assert_eq!(visible("a\u{202e}b\u{200b}\u{1b}[31m"), "a\\u{202e}b\\u{200b}\\u{1b}[31m");
        assert_eq!(visible("\u{e0041}"), "\\u{e0041}");
    }

    #[test]
    fn names_and_values_at_any_depth_are_treated() {
        let mut value = serde_json::json!({"a\u{200b}": [{"b": "\u{2066}x"}], "c": 1});
        make_visible(&mut value);
        assert_eq!(value, serde_json::json!({"a\\u{200b}": [{"b": "\\u{2066}x"}], "c": 1}));
    }
}
