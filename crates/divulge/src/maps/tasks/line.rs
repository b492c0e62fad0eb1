//! Searches beside one another: jobs that depend on nothing but what they say, begun in the order in which they are added.
//!
//! What comes of a job does not depend on who does it, or when; whoever takes results in an order of their own gets the same for any number of
//! threads. Without threads, a job is done when its result is asked for, and not at all if nobody asks.

use std::{
    any::Any,
    collections::{HashMap, VecDeque},
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    },
};

use crate::{
    limit::{Limit, Monitor, Progress},
    maps::{
        games::{Field, PLAYING},
        search::{Existence, Guesses, Search, Statistics},
        space::{ImageCount, PartialMap, Symmetries},
        tasks::crew::Watched,
    },
    seek::self_divulged::Stop,
};

/// What jobs are done with.
pub struct Tools<'a, 'p> {
    /// What games are played on.
    pub field: &'a Field<'a, 'p>,
    /// The labels in question, with nothing decided.
    pub open: &'a PartialMap,
    /// How many images maps may have.
    pub images: ImageCount,
    /// Labels that can be exchanged.
    pub symmetries: &'a Symmetries,
    /// What may stop them.
    pub watched: &'a Watched<'a>,
}

/// A search for a map with a solution of at most `within` events, if that is given, with about so much effort.
pub struct Job<'m> {
    /// How it is searched.
    pub how: How<'m>,
    /// The most events that plans may have.
    pub within: Option<u32>,
    /// How much work to do.
    pub effort: u64,
    /// The length of plans that were found before; 0 if there is none.
    pub usual: u32,
}

/// How a map is searched.
pub enum How<'m> {
    /// By splitting a region.
    Split(PartialMap),
    /// By guessing, going on where these guesses were.
    Guess(Box<Guesses<'m>>),
}

/// What came of a job.
pub struct Came<'m> {
    /// What was found out.
    pub found: Found,
    /// The guesses, to go on with.
    pub guesses: Option<Box<Guesses<'m>>>,
    /// The work that it was.
    pub effort: u64,
    /// How far it has come.
    pub statistics: Statistics,
    /// The length of plans that were found last; 0 if there is none.
    pub usual: u32,
}

/// What a job has found out.
pub enum Found {
    /// A region with a solution.
    Some(PartialMap),
    /// There is no solution.
    None,
    /// The effort was not enough.
    NotYet,
}

/// What is told about a job while somebody does it.
#[derive(Default)]
struct Slip {
    /// Nobody wants what would come of it any more.
    dropped: AtomicBool,
    /// It is at least so much work.
    effort: AtomicU64,
}

/// The monitor of one job, which may be dropped.
struct Mine<'a> {
    watched: &'a Watched<'a>,
    slip: &'a Slip,
    /// Tells whoever waits that it has come further.
    tell: &'a (dyn Fn() + Sync),
}

impl Monitor for Mine<'_> {
    fn poll(&self, progress: &Progress) -> Result<(), Limit> {
        if self.slip.dropped.load(Relaxed) {
            return Err(Limit::Interrupt);
        }
        if progress.doing == PLAYING
            && self.slip.effort.fetch_max(progress.explored, Relaxed) < progress.explored
        {
            (self.tell)();
        }
        self.watched.poll(progress)
    }
}

impl<'m> Job<'m> {
    /// In a game of its own, or what comes of it would depend on the jobs before.
    fn carry_out(
        self,
        tools: &Tools<'_, '_>,
        slip: &Slip,
        tell: &(dyn Fn() + Sync),
    ) -> Result<Came<'m>, Stop> {
        let mine = Mine { watched: tools.watched, slip, tell };
        let mut game = tools.field.another(tools.open, &mine);
        game.expect(self.usual);
        let (found, guesses, statistics) = match self.how {
            How::Split(region) => {
                let mut search = Search::new(&mut *game, self.within, tools.images, tools.symmetries, &mine);
                search.give_up_after(self.effort);
                let found = match search.exists(&region)? {
                    Existence::Found(region) => Found::Some(region),
                    Existence::Nowhere(_) => Found::None,
                    Existence::Left => Found::NotYet,
                };
                (found, None, search.statistics)
            }
            How::Guess(mut guesses) => {
                let before = guesses.statistics;
                let found = match guesses.exists(&mut *game, self.effort) {
                    Ok(Some(map)) => Found::Some(map),
                    Ok(None) => Found::None,
                    Err(Stop::Effort) => Found::NotYet,
                    Err(stop) => return Err(stop),
                };
                let more = guesses.statistics.since(&before);
                (found, Some(guesses), more)
            }
        };
        Ok(Came { found, guesses, effort: game.effort(), statistics, usual: game.usual() })
    }
}

/// The number of a job in the order of all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Number(u64);

type Ended<'m> = Result<Result<Came<'m>, Stop>, Box<dyn Any + Send>>;

#[derive(Default)]
struct State<'m> {
    last: u64,
    waiting: VecDeque<(Number, Job<'m>, Arc<Slip>)>,
    /// Jobs that somebody does.
    begun: HashMap<Number, Arc<Slip>>,
    ended: HashMap<Number, Ended<'m>>,
    over: bool,
}

