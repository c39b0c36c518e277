//! The files of the preview's own page, as they are.

include!(concat!(env!("OUT_DIR"), "/preview.rs"));

/// A file's media type and text.
#[must_use]
pub fn file(name: &str) -> Option<(&'static str, &'static str)> {
    let (_, text) = FILES.iter().find(|(file, _)| *file == name)?;
    let kind = match name.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("svg") => "image/svg+xml",
        _ => return None,
    };
    Some((kind, text))
}

#[cfg(test)]
mod tests {
    use super::{FILES, file};

    #[test]
    fn every_file_of_the_preview_is_served_and_no_other() {
        assert!(FILES.len() >= 3);
        for (name, text) in FILES {
            assert_eq!(file(name).map(|(_, text)| text), Some(*text), "{name}");
        }
        for other in ["", "../Cargo.toml", "nothing.js", "INDEX.HTML"] {
            assert_eq!(file(other), None);
        }
    }
}
