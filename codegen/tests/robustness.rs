//! Whatever stands in a spec's files, the outcome is output or diagnostics, never a panic.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod fixture;

use bb_codegen::{load, sources};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::TestRunner;
use std::fs;
use std::ops::Range;
use std::path::Path;

/// What YAML gives a meaning to, and what the spec does.
const SPECIALS: &[&str] = &[
    "&a ",
    "*a",
    "<<: ",
    "!!int ",
    "!x ",
    "- ",
    "? ",
    ": ",
    " #",
    "|",
    ">-",
    "\"",
    "'",
    "%",
    "@",
    "{",
    "}",
    "[",
    "]",
    ",",
    "\t",
    "\n",
    "\r",
    "\u{feff}",
    "\0",
    "~",
    "null",
    "---\n",
    "...\n",
    "true",
    "yes",
    "-1",
    "9223372036854775808",
    "1e999",
    ".nan",
    "=",
    "{project}",
    "..",
    "/",
    "$ref",
    "é",
    "\u{2028}",
    "type",
    "self",
    "x-open-enum: true",
    "pages: true",
    "each",
    "custom",
];

/// Words that are taken, or none, where a name or a type is expected.
const WORDS: &[&str] = &[
    "2ND",
    "a b",
    "A",
    "é",
    "self",
    "type",
    "fn",
    "new",
    "Self",
    "Other",
    "Option",
    "User",
    "Error",
    "object",
    "array",
    "string",
    "integer",
    "boolean",
    "number",
    "null",
    "true",
    "12",
    "-1",
    "path",
    "query",
    "header",
    "text/event-stream",
    "image/png",
    "204",
    "2XX",
    "default",
    "get",
    "post",
    "project",
    "repo",
    "filter",
    "own",
    "noted",
    "unbounded",
    "choice",
    "flag",
    "\"[text]\"",
    "count",
    "custom",
    "kinds",
    "a.b.c",
    "=",
    "x-instant",
    "allOf",
    "oneOf",
    "nullable",
    "additionalProperties",
    "discriminator",
    "format",
    "enum",
    "items",
    "properties",
];

/// One change to a file.
#[derive(Debug, Clone)]
enum Mutation {
    Byte(Index, u8),
    DeleteLine(Index),
    DoubleLine(Index),
    SwapLines(Index, Index),
    SwapValues(Index, Index),
    Truncate(Index),
    Insert(Index, Index),
    ReplaceWord(Index, Index),
    CopyWord(Index, Index),
    Deep(Index, usize, bool),
}

fn mutation() -> impl Strategy<Value = Mutation> {
    let at = any::<Index>;
    prop_oneof![
        2 => (at(), any::<u8>()).prop_map(|(place, byte)| Mutation::Byte(place, byte)),
        4 => at().prop_map(Mutation::DeleteLine),
        3 => at().prop_map(Mutation::DoubleLine),
        3 => (at(), at()).prop_map(|(one, other)| Mutation::SwapLines(one, other)),
        8 => (at(), at()).prop_map(|(one, other)| Mutation::SwapValues(one, other)),
        1 => at().prop_map(Mutation::Truncate),
        5 => (at(), at()).prop_map(|(place, what)| Mutation::Insert(place, what)),
        6 => (at(), at()).prop_map(|(place, what)| Mutation::ReplaceWord(place, what)),
        6 => (at(), at()).prop_map(|(place, from)| Mutation::CopyWord(place, from)),
        1 => (at(), 1..20_000_usize, any::<bool>())
            .prop_map(|(place, depth, flow)| Mutation::Deep(place, depth, flow)),
    ]
}

fn mutated(mut bytes: Vec<u8>, mutation: &Mutation) -> Vec<u8> {
    if bytes.is_empty() {
        return bytes;
    }
    let mut lines: Vec<Vec<u8>> =
        bytes.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
    match mutation {
        Mutation::Byte(place, byte) => {
            let place = place.index(bytes.len());
            bytes[place] = *byte;
            return bytes;
        }
        Mutation::DeleteLine(place) => {
            lines.remove(place.index(lines.len()));
        }
        Mutation::DoubleLine(place) => {
            let place = place.index(lines.len());
            lines.insert(place, lines[place].clone());
        }
        Mutation::SwapLines(one, other) => {
            let (one, other) = (one.index(lines.len()), other.index(lines.len()));
            lines.swap(one, other);
        }
        // Keys stay, so that what comes out is YAML and reaches the later checks.
        Mutation::SwapValues(one, other) => {
            let (one, other) = (one.index(lines.len()), other.index(lines.len()));
            let cut = |line: &[u8]| line.windows(2).position(|pair| pair == b": ");
            if let (Some(here), Some(there)) = (cut(&lines[one]), cut(&lines[other])) {
                let swapped = [&lines[one][..here], &lines[other][there..]].concat();
                lines[one] = swapped;
            }
        }
        Mutation::Truncate(place) => {
            bytes.truncate(place.index(bytes.len()));
            return bytes;
        }
        Mutation::Insert(place, what) => {
            let place = place.index(bytes.len());
            let what = SPECIALS[what.index(SPECIALS.len())];
            bytes.splice(place..place, what.bytes());
            return bytes;
        }
        Mutation::ReplaceWord(place, what) => {
            let what = WORDS[what.index(WORDS.len())];
            let words = words(&bytes);
            bytes.splice(words[place.index(words.len())].clone(), what.bytes());
            return bytes;
        }
        Mutation::CopyWord(place, from) => {
            let words = words(&bytes);
            let from = bytes[words[from.index(words.len())].clone()].to_vec();
            bytes.splice(words[place.index(words.len())].clone(), from);
            return bytes;
        }
        Mutation::Deep(place, depth, flow) => {
            let place = place.index(bytes.len());
            let what = if *flow { "[".repeat(*depth) } else { "- ".repeat(*depth) };
            bytes.splice(place..place, what.bytes());
            return bytes;
        }
    }
    lines.concat()
}

