//! The scope rule of a tool: that it is there, that its arguments exist, and that it can bound
//! every operation the tool calls.

use super::argument::Placed;
use super::check_sentence;
use crate::document::{Document, Names, Operation, Reach};
use crate::model::{ArgumentType, Call, Rule, Source as ValueSource};
use crate::node::{Located, Node};
use crate::reader::Source;
use std::ops::Range;

/// Reads `scope` and `scope_reason`.
pub(super) fn lower(
    source: &Source<'_>,
    root: &Located<Node>,
    tool: &Located<String>,
    arguments: &[Placed],
    stated: &[&str],
) -> Option<(Rule, String, Range<usize>)> {
    let reason = source.text(&root.value, "scope_reason");
    if let Some(reason) = &reason {
        check_sentence(source, "reason", reason);
    }
    if root.value.get("scope").is_none() {
        let message = format!("tool `{}` has no scope rule", tool.value);
        source.fault("missing-scope", &tool.span, message, "how does `--project` bound this tool?");
        return None;
    }
    let scope = source.text(&root.value, "scope")?;
    let Some(rule) = Rule::ALL.into_iter().find(|rule| rule.name() == scope.value) else {
        source.fault(
            "unknown-scope-rule",
            &scope.span,
            format!("`{}` is no scope rule", scope.value),
            "",
        );
        return None;
    };
    match (&reason, rule) {
        (None, Rule::OptionalProjectRepo | Rule::ProjectFilter | Rule::Unbounded) => {
            source.fault(
                "reason-missing",
                &scope.span,
                format!("`{}` gives no reason", rule.name()),
                "",
            );
        }
        (Some(reason), Rule::ProjectRepo) => {
            source.fault("reason-missing", &reason.span, "`project_repo` needs no reason", "");
        }
        (None, Rule::ProjectRepo) | (Some(_), _) => {}
    }
    if arguments.len() == stated.len() {
        carries(source, rule, &scope, tool, arguments);
    }
    Some((
        rule,
        reason.map(|reason| reason.value.trim().to_owned()).unwrap_or_default(),
        scope.span,
    ))
}

/// Checks that the rule finds the arguments it bounds, and that others have none of them.
fn carries(
    source: &Source<'_>,
    rule: Rule,
    scope: &Located<String>,
    tool: &Located<String>,
    arguments: &[Placed],
) {
    let is = |kind: &ArgumentType, required: bool| {
        arguments
            .iter()
            .any(|(argument, _)| argument.kind == *kind && argument.required == required)
    };
    let has = |kind: &ArgumentType| is(kind, true) || is(kind, false);
    let (project, repo) = (ArgumentType::ProjectKey, ArgumentType::RepoSlug);
    let (fits, needs) = match rule {
        Rule::ProjectRepo => (
            is(&project, true) && is(&repo, true),
            "needs the required arguments `project` and `repo`",
        ),
        Rule::OptionalProjectRepo => (
            is(&project, false) && is(&repo, false),
            "needs the optional arguments `project` and `repo`",
        ),
        Rule::ProjectFilter => (
            is(&project, false) && !has(&repo),
            "needs the optional argument `project`, and no `repo`",
        ),
        Rule::Unbounded => (
            !has(&project) && !has(&repo),
            "binds nothing, so no argument may name a project or repository",
        ),
    };
    if !fits {
        let message =
            format!("`{}` does not have the arguments that `{}` bounds", tool.value, rule.name());
        source.fault("rule-without-argument", &scope.span, message, needs);
    }
}

/// Checks each call against the rule: its reach, and what it sets in members that name a repository.
pub(super) fn check_calls(
    source: &Source<'_>,
    rule: Rule,
    at: &Range<usize>,
    document: &Document,
    custom: bool,
    calls: &[(Call, Range<usize>)],
) {
    for (call, span) in calls {
        let operation = &document.operations[call.operation];
        if !allows(rule, operation, custom) {
            let message = format!(
                "`{}` cannot bound {}, whose reach is `{}`",
                rule.name(),
                operation.signature(),
                operation.reach.name()
            );
            source.fault(
                "reach-not-allowed",
                span,
                message,
                "the operation cannot be bounded by this rule",
            );
        }
        for (wire, value) in &call.query {
            let names = operation.query(wire).and_then(|parameter| parameter.names);
            let wanted = match names {
                Some(Names::Project) => "project",
                Some(Names::Repo) => "repo",
                None => continue,
            };
            if *value != ValueSource::Argument(wanted.to_owned()) {
                source.fault(
                    "repository-free",
                    span,
                    format!("`{wire}` names a {wanted} and is not set from `{wanted}`"),
                    "",
                );
            }
        }
    }
    let reaches =
        |reach| calls.iter().any(|(call, _)| document.operations[call.operation].reach == reach);
    if rule == Rule::OptionalProjectRepo
        && !(reaches(Reach::Repository) && reaches(Reach::Own))
        && !calls.is_empty()
    {
        let message = "`optional_project_repo` needs an operation of a repository and one of the caller's own work";
        source.fault("reach-not-allowed", at, message, "");
    }
}

/// Checks what a kind reads against the rule of the tools that draw it.
pub(super) fn check_kind_calls(
    source: &Source<'_>,
    document: &Document,
    calls: &[(Call, Range<usize>)],
) {
    for (call, span) in calls {
        let operation = &document.operations[call.operation];
        if !allows(Rule::OptionalProjectRepo, operation, true) {
            let message = format!(
                "a view cannot be bounded in {}, whose reach is `{}`",
                operation.signature(),
                operation.reach.name()
            );
            source.fault("reach-not-allowed", span, message, "");
        }
    }
}

/// Whether a rule admits an operation. What is keyed by something noted is filled in by a handler
/// from an earlier answer; a declared tool could only use an argument.
fn allows(rule: Rule, operation: &Operation, custom: bool) -> bool {
    let bound = matches!(rule, Rule::ProjectRepo | Rule::OptionalProjectRepo);
    let names =
        |wanted| operation.parameters.iter().any(|parameter| parameter.names == Some(wanted));
    match operation.reach {
        Reach::Server => true,
        Reach::Repository => bound,
        Reach::Noted => bound && custom,
        Reach::Project => rule == Rule::ProjectFilter,
        // With both named it is bounded by a repository as a path would.
        Reach::Filter => {
            rule == Rule::ProjectFilter || (rule == Rule::ProjectRepo && names(Names::Repo))
        }
        Reach::Own => rule == Rule::OptionalProjectRepo,
        Reach::Unbounded => {
            rule == Rule::Unbounded || (bound && custom && !operation.noted.is_empty())
        }
    }
}
