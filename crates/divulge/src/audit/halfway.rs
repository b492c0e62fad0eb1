//! Violations near the start, of which each end finds half.
//!
//! *Background.* A clause is broken by what a belief and hindsight leave if that has nothing of its positive masks. So an execution that is at a vertex of positive masks
//! of all clauses at the start and whenever it has seen an image is a *shield*: nothing is broken by the string that it looks like, at whichever moment. Let a string be u·v. If the
//! vertices to which shields lead that look like u have one in common with those from which shields lead on that look like v, there is a shield for u·v.
//! Where many executions look alike nearly all strings have one. So all strings of n images are excluded by comparing sets for ⌈n/2⌉ images with sets for ⌊n/2⌋, of which there are few, and
//! those that are left are looked at moment by moment. The first one that breaks a clause has the fewest images.
//!
//! Where beliefs are small at first, following them from the start finds as much.

use std::ops::Range;

use crate::{
    audit::{
        demands::Demands,
        looking_back::Asked,
        reversed::{Bundle, Hidden, Reversed},
        search,
    },
    limit::{Limit, Monitor, Progress},
    problem::{Image, Kind, LabelMap, PGraph},
    sets::bits::ones,
};

/// The initial belief must have one in so many of the vertices.
pub(crate) const SMALL: usize = 8;

/// So many pairs of sets are compared while one arc is looked at that leads to one of them.
const PAIRS: u64 = 2;

/// What images make of a set takes no more words than this; and no more work is done than so much.
const WORDS: usize = 1 << 16;
const MOST: u64 = 1 << 22;

const KINDS: [Kind; 2] = [Kind::Action, Kind::Observation];

/// What is found from one end: for each string, the vertices to which shields lead, or from which they lead on; shorter strings first.
struct Half {
    words: Vec<u64>,
    each: usize,
    /// For each string, its image furthest from this end, and the rest.
    strings: Vec<Option<(Image, u32)>>,
    /// Where the strings of each length begin.
    starts: Vec<usize>,
    /// What there is for the empty string, shield or not, and what becomes of that.
    any: Vec<u64>,
    end: End,
}

/// One of the two ends.
#[derive(Clone, Copy)]
enum End {
    Start,
    Violation,
}

impl Half {
    fn new(any: Vec<u64>, shield: &[u64], end: End) -> Self {
        let words = any.iter().zip(shield).map(|(any, shield)| any & shield).collect();
        Self { each: any.len(), words, strings: vec![None], starts: vec![0, 1], any, end }
    }

    /// The longest strings.
    fn last(&self) -> Range<usize> {
        let [.., start, end] = self.starts[..] else { return 0..0 };
        start..end
    }

    fn set(&self, string: usize) -> &[u64] {
        &self.words[string * self.each..][..self.each]
    }

    /// The images of a string, the one furthest from this end first.
    fn images(&self, string: usize) -> Vec<Image> {
        let all = std::iter::successors(self.strings[string], |&(_, rest)| self.strings[rest as usize]);
        all.map(|(image, _)| image).collect()
    }

    /// How many vertices there are for the longest strings, all together.
    fn members(&self) -> u64 {
        size(&self.words[self.last().start * self.each..]) as u64
    }
}

/// Both halves are found with this.
struct Halfway<'a> {
    reversed: &'a Reversed,
    asked: Vec<Asked>,
    /// How many words a set takes: places of observation vertices follow those of action vertices in words of their own.
    words: usize,
    /// The vertices at which shields may be when something has been seen.
    shield: Vec<u64>,
    /// For each place, its arcs: the bits that they lead to in what is made of a set.
    spans: Vec<Range<u32>>,
    arcs: Vec<u32>,
    /// For each bundle, the bit of its source in what images make of a set.
    sources: Vec<usize>,
    /// Room for what is made of a set: what unseen events lead to from there, then what each image makes of it.
    made: Vec<u64>,
    todo: Vec<u32>,
    work: u64,
}