/// Where the file's words stand: what YAML would call plain scalars, or parts of them.
fn words(bytes: &[u8]) -> Vec<Range<usize>> {
    let mut words = Vec::new();
    let mut start = None;
    for (at, byte) in bytes.iter().chain(b"\n").enumerate() {
        let inside = byte.is_ascii_alphanumeric() || b"_-$./#=".contains(byte);
        match (inside, start) {
            (true, None) => start = Some(at),
            (false, Some(from)) => {
                words.push(from..at);
                start = None;
            }
            _ => {}
        }
    }
    // A file without a word gets one.
    if words.is_empty() {
        words.push(0..0);
    }
    words
}

fn files(folder: &Path) -> Vec<String> {
    let mut files = vec!["server.yaml".to_owned(), "types.yaml".to_owned()];
    for part in ["tools", "views"] {
        files
            .extend(fixture::names(&folder.join(part)).iter().map(|name| format!("{part}/{name}")));
    }
    // Most of what can go wrong is in the document.
    files.extend(vec!["bitbucket/openapi.yaml".to_owned(); files.len()]);
    files
}

/// Mutates one file at a time of a spec, `cases` times; how often it still loaded.
fn mutate(folder: &Path, cases: u32) -> usize {
    let files = files(folder);
    let config = ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() };
    let strategy = (any::<Index>(), vec(mutation(), 1..3));
    let loaded = std::cell::Cell::new(0);
    TestRunner::new(config)
        .run(&strategy, |(file, mutations)| {
            let path = folder.join(&files[file.index(files.len())]);
            let original = fs::read(&path).unwrap();
            fs::write(&path, mutations.iter().fold(original.clone(), mutated)).unwrap();
            let outcome = std::panic::catch_unwind(|| match load(folder) {
                Ok(spec) => sources(&spec).map(|_| ()).map_err(|fault| fault.to_string()),
                Err(faults) => {
                    assert!(!faults.is_empty(), "refused without a reason");
                    for fault in faults {
                        assert!(fault.to_string().contains(fault.path()));
                    }
                    Err(String::new())
                }
            });
            fs::write(&path, original).unwrap();
            match outcome {
                Ok(Ok(())) => loaded.set(loaded.get() + 1),
                Ok(Err(message)) => prop_assert!(message.is_empty(), "let through: {message}"),
                Err(_) => prop_assert!(false, "a panic"),
            }
            Ok(())
        })
        .unwrap_or_else(|failure| panic!("{failure}"));
    loaded.get()
}

/// How many cases: few enough to be quick; `CASES=5000` looks further.
fn cases(usual: u32) -> u32 {
    std::env::var("CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

#[test]
fn no_change_to_the_real_spec_makes_it_panic() {
    let root = fixture::scratch("mutated-real");
    for part in ["spec", "view/page"] {
        fixture::copy(&fixture::repository().join(part), &root.join(part));
    }
    let loaded = mutate(&root.join("spec"), cases(40));
    assert!(loaded > 0, "no mutation went as far as generation");
}

#[test]
fn no_change_to_the_base_spec_makes_it_panic() {
    let loaded = mutate(&fixture::base("mutated-base"), cases(120));
    assert!(loaded > 0, "no mutation went as far as generation");
}

#[test]
fn no_file_is_nested_so_deep_that_the_stack_ends() {
    let folder = fixture::base("deep");
    for (opening, closing) in [("[", "]"), ("{a: ", "}"), ("- ", ""), ("? ", ""), ("a:\n ", "")] {
        let text = opening.repeat(100_000) + &closing.repeat(100_000);
        fs::write(folder.join("server.yaml"), text).unwrap();
        let faults = load(&folder).err().unwrap_or_default();
        assert!(faults.iter().any(|fault| fault.path() == "spec/server.yaml"), "{opening}");
    }
}
