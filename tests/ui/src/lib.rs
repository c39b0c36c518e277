//! What the compiler refuses of a tool, and in which words. All of it is in `tests/`.
//!
//! It depends on the contract alone: trybuild compiles everything this crate depends on afresh.
