//! What a kind of view is. It does not know how one is drawn.

/// What the spec says of a kind, compiled.
#[derive(Debug)]
pub struct KindFacts {
    /// The kind's name, as `show` takes it.
    pub name: &'static str,
    /// The name a person reads.
    pub title: &'static str,
    /// The tool whose answer it shows; the kind is offered while that tool is exposed.
    pub source: &'static str,
    /// The arguments of `show` it reads. All of them are needed.
    pub takes: &'static [&'static str],
    /// Tools its buttons call.
    pub actions: &'static [&'static str],
    /// The page's words, by key.
    pub strings: &'static [(&'static str, &'static str)],
}
