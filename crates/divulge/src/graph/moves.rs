//! Arcs as an observer sees them, followed for sixty-four states at a time.
//!
//! *Background.* In worlds that are made of rows, steps or rooms, most arcs lead from state r to state r + d for a handful of distances d. So
//! the arcs of sixty-four states that lie next to each other come in few kinds, by image and distance, and all of a kind are followed by one shift.
//!
//! *Practical.* [`Moves::prepare`] looks at states before [`Moves::follow`] gives what they lead to, piece by piece. Where arcs lead every which
//! way, or few states are asked for, or seldom, they are followed one by one.

use std::{convert::Infallible, ops::Range, sync::Arc};

use crate::{
    limit::{threads, together},
    problem::{Image, PGraph, Vertex},
    sets::Word,
};

/// How far the arcs of a word lead is looked at once so many of its states were asked for, one time or another: then it pays.
const OFTEN: u32 = 128;

/// Arcs are followed together if there are no more than this many kinds of them for each state.
const KINDS_PER_ARC: u32 = 2;

/// More kinds of arcs than this are too many for any states of a word: of so many, nothing is ever followed together.
const MANY: usize = 64 * KINDS_PER_ARC as usize;

/// If there are more kinds than this, and more than half as many as arcs, nothing is gained either.
const FEW: usize = 8;

/// The place of the kinds of such a word.
const EVERY_WHICH_WAY: (u32, u32) = (1, u32::MAX);

/// After so many such words in a row, only one in so many is looked at.
const SEVERAL: u32 = 3;
const NOW_AND_THEN: u32 = 16;

/// So many words are worth a thread that looks at the arcs of all their states.
const WORDS: usize = 1 << 6;

/// So many of the ends are nobody's.
const NOBODYS: usize = 2;

/// No arcs, of a state for whose arcs nobody has asked. Pages of zeros would be given out when they are looked at, and again, slowly, when something is written there.
const UNKNOWN: (u32, u32) = (1, 1);

/// A graph, and what its labels look like.
type Seen<'a> = (&'a PGraph, &'a [Image]);

/// Ends of arcs, by the state at the other end: forwards where they lead, backwards where they come from.
#[derive(Debug, Default)]
struct Ends {
    /// Where those of each state begin and end; `UNKNOWN` where nobody has asked for them yet.
    places: Vec<(u32, u32)>,
    /// After the first, which are nobody's: image and state, ascending; what looks the same and leads to the same state is there once.
    ends: Vec<(Image, u32)>,
}

impl Ends {
    fn of(&self, state: u32) -> &[(Image, u32)] {
        let (begin, end) = self.places[state as usize];
        &self.ends[begin as usize..end as usize]
    }

    /// Looks where the arcs of a state lead, if that was not done yet.
    fn look(&mut self, seen: Seen<'_>, state: u32) {
        self.look_from(seen, 0, state);
    }

    /// The same, where states are counted from this one on.
    fn look_from(&mut self, (graph, image_of): Seen<'_>, from: u32, state: u32) {
        if self.places[state as usize] == UNKNOWN {
            let first = self.ends.len();
            let arcs = graph.arcs(Vertex(from + state)).iter();
            self.ends.extend(arcs.map(|arc| (image_of[arc.label.index()], arc.to.0)));
            keep_distinct(&mut self.ends, first);
            self.places[state as usize] = (first as u32, self.ends.len() as u32);
        }
    }

    /// Where the arcs come from of the states that were looked at.
    fn turned(&self) -> Self {
        let states = self.places.len() as u32;
        let mut places = vec![(0, 0); states as usize];
        for state in 0..states {
            for &(_, to) in self.of(state) {
                places[to as usize].1 += 1;
            }
        }
        let mut sum = NOBODYS as u32;
        for place in &mut places {
            let count = place.1;
            *place = (sum, sum);
            sum += count;
        }
        let mut ends = vec![(Image(0), 0); sum as usize];
        for from in 0..states {
            for &(image, to) in self.of(from) {
                let end = &mut places[to as usize].1;
                ends[*end as usize] = (image, from);
                *end += 1;
            }
        }
        Self { places, ends }
    }
}

