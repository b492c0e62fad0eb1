//! Looking ahead: a strategy sought depth first, within as few events as could do.
//!
//! *Background.* Exploring all that a budget of events lets in is what it takes to show that no strategy keeps to it. Where many
//! do, one of them is found sooner by following what seems best: the actions that leave the fewest events in the world alone.
//!
//! *Practical.* [`LookAhead::look`] takes a number of steps and remembers what it found, so it can be asked again. It begins with the
//! events that any strategy needs, and takes more only when it has shown that these are too few. So what it finds is shortest.

use rustc_hash::FxHashMap;

use crate::{
    game::{
        Strategy,
        arena::{Arena, Node, Turn},
        read_off,
    },
    limit::{Limit, Team, with_team},
    observer::Part,
    problem::Label,
};

/// More events than there can be.
const NEVER: u32 = u32::MAX;

/// A search that goes on where it was when it stopped.
pub(crate) struct LookAhead {
    /// No strategy needs fewer events than this.
    least: u32,
    known: FxHashMap<Node, Known>,
    /// The nodes that are being decided, each after the one it follows.
    open: Vec<Open>,
    /// What is still to be looked at of the open nodes, those of a node next to each other, the next one last.
    arcs: Vec<(Label, Node)>,
}

/// What is known of a node.
#[derive(Clone, Copy)]
struct Known {
    /// Stopping can be forced within so many events, beginning with `label` where there is a choice.
    won: u32,
    label: Label,
    /// It takes at least so many.
    needs: u32,
}

/// A node that is being decided.
struct Open {
    node: Node,
    /// How many events are left.
    left: u32,
    chooses: bool,
    /// Where its arcs begin.
    arcs: usize,
    /// Of those of its successors that were looked at: if it may choose, how many events the best of them needs at least; else
    /// within how many stopping can be forced at the worst of them.
    after: u32,
}

impl LookAhead {
    /// A search at its start; no strategy needs fewer than `least` events.
    pub fn new(least: u32) -> Self {
        Self { least, known: FxHashMap::default(), open: Vec::new(), arcs: Vec::new() }
    }

    /// How many nodes were looked at.
    pub fn len(&self) -> usize {
        self.known.len()
    }

    /// No strategy needs fewer events than this.
    pub fn at_least(&mut self, least: u32) {
        if least > self.least {
            self.least = least;
            self.open.clear();
            self.arcs.clear();
        }
    }

