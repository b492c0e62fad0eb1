//! The part of the game that plans of a budget of events may visit.
//!
//! *Practical.* Nodes are grouped by the observer's state, and found in waves, by the number of events from the start. Some groups of a wave at a time
//! are looked at: what is new in them is taken out, then followed. What is found does not depend on the order in which that is done, so
//! where there is much of it, the nodes are dealt out to parts, one for each thread. Who has less to follow finds meanwhile where the observer's states lead that
//! may well be asked for next; these are written down when they are. How much is looked at between two pauses does not depend on how many there are.

mod beyond;
mod cuts;
mod look;
mod parts;

use std::{
    ops::Range,
    sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard},
};

use crate::{
    game::{arena::Arena, product::Product},
    limit::{Limit, Team, with_team, worth},
    observer::{StateId, Unknown, shares},
};
pub(crate) use beyond::Beyond;
use cuts::{Extent, cuts};
use look::{Look, Task};
use parts::{Deal, Part, hand_over};

/// So many groups are looked at before it is asked whether to pause.
const BLOCK: usize = 1 << 9;

/// Fewer nodes than this are not worth a team.
const MUCH: usize = 1 << 14;

/// A word of nodes takes as long to follow as this many nodes by themselves.
const WORD: usize = 4;

/// Little leads beyond a budget if it is from one word of nodes in so many.
const NARROW: usize = 16;

/// So much was looked at before nodes are dealt out to several.
const DEAL: usize = 1 << 14;

/// So many states of the robot are a small matter for each node that was looked at.
const STATES: usize = 16;

/// Groups of so many words that are new, on average, are cut.
const LARGE: usize = 1 << 4;

/// So many words of nodes, of nodes that are handed over, or members of beliefs, are worth a thread.
const NODES: usize = 24;
const HANDED: usize = 1 << 8;
const MEMBERS: usize = 1 << 11;

/// A word of nodes takes as long to follow as so many members of a belief.
const MEMBERS_PER_WORD: usize = 1 << 6;

/// Looking ahead is little if following nodes takes so many times as long.
const LITTLE: usize = 4;

/// Fewer states than this for each thread are looked at before they are asked for, by those who have nothing else to do.
const FEW: usize = 4;

/// So many guesses tell how good they are.
const GUESSES: usize = 1 << 6;

/// So many words of new beliefs are kept at most until they are written down, about.
const ROOM: usize = 1 << 20;

