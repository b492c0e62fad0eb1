//! Fixes, carried out.

use divulge_model::diagnostic::Fix;

/// A text with a fix carried out, which must be about that text alone.
pub fn mended(text: &str, fix: &Fix) -> String {
    let mut edits = fix.edits.clone();
    edits.sort_by_key(|edit| std::cmp::Reverse(edit.span.start));
    let mut out = text.to_owned();
    for edit in edits {
        out.replace_range(edit.span.start..edit.span.end, &edit.text);
    }
    out
}
