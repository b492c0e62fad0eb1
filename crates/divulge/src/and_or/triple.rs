//! The triple graph of world, divulged plan and observer, as far as a plan may come.

use rustc_hash::FxHashMap;

use crate::{
    game::Robot,
    limit::{Limit, Monitor, Progress},
    observer::{StateId, Tracker},
    problem::{Kind, Knows, Label, LabelMap, Vertex},
    setting::Setting,
    verdict::QuestionError,
};

/// How many triples are explored between two looks at the monitor.
const POLL: usize = 1024;

/// A vertex of the triple graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Triple {
    /// The expanded vertex that the robot is at.
    pub at: Vertex,
    /// Whether it is the robot's turn or the world's.
    pub kind: Kind,
    /// Whether the robot may stop here: it knows that it is at the goal, and the `end` stipulations hold.
    pub stops: bool,
    /// What may happen, by label, with the triple that follows. Empty where the robot stops, and at observation vertices
    /// where something may happen that must not.
    pub arcs: Vec<(Label, u32)>,
}

/// All triples that can be reached without breaking an `always` stipulation; executions start at the first. Without triples,
/// there is no plan at all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TripleGraph {
    triples: Vec<Triple>,
}

/// The triple graph of a problem whose divulged plan does not depend on the plan that is sought.
///
/// # Errors
/// If the observer knows the plan that is sought, if the input is bad, or if the monitor stops the exploration.
pub fn triple_graph(setting: &Setting<'_>, map: &LabelMap) -> Result<TripleGraph, QuestionError> {
    if setting.observer().knows == Knows::Plan {
        return Err(QuestionError::Refused(
            "there is no triple graph for an observer who knows the plan that is still sought; use another `knows`"
                .to_owned(),
        ));
    }
    TripleGraph::explore(setting, map)
}

impl TripleGraph {
    /// Explores breadth first.
    pub(super) fn explore(setting: &Setting<'_>, map: &LabelMap) -> Result<Self, QuestionError> {
        let Some(tracker) = setting.tracker(map)? else { return Ok(Self::default()) };
        let robot = Robot::of(setting)?;
        let Some(robot) = robot.filter(|_| tracker.course(tracker.initial()).is_kept()) else {
            return Ok(Self::default());
        };
        let start = (robot.graph.initial()[0].0, tracker.initial());
        let mut explorer = Explorer {
            robot,
            tracker,
            map,
            number: FxHashMap::from_iter([(start, 0)]),
            found: vec![start],
            triples: Vec::new(),
        };
        explorer.run(setting.monitor())?;
        Ok(Self { triples: explorer.triples })
    }

    /// The triples, in the order in which they were found.
    pub fn triples(&self) -> &[Triple] {
        &self.triples
    }
}

struct Explorer<'a> {
    robot: Robot<'a>,
    tracker: Tracker<'a>,
    map: &'a LabelMap,
    number: FxHashMap<(u32, StateId), u32>,
    found: Vec<(u32, StateId)>,
    triples: Vec<Triple>,
}

impl Explorer<'_> {
    fn run(&mut self, monitor: &dyn Monitor) -> Result<(), Limit> {
        while let Some(&(robot, observer)) = self.found.get(self.triples.len()) {
            if self.triples.len().is_multiple_of(POLL) {
                let (explored, stored) = (self.triples.len() as u64, self.tracker.len() as u64);
                let doing = "exploring the triple graph";
                monitor.poll(&Progress { doing, explored, stored, ..Progress::default() })?;
            }
            let stops = self.robot.goal.contains(robot as usize) && self.tracker.course(observer).may_end();
            let arcs = if stops { Vec::new() } else { self.arcs(robot, observer) };
            let (at, kind) = (self.robot.expanded(robot), self.robot.graph.kind(Vertex(robot)));
            self.triples.push(Triple { at, kind, stops, arcs });
        }
        Ok(())
    }

    fn arcs(&mut self, robot: u32, observer: StateId) -> Vec<(Label, u32)> {
        let waits = self.robot.graph.kind(Vertex(robot)) == Kind::Observation;
        if waits && self.robot.lost.contains(robot as usize) {
            return Vec::new();
        }
        let mut next = Vec::new();
        for arc in self.robot.graph.arcs(Vertex(robot)) {
            let seen = self.tracker.step(observer, self.map.image(arc.label));
            match seen.filter(|&to| self.tracker.course(to).is_kept()) {
                Some(to) => next.push((arc.label, (arc.to.0, to))),
                None if waits => return Vec::new(),
                None => {}
            }
        }
        let Self { number, found, .. } = self;
        let mut enter = |triple| {
            *number.entry(triple).or_insert_with(|| {
                found.push(triple);
                found.len() as u32 - 1
            })
        };
        next.into_iter().map(|(label, to)| (label, enter(to))).collect()
    }
}
