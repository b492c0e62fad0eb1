//! "Did you mean": the nearest known name.

/// Names longer than this are not compared: nobody mistypes them letter by letter.
const LONGEST: usize = 64;

/// A hint is not worth a long search: of very many names the first are looked at.
const MOST: usize = 100_000;

/// The candidate nearest to `name`, if one is near enough to be what was meant: by insertions, deletions, replacements and
/// swaps of neighbours, with capitals and small letters alike. Of equally near ones it is the first in alphabetical order.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let length = name.chars().count();
    if length == 0 || length > LONGEST {
        return None;
    }
    let (wanted, limit) = (name.to_lowercase(), (length / 3).max(1));
    let near = candidates.into_iter().take(MOST).filter_map(|candidate| {
        if candidate == name || candidate.chars().count().abs_diff(length) > limit {
            return None;
        }
        let distance = strsim::osa_distance(&wanted, &candidate.to_lowercase());
        // A name of which every letter differs is no suggestion, however short.
        (distance <= limit && distance < length).then_some((distance, candidate))
    });
    near.min().map(|(_, candidate)| candidate)
}

/// "did you mean `x`?" for the nearest candidate, if any is near enough.
pub fn did_you_mean<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
    nearest(name, candidates).map(|n| format!("did you mean `{n}`?"))
}

#[cfg(test)]
mod tests {
    use crate::nearest::{did_you_mean, nearest};

    #[test]
    fn near_names_are_found_and_far_ones_are_not() {
        let known = ["facility", "rad", "row", "col"];
        for (name, meant) in [
            ("facilty", Some("facility")),
            ("FACILTY", Some("facility")),
            ("rwo", Some("row")),
            ("Row", Some("row")),
            ("x", None),
            ("temperature", None),
            ("row", None),
            ("", None),
        ] {
            assert_eq!(nearest(name, known), meant, "{name}");
        }
        assert_eq!(nearest("b", ["c", "a"]), None);
        assert_eq!(nearest("ro", ["rop", "roa"]), Some("roa"));
        assert_eq!(nearest("grösse", ["größe", "GRÖSSE"]), Some("GRÖSSE"));
        assert_eq!(nearest(&"x".repeat(65), [&*"x".repeat(64)]), None);
        assert_eq!(did_you_mean("exti", ["exit"]).as_deref(), Some("did you mean `exit`?"));
    }
}
