//! What `build.rs` made of `spec/`: the client, the operations, the handles, the tools.
//! Edit the spec, or the generator; never this.

include!(concat!(env!("OUT_DIR"), "/root.rs"));

#[cfg(test)]
mod tests;
