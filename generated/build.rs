//! Runs the generator over `spec/` and leaves the Rust it wrote in the output folder.

use std::path::Path;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo::rerun-if-changed=../spec");
    let out = std::env::var("OUT_DIR")?;
    bb_codegen::write_rust(Path::new("../spec"), Path::new(&out))?;
    Ok(())
}
