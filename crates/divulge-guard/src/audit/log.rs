//! Reading logs.

use crate::lines::{self, Line, Shown};

/// The events of a log, or the images that the observer of this name was shown: a JSON object on each line as the guard takes or gives them, or
/// names, on lines of their own or separated by commas. Also whether it says that the robot stopped. An image that was shown again
/// after a restart counts once.
///
/// # Errors
/// The number of the line that cannot be read, and why.
pub fn read_log(text: &str, seen_by: Option<&str>) -> Result<(Vec<String>, bool), (usize, String)> {
    let (mut names, mut ended) = (Vec::new(), false);
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        if line.is_empty() {
            continue;
        }
        if ended {
            return Err((number, "something follows the line that says that the robot stopped".to_owned()));
        }
        let wrong = |why: String| (number, why);
        match (line.starts_with('{'), seen_by) {
            (true, Some(observer)) if lines::read(line.as_bytes()) != Ok(Line::End) => {
                let shown = lines::read_shown(line).map_err(|e| wrong(e.to_string()))?;
                show(shown, observer, &mut names).map_err(wrong)?;
            }
            (true, _) => match lines::read(line.as_bytes()).map_err(|e| wrong(e.to_string()))? {
                Line::Event(name) => names.push(name.into_owned()),
                Line::Heartbeat => {}
                Line::End => ended = true,
            },
            (false, _) => {
                for name in line.split(',').map(str::trim) {
                    if name.is_empty() {
                        return Err(wrong("there is a comma, and no name beside it".to_owned()));
                    }
                    names.push(name.to_owned());
                }
            }
        }
    }
    Ok((names, ended))
}

/// Adds what an observer was shown.
fn show(shown: Shown, observer: &str, names: &mut Vec<String>) -> Result<(), String> {
    if let Some(other) = shown.to.filter(|to| to != observer) {
        return Err(format!("it was shown to `{other}`, not to `{observer}`"));
    }
    let Some(image) = shown.image else { return Ok(()) };
    match shown.n {
        Some(n) if n >= 1 && n <= names.len() as u64 => match &names[n as usize - 1] {
            known if *known == image => {}
            known => return Err(format!("image {n} is `{image}` here, and was `{known}` before")),
        },
        Some(n) if n != names.len() as u64 + 1 => {
            return Err(format!("image {n} comes where image {} should", names.len() + 1));
        }
        _ => names.push(image),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_are_read_once_each_and_for_one_observer() {
        let log = "{\"to\": \"p\", \"image\": \"a\", \"n\": 1}\n{\"to\": \"p\", \"beat\": true}\n\
                   {\"to\": \"p\", \"image\": \"b\", \"n\": 2}\n{\"to\": \"p\", \"image\": \"b\", \"n\": 2}\n\
                   {\"image\": \"a\"}\n{\"end\": true}\n";
        let names = ["a", "b", "a"].map(str::to_owned).to_vec();
        assert_eq!(read_log(log, Some("p")), Ok((names, true)));
        let why = |log: &str| read_log(log, Some("p")).unwrap_err().1;
        assert!(why(&log.replacen("\"p\"", "\"q\"", 1)).contains("shown to `q`"));
        assert!(why(&log.replacen("\"n\": 2", "\"n\": 3", 1)).contains("image 3 comes where image 2 should"));
        let other = log.replacen("\"image\": \"b\"", "\"image\": \"c\"", 1);
        assert!(why(&other).contains("image 2 is `b` here, and was `c` before"));
        assert!(why("{\"event\": \"a\"}").contains("image"));
    }

    #[test]
    fn events_are_read_as_lines_or_names() {
        let log = "a, b\n{\"event\": \"c\"}\n\n{\"heartbeat\": true}\n{\"end\": true}";
        let names = ["a", "b", "c"].map(str::to_owned).to_vec();
        assert_eq!(read_log(log, None), Ok((names, true)));
        assert!(read_log("a,,b", None).is_err() && read_log("{\"end\": true}\na", None).is_err());
    }
}