/// The search for all nodes that a plan of at most so many events may visit, which may pause.
pub(crate) struct Exploration {
    deal: Deal,
    parts: Vec<Part>,
    /// The observer's states with nodes that are new, those of this wave and those of the next one.
    wave: Vec<u32>,
    next_wave: Vec<u32>,
    /// How far this wave was followed.
    at: usize,
    explored: usize,
    /// How much that took: as many nodes, if they are followed one by one.
    looked: usize,
    /// How many members of beliefs were followed for that, where several look.
    learnt: usize,
    /// Whether the robot may stop at any of them.
    stops: bool,
    beyond: Beyond,
    /// Whether the budget fell, and how many nodes are still to be looked at once more because of that, which are not counted again.
    fallen: bool,
    again: usize,
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
        let deal = Deal::one();
        Self {
            parts: vec![Part::beginning(&deal, observer, robot)],
            deal,
            wave: vec![observer],
            next_wave: Vec::new(),
            at: 0,
            explored: 0,
            looked: 0,
            learnt: 0,
            stops: false,
            beyond: Beyond::new(game, budget),
            fallen: false,
            again: 0,
        }
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
        let parts = std::mem::take(&mut self.parts);
        let shared = RwLock::new(Shared { search: self, game });
        let (done, parts) = with_team(
            allowed,
            |look: &mut Look<'_>| {
                let Shared { search, game } = &*read(&shared);
                look.work(search, game);
            },
            |team| {
                let mut looks = Looks::new(&shared, team, parts);
                (looks.run(most), looks.parts())
            },
        );
        self.parts = parts;
        done
    }

    /// Turns to the next wave, if there is any; `has_fresh` tells whether anything is new in a group.
    fn go_deeper(&mut self, game: &Arena<'_>, mut has_fresh: impl FnMut(u32) -> bool) {
        // What was added to a group that was looked at is new for the wave to come. If that was still to be looked at, it was
        // taken for one event nearer, which lets in more than it should, never less. A group may be noted more than once, or in vain.
        let mut next = std::mem::take(&mut self.next_wave);
        next.sort_unstable();
        next.dedup();
        next.retain(|&observer| has_fresh(observer));
        self.next_wave = std::mem::replace(&mut self.wave, next);
        self.next_wave.clear();
        self.at = 0;
        self.beyond.go_deeper(game);
    }

    /// Turns, at the end, to all that the budget kept out, if there is little that leads there; tells whether it did.
    pub fn fall(&mut self, game: &Arena<'_>) -> bool {
        let Some(edge) = self.beyond.fall(game, self.looked / worth(WORD * NARROW)) else { return false };
        self.wave.clear();
        for (observer, word) in edge {
            self.parts.iter_mut().for_each(|part| part.renew(&self.deal, observer, word));
            self.wave.push(observer);
            self.again += word.bits.count_ones() as usize;
        }
        self.wave.sort_unstable();
        self.wave.dedup();
        (self.at, self.fallen) = (0, true);
        true
    }

    /// Gives up what is beyond the budget, of which only a part was found.
    pub fn give_up(&mut self) {
        self.stops = false;
    }

    /// Whether the robot may stop at any of the nodes that were found.
    pub fn stops(&self) -> bool {
        self.stops
    }

    /// What lies beyond the budget.
    pub fn beyond(&self) -> &Beyond {
        &self.beyond
    }

    /// The nodes found, if the robot may stop at any of them.
    pub fn finish(mut self, game: &Arena<'_>) -> Result<Option<Product>, Limit> {
        game.report("exploring the game", self.explored)?;
        if !self.stops {
            return Ok(None);
        }
        let (deal, parts, fallen) = (&self.deal, &mut self.parts, self.fallen);
        let product = Product::number(game.tracker().len(), game.first(), |observer, words| {
            let depths = parts.iter_mut().filter_map(|part| part.give(deal, observer, words));
            // Beyond a budget there may be shorter ways to what was known before.
            depths.min().filter(|_| !fallen).unwrap_or(0)
        })?;
        Ok(Some(product))
    }
}

/// Those who look at groups: the first of them alone, or some of them together.
struct Looks<'l, 's, 'w, 'a> {
    shared: &'l RwLock<Shared<'s, 'a>>,
    team: &'l Team<'w, Look<'a>>,
    all: Vec<Look<'a>>,
    /// Those of the observer's states that are looked at.
    states: Vec<StateId>,
    /// Where the words lie that each part found new in the last groups, and how many nodes they have.
    extents: Vec<Extent>,
    nodes: usize,
    /// How much work each had meanwhile to look ahead.
    ahead: Vec<usize>,
    /// How many states were guessed to be asked for next, and how many of them were.
    guessed: (usize, usize),
}

impl<'l, 's, 'w, 'a> Looks<'l, 's, 'w, 'a> {
    fn new(shared: &'l RwLock<Shared<'s, 'a>>, team: &'l Team<'w, Look<'a>>, parts: Vec<Part>) -> Self {
        let game = &mut write(shared).game;
        let all = parts.into_iter().map(|part| Look::new(game, part)).collect();
        let (states, extents, ahead) = (Vec::new(), Vec::new(), Vec::new());
        Self { shared, team, all, states, extents, nodes: 0, ahead, guessed: (0, 0) }
    }

    /// The parts of those who have any.
    fn parts(self) -> Vec<Part> {
        let Shared { search, game } = &mut *write(self.shared);
        let mut parts: Vec<Part> = self.all.into_iter().map(|look| look.leave(game)).collect();
        parts.truncate(search.deal.parts());
        // Whoever comes next finds what it left.
        game.rooms.reverse();
        parts
    }

