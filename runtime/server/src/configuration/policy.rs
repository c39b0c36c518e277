//! What the system's file forbids. Every question here can only be answered by "no" or by nothing:
//! a policy grants nothing.

use super::file::PolicyKeys;
use super::sourced::Sourced;
use crate::cli::Failure;
use bb_client::BaseUrl;
use std::path::PathBuf;

/// A policy, checked.
#[derive(Debug, Default)]
pub(crate) struct Policy {
    /// The hosts that may be reached; any when left out, none when empty.
    pub(crate) allowed_hosts: Option<Sourced<Vec<HostPattern>>>,
    /// Whether only tools that read are there.
    pub(crate) read_only: Option<Sourced<bool>>,
    /// Whether the server may not run.
    pub(crate) disable_mcp_server: Option<Sourced<bool>>,
    /// Where calls have to be recorded.
    pub(crate) mcp_audit_file: Option<Sourced<PathBuf>>,
    /// Whether unverified certificates and plain http may be allowed by others.
    pub(crate) allow_insecure: Option<Sourced<bool>>,
}

impl Policy {
    /// Makes a policy of what the file holds.
    ///
    /// # Errors
    /// A sentence saying which host's pattern is none.
    pub(super) fn of(keys: PolicyKeys) -> Result<Self, String> {
        let patterns = |list: Sourced<Vec<Sourced<String>>>| {
            list.try_map(|list| list.iter().map(|text| HostPattern::parse(&text.value)).collect())
        };
        Ok(Self {
            allowed_hosts: keys.allowed_hosts.map(patterns).transpose()?,
            read_only: keys.read_only,
            disable_mcp_server: keys.disable_mcp_server,
            mcp_audit_file: keys.mcp_audit_file,
            allow_insecure: keys.allow_insecure,
        })
    }

    /// Refuses to serve where the policy forbids it or demands what is not there.
    pub(crate) fn may_serve(&self) -> Result<(), Failure> {
        if let Some(lever) = self.disable_mcp_server.as_ref().filter(|lever| lever.value) {
            return Err(refused("the server is switched off", "disable_mcp_server", lever));
        }
        if let Some(file) = &self.mcp_audit_file {
            return Err(refused(
                "calls have to be recorded, and this version of bb has no audit trail yet, so it \
                 does not serve",
                "mcp_audit_file",
                file,
            ));
        }
        Ok(())
    }

    /// Whether only tools that read are there, which a flag may ask for too.
    pub(crate) fn read_only(&self, flag: bool) -> bool {
        flag || self.read_only.as_ref().is_some_and(|lever| lever.value)
    }

    /// Refuses a Bitbucket that is not among the allowed hosts.
    pub(super) fn may_reach(&self, base: &BaseUrl) -> Result<(), Failure> {
        let Some(allowed) = &self.allowed_hosts else { return Ok(()) };
        let host = base.address().map(|(host, _)| host).unwrap_or_default();
        if allowed.value.iter().any(|pattern| pattern.fits(&host)) {
            return Ok(());
        }
        Err(refused(&format!("`{host}` is not among the allowed hosts"), "allowed_hosts", allowed))
    }

    /// Refuses what `source` has asked for, when the policy forbids it.
    pub(super) fn may_be_insecure<T>(&self, asked: &Sourced<T>, what: &str) -> Result<(), Failure> {
        match self.allow_insecure.as_ref().filter(|allowed| !allowed.value) {
            None => Ok(()),
            Some(lever) => Err(refused(
                &format!("{what}, which {} asks for, is forbidden", asked.source),
                "allow_insecure",
                lever,
            )),
        }
    }
}

fn refused<T>(what: &str, key: &str, lever: &Sourced<T>) -> Failure {
    Failure::policy(format!("refused by policy: {what} (`policy.{key}` in {})", lever.source))
}

/// A host that may be reached, or every host below a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct HostPattern {
    name: String,
    below: bool,
}

impl HostPattern {
    /// Reads a host, or `*.` and a name.
    ///
    /// # Errors
    /// A sentence saying what to give instead.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let wrong = || {
            "this is no host; give a name such as bitbucket.example.com, or *.example.com for all below it, without scheme, port and path".to_owned()
        };
        let (below, name) = match text.strip_prefix("*.") {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let address = name.parse::<std::net::Ipv6Addr>().is_ok();
        if !address && name.contains(['/', ':', '@', '*', '?', '#', '\\']) || name.trim() != name {
            return Err(wrong());
        }
        // As the URL of a chosen host is written: lower case, and letters outside ASCII encoded.
        let url = if address { format!("https://[{name}]") } else { format!("https://{name}") };
        let base = BaseUrl::parse(&url, false).map_err(|_| wrong())?;
        let (name, _) = base.address().ok_or_else(wrong)?;
        let name = plain(&name).to_owned();
        if name.is_empty()
            || name.starts_with('.')
            || (below && name.parse::<std::net::IpAddr>().is_ok())
        {
            return Err(wrong());
        }
        Ok(Self { name, below })
    }

    fn fits(&self, host: &str) -> bool {
        let host = plain(host).to_ascii_lowercase();
        if !self.below {
            return host == self.name;
        }
        host.strip_suffix(&self.name).is_some_and(|rest| rest.len() > 1 && rest.ends_with('.'))
    }
}

impl std::fmt::Display for HostPattern {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}{}", if self.below { "*." } else { "" }, self.name)
    }
}

/// A name without the dot that makes it absolute.
fn plain(name: &str) -> &str {
    name.strip_suffix('.').unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::{HostPattern, Policy, Sourced};

    #[test]
    fn a_pattern_is_a_host_or_all_below_a_name() {
        let fits =
            |pattern: &str, host: &str| HostPattern::parse(pattern).expect("a pattern").fits(host);
        for (pattern, host, expected) in [
            ("git.example.com", "git.example.com", true),
            ("Git.Example.com", "git.example.com", true),
            ("git.example.com", "git.example.com.", true),
            ("git.example.com.", "git.example.com", true),
            ("git.example.com", "evil-git.example.com", false),
            ("git.example.com", "git.example.com.evil.org", false),
            ("git.example.com", "a.git.example.com", false),
            ("*.example.com", "git.example.com", true),
            ("*.example.com", "a.b.example.com", true),
            ("*.example.com", "example.com", false),
            ("*.example.com", "evilexample.com", false),
            ("*.example.com", ".example.com", false),
            ("*.example.com", "git.example.com.evil.org", false),
            ("bücher.example", "xn--bcher-kva.example", true),
            ("127.0.0.1", "127.0.0.1", true),
            ("127.1", "127.0.0.1", true),
            ("::1", "::1", true),
        ] {
            assert_eq!(fits(pattern, host), expected, "{pattern} {host}");
        }
    }

    #[test]
    fn a_policy_asks_for_tools_that_read_and_a_flag_cannot_ask_for_more() {
        let policy =
            |value| Policy { read_only: Some(Sourced::default(value)), ..Policy::default() };
        for flag in [true, false] {
            assert!(policy(true).read_only(flag));
            assert_eq!(policy(false).read_only(flag), flag);
            assert_eq!(Policy::default().read_only(flag), flag);
        }
    }

    #[test]
    fn what_is_no_host_is_refused() {
        for text in [
            "",
            "*",
            "*.",
            "**.example.com",
            "a*.example.com",
            "https://git.example.com",
            "git.example.com:7990",
            "git.example.com/stash",
            " git.example.com",
            "user@git.example.com",
            "*.127.0.0.1",
            "a b",
        ] {
            assert!(HostPattern::parse(text).is_err(), "{text}");
        }
    }
}
