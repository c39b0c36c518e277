//! What the program runs with: flags, then the environment, then the user's file, then the
//! system's, then defaults, setting by setting; and the policy of the system's file over all of it.
//!
//! Only `environment.rs` reads the environment. Nothing here makes a request.

mod connect;
mod file;
mod files;
mod headers;
mod hosts;
mod layout;
mod members;
mod policy;
mod read;
mod report;
#[cfg(test)]
mod schema;
mod sourced;
#[cfg(test)]
mod tests;
mod way_in;
mod yaml;

pub(crate) use connect::Target;
pub(crate) use file::LogLevel;
pub(crate) use policy::Policy;
pub(crate) use report::Line;
pub(crate) use sourced::{Source, Sourced};

use crate::cli::{ConnectionFlags, Failure};
use crate::environment::Environment;
use std::time::Duration;

/// How long one call may take, when nothing else is said.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(60);

/// Everything that flags, environment and files came to.
#[derive(Debug)]
pub(crate) struct Configuration {
    /// The Bitbucket; the demo when there is none.
    pub(crate) target: Option<Target>,
    /// How long one call may take.
    pub(crate) request_timeout: Sourced<Duration>,
    /// What is written to standard error.
    pub(crate) log_level: Sourced<LogLevel>,
    /// What the system's file forbids.
    pub(crate) policy: Policy,
    /// What the operator should know, one sentence each.
    pub(crate) warnings: Vec<String>,
    files: Vec<Line>,
}

impl Configuration {
    /// Settles every setting, `serving` only where the policy lets the server run.
    ///
    /// # Errors
    /// What is wrong with what was given (2), or what the policy forbids (4).
    pub(crate) fn read(
        flags: &ConnectionFlags,
        environment: &Environment,
        serving: bool,
    ) -> Result<Self, Failure> {
        let files = read::both(environment)?;
        let mut warnings = files.warnings;
        let policy = Policy::of(files.system.policy.unwrap_or_default()).map_err(Failure::usage)?;
        if serving {
            policy.may_serve()?;
        }
        let (user, system) = (files.user, files.system.keys);

        let level = environment.text("BB_LOG_LEVEL")?;
        let level = level.map(|level| level.try_map(|text| LogLevel::parse(&text))).transpose();
        let log_level = flags
            .log_level
            .map(|value| Sourced { value, source: Source::Flag("--log-level") })
            .or(level.map_err(Failure::usage)?)
            .or(user.log_level.clone())
            .or(system.log_level.clone())
            .unwrap_or_else(|| Sourced::default(LogLevel::Warn));
        let timeout = environment.text("BB_REQUEST_TIMEOUT")?;
        let timeout = timeout.map(|timeout| timeout.try_map(|text| seconds(&text))).transpose();
        let request_timeout = timeout
            .map_err(Failure::usage)?
            .or(user.request_timeout.clone())
            .or(system.request_timeout.clone())
            .map_or(Sourced::default(REQUEST_TIMEOUT), |given| given.map(Duration::from_secs));

        let hosts = hosts::Hosts::of(user, system).map_err(|faults| read::unusable(&faults))?;
        let target = if flags.demo {
            None
        } else {
            let url = environment.text("BITBUCKET_URL")?;
            let chosen = hosts.choose(flags.host.as_deref(), url)?;
            let mut target = connect::connect(chosen, environment, &policy, &mut warnings)?;
            // A call that ends while it connects would not say so.
            let connect = &mut target.settings.limits.connect;
            *connect = (*connect).min(request_timeout.value / 2);
            Some(target)
        };
        Ok(Self { target, request_timeout, log_level, policy, warnings, files: files.lines })
    }
}

fn seconds(text: &str) -> Result<u64, String> {
    match text.trim().parse() {
        Ok(seconds) if file::REQUEST_TIMEOUT.contains(&seconds) => Ok(seconds),
        _ => Err(format!("`{}` is no time; give whole seconds from 1 to 3600", shown(text))),
    }
}

/// A word of others, as it may stand in a message.
fn shown(text: &str) -> String {
    bb_contract::text::visible(text).chars().take(60).collect()
}
