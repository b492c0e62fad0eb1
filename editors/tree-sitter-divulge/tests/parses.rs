//! The grammar reads what our own parser reads, and refuses what it refuses.

use std::path::{Path, PathBuf};

use divulge_model::{
    diagnostic::Diagnostics,
    language::{format, looks_like_json},
};
use tree_sitter::{Node, Parser, Query};

/// What only a reader of the whole language can refuse: depth, sizes of numbers, and words of time out of place.
const BEYOND: [&str; 4] = ["E0105", "E0110", "E0111", "E0112"];

fn models() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut found = Vec::new();
    let mut folders = vec![
        root.join("examples"),
        root.join("crates/divulge-model/tests"),
        root.join("crates/divulge-cli/tests"),
    ];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "divulge") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// The models in the manual, too.
fn manual() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let mut pages: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().flatten().map(|e| e.path()).collect();
    pages.retain(|path| path.extension().is_some_and(|e| e == "md"));
    pages.sort();
    let blocks = pages.iter().flat_map(|path| {
        let text = std::fs::read_to_string(path).unwrap();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let blocks = text.split("```divulge\n").skip(1).map(|rest| rest.split("```").next().unwrap());
        let named = |(i, block): (usize, &str)| (format!("{name}, block {}", i + 1), block.to_owned());
        blocks.enumerate().map(named).collect::<Vec<_>>()
    });
    blocks.collect()
}

fn all() -> Vec<(String, String)> {
    let files = models().into_iter().filter_map(|path| {
        let text = std::fs::read_to_string(&path).ok()?;
        Some((path.file_name()?.to_string_lossy().into_owned(), text))
    });
    files.filter(|(_, text)| !looks_like_json(text)).chain(manual()).collect()
}

fn parser() -> Parser {
    let mut parser = Parser::new();
    parser.set_language(&tree_sitter_divulge::LANGUAGE.into()).unwrap();
    parser
}

/// The byte of the first mistake that a tree has.
fn mistake(node: Node<'_>) -> Option<usize> {
    if node.is_error() || node.is_missing() {
        return Some(node.start_byte());
    }
    let mut cursor = node.walk();
    let inside = node.children(&mut cursor).find_map(mistake);
    // The end of an item that is missing has no node of its own.
    inside.or(node.has_error().then_some(node.end_byte()))
}

fn line(text: &str, byte: usize) -> usize {
    text[..byte.min(text.len())].matches('\n').count() + 1
}

#[test]
fn the_same_files_are_wrong_and_mostly_in_the_same_places() {
    let mut parser = parser();
    let (mut wrong, mut good, mut bad, mut near) = (Vec::new(), 0, 0, 0);
    for (name, text) in all() {
        let tree = parser.parse(&text, None).unwrap();
        let theirs = mistake(tree.root_node());
        let ours: Option<Diagnostics> = format(&name, &text).err();
        match (&ours, theirs) {
            (None, None) => good += 1,
            (None, Some(at)) => {
                wrong.push(format!("{name}: a mistake in line {} of a good model", line(&text, at)))
            }
            (Some(found), None) => {
                if !found.iter().all(|finding| BEYOND.contains(&finding.code.id())) {
                    wrong.push(format!("{name}: no mistake is found, but\n{}", found.render(false)));
                }
            }
            (Some(found), Some(at)) => {
                bad += 1;
                let first = found.iter().filter_map(|finding| finding.span).map(|span| span.start).min();
                near +=
                    usize::from(first.is_some_and(|first| line(&text, first).abs_diff(line(&text, at)) <= 1));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(good > 50 && bad > 10, "{good} good ones, {bad} bad ones");
    // After a bracket that is never closed, where the mistake is is a matter of opinion.
    assert!(near * 4 >= bad * 3, "{near} of {bad} mistakes are where ours are");
}

#[test]
fn queries_fit_the_grammar() {
    let language = tree_sitter_divulge::LANGUAGE.into();
    let helix = Path::new(env!("CARGO_MANIFEST_DIR")).join("queries/helix");
    let helix: Vec<String> = ["highlights.scm", "indents.scm"]
        .iter()
        .map(|file| std::fs::read_to_string(helix.join(file)).unwrap())
        .collect();
    let ours = [
        tree_sitter_divulge::HIGHLIGHTS,
        tree_sitter_divulge::FOLDS,
        tree_sitter_divulge::LOCALS,
        tree_sitter_divulge::INDENTS,
    ];
    let emacs = emacs();
    for query in ours.into_iter().chain(helix.iter().map(String::as_str)).chain([emacs.as_str()]) {
        Query::new(&language, query).unwrap_or_else(|e| panic!("{e}"));
    }
}

/// The query in the page for Emacs: what is quoted in its Lisp.
fn emacs() -> String {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../emacs/README.md");
    let text = std::fs::read_to_string(page).unwrap();
    let query = text.split(":feature 'all").nth(1).and_then(|rest| rest.split_once("'(")).unwrap().1;
    query.split("))\n                treesit-font-lock-feature-list").next().unwrap().to_owned()
}

/// Models with one word or sign left out, or doubled: most are wrong, some are not.
#[test]
fn models_with_a_slip_are_judged_alike() {
    let mut parser = parser();
    let (mut tried, mut unlike) = (0, Vec::new());
    for (name, text) in all().into_iter().filter(|(name, text)| format(name, text).is_ok()) {
        let tokens = divulge_model::language::tokens(&text);
        for (i, token) in tokens.iter().enumerate().filter(|(i, _)| i % 11 == name.len() % 11) {
            let word = &text[token.start..token.end];
            let slip = match i % 2 {
                0 => [&text[..token.start], &text[token.end..]].concat(),
                _ => [&text[..token.end], " ", word, &text[token.end..]].concat(),
            };
            let ours = format(&name, &slip).err();
            let theirs = mistake(parser.parse(&slip, None).unwrap().root_node());
            tried += 1;
            if ours.is_some() != theirs.is_some() {
                let number = line(&text, token.start);
                let shown = slip.lines().nth(number - 1).unwrap_or_default();
                let said =
                    ours.map_or(String::new(), |found| found.iter().map(|f| f.message.clone()).collect());
                unlike.push(format!(
                    "{name}:{number}: `{word}`, {}: {shown} -- {said}",
                    if i.is_multiple_of(2) { "left out" } else { "doubled" }
                ));
            }
        }
    }
    assert!(
        unlike.len() * 100 <= tried,
        "{} of {tried} are judged otherwise:\n{}",
        unlike.len(),
        unlike.join("\n")
    );
}
