//! One call's context, which rides inside the generated client to every request.

use crate::error::stopped;
use crate::{Connection, Fault};
use bb_contract::{Admitted, Bound, OperationFacts, Scope, Tool};
use std::sync::Arc;
use tokio::time::Instant;

/// What the guard decides about one call.
#[derive(Debug, Clone)]
pub struct CallFacts {
    /// One id for everything that belongs to the call.
    pub id: String,
    /// When the whole call has to be over.
    pub deadline: Instant,
}

/// One call's context. It is made from admitted arguments, so from a tool and its rule, and from
/// nothing else.
#[derive(Debug, Clone)]
pub struct CallContext(Arc<Inner>);

#[derive(Debug)]
pub(crate) struct Inner {
    pub(crate) declared: &'static [&'static OperationFacts],
    pub(crate) scope: Option<Scope>,
    pub(crate) call: CallFacts,
    pub(crate) connection: Connection,
}

impl CallContext {
    /// The context of one admitted call.
    #[must_use]
    #[expect(clippy::disallowed_methods, reason = "the egress guard is what the scope is for")]
    pub fn new<T: Tool>(connection: &Connection, call: &CallFacts, admitted: &Admitted<T>) -> Self {
        Self(Arc::new(Inner {
            declared: T::CALLS,
            scope: admitted.scope().cloned(),
            call: call.clone(),
            connection: connection.clone(),
        }))
    }

    /// Whether an answer about this repository may reach the handler; always, without a scope.
    fn may_see(&self, project: Option<&str>, repo: Option<&str>) -> bool {
        self.0.scope.as_ref().is_none_or(|scope| {
            // An answer that does not say whose it is cannot be shown to lie inside.
            project.zip(repo).is_some_and(|(project, repo)| scope.contains(project, repo))
        })
    }

    /// Checks that an answer is of the repository that was asked for. Without a scope a moved
    /// repository may answer under its old path.
    ///
    /// # Errors
    /// Under a scope, when the answer names another repository or none.
    pub fn belongs(
        &self,
        project: Option<&str>,
        repo: Option<&str>,
        bound: &Bound,
    ) -> crate::Result<()> {
        if self.0.scope.is_none() {
            return Ok(());
        }
        let same = |value: Option<&str>, own: &str| {
            value.is_some_and(|value| value.eq_ignore_ascii_case(own))
        };
        if same(project, bound.project()) && same(repo, bound.repo()) {
            return Ok(());
        }
        let what = format!("{}/{}", project.unwrap_or("?"), repo.unwrap_or("?"));
        Err(stopped(Fault::Moved(what)))
    }

    /// Whether an element of a narrowed listing stays in it.
    #[must_use]
    pub fn keeps(&self, project: Option<&str>, repo: Option<&str>, pinned: Option<&str>) -> bool {
        let fits = pinned
            .is_none_or(|own| project.is_some_and(|project| project.eq_ignore_ascii_case(own)));
        fits && self.may_see(project, repo)
    }

    /// Whether, under a scope, it has to be confirmed that the repository is where its path says.
    #[must_use]
    pub fn must_confirm(&self, bound: &Bound) -> bool {
        self.0.scope.is_some() && !self.0.connection.is_confirmed(bound)
    }

    /// Remembers, for a while, that the repository is where its path says.
    pub fn note_confirmed(&self, bound: &Bound) {
        self.0.connection.note_confirmed(bound);
    }

    /// The process's connection.
    #[must_use]
    pub fn connection(&self) -> &Connection {
        &self.0.connection
    }

    pub(crate) fn inner(&self) -> &Inner {
        &self.0
    }
}