fn keep_distinct(ends: &mut Vec<(Image, u32)>, first: usize) {
    // Arcs are in the order of their labels, and images often are, too.
    if !ends[first..].is_sorted_by(|one, next| one < next) {
        ends[first..].sort_unstable();
        let mut kept = first + 1;
        for i in first + 1..ends.len() {
            if ends[kept - 1] != ends[i] {
                ends[kept] = ends[i];
                kept += 1;
            }
        }
        ends.truncate(kept);
    }
}

/// Arcs in one direction, and how far they lead from the words that were looked at.
#[derive(Debug, Default)]
pub(crate) struct Moves<'a> {
    /// The graph whose arcs are followed forwards, where that is always the same one; nothing backwards.
    graph: Option<Seen<'a>>,
    ends: Ends,
    /// Those of all states, which stand for `ends`, once somebody has looked at all.
    all: Option<Arc<Ends>>,
    /// Where the kinds of arcs of each word begin and end; before that, 0 and how many of its states were asked for.
    places: Vec<(u32, u32)>,
    /// After the first, which is nobody's.
    kinds: Vec<Kind>,
    /// Of how many words in a row arcs lead every which way.
    in_a_row: u32,
    /// Whether all words were looked at, at once.
    complete: bool,
}

/// The arcs of some states of a word that look the same and lead equally far.
#[derive(Clone, Copy, Debug)]
struct Kind {
    image: Image,
    /// How far they lead: so many words and so many bits.
    far: (i32, u32),
    /// Where they begin.
    bits: u64,
}

/// What some states of one word lead to in another word, by arcs that look the same and lead equally far.
#[derive(Clone, Copy)]
pub(crate) struct Piece {
    pub image: Image,
    pub to: Word,
    /// How many bits they were moved, and whether that was out of a word.
    turn: u32,
    carried: bool,
}

impl Piece {
    /// Where it comes from that these of its bits are there.
    pub fn from(&self, bits: u64) -> u64 {
        if self.carried { bits << (64 - self.turn) } else { bits >> self.turn }
    }
}

impl<'a> Moves<'a> {
    /// Where a graph's arcs lead, if labels look like that.
    pub fn forwards(graph: &'a PGraph, image_of: &'a [Image]) -> Self {
        let mut moves = Self { graph: Some((graph, image_of)), ..Self::of_states(graph.len()) };
        // Room that nobody uses takes none.
        moves.ends.ends.reserve(graph.arc_count());
        moves
    }

    /// Where the arcs lead of a graph of so many states, the same one every time.
    pub fn of_states(states: usize) -> Self {
        Self::new(None, Ends { places: vec![UNKNOWN; states], ends: vec![(Image(0), 0); NOBODYS] })
    }

    fn new(graph: Option<Seen<'a>>, ends: Ends) -> Self {
        let words = ends.places.len().div_ceil(64);
        let nobodys = Kind { image: Image(0), far: (0, 0), bits: 0 };
        let places = vec![(0, 0); words];
        Self { graph, ends, all: None, places, kinds: vec![nobodys], in_a_row: 0, complete: false }
    }

