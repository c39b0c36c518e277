//! One call's context, which rides inside the generated client to every request.

use crate::error::stopped;
use crate::{Connection, Fault};
use bb_contract::{Admitted, Bound, OperationFacts, Scope, Tool};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};
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
    /// Values of bounded answers that may key what no argument may.
    noted: Mutex<BTreeSet<String>>,
}

impl Inner {
    /// Whether the value was read in a bounded answer of this call.
    pub(crate) fn is_noted(&self, value: &str) -> bool {
        self.noted.lock().unwrap_or_else(PoisonError::into_inner).contains(value)
    }
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
            noted: Mutex::default(),
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
            self.note_confirmed(bound);
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

    /// Remembers of a bounded answer what may key what no argument may.
    pub fn note<A: serde::Serialize>(&self, answer: &A) {
        let names: Vec<&str> =
            self.0.declared.iter().flat_map(|operation| operation.noted).copied().collect();
        if names.is_empty() {
            return;
        }
        // An answer that was decoded encodes; if not, less is noted, and less is let through.
        let value = serde_json::to_value(answer).unwrap_or_default();
        collect(&value, &names, &mut self.0.noted.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// Refuses a key that no bounded answer of this call has shown.
    ///
    /// # Errors
    /// When the value comes from elsewhere, scope or not.
    pub fn must_be_noted(&self, value: &str) -> crate::Result<()> {
        if self.0.is_noted(value) {
            return Ok(());
        }
        Err(stopped(Fault::Misshapen("a key that no bounded answer has shown".to_owned())))
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

/// Every text under one of these names, at any depth.
fn collect(value: &serde_json::Value, names: &[&str], noted: &mut BTreeSet<String>) {
    match value {
        serde_json::Value::Object(members) => {
            for (name, value) in members {
                match value {
                    serde_json::Value::String(text) if names.contains(&name.as_str()) => {
                        noted.insert(text.clone());
                    }
                    other => collect(other, names, noted),
                }
            }
        }
        serde_json::Value::Array(items) => {
            items.iter().for_each(|item| collect(item, names, noted))
        }
        _ => {}
    }
}
