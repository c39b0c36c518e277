//! The handles: one method per operation and handle, bound to what the rule let through.

use super::facts::Facts;
use super::operations::free_query;
use super::picks::access;
use super::rendered;
use crate::Spec;
use crate::document::schema::Schemas;
use crate::document::{Names, Operation, Reach, Response};
use crate::model::pascal;
use askama::Template;

#[derive(Template)]
#[template(path = "handles.rs.jinja", escape = "none")]
struct Handles {
    handles: Vec<HandleText>,
    confirm: Option<Confirm>,
}

struct Confirm {
    id: String,
    project: String,
    repo: String,
}

struct HandleText {
    name: &'static str,
    doc: &'static str,
    field: &'static str,
    cloned: &'static str,
    opened: &'static str,
    target: Option<&'static str>,
    accessor: &'static str,
    methods: Vec<Method>,
}

struct Method {
    id: String,
    operation: String,
    signature: String,
    summary: String,
    parameters: String,
    returns: String,
    body: String,
}

/// What kind of handle a method is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum On {
    Repository,
    Own,
    Filtered,
    Anywhere,
}

pub(super) fn write(spec: &Spec, facts: &Facts) -> Result<String, String> {
    let confirm = match spec.document.confirming() {
        Some(index) => {
            let operation = &spec.document.operations[index];
            let (project, repo) = whose(spec, facts, operation)?
                .ok_or("the confirming operation does not say whose it is")?;
            Some(Confirm { id: operation.id.clone(), project, repo })
        }
        None => None,
    };
    let handles = vec![
        HandleText {
            name: "Repository",
            doc: "What a call bound to one repository may reach.",
            field: "bound: Bound,",
            cloned: "bound: self.bound.clone(),",
            opened: "bound: admitted.target().clone(),",
            target: Some("Bound"),
            accessor: "/// The repository.\n    #[must_use]\n    pub fn bound(&self) -> &Bound { &self.bound }",
            methods: methods(spec, facts, On::Repository)?,
        },
        HandleText {
            name: "Own",
            doc: "What a call about the caller's own work may reach.",
            field: "pinned: Pinned,",
            cloned: "pinned: self.pinned.clone(),",
            opened: "",
            target: None,
            accessor: "/// The project it is narrowed to.\n    #[must_use]\n    pub fn project(&self) -> Option<&str> { self.pinned.project() }",
            methods: methods(spec, facts, On::Own)?,
        },
        HandleText {
            name: "Filtered",
            doc: "What a call that only filters by a project may reach.",
            field: "pinned: Pinned,",
            cloned: "pinned: self.pinned.clone(),",
            opened: "pinned: admitted.target().clone(),",
            target: Some("Pinned"),
            accessor: "/// The project it filters by.\n    #[must_use]\n    pub fn project(&self) -> Option<&str> { self.pinned.project() }",
            methods: methods(spec, facts, On::Filtered)?,
        },
        HandleText {
            name: "Anywhere",
            doc: "What a call that no project bounds may reach; there is none under a scope.",
            field: "",
            cloned: "",
            opened: "",
            target: Some("()"),
            accessor: "",
            methods: methods(spec, facts, On::Anywhere)?,
        },
    ];
    rendered(&Handles { handles, confirm })
}

fn methods(spec: &Spec, facts: &Facts, on: On) -> Result<Vec<Method>, String> {
    let there = |operation: &&Operation| match operation.reach {
        Reach::Server => true,
        Reach::Repository => on == On::Repository,
        Reach::Noted => matches!(on, On::Repository | On::Own),
        Reach::Own => on == On::Own,
        Reach::Project => on == On::Filtered,
        Reach::Filter => {
            let repo =
                operation.parameters.iter().any(|parameter| parameter.names == Some(Names::Repo));
            on == On::Filtered || (on == On::Repository && repo)
        }
        Reach::Unbounded => {
            on == On::Anywhere
                || (!operation.noted.is_empty() && matches!(on, On::Repository | On::Own))
        }
    };
    spec.document
        .operations
        .iter()
        .filter(there)
        .map(|operation| method(spec, facts, on, operation))
        .collect()
}

fn method(spec: &Spec, facts: &Facts, on: On, operation: &Operation) -> Result<Method, String> {
    let mut parameters = String::new();
    for parameter in operation.placeholders() {
        if matches!(parameter.name.as_str(), "project" | "repo")
            && operation.reach != Reach::Unbounded
        {
            continue;
        }
        let found = facts.parameter(&operation.id, &parameter.name)?;
        parameters.push_str(&format!(", {}: {}", found.ident, found.kind.replace("'a ", "")));
    }
    if free_query(operation).next().is_some() {
        parameters.push_str(&format!(", query: query::{}<'_>", pascal(&operation.id)));
    }
    let stream = matches!(operation.response, Response::Stream(_));
    if stream {
        parameters.push_str(", cap: usize");
    }
    let element = spec.document.page_of(operation);
    let returns = match (&operation.response, element) {
        (Response::Stream(media), _) if media.starts_with("text/") => {
            "bb_client::CutText".to_owned()
        }
        (Response::Stream(_), _) => "bb_client::CutBytes".to_owned(),
        (Response::Json(_), Some(element)) => format!("Page<types::{element}>"),
        (Response::Json(name), None) => format!("types::{name}"),
    };
    Ok(Method {
        id: operation.id.clone(),
        operation: pascal(&operation.id),
        signature: operation.signature(),
        summary: operation.summary.clone(),
        parameters,
        returns,
        body: body(spec, facts, on, operation)?,
    })
}

