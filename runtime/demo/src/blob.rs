//! The content of one file: bytes, mode, and the id git gives them. Knows
//! nothing of paths.

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use crate::hash;

/// Cheap to clone; the id is computed when somebody asks.
#[derive(Debug, Clone)]
pub(crate) struct Blob(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    bytes: Vec<u8>,
    executable: bool,
    id: OnceLock<String>,
    sum: OnceLock<u64>,
    lines: OnceLock<usize>,
}

/// How far git looks for a NUL before it calls a file text.
const LOOKED_AT: usize = 8000;

impl Blob {
    pub(crate) fn new(bytes: impl Into<Vec<u8>>, executable: bool) -> Blob {
        Blob(Arc::new(Inner {
            bytes: bytes.into(),
            executable,
            id: OnceLock::new(),
            sum: OnceLock::new(),
            lines: OnceLock::new(),
        }))
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.0.bytes
    }

    pub(crate) fn is_executable(&self) -> bool {
        self.0.executable
    }

    pub(crate) fn with_mode(&self, executable: bool) -> Blob {
        Blob::new(self.bytes(), executable)
    }

    pub(crate) fn is_binary(&self) -> bool {
        self.bytes().iter().take(LOOKED_AT).any(|byte| *byte == 0)
    }

    /// The content as text; what is not UTF-8 is replaced.
    pub(crate) fn text(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(self.bytes())
    }

    pub(crate) fn id(&self) -> &str {
        self.0.id.get_or_init(|| hash::blob(self.bytes()))
    }

    /// A sum that tells contents apart and costs little.
    pub(crate) fn sum(&self) -> u64 {
        *self.0.sum.get_or_init(|| hash::quick(self.bytes()))
    }

    /// How many lines there are, the last one without an end included.
    pub(crate) fn lines(&self) -> usize {
        *self.0.lines.get_or_init(|| {
            let ends = self.bytes().iter().filter(|byte| **byte == b'\n').count();
            ends + usize::from(self.bytes().last().is_some_and(|byte| *byte != b'\n'))
        })
    }

    /// git's mode of a regular file.
    pub(crate) fn mode(&self) -> &'static str {
        if self.is_executable() { "100755" } else { "100644" }
    }

    /// Whether the bytes are the same, whatever the modes.
    pub(crate) fn same_content(&self, other: &Blob) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.bytes() == other.bytes()
    }
}

impl From<&str> for Blob {
    fn from(text: &str) -> Blob {
        Blob::new(text.as_bytes(), false)
    }
}

impl PartialEq for Blob {
    fn eq(&self, other: &Blob) -> bool {
        self.is_executable() == other.is_executable() && self.same_content(other)
    }
}

impl Eq for Blob {}
