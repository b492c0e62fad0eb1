//! What is offered as a fix mends what it is offered for: every fixture of every diagnostic is mended.

use std::{collections::BTreeSet, fs, path::Path};

use divulge_model::{
    diagnostic::Diagnostics,
    language::{self, NoIncludes},
};
use divulge_playground::fixes;

fn read(text: &str) -> Diagnostics {
    language::load("fixture", text, &NoIncludes, &[]).1
}

/// Each finding that has fixes, mended by each; gives the codes for which there was one.
fn mended(name: &str, text: &str) -> BTreeSet<&'static str> {
    let found = read(text);
    let mut codes = BTreeSet::new();
    let same = |all: &Diagnostics, code, message: &str| {
        all.iter().filter(|d| d.code == code && d.message == message).count()
    };
    for finding in found.iter() {
        for fix in fixes(text, finding) {
            let mut after = text.to_owned();
            for edit in fix.edits.iter().rev() {
                after.replace_range(edit.from..edit.to, &edit.insert);
            }
            let then = read(&after);
            let (was, is) =
                (same(&found, finding.code, &finding.message), same(&then, finding.code, &finding.message));
            assert!(
                is < was,
                "{name}: {} does not mend `{}`:\n{after}\n{}",
                fix.title,
                finding.message,
                then.render(false)
            );
            codes.insert(finding.code.id());
        }
    }
    codes
}

#[test]
fn fixes_mend_the_fixtures() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../divulge-model/tests/fixtures");
    let mut codes = BTreeSet::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|e| e == "divulge") {
            codes.extend(mended(&path.display().to_string(), &fs::read_to_string(&path).unwrap()));
        }
    }
    assert!(codes.len() >= 6, "only {codes:?} can be mended");
}

#[test]
fn what_strangers_write_is_mended() {
    let model = "world {\n  x: 0..3 = 0\n  action go when x < 3 { x := x + 1 }\n  observe { quiet otherwise }\n  goal x = 3\n}\n\
                 observer o { knows world; sees others as themselves; stipulate s: !knows(x = 2) }\n";
    for (right, wrong) in [
        ("knows(x = 2)", "knows(x == 2)"),
        ("x < 3 {", "x < 3 && x >= 0 {"),
        ("observer o", "obsever o"),
        ("goal x = 3", "goal x = 3 # the end"),
    ] {
        let text = model.replace(right, wrong);
        assert_ne!(text, model, "{right}");
        assert!(!mended(wrong, &text).is_empty(), "{wrong} has no fix:\n{}", read(&text).render(false));
    }
}
