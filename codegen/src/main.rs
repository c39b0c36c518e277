//! The spec's own tool: checks it, shows what it becomes, writes what people read of it.

use bb_codegen::{Difference, Source, Spec};
use std::path::Path;
use std::process::ExitCode;

const USAGE: &str = "usage: cargo spec check            says everything that is wrong with spec/
       cargo spec show rust TOOL   prints the Rust a tool becomes
       cargo spec show table TOOL  prints its row of the scope table
       cargo bless                 writes the committed artifacts";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let spec = match bb_codegen::load(&root.join("spec")) {
        Ok(spec) => spec,
        Err(diagnostics) => {
            for diagnostic in &diagnostics {
                eprintln!("{diagnostic}\n");
            }
            eprintln!("{} faults in spec/", diagnostics.len());
            return ExitCode::FAILURE;
        }
    };
    let result = match words.as_slice() {
        ["check"] => {
            bb_codegen::sources(&spec).map(|_| String::new()).map_err(|error| error.to_string())
        }
        ["show", "rust", tool] => rust(&spec, tool),
        ["show", "table", tool] => {
            spec.row(tool).ok_or_else(|| format!("there is no tool `{tool}`"))
        }
        ["bless"] => bless(&spec, &root),
        _ => Err(USAGE.to_owned()),
    };
    match result {
        Ok(text) => {
            print(&text);
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

#[expect(
    clippy::print_stdout,
    reason = "this program's output is what it is run for; it serves no protocol"
)]
fn print(text: &str) {
    if !text.is_empty() {
        println!("{text}");
    }
}

fn rust(spec: &Spec, tool: &str) -> Result<String, String> {
    let sources = bb_codegen::sources(spec).map_err(|error| error.to_string())?;
    let path = format!("tools/{tool}.rs");
    let found = sources
        .into_iter()
        .find(|source: &Source| source.path == path || source.path == format!("{tool}.rs"));
    found.map(|source| source.text).ok_or_else(|| format!("there is no tool `{tool}`"))
}

fn bless(spec: &Spec, root: &Path) -> Result<String, String> {
    let differences = bb_codegen::bless(spec, root).map_err(|error| error.to_string())?;
    let lines = differences.iter().map(|difference| match difference {
        Difference::Missing(path) => format!("wrote {path}"),
        Difference::Stale(path, _, _) => format!("rewrote {path}"),
        Difference::Orphan(path) => format!("removed {path}"),
    });
    Ok(lines.collect::<Vec<_>>().join("\n"))
}
