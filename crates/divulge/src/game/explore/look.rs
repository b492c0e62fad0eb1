//! Groups of nodes that are looked at: what is new in them, and where it leads.

use std::{
    ops::Range,
    sync::{Mutex, PoisonError},
};

use super::{
    Exploration,
    beyond::{Beyond, KeptOut},
};
use crate::{
    game::arena::{Arena, BARRED, View},
    observer::{Ahead, Unknown},
    sets::{NodeSet, Word},
};

/// A word of nodes takes as long to follow as this many nodes by themselves.
const WORD: usize = 4;

/// The nodes with one of the observer's states.
#[derive(Default)]
pub(super) struct Group {
    pub nodes: NodeSet,
    /// How many events the first of them is from the start.
    pub depth: u32,
}

/// What is new in some groups.
#[derive(Default)]
pub(super) struct Seen {
    /// The observer's states, and where the words of each end.
    groups: Vec<(u32, usize)>,
    words: Vec<Word>,
    nodes: usize,
    effort: usize,
}

impl Seen {
    pub fn clear(&mut self) {
        self.groups.clear();
        self.words.clear();
        (self.nodes, self.effort) = (0, 0);
    }

    /// Takes out what is new in a group.
    pub fn add(&mut self, observer: u32, nodes: &mut NodeSet) {
        let first = self.words.len();
        nodes.take_fresh(&mut self.words);
        let words = &self.words[first..];
        let count: usize = words.iter().map(|word| word.bits.count_ones() as usize).sum();
        self.nodes += count;
        self.effort += count.min(WORD * words.len());
        self.groups.push((observer, self.words.len()));
    }

    /// How many nodes there are.
    pub fn nodes(&self) -> usize {
        self.nodes
    }

    /// How much it takes to follow them, in nodes.
    pub fn effort(&self) -> usize {
        self.effort
    }

    /// Their words.
    pub fn words(&self) -> &[Word] {
        &self.words
    }

    /// The observer's states.
    pub fn observers(&self) -> impl Iterator<Item = u32> {
        self.groups.iter().map(|&(observer, _)| observer)
    }

    /// How many of these there are.
    pub fn groups(&self) -> usize {
        self.groups.len()
    }

    /// Some of the groups: the observer's state and the words of each.
    fn some(&self, which: Range<usize>) -> impl Iterator<Item = (u32, &[Word])> {
        let end = |group: usize| self.groups[group].1;
        which.map(move |group| {
            let begin = group.checked_sub(1).map_or(0, end);
            (self.groups[group].0, &self.words[begin..end(group)])
        })
    }

    /// All groups in so many shares of about as many words.
    pub fn shares(&self, count: usize) -> impl Iterator<Item = Range<usize>> {
        let first = move |share: usize| match share {
            0 => 0,
            _ if share == count => self.groups.len(),
            _ => self.groups.partition_point(|&(_, end)| end <= self.words.len() * share / count),
        };
        (0..count).map(move |share| first(share)..first(share + 1))
    }
}

/// What somebody is to do.
#[derive(Clone)]
pub(super) enum Task {
    /// Find out where these of the observer's states lead.
    Expand(Vec<Unknown>),
    /// Follow what is new in these groups.
    Follow(Range<usize>),
}

/// Somebody who looks at groups, and what was found.
pub(super) struct Look<'a> {
    pub task: Task,
    view: View<'a>,
    ahead: Ahead,
    kept_out: KeptOut,
    next_wave: Vec<u32>,
    stops: bool,
}

impl<'a> Look<'a> {
    pub fn new(game: &Arena<'a>) -> Self {
        Self {
            task: Task::Follow(0..0),
            view: game.view().clone(),
            ahead: Ahead::default(),
            kept_out: KeptOut::default(),
            next_wave: Vec::new(),
            stops: false,
        }
    }

    /// Does what it is to do, while others do the same.
    pub fn work(&mut self, search: &Exploration, game: &Arena<'a>) {
        match &self.task {
            Task::Expand(states) => game.tracker().look_ahead(states, &mut self.ahead),
            Task::Follow(which) => {
                let which = which.clone();
                self.follow(&search.seen, which, &search.beyond, game, Shared(&search.groups));
            }
        }
    }

    /// Follows all that is new, alone.
    pub fn follow_alone(&mut self, search: &mut Exploration, game: &Arena<'a>) {
        let Exploration { seen, beyond, groups, .. } = search;
        self.follow(seen, 0..seen.groups(), beyond, game, Own(groups));
    }

    /// Writes down where the observer's states lead.
    pub fn write_down(&mut self, game: &mut Arena<'_>) {
        game.write_down(&mut self.ahead);
    }

    /// Tells what was found in groups.
    pub fn report(&mut self, next_wave: &mut Vec<u32>, beyond: &mut Beyond, stops: &mut bool) {
        next_wave.append(&mut self.next_wave);
        beyond.keep_out(&mut self.kept_out);
        *stops |= self.stops;
    }

