//! What tools/list answers under a scope.

use bb_contract::{Callers, RuleName, Scope, ToolFacts};
use bb_generated::registry::TOOLS;
use rmcp::model::Tool;
use serde_json::Value;

/// The entries of every tool that is there under a scope, in the spec's order.
#[derive(Debug)]
pub(super) struct Listed {
    entries: Vec<(Callers, Tool)>,
}

impl Listed {
    /// The list for a scope, of tools that only read where that is asked for.
    pub(super) fn of(scope: Option<&Scope>, read_only: bool) -> Result<Self, String> {
        let there =
            TOOLS.iter().filter(|tool| is_kept(tool, read_only) && !tool.rule.withholds(scope));
        let entries = there
            .map(|tool| Ok((tool.callers, entry(tool, scope)?)))
            .collect::<Result<_, String>>()?;
        Ok(Self { entries })
    }

    /// What a client is told. Tools for views alone are told only to one that draws views: it
    /// refuses a view's call of a tool that is not listed, and another would offer them to its model.
    pub(super) fn told(&self, draws: bool) -> Vec<Tool> {
        self.entries
            .iter()
            .filter(|(callers, _)| draws || *callers != Callers::App)
            .map(|(_, tool)| tool.clone())
            .collect()
    }

    /// The entry of a tool.
    pub(super) fn find(&self, name: &str) -> Option<Tool> {
        self.entries.iter().map(|(_, tool)| tool).find(|tool| tool.name == name).cloned()
    }
}

/// Whether the operator has left a tool in.
pub(super) fn is_kept(tool: &ToolFacts, read_only: bool) -> bool {
    tool.read_only || !read_only
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

#[cfg(test)]
mod tests {
    use super::is_kept;
    use bb_contract::{Asks, Callers, RuleName, ToolFacts};

    fn tool(read_only: bool) -> ToolFacts {
        ToolFacts {
            name: "made_up",
            title: "",
            group: "",
            summary: "",
            read_only,
            asks: Asks::Never,
            callers: Callers::Model,
            rule: RuleName::ProjectRepo,
            reason: "",
            arguments: &[],
            calls: &[],
            custom: false,
            example: "",
            kinds: false,
            entry: "",
        }
    }

    #[test]
    fn a_read_only_server_keeps_tools_that_read() {
        let kept = |tool_reads, read_only| is_kept(&tool(tool_reads), read_only);
        assert!(kept(true, true) && kept(true, false) && kept(false, false));
        assert!(!kept(false, true));
    }
}