    /// The same arcs, of which nothing is known but where they all lead, if somebody has looked.
    pub fn anew(&self) -> Moves<'static> {
        let mut moves = Moves::of_states(if self.all.is_some() { 0 } else { self.states() });
        moves.places.resize(self.places.len(), (0, 0));
        moves.all.clone_from(&self.all);
        moves
    }

    fn known(&self) -> &Ends {
        self.all.as_deref().unwrap_or(&self.ends)
    }

    /// Where the arcs come from of the states that were looked at.
    pub fn turned(&self) -> Self {
        Self::new(None, self.known().turned())
    }

    /// Looks at some states before their arcs are followed.
    pub fn prepare(&mut self, word: Word) {
        self.prepare_in(self.graph, word);
    }

    /// The same, in this graph.
    pub fn prepare_in(&mut self, graph: Option<Seen<'_>>, word: Word) {
        if self.is_prepared(word.number) {
            return;
        }
        let asked = self.places[word.number as usize].1;
        if let Some(graph) = graph {
            word.members().for_each(|state| self.look(graph, state));
        }
        let asked = asked + word.bits.count_ones();
        self.places[word.number as usize].1 = asked;
        if asked >= OFTEN {
            self.find_kinds(graph, word.number);
        }
    }

    /// Looks at all states, on as many threads as are worth it, if that was not done yet.
    pub fn prepare_all(&mut self, allowed: usize) {
        let (Some(graph), words) = (self.graph, self.places.len()) else { return };
        if std::mem::replace(&mut self.complete, true) {
            return;
        }
        let count = threads(allowed, words, WORDS);
        let share = words.div_ceil(count.max(1)).max(1);
        let begins = (0..words).step_by(share);
        let mut shares: Vec<Share> =
            begins.map(|begin| Share::new(begin..words.min(begin + share))).collect();
        let Ok(()) = together(&mut shares, |share| {
            share.look(graph);
            Ok::<_, Infallible>(())
        });
        self.ends.ends.truncate(NOBODYS);
        self.kinds.truncate(1);
        for Share { words, moves } in shares {
            let far = |(begin, end): (u32, u32), by: usize| (begin + by as u32, end + by as u32);
            let (ends, kinds) = (self.ends.ends.len() - NOBODYS, self.kinds.len() - 1);
            let states = words.start * 64..words.start * 64 + moves.ends.places.len();
            let own = self.ends.places[states].iter_mut().zip(&moves.ends.places);
            own.for_each(|(place, &own)| *place = far(own, ends));
            let own = self.places[words].iter_mut().zip(&moves.places);
            own.for_each(|(place, &own)| {
                *place = if own == EVERY_WHICH_WAY { own } else { far(own, kinds) };
            });
            self.ends.ends.extend_from_slice(&moves.ends.ends[NOBODYS..]);
            self.kinds.extend_from_slice(&moves.kinds[1..]);
        }
    }

    /// Whether all states of a word were looked at.
    pub fn is_prepared(&self, number: u32) -> bool {
        self.places[number as usize].0 != 0
    }

    /// Looks at where the arcs of a state of this graph lead, before they are asked for.
    pub fn look(&mut self, graph: Seen<'_>, state: u32) {
        if self.all.is_none() {
            self.ends.look(graph, state);
        }
    }

    /// The same for all states, but not at how far the arcs of a word lead: what is followed together is what it would be without.
    pub fn look_all(&mut self, graph: Seen<'_>) {
        let mut ends = std::mem::take(&mut self.ends);
        ends.ends.reserve(graph.0.arc_count());
        (0..ends.places.len() as u32).for_each(|state| ends.look(graph, state));
        self.all = Some(Arc::new(ends));
    }

    /// Looks at words before as many of their states are asked for as there are in these, one time or another.
    pub fn expect(&mut self, words: impl Iterator<Item = Word>) {
        for word in words {
            self.places[word.number as usize].1 += word.bits.count_ones();
        }
        for number in 0..self.places.len() as u32 {
            let (known, asked) = self.places[number as usize];
            if known == 0 && asked >= OFTEN {
                self.find_kinds(self.graph, number);
            }
        }
    }

    /// Looks at how far the arcs of a word lead.
    fn find_kinds(&mut self, graph: Option<Seen<'_>>, number: u32) {
        self.find_kinds_from(graph, number, 0);
    }

    /// The same, where states are counted from this one on.
    fn find_kinds_from(&mut self, graph: Option<Seen<'_>>, number: u32, from: u32) {
        let first = number * 64;
        let states = first..(self.states() as u32).min(first + 64);
        if let Some(graph) = graph {
            states.clone().for_each(|state| self.look(graph, state));
        }
        let begin = self.kinds.len();
        // What was so of several words in a row may well be so of this one.
        if self.in_a_row >= SEVERAL && !self.in_a_row.is_multiple_of(NOW_AND_THEN) {
            self.in_a_row += 1;
            self.places[number as usize] = EVERY_WHICH_WAY;
            return;
        }
        let mut arcs = 0;
        for state in states {
            if self.kinds.len() - begin > MANY {
                break;
            }
            let ends = self.all.as_deref().unwrap_or(&self.ends);
            for &(image, to) in ends.of(state) {
                let distance = i64::from(to) - i64::from(from + state);
                let far = (distance.div_euclid(64) as i32, distance.rem_euclid(64) as u32);
                // There are few, or it is soon over.
                match self.kinds[begin..].iter_mut().find(|kind| (kind.image, kind.far) == (image, far)) {
                    Some(kind) => kind.bits |= 1 << (state - first),
                    None => self.kinds.push(Kind { image, far, bits: 1 << (state - first) }),
                }
                arcs += 1;
            }
        }
        let kinds = self.kinds.len() - begin;
        if kinds > FEW && kinds * 2 > arcs {
            self.kinds.truncate(begin);
            self.in_a_row += 1;
            self.places[number as usize] = EVERY_WHICH_WAY;
            return;
        }
        self.in_a_row = 0;
        self.kinds[begin..].sort_unstable_by_key(|kind| (kind.image, kind.far));
        self.places[number as usize] = (begin as u32, self.kinds.len() as u32);
    }

    /// Where the arcs of a state lead that was looked at.
    pub fn ends(&self, state: u32) -> &[(Image, u32)] {
        self.known().of(state)
    }

    /// How many states there are.
    pub fn states(&self) -> usize {
        self.known().places.len()
    }

    /// How many arcs were looked at; what looks the same and leads to the same state is one.
    pub fn arcs_known(&self) -> usize {
        self.known().ends.len() - NOBODYS
    }

    /// How many kinds of arcs there are in all the words that were looked at, if arcs are followed together at most of these.
    pub fn kinds_known(&self) -> Option<usize> {
        let known = self.places.iter().filter(|&&(begin, _)| begin != 0);
        let (all, lost) =
            known.fold((0, 0), |(all, lost), &place| (all + 1, lost + usize::from(place == EVERY_WHICH_WAY)));
        (2 * lost < all).then(|| self.kinds.len() - 1)
    }

    /// Whether the arcs of some states are followed together, and not one by one.
    pub fn together(&self, from: Word) -> bool {
        let (begin, end) = self.places[from.number as usize];
        begin != 0 && end - begin <= KINDS_PER_ARC * from.bits.count_ones()
    }

    /// Gives what the arcs of some states lead to, in any order; each arc is in one piece.
    pub fn follow(&self, from: Word, mut give: impl FnMut(Piece)) {
        if !self.together(from) {
            return self.one_by_one(from, give);
        }
        let (begin, end) = self.places[from.number as usize];
        for &Kind { image, far: (words, turn), bits } in &self.kinds[begin as usize..end as usize] {
            let moved = u128::from(from.bits & bits) << turn;
            let number = from.number.wrapping_add_signed(words);
            let (low, high) = (moved as u64, (moved >> 64) as u64);
            if low != 0 {
                give(Piece { image, to: Word { number, bits: low }, turn, carried: false });
            }
            if high != 0 {
                give(Piece {
                    image,
                    to: Word { number: number.wrapping_add(1), bits: high },
                    turn,
                    carried: true,
                });
            }
        }
    }

    fn one_by_one(&self, from: Word, mut give: impl FnMut(Piece)) {
        for state in from.members() {
            for &(image, to) in self.known().of(state) {
                let turn = to.wrapping_sub(state) % 64;
                give(Piece { image, to: Word::of(to), turn, carried: to % 64 < state % 64 });
            }
        }
    }
}

