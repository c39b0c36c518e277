//! One module a tool: its arguments, its rule, its facts, its answer, and, when the spec declares
//! it whole, the call itself.

use super::declared::{self, Structures};
use super::facts::Facts;
use super::types::{Structure, StructureField, rust_type};
use super::{entry, filters, rendered};
use crate::Spec;
use crate::document::Reach;
use crate::model::{Answer, Argument, ArgumentType, Asks, Callers, Rule, Tool, Value, pascal};
use askama::Template;

#[derive(Template)]
#[template(path = "tool.rs.jinja", escape = "none")]
struct ToolText {
    tool: String,
    name: String,
    title: String,
    group: String,
    summary: String,
    arguments: Vec<ArgumentText>,
    choices: Vec<ChoiceText>,
    accessors: Vec<String>,
    calls: Vec<String>,
    listed: Vec<String>,
    rule: &'static str,
    reason: String,
    handle: &'static str,
    read_only: bool,
    asks: String,
    callers: &'static str,
    custom: bool,
    example: String,
    kinds: bool,
    entry: String,
    structs: Vec<Structure>,
    declared: Option<String>,
}

struct ArgumentText {
    name: String,
    doc: String,
    kind: String,
    required: bool,
    facts: String,
    default: String,
    min: String,
    max: String,
}

struct ChoiceText {
    name: String,
    doc: String,
    words: Vec<WordText>,
}

struct WordText {
    word: String,
    wire: String,
    variant: String,
}

pub(super) fn write(spec: &Spec, tool: &Tool, facts: &Facts) -> Result<String, String> {
    let mut structures = Structures::default();
    if let Answer::Members(members) = &tool.answer {
        let mut fields: Vec<StructureField> = members
            .iter()
            .map(|member| structures.field(member, "", &|value| named(value)))
            .collect();
        if tool.pages {
            fields.push(StructureField {
                name: "limit_reached".to_owned(),
                kind: "bool".to_owned(),
                optional: false,
                doc: "Whether there is more.".to_owned(),
            });
            fields.push(StructureField {
                name: "next_cursor".to_owned(),
                kind: "Option<String>".to_owned(),
                optional: true,
                doc: "What to give as `cursor` to read on.".to_owned(),
            });
        }
        structures.list.push(Structure {
            name: "Answered".to_owned(),
            doc: format!("What `{}` answers.", tool.name),
            fields,
        });
    }
    let listed: Vec<String> = operations(tool.calls.iter().map(|call| call.operation))
        .map(|index| pascal(&spec.document.operations[index].id))
        .collect();
    let mut calls = listed.clone();
    calls.extend(implied(spec, tool).map(|index| pascal(&spec.document.operations[index].id)));
    rendered(&ToolText {
        tool: tool.name.clone(),
        name: pascal(&tool.name),
        title: tool.title.clone(),
        group: tool.group.clone(),
        summary: tool.summary.clone(),
        arguments: tool.arguments.iter().map(argument).collect(),
        choices: tool.arguments.iter().filter_map(choice).collect(),
        accessors: accessors(tool.rule),
        calls,
        listed,
        rule: tool.rule.variant(),
        reason: tool.reason.clone(),
        handle: handle(tool.rule),
        read_only: tool.read_only,
        asks: match &tool.asks {
            Asks::Never => "Asks::Never".to_owned(),
            Asks::Always => "Asks::Always".to_owned(),
            Asks::WhenPresent(argument) => format!("Asks::WhenPresent({argument:?})"),
        },
        callers: match tool.callers {
            Callers::Model => "Model",
            Callers::App => "App",
            Callers::ModelAndApp => "ModelAndApp",
        },
        custom: tool.custom,
        example: tool.example.to_string(),
        kinds: tool.kinds,
        entry: entry(spec, tool).to_string(),
        structs: structures.list,
        // What asks is acted on by a handler, after the question.
        declared: if tool.custom || tool.asks != Asks::Never {
            None
        } else {
            Some(declared::body(spec, tool, facts)?)
        },
    })
}

/// Each once, in order.
fn operations(calls: impl Iterator<Item = usize>) -> impl Iterator<Item = usize> {
    let mut seen = Vec::new();
    calls.filter(move |index| {
        let new = !seen.contains(index);
        seen.push(*index);
        new
    })
}

/// The operation a tool may call without listing it: the one that tells where a repository is.
pub(crate) fn implied(spec: &Spec, tool: &Tool) -> impl Iterator<Item = usize> {
    let operations = &spec.document.operations;
    let needs = tool.calls.iter().any(|call| {
        let operation = &operations[call.operation];
        let by_query = operation.reach == Reach::Filter && tool.rule == Rule::ProjectRepo;
        by_query || spec.document.needs_confirming(operation)
    });
    let listed: Vec<usize> = tool.calls.iter().map(|call| call.operation).collect();
    spec.document.confirming().filter(|index| needs && !listed.contains(index)).into_iter()
}

