//! What the configuration came to, for people: each setting, its value, and where it was given.
//! No secret is shown, only that there is one.

use super::Configuration;
use super::sourced::{Source, Sourced};

/// One setting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Line {
    /// What is set.
    pub(crate) setting: String,
    /// Its value, or `(set)` of a secret.
    pub(crate) shown: String,
    /// Where it was given: a flag, a variable, a file and line, or `default`.
    pub(crate) source: String,
}

impl Line {
    pub(super) fn new(setting: &str, shown: impl Into<String>, source: &Source) -> Self {
        Self { setting: setting.to_owned(), shown: shown.into(), source: source.to_string() }
    }
}

impl Configuration {
    /// Every setting that counts for this start.
    pub(crate) fn report(&self) -> Vec<Line> {
        let mut lines = self.files.clone();
        match &self.target {
            Some(target) => lines.extend(target.lines.iter().cloned()),
            None => lines.push(Line::new("host", "demo", &Source::Flag("--demo"))),
        }
        let seconds = self.request_timeout.value.as_secs().to_string();
        lines.push(Line::new("request_timeout", seconds, &self.request_timeout.source));
        lines.push(Line::new("log_level", self.log_level.value.word(), &self.log_level.source));
        let policy = &self.policy;
        if let Some(hosts) = &policy.allowed_hosts {
            let shown: Vec<String> = hosts.value.iter().map(ToString::to_string).collect();
            lines.push(Line::new("policy.allowed_hosts", shown.join(", "), &hosts.source));
        }
        if let Some(file) = &policy.mcp_audit_file {
            let shown = file.value.display().to_string();
            lines.push(Line::new("policy.mcp_audit_file", shown, &file.source));
        }
        let mut lever = |name: &str, given: &Option<Sourced<bool>>| {
            if let Some(given) = given {
                lines.push(Line::new(name, given.value.to_string(), &given.source));
            }
        };
        lever("policy.read_only", &policy.read_only);
        lever("policy.disable_mcp_server", &policy.disable_mcp_server);
        lever("policy.allow_insecure", &policy.allow_insecure);
        lines
    }
}
