//! The modules of a crate, and what a path in one of them leads to.

use std::{fs, path::Path};

use syn::{Attribute, Ident, Item, UseTree, Visibility};

/// A module and where it is.
pub struct Module {
    pub items: Vec<Item>,
    parent: usize,
    children: Vec<(Ident, usize)>,
}

/// All modules, public or not; the first is the root.
pub struct Crate {
    pub name: String,
    pub modules: Vec<Module>,
}

/// What a path leads to: a module, or an item of one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Found {
    Module(usize),
    Item(usize, usize),
}

/// One name that a `use` brings in, or all of a module's if there is no name.
pub struct Import {
    pub path: Vec<String>,
    pub name: Option<String>,
}

/// Imports of imports of imports are followed so far.
const DEEPEST: usize = 12;

impl Crate {
    /// Reads the crate whose `lib.rs` is in this folder.
    pub fn read(name: &str, folder: &Path) -> Self {
        let root = folder.join("lib.rs");
        let text = fs::read_to_string(&root).expect("the crate has a library");
        Self::parse(name, &text, Some(folder))
    }

    /// The crate of one text; modules in files of their own are empty.
    pub fn of(name: &str, text: &str) -> Self {
        Self::parse(name, text, None)
    }

    fn parse(name: &str, text: &str, folder: Option<&Path>) -> Self {
        let mut this = Self { name: name.replace('-', "_"), modules: Vec::new() };
        this.add(syn::parse_file(text).expect("the source is Rust").items, 0, folder);
        this
    }

    fn add(&mut self, items: Vec<Item>, parent: usize, folder: Option<&Path>) -> usize {
        let number = self.modules.len();
        let items: Vec<Item> = items.into_iter().filter(|item| !unseen(attributes(item))).collect();
        self.modules.push(Module { items: items.clone(), parent, children: Vec::new() });
        for item in items {
            let Item::Mod(module) = item else { continue };
            let name = module.ident.to_string();
            let inside = folder.map(|folder| folder.join(&name));
            let items = match (module.content, &inside) {
                (Some((_, items)), _) => items,
                (None, None) => Vec::new(),
                (None, Some(inside)) => {
                    let files = [inside.with_extension("rs"), inside.join("mod.rs")];
                    let text = files.iter().find_map(|file| fs::read_to_string(file).ok());
                    syn::parse_file(&text.expect("the module has a file")).expect("the source is Rust").items
                }
            };
            let child = self.add(items, number, inside.as_deref());
            self.modules[number].children.push((module.ident, child));
        }
        number
    }

    /// What a path leads to that is written in this module: several things if they share a name, none if it leads out of
    /// the crate.
    pub fn resolve(&self, from: usize, path: &[String]) -> Vec<Found> {
        self.follow(from, path, DEEPEST)
    }

    fn follow(&self, from: usize, path: &[String], deep: usize) -> Vec<Found> {
        let Some(((last, before), deep)) = path.split_last().zip(deep.checked_sub(1)) else {
            return Vec::new();
        };
        let mut modules = vec![from];
        for (i, step) in before.iter().enumerate() {
            modules = modules.iter().flat_map(|&module| self.step(module, step, i == 0, deep)).collect();
        }
        modules.iter().flat_map(|&module| self.named(module, last, before.is_empty(), deep)).collect()
    }

    /// The modules that one step of a path leads to.
    fn step(&self, module: usize, name: &str, first: bool, deep: usize) -> Vec<usize> {
        let found = self.named(module, name, first, deep);
        found.iter().filter_map(|f| if let Found::Module(m) = f { Some(*m) } else { None }).collect()
    }

