//! Hindsight as demands: what a belief must be like for something seen later to give it away.
//!
//! *Background.* Let G be the vertices from which something that looks like a given string goes on. In hindsight of that string, what is
//! left of a belief is what it has in G. So a clause is broken if the belief has nothing of its positive masks in G, and something of each negative one:
//! a demand on the belief, as that of a clause that must always hold, which is the case of the empty string. All such G are found backwards, shorter
//! strings first, and each demand is as long as its string: so a demand's length counts all that is seen until the clause is broken.

use std::hash::Hasher;

use hashbrown::HashTable;
use rustc_hash::FxHasher;

use crate::{
    audit::{
        demand::MOST_TO_MEET,
        demands::Demands,
        reversed::{Hidden, Reversed},
    },
    formula::{Clause, Stipulations},
    problem::{Image, Kind, Scope},
    sets::{bits::ones, short, spread},
};

/// What comes before a set is found from what is not in it if that is less than one in so many of all.
const SPARSE: usize = 4;

const KINDS: [Kind; 2] = [Kind::Action, Kind::Observation];

/// The clauses of scope `hindsight`, each with how many images later it must still hold; `None` if a stipulation of that scope has none,
/// or one with too many negative masks.
pub(crate) fn clauses(stipulations: &Stipulations) -> Option<Vec<(&Clause, Option<u32>)>> {
    let mut all = Vec::new();
    for stipulation in stipulations.all() {
        if let Scope::Hindsight { within } = stipulation.scope {
            all.extend(stipulation.clauses()?.iter().map(|clause| (clause, within)));
        }
    }
    all.iter().all(|(clause, _)| clause.negative.len() <= MOST_TO_MEET).then_some(all)
}

/// What a clause asks of beliefs of one kind, or of both, in hindsight of the empty string.
#[derive(Clone)]
pub(crate) struct Asked {
    pub kind: Option<Kind>,
    /// What the belief is to be within, then each set to be met.
    pub words: Vec<u64>,
    /// How many images later this still counts.
    pub within: Option<u32>,
}

impl Asked {
    /// Whether it counts in hindsight of strings of this length.
    pub fn counts(&self, length: u32) -> bool {
        self.within.is_none_or(|within| length <= within)
    }
}

/// The sets of vertices from which strings go on, found so far.
pub(crate) struct LookingBack {
    asked: Vec<Asked>,
    /// The vertices of both kinds, set after set, shorter strings first; that of the empty string is the first.
    words: Vec<u64>,
    /// How many words there are for each kind.
    each: [usize; 2],
    /// The string of each set: an image, and then that of another set.
    strings: Vec<Option<(Image, u32)>>,
    /// Their numbers and hashes.
    table: HashTable<(u32, u32)>,
    /// The next set to be followed.
    at: usize,
    /// Where the sets of each length of strings begin, up to those that are followed now, and where longer ones do.
    starts: Vec<usize>,
    most: Option<u32>,
    /// The demands that come from sets, ascending, each with its set.
    from: Vec<(u32, u32)>,
    by_image: Vec<Vec<u64>>,
    /// Room for one number for each bundle, all of them 0.
    counts: Vec<u32>,
}

impl LookingBack {
    /// With the set of the empty string, which is every vertex.
    pub fn new(reversed: &Reversed, images: usize, asked: Vec<Asked>) -> Self {
        let all = reversed.all.concat();
        let mut back = Self {
            most: asked
                .iter()
                .map(|asked| asked.within)
                .max_by_key(|w| w.map_or(u64::MAX, u64::from))
                .flatten(),
            asked,
            words: Vec::new(),
            each: [Kind::Action, Kind::Observation].map(|kind| reversed.words(kind)),
            strings: Vec::new(),
            table: HashTable::new(),
            at: 0,
            starts: vec![0, 1],
            from: Vec::new(),
            by_image: vec![Vec::new(); images],
            counts: Vec::new(),
        };
        back.add(&all, None);
        back
    }

    /// The vertices of this kind, or of both, in a set.
    pub fn set(&self, number: u32, kind: Option<Kind>) -> &[u64] {
        let [action, observation] = self.each;
        let start = number as usize * (action + observation);
        match kind {
            None => &self.words[start..start + action + observation],
            Some(Kind::Action) => &self.words[start..start + action],
            Some(Kind::Observation) => &self.words[start + action..start + action + observation],
        }
    }

    /// How many sets there are.
    pub fn len(&self) -> usize {
        self.strings.len()
    }

    /// What is asked of beliefs in hindsight of strings of this length.
    pub fn asked(&self, length: u32) -> impl Iterator<Item = &Asked> {
        self.asked.iter().filter(move |asked| asked.counts(length))
    }

    /// All that is asked.
    pub fn all_asked(&self) -> &[Asked] {
        &self.asked
    }

    /// The same from the empty string on.
    pub fn anew(&self, reversed: &Reversed) -> Self {
        Self::new(reversed, self.by_image.len(), self.asked.clone())
    }

