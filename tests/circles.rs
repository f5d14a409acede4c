// SPDX-License-Identifier: MIT OR Apache-2.0
//! No file needs another one that needs it: what two files share lies in a third below both.
//!
//! A file needs another if it names an item of it, by a `use` or a path; a re-export (`pub use`) is a signpost, not a need.
#![allow(missing_docs)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use syn::ext::IdentExt;
use syn::visit::Visit;
use syn::{Attribute, Item, UseTree, Visibility};

/// A module: its path from the crate's root.
type Module = Vec<String>;

#[derive(Default)]
struct Source {
    file: PathBuf,
    /// Paths that it names, re-exports apart.
    named: Vec<Vec<String>>,
    /// What a name here stands for: imports and re-exports.
    aliases: BTreeMap<String, Vec<String>>,
    /// Modules whose every name it takes over.
    globs: Vec<Vec<String>>,
    /// Items of its own.
    items: BTreeSet<String>,
    /// Macros of its own that the crate's root names.
    exported: Vec<String>,
}

type Tree = BTreeMap<Module, Source>;

fn of_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute.meta.require_list().is_ok_and(|list| list.tokens.to_string() == "test")
    })
}

/// A `use` as plain paths with their names here; a glob has none.
fn flat(tree: &UseTree, before: &[String], paths: &mut Vec<(Vec<String>, Option<String>)>) {
    let with = |name: &syn::Ident| [before, &[name.unraw().to_string()]].concat();
    match tree {
        UseTree::Path(path) => flat(&path.tree, &with(&path.ident), paths),
        UseTree::Name(name) if name.ident == "self" => paths.push((before.to_vec(), before.last().cloned())),
        UseTree::Name(name) => paths.push((with(&name.ident), Some(name.ident.to_string()))),
        UseTree::Rename(name) => paths.push((with(&name.ident), Some(name.rename.to_string()))),
        UseTree::Glob(_) => paths.push((before.to_vec(), None)),
        UseTree::Group(group) => group.items.iter().for_each(|tree| flat(tree, before, paths)),
    }
}

fn exported(item: &Item) -> Option<String> {
    let Item::Macro(item) = item else { return None };
    let exported = item.attrs.iter().any(|attribute| attribute.path().is_ident("macro_export"));
    exported.then(|| item.ident.as_ref().map(ToString::to_string)).flatten()
}

fn name_of(item: &Item) -> Option<String> {
    let ident = match item {
        Item::Const(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Fn(item) => &item.sig.ident,
        Item::Static(item) => &item.ident,
        Item::Struct(item) => &item.ident,
        Item::Trait(item) => &item.ident,
        Item::Type(item) => &item.ident,
        Item::Macro(item) => item.ident.as_ref()?,
        _ => return None,
    };
    Some(ident.to_string())
}

/// Paths in code; macros are read word by word, as their arguments are no syntax yet.
struct Paths<'a>(&'a mut Vec<Vec<String>>);

impl Visit<'_> for Paths<'_> {
    fn visit_item(&mut self, item: &Item) {
        // A `use` within a function's body too.
        if let Item::Use(item) = item {
            let mut paths = Vec::new();
            flat(&item.tree, &[], &mut paths);
            self.0.extend(paths.into_iter().map(|(path, _)| path));
        }
        syn::visit::visit_item(self, item);
    }

    /// `pub(super)` needs nothing of it.
    fn visit_visibility(&mut self, _: &Visibility) {}

    fn visit_path(&mut self, path: &syn::Path) {
        self.0.push(path.segments.iter().map(|segment| segment.ident.unraw().to_string()).collect());
        syn::visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, call: &syn::Macro) {
        let text = call.tokens.to_string().replace(" :: ", "::");
        let words = text.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':'));
        for word in words.filter(|word| word.contains("::")) {
            self.0.push(word.split("::").map(String::from).collect());
        }
    }
}

fn read(items: &[Item], module: &Module, folder: &Path, file: &Path, tree: &mut Tree) {
    let mut source = Source { file: file.into(), ..Source::default() };
    for item in items {
        source.items.extend(name_of(item));
        source.exported.extend(exported(item));
        match item {
            Item::Mod(inner) if !of_tests(&inner.attrs) => {
                let name = inner.ident.unraw().to_string();
                let below = [&module[..], std::slice::from_ref(&name)].concat();
                match &inner.content {
                    Some((_, items)) => read(items, &below, &folder.join(&name), file, tree),
                    None => read_file(&below, folder, &name, tree),
                }
            }
            Item::Mod(_) => {}
            Item::Use(item) if !of_tests(&item.attrs) => {
                let mut paths = Vec::new();
                flat(&item.tree, &[], &mut paths);
                for (path, alias) in paths {
                    if matches!(item.vis, Visibility::Inherited) {
                        source.named.push(path.clone());
                    }
                    match alias {
                        Some(alias) => _ = source.aliases.insert(alias, path),
                        None => source.globs.push(path),
                    }
                }
            }
            Item::Use(_) => {}
            other => Paths(&mut source.named).visit_item(other),
        }
    }
    tree.insert(module.clone(), source);
}

fn read_file(module: &Module, folder: &Path, name: &str, tree: &mut Tree) {
    let inside = folder.join(name);
    let beside = folder.join(format!("{name}.rs"));
    let file = if beside.is_file() { beside } else { inside.join("mod.rs") };
    let text = std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let parsed = syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    read(&parsed.items, module, &inside, &file, tree);
}

