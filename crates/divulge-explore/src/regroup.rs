//! Another map: which labels look alike, and which are not seen at all.

use std::collections::BTreeSet;

use divulge::problem::{Alphabet, Kind, Label, LabelMap};

/// The map under which these groups look alike and these labels are unseen; what is not said is as in `given`. Labels in no group look
/// like nothing else. An image keeps its name where its group is the same.
pub(crate) fn regrouped(
    alphabet: &Alphabet,
    given: &LabelMap,
    groups: Option<&[Vec<String>]>,
    unseen: Option<&[String]>,
) -> Result<LabelMap, String> {
    let mut group_of = match groups {
        Some(groups) => together(alphabet, groups)?,
        None => alphabet.labels().map(|l| alike(alphabet, given, l)).collect(),
    };
    let hidden: BTreeSet<Label> = match unseen {
        Some(names) => labels(alphabet, names)?.into_iter().collect(),
        // What was not seen stays so, unless it is made to look like something that was.
        None => {
            let all = given.unseen().filter(|l| {
                groups.is_none() || group_of[l.index()].iter().all(|&m| given.image(m).is_none())
            });
            all.collect()
        }
    };
    group_of.iter_mut().for_each(|group| group.retain(|l| !hidden.contains(l)));
    let seen = |l: &Label| !hidden.contains(l);
    let kept = |l: Label| Some(given.look(l)?).filter(|_| alike(alphabet, given, l) == group_of[l.index()]);
    let mut taken: BTreeSet<String> =
        alphabet.labels().filter(seen).filter_map(kept).map(str::to_owned).collect();
    let mut names: Vec<Option<String>> = vec![None; alphabet.len()];
    for label in alphabet.labels().filter(seen) {
        if let Some(name) = kept(label) {
            names[label.index()] = Some(name.to_owned());
        } else if names[label.index()].is_none() {
            let group = &group_of[label.index()];
            let mut made = group.iter().map(|&l| alphabet.name(l)).collect::<Vec<_>>().join("|");
            // Another image may have this very name; it would be the same image.
            while !taken.insert(made.clone()) {
                made.push('\'');
            }
            group.iter().for_each(|l| names[l.index()] = Some(made.clone()));
        }
    }
    Ok(LabelMap::seen_from_fn(alphabet, |label| names[label.index()].as_deref()))
}

fn labels(alphabet: &Alphabet, names: &[String]) -> Result<Vec<Label>, String> {
    let find = |name: &String| alphabet.get(name).ok_or_else(|| format!("there is no event `{name}`"));
    names.iter().map(find).collect()
}

/// For each label, the labels of its kind that look like it, if these groups do.
fn together(alphabet: &Alphabet, groups: &[Vec<String>]) -> Result<Vec<Vec<Label>>, String> {
    let mut group_of: Vec<Vec<Label>> = alphabet.labels().map(|l| vec![l]).collect();
    for group in groups {
        let mut labels = labels(alphabet, group)?;
        labels.sort_unstable();
        labels.dedup();
        for kind in [Kind::Action, Kind::Observation] {
            // Actions and observations are never taken for one another, whatever they look like.
            let alike: Vec<Label> = labels.iter().copied().filter(|&l| alphabet.kind(l) == kind).collect();
            for &l in &alike {
                group_of[l.index()].clone_from(&alike);
            }
        }
    }
    Ok(group_of)
}

/// The labels of one kind that look like this one; it alone if it is not seen.
fn alike(alphabet: &Alphabet, map: &LabelMap, label: Label) -> Vec<Label> {
    match map.image(label) {
        Some(image) => map.preimage(image).filter(|&l| alphabet.kind(l) == alphabet.kind(label)).collect(),
        None => vec![label],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given() -> (Alphabet, LabelMap) {
        let mut alphabet = Alphabet::new();
        for (name, kind) in
            [("a", Kind::Action), ("b", Kind::Action), ("c", Kind::Action), ("o", Kind::Observation)]
        {
            alphabet.declare(name, kind).unwrap();
        }
        let looks = ["x", "x", "a", "b"];
        let map = LabelMap::from_fn(&alphabet, |l| looks[l.index()]);
        (alphabet, map)
    }

    fn named(names: &[&str]) -> Vec<String> {
        names.iter().map(|&name| name.to_owned()).collect()
    }

    fn looks(map: &LabelMap, alphabet: &Alphabet) -> Vec<String> {
        alphabet.labels().map(|l| map.shown(l).to_owned()).collect()
    }

    /// `c` looks like “a”, and `o` like “b”: what `a` and `b` look like alone must be something else.
    #[test]
    fn images_that_are_made_are_new_ones() {
        let (alphabet, map) = given();
        let apart = regrouped(&alphabet, &map, Some(&[]), None).unwrap();
        assert_eq!(looks(&apart, &alphabet), ["a'", "b'", "a", "b"]);
    }

    #[test]
    fn events_are_unseen_and_seen_again() {
        let (alphabet, map) = given();
        let hidden = regrouped(&alphabet, &map, None, Some(&named(&["a", "o"]))).unwrap();
        assert_eq!(looks(&hidden, &alphabet), ["(unseen)", "b", "a", "(unseen)"]);
        // What is not said stays as it is.
        let again = regrouped(&alphabet, &hidden, Some(&[named(&["b", "c"])]), None).unwrap();
        assert_eq!(looks(&again, &alphabet), ["(unseen)", "b|c", "b|c", "(unseen)"]);
        let merged = regrouped(&alphabet, &hidden, Some(&[named(&["a", "b"])]), None).unwrap();
        assert_eq!(looks(&merged, &alphabet), ["a|b", "a|b", "a", "(unseen)"]);
        let seen = regrouped(&alphabet, &hidden, None, Some(&[])).unwrap();
        assert_eq!(looks(&seen, &alphabet), ["a'", "b", "a", "o"]);
        let wrong = regrouped(&alphabet, &map, None, Some(&named(&["nobody"])));
        assert_eq!(wrong, Err("there is no event `nobody`".to_owned()));
    }
}
