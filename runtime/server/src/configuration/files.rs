//! Opening files a configuration consists of or names, with bounds on what is read.
//!
//! It does not know what is in them. No error here quotes a file's content, and none of a secret
//! file its path, because who mistakes the key gives the secret itself.

use std::fs::{File, Metadata};
use std::io::{ErrorKind, Read as _};
use std::path::Path;

/// Most bytes of a configuration file, and of a PEM file.
const LARGEST: u64 = 1 << 20;

const PASTED: &str = "this is the content of a file; give the path of the file";

/// Most bytes of a file that holds a secret.
const LARGEST_SECRET: u64 = 64 << 10;

/// What a file has, and who may do what with it.
#[derive(Debug)]
pub(super) struct Contents {
    /// Its bytes.
    pub(super) bytes: Vec<u8>,
    metadata: Metadata,
}

impl Contents {
    /// Whether others than the file's owner may read it.
    pub(super) fn others_may_read(&self) -> bool {
        self.mode() & 0o044 != 0
    }

    /// Whether others than the file's owner may write to it.
    pub(super) fn others_may_write(&self) -> bool {
        self.mode() & 0o022 != 0
    }

    #[cfg(unix)]
    fn mode(&self) -> u32 {
        std::os::unix::fs::MetadataExt::mode(&self.metadata)
    }

    /// Elsewhere rights are lists that this program does not read.
    #[cfg(not(unix))]
    fn mode(&self) -> u32 {
        let _ = &self.metadata;
        0
    }
}

/// Reads a configuration file; none when there is no such file.
///
/// # Errors
/// What is wrong with it, and what to do.
pub(super) fn configuration(path: &Path) -> Result<Option<Contents>, String> {
    match std::fs::metadata(path) {
        // A link to nothing is there, and whoever made it meant something by it.
        Err(error)
            if error.kind() == ErrorKind::NotFound && std::fs::symlink_metadata(path).is_err() =>
        {
            Ok(None)
        }
        Err(error) => Err(format!("the file cannot be read ({error}); mend that or remove it")),
        Ok(_) => regular(path, LARGEST).map(Some),
    }
}

/// Reads certificates.
///
/// # Errors
/// What is wrong, with the path.
pub(super) fn pem(path: &Path) -> Result<Vec<u8>, String> {
    if is_content(path) {
        return Err(PASTED.to_owned());
    }
    regular(path, LARGEST)
        .map(|contents| contents.bytes)
        .map_err(|text| format!("{}: {text}", path.display()))
}

/// Reads a private key.
///
/// # Errors
/// What is wrong, without path or content.
pub(super) fn key(path: &Path) -> Result<Vec<u8>, String> {
    if is_content(path) {
        return Err(PASTED.to_owned());
    }
    regular(path, LARGEST).map(|contents| contents.bytes)
}

/// Whether somebody has given a file's content where its path belongs.
fn is_content(path: &Path) -> bool {
    let text = path.as_os_str().to_string_lossy();
    text.contains('\n') || text.contains("-----BEGIN")
}

/// Reads a secret, without the line break at its end.
///
/// # Errors
/// What is wrong, without path or content.
pub(super) fn secret(path: &Path) -> Result<(String, bool), String> {
    let contents = regular(path, LARGEST_SECRET).map_err(|text| match path.parent() {
        Some(folder) if folder.as_os_str().is_empty() => {
            format!("{text} (looked for in the working folder)")
        }
        Some(folder) if folder.is_dir() => format!("{text} (looked for in {})", folder.display()),
        _ => format!("{text} (nor is there its folder)"),
    })?;
    let exposed = contents.others_may_read();
    let text = String::from_utf8(contents.bytes)
        .map_err(|_| "the file named there is not UTF-8 text; write it again".to_owned())?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let text = text.strip_suffix('\n').unwrap_or(text);
    let text = text.strip_suffix('\r').unwrap_or(text);
    if text.trim().is_empty() {
        return Err("the file named there is empty; write the secret into it".to_owned());
    }
    if text.contains(['\n', '\r']) {
        return Err("the file named there has more than one line; write the secret alone into it"
            .to_owned());
    }
    Ok((text.to_owned(), exposed))
}

fn regular(path: &Path, largest: u64) -> Result<Contents, String> {
    let unreadable = |error: std::io::Error| match error.kind() {
        ErrorKind::NotFound => "there is no such file; correct the path".to_owned(),
        _ => format!("the file cannot be read ({error}); mend that"),
    };
    // Before it is opened, since opening a pipe waits for who writes to it.
    let metadata = std::fs::metadata(path).map_err(unreadable)?;
    if !metadata.is_file() {
        return Err("this is no regular file; give a file".to_owned());
    }
    let file = File::open(path).map_err(unreadable)?;
    let metadata = file.metadata().map_err(unreadable)?;
    let mut bytes = Vec::new();
    file.take(largest + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() as u64 > largest {
        return Err(format!("the file is larger than {} KiB; give the right one", largest >> 10));
    }
    Ok(Contents { bytes, metadata })
}
