//! Scopes, rules, and the only way to admitted arguments. Security reads this file.
//!
//! A rule has two halves: [`RuleName::prepare`] fills in and compares the raw members of a
//! call, [`Rule::admit`] looks again at the parsed arguments and says what the call may reach.
//! Where the halves disagree the call is denied. No handler sees a scope.

use crate::{JsonObject, Tool};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::fmt;

/// The confinement of a running server: a project, or one repository of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scope {
    project: String,
    repo: Option<String>,
}

impl Scope {
    /// A scope of what the operator configured, kept in the operator's spelling.
    #[must_use]
    pub fn new(project: String, repo: Option<String>) -> Self {
        Self { project, repo }
    }

    /// The project's key.
    #[must_use]
    pub fn project(&self) -> &str {
        &self.project
    }

    /// The repository's slug, when the scope is one repository.
    #[must_use]
    pub fn repo(&self) -> Option<&str> {
        self.repo.as_deref()
    }

    /// Whether a repository of Bitbucket's, by key and slug, lies inside.
    #[must_use]
    pub fn contains(&self, project: &str, repo: &str) -> bool {
        self.project.eq_ignore_ascii_case(project)
            && self.repo.as_ref().is_none_or(|own| own.eq_ignore_ascii_case(repo))
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.repo {
            Some(repo) => write!(formatter, "{}/{repo}", self.project),
            None => formatter.write_str(&self.project),
        }
    }
}

/// Why a call goes no further.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refused {
    /// It names something outside the scope, or something that cannot be compared with it.
    Denied(String),
    /// The tool is not there under this scope.
    Withheld(String),
    /// The arguments leave out what they need, scope or not.
    Incomplete(String),
}

impl fmt::Display for Refused {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::Denied(text) | Self::Withheld(text) | Self::Incomplete(text)) = self;
        formatter.write_str(text)
    }
}

impl std::error::Error for Refused {}

/// The four rules by name, as specs and tables say them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RuleName {
    /// Takes project and repository, required.
    ProjectRepo,
    /// Leaving project and repository out asks for the caller's own work.
    OptionalProjectRepo,
    /// The project is only a filter.
    ProjectFilter,
    /// Bitbucket does not scope the target to a project.
    Unbounded,
}

impl RuleName {
    /// The word in a spec file.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::ProjectRepo => "project_repo",
            Self::OptionalProjectRepo => "optional_project_repo",
            Self::ProjectFilter => "project_filter",
            Self::Unbounded => "unbounded",
        }
    }

    /// Whether a tool with this rule is not there under the scope.
    #[must_use]
    pub fn withholds(self, scope: Option<&Scope>) -> bool {
        match (self, scope) {
            (_, None) | (Self::ProjectRepo | Self::OptionalProjectRepo, Some(_)) => false,
            (Self::ProjectFilter, Some(scope)) => scope.repo.is_some(),
            (Self::Unbounded, Some(_)) => true,
        }
    }

    /// The members a scope fills in, which the published schema then does not require.
    #[must_use]
    pub fn fills_in(self, scope: Option<&Scope>) -> &'static [&'static str] {
        match (self, scope) {
            (_, None) | (Self::Unbounded, _) => &[],
            (Self::ProjectFilter, Some(_)) => &["project"],
            (Self::ProjectRepo | Self::OptionalProjectRepo, Some(scope)) => {
                if scope.repo.is_some() { &["project", "repo"] } else { &["project"] }
            }
        }
    }

    /// The first half: fills in and compares `project` and `repo`, and touches no other member.
    ///
    /// # Errors
    /// [`Refused::Withheld`] when the tool is not there under the scope, [`Refused::Denied`]
    /// when a member names anything but the scope.
    pub fn prepare(self, scope: Option<&Scope>, members: &mut JsonObject) -> Result<(), Refused> {
        let Some(scope) = scope else { return Ok(()) };
        if self.withholds(Some(scope)) {
            return Err(withheld(scope));
        }
        bind(members, "project", &scope.project, scope)?;
        match (self, &scope.repo) {
            (Self::ProjectRepo | Self::OptionalProjectRepo, Some(repo)) => {
                bind(members, "repo", repo, scope)
            }
            (Self::ProjectRepo | Self::OptionalProjectRepo, None)
            | (Self::ProjectFilter | Self::Unbounded, _) => Ok(()),
        }
    }
}

fn withheld(scope: &Scope) -> Refused {
    Refused::Withheld(format!(
        "not available here: this server is confined to {scope}, and Bitbucket does not bound \
         this tool's target to that"
    ))
}

