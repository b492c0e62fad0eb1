//! The lines of a list: one for each item, field, variant, method and implementation that others can use.

use std::collections::{BTreeMap, BTreeSet};

use syn::{Fields, ImplItem, Item, ItemImpl, TraitItem, Type, Visibility};

use crate::{
    syntax::line,
    tree::{Crate, Found, ident, unseen},
};

type Key = (usize, usize);

/// Lines, each with the path that it is sorted by.
struct Lines(BTreeSet<(String, String)>);

impl Lines {
    fn add(&mut self, path: &str, line: String) {
        self.0.insert((path.to_owned(), line));
    }
}

/// What the crate offers, a line for each.
pub fn of(this: &Crate) -> String {
    let (mut paths, mut lines) = (BTreeMap::new(), Lines(BTreeSet::new()));
    gather(this, 0, this.name.clone(), &mut Vec::new(), &mut paths, &mut lines);
    // Where an item is listed: by its longest path, which tells most.
    let homes: BTreeMap<Key, String> = paths
        .iter()
        .map(|(&key, paths)| {
            let longest = paths.iter().max_by_key(|p| (p.split("::").count(), std::cmp::Reverse(p.as_str())));
            (key, longest.expect("it was reached").clone())
        })
        .collect();
    for (key, paths) in &paths {
        let home = &homes[key];
        item(this.item(*key), home, &mut lines);
        for other in paths.iter().filter(|path| *path != home) {
            lines.add(other, format!("pub use {other} = {home}"));
        }
    }
    implementations(this, &homes, &mut lines);
    lines.0.iter().map(|(_, line)| format!("{line}\n")).collect()
}

/// Every path by which an item can be reached.
fn gather(
    this: &Crate,
    module: usize,
    path: String,
    above: &mut Vec<usize>,
    paths: &mut BTreeMap<Key, BTreeSet<String>>,
    lines: &mut Lines,
) {
    // A module that offers one it is in would go on for ever.
    if above.contains(&module) {
        return;
    }
    lines.add(&path, format!("pub mod {path}"));
    above.push(module);
    for (name, import, leads_to) in this.offers(module, 8) {
        let path = format!("{path}::{name}");
        if leads_to.is_empty() {
            lines.add(&path, format!("pub use {path} = {}", import.path.join("::")));
        }
        for found in leads_to {
            match found {
                Found::Module(inner) => gather(this, inner, path.clone(), above, paths, lines),
                Found::Item(module, item) => {
                    paths.entry((module, item)).or_default().insert(path.clone());
                }
            }
        }
    }
    above.pop();
}

fn item(item: &Item, path: &str, lines: &mut Lines) {
    match item {
        Item::Const(item) => lines.add(path, format!("pub const {path}: {}", line(&item.ty))),
        Item::Static(item) => lines.add(path, format!("pub static {path}: {}", line(&item.ty))),
        Item::Type(item) => {
            lines.add(path, format!("pub type {path}{} = {}", line(&item.generics), line(&item.ty)))
        }
        Item::Fn(item) => lines.add(path, format!("pub {}", signature(&item.sig, path))),
        Item::Struct(item) => {
            let shape = generics(&item.generics);
            lines.add(path, format!("pub struct {path}{shape}"));
            fields(&item.fields, path, lines, |vis| matches!(vis, Visibility::Public(_)));
            derived(&item.attrs, path, lines);
        }
        Item::Enum(item) => {
            lines.add(path, format!("pub enum {path}{}", generics(&item.generics)));
            for variant in item.variants.iter().filter(|v| !unseen(&v.attrs)) {
                let path = format!("{path}::{}", variant.ident);
                lines.add(&path, format!("pub {path}"));
                fields(&variant.fields, &path, lines, |_| true);
            }
            derived(&item.attrs, path, lines);
        }
        Item::Trait(item) => {
            let above = if item.supertraits.is_empty() {
                String::new()
            } else {
                format!(": {}", line(&item.supertraits))
            };
            lines.add(path, format!("pub trait {path}{}{above}", generics(&item.generics)));
            for part in &item.items {
                trait_item(part, path, lines);
            }
        }
        _ => {}
    }
}

