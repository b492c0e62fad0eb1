//! Joining branches of a strategy from which the same can follow.
//!
//! *Background.* A strategy is read off place by place, so that one branch may stop sooner than another from which nearly the same follows.
//! Wherever the longer branch could be followed too, and that makes the worst case no worse, one of them is enough. A vertex of the plan takes the
//! place of another if everything that may happen from there on is foreseen, in all the places in which the other is visited.
//!
//! *Practical.* [`joined`] tries pairs of vertices from the start on, so that long branches are joined before their parts. [`Places`] is what the
//! robot moves on: the arena, where all that counts is known of a place, or the expanded world, where what is
//! joined is checked as a whole. Effort is bounded, by counting: the same is joined however long it takes.

mod places;
mod program;

pub(crate) use places::{InArena, InWorld, Places};

use rustc_hash::FxHashMap;

use crate::{
    expansion::Expansion,
    game::strategy::Strategy,
    verdict::{QuestionError, WorstCase},
};
use program::Program;

/// How much is looked at in all.
const EFFORT: u64 = 1 << 18;

/// Whoever has tried in vain this often, one pair of vertices after the other, gives up.
const IN_VAIN: u64 = 1 << 11;

/// Nobody reads a plan that is visited in more places than this: it stays as it is.
const MANY: usize = 1 << 14;

/// Whether a strategy keeps what must be kept; `None` if no more are to be tried.
pub(crate) type Holds = Result<Option<bool>, QuestionError>;

/// The strategy with all branches joined that were found to go together, as far as `holds` tells. Where a limit is hit, it stays as it is by then.
pub(crate) fn joined<P: Places>(
    strategy: Strategy,
    expansion: &Expansion,
    costs: &[u64],
    places: &mut P,
    mut holds: impl FnMut(&Strategy) -> Holds,
) -> Result<Strategy, QuestionError> {
    if strategy.nodes().len() > MANY {
        return Ok(strategy);
    }
    let program = Program::new(&strategy, expansion, costs, places);
    let known = places.effort();
    let worst = program.worst_case();
    let mut joining = Joining {
        program,
        places,
        worst,
        known,
        effort: 0,
        decided: FxHashMap::default(),
        open: Vec::new(),
        joined: false,
    };
    match joining.run(expansion, costs, &mut holds) {
        // There is a plan, though it is not known what could be joined.
        Ok(()) | Err(QuestionError::Limit(_)) => {}
        Err(other) => return Err(other),
    }
    Ok(if joining.joined { joining.program.strategy(joining.places) } else { strategy })
}

struct Joining<'p, P> {
    program: Program,
    places: &'p mut P,
    /// What the worst case may be.
    worst: WorstCase,
    /// What it took to know the places that the strategy visits.
    known: u64,
    effort: u64,
    /// Whether the robot could go on from a place as it does at a vertex, as far as that was asked.
    decided: FxHashMap<(u32, u32), bool>,
    /// What is being decided, the last first.
    open: Vec<Open>,
    /// Whether anything was joined.
    joined: bool,
}

/// The vertices of a program, nearest to the start first.
struct Order {
    vertices: Vec<u32>,
    /// How many events may follow each, ascending, and where it stands among them.
    by_events: Vec<(u64, u32)>,
}

impl Order {
    fn new(program: &Program) -> Self {
        let vertices = program.breadth_first();
        let events = vertices.iter().map(|&vertex| program.events_after(vertex));
        let mut by_events: Vec<(u64, u32)> = events.zip(0..).collect();
        by_events.sort_unstable();
        Self { vertices, by_events }
    }

    /// Those that so many events may follow, at least and at most.
    fn within(&self, (least, most): (u64, u64)) -> &[(u64, u32)] {
        let first = self.by_events.partition_point(|&(events, _)| events < least);
        let count = self.by_events[first..].partition_point(|&(events, _)| events <= most);
        &self.by_events[first..first + count]
    }
}

/// A place and a vertex that are being decided, and how many of the vertex's arcs were looked at.
struct Open {
    at: u32,
    then: u32,
    looked: usize,
}

