//! Excluding at once all that hindsight demands.
//!
//! *Background.* In hindsight of strings with the sets G₁, G₂, …, a belief is to be within W ∪ ¬Gᵢ and to meet what each of some others has in Gᵢ. Whatever meets one of these demands meets
//! the one that is to be within W ∪ ¬(G₁ ∩ G₂ ∩ …) and to meet the others, which asks for less; and so it is with the demands that become them, because steps back
//! ask for less of what asked for less. So if the initial belief meets nothing that becomes this one, it meets none of all those, and everything holds. Where nearly all vertices go on with nearly
//! every string, that takes little more than one string would, and not as many times that as there are sets. If the initial belief meets it, that shows nothing, but soon.

use crate::{
    audit::{
        demands::{Advance, Demands},
        looking_back::LookingBack,
        reversed::Reversed,
    },
    limit::{Limit, Monitor, Progress},
};

/// So many demands are followed between two looks at the monitor.
const POLL: usize = 256;

impl Demands {
    /// Whether it shows in so much work that nothing is broken, at once or in hindsight, if all of that is excluded together. If not, nothing is known.
    pub fn exclude_together(&self, most: u64, monitor: &dyn Monitor) -> Result<bool, Limit> {
        let Some(mut back) = self.back.as_ref().map(|back| back.anew(&self.reversed)) else {
            return Ok(false);
        };
        let mut demands = self.anew();
        demands.copy(self, self.always);
        // What all sets have, for each that is asked.
        let mut common: Vec<Vec<u64>> =
            back.all_asked().iter().map(|asked| back.set(0, asked.kind).to_vec()).collect();
        loop {
            for (asked, common) in back.all_asked().iter().zip(&common) {
                demands.in_hindsight_of(asked, common, back.set(0, asked.kind));
            }
            if demands.met_at_once() || demands.work() >= most {
                return Ok(false);
            }
            if back.is_through() {
                break;
            }
            demands.work += back.go_on(&self.reversed, &mut common, most - demands.work());
        }
        demands.are_excluded(most, monitor)
    }

    /// Whether it shows in so much work that the initial belief meets nothing that becomes one of the demands.
    fn are_excluded(&mut self, most: u64, monitor: &dyn Monitor) -> Result<bool, Limit> {
        let mut polled = 0;
        while self.work() < most {
            if self.len() >= polled {
                polled = self.len() + POLL;
                let (doing, explored) = ("auditing", self.len() as u64);
                monitor.poll(&Progress { doing, explored, stored: explored, ..Progress::default() })?;
            }
            let advance = match self.next() {
                Ok(some) => self.follow(some),
                Err(advance) => advance,
            };
            match advance {
                Advance::Met(_) => return Ok(false),
                Advance::Exhausted => return Ok(true),
                Advance::On => {}
            }
        }
        Ok(false)
    }
}

impl LookingBack {
    /// Follows the sets of the strings of the present length, for not much more work than this, and goes on to longer ones. Leaves of what is common to the sets for each that is
    /// asked what the new ones have, too. Tells how much work it was.
    fn go_on(&mut self, reversed: &Reversed, common: &mut [Vec<u64>], most: u64) -> u64 {
        let (mut found, mut work, length) = (Vec::new(), 0, self.length() + 1);
        while work < most
            && let Some(set) = self.next()
        {
            work += self.before(reversed, set, &mut found);
            for (_, new, _) in found.drain(..).filter(|(_, _, new)| *new) {
                for (asked, common) in self.all_asked().iter().zip(&mut *common) {
                    if asked.counts(length) {
                        common.iter_mut().zip(self.set(new, asked.kind)).for_each(|(all, own)| *all &= own);
                    }
                }
            }
        }
        self.lengthen();
        work
    }
}
