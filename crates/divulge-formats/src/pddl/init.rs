//! The states that may be the first.

use super::{
    ast::{Fact, Ground},
    task::Bits,
};
use crate::{Fault, FaultKind};

/// More starting states than this are not listed.
const MOST: usize = 100_000;

/// What is known of each bit so far.
type Partial = Vec<Option<bool>>;

/// All states that what is said of the start allows, as bits.
pub(super) fn starts(bits: &Bits<'_>) -> Result<Vec<Vec<u64>>, Fault> {
    let count = bits.facts.len();
    let mut uncertain = vec![false; count];
    let literal = |(ground, is): &(Ground, bool)| (bits.bit(ground), *is);
    let (mut groups, mut clauses) = (Vec::new(), Vec::new());
    for fact in &bits.task.uncertain {
        match fact {
            Fact::OneOf(all) => groups.push(all.iter().map(literal).collect::<Vec<_>>()),
            Fact::Or(all) => clauses.push(all.iter().map(literal).collect::<Vec<_>>()),
            Fact::Unknown(ground) => {
                if let Ok(bit) = bits.bit(ground) {
                    uncertain[bit as usize] = true;
                }
            }
        }
    }
    for (bit, _) in groups.iter().chain(&clauses).flatten() {
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
    let mut all = vec![first];
    groups.sort_by_key(Vec::len);
    for group in &groups {
        let mut next = Vec::new();
        for partial in &all {
            for chosen in 0..group.len() {
                let mut with = partial.clone();
                let fits =
                    group.iter().enumerate().all(|(i, &(bit, is))| put(&mut with, bit, is == (i == chosen)));
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
        all = bounded(next)?;
    }
    for bit in 0..count {
        if all.iter().all(|partial| partial[bit].is_some()) {
            continue;
        }
        let mut next = Vec::new();
        for partial in all {
            let values: &[bool] = if partial[bit].is_some() { &[] } else { &[true, false] };
            for &value in values {
                let mut with = partial.clone();
                with[bit] = Some(value);
                if clauses.iter().all(|clause| open(clause, &with)) {
                    next.push(with);
                }
            }
            if values.is_empty() {
                next.push(partial);
            }
        }
        all = bounded(next)?;
    }
    all.retain(|partial| clauses.iter().all(|clause| open(clause, partial)));
    if all.is_empty() {
        let fault = Fault::new(
            FaultKind::Value,
            "what is said of the start contradicts itself: no state is like this",
        );
        return Err(fault.help("look at `oneof`, `or` and `unknown` in `:init`"));
    }
    Ok(all.iter().map(packed).collect())
}

fn bounded(all: Vec<Partial>) -> Result<Vec<Partial>, Fault> {
    if all.len() <= MOST { Ok(all) } else { Err(too_many()) }
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

/// Whether one of the literals is true, or may become so.
fn open(clause: &[(Result<u32, bool>, bool)], partial: &Partial) -> bool {
    clause.iter().any(|&(bit, is)| match bit {
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
