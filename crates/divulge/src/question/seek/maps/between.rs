//! The game of a robot and an observer's beliefs under a partly decided map: what is certain, and what is possible.
//!
//! *Background.* Where it is not decided which labels look alike, the observer's belief lies between two: what follows from labels that are
//! decided to look alike, and what follows from all that are not decided to be apart. A clause may hold if it holds for one of
//! its literals at the better end, and must hold if it does at the worse end. Who cannot win although everything counts that may
//! hold loses under every completion; who wins although only that counts which must hold wins under every completion. Where all
//! that was looked at is decided, both ends are the same, and one of the two is the case.

use rustc_hash::FxHashMap;

use super::{
    beliefs::Beliefs,
    pairs::Pairs,
    partial::{PartialMap, Undecided},
};
use crate::{
    expansion::SetId,
    problem::{BitSet, Kind, Label, Scope, Vertex},
    question::{Limit, Monitor, Progress, seek::fixed::Robot},
};

/// How many nodes are visited between two looks at the monitor.
const POLL: usize = 4096;

/// Two beliefs between which the observer's lies.
type Between = (SetId, SetId);

/// What is known of the stipulations of a scope between two beliefs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Holds {
    may: bool,
    must: bool,
}

/// What single clauses tell between two beliefs, found once.
#[derive(Debug, Default)]
pub struct Judged(FxHashMap<Between, [Holds; 2]>);

impl Judged {
    fn holds(&mut self, beliefs: &mut Beliefs<'_>, between: Between, scope: Scope) -> Holds {
        if between.0 == between.1 {
            let holds = beliefs.holds(between.0, scope);
            return Holds { may: holds, must: holds };
        }
        let judge = || [Scope::Always, Scope::End].map(|scope| judge(beliefs, between, scope));
        self.0.entry(between).or_insert_with(judge)[scope as usize]
    }
}

fn judge(beliefs: &Beliefs<'_>, (lower, upper): Between, scope: Scope) -> Holds {
    let (certain, possible) = (beliefs.signature(lower), beliefs.signature(upper));
    let meets = |signature: &[u64], mask: u32| signature[mask as usize / 64] >> (mask % 64) & 1 == 1;
    let mut holds = Holds { may: true, must: true };
    for stipulation in beliefs.stipulations().all().iter().filter(|s| s.scope == scope) {
        let Some(clauses) = stipulation.clauses() else {
            holds.must = false;
            continue;
        };
        for clause in clauses {
            let either = |some: &[u64], none: &[u64]| {
                clause.positive.iter().any(|&m| meets(some, m))
                    || clause.negative.iter().any(|&m| !meets(none, m))
            };
            holds.may &= either(&possible, &certain);
            holds.must &= either(&certain, &possible);
        }
    }
    holds
}

/// What the robot is up against.
pub struct Setting<'a> {
    /// The robot.
    pub robot: &'a Robot<'a>,
    /// Where it may stop, as far as what it knows itself tells.
    pub goal: &'a BitSet,
    /// Lower bounds on the number of events to the goal.
    pub rank: &'a [u32],
}

/// What came of a game.
pub struct Outcome {
    /// With how many events the robot may win, and with how many it must; `u32::MAX` if it cannot.
    pub may: u32,
    /// See `may`.
    pub must: u32,
    /// The decided pairs that this depends on.
    pub looked: Pairs,
    /// An undecided pair that it might depend on.
    pub open: Option<Undecided>,
    /// How many nodes there were.
    pub visited: u64,
}

/// A node of the game: where the robot is, and what the observer believes.
type Node = (u32, Between);

/// The nodes that can be reached, and how they are connected.
#[derive(Default)]
struct Reached {
    nodes: Vec<Node>,
    before: Vec<Vec<u32>>,
    /// How many arcs lead out of each node, whether or not they can be used.
    arcs: Vec<u32>,
    /// Where the robot may stop, and where it must be allowed to.
    ends: Vec<Holds>,
    /// Where it may go on.
    goes_on: Vec<Holds>,
}

