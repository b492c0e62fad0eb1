//! The search over whole maps: guess one that keeps all rules learnt, ask the game, and learn from its answer why it will not do.

use crate::{
    limit::{Monitor, Progress},
    maps::{
        games::MapGame,
        search::{Statistics, rules::Rules},
        space::{Pairs, PartialMap, Symmetries},
    },
    seek::self_divulged::Stop,
};

/// A search for a map with a solution of at most some number of events, if that is given.
pub struct Guesses<'m> {
    /// The rules that maps must keep.
    pub rules: Rules<'m>,
    within: Option<u32>,
    symmetries: &'m Symmetries,
    monitor: &'m dyn Monitor,
    /// How far it has come.
    pub statistics: Statistics,
    /// What was learnt and not yet told to others: pairs, and which of them are merged.
    news: Vec<(Pairs, Pairs)>,
}

impl<'m> Guesses<'m> {
    /// Nothing is known but what `demanded` has decided; the monitor is told nothing of the work. Labels are guessed apart rather than alike, or alike if those maps are wanted that
    /// `merge` most.
    pub fn new(
        demanded: &PartialMap,
        merge: bool,
        within: Option<u32>,
        symmetries: &'m Symmetries,
        monitor: &'m dyn Monitor,
    ) -> Self {
        let (rules, statistics) = (Rules::new(demanded, merge, monitor), Statistics::default());
        Self { rules, within, symmetries, monitor, statistics, news: Vec::new() }
    }

    /// A whole map that keeps the rules and under which there is a solution; `None` if there is none. What has been learnt stays.
    ///
    /// # Errors
    /// A limit, or that about this much work of the game's was not enough.
    pub fn exists<G: MapGame + ?Sized>(
        &mut self,
        game: &mut G,
        effort: u64,
    ) -> Result<Option<PartialMap>, Stop> {
        let until = game.effort().saturating_add(effort);
        while let Some(map) = self.rules.guess()? {
            self.monitor.poll(&Progress { doing: "guessing maps", ..Progress::default() })?;
            self.statistics.decided += 1;
            let left = until.saturating_sub(game.effort());
            let Some(looked) = game.explain(&map, self.within, left)? else { return Ok(Some(map)) };
            let merged = map.merged().and(&looked);
            self.statistics.learnt += 1;
            self.forbid(&looked, &merged);
            self.news.push((looked, merged));
            if game.effort() > until {
                return Err(Stop::Effort);
            }
        }
        Ok(None)
    }

    /// Takes over what another search for the same has learnt since it was last asked.
    pub fn learn_from(&mut self, other: &mut Self) {
        for (looked, merged) in other.news.drain(..) {
            self.forbid(&looked, &merged);
        }
    }

    fn forbid(&mut self, looked: &Pairs, merged: &Pairs) {
        self.rules.forbid(looked, merged);
        for images in self.symmetries.images(&[looked, merged]) {
            self.rules.forbid(&images[0], &images[1]);
        }
    }
}
