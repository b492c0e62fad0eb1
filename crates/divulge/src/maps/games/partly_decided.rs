//! The game of a robot and an observer's beliefs under a partly decided map: what is certain, and what is possible.
//!
//! *Background.* Where it is not decided which labels look alike, the observer's belief lies between two: what follows from labels that are
//! decided to look alike, and what follows from all that are not decided to be apart. Who cannot win although everything counts that may
//! hold loses under every completion; who wins although only that counts which must hold wins under every completion. Where all
//! that was looked at is decided, both ends are the same, and one of the two is the case.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    formula::Due,
    game::Robot,
    graph::induction::{Before, NEVER, settle, waits},
    limit::{Limit, Monitor, Progress},
    maps::{
        games::{
            PLAYING,
            beliefs::{Beliefs, Likeness},
            may_or_must::{Between, Holds, MayOrMust},
        },
        space::{Pairs, PartialMap, Undecided},
    },
    problem::{Kind, Label, Vertex},
    sets::{BitSet, Grouped, SetId},
};

/// How many nodes are visited between two looks at the monitor.
const POLL: usize = 4096;

/// What the robot is up against.
pub struct Board<'a> {
    /// The robot.
    pub robot: &'a Robot<'a>,
    /// Where it may stop, as far as what it knows itself tells.
    pub goal: &'a BitSet,
    /// Lower bounds on the number of events to the goal.
    pub rank: &'a [u32],
    /// Plans with more events than this do not count.
    pub within: u32,
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
    reached: Reached,
}

/// A node of the game: where the robot is, and the number of what the observer may believe.
type Node = (u32, u32);

/// What a label makes of what the observer may believe is not known yet.
const UNKNOWN: u32 = u32::MAX;

/// What the observer may believe, numbered, because many states of the robot share it; and what labels make of it.
#[derive(Default)]
struct Views {
    number: FxHashMap<Between, u32>,
    all: Vec<Between>,
    /// Where what follows each of them begins, if any of that is known: one number for each part of the belief that is possible.
    rows: Vec<u32>,
    follows: Vec<u32>,
    /// What the stipulations tell of each, anywhere and at an end, once that was asked for.
    holds: Vec<Option<[Holds; 2]>>,
    /// How many steps are known.
    steps: usize,
}

impl Views {
    fn number(&mut self, between: Between) -> u32 {
        let Self { number, all, rows, holds, .. } = self;
        *number.entry(between).or_insert_with(|| {
            all.push(between);
            rows.push(UNKNOWN);
            holds.push(None);
            all.len() as u32 - 1
        })
    }

    /// What the stipulations tell, which `holds` tells if it is not known.
    fn holds(&mut self, view: u32, holds: impl FnOnce(Between) -> [Holds; 2]) -> [Holds; 2] {
        let between = self.all[view as usize];
        *self.holds[view as usize].get_or_insert_with(|| holds(between))
    }

    /// What follows a label, if that is known.
    fn known(&self, view: u32, label: Label, beliefs: &Beliefs<'_>) -> Option<u32> {
        let row = self.rows[view as usize];
        let place = || row as usize + beliefs.place(self.all[view as usize].1, label);
        (row != UNKNOWN).then(|| self.follows[place()]).filter(|&next| next != UNKNOWN)
    }