    /// What bears the name in a module.
    fn named(&self, module: usize, name: &str, first: bool, deep: usize) -> Vec<Found> {
        match name {
            "crate" if first => return vec![Found::Module(0)],
            "self" => return vec![Found::Module(module)],
            "super" => return vec![Found::Module(self.modules[module].parent)],
            _ => {}
        }
        let this = &self.modules[module];
        let mut found: Vec<Found> =
            this.children.iter().filter(|(n, _)| n == name).map(|&(_, child)| Found::Module(child)).collect();
        for (i, item) in this.items.iter().enumerate() {
            match item {
                Item::Use(tree) => {
                    for import in imports(&tree.tree).filter(|i| i.name.as_deref().is_none_or(|n| n == name))
                    {
                        let mut path = import.path;
                        // A name that is imported under itself leads to what is imported, not back here.
                        if path.as_slice() == [name] {
                            continue;
                        }
                        path.extend(import.name.is_none().then(|| name.to_owned()));
                        found.extend(self.follow(module, &path, deep));
                    }
                }
                item if ident(item).is_some_and(|n| n == name) => found.push(Found::Item(module, i)),
                _ => {}
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The names that others can use in a module, and what they lead to; outside the crate to nothing.
    pub fn offers(&self, module: usize, deep: usize) -> Vec<(String, Import, Vec<Found>)> {
        let (this, mut found) = (&self.modules[module], Vec::new());
        let plain = |name: &str| Import { path: vec![name.to_owned()], name: None };
        for (i, item) in this.items.iter().enumerate().filter(|(_, item)| public(item)) {
            match item {
                Item::Use(tree) => {
                    for import in imports(&tree.tree) {
                        let leads_to = self.resolve(module, &import.path);
                        match &import.name {
                            Some(name) => found.push((name.clone(), import, leads_to)),
                            None => {
                                found.extend(leads_to.iter().filter(|_| deep > 0).flat_map(|f| match f {
                                    Found::Module(m) => self.offers(*m, deep - 1),
                                    Found::Item(..) => Vec::new(),
                                }))
                            }
                        }
                    }
                }
                Item::Mod(inner) => {
                    let child = this.children.iter().filter(|(n, _)| *n == inner.ident);
                    let name = inner.ident.to_string();
                    found.extend(child.map(|&(_, c)| (name.clone(), plain(&name), vec![Found::Module(c)])));
                }
                item => {
                    found.extend(
                        ident(item)
                            .map(|n| (n.to_string(), plain(&n.to_string()), vec![Found::Item(module, i)])),
                    );
                }
            }
        }
        found
    }

    /// The item itself.
    pub fn item(&self, (module, item): (usize, usize)) -> &Item {
        &self.modules[module].items[item]
    }
}

/// What a `use` brings in.
pub fn imports(tree: &UseTree) -> impl Iterator<Item = Import> {
    fn walk(tree: &UseTree, before: &[String], out: &mut Vec<Import>) {
        let with = |name: &Ident| [before, &[name.to_string()]].concat();
        // `use a::{self}` brings in `a`.
        let mut push = |path: Vec<String>, name: &Ident| {
            let itself = path.len() > 1 && path.last().is_some_and(|last| last == "self");
            let path = if itself { path[..path.len() - 1].to_vec() } else { path };
            let name = if itself && name == "self" { path.last().cloned() } else { Some(name.to_string()) };
            out.push(Import { path, name });
        };
        match tree {
            UseTree::Path(path) => walk(&path.tree, &with(&path.ident), out),
            UseTree::Name(name) => push(with(&name.ident), &name.ident),
            UseTree::Rename(name) => push(with(&name.ident), &name.rename),
            UseTree::Glob(_) => out.push(Import { path: before.to_vec(), name: None }),
            UseTree::Group(group) => group.items.iter().for_each(|tree| walk(tree, before, out)),
        }
    }
    let mut out = Vec::new();
    walk(tree, &[], &mut out);
    out.into_iter()
}

/// Whether the item can be named outside its module's crate, if its module can.
fn public(item: &Item) -> bool {
    let visibility = match item {
        Item::Const(item) => &item.vis,
        Item::Enum(item) => &item.vis,
        Item::Fn(item) => &item.vis,
        Item::Mod(item) => &item.vis,
        Item::Static(item) => &item.vis,
        Item::Struct(item) => &item.vis,
        Item::Trait(item) => &item.vis,
        Item::Type(item) => &item.vis,
        Item::Union(item) => &item.vis,
        Item::Use(item) => &item.vis,
        _ => return false,
    };
    matches!(visibility, Visibility::Public(_))
}

/// What an item is called.
pub fn ident(item: &Item) -> Option<&Ident> {
    Some(match item {
        Item::Const(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Fn(item) => &item.sig.ident,
        Item::Static(item) => &item.ident,
        Item::Struct(item) => &item.ident,
        Item::Trait(item) => &item.ident,
        Item::Type(item) => &item.ident,
        Item::Union(item) => &item.ident,
        _ => return None,
    })
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Union(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

/// Whether something is for tests alone, or kept out of the documentation.
pub fn unseen(attributes: &[Attribute]) -> bool {
    let says = |attribute: &Attribute, name: &str, what: &str| {
        attribute.path().is_ident(name)
            && attribute.meta.require_list().is_ok_and(|list| list.tokens.to_string() == what)
    };
    attributes.iter().any(|a| says(a, "cfg", "test") || says(a, "doc", "hidden"))
}
