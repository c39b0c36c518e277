//! What the handles rely on: that pages turn, and that every answer's repository is known, by
//! the answer itself or by asking first.

use super::schema::Kind;
use super::{Document, Operation, Reach, Response};
use crate::reader::Source;

/// Checks the operations against the schemas they answer with.
pub(super) fn check(source: &Source<'_>, document: &Document) {
    let mut confirming: Option<&Operation> = None;
    for operation in &document.operations {
        page(source, document, operation);
        for name in operation.noted.iter().filter(|name| !document.schemas.any_has(name)) {
            let message = format!("no answer has a member `{name}` to note");
            source.fault("document-reach", &operation.place, message, "");
        }
        if !operation.confirms {
            continue;
        }
        let fault = |message: String| {
            source.fault("document-confirmation", &operation.place, message, "");
        };
        if let Some(first) = confirming {
            fault(format!("`{}` confirms repositories, as `{}` does", operation.id, first.id));
        }
        let bound = operation.parameters.iter().all(|parameter| parameter.in_path)
            && operation.reach == Reach::Repository
            && operation.placeholders().count() == 2;
        if !bound || operation.method != "GET" {
            fault(format!("`{}` is not a GET of project and repo alone", operation.id));
        } else if document.page_of(operation).is_some()
            || document.repository_in(operation).is_none()
        {
            fault(format!("the answer of `{}` does not say whose it is", operation.id));
        }
        confirming = Some(operation);
    }
    for operation in &document.operations {
        if confirming.is_none() && document.needs_confirming(operation) {
            let message = format!("nothing says where the repository of `{}` is", operation.id);
            source.fault("document-confirmation", &operation.place, message, "");
        }
        // Only pages are narrowed, and only by what each element says.
        if matches!(operation.reach, Reach::Own | Reach::Filter)
            && (document.page_of(operation).is_none()
                || document.repository_in(operation).is_none())
        {
            let message =
                format!("`{}` has no pages whose elements say whose they are", operation.id);
            source.fault("document-confirmation", &operation.place, message, "");
        }
    }
}

/// A page turns by `start` and `limit`, and says where the next one begins.
fn page(source: &Source<'_>, document: &Document, operation: &Operation) {
    if document.page_of(operation).is_none() {
        return;
    }
    let fault = |message: String| {
        source.fault("document-page", &operation.place, message, "");
    };
    for name in ["start", "limit"] {
        if operation.query(name).is_none_or(|parameter| parameter.kind != Kind::Integer) {
            fault(format!("`{}` answers with pages and takes no integer `{name}`", operation.id));
        }
    }
    let Response::Json(schema) = &operation.response else { return };
    let Some(page) = document.schemas.object(schema) else { return };
    for (name, kind) in [("isLastPage", Kind::Flag), ("nextPageStart", Kind::Integer)] {
        if page.property(name).is_none_or(|member| member.kind != kind || member.required) {
            fault(format!("the pages of `{}` have no optional `{name}`", operation.id));
        }
    }
    if page.property("values").is_none_or(|member| member.required) {
        fault(format!("the pages of `{}` have no optional `values`", operation.id));
    }
}
