//! Who carries out tasks.

use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed},
};

use crate::{
    limit::{Limit, Monitor, Progress},
    maps::{
        games::Field,
        search::{Existence, Search},
        space::{ImageCount, PartialMap, Symmetries},
        tasks::data::{Aim, Done, Region, Task},
    },
    seek::self_divulged::Stop,
    verdict::QuestionError,
};

/// Carries out the tasks of a round, in any order and anywhere.
pub trait Crew {
    /// What came of each of the tasks, in their order.
    ///
    /// # Errors
    /// A limit, or why it cannot be done.
    fn carry_out(&self, tasks: &[Task]) -> Result<Vec<Done>, QuestionError>;
}

/// Remembers what came of tasks, for a search that is interrupted and asked again.
pub trait Keep: Sync {
    /// What came of a task that was carried out before.
    fn recall(&self, task: &Task) -> Option<Done>;

    /// Takes note of what came of a task.
    fn note(&self, task: &Task, done: &Done);
}

/// The monitor of those who carry out tasks. What it tells of the work done is what was known when the round began, so that it does not depend
/// on who is how far.
pub struct Watched<'a> {
    monitor: &'a dyn Monitor,
    explored: AtomicU64,
    maps: AtomicU64,
    learnt: AtomicU64,
}

impl<'a> Watched<'a> {
    /// Passes on what is polled.
    pub fn new(monitor: &'a dyn Monitor) -> Self {
        Self { monitor, explored: 0.into(), maps: 0.into(), learnt: 0.into() }
    }

    /// A round is over: so much work was done in all, so many regions were decided, and so many lessons learnt.
    ///
    /// # Errors
    /// The limit that was hit.
    pub fn after_round(&self, explored: u64, maps: u64, learnt: u64) -> Result<(), Limit> {
        self.explored.store(explored, Relaxed);
        self.maps.store(maps, Relaxed);
        self.learnt.store(learnt, Relaxed);
        self.poll(&Progress { doing: "searching maps", ..Progress::default() })
    }
}

impl Monitor for Watched<'_> {
    fn poll(&self, progress: &Progress) -> Result<(), Limit> {
        self.monitor.poll(&Progress {
            doing: progress.doing,
            explored: self.explored.load(Relaxed),
            maps: self.maps.load(Relaxed),
            learnt: self.learnt.load(Relaxed),
            ..Progress::default()
        })
    }
}

/// Threads that carry out tasks.
pub struct Hands<'a, 'p> {
    /// What games are played on.
    pub(crate) field: &'a Field<'a, 'p>,
    /// A partial map of the labels in question.
    pub(crate) open: &'a PartialMap,
    /// How many images maps may have.
    pub(crate) images: ImageCount,
    /// Labels that can be exchanged.
    pub(crate) symmetries: &'a Symmetries,
    /// What may stop them.
    pub(crate) monitor: &'a Watched<'a>,
    /// How many there are; 0 for as many as there are processors.
    pub(crate) threads: usize,
    /// What remembers their work.
    pub(crate) keep: Option<&'a dyn Keep>,
}

impl Crew for Hands<'_, '_> {
    fn carry_out(&self, tasks: &[Task]) -> Result<Vec<Done>, QuestionError> {
        let done: Vec<Mutex<Option<Done>>> = tasks.iter().map(|_| Mutex::default()).collect();
        let (next, stopped) = (AtomicUsize::new(0), AtomicBool::new(false));
        let work = || -> Result<(), QuestionError> {
            while !stopped.load(Relaxed)
                && let Some((task, place)) = next_of(tasks, &done, &next)
            {
                let came = self.one(task).inspect_err(|_| stopped.store(true, Relaxed))?;
                *place.lock().unwrap_or_else(PoisonError::into_inner) = Some(came);
            }
            Ok(())
        };
        everybody(self.threads, tasks.len(), &work)?;
        let all = done.into_iter().map(|done| done.into_inner().unwrap_or_else(PoisonError::into_inner));
        Ok(all.map(|done| done.expect("nobody stopped")).collect())
    }
}

/// The next task that nobody has begun, and the place for what comes of it.
fn next_of<'t>(
    tasks: &'t [Task],
    done: &'t [Mutex<Option<Done>>],
    next: &AtomicUsize,
) -> Option<(&'t Task, &'t Mutex<Option<Done>>)> {
    let at = next.fetch_add(1, Relaxed);
    Some((tasks.get(at)?, &done[at]))
}

/// Has the work done by as many threads as may be, but no more than there are tasks; gives the first error.
fn everybody(
    threads: usize,
    tasks: usize,
    work: &(impl Fn() -> Result<(), QuestionError> + Sync),
) -> Result<(), QuestionError> {
    #[cfg(feature = "parallel")]
    {
        let all = || std::thread::available_parallelism().map_or(1, usize::from);
        let threads = if threads == 0 { all() } else { threads }.min(tasks);
        if threads > 1 {
            return std::thread::scope(|scope| {
                let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
                let mut result = work();
                for thread in others {
                    let other = thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
                    result = result.and(other);
                }
                result
            });
        }
    }
    let _ = (threads, tasks);
    work()
}

impl Hands<'_, '_> {
    /// Carries out one task, unless that was done before.
    ///
    /// # Errors
    /// A limit, or that the task is one of another question.
    pub fn one(&self, task: &Task) -> Result<Done, QuestionError> {
        if let Some(known) = self.keep.and_then(|keep| keep.recall(task)) {
            return Ok(known);
        }
        let other = || QuestionError::Refused("this task belongs to another question about maps".to_owned());
        let region = task.region.within(self.open).ok_or_else(other)?;
        if !task.lessons.iter().all(|lesson| lesson.fits(self.open)) {
            return Err(other());
        }
        let done = self.work(task, &region)?;
        self.keep.inspect(|keep| keep.note(task, &done));
        Ok(done)
    }

    fn work(&self, task: &Task, region: &PartialMap) -> Result<Done, Stop> {
        // Everybody begins anew, or what comes of a task would depend on those before it.
        let mut game = self.field.another(self.open, self.monitor);
        game.expect(task.usual);
        let mut search = Search::new(&mut *game, task.within, self.images, self.symmetries, self.monitor);
        search.go_on(&task.lessons, self.open);
        search.give_up_after(task.budget);
        let mut decided = Vec::new();
        match task.aim {
            Aim::Classify => search.classify(region, &mut |region, feasible| {
                decided.push((Region::of(region), feasible));
                Ok(())
            })?,
            Aim::Find => {
                if let Existence::Found(region) = search.exists(region)? {
                    decided.push((Region::of(&region), true));
                }
            }
        }
        let left = search.left.iter().map(Region::of).collect();
        let (lessons, regions) = (std::mem::take(&mut search.learnt), search.statistics.decided);
        Ok(Done { decided, left, lessons, regions, effort: game.effort(), usual: game.usual() })
    }
}
