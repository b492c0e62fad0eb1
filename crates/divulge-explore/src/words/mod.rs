//! What the page says, for somebody who has never heard of the theory.

mod demand;
mod predicate;
mod standing;
mod temporal;

pub use demand::demand;
pub use predicate::{asked, asked_by, atom, phrase};
pub use standing::{Told, standing};

/// How many values or places are named before the rest is counted.
const HANDFUL: usize = 6;

/// "a", "a or b", "a, b or c"; beyond a handful the rest is counted.
pub fn listed<S: AsRef<str>>(items: &[S], word: &str) -> String {
    let shown: Vec<&str> = items.iter().take(HANDFUL).map(AsRef::as_ref).collect();
    match (shown.as_slice(), items.len()) {
        ([], _) => "nothing".to_owned(),
        ([one], 1) => (*one).to_owned(),
        (some, all) if all > HANDFUL => format!("{} {word} {} more", some.join(", "), all - HANDFUL),
        ([before @ .., last], _) => format!("{} {word} {last}", before.join(", ")),
    }
}

/// "1 step", "3 steps".
pub fn count(n: usize, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}

/// With a capital letter first.
pub fn sentence(text: &str) -> String {
    let mut chars = text.chars();
    match chars.next() {
        Some(first) => first.to_uppercase().chain(chars).collect(),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_read_aloud() {
        assert_eq!(listed(&["a"], "or"), "a");
        assert_eq!(listed(&["a", "b", "c"], "or"), "a, b or c");
        assert_eq!(listed::<&str>(&[], "or"), "nothing");
        let many: Vec<String> = (0..9).map(|i| i.to_string()).collect();
        assert_eq!(listed(&many, "and"), "0, 1, 2, 3, 4, 5 and 3 more");
        assert_eq!((count(1, "step"), count(0, "step")), ("1 step".to_owned(), "0 steps".to_owned()));
        assert_eq!(sentence("état"), "État");
    }
}