impl Demands {
    /// The fewest images after which a clause is broken, at once or in hindsight, if that is found out in so much work and nothing is broken at the start. What must always
    /// hold is asked of the present.
    pub fn halfway(
        &self,
        asked: search::Asked<'_>,
        always: Vec<Asked>,
        most: u64,
        monitor: &dyn Monitor,
    ) -> Result<Option<Vec<Image>>, Limit> {
        let (words, most) = (self.reversed.words_of_kind(None), most.min(MOST));
        let small = self.initial_count() * SMALL < self.reversed.counts.iter().sum();
        let Some(back) = self.back.as_ref().filter(|_| !small && asked.map.len() * words <= WORDS) else {
            return Ok(None);
        };
        let graph = &asked.tracked.graph;
        let mut start = vec![0; words];
        let places = graph.initial().iter().filter_map(|&v| self.reversed.place_of_both(v));
        places.for_each(|place| insert(&mut start, place));
        let all = back.all_asked().iter().cloned().chain(always).collect();
        let (mut both, harmless) = Halfway::new(graph, asked.map, &self.reversed, all);
        if size(&both.shield) == 0 {
            return Ok(None);
        }
        let mut forth = Half::new(start, &harmless, End::Start);
        let mut back = Half::new(self.reversed.all.concat(), &both.shield, End::Violation);
        for length in 1.. {
            let (explored, stored) = (both.work, (forth.strings.len() + back.strings.len()) as u64);
            monitor.poll(&Progress { doing: "auditing", explored, stored, ..Progress::default() })?;
            both.lengthen(if length % 2 == 1 { &mut forth } else { &mut back }, most);
            let pairs = forth.last().len().saturating_mul(back.last().len()) as u64;
            both.work += pairs / PAIRS;
            if both.work >= most || pairs == 0 {
                break;
            }
            if let Some(found) = both.compare(&forth, &back, most) {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }
}

impl<'a> Halfway<'a> {
    /// Also the vertices of positive masks of all clauses.
    fn new(graph: &PGraph, map: &LabelMap, reversed: &'a Reversed, asked: Vec<Asked>) -> (Self, Vec<u64>) {
        let (words, mut harmless) = (reversed.words_of_kind(None), reversed.all.concat());
        for asked in &asked {
            let harmless = harmless[reversed.first_word(asked.kind)..].iter_mut();
            let within = &asked.words[..reversed.words_of_kind(asked.kind)];
            harmless.zip(within).for_each(|(harmless, within)| *harmless &= !within);
        }
        let (mut spans, mut arcs) = (vec![0..0; 64 * words], Vec::with_capacity(graph.arc_count()));
        // Where something that is seen has led.
        let mut shield = vec![0; words];
        for v in graph.vertices() {
            let Some(place) = reversed.place_of_both(v) else { continue };
            let begin = arcs.len() as u32;
            for arc in graph.arcs(v) {
                let Some(to) = reversed.place_of_both(arc.to) else { continue };
                let image = map.images()[arc.label.index()];
                if image != Image::UNSEEN {
                    insert(&mut shield, to);
                }
                let first = if image == Image::UNSEEN { 0 } else { (image.index() + 1) * words };
                arcs.push((64 * first + to) as u32);
            }
            spans[place] = begin..arcs.len() as u32;
        }
        shield.iter_mut().zip(&harmless).for_each(|(shield, harmless)| *shield &= harmless);
        let source = |target, image, place: u32| {
            let kind = reversed.source(target, image);
            64 * ((reversed.real(image).index() + 1) * words + reversed.first_word(Some(kind)))
                + place as usize
        };
        let mut sources = vec![0; reversed.bundles.len()];
        for kind in KINDS {
            for &bundle in reversed.leading_to_all(kind) {
                let Bundle { image, source: place, .. } = reversed.bundles[bundle as usize];
                sources[bundle as usize] = source(kind, image, place);
            }
        }
        let work = (graph.len() + arcs.len()) as u64;
        let (made, todo) = (vec![0; (map.len() + 1) * words], Vec::new());
        (Self { reversed, asked, words, shield, spans, arcs, sources, made, todo, work }, harmless)
    }

    /// Finds the strings of one more image, with what there is for them, unless that takes too much work.
    fn lengthen(&mut self, half: &mut Half, most: u64) {
        let arcs = (self.arcs.len() / (size(&self.shield)).max(1)) as u64;
        if self.work + half.members() * (1 + arcs) > most {
            self.work = most;
        }
        for string in half.last() {
            if self.work >= most {
                break;
            }
            self.step(half.end, half.set(string));
            let mut made = std::mem::take(&mut self.made);
            for set in made.chunks_mut(self.words) {
                set.iter_mut().zip(&self.shield).for_each(|(word, shield)| *word &= shield);
            }
            let is_empty = |set: &[u64]| set.iter().all(|&word| word == 0);
            let mut possible = None;
            for (image, set) in made.chunks(self.words).skip(1).enumerate() {
                // Without a shield for it, a string may be one all the same.
                if is_empty(set) {
                    let possible =
                        possible.get_or_insert_with(|| self.images_after(half, string, made.len()));
                    if !possible[image] {
                        continue;
                    }
                }
                half.words.extend_from_slice(set);
                half.strings.push(Some((Image(image as u32), string as u32)));
            }
            self.made = made;
        }
        half.starts.push(half.strings.len());
    }

    /// Whether each image goes on with a string, shield or not, while what becomes of its shields is elsewhere: so much room is made once more.
    fn images_after(&mut self, half: &Half, string: usize, room: usize) -> Vec<bool> {
        self.made.resize(room, 0);
        let mut images = half.images(string);
        images.reverse();
        let sets = self.along(&half.any, &images, half.end);
        self.step(half.end, &sets[images.len()]);
        self.made.chunks(self.words).skip(1).map(|set| set.iter().any(|&word| word != 0)).collect()
    }

    /// What becomes of a set by each image of a string.
    fn along(&mut self, set: &[u64], images: &[Image], end: End) -> Vec<Vec<u64>> {
        let mut sets = vec![set.to_vec()];
        for (i, image) in images.iter().enumerate() {
            self.step(end, &sets[i]);
            sets.push(self.made_by(*image).to_vec());
        }
        sets
    }

    /// What an image makes of a set.
    fn made_by(&self, image: Image) -> &[u64] {
        &self.made[(image.index() + 1) * self.words..][..self.words]
    }

    /// Finds what becomes of a set by each image.
    fn step(&mut self, end: End, set: &[u64]) {
        match end {
            End::Start => self.go_on(set),
            End::Violation => self.come_from(set),
        }
    }

    /// Where images lead from a set.
    fn go_on(&mut self, set: &[u64]) {
        let Self { spans, arcs, made, todo, words, .. } = self;
        let places_in_all = 64 * *words as u32;
        self.work += made.len() as u64;
        made.fill(0);
        made[..*words].copy_from_slice(set);
        todo.extend(places(set));
        while let Some(at) = todo.pop() {
            let span = &spans[at as usize];
            let arcs = &arcs[span.start as usize..span.end as usize];
            self.work += 1 + arcs.len() as u64;
            for &bit in arcs {
                if bit < places_in_all && !has(made, bit as usize) {
                    todo.push(bit);
                }
                insert(made, bit as usize);
            }
        }
    }

    /// From where images lead into a set.
    fn come_from(&mut self, set: &[u64]) {
        let Self { reversed, made, sources, words, .. } = self;
        self.work += made.len() as u64;
        made.fill(0);
        for kind in KINDS {
            let first = reversed.first_word(Some(kind));
            for place in places(&set[first..][..reversed.words(kind)]) {
                let bundles = reversed.leading_to(kind, place as usize);
                self.work += 1 + bundles.len() as u64;
                bundles.iter().for_each(|&bundle| insert(made, sources[bundle as usize]));
            }
        }
        if let Hidden::Mixed(unseen) = &reversed.hidden {
            self.work += made.chunks_mut(*words).skip(1).map(|set| unseen.come_before(set)).sum::<u64>();
        }
    }

    /// The first of the longest strings of both halves together that breaks a clause; those that are shorter do not. Nothing is found once too much work was done.
    fn compare(&mut self, forth: &Half, back: &Half, most: u64) -> Option<Vec<Image>> {
        for first in forth.last() {
            let own = forth.set(first);
            let start = own.iter().position(|&word| word != 0).unwrap_or(own.len());
            let end = own.iter().rposition(|&word| word != 0).map_or(start, |last| last + 1);
            for second in back.last() {
                let theirs = &back.set(second)[start..end];
                if own[start..end].iter().zip(theirs).any(|(own, theirs)| own & theirs != 0) {
                    continue;
                }
                let mut images = forth.images(first);
                images.reverse();
                images.append(&mut back.images(second));
                if self.is_broken_by(&images, &forth.any, &back.any) {
                    return Some(images);
                }
                if self.work >= most {
                    return None;
                }
            }
        }
        None
    }

    /// Whether a clause is broken at some moment of a string.
    fn is_broken_by(&mut self, images: &[Image], start: &[u64], all: &[u64]) -> bool {
        let back: Vec<Image> = images.iter().rev().copied().collect();
        let after = self.along(all, &back, End::Violation);
        let mut at = start.to_vec();
        for (seen, after) in after.iter().rev().enumerate() {
            self.go_on(&at);
            if let Some(image) = images.get(seen) {
                at = self.made_by(*image).to_vec();
            }
            let later = (images.len() - seen) as u32;
            let left: Vec<u64> = self.made.iter().zip(after).map(|(met, after)| met & after).collect();
            if self.asked.iter().any(|asked| asked.counts(later) && self.breaks(asked, &left)) {
                return true;
            }
        }
        false
    }

    /// Whether a clause is broken by what is left of a belief.
    fn breaks(&self, asked: &Asked, left: &[u64]) -> bool {
        let words = self.reversed.words_of_kind(asked.kind);
        let left = &left[self.reversed.first_word(asked.kind)..][..words];
        let mut sets = asked.words.chunks(words.max(1));
        let within =
            sets.next().is_some_and(|within| left.iter().zip(within).all(|(left, set)| left & !set == 0));
        within && sets.all(|set| left.iter().zip(set).any(|(left, set)| left & set != 0))
    }
}

fn has(set: &[u64], place: usize) -> bool {
    set[place / 64] >> (place % 64) & 1 == 1
}

fn insert(set: &mut [u64], place: usize) {
    set[place / 64] |= 1 << (place % 64);
}

fn places(set: &[u64]) -> impl Iterator<Item = u32> + '_ {
    set.iter().enumerate().flat_map(|(i, &word)| ones(word).map(move |bit| (i * 64 + bit) as u32))
}

fn size(set: &[u64]) -> usize {
    set.iter().map(|word| word.count_ones() as usize).sum()
}
