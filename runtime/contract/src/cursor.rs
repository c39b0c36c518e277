//! Opaque cursors: a place in a listing, tied to the call it came from.
//!
//! The offset is masked with the call's digest. That is no secret: it keeps a model from
//! doing arithmetic on a cursor, and a cursor of another call from being taken.

use crate::ToolError;
use crate::page::Position;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};

const TAG: usize = 8;
const PLACE: usize = 12;

/// The cursor that stands for a position in the listing that `digest` identifies.
#[must_use]
pub fn seal(digest: &[u8; 32], position: Position) -> String {
    let mut bytes = Vec::with_capacity(TAG + PLACE);
    bytes.extend_from_slice(&tag(digest, position));
    bytes.extend_from_slice(&position.start.to_be_bytes());
    bytes.extend_from_slice(&position.skip.to_be_bytes());
    mask(digest, &mut bytes);
    URL_SAFE_NO_PAD.encode(bytes)
}

/// The position a cursor stands for; the beginning when there is none.
///
/// # Errors
/// When the text is not a cursor, or belongs to a call with other arguments.
pub fn open(digest: &[u8; 32], cursor: Option<&str>) -> Result<Position, ToolError> {
    let Some(cursor) = cursor else { return Ok(Position::default()) };
    let foreign = || {
        ToolError::new(
            "`cursor` does not belong to this call: give `next_cursor` of the previous answer \
             unchanged, with the same arguments, or leave it out to begin again",
        )
    };
    let mut bytes = URL_SAFE_NO_PAD.decode(cursor).map_err(|_| foreign())?;
    if bytes.len() != TAG + PLACE {
        return Err(foreign());
    }
    mask(digest, &mut bytes);
    let mut start = [0; 8];
    let mut skip = [0; 4];
    start.copy_from_slice(&bytes[TAG..TAG + 8]);
    skip.copy_from_slice(&bytes[TAG + 8..]);
    let position = Position { start: u64::from_be_bytes(start), skip: u32::from_be_bytes(skip) };
    if bytes[..TAG] == tag(digest, position) { Ok(position) } else { Err(foreign()) }
}

fn tag(digest: &[u8; 32], position: Position) -> [u8; TAG] {
    let mut hash = Sha256::new();
    hash.update(b"cursor");
    hash.update(digest);
    hash.update(position.start.to_be_bytes());
    hash.update(position.skip.to_be_bytes());
    let mut tag = [0; TAG];
    tag.copy_from_slice(&hash.finalize()[..TAG]);
    tag
}

/// Masks the place with a stream that depends on the tag, so that near places do not look alike.
fn mask(digest: &[u8; 32], bytes: &mut [u8]) {
    let mut hash = Sha256::new();
    hash.update(b"mask");
    hash.update(digest);
    hash.update(&bytes[..TAG]);
    let stream = hash.finalize();
    for (byte, mask) in bytes[TAG..].iter_mut().zip(stream) {
        *byte ^= mask;
    }
}

#[cfg(test)]
mod tests {
    use super::{open, seal};
    use crate::page::Position;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_cursor_opens_to_its_place_and_to_no_other_call(
            digest: [u8; 32], other: [u8; 32], start: u64, skip: u32, flip in 0_usize..20,
        ) {
            let position = Position { start, skip };
            let cursor = seal(&digest, position);
            prop_assert_eq!(open(&digest, Some(&cursor)).ok(), Some(position));
            if digest != other {
                prop_assert!(open(&other, Some(&cursor)).is_err());
            }
            let mut bytes = super::URL_SAFE_NO_PAD.decode(&cursor).expect("what was just encoded");
            bytes[flip] ^= 1;
            let bent = super::URL_SAFE_NO_PAD.encode(bytes);
            prop_assert!(open(&digest, Some(&bent)).is_err());
        }

        #[test]
        fn any_text_is_answered(text: String) {
            prop_assert!(open(&[7; 32], Some(&text)).is_err());
        }
    }

    use base64::Engine as _;
}
