//! The part of the game that plans of a budget of events may visit.
//!
//! *Practical.* Nodes are grouped by the observer's state, and found in waves, by the number of events from the start. Some groups of a wave at a time
//! are looked at: what is new in them is taken out, then followed. What is found does not depend on the order in which that is done, so
//! where there is much of it, it is shared out to threads. How much is looked at between two pauses does not depend on how many there are.

mod beyond;
mod look;

use std::sync::{Mutex, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use crate::{
    game::{arena::Arena, product::Product},
    limit::{Limit, Team, with_team, worth},
    observer::{StateId, shares},
    sets::NodeSet,
};
pub(crate) use beyond::Beyond;
use look::{Group, Look, Seen, Task};

/// So many groups are looked at before it is asked whether to pause.
const BLOCK: usize = 1 << 9;

/// Fewer nodes than this are not worth a team.
const MUCH: usize = 1 << 12;

/// So many words of nodes, or of the observer's beliefs, are worth a thread.
const NODES: usize = 1 << 9;
const BELIEFS: usize = 1 << 10;

/// So many words of new beliefs are kept at most until they are written down, about.
const ROOM: usize = 1 << 20;

/// The search for all nodes that a plan of at most so many events may visit, which may pause.
pub(crate) struct Exploration {
    groups: Vec<Mutex<Group>>,
    /// The observer's states with nodes that are new, those of this wave and those of the next one.
    wave: Vec<u32>,
    next_wave: Vec<u32>,
    /// How far this wave was followed.
    at: usize,
    explored: usize,
    /// How much that took: as many nodes, if they are followed one by one.
    looked: usize,
    /// Whether the robot may stop at any of them.
    stops: bool,
    /// What is being looked at.
    seen: Seen,
    beyond: Beyond,
}

/// An exploration with its game, as a team sees them.
struct Shared<'s, 'a> {
    search: &'s mut Exploration,
    game: &'s mut Arena<'a>,
}

impl Exploration {
    /// A search within a budget of events, at its start.
    pub fn new(game: &Arena<'_>, budget: u32) -> Self {
        let (observer, robot) = game.first();
        let mut groups = Vec::new();
        groups.resize_with(observer as usize + 1, Mutex::default);
        let mut search = Self {
            groups,
            wave: vec![observer],
            next_wave: Vec::new(),
            at: 0,
            explored: 0,
            looked: 0,
            stops: false,
            seen: Seen::default(),
            beyond: Beyond::new(game, budget),
        };
        search.group(observer).nodes.insert(robot, game.robot.graph.len());
        search
    }

    /// How many nodes were looked at.
    pub fn explored(&self) -> usize {
        self.explored
    }

    /// How much that took: the nodes, or less where many of them are followed together.
    pub fn looked(&self) -> usize {
        self.looked
    }

    /// Goes on until it took that much or there are no more; tells whether there are no more.
    pub fn go_on(&mut self, game: &mut Arena<'_>, most: usize) -> Result<bool, Limit> {
        let allowed = if most - self.looked.min(most) < worth(MUCH) { 1 } else { game.threads };
        let shared = RwLock::new(Shared { search: self, game });
        with_team(
            allowed,
            |look: &mut Look<'_>| {
                let Shared { search, game } = &*read(&shared);
                look.work(search, game);
            },
            |team| run(&shared, team, most),
        )
    }

    fn group(&mut self, observer: u32) -> &mut Group {
        self.groups[observer as usize].get_mut().unwrap_or_else(PoisonError::into_inner)
    }

    /// Turns to the next wave, if there is any.
    fn go_deeper(&mut self, game: &Arena<'_>) {
        // What was added to a group that was looked at is new for the wave to come. If that was still to be looked at, it was
        // taken for one event nearer, which lets in more than it should, never less. A group may be noted more than once, or in vain.
        let mut next = std::mem::take(&mut self.next_wave);
        next.sort_unstable();
        next.dedup();
        next.retain(|&observer| self.group(observer).nodes.has_fresh());
        self.next_wave = std::mem::replace(&mut self.wave, next);
        self.next_wave.clear();
        self.at = 0;
        self.beyond.go_deeper(game);
    }

    /// Takes out what is new in the next groups.
    fn take(&mut self) {
        let end = self.wave.len().min(self.at + BLOCK);
        let mut seen = std::mem::take(&mut self.seen);
        seen.clear();
        for i in self.at..end {
            let observer = self.wave[i];
            seen.add(observer, &mut self.group(observer).nodes);
        }
        self.explored += seen.nodes();
        self.looked += seen.effort();
        (self.seen, self.at) = (seen, end);
    }

    /// What lies beyond the budget, and the nodes found if the robot may stop at any of them.
    pub fn finish(self, game: &Arena<'_>) -> Result<(Option<Product>, Beyond), Limit> {
        game.report("exploring the game", self.explored)?;
        let groups =
            self.groups.into_iter().map(|group| group.into_inner().unwrap_or_else(PoisonError::into_inner));
        let (groups, depths): (Vec<NodeSet>, Vec<u32>) =
            groups.map(|group| (group.nodes, group.depth)).unzip();
        let product = self.stops.then(|| Product::number(groups, depths, game.first()));
        Ok((product.transpose()?, self.beyond))
    }
}