/// Plays the game on at most `most` nodes; `None` if there are more.
///
/// # Errors
/// If the monitor stops it.
pub fn play(
    setting: &Setting<'_>,
    beliefs: &mut Beliefs<'_>,
    judged: &mut Judged,
    map: &PartialMap,
    most: usize,
    monitor: &dyn Monitor,
) -> Result<Option<Outcome>, Limit> {
    const NEITHER: Holds = Holds { may: false, must: false };
    let Setting { robot, goal, rank } = *setting;
    let mut looked = Pairs::new(map.index().len());
    let mut open = None;
    let mut reached = Reached::default();
    let mut steps: FxHashMap<(Between, Label), Between> = FxHashMap::default();
    let mut number: FxHashMap<Node, u32> = FxHashMap::default();
    let start = beliefs.initial();
    let start = (robot.graph.initial()[0].0, (start, start));
    number.insert(start, 0);
    reached.nodes.push(start);
    reached.before.push(Vec::new());
    while let Some(&(at, between)) = reached.nodes.get(reached.arcs.len()) {
        if reached.nodes.len() > most {
            return Ok(None);
        }
        if reached.arcs.len().is_multiple_of(POLL) {
            let (explored, stored) = (reached.arcs.len() as u64, beliefs.len() as u64);
            monitor.poll(&Progress {
                doing: "playing under many maps",
                explored,
                stored,
                ..Progress::default()
            })?;
        }
        let node = reached.arcs.len() as u32;
        let usable = rank[at as usize] != u32::MAX;
        let always = if usable { judged.holds(beliefs, between, Scope::Always) } else { NEITHER };
        let end =
            if goal.contains(at as usize) { judged.holds(beliefs, between, Scope::End) } else { NEITHER };
        let both = |a: Holds, b: Holds| Holds { may: a.may && b.may, must: a.must && b.must };
        reached.ends.push(both(always, end));
        let lost = robot.lost.contains(at as usize);
        reached.goes_on.push(if lost { NEITHER } else { always });
        reached.arcs.push(0);
        if !always.may || lost || both(always, end).must {
            continue;
        }
        for arc in robot.graph.arcs(Vertex(at)) {
            reached.arcs[node as usize] += 1;
            if rank[arc.to.index()] == u32::MAX {
                continue;
            }
            // Many states of the robot share what the observer believes.
            let between = *steps
                .entry((between, arc.label))
                .or_insert_with(|| beliefs.step_between(between, arc.label, map, &mut looked, &mut open));
            let to = (arc.to.0, between);
            let next = reached.nodes.len() as u32;
            let to = *number.entry(to).or_insert(next);
            if to == next {
                reached.nodes.push((arc.to.0, between));
                reached.before.push(Vec::new());
            }
            reached.before[to as usize].push(node);
        }
    }
    let may = reached.value(robot, |holds| holds.may);
    let must = reached.value(robot, |holds| holds.must);
    let visited = reached.nodes.len() as u64;
    Ok(Some(Outcome { may, must, looked, open, visited }))
}

impl Reached {
    /// The least number of events in the worst case, if what `counts` says holds.
    fn value(&self, robot: &Robot<'_>, counts: impl Fn(Holds) -> bool) -> u32 {
        let mut left = self.arcs.clone();
        let mut won = BitSet::new(self.nodes.len());
        let mut wave: Vec<u32> =
            (0..self.nodes.len() as u32).filter(|&n| counts(self.ends[n as usize])).collect();
        for events in 0.. {
            if wave.is_empty() {
                break;
            }
            wave.retain(|&n| won.insert(n as usize));
            if won.contains(0) {
                return events;
            }
            let mut next = Vec::new();
            for &node in &wave {
                for &from in &self.before[node as usize] {
                    if won.contains(from as usize) || !counts(self.goes_on[from as usize]) {
                        continue;
                    }
                    left[from as usize] -= 1;
                    let chooses = robot.graph.kind(Vertex(self.nodes[from as usize].0)) == Kind::Action;
                    if chooses || left[from as usize] == 0 {
                        next.push(from);
                    }
                }
            }
            wave = next;
        }
        u32::MAX
    }
}
