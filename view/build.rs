//! Joins the page's modules and styles, in their stated order, into one text each, and lists the
//! preview's files.

use std::path::Path;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=page");
    println!("cargo::rerun-if-changed=preview");
    let out = env::var("OUT_DIR").map_err(io::Error::other)?;
    for (list, joined) in [("modules.txt", "script.js"), ("styles.txt", "style.css")] {
        let names = fs::read_to_string(Path::new("page").join(list))?;
        let mut text = String::new();
        for name in names.lines().filter(|name| !name.is_empty()) {
            text.push_str(&fs::read_to_string(Path::new("page").join(name))?);
            text.push('\n');
        }
        fs::write(Path::new(&out).join(joined), text)?;
    }
    let mut names = Vec::new();
    for entry in fs::read_dir("preview")? {
        names.push(
            entry?
                .file_name()
                .into_string()
                .map_err(|_| io::Error::other("a name that is no UTF-8"))?,
        );
    }
    names.sort();
    let mut rust = String::from("/// Names and texts.\npub const FILES: &[(&str, &str)] = &[\n");
    for name in names {
        // The text itself and not its path: a folder that moves with its target stays whole.
        let text = fs::read_to_string(Path::new("preview").join(&name))?;
        rust.push_str(&format!("    ({name:?}, {text:?}),\n"));
    }
    rust.push_str("];\n");
    fs::write(Path::new(&out).join("preview.rs"), rust)
}