fn bind(members: &mut JsonObject, name: &str, own: &str, scope: &Scope) -> Result<(), Refused> {
    let fits = match members.get(name) {
        None => true,
        Some(Value::String(text)) => text.trim().is_empty() || text.eq_ignore_ascii_case(own),
        Some(other) => {
            return Err(Refused::Denied(format!(
                "`{name}` is {}, which cannot be compared with {scope}, to which this server is \
                 confined; leave it out or give `{own}`",
                kind_of(other)
            )));
        }
    };
    if !fits {
        return Err(Refused::Denied(format!(
            "`{name}` is outside {scope}, to which this server is confined; leave it out or give `{own}`"
        )));
    }
    members.insert(name.to_owned(), Value::String(own.to_owned()));
    Ok(())
}

/// What a JSON value is, in words.
pub(crate) fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

mod sealed {
    /// Keeps the set of rules closed.
    #[diagnostic::on_unimplemented(
        message = "`{Self}` is not one of the scope rules",
        label = "scope rules are closed",
        note = "choose ProjectRepo, OptionalProjectRepo, ProjectFilter or Unbounded: docs/scope-rules.md"
    )]
    pub trait Sealed {}
}

/// How a scope bounds a tool with arguments `A`.
pub trait Rule<A>: sealed::Sealed {
    /// The rule's name.
    const NAME: RuleName;
    /// What an admitted call may reach.
    type Target: fmt::Debug + Send + Sync;

    /// The second half: compares the parsed arguments with the scope once more.
    ///
    /// # Errors
    /// [`Refused`], also when the first half should have stopped the call.
    fn admit(scope: Option<&Scope>, args: &A) -> Result<Self::Target, Refused>;
}

/// Arguments that always name a project and a repository.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no required `project` and `repo`, so the rule `project_repo` cannot bound the tool",
    label = "no argument this rule can bound",
    note = "declare both arguments in the tool's spec, or choose the rule its arguments allow: docs/scope-rules.md"
)]
pub trait NamesRepository {
    /// The project's key.
    fn project(&self) -> &str;
    /// The repository's slug.
    fn repo(&self) -> &str;
}

/// Arguments that may name a project and a repository.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no optional `project` and `repo`, so the rule `optional_project_repo` cannot bound the tool",
    label = "no argument this rule can bound",
    note = "declare both arguments in the tool's spec, or choose the rule its arguments allow: docs/scope-rules.md"
)]
pub trait MayNameRepository {
    /// The project's key.
    fn project(&self) -> Option<&str>;
    /// The repository's slug.
    fn repo(&self) -> Option<&str>;
}

/// Arguments that may name a project to filter by.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no optional `project`, so the rule `project_filter` cannot bound the tool",
    label = "no argument this rule can bound",
    note = "declare the argument in the tool's spec, or choose the rule its arguments allow: docs/scope-rules.md"
)]
pub trait MayNameProject {
    /// The project's key.
    fn project(&self) -> Option<&str>;
}

/// The rule `project_repo`.
#[derive(Debug)]
pub struct ProjectRepo;
/// The rule `optional_project_repo`.
#[derive(Debug)]
pub struct OptionalProjectRepo;
/// The rule `project_filter`.
#[derive(Debug)]
pub struct ProjectFilter;
/// The rule `unbounded`.
#[derive(Debug)]
pub struct Unbounded;

impl sealed::Sealed for ProjectRepo {}
impl sealed::Sealed for OptionalProjectRepo {}
impl sealed::Sealed for ProjectFilter {}
impl sealed::Sealed for Unbounded {}

/// A project and a repository that a call was admitted for. Only a rule makes one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bound {
    project: String,
    repo: String,
}

impl Bound {
    /// The project's key.
    #[must_use]
    pub fn project(&self) -> &str {
        &self.project
    }

    /// The repository's slug.
    #[must_use]
    pub fn repo(&self) -> &str {
        &self.repo
    }
}

/// Where a call with an optional repository goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// To one repository.
    Repository(Bound),
    /// To the caller's own work.
    Own(Pinned),
}

/// A project that an answer is narrowed to, where there is one. Only a rule makes one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pinned {
    project: Option<String>,
}

impl Pinned {
    /// The project's key.
    #[must_use]
    pub fn project(&self) -> Option<&str> {
        self.project.as_deref()
    }
}

fn agrees(scope: Option<&Scope>, project: &str, repo: Option<&str>) -> Result<(), Refused> {
    let Some(scope) = scope else { return Ok(()) };
    // The first half wrote the configured spelling, so anything else means it was not there.
    let fits =
        project == scope.project && scope.repo.as_deref().is_none_or(|own| repo == Some(own));
    if fits {
        Ok(())
    } else {
        Err(Refused::Denied(format!("outside {scope}, to which this server is confined")))
    }
}

