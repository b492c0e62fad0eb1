//! The published schema accepts what the program accepts, and refuses what has the wrong shape.

use std::{fs, path::Path};

use boon::{Compiler, SchemaIndex, Schemas};
use divulge_model::document;
use divulge_naive::random::{Rng, odd};
use serde_json::{Value, from_str};

struct Schema(Schemas, SchemaIndex);

impl Schema {
    fn load() -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schema/divulge-1.schema.json");
        let schema: Value = from_str(&fs::read_to_string(path).expect("the schema")).expect("JSON");
        let (mut schemas, mut compiler) = (Schemas::new(), Compiler::new());
        compiler.add_resource("divulge-1.json", schema).expect("a schema");
        let index = compiler.compile("divulge-1.json", &mut schemas).expect("a sound schema");
        Self(schemas, index)
    }

    fn accepts(&self, text: &str) -> Result<(), String> {
        let value: Value = from_str(text).map_err(|e| e.to_string())?;
        self.0.validate(&value, self.1).map_err(|e| e.to_string())
    }
}

fn folder(path: &str) -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<_> = entries.filter_map(|e| Some(e.ok()?.path())).collect();
    paths.retain(|p| p.extension().is_some_and(|e| e == "json"));
    paths.sort();
    paths.iter().map(|p| (p.display().to_string(), fs::read_to_string(p).expect("text"))).collect()
}

#[test]
fn documents_have_the_shape() {
    let schema = Schema::load();
    let families = folder("crates/divulge-model/tests/families");
    assert!(families.len() >= 5);
    for (name, text) in families.into_iter().chain(folder("examples")) {
        assert_eq!(schema.accepts(&text), Ok(()), "{name}");
    }
    for seed in 0..300 {
        let text = document::to_string(&odd(&mut Rng::new(seed)));
        assert_eq!(schema.accepts(&text), Ok(()), "{text}");
    }
}

/// Codes that are about the shape of a document; the other mistakes are beyond a schema.
#[test]
fn documents_of_the_wrong_shape_are_refused() {
    let schema = Schema::load();
    let shape = [
        "E0501",
        "E0502",
        "E0503",
        "E0505",
        "E0506",
        "E0506_within",
        "E0507",
        "E0507_scope",
        "E0508",
        "E0509",
        "E0514",
        "E0516_names",
        "E0518",
        "E0520",
        "E0520_unseen",
        "E0521",
        "E0525",
    ];
    let mut tried = 0;
    for (name, text) in folder("crates/divulge-model/tests/fixtures") {
        let code = Path::new(&name).file_stem().expect("a name").to_string_lossy().into_owned();
        if shape.contains(&code.as_str()) {
            assert!(schema.accepts(&text).is_err(), "{name} has the shape");
            tried += 1;
        }
        // Whatever the schema refuses, the reader refuses.
        if schema.accepts(&text).is_err() {
            assert!(document::read(&name, &text).is_err(), "{name}");
        }
    }
    assert_eq!(tried, shape.len());
}
