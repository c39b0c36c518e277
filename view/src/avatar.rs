//! Pictures of people as `data:` URIs.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// Most bytes of one picture: 64 pixels square need a tenth of it.
pub const MOST_BYTES: usize = 24 << 10;
/// Most characters of all pictures of one view; a result has a budget, and initials cost nothing.
pub const MOST_CHARACTERS: usize = 48_000;

/// The picture as the page takes it; `None` when it is no raster image by its own first bytes,
/// or too large. What the server calls it does not count, and SVG is never taken: it can hold script.
#[must_use]
pub fn data_uri(bytes: &[u8]) -> Option<String> {
    if bytes.len() > MOST_BYTES {
        return None;
    }
    let kind = if bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
        "png"
    } else if bytes.starts_with(b"\xff\xd8\xff") {
        "jpeg"
    } else if bytes.starts_with(b"GIF87a") || bytes.starts_with(b"GIF89a") {
        "gif"
    } else if bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP") {
        "webp"
    } else {
        return None;
    };
    Some(format!("data:image/{kind};base64,{}", STANDARD.encode(bytes)))
}

#[cfg(test)]
mod tests {
    use super::{MOST_BYTES, data_uri};

    #[test]
    fn only_raster_images_by_content_are_taken() {
        assert_eq!(
            data_uri(b"\x89PNG\r\n\x1a\nrest").as_deref(),
            Some("data:image/png;base64,iVBORw0KGgpyZXN0")
        );
        assert!(
            data_uri(b"\xff\xd8\xff\xe0").is_some_and(|uri| uri.starts_with("data:image/jpeg;"))
        );
        assert!(data_uri(b"GIF89a..").is_some_and(|uri| uri.starts_with("data:image/gif;")));
        assert!(
            data_uri(b"RIFF\0\0\0\0WEBPVP8 ")
                .is_some_and(|uri| uri.starts_with("data:image/webp;"))
        );
        for other in [
            &b""[..],
            b"<svg xmlns='x'>",
            b"<html>",
            b"RIFF\0\0\0\0WAVE",
            b" \x89PNG\r\n\x1a\n",
            b"\x89PNG",
        ] {
            assert_eq!(data_uri(other), None);
        }
        let mut large = b"\x89PNG\r\n\x1a\n".to_vec();
        large.resize(MOST_BYTES + 1, 0);
        assert_eq!(data_uri(&large), None);
    }
}
