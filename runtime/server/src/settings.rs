//! What the server runs with: the configuration, and what only flags say.

use crate::cli::{Failure, ServeFlags};
use crate::configuration::Configuration;
use bb_contract::Scope;
use bb_contract::arguments::{is_key, is_slug};
use std::time::Duration;

/// What the server runs with.
#[derive(Debug)]
pub(crate) struct Settings {
    /// Where Bitbucket is; the demo when there is none.
    pub(crate) connection: Option<bb_client::Settings>,
    /// What it is confined to.
    pub(crate) scope: Option<Scope>,
    /// How long one call may take.
    pub(crate) deadline: Duration,
    /// Whether only tools that read are there.
    pub(crate) read_only: bool,
}

/// Puts together what a server runs with.
pub(crate) fn of(flags: &ServeFlags, configuration: Configuration) -> Result<Settings, Failure> {
    let connection = &flags.connection;
    Ok(Settings {
        scope: scope(connection.project.as_deref(), connection.repo.as_deref())?,
        deadline: configuration.request_timeout.value,
        read_only: configuration.policy.read_only(flags.read_only),
        connection: configuration.target.map(|target| target.settings),
    })
}

/// Reads `--project` and `--repo`, in each way they may be given.
pub(crate) fn scope(project: Option<&str>, repo: Option<&str>) -> Result<Option<Scope>, Failure> {
    let project = project.map(str::trim);
    let (key, slug) = match (project, repo.map(str::trim)) {
        (None, None) => return Ok(None),
        (Some(key), None) => (key, None),
        (project, Some(repo)) => match (project, repo.split_once('/')) {
            (None, Some((key, slug))) => (key, Some(slug)),
            (Some(key), None) => (key, Some(repo)),
            (Some(key), Some((other, slug))) if key.eq_ignore_ascii_case(other) => {
                (key, Some(slug))
            }
            (Some(key), Some((other, _))) => {
                return Err(Failure::usage(format!(
                    "--project {key} and --repo {repo} name two projects, {key} and {other}"
                )));
            }
            (None, None) => {
                return Err(Failure::usage(format!(
                    "--repo {repo} names no project, and a slug alone is not unique; give --repo KEY/{repo}"
                )));
            }
        },
    };
    if !is_key(key) {
        return Err(Failure::usage(format!("`{key}` is not a project key, such as PAY or ~user")));
    }
    if let Some(slug) = slug.filter(|slug| !is_slug(slug)) {
        return Err(Failure::usage(format!("`{slug}` is not a repository slug")));
    }
    Ok(Some(Scope::new(key.to_owned(), slug.map(str::to_owned))))
}

#[cfg(test)]
mod tests {
    use super::scope;

    #[test]
    fn a_scope_can_be_given_in_three_ways() {
        let read = |project, repo| {
            scope(project, repo)
                .map(|scope| scope.map(|scope| scope.to_string()))
                .map_err(|failure| failure.code)
        };
        assert_eq!(read(None, None), Ok(None));
        assert_eq!(read(Some(" PAY "), None), Ok(Some("PAY".to_owned())));
        assert_eq!(read(None, Some("PAY/ledger")), Ok(Some("PAY/ledger".to_owned())));
        assert_eq!(read(Some("PAY"), Some("ledger")), Ok(Some("PAY/ledger".to_owned())));
        assert_eq!(read(Some("PAY"), Some("pay/ledger")), Ok(Some("PAY/ledger".to_owned())));
        assert_eq!(read(None, Some("~ada/notes")), Ok(Some("~ada/notes".to_owned())));
    }

    #[test]
    fn half_a_scope_two_scopes_and_no_names_are_refused() {
        for (project, repo) in [
            (None, Some("ledger")),
            (None, Some("/ledger")),
            (None, Some("PAY/")),
            (Some(""), None),
            (Some("OPS"), Some("PAY/ledger")),
            (Some("PAY/ledger"), None),
            (Some(".."), None),
            (Some("PAY"), Some("..")),
            (None, Some("PAY/a/b")),
        ] {
            assert_eq!(
                scope(project, repo).map_err(|failure| failure.code),
                Err(2),
                "{project:?} {repo:?}"
            );
        }
    }
}
