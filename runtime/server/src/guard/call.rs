//! One tool call, from its name to its answer.

use super::{Guard, views};
use crate::random;
use bb_client::{CallFacts, Redaction};
use bb_contract::arguments::{self, Fault};
use bb_contract::text::{make_visible, visible};
use bb_contract::{Answer, JsonObject, Refused, ToolError};
use bb_generated::registry::{self, Call};
use futures_util::FutureExt as _;
use std::panic::AssertUnwindSafe;
use tokio::time::Instant;

/// Longest line of the log about one failure, in characters.
const LONGEST_DETAIL: usize = 600;

/// How a call ended.
#[derive(Debug)]
pub(super) enum Outcome {
    /// With an answer.
    Answered(Box<Answer>),
    /// With a failure the model reads.
    Failed(ToolError),
    /// Stopped by the scope; the model reads why.
    Denied(String),
    /// There is no such tool.
    Unknown,
    /// Given up by the client.
    Cancelled,
    /// Ended by a panic, of which the client is told nothing.
    Panicked,
}

impl Guard {
    /// Passes a call through every step, in the order the design fixes. `draws` says whether the client
    /// draws views; `cancelled` ends the call, and with it every request it has sent.
    pub(super) async fn call(
        &self,
        name: &str,
        members: JsonObject,
        draws: bool,
        cancelled: impl Future<Output = ()>,
    ) -> Outcome {
        let admitted = match self.admit(name, members) {
            Ok(admitted) => admitted,
            Err(outcome) => return outcome,
        };
        if let Some(answer) = self.exposed(name).and_then(|tool| views::nothing_shown(tool, draws))
        {
            return self.record_outcome(Outcome::Answered(Box::new(answer)));
        }
        if let Err(outcome) = self.ask(&admitted) {
            return outcome;
        }
        if let Err(outcome) = self.record_started(&admitted) {
            return outcome;
        }
        let outcome = self.run(&admitted, cancelled).await;
        self.record_outcome(outcome)
    }

    /// Known and exposed, the scope's first half, the schema, the scope's second half.
    fn admit(&self, name: &str, mut members: JsonObject) -> Result<Call, Outcome> {
        let tool = self.exposed(name).ok_or(Outcome::Unknown)?;
        tool.rule.prepare(self.scope.as_ref(), &mut members).map_err(refused)?;
        arguments::check(tool.arguments, &mut members)
            .map_err(|faults| Outcome::Failed(not_valid(&faults)))?;
        match registry::admit(name, self.scope.as_ref(), members) {
            Some(admitted) => admitted.map_err(refused),
            None => Err(Outcome::Unknown),
        }
    }

    /// Puts a question to the person, for tools that ask. No tool does; a spec that declares one
    /// does not compile without its `Asked` handler.
    #[expect(
        clippy::unused_self,
        clippy::unnecessary_wraps,
        reason = "the step's place is fixed before its first user"
    )]
    fn ask(&self, _: &Call) -> Result<(), Outcome> {
        Ok(())
    }

    /// Records that a writing call starts. There is no audit trail to write to.
    #[expect(
        clippy::unused_self,
        clippy::unnecessary_wraps,
        reason = "the step's place is fixed before its first user"
    )]
    fn record_started(&self, _: &Call) -> Result<(), Outcome> {
        Ok(())
    }

    /// Records how a call ended, before its answer leaves. There is no audit trail to write to.
    #[expect(clippy::unused_self, reason = "the step's place is fixed before its first user")]
    fn record_outcome(&self, outcome: Outcome) -> Outcome {
        outcome
    }

    /// What a failure is to the model, and to the operator, who reads the log. Neither is told a
    /// secret of ours, should something have echoed one.
    fn failed(&self, tool: &str, mut error: ToolError) -> Outcome {
        if let Some(detail) = &error.internal {
            let detail = visible(detail).replace(['\n', '\r', '\t'], " ");
            let detail: String = detail.chars().take(LONGEST_DETAIL).collect();
            tracing::warn!("{tool}: {detail}");
        }
        error.message = self.connection.redaction().text(&visible(&error.message));
        if error.denied { Outcome::Denied(error.message) } else { Outcome::Failed(error) }
    }

    async fn run(&self, call: &Call, cancelled: impl Future<Output = ()>) -> Outcome {
        let id = match random::hex() {
            Ok(id) => id,
            Err(message) => return self.failed(call.tool(), ToolError::internal(message)),
        };
        let facts = CallFacts { id, deadline: Instant::now() + self.deadline };
        let work =
            AssertUnwindSafe(call.run(&self.handlers, &self.connection, &facts)).catch_unwind();
        // Dropping the work drops its requests, which closes their connections.
        tokio::select! {
            biased;
            () = cancelled => Outcome::Cancelled,
            result = work => match result {
                Ok(Ok(answer)) => {
                    Outcome::Answered(Box::new(shown(answer, &self.connection.redaction())))
                }
                Ok(Err(error)) => self.failed(call.tool(), error),
                Err(_) => Outcome::Panicked,
            },
            // The client's own deadline comes first and says more; this one is for work that waits
            // for nothing of Bitbucket's.
            () = tokio::time::sleep_until(facts.deadline + std::time::Duration::from_secs(1)) => {
                Outcome::Failed(ToolError::new("this took too long and was given up"))
            }
        }
    }
}

/// Text that others wrote reaches the model with nothing hidden in it, and with no secret of ours,
/// should an answer have echoed one in a form that only decoding has shown.
fn shown(mut answer: Answer, redaction: &Redaction) -> Answer {
    answer.text = redaction.answer(&visible(&answer.text));
    if let Some(structured) = answer.structured.take() {
        let mut value = serde_json::Value::Object(structured);
        make_visible(&mut value);
        clean(&mut value, redaction);
        answer.structured = value.as_object().cloned();
    }
    answer
}

fn clean(value: &mut serde_json::Value, redaction: &Redaction) {
    match value {
        serde_json::Value::String(text) => *text = redaction.answer(text),
        serde_json::Value::Array(items) => items.iter_mut().for_each(|item| clean(item, redaction)),
        serde_json::Value::Object(members) => {
            members.values_mut().for_each(|member| clean(member, redaction));
        }
        _ => {}
    }
}

fn refused(refused: Refused) -> Outcome {
    match refused {
        Refused::Denied(text) | Refused::Withheld(text) => Outcome::Denied(text),
        Refused::Incomplete(text) => Outcome::Failed(ToolError::new(text)),
    }
}

fn not_valid(faults: &[Fault]) -> ToolError {
    let lines: Vec<String> = faults.iter().map(|fault| format!("\n{fault}")).collect();
    ToolError::new(format!("the arguments are not valid; nothing was done:{}", lines.concat()))
}
