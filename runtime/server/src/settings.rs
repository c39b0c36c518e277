//! Flags and environment, made into what the server runs with.

use crate::cli::{Failure, ServeArguments};
use crate::environment;
use bb_client::{BaseUrl, Credential};
use bb_contract::Scope;
use bb_contract::arguments::{is_key, is_slug};
use std::time::Duration;

/// How long one call may take, when nothing else is said.
const DEADLINE: Duration = Duration::from_secs(60);

/// What the server runs with.
#[derive(Debug)]
pub(crate) struct Settings {
    /// Where Bitbucket is; the demo when there is none.
    pub(crate) connection: Option<bb_client::Settings>,
    /// What it is confined to.
    pub(crate) scope: Option<Scope>,
    /// How long one call may take.
    pub(crate) deadline: Duration,
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

/// Reads how long a call may take, in seconds.
pub(crate) fn deadline(seconds: Option<&str>) -> Result<Duration, Failure> {
    let Some(text) = seconds else { return Ok(DEADLINE) };
    match text.trim().parse() {
        Ok(seconds @ 1..=3600) => Ok(Duration::from_secs(seconds)),
        _ => Err(Failure::usage(format!(
            "BB_REQUEST_TIMEOUT is `{text}`; give whole seconds from 1 to 3600"
        ))),
    }
}

/// Reads where Bitbucket is and how to be let in.
pub(crate) fn connection(arguments: &ServeArguments) -> Result<bb_client::Settings, Failure> {
    let url = arguments.host.clone().or_else(|| environment::read("BITBUCKET_URL")).ok_or_else(|| {
        Failure::usage("no Bitbucket is named: set BITBUCKET_URL or give --host URL; --demo serves a made-up one")
    })?;
    let base = BaseUrl::parse(&url, false).map_err(Failure::usage)?;
    let token = environment::read("BITBUCKET_TOKEN").ok_or_else(|| {
        Failure::usage(
            "no token is set: put an HTTP access token into BITBUCKET_TOKEN; --demo needs none",
        )
    })?;
    let credential = Credential::bearer(&token).map_err(Failure::usage)?;
    Ok(bb_client::Settings::new(base, credential))
}

#[cfg(test)]
mod tests {
    use super::{deadline, scope};

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

    #[test]
    fn a_deadline_is_whole_seconds() {
        assert_eq!(deadline(Some("5")).ok().map(|deadline| deadline.as_secs()), Some(5));
        for text in ["0", "-1", "1.5", "ten", "9999999999999999999999"] {
            assert!(deadline(Some(text)).is_err(), "{text}");
        }
    }
}
