//! A difference as git writes it.

use std::fmt::Write as _;

use super::{Change, Hunk, Whitespace};
use crate::blob::Blob;
use crate::state::LineType;

/// The unified diff of one file, with git's headers.
pub(crate) fn unified(change: &Change, context: usize, whitespace: Whitespace) -> String {
    let hunks = if change.is_binary() { Vec::new() } else { change.hunks(context, whitespace) };
    let mut out = String::new();
    // Writing to a `String` cannot fail.
    let _ = write_change(&mut out, change, &hunks);
    out
}

fn write_change(out: &mut String, change: &Change, hunks: &[Hunk]) -> std::fmt::Result {
    let old = change.source_path().unwrap_or(change.path());
    let new = change.path();
    writeln!(out, "diff --git {} {}", quoted("a/", old), quoted("b/", new))?;
    let id = |side: &Option<(String, Blob)>| {
        side.as_ref().map_or_else(
            || "0".repeat(11),
            |(_, content)| content.id().chars().take(11).collect::<String>(),
        )
    };
    let (from, to) = (id(&change.before), id(&change.after));
    match (&change.before, &change.after) {
        (None, Some((_, after))) => {
            writeln!(out, "new file mode {}\nindex {from}..{to}", after.mode())?;
        }
        (Some((_, before)), None) => {
            writeln!(out, "deleted file mode {}\nindex {from}..{to}", before.mode())?;
        }
        (Some((_, before)), Some((_, after))) => {
            if before.mode() != after.mode() {
                writeln!(out, "old mode {}\nnew mode {}", before.mode(), after.mode())?;
            }
            if let Some(source) = change.source_path() {
                let word = if change.copied { "copy" } else { "rename" };
                writeln!(
                    out,
                    "similarity index {}%\n{word} from {}\n{word} to {}",
                    change.unchanged(),
                    quoted("", source),
                    quoted("", new)
                )?;
            }
            if from != to && before.mode() == after.mode() {
                writeln!(out, "index {from}..{to} {}", after.mode())?;
            } else if from != to {
                writeln!(out, "index {from}..{to}")?;
            }
        }
        (None, None) => {}
    }
    let side = |prefix: &str, path: &str, there: bool| {
        if there {
            // A tab ends a name with a blank in it, so that `patch` can read it.
            let tab = if path.contains(' ') { "\t" } else { "" };
            format!("{}{tab}", quoted(prefix, path))
        } else {
            "/dev/null".to_owned()
        }
    };
    if change.is_binary() {
        if from == to {
            return Ok(());
        }
        return writeln!(
            out,
            "Binary files {} and {} differ",
            side("a/", old, change.before.is_some()),
            side("b/", new, change.after.is_some())
        );
    }
    if hunks.is_empty() {
        return Ok(());
    }
    writeln!(out, "--- {}", side("a/", old, change.before.is_some()))?;
    writeln!(out, "+++ {}", side("b/", new, change.after.is_some()))?;
    for hunk in hunks {
        write_hunk(out, hunk)?;
    }
    Ok(())
}

fn write_hunk(out: &mut String, hunk: &Hunk) -> std::fmt::Result {
    let range = |line: usize, span: usize| match span {
        1 => line.to_string(),
        _ => format!("{line},{span}"),
    };
    writeln!(
        out,
        "@@ -{} +{} @@",
        range(hunk.source_line, hunk.source_span),
        range(hunk.destination_line, hunk.destination_span)
    )?;
    for line in &hunk.lines {
        let mark = match line.kind {
            LineType::Added => '+',
            LineType::Removed => '-',
            LineType::Context => ' ',
        };
        writeln!(out, "{mark}{}", line.text)?;
        if line.unended {
            writeln!(out, "\\ No newline at end of file")?;
        }
    }
    Ok(())
}

/// A path as git prints it: in C quotes when it holds anything odd.
fn quoted(prefix: &str, path: &str) -> String {
    let odd = |byte: u8| !(0x20..0x7F).contains(&byte) || byte == b'"' || byte == b'\\';
    if !path.bytes().any(odd) {
        return format!("{prefix}{path}");
    }
    let mut out = format!("\"{prefix}");
    for byte in path.bytes() {
        match byte {
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            b'\n' => out.push_str("\\n"),
            b'\t' => out.push_str("\\t"),
            _ if odd(byte) => out.push_str(&format!("\\{byte:03o}")),
            _ => out.push(char::from(byte)),
        }
    }
    out.push('"');
    out
}
