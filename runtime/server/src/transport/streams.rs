//! Taking standard input and output for the protocol alone.

use std::fs::File;
use std::io;

/// The protocol's two ends.
#[derive(Debug)]
pub(crate) struct Streams {
    pub(super) input: File,
    pub(super) output: File,
}

/// The other end of streams that stay inside the process.
#[derive(Debug)]
pub(crate) struct Other {
    /// What the server reads is written here.
    pub(crate) input: std::io::PipeWriter,
    /// What the server writes is read here.
    pub(crate) output: std::io::PipeReader,
}

impl Streams {
    /// Streams inside the process: the same transport, guard and all, with somebody else at the
    /// other end than a client.
    pub(crate) fn inside() -> io::Result<(Self, Other)> {
        let (input, to_input) = std::io::pipe()?;
        let (from_output, output) = std::io::pipe()?;
        Ok((
            Self { input: file(input), output: file(output) },
            Other { input: to_input, output: from_output },
        ))
    }
}

#[cfg(unix)]
fn file(end: impl Into<std::os::fd::OwnedFd>) -> File {
    File::from(end.into())
}

#[cfg(windows)]
fn file(end: impl Into<std::os::windows::io::OwnedHandle>) -> File {
    File::from(end.into())
}

#[cfg(unix)]
impl Streams {
    /// Duplicates descriptors 0 and 1 for the protocol and lets descriptor 1 point where errors go:
    /// whatever prints by mistake cannot break the protocol.
    pub(crate) fn take() -> io::Result<Self> {
        use std::os::fd::AsFd as _;
        let input = std::io::stdin().as_fd().try_clone_to_owned()?;
        let output = std::io::stdout().as_fd().try_clone_to_owned()?;
        if rustix::stdio::dup2_stdout(std::io::stderr().as_fd()).is_err() {
            // No standard error either: let it go nowhere.
            let nowhere = File::options().write(true).open("/dev/null")?;
            rustix::stdio::dup2_stdout(nowhere.as_fd()).map_err(io::Error::from)?;
        }
        Ok(Self { input: File::from(input), output: File::from(output) })
    }
}

#[cfg(windows)]
impl Streams {
    /// Duplicates the standard handles for the protocol. Windows' standard output is not diverted:
    /// there the lint against printing stands alone.
    pub(crate) fn take() -> io::Result<Self> {
        use std::os::windows::io::AsHandle as _;
        let input = std::io::stdin().as_handle().try_clone_to_owned()?;
        let output = std::io::stdout().as_handle().try_clone_to_owned()?;
        Ok(Self { input: File::from(input), output: File::from(output) })
    }
}
