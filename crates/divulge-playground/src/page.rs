//! The page: one HTML file that holds the editor, the engine, the examples and the explorer.

use divulge::{Limit, Monitor};
use divulge_explore::page::{COMMON, ELEMENTS, base64, blank, engine, filled, inlined, packed};

const FRAME: &str = include_str!("../web/frame.html");
const STYLE: &str = include_str!("../web/style.css");

/// CodeMirror with the language, bundled by `scripts/build-playground`.
const EDITOR: &str = include_str!("../web/editor.bundle.js");

/// The examples by path, a JSON object; a test compares it with the folder.
const GALLERY: &str = include_str!("../web/gallery.json");

const WORKER: &str = include_str!("../web/worker.js");

/// The scripts, those that others import first.
const SCRIPTS: [&str; 11] = [
    ELEMENTS,
    include_str!("../web/link.js"),
    include_str!("../web/drafts.js"),
    include_str!("../web/engine.js"),
    include_str!("../web/gallery.js"),
    include_str!("../web/files.js"),
    include_str!("../web/question.js"),
    include_str!("../web/problems.js"),
    include_str!("../web/words.js"),
    include_str!("../web/answer.js"),
    include_str!("../web/main.js"),
];

/// The playground, the same bytes every time.
///
/// # Errors
/// The limit that `monitor` says was hit.
pub fn page(monitor: &dyn Monitor) -> Result<String, Limit> {
    let carried = |text: &str| Ok::<_, Limit>(base64(&packed(text.as_bytes(), monitor)?));
    Ok(filled(
        FRAME,
        &[
            ("style", &(COMMON.to_owned() + STYLE)),
            ("editor", &carried(EDITOR)?),
            ("gallery", &carried(GALLERY)?),
            ("explorer", &carried(&blank())?),
            ("worker", &carried(WORKER)?),
            ("engine", &engine(monitor)?),
            ("script", &SCRIPTS.map(inlined).join("\n")),
        ],
    ))
}