impl<A: NamesRepository> Rule<A> for ProjectRepo {
    const NAME: RuleName = RuleName::ProjectRepo;
    type Target = Bound;

    fn admit(scope: Option<&Scope>, args: &A) -> Result<Bound, Refused> {
        agrees(scope, args.project(), Some(args.repo()))?;
        Ok(Bound { project: args.project().to_owned(), repo: args.repo().to_owned() })
    }
}

impl<A: MayNameRepository> Rule<A> for OptionalProjectRepo {
    const NAME: RuleName = RuleName::OptionalProjectRepo;
    type Target = Target;

    fn admit(scope: Option<&Scope>, args: &A) -> Result<Target, Refused> {
        if scope.is_some() {
            agrees(scope, args.project().unwrap_or_default(), args.repo())?;
        }
        match (args.project(), args.repo()) {
            (Some(project), Some(repo)) => {
                Ok(Target::Repository(Bound { project: project.to_owned(), repo: repo.to_owned() }))
            }
            (project, None) => Ok(Target::Own(Pinned { project: project.map(str::to_owned) })),
            (None, Some(_)) => Err(Refused::Incomplete(
                "`repo` needs `project`: a slug alone does not name a repository".to_owned(),
            )),
        }
    }
}

impl<A: MayNameProject> Rule<A> for ProjectFilter {
    const NAME: RuleName = RuleName::ProjectFilter;
    type Target = Pinned;

    fn admit(scope: Option<&Scope>, args: &A) -> Result<Pinned, Refused> {
        if let Some(scope) = scope {
            if scope.repo.is_some() {
                return Err(withheld(scope));
            }
            agrees(Some(scope), args.project().unwrap_or_default(), None)?;
        }
        Ok(Pinned { project: args.project().map(str::to_owned) })
    }
}

impl<A> Rule<A> for Unbounded {
    const NAME: RuleName = RuleName::Unbounded;
    type Target = ();

    fn admit(scope: Option<&Scope>, _: &A) -> Result<(), Refused> {
        scope.map_or(Ok(()), |scope| Err(withheld(scope)))
    }
}

/// Arguments that a rule has let through, and what the call may reach.
///
/// Its fields are private and only [`admit`] makes one, so a handler cannot be called past the scope.
#[derive(Debug)]
pub struct Admitted<T: Tool> {
    args: T::Args,
    target: <T::Scope as Rule<T::Args>>::Target,
    scope: Option<Scope>,
    digest: [u8; 32],
}

impl<T: Tool> Admitted<T> {
    /// The arguments.
    #[must_use]
    pub fn args(&self) -> &T::Args {
        &self.args
    }

    /// What the call may reach.
    #[must_use]
    pub fn target(&self) -> &<T::Scope as Rule<T::Args>>::Target {
        &self.target
    }

    /// The scope, for the egress guard alone; handlers are kept from it by a lint.
    #[must_use]
    pub fn scope(&self) -> Option<&Scope> {
        self.scope.as_ref()
    }

    /// A digest of the tool and its arguments but for `limit` and `cursor`: what a cursor belongs to.
    #[must_use]
    pub fn digest(&self) -> &[u8; 32] {
        &self.digest
    }
}

/// Admits a call whose members the first half has prepared and the schema has checked.
///
/// # Errors
/// [`Refused`] when the rule's second half does not agree, or when the members are not the
/// arguments the tool declares.
pub fn admit<T: Tool>(scope: Option<&Scope>, members: JsonObject) -> Result<Admitted<T>, Refused> {
    let digest = digest(T::NAME, &members);
    let args: T::Args = serde_json::from_value(Value::Object(members))
        .map_err(|error| Refused::Incomplete(format!("the arguments do not fit: {error}")))?;
    let target = <T::Scope as Rule<T::Args>>::admit(scope, &args)?;
    Ok(Admitted { args, target, scope: scope.cloned(), digest })
}

fn digest(tool: &str, members: &JsonObject) -> [u8; 32] {
    let mut hash = Sha256::new();
    hash.update(tool.as_bytes());
    let mut sorted: Vec<_> =
        members.iter().filter(|(name, _)| *name != "limit" && *name != "cursor").collect();
    sorted.sort_by_key(|(name, _)| *name);
    for (name, value) in sorted {
        // JSON texts cannot run into each other, so the parts need no lengths.
        hash.update(Value::from(name.as_str()).to_string().as_bytes());
        hash.update(value.to_string().as_bytes());
    }
    hash.finalize().into()
}

#[cfg(test)]
mod tests;
