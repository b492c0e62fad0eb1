//! Gives out the tasks of a search, round by round.

use rustc_hash::FxHashSet;

use crate::{
    maps::{
        search::Visit,
        space::{Lesson, PartialMap, Symmetries},
        tasks::{
            crew::{Crew, Watched},
            data::{Aim, Done, Region, Task},
        },
    },
    verdict::QuestionError,
};

/// How a search is shared out. Work is counted in nodes of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sharing {
    /// The work that is done before any is shared out.
    pub alone: u64,
    /// The work of a task, at least.
    pub budget: u64,
    /// The most tasks in a round: enough for many hands to be busy, few enough for lessons to come round soon.
    pub round: usize,
}

impl Sharing {
    /// The same where so many nodes are as much work as one.
    pub(crate) fn at_pace(self, pace: u64) -> Self {
        let (alone, budget) = (self.alone.saturating_mul(pace), self.budget.saturating_mul(pace));
        Self { alone, budget, ..self }
    }
}

impl Default for Sharing {
    fn default() -> Self {
        Self { alone: 40_000, budget: 30_000, round: 64 }
    }
}

/// A search that is shared out.
pub struct Rounds<'a> {
    crew: &'a dyn Crew,
    open: &'a PartialMap,
    symmetries: &'a Symmetries,
    watched: &'a Watched<'a>,
    lessons: Vec<Lesson>,
    known: FxHashSet<Lesson>,
    usual: u32,
    sharing: Sharing,
    /// The work that was done in all.
    pub effort: u64,
    /// How many regions were decided one by one.
    pub regions: u64,
}

/// A region to be looked at, and how often that was too much for its budget.
struct Open {
    region: PartialMap,
    tried: u32,
}

impl<'a> Rounds<'a> {
    /// Nothing is known yet.
    pub fn new(
        crew: &'a dyn Crew,
        open: &'a PartialMap,
        symmetries: &'a Symmetries,
        watched: &'a Watched<'a>,
        sharing: Sharing,
    ) -> Self {
        let (lessons, known) = (Vec::new(), FxHashSet::default());
        Self { crew, open, symmetries, watched, lessons, known, usual: 0, sharing, effort: 0, regions: 0 }
    }

    /// Takes over what a search has learnt, and the length of plans that it found last.
    pub fn learn(&mut self, lessons: &[Lesson], usual: u32) {
        self.usual = if usual > 0 { usual } else { self.usual };
        for lesson in lessons {
            let Lesson { feasible, looked, merged } = lesson;
            for images in self.symmetries.images(&[looked, merged]) {
                let [looked, merged] = [images[0].clone(), images[1].clone()];
                self.note(Lesson { feasible: *feasible, looked, merged });
            }
            self.note(lesson.clone());
        }
    }

    fn note(&mut self, lesson: Lesson) {
        if self.known.insert(lesson.clone()) {
            self.lessons.push(lesson);
        }
    }

    /// Visits regions that together are all the maps in `regions`, no two of which overlap, each with whether there is a solution
    /// under its maps, of at most `within` events if that is given; `false` if more than `most` work would have to be done.
    ///
    /// # Errors
    /// A limit, or what keeps the crew from carrying out its tasks.
    pub fn classify(
        &mut self,
        regions: Vec<PartialMap>,
        within: Option<u32>,
        most: u64,
        visit: &mut Visit<'_>,
    ) -> Result<bool, QuestionError> {
        // Counts begin here, whether or not whoever carries out the first tasks tells of them.
        self.watched.after_round(self.effort, self.regions, self.lessons.len() as u64)?;
        // What was left last is looked at first, so that there is never much left.
        let mut todo: Vec<Open> = regions.into_iter().rev().map(|region| Open { region, tried: 0 }).collect();
        while !todo.is_empty() {
            if self.effort > most {
                return Ok(false);
            }
            let round = todo.split_off(todo.len().saturating_sub(self.sharing.round.max(1)));
            let tasks: Vec<Task> = round.iter().rev().map(|open| self.task(open, within)).collect();
            let done = self.crew.carry_out(&tasks)?;
            if done.len() != tasks.len() {
                return Err(QuestionError::Refused("some tasks were not carried out".to_owned()));
            }
            let mut left = Vec::new();
            for (open, done) in round.iter().rev().zip(&done) {
                self.take(open, done, &mut left, visit)?;
            }
            todo.extend(left.into_iter().rev());
            let learnt = self.lessons.len() as u64;
            self.watched.after_round(self.effort, self.regions, learnt).map_err(QuestionError::Limit)?;
        }
        Ok(true)
    }

    fn task(&self, Open { region, tried }: &Open, within: Option<u32>) -> Task {
        let lessons = self.lessons.iter().filter(|lesson| lesson.concerns(region)).cloned().collect();
        Task {
            aim: Aim::Classify,
            region: Region::of(region),
            within,
            usual: self.usual,
            budget: self.budget() << (*tried).min(20),
            lessons,
        }
    }

    /// The work of a task: little at first, so that there are soon tasks for everybody; more where there was much, since each begins anew.
    fn budget(&self) -> u64 {
        let Sharing { budget, round, .. } = self.sharing;
        let (least, most) = (budget.max(1), budget.max(1).saturating_mul(4));
        (self.effort / 8).clamp(least, most).max(self.effort / (round.max(1) as u64))
    }

    /// Takes note of what came of a task.
    fn take(
        &mut self,
        open: &Open,
        done: &Done,
        left: &mut Vec<Open>,
        visit: &mut Visit<'_>,
    ) -> Result<(), QuestionError> {
        let strange = || QuestionError::Refused("what came of a task belongs to another question".to_owned());
        self.effort = self.effort.saturating_add(done.effort);
        self.regions += done.regions;
        for (region, feasible) in &done.decided {
            visit(&region.within(self.open).ok_or_else(strange)?, *feasible)?;
        }
        // What is left although nothing was decided needs more work at once.
        let tried = if done.decided.is_empty() && done.left.len() == 1 { open.tried + 1 } else { 0 };
        for region in &done.left {
            left.push(Open { region: region.within(self.open).ok_or_else(strange)?, tried });
        }
        if !done.lessons.iter().all(|lesson| lesson.fits(self.open)) {
            return Err(strange());
        }
        self.learn(&done.lessons, done.usual);
        Ok(())
    }
}