    /// What follows a label, which `step` tells if it is not known.
    fn step(
        &mut self,
        view: u32,
        label: Label,
        beliefs: &mut Beliefs<'_>,
        step: impl FnOnce(&mut Beliefs<'_>, Between) -> Between,
    ) -> u32 {
        let between = self.all[view as usize];
        if self.rows[view as usize] == UNKNOWN {
            self.rows[view as usize] =
                u32::try_from(self.follows.len()).expect("that many do not fit into memory");
            self.follows.resize(self.follows.len() + beliefs.count(between.1), UNKNOWN);
        }
        let place = self.rows[view as usize] as usize + beliefs.place(between.1, label);
        if self.follows[place] == UNKNOWN {
            self.steps += 1;
            self.follows[place] = self.number(step(beliefs, between));
        }
        self.follows[place]
    }
}

/// The nodes that can be reached, and how they are connected.
#[derive(Default)]
struct Reached {
    nodes: Vec<Node>,
    /// The arcs that can be used: from where, and where to.
    usable: Vec<(u32, u32)>,
    /// How many arcs lead out of each node, whether or not they can be used.
    arcs: Vec<u32>,
    /// Where the robot may stop, and where it must be allowed to.
    ends: Vec<Holds>,
    /// Where it may go on.
    goes_on: Vec<Holds>,
    /// Their numbers, by what the observer may believe.
    number: Grouped,
    views: Views,
    /// With how many events the robot may win from each node.
    may: Vec<u32>,
}

/// Plays the game on at most `most` nodes; `None` if there are more.
///
/// # Errors
/// If the monitor stops it.
pub fn play(
    setting: &Board<'_>,
    beliefs: &mut Beliefs<'_>,
    may_or_must: &mut MayOrMust,
    map: &PartialMap,
    most: usize,
    monitor: &dyn Monitor,
) -> Result<Option<Outcome>, Limit> {
    const NEITHER: Holds = Holds { may: false, must: false };
    let Board { robot, goal, rank, within } = *setting;
    let likeness = Likeness::new(map);
    let mut looked = Pairs::new(map.index().len());
    let mut open = None;
    let mut reached = Reached::default();
    let start = beliefs.initial();
    let start = (robot.graph.initial()[0].0, reached.views.number((start, start)));
    reached.number.number(start.1, start.0);
    reached.nodes.push(start);
    // The nodes come in the order of the least number of events that lead to them: where the layer of the current one ends, and what
    // is left for a plan after its events.
    let (mut layer_end, mut left) = (1, within);
    while let Some(&(at, view)) = reached.nodes.get(reached.arcs.len()) {
        if reached.nodes.len() > most {
            return Ok(None);
        }
        if reached.arcs.len().is_multiple_of(POLL) {
            let (explored, stored) = (reached.arcs.len() as u64, beliefs.len() as u64);
            monitor.poll(&Progress { doing: PLAYING, explored, stored, ..Progress::default() })?;
        }
        let node = reached.arcs.len() as u32;
        if node == layer_end {
            layer_end = reached.nodes.len() as u32;
            left -= 1;
        }
        let usable = rank[at as usize] <= left;
        let [always, end] = match usable {
            true => reached.views.holds(view, |between| may_or_must.holds(beliefs, between)),
            false => [NEITHER; 2],
        };
        let end = if goal.contains(at as usize) { end } else { NEITHER };
        reached.ends.push(end);
        let lost = robot.lost.contains(at as usize);
        reached.goes_on.push(if lost { NEITHER } else { always });
        reached.arcs.push(0);
        if !always.may || lost || end.must {
            continue;
        }
        for arc in robot.graph.arcs(Vertex(at)) {
            reached.arcs[node as usize] += 1;
            if left == 0 || rank[arc.to.index()] > left - 1 {
                continue;
            }
            let after = reached.views.step(view, arc.label, beliefs, |beliefs, between| {
                beliefs.step_between(between, arc.label, &likeness, &mut looked, &mut open)
            });
            let (to, new) = reached.number.number(after, arc.to.0);
            if new {
                reached.nodes.push((arc.to.0, after));
            }
            reached.usable.push((node, to));
        }
    }
    let before = Before::new(reached.nodes.len(), reached.usable.iter().copied());
    reached.may = reached.values(robot, &before, |holds| holds.may);
    let may = reached.may[0];
    // Where everything that was looked at is decided, what may be is what must be.
    let must = if open.is_none() { may } else { reached.values(robot, &before, |holds| holds.must)[0] };
    // What is left of a game is where its nodes are and what they are worth.
    (reached.usable, reached.arcs, reached.goes_on) = Default::default();
    Ok(Some(Outcome { may, must, looked, open, reached }))
}

impl Outcome {
    /// How many nodes the game has.
    pub fn nodes(&self) -> usize {
        self.reached.nodes.len()
    }

    /// How much work it was: the nodes, and the steps of beliefs.
    pub fn effort(&self) -> u64 {
        (self.reached.nodes.len() + self.reached.views.steps) as u64
    }

    /// Where the robot that may win breaks a stipulation if the map is `whole`: the events up to there, and what was asked for. It does as the
    /// game says that it may, the shortest way; `None` if that keeps the stipulations.
    pub fn first_break(
        &self,
        setting: &Board<'_>,
        beliefs: &mut Beliefs<'_>,
        whole: &PartialMap,
    ) -> Option<(Vec<Label>, Due)> {
        let Reached { nodes, ends, number, views, may, .. } = &self.reached;
        let graph = &setting.robot.graph;
        let mut unused = Pairs::new(whole.index().len());
        // Each with what led to it: the index of the one before, and the label.
        let mut walked: Vec<(u32, SetId, usize, Label)> = vec![(0, beliefs.initial(), 0, Label(0))];
        let mut seen: FxHashSet<(u32, SetId)> = FxHashSet::default();
        let mut next = 0;
        while let Some(&(node, belief, ..)) = walked.get(next) {
            let (at, view) = nodes[node as usize];
            let stops = ends[node as usize].may;
            let broken = beliefs.course(belief).broken(stops);
            if let Some(demand) = broken {
                let mut events = Vec::new();
                while next > 0 {
                    events.push(walked[next].3);
                    next = walked[next].2;
                }
                events.reverse();
                return Some((events, demand));
            }
            let arcs = if stops { &[] } else { graph.arcs(Vertex(at)) };
            let known = &*beliefs;
            let after = arcs.iter().filter_map(|arc| {
                let to = number.get(views.known(view, arc.label, known)?, arc.to.0)?;
                Some((may[to as usize], arc.label, to))
            });
            let chosen: Vec<(u32, Label, u32)> = match graph.kind(Vertex(at)) {
                Kind::Action => after.min().into_iter().collect(),
                Kind::Observation => after.collect(),
            };
            for (_, label, to) in chosen {
                let belief = beliefs.step(belief, label, whole, &mut unused).ok()?;
                if seen.insert((to, belief)) {
                    walked.push((to, belief, next, label));
                }
            }
            next += 1;
        }
        None
    }
}

impl Reached {
    /// For each node the least number of events in the worst case, if what `counts` says holds; as far as the first needs it.
    fn values(&self, robot: &Robot<'_>, before: &Before, counts: impl Fn(Holds) -> bool) -> Vec<u32> {
        let nodes = self.nodes.iter().zip(&self.arcs).zip(&self.goes_on);
        let open = nodes.map(|((node, &arcs), &goes_on)| match arcs {
            0 => NEVER,
            _ if !counts(goes_on) => NEVER,
            arcs => waits(robot.graph.kind(Vertex(node.0)), arcs as usize),
        });
        let mut values: Vec<u32> = open.collect();
        let stops = (0..self.nodes.len() as u32).filter(|&n| counts(self.ends[n as usize])).collect();
        settle(before, &mut values, stops, Some(0));
        values
    }
}
