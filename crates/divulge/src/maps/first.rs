//! The first map that will do, and the first with a shortest plan.
//!
//! *Background.* Three ways of searching take turns, each for plans of some length and for plans of any length: regions are split, and whole maps are
//! guessed that keep labels apart, or that merge them. Some questions are easy for the one, some for the other. Where that takes long, all of them are
//! *jobs*, which threads do beside one another ([`Line`]); what comes of them is taken in a fixed order.

use crate::{
    limit::{Progress, threads},
    maps::{
        best::FEW_PAIRS,
        posed::MapQuestion,
        search::{Existence, Guesses, Search, Statistics},
        space::{ImageCount, PartialMap, finest},
        tasks::{Came, Found, How, Job, Line, Number, Tools},
    },
    seek::{SeekOptions, self_divulged::Stop},
    verdict::{QuestionError, SoFar},
};

/// The work that looking for plans of some length gets before a proof that there is none is tried; both then grow.
const FIRST_EFFORT: u64 = 10_000;

/// How much less work goes into the proof that there is no plan at all than into plans of some length, which are games of less depth.
const PROOF_SHARE: u64 = 4;

/// There are never more jobs at a time.
const MOST_THREADS: usize = 5;

/// To begin a try is as much work as so many nodes, however soon it is over.
const TRY: u64 = 100;

/// So often regions are not split where that has come no further with more work.
const REST: u32 = 4;

/// A search that is taken up again and again.
struct Turns<'a> {
    /// The work that splitting regions may still take.
    patience: u64,
    /// How many regions were decided when they were last split, and how often that is left out now.
    decided: u64,
    rest: u32,
    /// Those that keep labels apart where nothing speaks against it, and those that merge them.
    guesses: [Option<Box<Guesses<'a>>>; 2],
    /// Whether it is the turn of the latter, and whether they have turns at all.
    merge: bool,
    both: bool,
    /// The length of plans that were found last, by jobs; 0 if there is none.
    usual: u32,
}

impl Turns<'_> {
    /// For a proof that there is none, one kind of guesses is enough: the other would only do it again.
    fn new(patience: u64, proof: bool) -> Self {
        Self { patience, decided: 0, rest: 0, guesses: [None, None], merge: false, both: !proof, usual: 0 }
    }

    /// What either kind has learnt is a rule for the other.
    fn exchange(&mut self) {
        if let [Some(apart), Some(alike)] = &mut self.guesses {
            apart.learn_from(alike);
            alike.learn_from(apart);
        }
    }
}

/// How far the search for one map has come.
struct Quest<'a> {
    /// The length of plans that are sought; shorter ones do not exist.
    events: u32,
    effort: u64,
    /// Whether there is a plan under some map, and only the shortest is sought.
    exists: bool,
    shortest: bool,
    patience: u64,
    short: Turns<'a>,
    any: Turns<'a>,
}

impl Quest<'_> {
    /// There are only longer plans.
    fn longer(&mut self) {
        self.events += 1;
        self.short = Turns::new(self.patience, self.shortest);
    }
}

/// The result of a search for one map: a region, or that there is none.
type Region = Option<PartialMap>;

