//! The passes, each broken once.

use super::{Document, patch, unpatched};
use crate::diagnostic::File;
use crate::node;
use crate::reader::{Faults, Source};
use quote::{ToTokens, quote};
use std::path::Path;
use std::sync::Arc;
use syn::visit_mut::{self, VisitMut};

fn document() -> Document {
    let base = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/spec-errors/base");
    let text = std::fs::read_to_string(base.join("bitbucket/openapi.yaml")).unwrap();
    let root = node::parse(&text).unwrap();
    let faults = Faults::default();
    let file = Arc::new(File { path: "openapi.yaml".to_owned(), text });
    let document = super::super::load(&Source { file, faults: &faults }, &root);
    let faults = faults.into_sorted();
    assert!(faults.is_empty(), "{}", faults[0]);
    document
}

fn raw() -> (syn::File, Document) {
    let document = document();
    (unpatched(&document).unwrap().0, document)
}

fn text(file: &syn::File) -> String {
    file.to_token_stream().to_string()
}

/// The block with the operations.
fn client(file: &mut syn::File) -> &mut syn::ItemImpl {
    let blocks = file.items.iter_mut().filter_map(|item| match item {
        syn::Item::Impl(block) if block.trait_.is_none() => Some(block),
        _ => None,
    });
    let mut with_constructor = blocks.filter(|block| {
        block
            .items
            .iter()
            .any(|item| matches!(item, syn::ImplItem::Fn(function) if function.sig.ident == "new"))
    });
    with_constructor.next().unwrap()
}

/// Refused, and says why.
fn refused(file: &mut syn::File, document: &Document, why: &str) {
    let error = patch(file, document).unwrap_err();
    assert!(error.contains(why), "{error}");
}

#[test]
fn every_path_argument_is_made_safe() {
    let (mut file, document) = raw();
    let placeholders: usize =
        document.operations.iter().map(|operation| operation.placeholders().count()).sum();
    assert!(placeholders > 10 && text(&file).contains("encode_path ("));
    patch(&mut file, &document).unwrap();
    let patched = text(&file);
    assert!(!patched.contains("encode_path ("));
    let one = patched.matches(":: bb_contract :: path :: segment (").count();
    let several = patched.matches(":: bb_contract :: path :: segments (").count();
    assert_eq!(one + several, placeholders);
    assert_eq!(several, 1, "only `{{path}}` of the diff keeps its slashes");
}

#[test]
fn an_encoding_outside_the_paths_it_knows_is_refused() {
    let (mut file, document) = raw();
    let stray = quote!(
        fn stray(name: &str) -> String {
            encode_path(&name.to_string())
        }
    );
    file.items.push(syn::parse2(stray).unwrap());
    refused(&mut file, &document, "1 unpatched path encodings are left");
}

#[test]
fn an_encoding_by_its_full_name_is_refused() {
    let (mut file, document) = raw();
    let stray = quote!(
        fn stray(name: &str) -> String {
            format!("/x/{}", progenitor_client::encode_path(&name.to_string()))
        }
    );
    file.items.push(syn::parse2(stray).unwrap());
    refused(&mut file, &document, "1 unpatched path encodings are left");
}

#[test]
fn an_encoding_in_an_operation_the_document_lacks_is_refused() {
    let (mut file, document) = raw();
    let stray = quote!(
        pub fn stray(&self, name: &str) -> String {
            format!("{}/x/{}", self.baseurl, encode_path(&name.to_string()))
        }
    );
    client(&mut file).items.push(syn::parse2(stray).unwrap());
    refused(&mut file, &document, "path arguments of unknown operations");
}

#[test]
fn a_path_argument_that_is_not_encoded_is_refused() {
    struct Drop(bool);
    impl VisitMut for Drop {
        fn visit_macro_mut(&mut self, node: &mut syn::Macro) {
            let tokens = node.tokens.to_string();
            if self.0 && tokens.contains("encode_path (") {
                self.0 = false;
                node.tokens =
                    tokens.replacen("encode_path (", "String :: from (", 1).parse().unwrap();
            }
        }
    }
    let (mut file, document) = raw();
    visit_mut::visit_file_mut(&mut Drop(true), &mut file);
    refused(&mut file, &document, "path arguments were made safe");
}

#[test]
fn no_client_builds_its_own_http_client() {
    let (mut file, document) = raw();
    assert!(text(&file).contains("pub fn new (baseurl"));
    patch(&mut file, &document).unwrap();
    let patched = text(&file);
    assert!(!patched.contains("fn new ("));
    assert!(!patched.contains("ClientBuilder") && !patched.contains("reqwest :: Client :: new"));
}

#[test]
fn output_without_the_one_constructor_is_refused() {
    let (mut file, document) = raw();
    client(&mut file)
        .items
        .retain(|item| !matches!(item, syn::ImplItem::Fn(function) if function.sig.ident == "new"));
    refused(&mut file, &document, "0 constructors were removed");

    let (mut file, document) = raw();
    let second = client(&mut file).clone();
    file.items.push(syn::Item::Impl(second));
    assert!(patch(&mut file, &document).is_err());
}

/// Counts fields with a default, and those that take null for it.
#[derive(Default)]
struct Defaults {
    with: usize,
    tolerant: usize,
}

impl VisitMut for Defaults {
    fn visit_field_mut(&mut self, field: &mut syn::Field) {
        let serde: String = field
            .attrs
            .iter()
            .filter(|attribute| attribute.path().is_ident("serde"))
            .map(|attribute| attribute.to_token_stream().to_string())
            .collect();
        let has = serde.split([',', '(']).any(|part| part.trim_start().starts_with("default"));
        self.with += usize::from(has);
        self.tolerant +=
            usize::from(has && serde.contains("deserialize_with = \"::bb_client::null_default\""));
        visit_mut::visit_field_mut(self, field);
    }
}

#[test]
fn every_field_with_a_default_takes_null_for_it() {
    let (mut file, document) = raw();
    let mut before = Defaults::default();
    before.visit_file_mut(&mut file);
    assert!(before.with >= 5, "only {} fields with a default", before.with);
    assert_eq!(before.tolerant, 0);
    patch(&mut file, &document).unwrap();
    let mut after = Defaults::default();
    after.visit_file_mut(&mut file);
    assert_eq!((after.with, after.tolerant), (before.with, before.with));
}

#[test]
fn no_enumeration_of_the_client_is_closed() {
    let (file, document) = raw();
    assert!(!text(&file).contains("SUCCESSFUL"), "an enumeration was left to progenitor");
    let open = super::generate(&document).unwrap().enums;
    let names: Vec<&str> = open.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["BuildState", "ReviewStatus"]);
    let words = &open[0].1;
    assert!(words.contains(&("INPROGRESS".to_owned(), "in_progress".to_owned())), "{words:?}");
}