fn named(value: &Value) -> String {
    match value {
        Value::Named { kind, list: false } => rust_type(kind),
        Value::Named { kind, list: true } => format!("Vec<{}>", rust_type(kind)),
        Value::Picked { kind, .. } => super::picks::rust_type(kind).to_owned(),
        Value::Object { .. } | Value::Each { .. } => String::new(),
    }
}

fn handle(rule: Rule) -> &'static str {
    match rule {
        Rule::ProjectRepo => "Repository",
        Rule::OptionalProjectRepo => "OwnOrRepository",
        Rule::ProjectFilter => "Filtered",
        Rule::Unbounded => "Anywhere",
    }
}

fn accessors(rule: Rule) -> Vec<String> {
    let text = match rule {
        Rule::ProjectRepo => {
            "impl bb_contract::scope::NamesRepository for Args {
    fn project(&self) -> &str { &self.project }
    fn repo(&self) -> &str { &self.repo }
}"
        }
        Rule::OptionalProjectRepo => {
            "impl bb_contract::scope::MayNameRepository for Args {
    fn project(&self) -> Option<&str> { self.project.as_deref() }
    fn repo(&self) -> Option<&str> { self.repo.as_deref() }
}"
        }
        Rule::ProjectFilter => {
            "impl bb_contract::scope::MayNameProject for Args {
    fn project(&self) -> Option<&str> { self.project.as_deref() }
}"
        }
        Rule::Unbounded => "",
    };
    vec![text.to_owned()]
}

fn argument(argument: &Argument) -> ArgumentText {
    let base = match &argument.kind {
        ArgumentType::Count | ArgumentType::PullRequestId => "i64".to_owned(),
        ArgumentType::Flag => "bool".to_owned(),
        ArgumentType::Texts => "Vec<String>".to_owned(),
        ArgumentType::Choice(_) => pascal(&argument.name),
        _ => "String".to_owned(),
    };
    let always = argument.required || argument.default.is_some();
    let facts = match &argument.kind {
        ArgumentType::Text => "ArgumentType::Text".to_owned(),
        ArgumentType::ProjectKey => "ArgumentType::ProjectKey".to_owned(),
        ArgumentType::RepoSlug => "ArgumentType::RepoSlug".to_owned(),
        ArgumentType::PullRequestId => "ArgumentType::PullRequestId".to_owned(),
        ArgumentType::Commit => "ArgumentType::Commit".to_owned(),
        ArgumentType::Ref => "ArgumentType::Ref".to_owned(),
        ArgumentType::Path => "ArgumentType::Path".to_owned(),
        ArgumentType::User => "ArgumentType::User".to_owned(),
        ArgumentType::Count => "ArgumentType::Count".to_owned(),
        ArgumentType::Flag => "ArgumentType::Flag".to_owned(),
        ArgumentType::Texts => "ArgumentType::Texts".to_owned(),
        ArgumentType::Choice(words) => {
            let words: Vec<&str> = words.iter().map(|(word, _)| word.as_str()).collect();
            format!("ArgumentType::Choice(&{words:?})")
        }
    };
    ArgumentText {
        name: argument.name.clone(),
        doc: argument.doc.clone(),
        kind: if always { base } else { format!("Option<{base}>") },
        required: argument.required,
        facts,
        default: format!("{:?}", argument.default.as_ref().map(ToString::to_string)),
        min: format!("{:?}", argument.min),
        max: format!("{:?}", argument.max),
    }
}

fn choice(argument: &Argument) -> Option<ChoiceText> {
    let ArgumentType::Choice(words) = &argument.kind else { return None };
    Some(ChoiceText {
        name: pascal(&argument.name),
        doc: argument.doc.clone(),
        words: words
            .iter()
            .map(|(word, wire)| WordText {
                word: word.clone(),
                wire: wire.clone(),
                variant: pascal(word),
            })
            .collect(),
    })
}

#[derive(Template)]
#[template(path = "registry.rs.jinja", escape = "none")]
struct Registry {
    asks: bool,
    tools: Vec<Registered>,
    title: String,
    description: String,
    instructions: String,
    own: Vec<(String, String, &'static str)>,
}

struct Registered {
    module: String,
    name: String,
    custom: bool,
    asks: bool,
}

pub(super) fn registry(spec: &Spec) -> Result<String, String> {
    let tools = spec.tools.iter().map(|tool| Registered {
        module: tool.name.clone(),
        name: pascal(&tool.name),
        custom: tool.custom,
        asks: tool.asks != Asks::Never,
    });
    let own = spec.server.calls.iter().map(|index| {
        let operation = &spec.document.operations[*index];
        (operation.method.clone(), operation.path.clone(), operation.reach.name())
    });
    rendered(&Registry {
        asks: spec.tools.iter().any(|tool| tool.asks != Asks::Never),
        tools: tools.collect(),
        title: spec.server.title.clone(),
        description: spec.server.description.clone(),
        instructions: spec.server.instructions.clone(),
        own: own.collect(),
    })
}
