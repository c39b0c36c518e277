//! What a tool is, and the two ways to write one by hand.
//!
//! It does not know who calls a tool or how an answer travels.

use crate::arguments::ArgumentFacts;
use crate::{Admitted, Answer, OperationFacts, Rule, RuleName, ToolError};
use std::future::Future;

/// One tool of the spec.
///
/// `Scope` has no default, so a tool without a scope rule does not compile.
pub trait Tool: std::fmt::Debug + Send + Sync + Sized + 'static {
    /// The tool's name, as a client calls it.
    const NAME: &'static str;
    /// Every operation its spec lists; the egress guard lets no other one leave.
    const CALLS: &'static [&'static OperationFacts];
    /// The arguments, parsed.
    type Args: serde::de::DeserializeOwned + std::fmt::Debug + Send + Sync;
    /// How a scope bounds the tool.
    type Scope: Rule<Self::Args>;
    /// The handle its handler is given. Generated code names it, so this crate knows no client.
    type Reach: Send + Sync;
}

/// The hand-written part of a tool that never asks the person.
#[diagnostic::on_unimplemented(
    message = "the tool `{T}` has no handler",
    label = "`{Self}` does not handle `{T}`",
    note = "its spec says `handler: custom`: implement `Handle<{T}>` in runtime/server/src/handlers/"
)]
pub trait Handle<T: Tool> {
    /// Does the work of one admitted call.
    fn handle(
        &self,
        reach: &T::Reach,
        call: &Admitted<T>,
    ) -> impl Future<Output = Result<Answer, ToolError>> + Send;
}

/// The hand-written part of a tool that puts a question to the person before it acts.
#[diagnostic::on_unimplemented(
    message = "the tool `{T}` has no handler that asks",
    label = "`{Self}` does not plan and act for `{T}`",
    note = "its spec says that it asks: implement `Asked<{T}>` in runtime/server/src/handlers/"
)]
pub trait Asked<T: Tool> {
    /// What the person agrees to exactly (a version, a commit); it travels sealed.
    type Pin: serde::Serialize + serde::de::DeserializeOwned + Send + Sync;

    /// Reads what the question needs, refuses early, and words the question.
    fn plan(
        &self,
        reach: &T::Reach,
        call: &Admitted<T>,
    ) -> impl Future<Output = Result<Plan<Self::Pin>, ToolError>> + Send;

    /// Acts, once the person has agreed to what `pin` names.
    fn act(
        &self,
        reach: &T::Reach,
        call: &Admitted<T>,
        pin: Self::Pin,
    ) -> impl Future<Output = Result<Answer, ToolError>> + Send;
}

/// A question, and what a yes to it pins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan<P> {
    /// The question, ready to show.
    pub question: String,
    /// What the answer is for.
    pub pin: P,
}

/// When a tool asks the person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asks {
    /// It never does.
    Never,
    /// Before every call.
    Always,
    /// When the call sets this argument.
    WhenPresent(&'static str),
}

/// Who may call a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Callers {
    /// The model; a view may not.
    Model,
    /// Views only.
    App,
    /// Both, which the tool's `_meta` then says.
    ModelAndApp,
}

/// What the spec says of a tool, compiled. The guard, the scope table and
/// `bb ai mcp tools` all read this one value.
#[derive(Debug)]
pub struct ToolFacts {
    /// The name a client calls.
    pub name: &'static str,
    /// The name a person reads.
    pub title: &'static str,
    /// The heading it stands under in lists.
    pub group: &'static str,
    /// One sentence.
    pub summary: &'static str,
    /// Whether it changes nothing.
    pub read_only: bool,
    /// When it asks the person.
    pub asks: Asks,
    /// Who may call it.
    pub callers: Callers,
    /// Its scope rule.
    pub rule: RuleName,
    /// Why it has a rule other than `project_repo`; empty for that one.
    pub reason: &'static str,
    /// Its arguments, in the spec's order.
    pub arguments: &'static [ArgumentFacts],
    /// The operations it may call.
    pub calls: &'static [&'static OperationFacts],
    /// Whether a person wrote its handler.
    pub custom: bool,
    /// Arguments of a call that makes sense against the demo, as JSON.
    pub example: &'static str,
    /// Whether it draws views.
    pub kinds: bool,
    /// Its tools/list entry without a scope, as JSON.
    pub entry: &'static str,
}
