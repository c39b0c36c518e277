//! The shapes of the product's JSON. Every date is epoch milliseconds.

mod builds;
mod changes;
mod comments;
mod commits;
mod places;
mod pull_requests;

use serde_json::Value;

use crate::state::Store;

pub(crate) use changes::{DiffOptions, NONE};
pub(crate) use commits::short;

/// Draws values of one store with links below one address.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shapes<'a> {
    pub(crate) store: &'a Store,
    pub(crate) base: &'a str,
    /// Who looks: drafts and permitted operations depend on it.
    pub(crate) user: Option<&'a str>,
    /// The size of pictures whose addresses were asked for.
    pub(crate) avatars: Option<u32>,
}

/// Adds a field unless there is nothing to say: the product leaves it out then.
pub(crate) fn put(object: &mut Value, name: &str, value: Option<Value>) {
    if let (Some(fields), Some(value)) = (object.as_object_mut(), value) {
        fields.insert(name.to_owned(), value);
    }
}

/// A path as an object.
pub(crate) fn path(text: &str) -> Value {
    let (parent, name) = text.rsplit_once('/').unwrap_or(("", text));
    let mut object = serde_json::json!({
        "components": text.split('/').collect::<Vec<_>>(),
        "parent": parent,
        "name": name,
    });
    // `.gitignore` has the extension `gitignore` on running instances.
    let extension = name.rsplit_once('.').map(|(_, extension)| extension.into());
    put(&mut object, "extension", extension);
    put(&mut object, "toString", Some(text.into()));
    object
}
