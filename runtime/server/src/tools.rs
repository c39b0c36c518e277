//! `bb ai mcp tools`: what every tool may do, from the values the guard uses.

use crate::cli::Failure;
use crate::output;
use bb_contract::{Asks, Callers, OperationFacts, RuleName, ToolFacts};
use bb_generated::registry::TOOLS;
use serde_json::json;

/// Prints the tools.
pub(crate) fn run(as_json: bool) -> Result<(), Failure> {
    if as_json {
        let all: Vec<_> = TOOLS.iter().map(|tool| described(tool)).collect();
        return output::write(&format!("{:#}\n", json!({ "tools": all })));
    }
    let mut text = String::new();
    for tool in TOOLS {
        text.push_str(&format!("{}  {}\n", tool.name, tool.summary));
        text.push_str(&format!(
            "    {}, asks {}, for {}, {}\n",
            access(tool),
            asks(tool),
            callers(tool),
            rule(tool)
        ));
        for operation in tool.calls {
            text.push_str(&format!(
                "    {} {} ({})\n",
                operation.method,
                operation.template,
                reach(tool, operation)
            ));
        }
    }
    output::write(&text)
}

fn described(tool: &ToolFacts) -> serde_json::Value {
    let operations: Vec<_> = tool
        .calls
        .iter()
        .map(|operation| json!({"method": operation.method, "path": operation.template, "reach": reach(tool, operation)}))
        .collect();
    json!({
        "name": tool.name,
        "title": tool.title,
        "group": tool.group,
        "summary": tool.summary,
        "access": access(tool),
        "asks": asks(tool),
        "callers": callers(tool),
        "scope": tool.rule.name(),
        "scope_reason": tool.reason,
        "custom": tool.custom,
        "operations": operations,
    })
}

/// What bounds an operation for a tool; what a tool with a project may only call for what it has
/// read is said as such.
fn reach(tool: &ToolFacts, operation: &OperationFacts) -> String {
    let noted = !operation.noted.is_empty() && tool.rule != RuleName::Unbounded;
    if noted {
        format!("noted by {}", operation.noted.join(", "))
    } else {
        operation.reach.name().to_owned()
    }
}

fn access(tool: &ToolFacts) -> &'static str {
    if tool.read_only { "reads" } else { "writes" }
}

fn asks(tool: &ToolFacts) -> String {
    match tool.asks {
        Asks::Never => "never".to_owned(),
        Asks::Always => "always".to_owned(),
        Asks::WhenPresent(argument) => format!("when {argument} is set"),
    }
}

fn callers(tool: &ToolFacts) -> &'static str {
    match tool.callers {
        Callers::Model => "the model",
        Callers::App => "views",
        Callers::ModelAndApp => "the model and views",
    }
}

fn rule(tool: &ToolFacts) -> String {
    if tool.reason.is_empty() {
        tool.rule.name().to_owned()
    } else {
        format!("{}: {}", tool.rule.name(), tool.reason)
    }
}