fn body(spec: &Spec, facts: &Facts, on: On, operation: &Operation) -> Result<String, String> {
    let mut body = String::new();
    if operation.reach == Reach::Project {
        body.push_str("let Some(project) = self.pinned.project() else { return Err(bb_client::BitbucketError::incomplete(\"this needs `project`\")); };\n");
    }
    let by_query = on == On::Repository && operation.reach == Reach::Filter;
    if by_query || spec.document.needs_confirming(operation) {
        if spec.document.confirming().is_none() {
            return Err(format!("nothing confirms where the repository of `{}` is", operation.id));
        }
        body.push_str("self.wire.confirm(&self.bound).await?;\n");
    }
    if !operation.noted.is_empty() && on != On::Anywhere {
        for placeholder in operation.placeholders() {
            let ident = &facts.parameter(&operation.id, &placeholder.name)?.ident;
            body.push_str(&format!("self.wire.context.must_be_noted({ident})?;\n"));
        }
    }
    let mut arguments = Vec::new();
    for parameter in facts.parameters(&operation.id)? {
        arguments.push(argument(on, operation, &parameter.ident)?);
    }
    let call = format!(
        "taken(self.wire.client.{}({}).await, {}).await?",
        operation.id,
        arguments.join(", "),
        operation.method != "GET"
    );
    let page = spec.document.page_of(operation);
    let whose = whose(spec, facts, operation)?;
    let narrowed = matches!(on, On::Own | On::Filtered) && page.is_some() && whose.is_some();
    body.push_str(&format!("let {}answer = {call};\n", if narrowed { "mut " } else { "" }));
    match (&operation.response, whose, page) {
        (Response::Stream(media), _, _) => {
            let read = if media.starts_with("text/") { "read_text" } else { "read_bytes" };
            body.push_str(&format!("bb_client::{read}(&self.wire.context, answer, cap).await"));
            return Ok(body);
        }
        (_, Some((project, repo)), Some(_)) if narrowed => body.push_str(&format!(
            "answer.values.retain(|value| self.wire.context.keeps({project}, {repo}, self.pinned.project()));\n"
        )),
        (_, Some((project, repo)), Some(_)) if on == On::Repository => body.push_str(&format!(
            "for value in &answer.values {{ self.wire.context.belongs({project}, {repo}, &self.bound)?; }}\n"
        )),
        (_, Some((project, repo)), None) if on == On::Repository => body.push_str(&format!(
            "let value = &answer;\nself.wire.context.belongs({project}, {repo}, &self.bound)?;\n"
        )),
        _ => {}
    }
    // What a bounded answer holds may key what no argument may.
    if matches!((on, operation.reach), (On::Repository, Reach::Repository) | (On::Own, Reach::Own))
    {
        body.push_str("self.wire.context.note(&answer);\n");
    }
    body.push_str(match page {
        Some(_) => {
            "Ok(Page::new(answer.values, query.start.and_then(|start| u64::try_from(start).ok()).unwrap_or(0), answer.is_last_page, answer.next_page_start))"
        }
        None => "Ok(answer)",
    });
    Ok(body)
}

/// What a parameter of the client is given: what the rule bound, or what the caller says by name.
fn argument(on: On, operation: &Operation, ident: &str) -> Result<String, String> {
    let parameter = operation
        .parameters
        .iter()
        .find(|parameter| crate::document::passes::same_name(&parameter.name, ident))
        .ok_or_else(|| {
            format!("`{}` has a parameter `{ident}` that the document does not", operation.id)
        })?;
    Ok(match (parameter.in_path, parameter.names, parameter.name.as_str(), on) {
        (true, _, "project", On::Repository) => "self.bound.project()".to_owned(),
        (true, _, "repo", On::Repository) => "self.bound.repo()".to_owned(),
        (true, _, "project", On::Filtered) => "project".to_owned(),
        (true, _, _, _) => ident.to_owned(),
        (false, Some(Names::Project), _, On::Filtered) => "self.pinned.project()".to_owned(),
        (false, Some(Names::Project), _, On::Repository) => "Some(self.bound.project())".to_owned(),
        (false, Some(Names::Repo), _, On::Repository) => "Some(self.bound.repo())".to_owned(),
        (false, Some(_), _, _) => "None".to_owned(),
        (false, None, _, _) => format!("query.{ident}"),
    })
}

/// Expressions for the key and the slug of the repository that `value` is about.
fn whose(
    spec: &Spec,
    facts: &Facts,
    operation: &Operation,
) -> Result<Option<(String, String)>, String> {
    let (Some(path), Response::Json(name)) =
        (spec.document.repository_in(operation), &operation.response)
    else {
        return Ok(None);
    };
    let schema = spec.document.page_of(operation).unwrap_or(name);
    let base = Schemas::steps(path);
    let text = |rest: &[&str]| -> Result<String, String> {
        let path: Vec<String> =
            base.iter().cloned().chain(rest.iter().map(|part| (*part).to_owned())).collect();
        let access = access(facts, &spec.document, schema, "value", &path)?;
        Ok(match (access.optional, access.expression.strip_suffix(".as_ref()")) {
            (true, Some(direct)) => format!("{direct}.as_deref()"),
            (true, None) => format!("{}.map(String::as_str)", access.expression),
            (false, _) => format!("Some(({}).as_str())", access.expression),
        })
    };
    Ok(Some((text(&["project", "key"])?, text(&["slug"])?)))
}
