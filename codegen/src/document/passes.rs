//! What is done to the document before progenitor and to its output after.
//!
//! Unpatched, progenitor lets an argument walk to another project, refuses unknown enum values
//! and nulls, and builds HTTP clients of its own.

use super::{Document, Operation};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use serde_json::Value;
use std::collections::BTreeMap;
use syn::punctuated::Punctuated;
use syn::visit_mut::{self, VisitMut};

/// What generation makes of the document.
#[derive(Debug)]
pub(crate) struct Generated {
    /// progenitor's output, patched.
    pub(crate) client: syn::File,
    /// Schemas whose values may grow: each value, and this server's word for it.
    pub(crate) enums: Enums,
}

/// Runs both passes around progenitor.
pub(crate) fn generate(document: &Document) -> Result<Generated, String> {
    let (mut client, enums) = unpatched(document)?;
    patch(&mut client, document)?;
    Ok(Generated { client, enums })
}

/// A name, and its values with their words.
type Enums = Vec<(String, Vec<(String, String)>)>;

/// What progenitor makes of the document after the first pass.
fn unpatched(document: &Document) -> Result<(syn::File, Enums), String> {
    let mut json = document.json.clone();
    let prepared = prepare(&mut json);
    let spec: openapiv3::OpenAPI = serde_json::from_value(json)
        .map_err(|error| format!("the document is no OpenAPI: {error}"))?;
    let mut settings = progenitor::GenerationSettings::default();
    settings
        .with_interface(progenitor::InterfaceStyle::Positional)
        .with_hooks(progenitor::HooksMode::Expected)
        .with_inner_type(quote!(::bb_client::CallContext));
    for (name, path) in &prepared.replacements {
        settings.with_replacement(name, path, std::iter::empty());
    }
    let tokens = progenitor::Generator::new(&settings)
        .generate_tokens(&spec)
        .map_err(|error| format!("progenitor: {error}"))?;
    let client = syn::parse2(tokens).map_err(|error| format!("progenitor's output: {error}"))?;
    Ok((client, prepared.enums))
}

struct Prepared {
    enums: Enums,
    replacements: BTreeMap<String, String>,
}

/// Opens enumerations and takes out what becomes a type of the client crate. The lint has made
/// sure of the rest: one success a response, no closed enumeration.
fn prepare(json: &mut Value) -> Prepared {
    let mut prepared = Prepared { enums: Vec::new(), replacements: BTreeMap::new() };
    let schemas = json.pointer_mut("/components/schemas").and_then(Value::as_object_mut);
    for (name, schema) in schemas.into_iter().flatten() {
        let flagged = |member: &str| schema.get(member) == Some(&Value::Bool(true));
        if flagged("x-instant") {
            prepared.replacements.insert(name.clone(), "::bb_client::Instant".to_owned());
        } else if flagged("x-links") {
            prepared.replacements.insert(name.clone(), "::bb_client::Links".to_owned());
        } else if flagged("x-open-enum") {
            let words = schema.get("enum").and_then(Value::as_array).into_iter().flatten();
            let renamed = schema.get("x-words").and_then(Value::as_object);
            let word = |value: &str| {
                let given = renamed.and_then(|words| words.get(value)).and_then(Value::as_str);
                (value.to_owned(), given.map_or_else(|| value.to_lowercase(), str::to_owned))
            };
            let words = words.filter_map(Value::as_str).map(word).collect();
            prepared.enums.push((name.clone(), words));
            prepared.replacements.insert(name.clone(), format!("crate::open::{name}"));
            if let Some(schema) = schema.as_object_mut() {
                schema.remove("enum");
            }
        }
    }
    prepared
}

/// Patches progenitor's output and fails closed when it is not what the pass knows.
fn patch(file: &mut syn::File, document: &Document) -> Result<(), String> {
    let mut patch =
        Patch { operations: &document.operations, current: None, encoded: 0, unknown: Vec::new() };
    patch.visit_file_mut(file);
    let expected: usize =
        document.operations.iter().map(|operation| operation.placeholders().count()).sum();
    if !patch.unknown.is_empty() {
        return Err(format!("path arguments of unknown operations: {}", patch.unknown.join(", ")));
    }
    if patch.encoded != expected {
        return Err(format!("{} of {expected} path arguments were made safe", patch.encoded));
    }
    remove_constructor(file)?;
    let text = quote!(#file).to_string();
    // `encode_path` is still imported; a call of it is what must not be left.
    let left = text.matches("encode_path (").count();
    if left > 0 {
        return Err(format!("{left} unpatched path encodings are left"));
    }
    Ok(())
}

struct Patch<'p> {
    operations: &'p [Operation],
    current: Option<String>,
    encoded: usize,
    unknown: Vec<String>,
}