    /// Looks at wave after wave until it took that much or there are no more; tells whether there are no more.
    fn run(&mut self, most: usize) -> Result<bool, Limit> {
        loop {
            let mut own = write(self.shared);
            let Shared { search, game } = &mut *own;
            if search.wave.is_empty() {
                return Ok(true);
            }
            if search.at == search.wave.len() {
                let (deal, all) = (std::mem::replace(&mut search.deal, Deal::one()), &mut self.all);
                let all = &mut all[..deal.parts()];
                search.go_deeper(game, |observer| {
                    all.iter_mut().any(|look| look.part.has_fresh(&deal, observer))
                });
                search.deal = deal;
                continue;
            }
            if search.looked >= most {
                return Ok(false);
            }
            drop(own);
            self.deal_out();
            let groups = self.next_groups();
            self.expand();
            self.cut();
            self.step(groups);
            self.hand_over();
            self.count();
            let Shared { search, game } = &*read(self.shared);
            game.poll("exploring the game", 64 * self.states.len() + 4 * self.nodes, search.explored)?;
        }
    }

    /// Deals nodes out to as many as there may be, once there are enough of them.
    fn deal_out(&mut self) {
        let Shared { search, game } = &mut *write(self.shared);
        let count = self.most();
        if search.deal.parts() > 1
            || count < 2
            || search.looked < worth(DEAL).max(worth(game.robot.graph.len() / STATES))
        {
            return;
        }
        // From now on nobody has to look first.
        game.forwards.prepare_all(game.threads);
        // Where there is little to look ahead for, everybody has whole groups.
        let alike = search.learnt < search.looked / WORD * MEMBERS_PER_WORD / LITTLE;
        let deal = Deal::out(count, if alike { count } else { count / 2 });
        let whole = std::mem::take(&mut self.all[0].part);
        self.all.resize_with(self.all.len().max(count), || Look::new(game, Part::default()));
        for (look, part) in self.all.iter_mut().zip(whole.deal_out(&deal)) {
            look.part = part;
        }
        search.deal = deal;
    }

    /// Turns to the next groups of the wave.
    fn next_groups(&mut self) -> Range<usize> {
        let search = &mut write(self.shared).search;
        let begin = search.at;
        search.at = search.wave.len().min(begin + BLOCK);
        self.states.clear();
        self.states.extend(search.wave[begin..search.at].iter().map(|&observer| StateId(observer)));
        begin..search.at
    }

    /// How many words are new in the groups: about as many as were before.
    fn words(&self) -> usize {
        self.extents.iter().map(|extent| extent.words).sum::<usize>().max(self.states.len())
    }

    /// Cuts groups that are large, and those that they lead to.
    fn cut(&mut self) {
        let Shared { search, game } = &mut *write(self.shared);
        let (words, count) = (self.words(), search.deal.parts());
        if count == 1 || words < worth(NODES) * count || words / self.states.len() < worth(LARGE) {
            return;
        }
        // Who looks ahead meanwhile follows less.
        let all = words * MEMBERS_PER_WORD + self.ahead.iter().sum::<usize>();
        let ahead = |part: usize| self.ahead.get(part).copied().unwrap_or(0);
        let shares: Vec<usize> = (0..count).map(|part| (all / count).saturating_sub(ahead(part))).collect();
        let cuts = search.deal.cuts(&cuts(self.extents.clone(), &shares));
        let mut parts: Vec<&mut Part> = self.all[..count].iter_mut().map(|look| &mut look.part).collect();
        for &from in &self.states {
            let fresh: usize = parts.iter_mut().map(|part| part.fresh_words(&search.deal, from.0)).sum();
            if fresh >= worth(LARGE) && !search.deal.is_cut(from.0) {
                search.deal.cut(from.0, cuts, &mut parts);
            }
            let kept = |to: &StateId| game.tracker().course(*to).is_kept();
            for to in game.tracker().known_successors(from).iter().map(|&(_, to)| to).filter(kept) {
                if !search.deal.is_cut(to.0) && parts.iter_mut().all(|part| part.has_none(&search.deal, to.0))
                {
                    search.deal.cut(to.0, cuts, &mut parts);
                }
            }
        }
    }

