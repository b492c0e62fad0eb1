//! What can be folded: braces over several lines, and comments.

use divulge_model::language::{Shape, tokens};
use lsp_types::{FoldingRange, FoldingRangeKind};

use crate::text::Document;

/// The folds of a document, in the order of their lines.
pub fn folds(document: &Document) -> Vec<FoldingRange> {
    let text = &*document.text;
    let line = |offset: usize| document.lines.position(text, offset).line;
    let (mut open, mut found) = (Vec::new(), Vec::new());
    let mut comment: Option<(u32, u32)> = None;
    let fold = |from: u32, to: u32, kind| FoldingRange {
        start_line: from,
        end_line: to,
        kind,
        ..FoldingRange::default()
    };
    for token in tokens(text) {
        if token.shape == Shape::Comment && token.first {
            let at = line(token.start);
            match &mut comment {
                Some((_, last)) if *last + 1 == at => *last = at,
                _ => {
                    found.extend(comment.take().map(|(a, b)| fold(a, b, Some(FoldingRangeKind::Comment))));
                    comment = Some((at, at));
                }
            }
            continue;
        }
        match &text[token.start..token.end] {
            "{" => open.push(line(token.start)),
            "}" => {
                // The closing brace stays in sight.
                let end = line(token.start).saturating_sub(1);
                found.extend(open.pop().map(|start| fold(start, end, None)));
            }
            _ => {}
        }
    }
    found.extend(comment.map(|(a, b)| fold(a, b, Some(FoldingRangeKind::Comment))));
    found.retain(|fold| fold.end_line > fold.start_line);
    found.sort_by_key(|fold| (fold.start_line, fold.end_line));
    found
}