    /// Up to which length it matters how long strings are, and up to which they are to be followed.
    pub fn lengths(&self) -> (u32, Option<u32>) {
        let bounds = self.asked.iter().filter_map(|asked| asked.within);
        (bounds.max().map_or(0, |most| most.saturating_add(1)), self.most)
    }

    /// The string of a set.
    pub fn string(&self, set: u32) -> impl Iterator<Item = Image> + '_ {
        std::iter::successors(self.strings[set as usize], |&(_, then)| self.strings[then as usize])
            .map(|(image, _)| image)
    }

    /// The string that a demand comes from.
    pub fn string_of(&self, demand: u32) -> Vec<Image> {
        let found = self.from.binary_search_by_key(&demand, |(demand, _)| *demand);
        found.map_or_else(|_| Vec::new(), |at| self.string(self.from[at].1).collect())
    }

    /// How long the strings are whose sets are followed now.
    pub fn length(&self) -> u32 {
        self.starts.len() as u32 - 2
    }

    /// Whether no string of the length that is followed now, or longer, has to be followed.
    pub fn is_through(&self) -> bool {
        self.at == self.len() || self.most.is_some_and(|most| self.length() >= most)
    }

    /// Goes on to strings that are one image longer.
    pub fn lengthen(&mut self) {
        self.starts.push(self.len());
    }

    /// The next set to be followed of the strings of the present length, if there is one.
    pub fn next(&mut self) -> Option<u32> {
        let next = self.at;
        let more = self.starts.last().is_some_and(|&longer| next < longer) && !self.is_through();
        self.at += usize::from(more);
        more.then_some(next as u32)
    }

    /// The sets of the strings of this length, except those that shorter strings have.
    pub fn of_length(&mut self, reversed: &Reversed, length: usize) -> std::ops::Range<u32> {
        while self.starts.len() < length + 2 {
            while let Some(set) = self.next() {
                self.before(reversed, set, &mut Vec::new());
            }
            self.lengthen();
        }
        self.starts[length] as u32..self.starts[length + 1] as u32
    }

    /// The number of a set, and whether it is new; its string is noted if it is.
    fn add(&mut self, set: &[u64], string: Option<(Image, u32)>) -> (u32, bool) {
        let stride = set.len();
        let Self { words, table, strings, .. } = self;
        let content = |words: &[u64], id: u32| -> std::ops::Range<usize> {
            let start = id as usize * stride;
            start..(start + stride).min(words.len())
        };
        let hash = hash(set);
        let same = |&(id, other): &(u32, u32)| other == hash && words[content(words, id)] == *set;
        if let Some(&(known, _)) = table.find(spread(hash), same) {
            return (known, false);
        }
        let id = u32::try_from(strings.len()).expect("more than four thousand million sets");
        words.extend_from_slice(set);
        strings.push(string);
        table.insert_unique(spread(hash), (id, hash), |&(_, hash)| spread(hash));
        (id, true)
    }

    /// Adds the sets from which one more image leads into a set; lists them with the image and whether they are new. Tells how much work it was.
    pub fn before(&mut self, reversed: &Reversed, set: u32, found: &mut Vec<(Image, u32, bool)>) -> u64 {
        let mut by_image = std::mem::take(&mut self.by_image);
        let size: usize = self.set(set, None).iter().map(|word| word.count_ones() as usize).sum();
        let all = reversed.counts[0] + reversed.counts[1];
        let mut work = if all - size < all / SPARSE {
            self.unmarked(reversed, set, &mut by_image)
        } else {
            self.marked(reversed, set, &mut by_image)
        };
        for (image, before) in (0..).map(Image).zip(&mut by_image) {
            if before.iter().any(|&word| word != 0) {
                if let Hidden::Mixed(unseen) = &reversed.hidden {
                    work += unseen.come_before(before);
                }
                let (number, new) = self.add(before, Some((image, set)));
                found.push((image, number, new));
            }
            before.clear();
        }
        self.by_image = by_image;
        work
    }

    /// Marks, for each image, what leads to a member.
    fn marked(&self, reversed: &Reversed, set: u32, by_image: &mut [Vec<u64>]) -> u64 {
        let (stride, mut work) = (self.each[0] + self.each[1], 0);
        for kind in KINDS {
            for (i, &word) in self.set(set, Some(kind)).iter().enumerate() {
                for bundle in ones(word).flat_map(|bit| reversed.leading_to(kind, i * 64 + bit)) {
                    let bundle = reversed.bundles[*bundle as usize];
                    let from = self.first(reversed.source(kind, bundle.image));
                    let before = &mut by_image[reversed.real(bundle.image).index()];
                    if before.is_empty() {
                        before.resize(stride, 0);
                    }
                    before[from + bundle.source as usize / 64] |= 1 << (bundle.source % 64);
                    work += 1;
                }
            }
        }
        work
    }

    /// The same where nearly all are members: whatever bears the image, except what leads to none.
    fn unmarked(&mut self, reversed: &Reversed, set: u32, by_image: &mut [Vec<u64>]) -> u64 {
        let (stride, mut work) = (self.each[0] + self.each[1], 0);
        for (kind, image) in KINDS.into_iter().flat_map(|kind| reversed.borne(kind).map(move |i| (kind, i))) {
            let before = &mut by_image[reversed.real(image).index()];
            before.resize(stride, 0);
            let (all, lacking) = (&reversed.all[kind as usize], reversed.lacking(kind, image).0);
            let own = before[self.first(kind)..].iter_mut();
            own.zip(all.iter().zip(lacking)).for_each(|(own, (all, lacking))| *own = all & !lacking);
            work += lacking.len() as u64 / 2;
        }
        let (mut counts, mut met) = (std::mem::take(&mut self.counts), Vec::new());
        counts.resize(reversed.bundles.len(), 0);
        for kind in KINDS {
            let words = self.set(set, Some(kind)).iter().zip(&reversed.all[kind as usize]);
            for (i, word) in words.map(|(word, all)| all & !word).enumerate() {
                for &number in ones(word).flat_map(|bit| reversed.leading_to(kind, i * 64 + bit)) {
                    let (count, bundle) = (&mut counts[number as usize], reversed.bundles[number as usize]);
                    if *count == 0 {
                        met.push(number);
                    }
                    *count += 1;
                    if *count == bundle.targets {
                        let from = self.first(reversed.source(kind, bundle.image));
                        let before = &mut by_image[reversed.real(bundle.image).index()];
                        before[from + bundle.source as usize / 64] &= !(1 << (bundle.source % 64));
                    }
                    work += 1;
                }
            }
        }
        met.into_iter().for_each(|bundle| counts[bundle as usize] = 0);
        self.counts = counts;
        work
    }

    /// Where the words of the vertices of a kind begin.
    fn first(&self, kind: Kind) -> usize {
        if kind == Kind::Action { 0 } else { self.each[0] }
    }
}