impl<P: Places> Joining<'_, P> {
    fn run(
        &mut self,
        expansion: &Expansion,
        costs: &[u64],
        holds: &mut impl FnMut(&Strategy) -> Holds,
    ) -> Result<(), QuestionError> {
        // Nothing leads to the start.
        let (mut order, mut at, mut changed, mut in_vain) = (Order::new(&self.program), 1, false, 0);
        while let Some(&vertex) = order.vertices.get(at) {
            let mut next = None;
            for other in self.candidates(vertex, &order) {
                in_vain += 1;
                if self.effort + self.places.effort() - self.known >= EFFORT || in_vain > IN_VAIN {
                    return Ok(());
                }
                if self.follows(vertex, other)? {
                    let fewer = self.program.redirected(vertex, other);
                    match holds(&fewer)? {
                        Some(true) => {
                            next = Some(fewer);
                            break;
                        }
                        Some(false) => {}
                        None => return Ok(()),
                    }
                }
            }
            match next {
                Some(fewer) => {
                    self.program = Program::new(&fewer, expansion, costs, self.places);
                    self.effort += self.program.size();
                    self.decided.clear();
                    (order, changed, in_vain, self.joined) = (Order::new(&self.program), true, 0, true);
                }
                None => at += 1,
            }
            // What could not be joined before may be now.
            if at == order.vertices.len() && changed {
                (at, changed) = (1, false);
            }
        }
        Ok(())
    }

    /// The vertices that may take the place of another as far as their own labels and lengths tell, nearest to the start first.
    fn candidates(&mut self, vertex: u32, order: &Order) -> Vec<u32> {
        let Self { program, places, worst, effort, .. } = self;
        let own = &program.vertices[vertex as usize];
        if own.terminal {
            return Vec::new();
        }
        let long_enough = order.within(program.may_follow(vertex, *worst));
        *effort += 1 + long_enough.len() as u64 / 16;
        let fits = |other: u32| {
            let there = &program.vertices[other as usize];
            other != vertex && there.kind == own.kind && program.costs_no_more(vertex, other, *worst)
        };
        let mut all: Vec<u32> =
            long_enough.iter().map(|&(_, at)| at).filter(|&at| fits(order.vertices[at as usize])).collect();
        if all.is_empty() {
            return all;
        }
        let place = places.place(program.visits[vertex as usize][0]);
        all.retain(|&at| program.vertices[order.vertices[at as usize] as usize].can_be_done(place));
        all.sort_unstable();
        all.iter_mut().for_each(|at| *at = order.vertices[*at as usize]);
        all
    }

    /// Whether, wherever one vertex is visited, the robot could go on at another.
    fn follows(&mut self, vertex: u32, other: u32) -> Result<bool, QuestionError> {
        for visit in 0..self.program.visits[vertex as usize].len() {
            if !self.goes_on(self.program.visits[vertex as usize][visit], other)? {
                return Ok(false);
            }
        }
        // What led back would go on for ever.
        let (back, looked) = self.program.leads(other, vertex);
        self.effort += looked;
        Ok(!back)
    }

    /// Whether the robot could go on from a place as it does at a vertex. Nothing leads back to a vertex, so this comes to an end.
    fn goes_on(&mut self, at: u32, then: u32) -> Result<bool, QuestionError> {
        let mut next = Some((at, then));
        loop {
            if let Some((at, then)) = next.take() {
                match self.at_once(at, then)? {
                    Some(true) => {}
                    Some(false) => {
                        let open = self.open.drain(..);
                        self.decided.extend(open.map(|Open { at, then, .. }| ((at, then), false)));
                        return Ok(false);
                    }
                    None => self.open.push(Open { at, then, looked: 0 }),
                }
            }
            let Some(Open { at, then, looked }) = self.open.last_mut() else { return Ok(true) };
            match self.program.vertices[*then as usize].arcs.get(*looked) {
                None => {
                    self.decided.insert((*at, *then), true);
                    self.open.pop();
                }
                Some(&(label, then)) => {
                    *looked += 1;
                    // That it may happen was seen when this was opened.
                    next = self.places.after(*at, label).map(|to| (to, then));
                }
            }
        }
    }

    /// The same, if that can be told without looking at what follows; everything that is done there may be done in that place if it cannot.
    fn at_once(&mut self, at: u32, then: u32) -> Result<Option<bool>, QuestionError> {
        self.effort += 1;
        self.places.poll()?;
        // This is what happens now.
        if self.program.visits[then as usize].binary_search(&at).is_ok() {
            return Ok(Some(true));
        }
        if self.program.events_after(then) < u64::from(self.places.needs(at)) {
            return Ok(Some(false));
        }
        if let Some(&known) = self.decided.get(&(at, then)) {
            return Ok(Some(known));
        }
        let (own, place) = (&self.program.vertices[then as usize], self.places.place(at));
        Ok(match own.can_be_done(place) {
            _ if own.terminal => Some(place.stops),
            true => None,
            false => Some(false),
        })
    }
}