/// Looks at wave after wave until it took that much or there are no more; tells whether there are no more.
fn run<'a>(shared: &RwLock<Shared<'_, 'a>>, team: &Team<'_, Look<'a>>, most: usize) -> Result<bool, Limit> {
    let mut looks = Looks::new(shared, team);
    loop {
        let mut own = write(shared);
        let Shared { search, game } = &mut *own;
        if search.wave.is_empty() {
            return Ok(true);
        }
        if search.at == search.wave.len() {
            search.go_deeper(game);
            continue;
        }
        if search.looked >= most {
            return Ok(false);
        }
        search.take();
        drop(own);
        looks.expand();
        looks.follow();
        let Shared { search, game } = &*read(shared);
        let steps = 64 * search.seen.groups() + 4 * search.seen.nodes();
        game.poll("exploring the game", steps, search.explored)?;
    }
}

/// Those who look at groups: the first of them alone, or some of them together.
struct Looks<'l, 's, 'w, 'a> {
    shared: &'l RwLock<Shared<'s, 'a>>,
    team: &'l Team<'w, Look<'a>>,
    all: Vec<Look<'a>>,
}

impl<'l, 's, 'w, 'a> Looks<'l, 's, 'w, 'a> {
    fn new(shared: &'l RwLock<Shared<'s, 'a>>, team: &'l Team<'w, Look<'a>>) -> Self {
        let all = vec![Look::new(read(shared).game)];
        Self { shared, team, all }
    }

    /// Has so many do something, together.
    fn round(&mut self, tasks: Vec<Task>) {
        let Self { shared, team, all } = self;
        all.resize_with(all.len().max(tasks.len()), || Look::new(read(shared).game));
        let rest = all.split_off(tasks.len());
        all.iter_mut().zip(tasks).for_each(|(look, task)| look.task = task);
        team.round(all);
        all.extend(rest);
    }

    /// Finds where the observer's states lead whose groups are looked at.
    fn expand(&mut self) {
        let mut own = write(self.shared);
        let Shared { search, game } = &mut *own;
        let states: Vec<StateId> =
            search.seen.observers().map(StateId).filter(|&state| game.is_new(state)).collect();
        let words = game.robot.graph.len().div_ceil(64);
        let alone = self.team.pieces(usize::MAX, 1) == 1;
        let unknown = if alone { Vec::new() } else { game.tracker().unknown(&states) };
        let count = self.team.pieces(unknown.len() * words, BELIEFS).min(unknown.len().max(1));
        if count > 1 {
            drop(own);
            for some in unknown.chunks((ROOM / words).max(count)) {
                let tasks = shares(some, count).map(|share| Task::Expand(share.to_vec()));
                self.round(tasks.collect());
                let game = &mut write(self.shared).game;
                for look in &mut self.all {
                    look.write_down(game);
                }
            }
            own = write(self.shared);
        }
        states.into_iter().for_each(|state| own.game.expand(state));
    }

    /// Follows what is new in the groups.
    fn follow(&mut self) {
        let mut own = write(self.shared);
        let Shared { search, game } = &mut *own;
        search.groups.resize_with(search.groups.len().max(game.tracker().len()), Mutex::default);
        search.seen.words().iter().for_each(|&word| game.forwards.prepare(word));
        let count = self.team.pieces(search.seen.words().len(), NODES);
        if count == 1 {
            self.all[0].follow_alone(search, game);
        } else {
            let tasks = search.seen.shares(count).map(Task::Follow).collect();
            drop(own);
            self.round(tasks);
            own = write(self.shared);
        }
        let search = &mut own.search;
        for look in &mut self.all {
            look.report(&mut search.next_wave, &mut search.beyond, &mut search.stops);
        }
    }
}

fn read<'l, 's, 'a>(shared: &'l RwLock<Shared<'s, 'a>>) -> RwLockReadGuard<'l, Shared<'s, 'a>> {
    shared.read().unwrap_or_else(PoisonError::into_inner)
}

fn write<'l, 's, 'a>(shared: &'l RwLock<Shared<'s, 'a>>) -> RwLockWriteGuard<'l, Shared<'s, 'a>> {
    shared.write().unwrap_or_else(PoisonError::into_inner)
}
