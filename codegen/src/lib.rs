//! From `spec/` to Rust, tables and schemas: load → lower → emit.
//!
//! It depends on none of the crates it writes for, and knows their types by name only, so it
//! builds before everything. Whatever a spec holds, the outcome is output or diagnostics, never
//! a panic.

mod artifacts;
mod diagnostic;
mod document;
mod emit;
mod lower;
mod model;
mod node;
mod reader;
mod slugs;

pub use artifacts::{Artifact, Difference, artifacts, bless, differences};
pub use diagnostic::Diagnostic;
pub use emit::{Source, failed, sources};
pub use model::Spec;
pub use slugs::{Entry, SLUGS};

use std::path::Path;

/// Reads and checks a spec folder.
///
/// # Errors
/// Everything that is wrong with it, sorted by place.
pub fn load(folder: &Path) -> Result<Spec, Vec<Diagnostic>> {
    lower::load(folder)
}

/// The Rust that a build script leaves in its output folder: the whole of it, or one
/// `compile_error!` for each thing wrong with the spec.
#[must_use]
pub fn rust(folder: &Path) -> Vec<Source> {
    match load(folder).and_then(|spec| sources(&spec).map_err(|error| vec![error])) {
        Ok(sources) => sources,
        Err(diagnostics) => vec![failed(&diagnostics)],
    }
}

/// Writes the Rust into a build script's output folder. A file whose text is already right is
/// left alone, so that an edit of one tool does not compile the client again.
///
/// # Errors
/// When a file cannot be written.
pub fn write_rust(folder: &Path, out: &Path) -> std::io::Result<()> {
    for source in rust(folder) {
        let path = out.join(&source.path);
        if std::fs::read_to_string(&path).is_ok_and(|old| old == source.text) {
            continue;
        }
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent)?;
        }
        std::fs::write(path, source.text)?;
    }
    Ok(())
}
