//! Avatars: a coloured square with one or two letters, encoded as PNG of two
//! colours in stored (uncompressed) blocks. Knows nothing of users but a name.

use crate::hash;

/// Draws the picture of a person. The colour follows from the name, the
/// letters from the display name; a size outside 16 to 256 is brought inside.
pub(crate) fn avatar(name: &str, display_name: &str, size: usize) -> Vec<u8> {
    let size = size.clamp(16, 256);
    let seed = hash::crc32(name.as_bytes());
    let background = PALETTE[seed as usize % PALETTE.len()];
    // Of a name in letters that are not drawn here, those of the user name.
    let letters = match letters(display_name) {
        none if none.is_empty() => letters(name),
        some => some,
    };
    let mut inked = vec![false; size * size];
    // A letter is 5 by 7 dots, with one dot between two letters.
    let dots = (letters.len() * 6).saturating_sub(1);
    let scale = (size / 14).max(1);
    let left = (size.saturating_sub(dots * scale)) / 2;
    let top = (size.saturating_sub(7 * scale)) / 2;
    for (index, letter) in letters.iter().enumerate() {
        for y in 0..7 * scale {
            for x in 0..5 * scale {
                if letter[y / scale] >> (4 - x / scale) & 1 == 1 {
                    let at = (top + y) * size + left + index * 6 * scale + x;
                    if let Some(dot) = inked.get_mut(at) {
                        *dot = true;
                    }
                }
            }
        }
    }
    png(size, &inked, background)
}

/// The first letters of the first two words that begin with one that can be drawn.
fn letters(words: &str) -> Vec<[u8; 7]> {
    words
        .split(|letter: char| letter.is_whitespace() || letter == '.')
        .filter_map(|word| word.chars().next())
        .filter_map(|letter| glyph(letter.to_ascii_uppercase()))
        .take(2)
        .collect()
}

const PALETTE: [[u8; 3]; 8] = [
    [0x1F, 0x6F, 0xEB],
    [0x8B, 0x3F, 0xB8],
    [0x0B, 0x7A, 0x75],
    [0xB5, 0x4A, 0x16],
    [0x3B, 0x7D, 0x23],
    [0xA8, 0x2A, 0x55],
    [0x4B, 0x55, 0x9F],
    [0x6B, 0x5B, 0x1E],
];

/// One bit a dot: the background's colour, or white where it is inked.
fn png(size: usize, inked: &[bool], background: [u8; 3]) -> Vec<u8> {
    let side = (size as u32).to_be_bytes();
    let mut raw = Vec::with_capacity(size * (size.div_ceil(8) + 1));
    for row in inked.chunks(size) {
        raw.push(0);
        raw.extend(row.chunks(8).map(|dots| {
            dots.iter().enumerate().fold(0_u8, |byte, (at, dot)| byte | u8::from(*dot) << (7 - at))
        }));
    }
    let mut packed = vec![0x78, 0x01];
    let blocks = raw.chunks(0xFFFF).count();
    for (index, block) in raw.chunks(0xFFFF).enumerate() {
        let length = block.len() as u16;
        packed.push(u8::from(index + 1 == blocks));
        packed.extend_from_slice(&length.to_le_bytes());
        packed.extend_from_slice(&(!length).to_le_bytes());
        packed.extend_from_slice(block);
    }
    packed.extend_from_slice(&hash::adler32(&raw).to_be_bytes());

    let mut out = b"\x89PNG\r\n\x1a\n".to_vec();
    let mut header = [side, side].concat();
    header.extend_from_slice(&[1, 3, 0, 0, 0]);
    chunk(&mut out, b"IHDR", &header);
    chunk(&mut out, b"PLTE", &[background, [255, 255, 255]].concat());
    chunk(&mut out, b"IDAT", &packed);
    chunk(&mut out, b"IEND", &[]);
    out
}

fn chunk(out: &mut Vec<u8>, kind: &[u8; 4], data: &[u8]) {
    out.extend_from_slice(&(data.len() as u32).to_be_bytes());
    let start = out.len();
    out.extend_from_slice(kind);
    out.extend_from_slice(data);
    let sum = hash::crc32(&out[start..]);
    out.extend_from_slice(&sum.to_be_bytes());
}

/// Latin capitals in 5 by 7 dots, one byte a row; other scripts have no letter.
fn glyph(letter: char) -> Option<[u8; 7]> {
    let index = "ABCDEFGHIJKLMNOPQRSTUVWXYZ".find(letter)?;
    GLYPHS.get(index).copied()
}

const GLYPHS: [[u8; 7]; 26] = [
    [14, 17, 17, 31, 17, 17, 17],
    [30, 17, 17, 30, 17, 17, 30],
    [14, 17, 16, 16, 16, 17, 14],
    [30, 17, 17, 17, 17, 17, 30],
    [31, 16, 16, 30, 16, 16, 31],
    [31, 16, 16, 30, 16, 16, 16],
    [14, 17, 16, 23, 17, 17, 15],
    [17, 17, 17, 31, 17, 17, 17],
    [14, 4, 4, 4, 4, 4, 14],
    [7, 2, 2, 2, 2, 18, 12],
    [17, 18, 20, 24, 20, 18, 17],
    [16, 16, 16, 16, 16, 16, 31],
    [17, 27, 21, 21, 17, 17, 17],
    [17, 25, 21, 19, 17, 17, 17],
    [14, 17, 17, 17, 17, 17, 14],
    [30, 17, 17, 30, 16, 16, 16],
    [14, 17, 17, 17, 21, 18, 13],
    [30, 17, 17, 30, 20, 18, 17],
    [15, 16, 16, 14, 1, 1, 30],
    [31, 4, 4, 4, 4, 4, 4],
    [17, 17, 17, 17, 17, 17, 14],
    [17, 17, 17, 17, 17, 10, 4],
    [17, 17, 17, 21, 21, 27, 17],
    [17, 17, 10, 4, 10, 17, 17],
    [17, 17, 10, 4, 4, 4, 4],
    [31, 1, 2, 4, 8, 16, 31],
];

#[cfg(test)]
mod tests {
    use super::avatar;

    #[test]
    fn a_name_in_letters_that_are_not_drawn_has_those_of_the_user_name() {
        assert_eq!(avatar("oleg.koval", "Олег Коваль", 64), avatar("oleg.koval", "Oleg Koval", 64));
        assert_ne!(avatar("oleg.koval", "Олег Коваль", 64), avatar("oleg.koval", "Ada", 64));
    }
}
