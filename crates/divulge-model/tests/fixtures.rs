//! One fixture for each diagnostic: `fixtures/CODE.divulge` provokes the code, `fixtures/CODE.divulge.shown` is what is printed.
//!
//! `UPDATE=1 cargo test -p divulge-model --test fixtures` writes the expected output anew.

mod mended;

use divulge::Unlimited;
use divulge_model::diagnostic::{Code, Diagnostics, decode, explain};
use divulge_model::foreign::{self, Trouble};
use divulge_model::language::{self, Included, Loader};
use mended::mended;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures")
}

/// Includes are looked for beside the fixtures.
struct Beside;

impl Loader for Beside {
    fn load(&self, path: &str, _from: &str) -> Result<Included, String> {
        match std::fs::read_to_string(folder().join(path)) {
            Ok(text) => Ok(Included { name: path.to_owned(), text }),
            Err(_) => Err("there is no such file".to_owned()),
        }
    }
}

/// A fixture may ask for parameters: lines `// --set name=value` at its beginning.
fn findings(name: &str, bytes: Vec<u8>) -> Diagnostics {
    let text = match decode(name, bytes) {
        Ok(text) => text,
        Err(diagnostics) => return diagnostics,
    };
    if !name.ends_with(".divulge") {
        return match foreign::read(name, &text, foreign::Given::default(), &Unlimited) {
            Some(Err(Trouble::Findings(found))) => found,
            other => panic!("{name} is read: {other:?}"),
        };
    }
    let sets = text.lines().map_while(|line| line.strip_prefix("// --set "));
    let sets: Vec<(String, String)> =
        sets.filter_map(|set| set.split_once('=')).map(|(n, v)| (n.to_owned(), v.to_owned())).collect();
    let (problem, diagnostics) = language::load(name, &text, &Beside, &sets);
    assert_eq!(problem.is_none(), diagnostics.has_errors(), "{name}");
    diagnostics
}

/// Fixtures that are too large to keep.
fn made(code: Code) -> Option<Vec<u8>> {
    (code == Code::ModelTooLarge).then(|| "a ".repeat(10_000_001).into_bytes())
}

/// Models, and files of other tools; documents have tests of their own.
const KINDS: [&str; 6] = ["divulge", "fsm", "gen", "aut", "prism", "pddl"];

/// Names and contents. A code may have further fixtures, `CODE_word.divulge`.
fn all_fixtures() -> Vec<(String, Vec<u8>)> {
    let files = std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
    let mut all: Vec<(String, Vec<u8>)> = files
        .filter(|path| path.extension().is_some_and(|e| KINDS.iter().any(|kind| e == *kind)))
        .map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), std::fs::read(&path).unwrap()))
        .collect();
    all.extend(Code::ALL.iter().filter_map(|&c| Some((format!("{}.divulge", c.id()), made(c)?))));
    all.sort();
    all
}

#[test]
fn every_fixture_gives_its_code() {
    let update = std::env::var_os("UPDATE").is_some();
    let mut wrong = Vec::new();
    for (name, bytes) in all_fixtures() {
        let code = Code::from_id(&name[..5]).unwrap_or_else(|| panic!("{name} is named after no code"));
        let diagnostics = findings(&name, bytes);
        let rendered = diagnostics.render(false);
        assert!(diagnostics.iter().any(|d| d.code == code), "{name} does not give its code:\n{rendered}");
        assert!(rendered.chars().all(|c| !c.is_control() || c == '\n'), "{name}");
        let golden = folder().join(format!("{name}.shown"));
        if update {
            std::fs::write(&golden, &rendered).unwrap();
        }
        let expected = std::fs::read_to_string(&golden).unwrap_or_default();
        if rendered != expected {
            wrong.push(format!("{name}: expected\n{expected}\nfound\n{rendered}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_code_has_a_fixture_and_an_explanation() {
    for &code in Code::ALL {
        let exists = |extension: &str| folder().join(format!("{}.{extension}", code.id())).exists();
        let kinds = || KINDS.into_iter().chain(["json"]);
        assert!(kinds().any(|kind| exists(&format!("{kind}.shown"))), "no expected output for {}", code.id());
        assert!(kinds().any(exists) || made(code).is_some(), "no fixture for {}", code.id());
        let text = explain(code.id()).unwrap();
        assert!(text.len() > 100 && text.contains("Remedy:"), "{} is not explained", code.id());
        assert!(!code.title().is_empty());
        assert_eq!(Code::from_id(&code.id().to_lowercase()), Some(code));
    }
    assert!(explain("E9999").is_none());
}

#[test]
fn codes_are_distinct_and_sorted_within_their_kind() {
    let mut ids: Vec<&str> = Code::ALL.iter().map(|c| c.id()).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), Code::ALL.len());
}

#[test]
fn every_fix_mends_what_it_is_offered_for() {
    let (mut tried, mut codes) = (0, std::collections::BTreeSet::new());
    for (name, bytes) in all_fixtures().into_iter().filter(|(name, _)| name.ends_with(".divulge")) {
        let Ok(text) = String::from_utf8(bytes.clone()) else { continue };
        let before = findings(&name, bytes);
        let count = |found: &Diagnostics, code: Code| found.iter().filter(|d| d.code == code).count();
        for finding in before.iter() {
            for fix in &finding.fixes {
                if fix.edits.iter().any(|edit| edit.span.source != Default::default()) {
                    continue;
                }
                let after = findings(&name, mended(&text, fix).into_bytes());
                let gone = count(&after, finding.code) < count(&before, finding.code);
                assert!(gone, "{name}: {} does not help:\n{}", fix.title, after.render(false));
                tried += 1;
                codes.insert(finding.code.id());
            }
        }
    }
    assert!(tried >= 40 && codes.len() >= 15, "{tried} fixes, of {codes:?}");
}