impl VisitMut for Patch<'_> {
    fn visit_impl_item_fn_mut(&mut self, function: &mut syn::ImplItemFn) {
        self.current = Some(function.sig.ident.to_string());
        visit_mut::visit_impl_item_fn_mut(self, function);
        self.current = None;
    }

    fn visit_macro_mut(&mut self, node: &mut syn::Macro) {
        if node.path.is_ident("format")
            && let Ok(mut arguments) =
                node.parse_body_with(Punctuated::<syn::Expr, syn::Token![,]>::parse_terminated)
        {
            for argument in &mut arguments {
                self.make_safe(argument);
            }
            node.tokens = quote!(#arguments);
        }
        visit_mut::visit_macro_mut(self, node);
    }

    /// Every field that has a default takes `null` for it.
    fn visit_field_mut(&mut self, field: &mut syn::Field) {
        for attribute in &mut field.attrs {
            if let syn::Meta::List(list) = &mut attribute.meta {
                let text = list.tokens.to_string();
                if list.path.is_ident("serde")
                    && text.split(',').any(|part| part.trim().starts_with("default"))
                {
                    let rest = &list.tokens;
                    list.tokens = quote!(deserialize_with = "::bb_client::null_default", #rest);
                }
            }
        }
    }
}

impl Patch<'_> {
    /// Replaces `encode_path(&x.to_string())` by a fallible encoder of ours.
    fn make_safe(&mut self, expression: &mut syn::Expr) {
        let syn::Expr::Call(call) = expression else { return };
        if !matches!(&*call.func, syn::Expr::Path(path) if path.path.is_ident("encode_path")) {
            return;
        }
        let Some(argument) = call.args.first().cloned() else { return };
        let text: String = quote!(#argument)
            .to_string()
            .chars()
            .filter(|letter| !letter.is_whitespace())
            .collect();
        let name = text.trim_start_matches('&').split('.').next().unwrap_or_default().to_owned();
        let operation =
            self.operations.iter().find(|operation| Some(&operation.id) == self.current.as_ref());
        let parameter = operation.and_then(|operation| {
            operation.placeholders().find(|parameter| same_name(&parameter.name, &name))
        });
        let Some(parameter) = parameter else {
            self.unknown.push(format!("{name} in {:?}", self.current));
            return;
        };
        let encoder = if parameter.multi { quote!(segments) } else { quote!(segment) };
        *expression = syn::parse_quote!(::bb_contract::path::#encoder(#argument).map_err(Error::InvalidRequest)?);
        self.encoded += 1;
    }
}

/// Deletes `Client::new`, which would build an HTTP client past the guard.
fn remove_constructor(file: &mut syn::File) -> Result<(), String> {
    let mut removed = 0;
    for item in &mut file.items {
        let syn::Item::Impl(block) = item else { continue };
        if block.trait_.is_some()
            || !matches!(&*block.self_ty, syn::Type::Path(path) if path.path.is_ident("Client"))
        {
            continue;
        }
        let before = block.items.len();
        block.items.retain(
            |item| !matches!(item, syn::ImplItem::Fn(function) if function.sig.ident == "new"),
        );
        removed += before - block.items.len();
    }
    if removed == 1 {
        Ok(())
    } else {
        Err(format!("{removed} constructors were removed instead of one"))
    }
}

/// Whether an identifier of the output stands for a name of the document: letters and digits agree.
pub(crate) fn same_name(document: &str, identifier: &str) -> bool {
    let plain = |text: &str| -> String {
        text.chars()
            .filter(char::is_ascii_alphanumeric)
            .map(|letter| letter.to_ascii_lowercase())
            .collect()
    };
    plain(document) == plain(identifier)
}

/// The enumerations that may grow: known words are variants, others are kept as they came.
pub(crate) fn open_enums(enums: &[(String, Vec<(String, String)>)]) -> Result<TokenStream, String> {
    let mut out = TokenStream::new();
    for (name, words) in enums {
        let ident = format_ident!("{name}");
        let variants: Vec<_> =
            words.iter().map(|(_, word)| format_ident!("{}", crate::model::pascal(word))).collect();
        let lower: Vec<_> = words.iter().map(|(_, word)| word.clone()).collect();
        let words: Vec<_> = words.iter().map(|(value, _)| value.clone()).collect();
        let doc = format!("`{name}` of the document; values it does not list are kept.");
        let docs = words.iter().map(|word| format!("`{word}`."));
        out.extend(quote! {
            #[doc = #doc]
            #[derive(Debug, Clone, PartialEq, Eq, Hash)]
            pub enum #ident {
                #(#[doc = #docs] #variants,)*
                /// A value this build does not know.
                Other(String),
            }
            impl #ident {
                /// The value as Bitbucket writes it.
                #[must_use]
                pub fn as_str(&self) -> &str {
                    match self { #(Self::#variants => #words,)* Self::Other(word) => word }
                }
                /// The value as this server's answers write it.
                #[must_use]
                pub fn word(&self) -> String {
                    match self { #(Self::#variants => #lower.to_owned(),)* Self::Other(word) => word.to_lowercase() }
                }
            }
            impl ::std::convert::From<String> for #ident {
                fn from(word: String) -> Self {
                    match word.as_str() { #(#words => Self::#variants,)* _ => Self::Other(word) }
                }
            }
            impl ::std::fmt::Display for #ident {
                fn fmt(&self, formatter: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                    formatter.write_str(self.as_str())
                }
            }
            impl ::serde::Serialize for #ident {
                fn serialize<S: ::serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                    serializer.serialize_str(self.as_str())
                }
            }
            impl<'de> ::serde::Deserialize<'de> for #ident {
                fn deserialize<D: ::serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                    Ok(<String as ::serde::Deserialize>::deserialize(deserializer)?.into())
                }
            }
        });
    }
    Ok(out)
}

#[cfg(test)]
mod tests;
