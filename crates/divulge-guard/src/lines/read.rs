//! What the robot says.

use std::borrow::Cow;

use serde::Deserialize;

/// A line may have at most so many bytes.
pub const MOST: usize = 1 << 16;

/// A line that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line<'t> {
    /// This happened.
    Event(Cow<'t, str>),
    /// The robot is alive.
    Heartbeat,
    /// The robot has stopped.
    End,
}

/// Why a line cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct LineError(String);

impl LineError {
    /// A line that has too many bytes to be looked at.
    pub fn too_long() -> Self {
        Self(format!("a line has more than {MOST} bytes"))
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Fields<'t> {
    #[serde(borrow, default)]
    event: Option<Cow<'t, str>>,
    #[serde(default)]
    heartbeat: Option<bool>,
    #[serde(default)]
    end: Option<bool>,
}

/// Reads a line: one JSON object with one of the fields `event`, `heartbeat` and `end`, and nothing else.
///
/// # Errors
/// Whatever else it is.
pub fn read(line: &[u8]) -> Result<Line<'_>, LineError> {
    let wrong = |why: &str| LineError(format!("a line cannot be read: {why}"));
    if line.len() > MOST {
        return Err(LineError::too_long());
    }
    let text = std::str::from_utf8(line).map_err(|_| wrong("it is not UTF-8"))?;
    if !text.trim_ascii_start().starts_with('{') {
        return Err(wrong("it is not a JSON object"));
    }
    let fields: Fields<'_> = serde_json::from_str(text).map_err(|e| wrong(&e.to_string()))?;
    match fields {
        Fields { event: Some(event), heartbeat: None, end: None } => Ok(Line::Event(event)),
        Fields { event: None, heartbeat: Some(true), end: None } => Ok(Line::Heartbeat),
        Fields { event: None, heartbeat: None, end: Some(true) } => Ok(Line::End),
        _ => Err(wrong(
            "it must have one field: \"event\" with a name, or \"heartbeat\" or \"end\", which are true",
        )),
    }
}

/// A line that an observer was shown.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shown {
    /// Whose line it is.
    #[serde(default)]
    pub to: Option<String>,
    /// The image; none on a beat without one.
    #[serde(default)]
    pub image: Option<String>,
    /// The number of the image.
    #[serde(default)]
    pub n: Option<u64>,
    #[serde(default)]
    beat: Option<bool>,
}

/// Reads a line that an observer was shown: an image, or nothing on a beat without one.
///
/// # Errors
/// Whatever else it is.
pub fn read_shown(line: &str) -> Result<Shown, LineError> {
    let shown: Shown = serde_json::from_str(line).map_err(|e| LineError(e.to_string()))?;
    match (&shown.image, shown.beat) {
        (Some(_), None) | (None, Some(true)) => Ok(shown),
        _ => Err(LineError("it must have a field \"image\", or \"beat\", which is true".to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_three_lines_are_read() {
        assert_eq!(read(br#"{"event": "right"}"#), Ok(Line::Event("right".into())));
        assert_eq!(read(br#" {"event":"a \"b\" \u00e4"} "#), Ok(Line::Event("a \"b\" ä".into())));
        assert_eq!(read(b"{\"heartbeat\": true}\r"), Ok(Line::Heartbeat));
        assert_eq!(read(br#"{"end": true}"#), Ok(Line::End));
    }

    #[test]
    fn nothing_else_is() {
        for line in [
            "",
            " ",
            "right",
            "{}",
            "[]",
            "[\"right\"]",
            "null",
            "\"right\"",
            "{\"event\": null}",
            "{\"event\": 1}",
            "{\"event\": [\"right\"]}",
            "{\"heartbeat\": false}",
            "{\"end\": false}",
            "{\"end\": 1}",
            "{\"event\": \"a\", \"event\": \"a\"}",
            "{\"event\": \"a\", \"end\": true}",
            "{\"event\": \"a\", \"n\": 1}",
            "{\"Event\": \"a\"}",
            "{\"event\": \"a\"} x",
            "{\"event\": \"a\"}{\"end\": true}",
            "{\"event\": \"a\"",
            "{\"event\": \"a}",
            "{'event': 'a'}",
            "{\"event\": \"\\ud800\"}",
            "{\"event\": \"a\",}",
            "// {\"end\": true}",
        ] {
            assert!(read(line.as_bytes()).is_err(), "{line}");
        }
        assert!(read(b"{\"event\": \"\xff\"}").is_err());
        let long = format!("{{\"event\": \"{}\"}}", "a".repeat(MOST));
        assert_eq!(read(long.as_bytes()), Err(LineError::too_long()));
    }
}
