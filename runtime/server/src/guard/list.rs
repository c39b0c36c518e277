//! What tools/list answers under a scope.

use bb_contract::{RuleName, Scope, ToolFacts};
use bb_generated::registry::TOOLS;
use rmcp::model::Tool;
use serde_json::Value;

/// The entries of every tool that is there under the scope, in the spec's order.
pub(super) fn entries(scope: Option<&Scope>) -> Result<Vec<Tool>, String> {
    TOOLS.iter().filter(|tool| !tool.rule.withholds(scope)).map(|tool| entry(tool, scope)).collect()
}

fn entry(tool: &ToolFacts, scope: Option<&Scope>) -> Result<Tool, String> {
    let mut entry: Value =
        serde_json::from_str(tool.entry).map_err(|error| format!("{}: {error}", tool.name))?;
    release(&mut entry, tool.rule, scope);
    serde_json::from_value(entry).map_err(|error| format!("{}: {error}", tool.name))
}

/// What the scope fills in, the model need not send.
fn release(entry: &mut Value, rule: RuleName, scope: Option<&Scope>) {
    let filled = rule.fills_in(scope);
    let Some(schema) = entry.get_mut("inputSchema").and_then(Value::as_object_mut) else { return };
    let Some(required) = schema.get_mut("required").and_then(Value::as_array_mut) else { return };
    required.retain(|name| name.as_str().is_none_or(|name| !filled.contains(&name)));
    if required.is_empty() {
        schema.remove("required");
    }
}
