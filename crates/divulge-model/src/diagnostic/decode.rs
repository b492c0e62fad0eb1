//! Bytes to text.

use super::{Code, Diagnostic, Diagnostics};

/// The text of an input, without a byte order mark, or the finding that it is not UTF-8.
pub fn decode(name: &str, bytes: Vec<u8>) -> Result<String, Diagnostics> {
    match String::from_utf8(bytes) {
        Ok(text) => Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text)),
        Err(error) => {
            let start = error.utf8_error().valid_up_to();
            // The good part and the bad character are enough to show the place.
            let mut text = String::from_utf8(error.as_bytes()[..start].to_vec()).unwrap_or_default();
            text.push(char::REPLACEMENT_CHARACTER);
            let mut diagnostics = Diagnostics::new();
            let end = text.len();
            let source = diagnostics.add_source(name, text);
            diagnostics.push(
                Diagnostic::new(Code::NotUtf8, "the file is not UTF-8 text")
                    .at(source.span(start, end), format!("byte {start} is not part of a character"))
                    .help("save the file as UTF-8 if it is a model"),
            );
            Err(diagnostics)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_and_rubbish() {
        assert_eq!(decode("x", b"\xef\xbb\xbfgoal".to_vec()).unwrap(), "goal");
        let bad = decode("x", b"ab\ncd\xff\xfe".to_vec()).unwrap_err();
        assert!(bad.render(false).contains("x:2:3"), "{}", bad.render(false));
    }
}
