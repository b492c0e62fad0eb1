//! Gives out the tasks of a search, and puts together what comes of them.

use std::collections::VecDeque;

use rustc_hash::FxHashSet;

use crate::{
    limit::Progress,
    maps::{
        search::Visit,
        space::{Lesson, PartialMap, Symmetries},
        tasks::{
            crew::{Crew, Office, Watched},
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
    /// The most tasks that are given out before what came of the first of them is taken: enough for many hands to be busy while one task takes
    /// long, few enough for lessons to come round soon.
    pub ahead: usize,
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
        Self { alone: 40_000, budget: 30_000, ahead: 64 }
    }
}

/// A search that is shared out.
pub struct Shared<'a> {
    crew: &'a dyn Crew,
    open: &'a PartialMap,
    symmetries: &'a Symmetries,
    watched: &'a Watched<'a>,
    lessons: Vec<Lesson>,
    known: FxHashSet<Lesson>,
    /// What it was tried in vain to refute.
    in_vain: Vec<Region>,
    usual: u32,
    sharing: Sharing,
    /// The work that was done in all.
    pub effort: u64,
    /// How many regions were decided one by one.
    pub regions: u64,
}

impl<'a> Shared<'a> {
    /// Nothing is known yet.
    pub fn new(
        crew: &'a dyn Crew,
        open: &'a PartialMap,
        symmetries: &'a Symmetries,
        watched: &'a Watched<'a>,
        sharing: Sharing,
    ) -> Self {
        Self {
            crew,
            open,
            symmetries,
            watched,
            lessons: Vec::new(),
            known: FxHashSet::default(),
            in_vain: Vec::new(),
            usual: 0,
            sharing,
            effort: 0,
            regions: 0,
        }
    }

    /// Takes over what a search has learnt, what it could not refute, and the length of plans that it found last.
    pub fn learn(&mut self, lessons: &[Lesson], in_vain: impl IntoIterator<Item = Region>, usual: u32) {
        self.in_vain.extend(in_vain);
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
        let mut desk = Desk::new(self, regions, within, most, visit);
        desk.prepare();
        let crew = desk.shared.crew;
        crew.carry_out(&mut desk)?;
        if desk.is_over() || desk.has_enough() {
            return Ok(desk.is_over());
        }
        Err(QuestionError::Refused("some tasks were not carried out".to_owned()))
    }

    /// The work of a task: little at first, so that there are soon tasks for everybody; more where there was much, since each begins anew.
    fn budget(&self) -> u64 {
        let Sharing { budget, ahead, .. } = self.sharing;
        let (least, most) = (budget.max(1), budget.max(1).saturating_mul(4));
        (self.effort / 8).clamp(least, most).max(self.effort / (ahead.max(1) as u64))
    }
}

/// A region to be looked at, and how often that was too much for its budget.
struct Open {
    region: PartialMap,
    tried: u32,
}

/// Where the tasks of one search are given out.
struct Desk<'s, 'a, 'v> {
    shared: &'s mut Shared<'a>,
    within: Option<u32>,
    most: u64,
    visit: &'s mut Visit<'v>,
    /// Regions that no task is about, those to be looked at first last, so that there is never much left.
    todo: Vec<Open>,
    /// Regions that tasks are about, in the order of these.
    under_way: VecDeque<Open>,
    /// Tasks that were not asked for yet.
    ready: VecDeque<Task>,
}

impl<'s, 'a, 'v> Desk<'s, 'a, 'v> {
    fn new(
        shared: &'s mut Shared<'a>,
        regions: Vec<PartialMap>,
        within: Option<u32>,
        most: u64,
        visit: &'s mut Visit<'v>,
    ) -> Self {
        let todo = regions.into_iter().rev().map(|region| Open { region, tried: 0 }).collect();
        Self { shared, within, most, visit, todo, under_way: VecDeque::new(), ready: VecDeque::new() }
    }

    fn is_over(&self) -> bool {
        self.todo.is_empty() && self.under_way.is_empty()
    }

    fn has_enough(&self) -> bool {
        self.shared.effort > self.most
    }

    /// Makes tasks as soon as they may be: what they say must not depend on when somebody asks for them.
    fn prepare(&mut self) {
        while self.under_way.len() < self.shared.sharing.ahead.max(1)
            && let Some(open) = self.todo.pop()
        {
            self.ready.push_back(self.task(&open));
            self.under_way.push_back(open);
        }
    }

    fn task(&self, Open { region, tried }: &Open) -> Task {
        let lessons = self.shared.lessons.iter().filter(|lesson| lesson.concerns(region)).cloned().collect();
        let in_vain = self.shared.in_vain.iter().filter(|tried| tried.concerns(region)).cloned().collect();
        Task {
            aim: Aim::Classify,
            region: Region::of(region),
            within: self.within,
            usual: self.shared.usual,
            budget: self.shared.budget() << (*tried).min(20),
            lessons,
            in_vain,
        }
    }

    /// Tells what came of a task.
    fn tell(&self, done: &Done) -> Result<(), QuestionError> {
        let (doing, explored, maps) = ("searching maps", done.effort, done.regions);
        let learnt = done.lessons.len() as u64;
        let more = Progress { doing, explored, maps, learnt, ..Progress::default() };
        self.shared.watched.add(&more).map_err(QuestionError::Limit)
    }
}

impl Office for Desk<'_, '_, '_> {
    fn give(&mut self) -> Option<Task> {
        self.ready.pop_front()
    }

    fn take(&mut self, done: Done) -> Result<bool, QuestionError> {
        let strange = || QuestionError::Refused("what came of a task belongs to another question".to_owned());
        let open = self.under_way.pop_front().ok_or_else(strange)?;
        let labels = self.shared.open;
        self.shared.effort = self.shared.effort.saturating_add(done.effort);
        self.shared.regions += done.regions;
        for (region, feasible) in &done.decided {
            (self.visit)(&region.within(labels).ok_or_else(strange)?, *feasible)?;
        }
        // What is left although nothing was decided needs more work at once.
        let tried = if done.decided.is_empty() && done.left.len() == 1 { open.tried + 1 } else { 0 };
        for region in done.left.iter().rev() {
            self.todo.push(Open { region: region.within(labels).ok_or_else(strange)?, tried });
        }
        if !done.lessons.iter().all(|lesson| lesson.fits(labels)) {
            return Err(strange());
        }
        if !done.in_vain.iter().all(|region| region.within(labels).is_some()) {
            return Err(strange());
        }
        let told = self.tell(&done);
        self.shared.learn(&done.lessons, done.in_vain, done.usual);
        told?;
        if self.has_enough() && !self.is_over() {
            return Ok(false);
        }
        self.prepare();
        Ok(!self.is_over())
    }
}
