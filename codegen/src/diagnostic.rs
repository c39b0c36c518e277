//! What is wrong with a spec, where, and what to do. It does not know the checks.

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// A file of the spec as it was read.
#[derive(Debug)]
pub(crate) struct File {
    /// Its path from the repository's root, with slashes.
    pub(crate) path: String,
    /// Its text.
    pub(crate) text: String,
}

/// One fault of a spec.
#[derive(Debug, Clone)]
pub struct Diagnostic {
    /// The check that found it.
    pub slug: &'static str,
    pub(crate) file: Arc<File>,
    pub(crate) span: Range<usize>,
    pub(crate) message: String,
    pub(crate) label: String,
    pub(crate) help: String,
}

impl Diagnostic {
    /// Line and column, both from 1, the column in characters.
    #[must_use]
    pub fn place(&self) -> (usize, usize) {
        let before = self.file.text.get(..self.span.start).unwrap_or_default();
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        (line, column)
    }

    /// The file's path.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.file.path
    }

    /// The fault in one sentence.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    pub(crate) fn order(&self) -> (String, usize, &'static str) {
        (self.file.path.clone(), self.span.start, self.slug)
    }
}

impl fmt::Display for Diagnostic {
    /// Message, place, excerpt with a caret, and help.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let title = format!("{} [{}]", self.message, self.slug);
        if self.file.text.is_empty() {
            return write!(
                formatter,
                "error: {title}\n --> {}:1:1\n  = help: {}",
                self.file.path, self.help
            );
        }
        let mut mark = AnnotationKind::Primary.span(self.span.clone());
        if !self.label.is_empty() {
            mark = mark.label(self.label.as_str());
        }
        let snippet =
            Snippet::source(self.file.text.as_str()).path(self.file.path.as_str()).annotation(mark);
        let report = &[Level::ERROR
            .primary_title(title.as_str())
            .element(snippet)
            .element(Level::HELP.message(self.help.as_str()))];
        formatter.write_str(&Renderer::plain().render(report))
    }
}
