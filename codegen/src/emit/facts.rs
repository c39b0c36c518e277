//! What progenitor's output says of itself: fields of types, parameters of operations. Names and
//! types are read here and never guessed, so a renamed field or a new query member cannot be
//! taken for another.

use crate::document::passes::same_name;
use quote::quote;
use std::collections::BTreeMap;

/// Fields and signatures of the generated client.
#[derive(Debug, Default)]
pub(super) struct Facts {
    fields: BTreeMap<(String, String), Field>,
    signatures: BTreeMap<String, Vec<Parameter>>,
}

/// A field of a generated struct.
#[derive(Debug, Clone)]
pub(super) struct Field {
    pub(super) ident: String,
    pub(super) optional: bool,
}

/// A parameter of a generated operation.
#[derive(Debug, Clone)]
pub(super) struct Parameter {
    pub(super) ident: String,
    /// Its type, without spaces.
    pub(super) kind: String,
}

impl Facts {
    pub(super) fn of(file: &syn::File) -> Self {
        let mut facts = Self::default();
        for item in &file.items {
            match item {
                syn::Item::Mod(module) if module.ident == "types" => {
                    for item in module.content.iter().flat_map(|content| &content.1) {
                        if let syn::Item::Struct(item) = item {
                            facts.structure(item);
                        }
                    }
                }
                syn::Item::Impl(block) if block.trait_.is_none() => {
                    for item in &block.items {
                        if let syn::ImplItem::Fn(function) = item {
                            facts.function(function);
                        }
                    }
                }
                _ => {}
            }
        }
        facts
    }

    fn structure(&mut self, item: &syn::ItemStruct) {
        for field in &item.fields {
            let Some(ident) = &field.ident else { continue };
            let kind = &field.ty;
            let optional =
                quote!(#kind).to_string().replace(' ', "").starts_with("::std::option::Option<");
            let name = renamed(&field.attrs).unwrap_or_else(|| ident.to_string());
            self.fields.insert(
                (item.ident.to_string(), name),
                Field { ident: ident.to_string(), optional },
            );
        }
    }

    fn function(&mut self, function: &syn::ImplItemFn) {
        let parameters = function.sig.inputs.iter().filter_map(|input| match input {
            syn::FnArg::Typed(typed) => {
                let (name, kind) = (&typed.pat, &typed.ty);
                let kind = quote!(#kind).to_string().replace(' ', "").replace("&'astr", "&'a str");
                Some(Parameter { ident: quote!(#name).to_string(), kind })
            }
            syn::FnArg::Receiver(_) => None,
        });
        self.signatures.insert(function.sig.ident.to_string(), parameters.collect());
    }

    pub(super) fn field(&self, structure: &str, property: &str) -> Result<&Field, String> {
        self.fields
            .get(&(structure.to_owned(), property.to_owned()))
            .ok_or_else(|| format!("the client has no `{structure}.{property}`"))
    }

    pub(super) fn parameters(&self, operation: &str) -> Result<&[Parameter], String> {
        let found = self
            .signatures
            .get(operation)
            .ok_or_else(|| format!("the client has no `{operation}`"))?;
        Ok(found)
    }

    /// The parameter that stands for a name of the document.
    pub(super) fn parameter(&self, operation: &str, name: &str) -> Result<&Parameter, String> {
        let mut found = self
            .parameters(operation)?
            .iter()
            .filter(|parameter| same_name(name, &parameter.ident));
        match (found.next(), found.next()) {
            (Some(one), None) => Ok(one),
            _ => Err(format!("`{operation}` does not have exactly one parameter `{name}`")),
        }
    }
}

fn renamed(attributes: &[syn::Attribute]) -> Option<String> {
    for attribute in attributes {
        let syn::Meta::List(list) = &attribute.meta else { continue };
        let text = list.tokens.to_string();
        if let Some(rest) = text.split("rename = \"").nth(1) {
            return rest.split('"').next().map(str::to_owned);
        }
    }
    None
}
