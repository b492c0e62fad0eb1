//! Data flows one way: each room of the crate computes with those before it alone. This reads the sources, since the compiler
//! does not mind.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// The rooms, in order. A file belongs to the longest name that it is in.
const ROOMS: [&str; 27] = [
    "nearest",
    "limit",
    "sets",
    "problem",
    "formula",
    "verdict",
    "graph",
    "expansion",
    "observer",
    "setting",
    "game",
    "check",
    "audit",
    "maps::space",
    "seek::options",
    "seek::irredundant",
    "seek::given_divulged",
    "seek::self_divulged",
    "seek",
    "maps::games",
    "maps::search",
    "maps::tasks",
    "maps",
    "and_or",
    "explain",
    "ask",
    "lib",
];

fn room(path: &str) -> usize {
    let inside = |room: &&&str| path == **room || path.starts_with(&format!("{room}::"));
    let found = ROOMS.iter().filter(inside).max_by_key(|room| room.len());
    let found = found.unwrap_or_else(|| panic!("`{path}` is in no room: add it to the list, in its place"));
    ROOMS.iter().position(|room| room == found).expect("it is one of them")
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        match path.is_dir() {
            true => sources(&path, found),
            false => found.push(path),
        }
    }
}

/// What a module is called: `maps::games::beliefs`.
fn module(root: &Path, file: &Path) -> String {
    let inside = file.strip_prefix(root).unwrap().with_extension("");
    let parts: Vec<&str> = inside.iter().map(|part| part.to_str().unwrap()).collect();
    parts.join("::").trim_end_matches("::mod").to_owned()
}

/// The paths below `crate` that a text names, those in nested braces too.
fn named(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices("crate::") {
        if !text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == '$') {
            tree("", &text[at + "crate::".len()..], &mut found);
        }
    }
    found
}

/// Reads one path, or a tree of them, and gives what comes after it.
fn tree<'t>(before: &str, text: &'t str, found: &mut Vec<String>) -> &'t str {
    let text = text.trim_start();
    if let Some(mut rest) = text.strip_prefix('{') {
        loop {
            rest = rest.trim_start().trim_start_matches(',').trim_start();
            if let Some(after) = rest.strip_prefix('}') {
                return after;
            }
            let after = tree(before, rest, found);
            assert!(after.len() < rest.len(), "cannot read {rest:.40}");
            rest = after;
        }
    }
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    let path = if before.is_empty() { name.to_owned() } else { format!("{before}::{name}") };
    if let Some(rest) = rest.strip_prefix("::") {
        return tree(&path, rest, found);
    }
    found.push(path);
    // `as` gives another name; `*` stands for whatever is there.
    let rest = rest.strip_prefix('*').unwrap_or(rest);
    match rest.trim_start().strip_prefix("as ") {
        Some(alias) => alias.trim_start_matches(|c: char| c.is_alphanumeric() || c == '_' || c == ' '),
        None => rest,
    }
}

#[test]
fn each_room_computes_with_those_before_it() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    let (mut wrong, mut edges) = (Vec::new(), 0);
    for file in &files {
        let module = module(&root, file);
        let text = fs::read_to_string(file).unwrap();
        // Tests may use whatever they like.
        let text = text.split("#[cfg(test)]").next().unwrap_or_default();
        let code: String = text.lines().filter(|line| !line.trim_start().starts_with("//")).fold(
            String::new(),
            |mut all, line| {
                all.push_str(line);
                all.push('\n');
                all
            },
        );
        for path in named(&code) {
            edges += 1;
            if room(&path) > room(&module) {
                wrong.push(format!("{module} uses {path}"));
            }
        }
    }
    assert!(edges > 500, "only {edges} paths were read");
    assert!(wrong.is_empty(), "against the order of the rooms:\n{}", wrong.join("\n"));
}

#[test]
fn paths_are_read_as_the_compiler_reads_them() {
    let text = "use crate::{a::{b, c::{self as d, E}}, f::*};\nlet x = crate::g::h(crate::i);";
    assert_eq!(named(text), ["a::b", "a::c::self", "a::c::E", "f::", "g::h", "i"]);
}
