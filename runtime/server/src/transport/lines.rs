//! Lines of bounded length from any reader.

use std::io::{self, BufRead as _, BufReader, Read};

/// How much of an overlong line is kept, to find the id it asks under.
const HEAD: usize = 4096;
/// A line's buffer above this is given back after it has been read.
const KEPT: usize = 64 << 10;

/// One line without its end.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// The whole of it.
    Whole(Vec<u8>),
    /// The beginning of one that was too long.
    TooLong(Vec<u8>),
}

/// Reads lines.
#[derive(Debug)]
pub(super) struct Lines<R> {
    reader: BufReader<R>,
    longest: usize,
}

impl<R: Read> Lines<R> {
    pub(super) fn new(reader: R, longest: usize) -> Self {
        Self { reader: BufReader::with_capacity(KEPT, reader), longest }
    }

    /// The next line; `None` at the end or when the reader fails. A last line without an end is
    /// no message: its writer was cut off.
    pub(super) fn next(&mut self) -> Option<Line> {
        let (mut line, mut too_long) = (Vec::new(), false);
        loop {
            let chunk = match self.reader.fill_buf() {
                Ok(chunk) if !chunk.is_empty() => chunk,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Ok(_) | Err(_) => return None,
            };
            let end = chunk.iter().position(|byte| *byte == b'\n');
            let part = &chunk[..end.unwrap_or(chunk.len())];
            if !too_long && line.len() + part.len() > self.longest {
                too_long = true;
            }
            if too_long {
                let room = HEAD.saturating_sub(line.len());
                line.extend_from_slice(&part[..part.len().min(room)]);
                line.truncate(HEAD);
                line.shrink_to(HEAD);
            } else {
                line.extend_from_slice(part);
            }
            let taken = part.len() + usize::from(end.is_some());
            self.reader.consume(taken);
            if end.is_some() {
                return Some(if too_long { Line::TooLong(line) } else { Line::Whole(line) });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Line, Lines};

    #[test]
    fn lines_are_bounded_and_the_next_one_is_whole() {
        let text = format!("short\n\n{}\nafter\ncut off", "x".repeat(10_000));
        let mut lines = Lines::new(text.as_bytes(), 8_000);
        assert_eq!(lines.next(), Some(Line::Whole(b"short".to_vec())));
        assert_eq!(lines.next(), Some(Line::Whole(Vec::new())));
        assert_eq!(lines.next(), Some(Line::TooLong(vec![b'x'; 4096])));
        assert_eq!(lines.next(), Some(Line::Whole(b"after".to_vec())));
        assert_eq!(lines.next(), None);
    }

    #[test]
    fn a_line_of_exactly_the_limit_is_taken() {
        let text = format!("{}\n{}\n", "a".repeat(100), "b".repeat(101));
        let mut lines = Lines::new(text.as_bytes(), 100);
        assert_eq!(lines.next(), Some(Line::Whole(vec![b'a'; 100])));
        assert_eq!(lines.next(), Some(Line::TooLong(vec![b'b'; 101])));
    }
}
