//! Threads that carry out tasks.

use std::{
    collections::{HashMap, VecDeque},
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
};

use crate::{
    limit::threads,
    maps::{
        games::Field,
        search::{Existence, Search},
        space::{ImageCount, PartialMap, Symmetries},
        tasks::{
            crew::{Crew, Keep, Office, Watched},
            data::{Aim, Done, Region, Task},
        },
    },
    seek::self_divulged::Stop,
    verdict::QuestionError,
};

/// There are seldom more tasks under way.
const MOST_THREADS: usize = 64;

/// Threads that carry out tasks of one question. Each task is a search of its own.
pub struct Hands<'a, 'p> {
    /// What games are played on.
    pub(crate) field: &'a Field<'a, 'p>,
    /// The labels in question, with nothing decided.
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
    fn carry_out(&self, office: &mut dyn Office) -> Result<(), QuestionError> {
        let threads = threads(self.threads, MOST_THREADS, 1);
        if threads > 1 {
            return self.together(threads, office);
        }
        while let Some(task) = office.give() {
            if !office.take(self.one(&task)?)? {
                break;
            }
        }
        Ok(())
    }
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
        let in_vain = task.in_vain.iter().map(|region| region.within(self.open)).collect::<Option<_>>();
        let done = self.work(task, &region, in_vain.ok_or_else(other)?)?;
        self.keep.inspect(|keep| keep.note(task, &done));
        Ok(done)
    }

    fn work(&self, task: &Task, region: &PartialMap, in_vain: Vec<PartialMap>) -> Result<Done, Stop> {
        // Everybody begins anew, or what comes of a task would depend on those before it.
        let mut game = self.field.another(self.open, self.monitor);
        game.expect(task.usual);
        let mut search = Search::new(&mut *game, task.within, self.images, self.symmetries, self.monitor);
        search.go_on(&task.lessons, in_vain, self.open);
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
        let [left, in_vain] =
            [&search.left[..], search.in_vain()].map(|all| all.iter().map(Region::of).collect());
        let (lessons, regions) = (std::mem::take(&mut search.learnt), search.statistics.decided);
        Ok(Done { decided, left, lessons, in_vain, regions, effort: game.effort(), usual: game.usual() })
    }
}

/// What threads share: tasks by number that nobody has begun, and what came of others.
#[derive(Default)]
struct Bench {
    tasks: VecDeque<(u64, Task)>,
    done: HashMap<u64, Result<Done, QuestionError>>,
    /// No more tasks will come, or nobody needs them.
    over: bool,
}

impl Hands<'_, '_> {
    /// Has the tasks carried out by so many threads, while this one gives them out.
    fn together(&self, threads: usize, office: &mut dyn Office) -> Result<(), QuestionError> {
        let (bench, news) = (Mutex::new(Bench::default()), Condvar::new());
        std::thread::scope(|scope| {
            let workers: Vec<_> = (0..threads).map(|_| scope.spawn(|| self.work_at(&bench, &news))).collect();
            let given = give_out(office, &bench, &news);
            self.monitor.end(true);
            lock(&bench).over = true;
            news.notify_all();
            let ended: Vec<_> = workers.into_iter().map(|worker| worker.join()).collect();
            self.monitor.end(false);
            ended.into_iter().for_each(|ended| ended.unwrap_or_else(|panic| resume_unwind(panic)));
            given
        })
    }

    /// Carries out tasks until there are no more.
    fn work_at(&self, bench: &Mutex<Bench>, news: &Condvar) {
        loop {
            let next = news.wait_while(lock(bench), |bench| bench.tasks.is_empty() && !bench.over);
            let mut next = next.unwrap_or_else(PoisonError::into_inner);
            if next.over {
                return;
            }
            let Some((number, task)) = next.tasks.pop_front() else { continue };
            drop(next);
            let came = catch_unwind(AssertUnwindSafe(|| self.one(&task)));
            let mut bench = lock(bench);
            match came {
                Ok(came) => drop(bench.done.insert(number, came)),
                Err(panic) => {
                    bench.over = true;
                    drop(bench);
                    news.notify_all();
                    resume_unwind(panic);
                }
            }
            news.notify_all();
        }
    }
}

/// Gives out tasks, and takes what came of them in order.
fn give_out(office: &mut dyn Office, bench: &Mutex<Bench>, news: &Condvar) -> Result<(), QuestionError> {
    let (mut given, mut taken) = (0, 0);
    loop {
        let new: Vec<(u64, Task)> =
            std::iter::from_fn(|| office.give()).zip(given..).map(|(t, n)| (n, t)).collect();
        given += new.len() as u64;
        if taken == given {
            return Ok(());
        }
        lock(bench).tasks.extend(new);
        news.notify_all();
        let failed = |bench: &Bench| bench.done.values().any(Result::is_err);
        let wait = |bench: &mut Bench| !bench.done.contains_key(&taken) && !bench.over && !failed(bench);
        let mut bench = news.wait_while(lock(bench), wait).unwrap_or_else(PoisonError::into_inner);
        let first = match bench.done.remove(&taken) {
            Some(done) => done,
            None => bench.done.drain().find_map(|(_, done)| done.err()).map_or_else(
                // Whoever gave up has more to say.
                || Err(QuestionError::Refused("a task was given up".to_owned())),
                Err,
            ),
        };
        drop(bench);
        taken += 1;
        if !office.take(first?)? {
            return Ok(());
        }
    }
}

fn lock(bench: &Mutex<Bench>) -> MutexGuard<'_, Bench> {
    bench.lock().unwrap_or_else(PoisonError::into_inner)
}
