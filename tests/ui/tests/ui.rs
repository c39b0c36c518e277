//! Each fixture has one fault, by which it is named, and the compiler's words beside it.

/// Fewer than these mean that the scan looks in the wrong place.
const FEWEST: usize = 7;

/// A longer message is read by nobody.
const LONGEST: usize = 36;

#[test]
fn the_compiler_refuses_every_fixture_in_the_expected_words() {
    trybuild::TestCases::new().compile_fail("fixtures/*.rs");
}

#[test]
fn every_fixture_has_its_words_and_none_quotes_the_standard_library() {
    let mut seen = 0;
    for entry in std::fs::read_dir("fixtures").unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("rs") => {
                seen += 1;
                let words = path.with_extension("stderr");
                assert!(words.exists(), "{} has no words", path.display());
            }
            Some("stderr") => {
                let fixture = path.with_extension("rs");
                assert!(fixture.exists(), "{} belongs to no fixture", path.display());
                assert!(!text.contains("$RUST"), "{} quotes the library", path.display());
                let lines = text.lines().count();
                assert!(lines <= LONGEST, "{} is too long to help", path.display());
            }
            _ => panic!("{} is no fixture", path.display()),
        }
    }
    assert!(seen >= FEWEST, "only {seen} fixtures found");
}
