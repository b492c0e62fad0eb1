//! Names in messages.

/// How many names a list shows.
const LISTED: usize = 20;

/// The names in backquotes, with commas between them; of a long list the first ones, and how many more there are.
pub fn listed<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let mut names = names.into_iter();
    let shown: Vec<String> = names.by_ref().take(LISTED).map(|name| format!("`{name}`")).collect();
    match names.count() {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::listed;

    #[test]
    fn lists_say_how_much_they_leave_out() {
        let names: Vec<String> = (0..27).map(|i| format!("n{i}")).collect();
        let list = |n: usize| listed(names[..n].iter().map(String::as_str));
        assert_eq!(list(2), "`n0`, `n1`");
        assert!(list(20).ends_with(", `n19`"));
        assert!(list(27).ends_with(", `n19` and 7 more"));
    }
}
