//! Places as editors count them: lines, and UTF-16 units within a line.

use lsp_types::{Position, Range};

/// Where the lines of a text begin.
#[derive(Clone, Debug, Default)]
pub struct Lines {
    starts: Vec<usize>,
}

impl Lines {
    /// A line ends with `\n`, `\r\n` or a lone `\r`.
    pub fn new(text: &str) -> Self {
        let bytes = text.as_bytes();
        let mut starts = vec![0];
        for (i, &byte) in bytes.iter().enumerate() {
            if byte == b'\n' || (byte == b'\r' && bytes.get(i + 1) != Some(&b'\n')) {
                starts.push(i + 1);
            }
        }
        Lines { starts }
    }

    /// The place of a byte; what is beyond the text, or within a character, is moved back into it.
    pub fn position(&self, text: &str, offset: usize) -> Position {
        let offset = text.floor_char_boundary(offset.min(text.len()));
        let line = self.starts.partition_point(|&start| start <= offset).saturating_sub(1);
        let character = text[self.starts[line]..offset].encode_utf16().count();
        Position::new(line as u32, character as u32)
    }

    /// The byte at a place; beyond a line's end, the end of the line.
    pub fn offset(&self, text: &str, position: Position) -> usize {
        let Some(&start) = self.starts.get(position.line as usize) else { return text.len() };
        let end = self.starts.get(position.line as usize + 1).copied().unwrap_or(text.len());
        let line = text[start..end].trim_end_matches(['\n', '\r']);
        let mut units = 0;
        for (i, c) in line.char_indices() {
            if units >= position.character as usize {
                return start + i;
            }
            units += c.len_utf16();
        }
        start + line.len()
    }

    /// The places of two bytes.
    pub fn range(&self, text: &str, start: usize, end: usize) -> Range {
        Range::new(self.position(text, start), self.position(text, end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_of_utf_16_are_counted_and_every_kind_of_line_end() {
        let text = "aé😀b\r\nzwei\rdrei\n";
        let lines = Lines::new(text);
        for (offset, c) in text.char_indices() {
            if c != '\n' && c != '\r' {
                assert_eq!(lines.offset(text, lines.position(text, offset)), offset, "{c}");
            }
        }
        assert_eq!(lines.position(text, text.find('b').unwrap()), Position::new(0, 4));
        assert_eq!(lines.position(text, text.find("drei").unwrap()), Position::new(2, 0));
        assert_eq!(lines.position(text, text.len()), Position::new(3, 0));
    }

    #[test]
    fn places_outside_of_the_text_are_moved_into_it() {
        let text = "😀x\r\ny";
        let lines = Lines::new(text);
        assert_eq!(lines.offset(text, Position::new(0, 99)), 5);
        assert_eq!(lines.offset(text, Position::new(9, 0)), text.len());
        assert_eq!(lines.offset(text, Position::new(0, 1)), 4, "within a pair");
        assert_eq!(lines.position(text, 999), Position::new(1, 1));
        assert_eq!(Lines::new("").position("", 3), Position::new(0, 0));
    }
}