/// Jobs in line.
pub struct Line<'t, 'a, 'p, 'm> {
    tools: &'t Tools<'a, 'p>,
    /// Whether threads do the jobs; otherwise whoever asks for a result.
    threads: bool,
    state: Mutex<State<'m>>,
    news: Condvar,
}

impl<'t, 'a, 'p, 'm> Line<'t, 'a, 'p, 'm> {
    /// Has jobs done by so many threads while `work` adds them and takes what comes of them.
    pub fn with<T>(tools: &'t Tools<'a, 'p>, threads: usize, work: impl FnOnce(&Self) -> T) -> T {
        let (state, news) = (Mutex::default(), Condvar::new());
        let line = Self { tools, threads: threads > 1, state, news };
        if threads <= 1 {
            return work(&line);
        }
        std::thread::scope(|scope| {
            let workers: Vec<_> = (0..threads).map(|_| scope.spawn(|| line.work())).collect();
            let done = catch_unwind(AssertUnwindSafe(|| work(&line)));
            tools.watched.end(true);
            line.lock().over = true;
            line.news.notify_all();
            let ended: Vec<_> = workers.into_iter().map(|worker| worker.join()).collect();
            tools.watched.end(false);
            ended.into_iter().for_each(|ended| ended.unwrap_or_else(|panic| resume_unwind(panic)));
            done.unwrap_or_else(|panic| resume_unwind(panic))
        })
    }

    fn lock(&self) -> MutexGuard<'_, State<'m>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a job.
    pub fn add(&self, job: Job<'m>) -> Number {
        let mut state = self.lock();
        state.last += 1;
        let number = Number(state.last);
        state.waiting.push_back((number, job, Arc::default()));
        drop(state);
        self.news.notify_all();
        number
    }

    /// Waits for what comes of a job, each of which is taken at most once. Its work is not counted yet.
    ///
    /// # Errors
    /// A limit.
    pub fn take(&self, number: Number) -> Result<Came<'m>, Stop> {
        self.come(&[number], u64::MAX);
        match self.lock().ended.remove(&number).expect("a job is taken once") {
            Ok(came) => came,
            Err(panic) => resume_unwind(panic),
        }
    }

    /// Counts the work of a job.
    ///
    /// # Errors
    /// A limit.
    pub fn count(&self, effort: u64, statistics: &Statistics) -> Result<(), Limit> {
        let &Statistics { decided: maps, learnt, .. } = statistics;
        let (doing, explored) = ("searching maps", effort);
        self.tools.watched.add(&Progress { doing, explored, maps, learnt, ..Progress::default() })
    }

    /// Waits until it is known whether these jobs, up to the first that settles the matter, have come to an end with at most so much work in all,
    /// and tells; whatever settles the matter is no more than that. What is known does not depend on who is how far.
    pub fn come(&self, numbers: &[Number], most: u64) -> bool {
        let mut state = self.lock();
        loop {
            let (mut effort, mut open) = (0u64, false);
            for &number in numbers {
                if !self.threads && !state.ended.contains_key(&number) {
                    drop(state);
                    self.now(number);
                    state = self.lock();
                }
                match (state.ended.get(&number), state.begun.get(&number)) {
                    (Some(Ok(Ok(Came { found: Found::NotYet, effort: more, .. }))), _) => {
                        effort = effort.saturating_add(*more);
                    }
                    (Some(_), _) if !open => return true,
                    (Some(_), _) => {}
                    (None, begun) => {
                        let more = begun.map_or(0, |slip| slip.effort.load(Relaxed));
                        (effort, open) = (effort.saturating_add(more), true);
                    }
                }
            }
            if !open || effort > most {
                return effort <= most;
            }
            state = self.news.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Does a job, unless it is under way.
    fn now(&self, number: Number) {
        let mut state = self.lock();
        let at = state.waiting.iter().position(|(other, ..)| *other == number);
        let Some((_, job, slip)) = at.and_then(|at| state.waiting.remove(at)) else { return };
        drop(state);
        let came = job.carry_out(self.tools, &slip, &|| ());
        self.lock().ended.insert(number, Ok(came));
    }

    /// Nobody wants what would come of a job.
    pub fn forget(&self, number: Number) {
        let mut state = self.lock();
        state.waiting.retain(|(other, ..)| *other != number);
        state.ended.remove(&number);
        if let Some(slip) = state.begun.get(&number) {
            slip.dropped.store(true, Relaxed);
        }
    }

    /// Does jobs until there are no more.
    fn work(&self) {
        loop {
            let idle = |state: &mut State<'m>| state.waiting.is_empty() && !state.over;
            let state = self.news.wait_while(self.lock(), idle);
            let mut state = state.unwrap_or_else(PoisonError::into_inner);
            if state.over {
                return;
            }
            let Some((number, job, slip)) = state.waiting.pop_front() else { continue };
            state.begun.insert(number, slip.clone());
            drop(state);
            let tell = || {
                // Whoever waits has either seen what is told, or hears of it.
                drop(self.lock());
                self.news.notify_all();
            };
            let ended = catch_unwind(AssertUnwindSafe(|| job.carry_out(self.tools, &slip, &tell)));
            let mut state = self.lock();
            state.begun.remove(&number);
            if !slip.dropped.load(Relaxed) {
                state.ended.insert(number, ended);
            }
            drop(state);
            self.news.notify_all();
        }
    }
}