/// Some words, of whose states somebody looks at all arcs.
struct Share {
    words: Range<usize>,
    /// As if there were no other words.
    moves: Moves<'static>,
}

impl Share {
    fn new(words: Range<usize>) -> Self {
        Self { words, moves: Moves::default() }
    }

    fn look(&mut self, (graph, image_of): Seen<'_>) {
        let first = self.words.start as u32 * 64;
        let states = graph.len().min(self.words.end * 64) as u32 - first;
        self.moves = Moves::of_states(states as usize);
        for state in 0..states {
            self.moves.ends.look_from((graph, image_of), first, state);
        }
        (0..self.words.len() as u32).for_each(|number| self.moves.find_kinds_from(None, number, first));
    }
}

/// The bits of each word for whose vertices something holds.
pub(crate) fn words_where(graph: &PGraph, mut holds: impl FnMut(Vertex) -> bool) -> Vec<u64> {
    let mut words = vec![0; graph.len().div_ceil(64)];
    for v in graph.vertices() {
        words[v.index() / 64] |= u64::from(holds(v)) << (v.0 % 64);
    }
    words
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::{
        limit::share_out_the_least,
        problem::{Kind as Turn, Label, PGraphBuilder},
    };

    /// Arcs that lead few distances, with some that lead every which way.
    fn graph(n: u32, odd: u32) -> PGraph {
        let mut b = PGraphBuilder::new();
        for v in 0..n {
            b.vertex(if v % 2 == 0 { Turn::Action } else { Turn::Observation });
        }
        b.initial(Vertex(0));
        for v in 0..n {
            for (label, distance) in [1, -1, 33, -63, 65, -127].into_iter().enumerate() {
                let to = if (v * 7 + label as u32).is_multiple_of(odd) {
                    (v * v + 1) % n
                } else {
                    v.wrapping_add_signed(distance)
                };
                if to < n && (v + to) % 2 == 1 {
                    b.arc(Vertex(v), Label(label as u32), Vertex(to));
                }
            }
        }
        b.build().expect("a p-graph")
    }

    #[test]
    fn what_is_followed_together_is_what_arcs_lead_to() {
        share_out_the_least();
        for (n, odd) in [(50, 1000), (640, 1000), (999, 50), (1000, 2)] {
            let graph = graph(n, odd);
            let image_of: Vec<Image> = [0, 1, 0, 2, 1, 2].map(Image).to_vec();
            let all = graph.all_arcs().map(|(v, arc)| (v.0, image_of[arc.label.index()], arc.to.0));
            let all: BTreeSet<(u32, Image, u32)> = all.collect();
            let mut forwards = Moves::forwards(&graph, &image_of);
            (0..n).for_each(|v| forwards.prepare(Word::of(v)));
            let mut all_at_once = Moves::forwards(&graph, &image_of);
            all_at_once.prepare(Word::of(7));
            all_at_once.prepare_all(3);
            for (mut moves, back) in [
                (forwards.turned(), true),
                (Moves::forwards(&graph, &image_of), false),
                (all_at_once.turned(), true),
                (all_at_once, false),
            ] {
                for number in 0..n.div_ceil(64) {
                    for pattern in [0xff, !0, !0, 0x8421_1248_0f0f_8001, 1 << 63 | 1] {
                        let inside = (n - number * 64).min(64);
                        let from = Word { number, bits: pattern & (!0 >> (64 - inside)) };
                        moves.prepare(from);
                        let mut found = BTreeSet::new();
                        moves.follow(from, |piece| {
                            for to in piece.to.members() {
                                let bit = piece.from(1 << (to % 64));
                                let start = Word { number, bits: bit }.members().next().expect("one bit");
                                let arc =
                                    if back { (to, piece.image, start) } else { (start, piece.image, to) };
                                assert!(found.insert(arc), "each arc is in one piece");
                            }
                        });
                        let own = |v: u32| v / 64 == number && from.bits >> (v % 64) & 1 == 1;
                        let expected = all.iter().filter(|arc| own(if back { arc.2 } else { arc.0 }));
                        assert!(found.iter().eq(expected));
                    }
                }
            }
        }
    }
}
