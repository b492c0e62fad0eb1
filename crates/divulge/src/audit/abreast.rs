//! The demands of one length, compared with a belief all at a time.
//!
//! *Background.* A belief meets a demand only if it has no member that the demand rules out. So for each vertex there is a row of bits, one for each demand that rules it out; the rows of
//! a belief's members, one over the other, leave open what is compared one by one. Mostly that is nothing, which shows after few members.

use crate::{
    audit::demands::Demands,
    limit::worth,
    problem::Kind,
    sets::{Members, bits::ones},
};

/// Fewer demands are compared one by one, and so they are until so many beliefs have been: rows have to be made.
const LEAST: usize = 64;
const BELIEFS: usize = 8;

/// Rows take no more words than this.
const MOST: usize = 1 << 18;

/// So many members are looked at between two looks at whether anything is left open.
const STRIDE: usize = 16;

/// Rows for the demands of one length, as soon as they pay.
#[derive(Default)]
pub(crate) struct Abreast {
    level: usize,
    compared: usize,
    rows: Option<[Rows; 2]>,
}

/// Demands on beliefs of one kind.
struct Rows {
    numbers: Vec<usize>,
    /// How many words a row takes.
    words: usize,
    ruled_out: Vec<u64>,
    /// What is left open, the other way round; room for one belief at a time.
    closed: Vec<u64>,
}

impl Abreast {
    /// The first demand of a level that a belief of this kind with members at these places meets. The level is all there.
    pub fn met(&mut self, demands: &Demands, level: usize, kind: Kind, belief: &[u32]) -> Option<usize> {
        if self.level != level {
            *self = Self { level, ..Self::default() };
        }
        let mut all = demands.level(level)?;
        self.compared += 1;
        if self.compared == worth(BELIEFS) {
            let words = all.len().div_ceil(64) * demands.reversed.counts.iter().sum::<usize>();
            let pays = all.len() >= worth(LEAST) && words <= MOST;
            self.rows = pays
                .then(|| [Kind::Action, Kind::Observation].map(|kind| Rows::new(demands, all.clone(), kind)));
        }
        match &mut self.rows {
            None => all.find(|&demand| demands.meets(demand, kind, belief)),
            Some(rows) => {
                let mut open = rows[kind as usize].open(belief);
                open.find(|&demand| demands.meets(demand, kind, belief))
            }
        }
    }
}

impl Rows {
    fn new(demands: &Demands, all: std::ops::Range<usize>, kind: Kind) -> Self {
        let numbers: Vec<usize> = all.filter(|&demand| demands.all[demand].kind == kind).collect();
        let words = numbers.len().div_ceil(64);
        let mut ruled_out = vec![0; words * demands.reversed.counts[kind as usize]];
        let mut rest = Vec::new();
        for (i, &demand) in numbers.iter().enumerate() {
            rest.clone_from(&demands.reversed.all[kind as usize]);
            match demands.pool.get(demands.all[demand].first) {
                Members::Bits(within) => {
                    rest.iter_mut().zip(within).for_each(|(rest, within)| *rest &= !within);
                }
                Members::List(within) => {
                    within.iter().for_each(|v| rest[*v as usize / 64] &= !(1 << (v % 64)));
                }
            }
            for (word, &bits) in rest.iter().enumerate() {
                for place in ones(bits).map(|bit| word * 64 + bit) {
                    ruled_out[place * words + i / 64] |= 1 << (i % 64);
                }
            }
        }
        Self { numbers, words, ruled_out, closed: Vec::new() }
    }

    /// The demands that rule out no member of a belief, ascending.
    fn open(&mut self, belief: &[u32]) -> impl Iterator<Item = usize> {
        let Self { numbers, words, ruled_out, closed } = self;
        let words = *words;
        closed.clear();
        closed.resize(words, 0);
        if let Some(last) = closed.last_mut()
            && !numbers.len().is_multiple_of(64)
        {
            *last = !0 << (numbers.len() % 64);
        }
        for some in belief.chunks(STRIDE) {
            for &place in some {
                let row = &ruled_out[place as usize * words..(place as usize + 1) * words];
                closed.iter_mut().zip(row).for_each(|(closed, row)| *closed |= row);
            }
            if closed.iter().all(|&word| word == !0) {
                break;
            }
        }
        let (numbers, closed) = (&*numbers, &*closed);
        let open = closed.iter().enumerate();
        open.flat_map(|(i, &word)| ones(!word).map(move |bit| i * 64 + bit)).map(|i| numbers[i])
    }
}