    /// Takes out what is new in some groups, follows it, and looks ahead.
    fn step(&mut self, groups: Range<usize>) {
        let count = {
            let Shared { search, game } = &*read(self.shared);
            let (deal, observers) = (&search.deal, game.tracker().len());
            let parts = &mut self.all[..deal.parts()];
            parts.iter_mut().for_each(|look| look.part.make_room(deal, observers));
            deal.parts()
        };
        let (words, most) = (self.words(), self.most());
        self.all.iter_mut().for_each(|look| look.unknown.clear());
        self.ahead.clear();
        let guesses = if most > 1 { self.guess() } else { Vec::new() };
        let task = Task::Step(groups);
        if (words * MEMBERS_PER_WORD).min(work(&guesses)) >= worth(MEMBERS) {
            self.guessed.0 += guesses.len();
            self.share_guesses(&guesses, words);
            self.all.iter_mut().for_each(|look| look.task = task.clone());
            self.round(most);
        } else {
            self.all_do(&task, words, NODES);
        }
        if self.all[..count].iter().any(|look| look.waits) {
            self.prepare(count);
            self.all_do(&Task::Follow, words, NODES);
        }
    }

    /// Looks at the arcs of those words that some parts wait for.
    fn prepare(&mut self, parts: usize) {
        let forwards = &mut write(self.shared).game.forwards;
        let unprepared = self.all[..parts].iter().flat_map(Look::unprepared);
        unprepared.for_each(|&word| forwards.prepare(word));
    }

    /// Has those look ahead who have the least to follow.
    fn share_guesses(&mut self, guesses: &[Unknown], words: usize) {
        let most = self.most();
        self.have(most);
        let all = self.extents.iter().map(|extent| extent.words).sum::<usize>().max(1);
        let own = |part: usize| self.extents.get(part).map_or(0, |extent| extent.words * words / all);
        let mut work: Vec<usize> = (0..most).map(|part| own(part) * MEMBERS_PER_WORD).collect();
        self.ahead.resize(most, 0);
        for guess in guesses {
            let least = (0..most).rev().min_by_key(|&part| work[part]).unwrap_or(0);
            work[least] += guess.work;
            self.ahead[least] += guess.work;
            self.all[least].unknown.push(*guess);
        }
    }

    /// Hands over what was found for others, who keep it.
    fn hand_over(&mut self) {
        let count = read(self.shared).search.deal.parts();
        if count > 1 {
            hand_over(self.all[..count].iter_mut().map(|look| &mut look.part));
            let handed = self.all[..count].iter().map(|look| look.part.handed()).sum();
            self.all_do(&Task::Receive, handed, HANDED);
        }
    }

    /// Counts what was seen, and takes note of what is new.
    fn count(&mut self) {
        let search = &mut write(self.shared).search;
        let looks = &mut self.all[..search.deal.parts()];
        for look in &mut *looks {
            look.report(&mut search.next_wave, &mut search.beyond, &mut search.stops);
        }
        self.extents.clear();
        self.extents.extend(looks.iter().map(|look| look.extent()));
        self.nodes = 0;
        let mut seen: Vec<_> = looks.iter().map(|look| look.seen().iter().peekable()).collect();
        for &StateId(observer) in &self.states {
            let own = seen.iter_mut().filter_map(|seen| seen.next_if(|seen| seen.observer == observer));
            let (words, nodes) = own.fold((0, 0), |sum, seen| (sum.0 + seen.words, sum.1 + seen.nodes));
            search.looked += nodes.min(WORD * words);
            self.nodes += nodes;
        }
        let again = search.again.min(self.nodes);
        search.again -= again;
        search.explored += self.nodes - again;
    }

    /// How many may look at a time.
    fn most(&self) -> usize {
        self.team.pieces(usize::MAX, 1)
    }

    /// Has the first so many do their tasks, together.
    fn round(&mut self, count: usize) {
        let rest = self.all.split_off(count);
        self.team.round(&mut self.all);
        self.all.extend(rest);
    }

