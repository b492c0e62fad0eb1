//! The game under a partly decided map, made easier: each estimate may choose anew what looks alike, as far as that is undecided.
//!
//! *Background.* Labels that look alike under some completion of the map are a clique of those that are not decided to be apart. What wins
//! among that to which they lead is among that to which a maximal clique leads. So if each class of labels that are decided
//! to look alike leads to all that wins in any maximal clique that it belongs to, then whatever wins under some completion is
//! covered. (To tell those sets apart costs more than it brings.) What loses here loses under every completion, and only decided pairs were looked at.

use smallvec::{SmallVec, smallvec};

use crate::{
    problem::{Kind, Label},
    seek::self_divulged::{
        game::{Candidate, Continuation, EstimateGame, Family, Group, Lookup, Outcome, Stop},
        table::Few,
    },
    sets::{SetId, bits::ones},
};

/// Up to this many maximal cliques are told apart; beyond, all that a class is not apart from counts as one.
const CLIQUES: usize = 32;

/// With more labels at hand than this all of them together are one class, which is easier still.
const MOST: usize = 64;

/// The labels that are decided to look alike at an estimate, and their places among its parts.
struct Class {
    labels: SmallVec<[Label; 4]>,
    parts: Few,
}

/// Looks at one candidate of the easier game.
pub fn relaxed<'g>(
    lookup: &mut impl Lookup<'g>,
    candidate: &Candidate,
    followed: &mut Vec<(SetId, Family)>,
) -> Result<Outcome, Stop> {
    let game = lookup.game();
    let (classes, alike) = classes(game, candidate.going);
    let cliques = cliques(&alike);
    let mut families: Vec<Family> = Vec::with_capacity(cliques.len());
    // One after the other: where following the first takes all the effort there is, the others are not needed.
    for &clique in &cliques {
        let post = join(lookup.game(), candidate, &classes, clique);
        let family = lookup.follow(post)?;
        families.push(family.clone());
        followed.push((post, family));
    }
    let game = lookup.game();
    let chosen = options(game, &classes, &cliques, &families);
    let groups: Vec<Group> =
        classes.into_iter().map(|c| Group { labels: c.labels, post: candidate.set }).collect();
    let none = game.table.intern(&[]);
    let chooses = game.usable.kind(game.table.get(candidate.set)[0]) == Kind::Action;
    let mut going = game.covered(candidate, &groups, &chosen, !chooses);
    let set = game.stays(candidate, going);
    if set == candidate.set && (chooses || going == candidate.going) {
        return Ok(Outcome::Wins(Continuation { next: Vec::new(), going }));
    }
    if set == none {
        return Ok(Outcome::Within(Vec::new()));
    }
    if chooses {
        let usable = game.usable;
        going = game.table.retain(set, |v| !usable.arcs(v).is_empty());
    }
    Ok(Outcome::Within(vec![Candidate { set, going, ending: candidate.ending }]))
}

/// The classes of labels at hand, and for each the classes that it may look like, as bits; the pairs that tell are noted.
fn classes(game: &mut EstimateGame<'_>, going: SetId) -> (Vec<Class>, Vec<u64>) {
    let parts = game.table.parts(game.usable, going);
    if parts.len() > MOST {
        let labels = parts.iter().map(|&(label, _)| label).collect();
        return (vec![Class { labels, parts: (0..parts.len() as u32).collect() }], vec![1]);
    }
    let mut classes: Vec<Class> = Vec::with_capacity(parts.len());
    let mut alike: Vec<u64> = Vec::with_capacity(parts.len());
    let (map, looked) = (&game.map, game.looked.last_mut().expect("one at least"));
    'parts: for (i, &(label, _)) in parts.iter().enumerate() {
        let mut may: u64 = 0;
        for (at, class) in classes.iter_mut().enumerate() {
            looked.insert(map.index().number(label, class.labels[0]));
            let Ok(known) = map.alike(label, class.labels[0]) else {
                may |= 1 << at;
                continue;
            };
            if known {
                class.labels.push(label);
                class.parts.push(i as u32);
                continue 'parts;
            }
        }
        let at = classes.len();
        ones(may).for_each(|other| alike[other] |= 1 << at);
        alike.push(may | 1 << at);
        classes.push(Class { labels: smallvec![label], parts: smallvec![i as u32] });
    }
    (classes, alike)
}

/// The maximal cliques of a graph given as rows of neighbours, each with itself; or the rows, if there are too many cliques.
fn cliques(alike: &[u64]) -> Vec<u64> {
    let mut found = Vec::new();
    // Cliques begun, what may join them, and what might have joined them but was tried before.
    let all = (0..alike.len()).fold(0, |all: u64, i| all | 1 << i);
    let mut todo: Vec<(u64, u64, u64)> = vec![(0, all, 0)];
    while let Some((clique, mut may, mut tried)) = todo.pop() {
        if may == 0 && tried == 0 {
            found.push(clique);
        }
        if found.len() > CLIQUES {
            let mut rows = alike.to_vec();
            rows.sort_unstable();
            rows.dedup();
            return rows;
        }
        // Some maximal clique holds the pivot or a class that is apart from it.
        let Some(pivot) = ones(may | tried).max_by_key(|&v| (alike[v] & may).count_ones()) else { continue };
        let apart = may & !(alike[pivot] & !(1 << pivot));
        for v in ones(apart) {
            let near = alike[v] & !(1 << v);
            todo.push((clique | 1 << v, may & near, tried & near));
            may &= !(1 << v);
            tried |= 1 << v;
        }
    }
    found.sort_unstable();
    found
}

/// Where the labels of a clique lead together.
fn join(game: &mut EstimateGame<'_>, candidate: &Candidate, classes: &[Class], clique: u64) -> SetId {
    let mut parts: Few = ones(clique).flat_map(|c| classes[c].parts.iter().copied()).collect();
    if let [one] = parts[..] {
        return game.table.parts(game.usable, candidate.going)[one as usize].1;
    }
    parts.sort_unstable();
    game.table.join(candidate.going, parts)
}

/// What each class may pick: all at once that wins among where its cliques lead.
fn options(
    game: &mut EstimateGame<'_>,
    classes: &[Class],
    cliques: &[u64],
    families: &[Family],
) -> Vec<Option<SetId>> {
    (0..classes.len())
        .map(|class| {
            let belongs = |clique: u64| clique >> class & 1 == 1;
            let mut sets: Vec<SetId> = Vec::new();
            for (_, family) in cliques.iter().zip(families).filter(|(clique, _)| belongs(**clique)) {
                sets.extend(family.iter());
            }
            if sets.len() < 2 {
                return sets.pop();
            }
            let mut all: Vec<u32> = sets.iter().flat_map(|&set| game.table.get(set)).copied().collect();
            all.sort_unstable();
            all.dedup();
            Some(game.table.intern(&all))
        })
        .collect()
}
