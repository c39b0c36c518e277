//! From the checked model to Rust: one file a concern, one a tool.

mod declared;
mod entry;
mod facts;
mod handles;
mod kinds;
mod operations;
mod picks;
mod tools;
mod types;

pub(crate) use entry::entry;
pub(crate) use kinds::declarations;
pub(crate) use tools::implied;

use crate::diagnostic::File;
use crate::document::passes;
use crate::{Diagnostic, Spec};
use askama::Template;
use facts::Facts;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Says that generation failed on what the checks let through. It is no check of the spec.
const GENERATOR: &str = "generator";

/// One file for a build's output folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// Path below the output folder, with slashes.
    pub path: String,
    /// Its text.
    pub text: String,
}

/// The root file of a spec with faults: one `compile_error!` each, and nothing else, so that
/// nothing that depends on the spec is compiled and no further errors hide these.
#[must_use]
pub fn failed(diagnostics: &[Diagnostic]) -> Source {
    let mut text = String::new();
    for diagnostic in diagnostics {
        let message = diagnostic.to_string();
        // rustc puts its own `error:` before it.
        let message = message.strip_prefix("error: ").unwrap_or(&message);
        text.push_str(&format!("compile_error!({message:?});\n"));
    }
    Source { path: "root.rs".to_owned(), text }
}

/// All files of a spec without faults.
///
/// # Errors
/// When progenitor or a template does not give what the passes know; a fault of this crate or of
/// the document, told at the document.
pub fn sources(spec: &Spec) -> Result<Vec<Source>, Diagnostic> {
    write(spec).map_err(|message| Diagnostic {
        slug: GENERATOR,
        file: Arc::new(File {
            path: "spec/bitbucket/openapi.yaml".to_owned(),
            text: String::new(),
        }),
        span: 0..0,
        message: format!("the client cannot be generated: {message}"),
        label: String::new(),
        help: "a check is missing here: write what is new in the spec as the rest is written"
            .to_owned(),
    })
}

fn write(spec: &Spec) -> Result<Vec<Source>, String> {
    let generated = passes::generate(&spec.document)?;
    let facts = Facts::of(&generated.client);
    let enums: syn::File =
        syn::parse2(passes::open_enums(&generated.enums)?).map_err(|error| error.to_string())?;
    let mut sources = vec![
        Source { path: "client.rs".to_owned(), text: prettyplease::unparse(&generated.client) },
        Source { path: "open.rs".to_owned(), text: prettyplease::unparse(&enums) },
        formatted("operations.rs", operations::facts(spec)?)?,
        formatted("queries.rs", operations::queries(spec, &facts)?)?,
        formatted("probes.rs", operations::probes(spec, &facts)?)?,
        formatted("handles.rs", handles::write(spec, &facts)?)?,
        formatted("kinds.rs", kinds::write(spec)?)?,
        formatted("answers.rs", types::write(spec)?)?,
        formatted("registry.rs", tools::registry(spec)?)?,
    ];
    for tool in &spec.tools {
        sources.push(formatted(
            &format!("tools/{}.rs", tool.name),
            tools::write(spec, tool, &facts)?,
        )?);
    }
    let tools: Vec<&str> = spec.tools().collect();
    let root = rendered(&Root { tools: &tools })?;
    sources.push(Source { path: "root.rs".to_owned(), text: root });
    Ok(sources)
}

/// Parses what a template gave, so that a broken template fails here and not in the crate that
/// includes it, and formats it for people.
fn formatted(path: &str, text: String) -> Result<Source, String> {
    let file = syn::parse_file(&text).map_err(|error| {
        let line = error.span().start().line;
        let around = text.lines().nth(line.saturating_sub(1)).unwrap_or_default();
        format!("{path}:{line}: {error}: {around}")
    })?;
    let mut types = BTreeSet::new();
    for item in &file.items {
        let name = match item {
            syn::Item::Struct(item) => &item.ident,
            syn::Item::Enum(item) => &item.ident,
            _ => continue,
        };
        if !types.insert(name.to_string()) {
            return Err(format!("{path}: two types are named `{name}`"));
        }
    }
    Ok(Source { path: path.to_owned(), text: prettyplease::unparse(&file) })
}

fn rendered(template: &impl Template) -> Result<String, String> {
    template.render().map_err(|error| error.to_string())
}

#[derive(Template)]
#[template(path = "root.rs.jinja", escape = "none")]
struct Root<'r> {
    tools: &'r [&'r str],
}

/// Filters of the templates.
#[allow(unreachable_pub, reason = "the filter macro makes public items")]
mod filters {
    /// A text as a Rust literal.
    #[askama::filter_fn]
    pub(super) fn lit(
        text: impl std::fmt::Display,
        _: &dyn askama::Values,
    ) -> askama::Result<String> {
        Ok(format!("{:?}", text.to_string()))
    }
}
