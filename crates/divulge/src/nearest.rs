//! "Did you mean": the nearest known name.

/// The candidate nearest to `name` in edit distance, if it is near enough to be meant.
pub fn nearest<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let wanted: Vec<char> = name.chars().take(64).collect();
    let limit = (wanted.len() / 3).max(1);
    let mut best: Option<(usize, &str)> = None;
    // A hint is not worth a long search: very large worlds have their first names looked at.
    for candidate in candidates.take(100_000) {
        let bound = best.map_or(limit, |(d, _)| d.saturating_sub(1));
        if best.is_some_and(|(d, _)| d == 0) {
            break;
        }
        if let Some(d) = distance(&wanted, candidate, bound) {
            best = Some((d, candidate));
        }
    }
    best.map(|(_, c)| c)
}

/// The edit distance (insertions, deletions, replacements, swaps of neighbours; capitals are alike), if at most `bound`.
fn distance(wanted: &[char], candidate: &str, bound: usize) -> Option<usize> {
    let other: Vec<char> = candidate.chars().take(65).collect();
    if wanted.len().abs_diff(other.len()) > bound {
        return None;
    }
    let same = |a: char, b: char| a == b || a.to_lowercase().eq(b.to_lowercase());
    let (mut two_back, mut back) = (Vec::new(), (0..=other.len()).collect::<Vec<_>>());
    for i in 1..=wanted.len() {
        let mut row = vec![i];
        for j in 1..=other.len() {
            let replace = back[j - 1] + usize::from(!same(wanted[i - 1], other[j - 1]));
            let mut d = replace.min(back[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && wanted[i - 1] == other[j - 2] && wanted[i - 2] == other[j - 1] {
                d = d.min(two_back[j - 2] + 1);
            }
            row.push(d);
        }
        two_back = std::mem::replace(&mut back, row);
    }
    Some(back[other.len()]).filter(|&d| d <= bound)
}

#[cfg(test)]
mod tests {
    use crate::nearest::nearest;

    #[test]
    fn near_names_are_found_and_far_ones_are_not() {
        let names = ["facility", "rad", "row", "col"];
        assert_eq!(nearest("facilty", names.into_iter()), Some("facility"));
        assert_eq!(nearest("rwo", names.into_iter()), Some("row"));
        assert_eq!(nearest("Row", names.into_iter()), Some("row"));
        assert_eq!(nearest("temperature", names.into_iter()), None);
    }
}
