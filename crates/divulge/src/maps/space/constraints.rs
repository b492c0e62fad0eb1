//! What a sought map must respect, and how its images are called.

use crate::{
    maps::space::partial::PartialMap,
    problem::{Alphabet, Kind, Label, LabelMap, MapConstraints, Problem},
    sets::BitSet,
};
/// How many images a map may have, those of actions and those of observations counted together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImageCount {
    /// At least so many.
    pub least: usize,
    /// At most so many; `usize::MAX` if any number will do.
    pub most: usize,
}

impl ImageCount {
    /// What the constraints ask for.
    pub fn of(constraints: &MapConstraints) -> Self {
        let MapConstraints { min_images, max_images, .. } = constraints;
        Self { least: min_images.unwrap_or(0), most: max_images.unwrap_or(usize::MAX) }
    }

    /// Whether a map of so many images will do.
    pub fn allows(self, images: usize) -> bool {
        (self.least..=self.most).contains(&images)
    }
}

/// How many images a map has if nothing more is merged.
pub fn images(map: &PartialMap) -> usize {
    map.classes(Kind::Action).len() + map.classes(Kind::Observation).len()
}

/// The world's labels that a sought map is a partition of: all but those that are unseen whatever the map.
pub fn mapped(problem: &Problem, constraints: &MapConstraints) -> BitSet {
    let mut labels = problem.world_labels.clone();
    constraints.unseen.iter().for_each(|l| labels.remove(l.index()));
    labels
}

/// The partial map that the constraints demand; `None` if they contradict each other.
///
/// A pair of an action and an observation, or with a label that the world does not have, demands nothing: such labels are
/// never compared.
pub fn demanded(alphabet: &Alphabet, labels: &BitSet, constraints: &MapConstraints) -> Option<PartialMap> {
    let mut map = PartialMap::open(alphabet, labels);
    let MapConstraints { merge, separate, fixed, .. } = constraints;
    let pairs = |group: &[Label]| -> Vec<(Label, Label)> {
        group.iter().enumerate().flat_map(|(i, &a)| group[..i].iter().map(move |&b| (b, a))).collect()
    };
    let mut demands: Vec<(Label, Label, bool)> = Vec::new();
    demands.extend(merge.iter().flat_map(|group| pairs(group)).map(|(a, b)| (a, b, true)));
    demands.extend(separate.iter().flat_map(|group| pairs(group)).map(|(a, b)| (a, b, false)));
    for (i, (a, x)) in fixed.iter().enumerate() {
        demands.extend(fixed[..i].iter().map(|(b, y)| (*b, *a, x == y)));
    }
    for (a, b, alike) in demands {
        if a == b {
            if !alike {
                return None;
            }
        } else if comparable(alphabet, labels, a, b) {
            map = map.with(a, b, alike)?;
        }
    }
    Some(map)
}

fn comparable(alphabet: &Alphabet, labels: &BitSet, a: Label, b: Label) -> bool {
    labels.contains(a.index()) && labels.contains(b.index()) && alphabet.kind(a) == alphabet.kind(b)
}

/// The finest map in a region, with images named as the constraints fix them, else after the labels that look alike.
pub fn named(alphabet: &Alphabet, constraints: &MapConstraints, map: &PartialMap) -> LabelMap {
    let mut names: Vec<Option<String>> = vec![None; alphabet.len()];
    let mut used: Vec<String> = constraints.fixed.iter().map(|(_, name)| name.clone()).collect();
    for kind in [Kind::Action, Kind::Observation] {
        for class in map.classes(kind) {
            let fixed =
                constraints.fixed.iter().find(|(l, _)| class.contains(l)).map(|(_, name)| name.clone());
            let name = fixed.unwrap_or_else(|| {
                let mut name = class.iter().map(|&l| alphabet.name(l)).collect::<Vec<_>>().join("|");
                while used.contains(&name) {
                    name.push('\'');
                }
                used.push(name.clone());
                name
            });
            for l in class {
                names[l.index()] = Some(name.clone());
            }
        }
    }
    LabelMap::seen_from_fn(alphabet, |l| {
        let seen = !constraints.unseen.contains(&l);
        seen.then(|| names[l.index()].clone().unwrap_or_else(|| alphabet.name(l).to_owned()))
    })
}

/// What it costs to merge what a whole map merges.
pub fn merge_cost(constraints: &MapConstraints, map: &PartialMap) -> u64 {
    let merged = constraints.merge_cost.iter().filter(|&&(a, b, _)| map.looks_like(a, b));
    merged.map(|&(_, _, cost)| cost).fold(0, u64::saturating_add)
}
