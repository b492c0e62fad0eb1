//! Groups of nodes that are looked at: what is new in them, and where it leads.

use std::ops::Range;

use super::{
    Exploration,
    beyond::{Beyond, KeptOut},
    cuts::Extent,
    parts::{Deal, Part},
};
use crate::{
    game::arena::{Arena, BARRED, View},
    graph::Moves,
    observer::{Ahead, Unknown},
    sets::Word,
};

/// What is new in some groups of a part.
#[derive(Default)]
struct Seen {
    groups: Vec<SeenGroup>,
    words: Vec<Word>,
    /// Those words whose arcs nobody has looked at often.
    unprepared: Vec<Word>,
}

/// What is new in a group.
#[derive(Clone, Copy)]
pub(super) struct SeenGroup {
    pub observer: u32,
    pub nodes: usize,
    /// How many words that are, and where they end.
    pub words: usize,
    end: usize,
}

/// What somebody is to do.
#[derive(Clone)]
pub(super) enum Task {
    /// Take out what is new in these groups of the wave and follow that, unless some of it is unprepared; and look ahead.
    Step(Range<usize>),
    /// Follow what was taken out.
    Follow,
    /// Look ahead.
    Ahead,
    /// Keep what others have found.
    Receive,
}

/// Somebody who looks at groups, and what was found.
pub(super) struct Look<'a> {
    pub task: Task,
    pub part: Part,
    seen: Seen,
    /// Whether what was taken out is still to be followed.
    pub waits: bool,
    view: View<'a>,
    /// States of observers of which it is to find out where they lead, and what it found.
    pub unknown: Vec<Unknown>,
    ahead: Ahead,
    kept_out: KeptOut,
    fresh: Vec<u32>,
    stops: bool,
}

impl<'a> Look<'a> {
    pub fn new(game: &mut Arena<'a>, part: Part) -> Self {
        Self {
            task: Task::Follow,
            part,
            seen: Seen::default(),
            waits: false,
            view: game.view().clone(),
            unknown: Vec::new(),
            ahead: game.rooms.pop().unwrap_or_default(),
            kept_out: KeptOut::default(),
            fresh: Vec::new(),
            stops: false,
        }
    }

    /// What is new in the groups that it took something out of, in order.
    pub fn seen(&self) -> &[SeenGroup] {
        &self.seen.groups
    }

    /// Where the words lie in which it found something new.
    pub fn extent(&self) -> Extent {
        Extent::of(&self.seen.words)
    }

    /// Words with something new whose arcs nobody has looked at often.
    pub fn unprepared(&self) -> &[Word] {
        &self.seen.unprepared
    }

    /// Takes out what is new in some groups, instead of what was.
    fn take(&mut self, deal: &Deal, observers: &[u32], moves: &Moves<'_>) {
        let Seen { groups, words, unprepared } = &mut self.seen;
        groups.clear();
        words.clear();
        unprepared.clear();
        for &observer in observers {
            let first = words.len();
            self.part.take_fresh(deal, observer, words);
            let new = &words[first..];
            if !new.is_empty() {
                let nodes = new.iter().map(|word| word.bits.count_ones() as usize).sum();
                groups.push(SeenGroup { observer, nodes, words: new.len(), end: words.len() });
            }
        }
        unprepared.extend(words.iter().filter(|word| !moves.is_prepared(word.number)));
        self.waits = !unprepared.is_empty();
    }

    /// Does what it is to do, while others do the same.
    pub fn work(&mut self, search: &Exploration, game: &Arena<'a>) {
        match &self.task {
            Task::Step(groups) => {
                self.take(&search.deal, &search.wave[groups.clone()], &game.forwards);
                if !self.waits {
                    self.follow(&search.deal, &search.beyond, game);
                }
                game.tracker().look_ahead(&self.unknown, &mut self.ahead);
            }
            Task::Follow if self.waits => self.follow(&search.deal, &search.beyond, game),
            Task::Follow => {}
            Task::Ahead => game.tracker().look_ahead(&self.unknown, &mut self.ahead),
            Task::Receive => self.part.receive(&search.deal, &search.beyond, &mut self.fresh),
        }
    }

    /// Leaves what it looks after, and what it knows of the observer's arcs to others.
    pub fn leave(self, game: &mut Arena<'a>) -> Part {
        game.rooms.push(self.ahead);
        self.part
    }

    /// What it found when it looked ahead.
    pub fn ahead(&mut self) -> &mut Ahead {
        &mut self.ahead
    }

    /// Tells what was found in groups.
    pub fn report(&mut self, next_wave: &mut Vec<u32>, beyond: &mut Beyond, stops: &mut bool) {
        next_wave.append(&mut self.fresh);
        beyond.keep_out(&mut self.kept_out);
        *stops |= self.stops;
    }

    fn follow(&mut self, deal: &Deal, beyond: &Beyond, game: &Arena<'_>) {
        let Self { part, seen, waits, view, kept_out, fresh, stops, .. } = self;
        *waits = false;
        let mut step = Step { game, deal, beyond, kept_out, fresh, part, view };
        let mut first = 0;
        for &SeenGroup { observer, nodes, end, .. } in &seen.groups {
            let words = &seen.words[first..end];
            first = end;
            step.view.turn_to(game.tracker(), observer, nodes);
            step.part.turn_to(words.len());
            for &word in words {
                *stops |= step.look(word);
                step.beyond.edge(observer, word, step.kept_out);
            }
        }
    }
}

/// A look from one of the observer's states.
struct Step<'s, 'a> {
    game: &'s Arena<'s>,
    deal: &'s Deal,
    beyond: &'s Beyond,
    view: &'s mut View<'a>,
    kept_out: &'s mut KeptOut,
    fresh: &'s mut Vec<u32>,
    part: &'s mut Part,
}

impl Step<'_, '_> {
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
                self.add(observer, Word::of(to));
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
                self.add(to, Word { bits, ..piece.to });
            }
        });
    }

    /// Adds nodes to the group of one of the observer's states.
    fn add(&mut self, observer: u32, word: Word) {
        self.part.add(self.deal, self.beyond, observer, word, self.fresh);
    }
}
