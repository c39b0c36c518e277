//! The one place that reads the environment.
//!
//! A blank variable counts as one that is not set. It does not know what a value has to be.

use crate::cli::Failure;
use crate::configuration::{Source, Sourced};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};

/// Where the system's configuration file is. Nothing a user controls has a say in it.
#[cfg(not(windows))]
const SYSTEM_FILE: &str = "/etc/bb/config.yaml";
#[cfg(windows)]
const SYSTEM_FILE: &str = r"C:\ProgramData\bb\config.yaml";

/// The environment as it was at the start.
pub(crate) struct Environment(BTreeMap<OsString, OsString>);

impl fmt::Debug for Environment {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Some of the values are secrets.
        formatter.write_str("(environment)")
    }
}

impl Environment {
    /// The process's own.
    pub(crate) fn read() -> Self {
        Self::of(std::env::vars_os())
    }

    /// One that holds these variables.
    pub(crate) fn of(variables: impl IntoIterator<Item = (OsString, OsString)>) -> Self {
        Self(variables.into_iter().map(|(name, value)| (known_as(name), value)).collect())
    }

    /// The value of a variable.
    ///
    /// # Errors
    /// When it is set and no text.
    pub(crate) fn text(&self, name: &'static str) -> Result<Option<Sourced<String>>, Failure> {
        let value = self.named(name).map_err(Failure::usage)?;
        Ok(value.map(|value| Sourced { value, source: Source::Variable(name) }))
    }

    /// The first of these that is set.
    ///
    /// # Errors
    /// When it is no text.
    pub(crate) fn first(&self, names: &[&'static str]) -> Result<Option<Sourced<String>>, Failure> {
        for name in names {
            if let Some(value) = self.text(name)? {
                return Ok(Some(value));
            }
        }
        Ok(None)
    }

    /// The value of a variable that a configuration file names.
    ///
    /// # Errors
    /// A sentence, when it is set and no text.
    pub(crate) fn named(&self, name: &str) -> Result<Option<String>, String> {
        match self.0.get(&known_as(name.into())) {
            None => Ok(None),
            Some(value) => match value.to_str() {
                Some(text) => Ok((!text.trim().is_empty()).then(|| text.to_owned())),
                None => Err(format!("{name} is not UTF-8 text; set it again")),
            },
        }
    }

    /// A variable that switches something on or off.
    ///
    /// # Errors
    /// When it is set to something else.
    pub(crate) fn switch(&self, name: &'static str) -> Result<Option<Sourced<bool>>, Failure> {
        let Some(given) = self.text(name)? else { return Ok(None) };
        let switch = given.try_map(|text| match text.trim().to_ascii_lowercase().as_str() {
            "1" | "true" | "yes" => Ok(true),
            "0" | "false" | "no" => Ok(false),
            _ => Err("neither on nor off; give 1, true or yes, or 0, false or no".to_owned()),
        });
        switch.map(Some).map_err(Failure::usage)
    }

    /// A variable that holds a path; `~/` is the home folder.
    ///
    /// # Errors
    /// When it is no text.
    pub(crate) fn path(&self, name: &'static str) -> Result<Option<Sourced<PathBuf>>, Failure> {
        let home = self.home();
        let path = |text: String| match (text.strip_prefix("~/"), &home) {
            (Some(rest), Some(home)) => home.join(rest),
            _ => PathBuf::from(text),
        };
        Ok(self.text(name)?.map(|given| given.map(path)))
    }

    /// The home folder.
    pub(crate) fn home(&self) -> Option<PathBuf> {
        self.folder(if cfg!(windows) { "USERPROFILE" } else { "HOME" })
    }

    /// Where the user's configuration file is by default.
    pub(crate) fn user_file(&self) -> Option<PathBuf> {
        let folder = if cfg!(windows) {
            self.folder("APPDATA")
        } else {
            // Also on macOS, where other command line tools look too.
            self.folder("XDG_CONFIG_HOME").or_else(|| Some(self.home()?.join(".config")))
        };
        Some(folder?.join("bb").join("config.yaml"))
    }

    /// Where the system's configuration file is.
    #[cfg(debug_assertions)]
    pub(crate) fn system_file(&self) -> PathBuf {
        // Tests cannot write to /etc. A release has no such variable: it would be a way around
        // every policy.
        self.0
            .get(&OsString::from("BB_TEST_SYSTEM_CONFIG"))
            .map_or_else(|| SYSTEM_FILE.into(), PathBuf::from)
    }

    /// Where the system's configuration file is.
    #[cfg(not(debug_assertions))]
    #[expect(
        clippy::unused_self,
        reason = "the same call in debug builds, where tests name another"
    )]
    pub(crate) fn system_file(&self) -> PathBuf {
        SYSTEM_FILE.into()
    }

    /// A folder that a variable names by its whole path.
    fn folder(&self, name: &str) -> Option<PathBuf> {
        let path = Path::new(self.0.get(&known_as(name.into()))?);
        path.is_absolute().then(|| path.to_owned())
    }
}

/// Names of variables have no case on Windows.
fn known_as(name: OsString) -> OsString {
    if cfg!(windows) { name.to_ascii_uppercase() } else { name }
}
