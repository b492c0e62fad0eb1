//! The canonical layout, as the smallest change of whole lines.

use divulge_model::language::format;
use lsp_types::TextEdit;

use crate::text::Document;

/// The changes that lay a document out; none if it is not well-formed.
pub fn edits(document: &Document) -> Vec<TextEdit> {
    let text = &*document.text;
    let Ok(laid_out) = format("model", text) else { return Vec::new() };
    // The document keeps its own line ends.
    let laid_out = if text.contains("\r\n") { laid_out.replace('\n', "\r\n") } else { laid_out };
    if laid_out == text {
        return Vec::new();
    }
    let (old, new): (Vec<&str>, Vec<&str>) =
        (text.split_inclusive('\n').collect(), laid_out.split_inclusive('\n').collect());
    let same = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let rest = old[same..].iter().rev().zip(new[same..].iter().rev()).take_while(|(a, b)| a == b).count();
    let start: usize = old[..same].iter().map(|line| line.len()).sum();
    let end = text.len() - old[old.len() - rest..].iter().map(|line| line.len()).sum::<usize>();
    let range = document.lines.range(text, start, end);
    vec![TextEdit::new(range, new[same..new.len() - rest].concat())]
}