impl<'a> MapQuestion<'a, '_> {
    /// Some region with a solution, with a shortest one if that is wanted.
    pub(super) fn first(
        &mut self,
        start: &PartialMap,
        shortest: bool,
        patience: u64,
    ) -> Result<Region, QuestionError> {
        let Some(events) = self.game.least() else { return Ok(None) };
        let patience = if start.index().len() > FEW_PAIRS { patience } else { patience.saturating_mul(10) };
        let alone = self.sharing.alone.max(1);
        let (patience, effort) = (patience.min(alone), FIRST_EFFORT.min(alone));
        let (any, short) = (Turns::new(patience / PROOF_SHARE, false), Turns::new(patience, shortest));
        let mut quest = Quest { events, effort, exists: false, shortest, patience, short, any };
        let mut spent = 0;
        loop {
            self.forget();
            let begin = self.game.effort();
            // A try counts as work too: one that is lost at the start costs the game nothing, whatever its length.
            let mut tries = 0;
            while quest.exists || self.game.effort() - begin + tries < quest.effort {
                let before = self.game.effort();
                let turn = self.turn(start, Some(quest.events), &mut quest.short, quest.effort);
                spent += self.game.effort() - before;
                match turn {
                    Ok(Some(region)) => return Ok(Some(region)),
                    Ok(None) => quest.longer(),
                    Err(Stop::Effort) if quest.exists => {
                        quest.effort *= 2;
                        self.forget();
                    }
                    Err(Stop::Effort) => break,
                    Err(stop) => return Err(stop.into()),
                }
                tries += 1;
                if spent > self.sharing.alone {
                    return self.go_on(start, quest);
                }
            }
            let before = self.game.effort();
            let turn = self.turn(start, None, &mut quest.any, quest.effort / PROOF_SHARE);
            spent += self.game.effort() - before;
            match turn {
                Ok(Some(region)) if !shortest => return Ok(Some(region)),
                Ok(Some(region)) => {
                    quest.exists = true;
                    self.tell_of(&region)?;
                }
                Ok(None) => return Ok(None),
                Err(Stop::Effort) => {}
                Err(stop) => return Err(stop.into()),
            }
            quest.effort *= 2;
            if spent > self.sharing.alone {
                return self.go_on(start, quest);
            }
        }
    }

    /// Reports a region with a solution while a shorter one is sought.
    fn tell_of(&self, region: &PartialMap) -> Result<(), QuestionError> {
        let found = self.found(&finest(region), &SeekOptions::default())?;
        self.setting.report(SoFar::Map(found));
        Ok(())
    }

    /// A region with a solution of at most `within` events, if that is given: regions are split for some time, then whole maps are guessed.
    fn turn(
        &mut self,
        start: &PartialMap,
        within: Option<u32>,
        turns: &mut Turns<'a>,
        effort: u64,
    ) -> Result<Region, Stop> {
        let images = ImageCount::of(&self.setting.observer().constraints);
        if turns.patience > 0 {
            let counting = self.watched.counting(self.game.effort());
            let mut search = Search::new(&mut *self.game, within, images, self.symmetries, &counting);
            search.give_up_after(turns.patience);
            // Regions are split anew each time, which is a waste where each is a large game.
            turns.patience = if within.is_some() { turns.patience.saturating_mul(2) } else { 0 };
            match search.exists(start)? {
                Existence::Found(region) => return Ok(Some(region)),
                Existence::Nowhere(_) => return Ok(None),
                Existence::Left => {}
            }
        }
        // Some questions are easy where much looks alike, others where little does.
        let merge = turns.merge;
        turns.merge = turns.both && !merge;
        turns.guesses[usize::from(merge)].get_or_insert_with(|| self.guesses(start, merge, within));
        turns.exchange();
        let [apart, alike] = &mut turns.guesses;
        let guesses = if merge { alike } else { apart };
        self.guess(guesses.as_mut().expect("made above"), effort)
    }

    /// Guesses without any rules but the constraints.
    fn guesses(&self, start: &PartialMap, merge: bool, within: Option<u32>) -> Box<Guesses<'a>> {
        let images = ImageCount::of(&self.setting.observer().constraints);
        let mut guesses = Guesses::new(start, merge, within, self.symmetries, self.watched);
        guesses.rules.so_many_images(images);
        Box::new(guesses)
    }

    /// Guesses in the question's own game, and counts the work.
    pub(super) fn guess(&mut self, guesses: &mut Guesses<'a>, effort: u64) -> Result<Region, Stop> {
        let (before, begin) = (guesses.statistics, self.game.effort());
        let found = guesses.exists(&mut *self.game, effort);
        let more = guesses.statistics.since(&before);
        let (doing, explored) = ("guessing maps", self.game.effort() - begin);
        let (maps, learnt) = (more.decided, more.learnt);
        let told = self.watched.add(&Progress { doing, explored, maps, learnt, ..Progress::default() });
        match found {
            // What was found is not lost because time is over.
            Ok(found) => Ok(found),
            Err(stop) => told.map_err(Stop::from).and(Err(stop)),
        }
    }

    /// Goes on with a search that takes long, on all threads.
    fn go_on(&mut self, start: &PartialMap, mut quest: Quest<'a>) -> Result<Region, QuestionError> {
        let Self { field, open, symmetries, watched, .. } = *self;
        let images = ImageCount::of(&self.setting.observer().constraints);
        let tools = &Tools { field, open, images, symmetries, watched };
        let threads = threads(self.threads, MOST_THREADS, 1);
        quest.any.usual = self.game.usual();
        std::mem::replace(&mut self.game, field.game(open, watched)).hand_over();
        Line::with(tools, threads, |line| Rounds { question: self, line, start }.all(quest))
    }
}

/// The jobs of a search that takes long.
struct Rounds<'q, 'a, 'p, 'l, 't> {
    question: &'q MapQuestion<'a, 'p>,
    line: &'l Line<'t, 'a, 'p, 'a>,
    start: &'q PartialMap,
}

/// Half as much again, and at least one more.
fn half_more(effort: u64) -> u64 {
    effort.saturating_add((effort / 2).max(1))
}

/// The work of a job.
type Work = (u64, Statistics);

/// A job in line, and which guesses it goes on with.
struct Begun {
    number: Number,
    merge: Option<bool>,
}

