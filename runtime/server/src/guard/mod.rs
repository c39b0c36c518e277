//! The one place every request passes, in both eras of the protocol.
//!
//! No other module names rmcp's request types, and nothing but [`Guard::call`] reaches a handler.

mod call;
mod list;
mod views;
mod wire;

use crate::handlers::Handlers;
use crate::kinds::avatars::Avatars;
use crate::kinds::envelope::Offers;
use bb_client::Connection;
use bb_contract::{Scope, ToolFacts};
use bb_generated::registry::TOOLS;
use std::time::Duration;

/// The server as the protocol sees it.
#[derive(Debug)]
pub(crate) struct Guard {
    connection: Connection,
    scope: Option<Scope>,
    deadline: Duration,
    read_only: bool,
    handlers: Handlers,
    listed: list::Listed,
}

impl Guard {
    /// Prepares what is listed. Nothing is asked of Bitbucket.
    pub(crate) fn new(
        connection: Connection,
        scope: Option<Scope>,
        deadline: Duration,
        read_only: bool,
    ) -> Result<Self, String> {
        let listed = list::Listed::of(scope.as_ref(), read_only)?;
        let handlers = Handlers {
            offers: Offers::of(|name| listed.find(name).is_some()),
            avatars: Avatars::default(),
        };
        Ok(Self { connection, scope, deadline, read_only, handlers, listed })
    }

    /// How many requests that change something are under way.
    pub(crate) fn writes(&self) -> tokio::sync::watch::Receiver<usize> {
        self.connection.writes()
    }

    /// The tool of that name, when this server exposes it; withheld ones are still known, so that
    /// a call of one is told why. One that the operator has left out is as if it did not exist.
    fn exposed(&self, name: &str) -> Option<&'static ToolFacts> {
        let mut there = TOOLS.iter().copied().filter(|tool| list::is_kept(tool, self.read_only));
        there.find(|tool| tool.name == name)
    }
}
