//! One document for each diagnostic of the reader, and what people see of it.
//!
//! To accept changes: `UPDATE=1 cargo test -p divulge-model --test document`, then look at the difference.

use std::{fs, path::Path};

use divulge_model::{
    diagnostic::{Code, Diagnostics},
    document,
    lint::{Places, lint},
};

fn shown(name: &str, text: &str) -> String {
    match document::read(name, text) {
        Err(found) => found.render(false),
        Ok(mut document) => {
            // The other lints are about problems of any form, and have models for fixtures.
            let mut found = Diagnostics::new();
            lint(&document.problem, &Places::default(), &mut found);
            found
                .iter()
                .filter(|one| one.code == Code::DocOddValue)
                .for_each(|one| document.warnings.push(one.clone()));
            let mut shown = document.warnings.render(false);
            if let Err(found) = document.total_map() {
                shown += &found.render(false);
            }
            shown
        }
    }
}

#[test]
fn every_diagnostic_is_shown_as_agreed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let mut wrong = Vec::new();
    // A code may have further fixtures, `CODE_word.json`.
    let files =
        fs::read_dir(&folder).expect("the fixtures").filter_map(|e| e.ok()?.file_name().into_string().ok());
    let further = files.filter_map(|name| name.strip_suffix(".json").map(str::to_owned));
    let mut all: Vec<String> = further.filter(|name| name.len() > 5).collect();
    all.extend(Code::ALL.iter().map(|c| c.id().to_owned()).filter(|id| id[1..].starts_with("05")));
    for fixture in all {
        let (code, name) = (&fixture[..5], format!("{fixture}.json"));
        let text = fs::read_to_string(folder.join(&name)).unwrap_or_else(|e| panic!("{name}: {e}"));
        let seen = shown(&name, &text);
        assert!(seen.contains(&format!("[{code}]")), "{name} does not give its code:\n{seen}");
        let golden = folder.join(format!("{fixture}.json.shown"));
        if std::env::var_os("UPDATE").is_some() {
            fs::write(&golden, &seen).expect("the golden file can be written");
        } else if fs::read_to_string(&golden).unwrap_or_default() != seen {
            wrong.push(seen);
        }
    }
    assert!(wrong.is_empty(), "not as agreed:\n{}", wrong.join("\n"));
}

#[test]
fn every_code_of_the_document_is_explained() {
    for code in Code::ALL.iter().filter(|c| c.id()[1..].starts_with("05")) {
        let text = code.explanation();
        assert!(text.contains("Remedy: ") && text.lines().all(|l| l.chars().count() <= 130), "{}", code.id());
    }
}