impl<'a> Rounds<'_, 'a, '_, '_, '_> {
    /// Plans of some length and plans of any are sought beside one another. What comes of the latter counts as soon as the former were as much work
    /// as the latter before; if that settles nothing, it is over when they have caught up. So neither waits for the other, and the order does
    /// not depend on who is done first. What is done meanwhile is not counted before it is known that it had to be done.
    fn all(self, mut quest: Quest<'a>) -> Result<Region, QuestionError> {
        let mut proof = quest.effort / PROOF_SHARE;
        let mut short = self.begin(&mut quest.short, Some(quest.events), quest.effort);
        let mut any = (!quest.exists).then(|| self.begin(&mut quest.any, None, proof));
        let (mut spent, mut tried, mut proving) = (0, 0, 0);
        let mut meanwhile = Vec::new();
        loop {
            while let Some(jobs) = any.take_if(|jobs| proving < spent && self.come(jobs, spent - proving)) {
                let (outcome, effort, work) = self.end(&mut quest.any, jobs)?;
                proving += effort.max(TRY);
                let counted = self.count(work);
                match outcome {
                    Found::Some(region) if !quest.shortest => return Ok(Some(region)),
                    Found::Some(region) => {
                        quest.exists = true;
                        self.question.tell_of(&region)?;
                    }
                    Found::None => return counted.map(|()| None),
                    Found::NotYet => {
                        proof = half_more(proof);
                        any = Some(self.begin(&mut quest.any, None, proof));
                    }
                }
                counted?;
                self.count(std::mem::take(&mut meanwhile))?;
            }
            let counts = proving < spent;
            let (outcome, effort, work) = self.end(&mut quest.short, short)?;
            spent += effort.max(TRY);
            tried += effort.max(TRY);
            match outcome {
                Found::Some(region) => {
                    if let Some(jobs) = any.filter(|_| counts)
                        && let (Found::Some(sooner), _, sooner_work) = self.end(&mut quest.any, jobs)?
                    {
                        self.count(sooner_work).ok();
                        if !quest.shortest {
                            return Ok(Some(sooner));
                        }
                        self.question.tell_of(&sooner)?;
                    }
                    // What was found is not lost because time is over.
                    self.count(meanwhile.into_iter().chain(work)).ok();
                    return Ok(Some(region));
                }
                Found::None => quest.longer(),
                Found::NotYet => tried = quest.effort,
            }
            meanwhile.extend(work);
            if any.is_none() || !counts {
                self.count(std::mem::take(&mut meanwhile))?;
            }
            if tried >= quest.effort {
                // Little enough that what is found in the last round is found soon.
                (quest.effort, tried) = (half_more(quest.effort), 0);
            }
            short = self.begin(&mut quest.short, Some(quest.events), quest.effort);
        }
    }

    /// Counts work.
    fn count(&self, work: impl IntoIterator<Item = Work>) -> Result<(), QuestionError> {
        let mut work = work.into_iter();
        work.try_for_each(|(effort, statistics)| self.line.count(effort, &statistics))
            .map_err(QuestionError::Limit)
    }

    /// Whether jobs have settled the matter, or were at most so much work.
    fn come(&self, jobs: &[Begun], most: u64) -> bool {
        let numbers: Vec<Number> = jobs.iter().map(|job| job.number).collect();
        self.line.come(&numbers, most)
    }

    /// Adds jobs: regions are split, and maps are guessed that keep labels apart, and that merge them.
    fn begin(&self, turns: &mut Turns<'a>, within: Option<u32>, effort: u64) -> Vec<Begun> {
        let usual = turns.usual;
        let mut jobs = Vec::new();
        if turns.patience > 0 {
            if turns.rest == 0 {
                let how = How::Split(self.start.clone());
                let number = self.line.add(Job { how, within, effort: turns.patience, usual });
                jobs.push(Begun { number, merge: None });
            }
            turns.rest = turns.rest.saturating_sub(1);
            turns.patience = if within.is_some() { half_more(turns.patience) } else { 0 };
        }
        turns.exchange();
        let (kinds, each) =
            if turns.both { (&[false, true][..], effort / 2) } else { (&[false][..], effort) };
        for &merge in kinds {
            let guesses = turns.guesses[usize::from(merge)].take();
            let guesses = guesses.unwrap_or_else(|| self.question.guesses(self.start, merge, within));
            let number = self.line.add(Job { how: How::Guess(guesses), within, effort: each, usual });
            jobs.push(Begun { number, merge: Some(merge) });
        }
        jobs
    }

    /// Takes what came of jobs, in order, until it is known whether there is a solution; how much work it was, and that work to be counted.
    fn end(&self, turns: &mut Turns<'a>, jobs: Vec<Begun>) -> Result<(Found, u64, Vec<Work>), QuestionError> {
        let (mut spent, mut work) = (0, Vec::new());
        let mut jobs = jobs.into_iter();
        while let Some(Begun { number, merge }) = jobs.next() {
            let Came { found, guesses, effort, usual, statistics } = self.line.take(number)?;
            turns.usual = if usual > 0 { usual } else { turns.usual };
            spent += effort;
            work.push((effort, statistics));
            if !matches!(found, Found::NotYet) {
                jobs.for_each(|job| self.line.forget(job.number));
                return Ok((found, spent, work));
            }
            match merge {
                Some(merge) => turns.guesses[usize::from(merge)] = guesses,
                None => {
                    turns.rest = if statistics.decided > turns.decided { 0 } else { REST };
                    turns.decided = statistics.decided;
                }
            }
        }
        Ok((Found::NotYet, spent, work))
    }
}