/// The module that holds what a path names, if it is of this crate.
fn resolve(tree: &Tree, from: &Module, path: &[String], depth: usize) -> Option<Module> {
    const DEEPEST: usize = 16;
    let (first, mut rest) = path.split_first()?;
    if depth > DEEPEST {
        return None;
    }
    let child = |module: &Module, name: &str| [&module[..], &[name.to_string()]].concat();
    let mut module = match first.as_str() {
        "crate" => Vec::new(),
        "self" => from.clone(),
        "super" => from[..from.len().checked_sub(1)?].to_vec(),
        name if tree.contains_key(&child(from, name)) => child(from, name),
        name => {
            let alias = tree[from].aliases.get(name)?;
            let whole = [alias, rest].concat();
            return (whole != path).then(|| resolve(tree, from, &whole, depth + 1)).flatten();
        }
    };
    while let Some((name, after)) = rest.split_first() {
        let source = &tree[&module];
        let below = child(&module, name);
        if name == "super" {
            module.pop();
        } else if tree.contains_key(&below) {
            module = below;
        } else if let Some(alias) = source.aliases.get(name) {
            let whole = [alias, after].concat();
            return resolve(tree, &module, &whole, depth + 1);
        } else if source.items.contains(name) {
            return Some(module);
        } else {
            let taken = |glob: &Vec<String>| resolve(tree, &module, &[glob, rest].concat(), depth + 1);
            return source.globs.iter().find_map(taken).or(Some(module.clone()));
        }
        rest = after;
    }
    Some(module)
}

/// Which file needs which, within a crate.
fn needs(tree: &Tree) -> BTreeMap<PathBuf, BTreeSet<PathBuf>> {
    let mut needs: BTreeMap<PathBuf, BTreeSet<PathBuf>> = BTreeMap::new();
    for (module, source) in tree {
        let needed = needs.entry(source.file.clone()).or_default();
        for path in &source.named {
            if let Some(target) = resolve(tree, module, path, 0) {
                let file = &tree[&target].file;
                if *file != source.file {
                    needed.insert(file.clone());
                }
            }
        }
    }
    needs
}

/// Everything that a file needs, and what that needs.
fn reached(needs: &BTreeMap<PathBuf, BTreeSet<PathBuf>>, from: &PathBuf) -> BTreeSet<PathBuf> {
    let mut reached = BTreeSet::new();
    let mut open = vec![from];
    while let Some(file) = open.pop() {
        open.extend(needs[file].iter().filter(|next| reached.insert((*next).clone())));
    }
    reached
}

/// The shortest way round from a file back to itself, each file after the one that needs it.
fn round(needs: &BTreeMap<PathBuf, BTreeSet<PathBuf>>, from: &PathBuf) -> Vec<PathBuf> {
    let mut ways = std::collections::VecDeque::from([vec![from.clone()]]);
    let mut seen = BTreeSet::new();
    while let Some(way) = ways.pop_front() {
        let last = &way[way.len() - 1];
        if way.len() > 1 && last == from {
            return way;
        }
        ways.extend(
            needs[last]
                .iter()
                .filter(|next| seen.insert((*next).clone()))
                .map(|next| [&way[..], std::slice::from_ref(next)].concat()),
        );
    }
    Vec::new()
}

/// The circles of a crate, each as the shortest way round of one of its files.
fn circles(root: &Path, name: &str) -> Vec<Vec<PathBuf>> {
    let mut tree = Tree::new();
    let file = root.join(name);
    let text = std::fs::read_to_string(&file).unwrap();
    read(&syn::parse_file(&text).unwrap().items, &Vec::new(), root, &file, &mut tree);
    let exported: Vec<(String, Vec<String>)> = tree
        .iter()
        .flat_map(|(module, source)| source.exported.iter().map(move |name| (module, name)))
        .map(|(module, name)| {
            (name.clone(), [&["crate".into()], &module[..], std::slice::from_ref(name)].concat())
        })
        .collect();
    tree.get_mut(&Module::new()).unwrap().aliases.extend(exported);
    let needs = needs(&tree);
    let reach: BTreeMap<&PathBuf, BTreeSet<PathBuf>> =
        needs.keys().map(|file| (file, reached(&needs, file))).collect();
    let mut found: BTreeSet<Vec<PathBuf>> = BTreeSet::new();
    for (file, files) in &reach {
        let circle: Vec<PathBuf> =
            files.iter().filter(|other| reach[other].contains(*file)).cloned().collect();
        if !circle.is_empty() {
            found.insert(circle);
        }
    }
    let shortest = |circle: &Vec<PathBuf>| circle.iter().map(|file| round(&needs, file)).min_by_key(Vec::len);
    found.iter().filter_map(shortest).collect()
}

#[test]
fn no_file_needs_one_that_needs_it() {
    let home = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    for (folder, name) in CRATES {
        for circle in circles(&home.join(folder).join("src"), name) {
            let files: Vec<String> =
                circle.iter().map(|file| file.strip_prefix(home).unwrap().display().to_string()).collect();
            found.push(files.join(" needs "));
        }
    }
    assert!(found.is_empty(), "circles:\n{}", found.join("\n"));
}

const CRATES: [(&str, &str); 16] = [
    (".", "main.rs"),
    ("engine-model", "lib.rs"),
    ("figures", "lib.rs"),
    ("arena", "lib.rs"),
    ("tournament", "lib.rs"),
    ("players", "lib.rs"),
    ("driver", "lib.rs"),
    ("hdl", "lib.rs"),
    ("soc-integration", "lib.rs"),
    ("area", "lib.rs"),
    ("vivado", "lib.rs"),
    ("cosim", "lib.rs"),
    ("cosim/verilate", "lib.rs"),
    ("cosim/rtl-tests", "lib.rs"),
    ("lab", "lib.rs"),
    ("web", "lib.rs"),
];
