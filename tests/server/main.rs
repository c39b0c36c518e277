//! The real binary over stdio.