    /// Finds where the observer's states lead whose groups are looked at.
    fn expand(&mut self) {
        let (most, words) = (self.most(), read(self.shared).game.tracker().words());
        if most > 1 {
            let unknown = read(self.shared).game.tracker().unknown(&self.states);
            write(self.shared).search.learnt += work(&unknown);
            let count = self.team.pieces(work(&unknown), MEMBERS);
            if count > 1 && unknown.len() >= FEW * count {
                self.all.iter_mut().for_each(|look| look.ahead().clear());
                unknown
                    .chunks((ROOM / words.max(1)).max(1))
                    .for_each(|some| self.expand_together(some, count));
            } else {
                let game = &mut write(self.shared).game;
                for one in &unknown {
                    let looked = self.all.iter_mut().map(Look::ahead);
                    self.guessed.1 += usize::from(game.find(one, looked));
                }
            }
            self.all.iter_mut().for_each(|look| look.ahead().clear());
        }
        let game = &mut write(self.shared).game;
        self.states.iter().for_each(|&state| game.expand(state));
    }

    /// Has several find where some of the observers' states lead.
    fn expand_together(&mut self, some: &[Unknown], count: usize) {
        let shares: Vec<_> = shares(some, count).collect();
        self.have(shares.len());
        for (look, share) in self.all.iter_mut().zip(&shares) {
            look.task = Task::Ahead;
            look.unknown = share.to_vec();
        }
        self.round(shares.len());
        let game = &mut write(self.shared).game;
        self.all[..shares.len()].iter_mut().for_each(|look| game.write_down(look.ahead()));
    }

    /// Has so many there, who may have no part.
    fn have(&mut self, count: usize) {
        let game = &mut write(self.shared).game;
        self.all.resize_with(self.all.len().max(count), || Look::new(game, Part::default()));
    }

    /// States of the observers that may well be asked for next, if they are few: those of the groups that follow in this wave, or what
    /// these groups lead to.
    fn guess(&self) -> Vec<Unknown> {
        let Shared { search, game } = &*read(self.shared);
        let (most, (guessed, right)) = (FEW * self.most(), self.guessed);
        // Guesses of which most are vain are given up.
        if guessed >= GUESSES && right < guessed / 2 {
            return Vec::new();
        }
        let tracker = game.tracker();
        let next: Vec<StateId> = match &search.wave[search.at..] {
            [] => {
                let next = self.states.iter().flat_map(|&state| tracker.known_successors(state));
                let kept = next.map(|&(_, to)| to).filter(|&to| tracker.course(to).is_kept());
                kept.filter(|&to| game.is_new(to)).take(most + 1).collect()
            }
            wave => wave[..wave.len().min(BLOCK)].iter().map(|&observer| StateId(observer)).collect(),
        };
        let unknown = tracker.unknown(&next);
        if unknown.len() > most { Vec::new() } else { unknown }
    }

    /// Has everybody who has a part do something, together if so much work is worth it.
    fn all_do(&mut self, task: &Task, work: usize, each: usize) {
        let count = read(self.shared).search.deal.parts();
        let looks = &mut self.all[..count];
        looks.iter_mut().for_each(|look| look.task = task.clone());
        if count > 1 && self.team.pieces(work, each) >= count {
            return self.round(count);
        }
        let Shared { search, game } = &*read(self.shared);
        looks.iter_mut().for_each(|look| look.work(search, game));
    }
}

/// How much work it takes to find where states lead.
fn work(unknown: &[Unknown]) -> usize {
    unknown.iter().map(|one| one.work).sum()
}

fn read<'l, 's, 'a>(shared: &'l RwLock<Shared<'s, 'a>>) -> RwLockReadGuard<'l, Shared<'s, 'a>> {
    shared.read().unwrap_or_else(PoisonError::into_inner)
}

fn write<'l, 's, 'a>(shared: &'l RwLock<Shared<'s, 'a>>) -> RwLockWriteGuard<'l, Shared<'s, 'a>> {
    shared.write().unwrap_or_else(PoisonError::into_inner)
}