    fn follow(
        &mut self,
        seen: &Seen,
        which: Range<usize>,
        beyond: &Beyond,
        game: &Arena<'_>,
        groups: impl Groups,
    ) {
        let Self { view, kept_out, next_wave, stops, .. } = self;
        let mut step = Step { game, beyond, kept_out, next_wave, groups, view };
        for (observer, words) in seen.some(which) {
            let count = words.iter().map(|word| word.bits.count_ones() as usize).sum();
            step.view.turn_to(game.tracker(), observer, count);
            for &word in words {
                *stops |= step.look(word);
            }
        }
    }
}

/// Groups that nodes are added to.
trait Groups {
    /// Gives one of them.
    fn with(&mut self, observer: u32, add: impl FnOnce(&mut Group));
}

/// Groups that nobody else adds to.
struct Own<'g>(&'g mut [Mutex<Group>]);

impl Groups for Own<'_> {
    fn with(&mut self, observer: u32, add: impl FnOnce(&mut Group)) {
        add(self.0[observer as usize].get_mut().unwrap_or_else(PoisonError::into_inner));
    }
}

/// Groups that others add to as well.
struct Shared<'g>(&'g [Mutex<Group>]);

impl Groups for Shared<'_> {
    fn with(&mut self, observer: u32, add: impl FnOnce(&mut Group)) {
        add(&mut self.0[observer as usize].lock().unwrap_or_else(PoisonError::into_inner));
    }
}

/// A look from one of the observer's states.
struct Step<'s, 'a, G> {
    game: &'s Arena<'s>,
    beyond: &'s Beyond,
    view: &'s mut View<'a>,
    kept_out: &'s mut KeptOut,
    next_wave: &'s mut Vec<u32>,
    groups: G,
}

impl<G: Groups> Step<'_, '_, G> {
    /// Follows some nodes; tells whether the robot may stop at any.
    fn look(&mut self, word: Word) -> bool {
        let (game, at) = (self.game, word.number as usize);
        let stops = if self.view.may_end() { word.bits & game.robot.goal.words()[at] } else { 0 };
        let goes_on = word.bits & !stops;
        let chooses = goes_on & game.choices[at];
        let lost = game.robot.lost.words().get(at).copied().unwrap_or(0);
        let suffers = goes_on & !chooses & !lost;
        if game.forwards.together(word) {
            self.go_together(Word { bits: chooses, ..word }, Word { bits: suffers, ..word });
        } else {
            for robot in (Word { bits: chooses | suffers, ..word }).members() {
                self.go(robot, chooses >> (robot % 64) & 1 == 1);
            }
        }
        stops != 0
    }

    /// Follows the arcs of one state.
    fn go(&mut self, robot: u32, chooses: bool) {
        let (game, beyond) = (self.game, self.beyond);
        let rank = &game.robot.rank;
        let ends = game.forwards.ends(robot);
        if !chooses {
            if ends.iter().any(|&(image, _)| self.view.after(game.tracker(), image) == BARRED) {
                return;
            }
            // What a goal vertex that must go on leads to may be out of reach.
            let mut out_of_reach = false;
            for &(_, to) in ends {
                out_of_reach |= beyond.within(Word::of(to), rank, self.kept_out) == 0;
            }
            if out_of_reach {
                return;
            }
        }
        for &(image, to) in ends {
            let observer = self.view.after(game.tracker(), image);
            if observer != BARRED && (!chooses || beyond.within(Word::of(to), rank, self.kept_out) != 0) {
                self.add(observer, |nodes| nodes.insert(to, game.robot.graph.len()));
            }
        }
    }

    /// Follows the arcs of sixty-four states at once: some where the robot chooses and some where all arcs must do.
    fn go_together(&mut self, chooses: Word, mut suffers: Word) {
        let (game, beyond) = (self.game, self.beyond);
        let (moves, rank) = (&game.forwards, &game.robot.rank);
        if suffers.bits != 0 {
            let mut barred = 0;
            moves.follow(suffers, |piece| {
                if self.view.after(game.tracker(), piece.image) == BARRED {
                    barred |= piece.from(piece.to.bits);
                }
            });
            suffers.bits &= !barred;
            suffers.bits &= !beyond.any(moves, suffers, rank, self.kept_out);
        }
        moves.follow(Word { bits: chooses.bits | suffers.bits, ..chooses }, |piece| {
            let to = self.view.after(game.tracker(), piece.image);
            if to == BARRED {
                return;
            }
            let bits = beyond.within(piece.to, rank, self.kept_out);
            if bits != 0 {
                let word = Word { bits, ..piece.to };
                self.add(to, |nodes| nodes.insert_word(word, game.robot.graph.len()));
            }
        });
    }

    /// Adds nodes to the group of one of the observer's states.
    fn add(&mut self, observer: u32, add: impl FnOnce(&mut NodeSet)) {
        let Self { groups, next_wave, beyond, .. } = self;
        groups.with(observer, |group| {
            if !group.nodes.has_fresh() {
                next_wave.push(observer);
            }
            if group.nodes.is_empty() {
                group.depth = beyond.depth();
            }
            add(&mut group.nodes);
        });
    }
}
