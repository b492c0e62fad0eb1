//! "Did you mean": the nearest known name by edit distance.

/// Names longer than this are not compared: nobody mistypes them letter by letter.
const LONGEST: usize = 64;

/// The candidate nearest to `name`, if one is near enough to be what was meant; of equally near ones, the first in
/// alphabetical order.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let length = name.chars().count();
    if length == 0 || length > LONGEST {
        return None;
    }
    let limit = (length / 3).max(1);
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        if candidate == name || candidate.chars().count().abs_diff(length) > limit {
            continue;
        }
        let distance = if candidate.eq_ignore_ascii_case(name) { 0 } else { distance(name, candidate) };
        // A name of which every letter differs is no suggestion, however short.
        if distance <= limit && distance < length && best.is_none_or(|b| (distance, candidate) < b) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// "did you mean `x`?" for the nearest candidate, if any is near enough.
pub fn did_you_mean<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
    nearest(name, candidates).map(|n| format!("did you mean `{n}`?"))
}

/// Insertions, deletions, substitutions and swaps of neighbours that lead from one word to the other.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows = [vec![0; b.len() + 1], (0..=b.len()).collect::<Vec<_>>(), vec![0; b.len() + 1]];
    for i in 1..=a.len() {
        let [before, above, row] = &mut rows;
        row[0] = i;
        for j in 1..=b.len() {
            let substituted = above[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = substituted.min(above[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        rows.rotate_left(1);
    }
    rows[1][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        for (a, b, d) in
            [("", "abc", 3), ("facilty", "facility", 1), ("exti", "exit", 1), ("kitten", "sitting", 3)]
        {
            assert_eq!(distance(a, b), d, "{a} {b}");
            assert_eq!(distance(b, a), d, "{b} {a}");
        }
    }

    #[test]
    fn suggestions() {
        let known = ["facility", "rad", "row", "col"];
        assert_eq!(nearest("facilty", known), Some("facility"));
        assert_eq!(nearest("Row", known), Some("row"));
        assert_eq!(nearest("x", known), None);
        assert_eq!(nearest("temperature", known), None);
        assert_eq!(nearest("b", ["c", "a"]), None);
        assert_eq!(nearest("ro", ["rop", "roa"]), Some("roa"));
    }
}
