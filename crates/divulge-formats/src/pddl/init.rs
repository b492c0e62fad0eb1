//! The states that may be the first.

use super::{
    ast::{Fact, Facts},
    task::Bits,
};
use crate::{Fault, FaultKind};

/// More starting states than this are not listed.
const MOST: usize = 100_000;

/// So many guesses are made at what the start may be.
const MOST_GUESSES: usize = 2_000_000;

/// What is known of each bit so far.
type Partial = Vec<Option<bool>>;

/// A bit, or a fact that is always or never so; and whether it is to be.
type Literal = (Result<u32, bool>, bool);

/// At least one of these holds; each is several literals together.
type Clause = Vec<Vec<Literal>>;

/// All states that what is said of the start allows, as bits.
pub(super) fn starts(bits: &Bits<'_>) -> Result<Vec<Vec<u64>>, Fault> {
    let count = bits.facts.len();
    let mut uncertain = vec![false; count];
    let literals = |facts: &Facts| -> Vec<Literal> {
        facts.iter().map(|(ground, is)| (bits.bit(ground), *is)).collect()
    };
    let (mut groups, mut clauses): (Vec<Clause>, Vec<Clause>) = Default::default();
    for fact in &bits.task.uncertain {
        match fact {
            Fact::OneOf(all) => groups.push(all.iter().map(literals).collect()),
            Fact::Or(all) => clauses.push(all.iter().map(literals).collect()),
            Fact::Unknown(ground) => {
                if let Ok(bit) = bits.bit(ground) {
                    uncertain[bit as usize] = true;
                }
            }
        }
    }
    for (bit, _) in groups.iter().chain(&clauses).flatten().flatten() {
        if let Ok(bit) = bit {
            uncertain[*bit as usize] = true;
        }
    }
    // What is said outright counts, and what is not mentioned is not so.
    let mut first: Partial = uncertain.iter().map(|&open| if open { None } else { Some(false) }).collect();
    for (ground, is) in &bits.task.init {
        if let Ok(bit) = bits.bit(ground) {
            first[bit as usize] = Some(*is);
        }
    }
    clauses.extend(groups.iter().flat_map(not_both));
    let chosen = choose(first, groups)?;
    let all = Guesses::new(count, &clauses).complete(chosen)?;
    if all.is_empty() {
        let fault = Fault::new(
            FaultKind::Value,
            "what is said of the start contradicts itself: no state is like this",
        );
        return Err(fault.help("look at `oneof`, `or` and `unknown` in `:init`"));
    }
    Ok(all.iter().map(packed).collect())
}

/// Of each group exactly one is so. Where the others are single literals, these are not.
fn choose(first: Partial, mut groups: Vec<Clause>) -> Result<Vec<Partial>, Fault> {
    let mut all = vec![first];
    groups.sort_by_key(Vec::len);
    for group in &groups {
        let mut next = Vec::new();
        for partial in &all {
            for chosen in 0..group.len() {
                let mut with = partial.clone();
                let fits = group.iter().enumerate().all(|(i, part)| match &part[..] {
                    part if i == chosen => part.iter().all(|&(bit, is)| put(&mut with, bit, is)),
                    [(bit, is)] => put(&mut with, *bit, !is),
                    _ => true,
                });
                if fits {
                    next.push(with);
                }
            }
            // Groups that overlap may give one start twice, but not many times.
            if next.len() > 2 * MOST {
                return Err(too_many());
            }
        }
        next.sort_unstable();
        next.dedup();
        if next.len() > MOST {
            return Err(too_many());
        }
        all = next;
    }
    Ok(all)
}

/// What keeps two parts of a group from being so together, as far as they are more than single literals.
fn not_both(group: &Clause) -> Vec<Clause> {
    let mut found = Vec::new();
    for (i, one) in group.iter().enumerate() {
        for two in group[..i].iter().filter(|two| one.len() != 1 || two.len() != 1) {
            found.push(one.iter().chain(two).map(|&(bit, is)| vec![(bit, !is)]).collect());
        }
    }
    found
}

/// Fills in what is open, one bit after the other, with all that follows from it.
struct Guesses<'c> {
    clauses: &'c [Clause],
    /// The clauses that speak of each bit.
    about: Vec<Vec<u32>>,
}

impl<'c> Guesses<'c> {
    fn new(bits: usize, clauses: &'c [Clause]) -> Self {
        let mut about = vec![Vec::new(); bits];
        for (number, clause) in (0..).zip(clauses) {
            for bit in clause.iter().flatten().filter_map(|(bit, _)| bit.ok()) {
                about[bit as usize].push(number);
            }
        }
        Self { clauses, about }
    }

    /// Every way to decide all that is open.
    fn complete(&self, partials: Vec<Partial>) -> Result<Vec<Partial>, Fault> {
        let mut found = Vec::new();
        let mut guesses = 0;
        let mut open: Vec<Partial> = Vec::new();
        for mut partial in partials.into_iter().rev() {
            let all: Vec<u32> = (0..self.clauses.len() as u32).collect();
            if self.follow(&mut partial, all) {
                open.push(partial);
            }
        }
        while let Some(mut partial) = open.pop() {
            guesses += 1;
            if guesses > MOST_GUESSES || found.len() > MOST {
                return Err(too_many());
            }
            let Some(bit) = partial.iter().position(Option::is_none) else {
                found.push(partial);
                continue;
            };
            let mut other = partial.clone();
            for (partial, value) in [(&mut other, false), (&mut partial, true)] {
                partial[bit] = Some(value);
            }
            for mut partial in [other, partial] {
                if self.follow(&mut partial, self.about[bit].clone()) {
                    open.push(partial);
                }
            }
        }
        Ok(found)
    }

    /// Decides what is left no choice; whether nothing contradicts it.
    fn follow(&self, partial: &mut Partial, mut look: Vec<u32>) -> bool {
        while let Some(number) = look.pop() {
            let mut possible = self.clauses[number as usize].iter().filter(|part| may_be(part, partial));
            let Some(only) = possible.next() else { return false };
            if possible.next().is_some() {
                continue;
            }
            for &(bit, is) in only {
                if let Ok(bit) = bit
                    && partial[bit as usize].is_none()
                {
                    partial[bit as usize] = Some(is);
                    look.extend(&self.about[bit as usize]);
                }
            }
        }
        true
    }
}

fn too_many() -> Fault {
    let message = format!("there are more than {MOST} possible starts, too many to list them one by one");
    Fault::new(FaultKind::TooLarge, message).help("take a smaller instance: worlds are explicit")
}

/// Decides a literal; whether that fits what is known.
fn put(partial: &mut Partial, bit: Result<u32, bool>, is: bool) -> bool {
    match bit {
        Err(always) => always == is,
        Ok(bit) => *partial[bit as usize].get_or_insert(is) == is,
    }
}

/// Whether all of these literals are true, or may become so.
fn may_be(part: &[Literal], partial: &Partial) -> bool {
    part.iter().all(|&(bit, is)| match bit {
        Err(always) => always == is,
        Ok(bit) => partial[bit as usize].is_none_or(|value| value == is),
    })
}

fn packed(partial: &Partial) -> Vec<u64> {
    let mut words = vec![0; partial.len().div_ceil(64).max(1)];
    for (bit, _) in partial.iter().enumerate().filter(|(_, value)| **value == Some(true)) {
        words[bit / 64] |= 1 << (bit % 64);
    }
    words
}
