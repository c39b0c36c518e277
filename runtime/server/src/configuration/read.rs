//! Reading both configuration files, with the faults of both told at once.

use super::file::{HostKeys, SecretFrom, SystemFile, UserFile};
use super::files::{self, Contents};
use super::layout::{self, Folders, Owner};
use super::members::Faults;
use super::report::Line;
use super::sourced::Source;
use crate::cli::Failure;
use crate::environment::Environment;
use std::path::{Path, PathBuf};

/// Both files.
#[derive(Debug, Default)]
pub(super) struct Files {
    pub(super) user: UserFile,
    pub(super) system: SystemFile,
    /// Where they are, or would be.
    pub(super) lines: Vec<Line>,
    pub(super) warnings: Vec<String>,
}

/// Reads the user's file and the system's.
///
/// # Errors
/// Everything that is wrong with them.
pub(super) fn both(environment: &Environment) -> Result<Files, Failure> {
    let named = environment.path("BB_CONFIG")?;
    let mut reading = Reading { environment, files: Files::default(), faults: Vec::new() };
    let system = environment.system_file();
    reading.files.system = reading.one(&system, Owner::System, &Source::Default);
    let user = match named {
        Some(named) => Some((named.value, named.source)),
        None => environment.user_file().map(|path| (path, Source::Default)),
    };
    if let Some((path, source)) = user {
        reading.files.user = reading.one(&path, Owner::User, &source).keys;
    }
    if reading.faults.is_empty() { Ok(reading.files) } else { Err(unusable(&reading.faults)) }
}

/// The failure that these lines are.
pub(super) fn unusable(lines: &[String]) -> Failure {
    Failure::usage(format!("the configuration cannot be used:\n{}", lines.join("\n")))
}

struct Reading<'a> {
    environment: &'a Environment,
    files: Files,
    faults: Vec<String>,
}

impl Reading<'_> {
    fn one(&mut self, path: &Path, owner: Owner, named: &Source) -> SystemFile {
        let shown = path.display().to_string();
        let setting = match owner {
            Owner::User => "user file",
            Owner::System => "system file",
        };
        let contents = match files::configuration(path) {
            Ok(Some(contents)) => contents,
            Ok(None) => {
                if *named == Source::Default {
                    self.files.lines.push(Line::new(
                        setting,
                        format!("{shown} (not there)"),
                        named,
                    ));
                } else {
                    self.faults.push(format!(
                        "{shown}: there is no such file, which {named} names; correct or unset it"
                    ));
                }
                return SystemFile::default();
            }
            Err(text) => {
                self.faults.push(format!("{shown}:1:1: {text}"));
                return SystemFile::default();
            }
        };
        self.files.lines.push(Line::new(setting, shown.clone(), named));
        let text = match text(&contents) {
            Ok(text) => text,
            Err((line, column)) => {
                self.faults.push(format!(
                    "{shown}:{line}:{column}: this is not UTF-8 text; save the file as UTF-8"
                ));
                return SystemFile::default();
            }
        };
        let home: Option<PathBuf> = self.environment.home();
        let folder = path.parent().unwrap_or(Path::new("."));
        let faults = Faults::of(&shown);
        let file =
            layout::read(text, owner, Folders { home: home.as_deref(), file: folder }, &faults);
        self.faults.extend(faults.into_lines());
        if owner == Owner::User {
            self.warn(&shown, &contents, &file.keys);
        }
        file
    }

    fn warn(&mut self, shown: &str, contents: &Contents, keys: &UserFile) {
        let hosts = keys.hosts.iter().flat_map(|hosts| hosts.values());
        let exposed = contents.others_may_read() || contents.others_may_write();
        if exposed && hosts.into_iter().any(has_text_header) {
            self.files.warnings.push(format!(
                "{shown}: others than its owner may read or write this file, and it holds headers \
                 given as text; chmod 600 it, or give them by `env` or `file`"
            ));
        }
    }
}

fn has_text_header(host: &HostKeys) -> bool {
    let mut headers = host.headers.iter().flat_map(|headers| headers.values());
    headers.any(|given| matches!(given.value, SecretFrom::Text(_)))
}

/// The text of a file, or the line and column of the first byte that is none.
fn text(contents: &Contents) -> Result<&str, (usize, usize)> {
    match std::str::from_utf8(&contents.bytes) {
        Ok(text) => Ok(text.strip_prefix('\u{feff}').unwrap_or(text)),
        Err(error) => {
            let before = String::from_utf8_lossy(&contents.bytes[..error.valid_up_to()]);
            let line = before.matches('\n').count() + 1;
            let column = before.rsplit('\n').next().map_or(0, |last| last.chars().count()) + 1;
            Err((line, column))
        }
    }
}
