//! What commands other than `serve` print. While serving, nothing but the transport writes to
//! standard output.

use crate::cli::Failure;
use std::io::Write as _;

/// Writes a text to standard output. A reader that has gone away is no failure.
pub(crate) fn write(text: &str) -> Result<(), Failure> {
    let mut output = std::io::stdout().lock();
    match output.write_all(text.as_bytes()).and_then(|()| output.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(Failure::internal(format!("standard output cannot be written: {error}")))
        }
        Ok(()) | Err(_) => Ok(()),
    }
}
