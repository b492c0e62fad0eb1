//! Reading logs.

use crate::{
    journal::Record,
    lines::{self, Line, Shown},
};

/// What a log says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Log {
    /// The events, or the images that one observer was shown.
    pub names: Vec<String>,
    /// Whether it says that the robot stopped.
    pub ended: bool,
    /// What it belongs to, if it is a guard's journal: a [`digest`](crate::digest()).
    pub digest: Option<String>,
}

/// Reads a log of events, or of the images that the observer of this name was shown: a JSON object on each line as the guard takes or gives
/// them, or names, on lines of their own or separated by commas; or a guard's journal. An image that was shown again after a restart
/// counts once.
///
/// # Errors
/// The number of the line that cannot be read, and why.
pub fn read_log(text: &str, seen_by: Option<&str>) -> Result<Log, (usize, String)> {
    if let Some(Ok(Record::Start(..))) = text.lines().next().map(|line| Record::read(line.as_bytes(), 0)) {
        return match seen_by {
            None => read_journal(text),
            Some(_) => Err((1, "a journal holds events, not what an observer saw".to_owned())),
        };
    }
    let mut log = Log::default();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        if line.is_empty() {
            continue;
        }
        if log.ended {
            return Err((number, "something follows the line that says that the robot stopped".to_owned()));
        }
        let wrong = |why: String| (number, why);
        match (line.starts_with('{'), seen_by) {
            (true, Some(observer)) if lines::read(line.as_bytes()) != Ok(Line::End) => {
                let shown = lines::read_shown(line).map_err(|e| wrong(e.to_string()))?;
                show(shown, observer, &mut log.names).map_err(wrong)?;
            }
            (true, _) => match lines::read(line.as_bytes()).map_err(|e| wrong(e.to_string()))? {
                Line::Event(name) => log.names.push(name.into_owned()),
                Line::Heartbeat => {}
                Line::End => log.ended = true,
            },
            (false, _) => {
                for name in line.split(',').map(str::trim) {
                    if name.is_empty() {
                        return Err(wrong("there is a comma, and no name beside it".to_owned()));
                    }
                    log.names.push(name.to_owned());
                }
            }
        }
    }
    Ok(log)
}

/// The events that a journal says were accepted.
fn read_journal(text: &str) -> Result<Log, (usize, String)> {
    let mut log = Log::default();
    for (number, line) in (0..).zip(text.split_inclusive('\n')) {
        // What has no end was never written to the end.
        let Some(line) = line.strip_suffix('\n') else { break };
        match Record::read(line.as_bytes(), number).map_err(|why| (number as usize + 1, why))? {
            Record::Start(start, _) => log.digest = Some(start.digest),
            Record::Event { name, .. } => log.names.push(name),
            Record::Ended { .. } => log.ended = true,
            Record::Shown(..) | Record::Held(_) => {}
        }
    }
    Ok(log)
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
        let read = read_log(log, Some("p")).unwrap();
        assert_eq!((read.names, read.ended), (["a", "b", "a"].map(str::to_owned).to_vec(), true));
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
        let read = read_log(log, None).unwrap();
        assert_eq!((read.names, read.ended), (["a", "b", "c"].map(str::to_owned).to_vec(), true));
        assert!(read_log("a,,b", None).is_err() && read_log("{\"end\": true}\na", None).is_err());
    }

    #[test]
    fn journals_are_read_up_to_what_was_torn() {
        use crate::{held::Reason, journal::Start};
        let start = Start { digest: "ab".to_owned(), mode: "shadow".to_owned() };
        let event = |name: &str, would_hold| Record::Event { name: name.to_owned(), told: None, would_hold };
        let records = [
            Record::Start(start, None),
            event("a", None),
            Record::Shown(vec![1], None),
            event("b", Some(Reason::UnforeseenEvent)),
            Record::Ended { would_hold: None },
        ];
        let mut bytes = Vec::new();
        (0..).zip(&records).for_each(|(number, record)| record.write(number, &mut bytes));
        let text = String::from_utf8(bytes).unwrap();
        let names = ["a", "b"].map(str::to_owned).to_vec();
        let whole = Log { names, ended: true, digest: Some("ab".to_owned()) };
        assert_eq!(read_log(&text, None), Ok(whole.clone()));
        assert_eq!(read_log(&text[..text.len() - 1], None), Ok(Log { ended: false, ..whole }));
        assert_eq!(read_log(&text.replacen("\"a\"", "\"c\"", 1), None).unwrap_err().0, 2);
        assert!(read_log(&text, Some("p")).is_err());
    }
}