fn hash(words: &[u64]) -> u32 {
    let mut hasher = FxHasher::default();
    words.iter().for_each(|&word| hasher.write_u64(word));
    short(hasher.finish())
}

impl Demands {
    /// Follows one more of the sets of the strings of the present length, and adds the demands that come of it; tells whether there was one.
    pub fn look_back_further(&mut self) -> bool {
        let Some(mut back) = self.back.take() else { return false };
        let next = back.next();
        if let Some(set) = next {
            let (mut found, length) = (Vec::new(), back.length() + 1);
            self.work += back.before(&self.reversed, set, &mut found);
            for (_, set, _) in found.into_iter().filter(|(_, _, new)| *new) {
                self.look_back(&mut back, set, length);
            }
        }
        self.back = Some(back);
        next.is_some()
    }

    /// Adds what is asked in hindsight of a string of this length, from whose set it goes on.
    pub fn look_back(&mut self, back: &mut LookingBack, set: u32, length: u32) {
        let mut from = Vec::new();
        for asked in back.asked(length) {
            let known = self.all.len();
            self.in_hindsight(asked, back.set(set, asked.kind));
            from.extend((known..self.all.len()).map(|demand| (demand as u32, set)));
        }
        back.from.extend(from);
    }

    /// The demands of hindsight of a string of this length, with its set.
    pub fn asked_of(&mut self, set: u32, length: u32) -> Box<[u32]> {
        let Some(back) = self.back.take() else { return Box::default() };
        let asked = back.asked(length);
        let found = asked.flat_map(|asked| self.in_hindsight(asked, back.set(set, asked.kind))).collect();
        self.back = Some(back);
        found
    }

    /// The sets from which an image leads into a set, by the image.
    pub fn sets_before(&mut self, set: u32) -> Vec<(Image, u32)> {
        let mut found = Vec::new();
        if let Some(back) = &mut self.back {
            self.work += back.before(&self.reversed, set, &mut found);
        }
        found.into_iter().map(|(image, set, _)| (image, set)).collect()
    }

    /// Adds what is asked of what beliefs have in `among`, unless that cannot be met or is covered; tells its numbers.
    pub fn in_hindsight(&mut self, asked: &Asked, among: &[u64]) -> Vec<u32> {
        self.in_hindsight_of(asked, among, among)
    }

    /// The same, of what is to be met in `some` that may be there.
    pub fn in_hindsight_of(&mut self, asked: &Asked, among: &[u64], some: &[u64]) -> Vec<u32> {
        self.make(|demands, step| {
            let all = &demands.reversed.all;
            let all = match asked.kind {
                None => all[0].iter().chain(&all[1]),
                Some(kind) => all[kind as usize].iter().chain(&[]),
            };
            step.words.clear();
            step.words.extend_from_slice(&asked.words);
            for (i, set) in step.words.chunks_mut(among.len()).enumerate() {
                // What is ruled out by then may be there, and counts for nothing.
                if i == 0 {
                    let words = set.iter_mut().zip(among).zip(all.clone());
                    words.for_each(|((word, among), all)| *word |= all & !among);
                } else {
                    set.iter_mut().zip(some).for_each(|(word, some)| *word &= some);
                }
            }
            step.keep_of_kind(demands, asked.kind);
        })
    }
}