    /// Goes on for so many steps, or until all is known of strategies of at most `budget` events; tells what
    /// [`outcome`](Self::outcome) does. `explored` nodes were looked at elsewhere.
    pub fn look<'a>(
        &mut self,
        game: &mut Arena<'a>,
        budget: u32,
        steps: usize,
        explored: usize,
    ) -> Result<Option<bool>, Limit> {
        with_team(game.threads, Part::find, |team| self.led(game, budget, steps, explored, team))
    }

    fn led<'a>(
        &mut self,
        game: &mut Arena<'a>,
        budget: u32,
        steps: usize,
        explored: usize,
        team: &Team<'_, Part<'a>>,
    ) -> Result<Option<bool>, Limit> {
        let start = game.first();
        for _ in 0..steps {
            game.poll("looking ahead", 4, explored + self.known.len())?;
            if !self.open.is_empty() {
                self.step(game, team);
                continue;
            }
            match self.verdict(game, start, self.least) {
                _ if self.least > budget => break,
                Ok(_) => break,
                Err(Some(needs)) => self.least = needs,
                Err(None) => self.enter(game, start, self.least, team),
            }
        }
        Ok(self.outcome(game))
    }

    /// Whether there is a strategy, if that was found out; if there is, a shortest one was found.
    pub fn outcome(&self, game: &Arena<'_>) -> Option<bool> {
        if self.least == NEVER {
            return Some(false);
        }
        self.verdict(game, game.first(), self.least).is_ok().then_some(true)
    }

    /// Within how many events stopping can be forced there, if that is known and they are no more than `left`; or how many it
    /// needs at least, if that is known and they are more.
    fn verdict(&self, game: &Arena<'_>, node: Node, left: u32) -> Result<u32, Option<u32>> {
        let known = self.known.get(&node);
        let needs = game.robot.rank[node.1 as usize].max(known.map_or(0, |known| known.needs));
        match known {
            _ if needs > left => Err(Some(needs)),
            Some(known) if known.won <= left => Ok(known.won),
            _ => Err(None),
        }
    }

    /// Looks at the next arc of the node that was entered last, or decides it.
    fn step<'a>(&mut self, game: &mut Arena<'a>, team: &Team<'_, Part<'a>>) {
        let Some(&Open { left, chooses, arcs, after, .. }) = self.open.last() else { return };
        let Some(&(label, to)) = self.arcs[arcs..].last() else {
            // Nothing is left to choose, or all that may happen was won.
            let one_more = after.saturating_add(1);
            return self.decide(if chooses { Err(one_more) } else { Ok((one_more, Label(0))) });
        };
        let after = match self.verdict(game, to, left - 1) {
            Err(None) => return self.enter(game, to, left - 1, team),
            Ok(won) if chooses => return self.decide(Ok((won + 1, label))),
            Err(Some(needs)) if !chooses => return self.decide(Err(needs.saturating_add(1))),
            Ok(won) => after.max(won),
            Err(Some(needs)) => after.min(needs),
        };
        self.arcs.pop();
        if let Some(open) = self.open.last_mut() {
            open.after = after;
        }
    }

    /// Begins to decide a node, with so many events left; or decides it, if that takes no looking ahead.
    fn enter<'a>(&mut self, game: &mut Arena<'a>, node: Node, left: u32, team: &Team<'_, Part<'a>>) {
        game.look_together(node.0, 1, team);
        let arcs = self.arcs.len();
        let turn = game.turn(node.1);
        let chooses = matches!(turn, Turn::Choose);
        self.open.push(Open { node, left, chooses, arcs, after: if chooses { NEVER } else { 0 } });
        match turn {
            Turn::Stop => return self.decide(Ok((0, Label(0)))),
            Turn::Lost => return self.decide(Err(NEVER)),
            Turn::Choose | Turn::Suffer => {}
        }
        self.arcs.extend(game.arcs(node.1).map(|(label, observer, robot)| (label, (observer, robot))));
        // What seems best is chosen first, what seems worst must do first.
        let rank = |&(_, (_, robot)): &(Label, Node)| game.robot.rank[robot as usize];
        let own = &mut self.arcs[arcs..];
        game.counted += own.len() as u64;
        if chooses {
            own.reverse();
            own.sort_by_key(|arc| std::cmp::Reverse(rank(arc)));
        } else {
            own.sort_by_key(rank);
        }
        match (own.is_empty(), left) {
            (true, _) => self.decide(Err(NEVER)),
            (false, 0) => self.decide(Err(1)),
            _ => {}
        }
    }

    /// Writes down what was found out of the node that was entered last: within how many events stopping can be forced and how to
    /// begin, or how many more than are left it needs at least.
    fn decide(&mut self, outcome: Result<(u32, Label), u32>) {
        let Some(Open { node, arcs, .. }) = self.open.pop() else { return };
        self.arcs.truncate(arcs);
        let known = self.known.entry(node).or_insert(Known { won: NEVER, label: Label(0), needs: 0 });
        match outcome {
            // A way back to this node may have been decided meanwhile, with fewer events left. What is won sooner stays, so that every
            // way leads to where it takes fewer events.
            Ok((won, label)) if won < known.won => (known.won, known.label) = (won, label),
            Ok(_) => {}
            Err(needs) => known.needs = needs,
        }
    }

    /// The strategy that was found. It gets on: what follows a node is won within fewer events.
    pub fn strategy(&self, game: &mut Arena<'_>) -> Strategy {
        read_off::follow(game, |node| self.known[&node].label, |best, label, _| *best == label)
    }
}
