//! From where a credential is given to the credential. Of every fault here the secret is no part.

use super::file::SecretFrom;
use super::files;
use super::hosts::WayIn;
use super::sourced::{Source, Sourced};
use crate::cli::Failure;
use crate::environment::Environment;
use bb_client::{BaseUrl, Credential};

/// The variables that let in, before the files do.
const VARIABLES: [&str; 4] =
    ["BITBUCKET_TOKEN", "BITBUCKET_TOKEN_FILE", "BITBUCKET_USERNAME", "BITBUCKET_PASSWORD"];

/// What the environment gives to be let in with.
///
/// # Errors
/// When it gives half of it, or two.
pub(super) fn of_environment(environment: &Environment) -> Result<Option<WayIn>, Failure> {
    let [token, file, user, password] = VARIABLES;
    let token = environment.text(token)?.map(|given| given.map(SecretFrom::Text));
    let file = environment.path(file)?.map(|given| given.map(|file| SecretFrom::File { file }));
    let user = environment.text(user)?;
    let password = environment.text(password)?.map(|given| given.map(SecretFrom::Text));
    let token = match (token, file) {
        (Some(_), Some(_)) => {
            return Err(Failure::usage(
                "BITBUCKET_TOKEN and BITBUCKET_TOKEN_FILE are both set; unset one of them",
            ));
        }
        (token, file) => token.or(file),
    };
    match (token, user, password) {
        (None, None, None) => Ok(None),
        (Some(token), None, None) => Ok(Some(WayIn::Token(token))),
        (None, Some(user), Some(password)) => Ok(Some(WayIn::Basic { user, password })),
        (Some(token), user, password) => {
            let other = user.map(|user| user.source).or(password.map(|password| password.source));
            let other = other.unwrap_or(Source::Default);
            Err(Failure::usage(format!(
                "{} and {other} are both set, a token and a user; unset one of the two",
                token.source
            )))
        }
        (None, Some(_), None) => {
            Err(Failure::usage("BITBUCKET_USERNAME is set without BITBUCKET_PASSWORD; set both"))
        }
        (None, None, Some(_)) => {
            Err(Failure::usage("BITBUCKET_PASSWORD is set without BITBUCKET_USERNAME; set both"))
        }
    }
}

/// Refuses to send what the environment gives for one server to another.
pub(super) fn stays_with_its_host(
    way_in: &WayIn,
    url: Option<&Sourced<String>>,
    base: &BaseUrl,
) -> Result<(), Failure> {
    let Some(url) = url else { return Ok(()) };
    let meant =
        BaseUrl::parse(&url.value, true).map_err(|text| Failure::usage(url.source.fault(&text)))?;
    if meant.origin() == base.origin() {
        return Ok(());
    }
    Err(Failure::usage(format!(
        "{} is given for {} ({}) and would be sent to {}, for which it was not given; unset {} or \
         {}, or choose the same host",
        way_in.source(),
        meant.origin(),
        url.source,
        base.origin(),
        url.source,
        way_in.source()
    )))
}

impl WayIn {
    /// Where it is given.
    pub(super) fn source(&self) -> &Source {
        match self {
            Self::Token(token) => &token.source,
            Self::Basic { password, .. } => &password.source,
        }
    }

    /// What it is, without the secret.
    pub(super) fn shown(&self) -> String {
        match self {
            Self::Token(_) => "token (set)".to_owned(),
            Self::Basic { user, .. } => {
                format!("user {}, password (set)", super::shown(&user.value))
            }
        }
    }

    /// Reads it.
    ///
    /// # Errors
    /// Where it is given and what is wrong with it.
    pub(super) fn credential(
        &self,
        environment: &Environment,
        warnings: &mut Vec<String>,
    ) -> Result<Credential, Failure> {
        let credential = match self {
            Self::Token(token) => Credential::bearer(&secret(token, environment, warnings)?),
            Self::Basic { user, password } => {
                Credential::basic(&user.value, &secret(password, environment, warnings)?)
            }
        };
        credential.map_err(|text| Failure::usage(self.source().fault(&text)))
    }
}

/// Reads a secret from where it is.
///
/// # Errors
/// Where it is given and why it cannot be read; neither the secret nor what names it, which may be
/// the secret itself by mistake.
pub(super) fn secret(
    given: &Sourced<SecretFrom>,
    environment: &Environment,
    warnings: &mut Vec<String>,
) -> Result<String, Failure> {
    let fault = |text: &str| Failure::usage(given.source.fault(text));
    match &given.value {
        SecretFrom::Text(text) => Ok(text.clone()),
        SecretFrom::Variable { env } => match environment.named(env) {
            Ok(Some(text)) => Ok(text),
            Ok(None) => Err(fault("the variable named here is not set; set it")),
            Err(_) => Err(fault("the variable named here is not UTF-8 text; set it again")),
        },
        SecretFrom::File { file } => {
            let (text, exposed) = files::secret(file).map_err(|text| fault(&text))?;
            if exposed {
                warnings.push(given.source.fault(
                    "others than its owner may read the file named there, which holds a secret; chmod 600 it",
                ));
            }
            Ok(text)
        }
    }
}