fn trait_item(item: &TraitItem, path: &str, lines: &mut Lines) {
    match item {
        TraitItem::Fn(item) => {
            let (path, given) = (format!("{path}::{}", item.sig.ident), item.default.is_some());
            let given = if given { " { .. }" } else { "" };
            lines.add(&path, format!("pub {}{given}", signature(&item.sig, &path)));
        }
        TraitItem::Type(item) => {
            let path = format!("{path}::{}", item.ident);
            let bounds =
                if item.bounds.is_empty() { String::new() } else { format!(": {}", line(&item.bounds)) };
            lines.add(&path, format!("pub type {path}{bounds}"));
        }
        TraitItem::Const(item) => {
            let path = format!("{path}::{}", item.ident);
            lines.add(&path, format!("pub const {path}: {}", line(&item.ty)));
        }
        _ => {}
    }
}

fn fields(fields: &Fields, path: &str, lines: &mut Lines, seen: impl Fn(&Visibility) -> bool) {
    for (i, field) in fields.iter().enumerate().filter(|(_, f)| seen(&f.vis) && !unseen(&f.attrs)) {
        let name = field.ident.as_ref().map_or(i.to_string(), ToString::to_string);
        let path = format!("{path}::{name}");
        lines.add(&path, format!("pub {path}: {}", line(&field.ty)));
    }
}

/// What is derived is as good as written.
fn derived(attributes: &[syn::Attribute], path: &str, lines: &mut Lines) {
    for attribute in attributes.iter().filter(|a| a.path().is_ident("derive")) {
        let Ok(list) = attribute.meta.require_list() else { continue };
        let traits = syn::punctuated::Punctuated::<syn::Path, syn::Token![,]>::parse_terminated;
        for name in list.parse_args_with(traits).into_iter().flatten() {
            let name = &name.segments.last().expect("a path has an end").ident;
            lines.add(&format!("{path}::~"), format!("impl {name} for {path}"));
        }
    }
}

/// The methods of what is listed, and the traits that it has.
fn implementations(this: &Crate, homes: &BTreeMap<Key, String>, lines: &mut Lines) {
    for (module, inside) in this.modules.iter().enumerate() {
        for block in inside.items.iter().filter_map(|i| if let Item::Impl(b) = i { Some(b) } else { None }) {
            let Some(path) = written(&block.self_ty) else { continue };
            let leads_to = this.resolve(module, &path);
            let found =
                leads_to.iter().filter_map(|f| if let Found::Item(m, i) = f { Some((*m, *i)) } else { None });
            for home in found.filter(|&key| ident(this.item(key)).is_some()).filter_map(|key| homes.get(&key))
            {
                implementation(block, home, lines);
            }
        }
    }
}

fn implementation(block: &ItemImpl, path: &str, lines: &mut Lines) {
    if let Some((name, _)) = &block.trait_ {
        let (shape, target) = (generics(&block.generics), line(&block.self_ty));
        lines.add(&format!("{path}::~"), format!("impl{shape} {} for {target} ({path})", line(name)));
        return;
    }
    for item in &block.items {
        match item {
            ImplItem::Fn(item) if matches!(item.vis, Visibility::Public(_)) && !unseen(&item.attrs) => {
                let path = format!("{path}::{}", item.sig.ident);
                lines.add(&path, format!("pub {}", signature(&item.sig, &path)));
            }
            ImplItem::Const(item) if matches!(item.vis, Visibility::Public(_)) => {
                let path = format!("{path}::{}", item.ident);
                lines.add(&path, format!("pub const {path}: {}", line(&item.ty)));
            }
            _ => {}
        }
    }
}

/// The path of the type that a block is about, through references.
fn written(target: &Type) -> Option<Vec<String>> {
    match target {
        Type::Reference(target) => written(&target.elem),
        Type::Path(target) => Some(target.path.segments.iter().map(|s| s.ident.to_string()).collect()),
        _ => None,
    }
}

fn generics(generics: &syn::Generics) -> String {
    let bounds = generics.where_clause.as_ref().map_or(String::new(), |bounds| format!(" {}", line(bounds)));
    line(generics) + bounds.trim_end_matches(',')
}

/// A function's head, with its whole path for its name.
fn signature(head: &syn::Signature, path: &str) -> String {
    let bounds = head.generics.where_clause.as_ref().map_or(String::new(), |b| format!(" {}", line(b)));
    let mut head = head.clone();
    head.generics.where_clause = None;
    // Whether a function changes its own copy is nobody else's business.
    for input in &mut head.inputs {
        match input {
            syn::FnArg::Receiver(own) => own.mutability = None,
            syn::FnArg::Typed(given) => {
                if let syn::Pat::Ident(name) = &mut *given.pat {
                    name.mutability = None;
                }
            }
        }
    }
    let written = line(&head);
    let name = format!("fn {}", head.ident);
    written.replacen(&name, &format!("fn {path}"), 1) + bounds.trim_end_matches(',')
}
