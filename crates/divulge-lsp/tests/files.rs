//! Models that include others, saved and unsaved.

mod client;

use client::{Client, edited, place};
use serde_json::{Value, json};

const BASE: &str = "world {\n  x: 0..2 = 0\n  action go when x < 2 { x := x + 1 }\n  observe { here otherwise }\n  goal x = 2\n}\n";
const MODEL: &str = "include \"base.divulge\"\nobserver o { knows plan; sees others as themselves; stipulate s: !knows(x = 1) }\nplan { go; go }\n";

/// A folder with the two files.
struct Folder(std::path::PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("divulge-lsp-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        std::fs::write(path.join("base.divulge"), BASE).unwrap();
        std::fs::write(path.join("model.divulge"), MODEL).unwrap();
        Folder(path)
    }

    fn uri(&self, file: &str) -> String {
        format!("file://{}", self.0.join(file).display())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn an_include_counts_as_it_is_in_the_editor() {
    let folder = Folder::new("unsaved");
    let (model, base) = (folder.uri("model.divulge"), folder.uri("base.divulge"));
    let mut client = Client::start();
    client.open(&model, MODEL);
    assert!(client.findings(&model).is_empty());
    // The action gets another name in the included file, which is not saved.
    let text = BASE.replace("go when", "walk when");
    client.open(&base, &text);
    client.until(|c| c.diagnostics.get(&model).is_some_and(|(_, list)| !list.is_empty()));
    assert_eq!(client.codes(&model), ["E0207", "E0207"]);
    // A mistake in the included file is said there.
    client.change(&base, json!([{"text": BASE.replace("x < 2", "y < 2")}]));
    client.until(|c| c.diagnostics.get(&base).is_some_and(|(_, list)| list.len() == 1));
    assert_eq!(client.codes(&base), ["E0201"]);
    client.notify("textDocument/didClose", json!({"textDocument": {"uri": base}}));
    client.until(|c| c.diagnostics[&model].1.is_empty() && c.diagnostics[&base].1.is_empty());
    client.end();
}

#[test]
fn definitions_and_renaming_reach_through_includes() {
    let folder = Folder::new("rename");
    let (model, base) = (folder.uri("model.divulge"), folder.uri("base.divulge"));
    let mut client = Client::start();
    client.open(&model, MODEL);
    let found = client.at("textDocument/definition", &model, place(MODEL, "go", 0)).unwrap();
    assert_eq!((&found[0]["uri"], &found[0]["range"]["start"]), (&json!(base), &place(BASE, "go", 0)));
    let file = client.at("textDocument/definition", &model, place(MODEL, "base", 0)).unwrap();
    assert_eq!(file[0]["uri"], json!(base));
    let rename = |client: &mut Client, uri: &str, position: Value| {
        client
            .request(
                "textDocument/rename",
                json!({"textDocument": {"uri": uri}, "position": position, "newName": "walk"}),
            )
            .unwrap()
    };
    let change = rename(&mut client, &model, place(MODEL, "go", 0));
    assert_eq!(edited(MODEL, &change["changes"][&model]), MODEL.replace("go", "walk"));
    assert_eq!(edited(BASE, &change["changes"][&base]), BASE.replace("action go", "action walk"));
    // From the included file alone: the model beside it is changed too, though nobody opened it.
    let mut client = Client::start();
    client.open(&base, BASE);
    let change = rename(&mut client, &base, place(BASE, "go", 0));
    assert_eq!(edited(MODEL, &change["changes"][&model]), MODEL.replace("go", "walk"));
    client.end();
}
