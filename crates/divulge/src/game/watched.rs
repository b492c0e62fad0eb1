//! The robot together with observers whose states follow from its own, or nearly so.
//!
//! *Background.* Nodes are grouped by the state of all observers, and many nodes of a group are followed at once. What an observer believes
//! who sees every event for what it is, is what the robot itself knows; with such an observer every node is a group by itself. But where an
//! observer's state is a function of the robot's, what it stipulates is a matter of the robot alone: some states it may not visit,
//! in some it may not stop. So the observer becomes part of the robot, and nodes are grouped by what the others see.
//!
//! *Practical.* [`Robot::watched_by`] follows the robot's states beside the observer's. It gives up as soon as one of the robot's states
//! goes with too many of the observer's, which shows soon where it is so, or if beliefs take much more work than the robot's arcs do.

use std::borrow::Cow;

use crate::{
    game::robot::Robot,
    graph::induction,
    limit::{Limit, Monitor, Progress},
    observer::{StateId, Tracker},
    problem::{Kind, Label, LabelMap, PGraphBuilder, Vertex},
    sets::BitSet,
    setting::Setting,
    verdict::QuestionError,
};

/// How many of the observer's states may go with one of the robot's.
const MOST: usize = 2;

/// How much work each of the robot's states may take, in arcs of beliefs; and how much is a small matter.
const EACH: u64 = 128;
const LITTLE: u64 = 1 << 14;

/// How many states are followed between two looks at the monitor.
const POLL: usize = 1024;

/// No state of the observer.
const NONE: u32 = u32::MAX;

/// The robot with all who can become part of it; the others as one, and what they see together. Of several observers, that is; one alone stays
/// by itself. `None` if somebody did not expect that these events have happened.
pub(crate) fn watched<'s>(
    setting: &'s Setting<'_>,
    mut robot: Robot<'s>,
    trackers: Vec<Tracker<'s>>,
    map: &'s LabelMap,
    events: &[Label],
) -> Result<Option<(Robot<'s>, Tracker<'s>, Cow<'s, LabelMap>)>, QuestionError> {
    let maps = setting.maps(map)?;
    let mut all: Vec<(usize, Tracker<'_>)> = (0..).zip(trackers).collect();
    if all.len() > 1 {
        // The robot does nothing that somebody does not expect, so whoever stipulates nothing need not be followed.
        all.retain(|&(number, _)| !setting.observers()[number].stipulations.all().is_empty());
    }
    let (alone, mut others) = (all.len() == 1, Vec::new());
    for (number, mut tracker) in all {
        let map = maps[number];
        let mut each = events.iter().map(|&label| map.image(label));
        let first = each.try_fold(tracker.initial(), |state, image| tracker.step(state, image));
        let Some(first) = first else { return Ok(None) };
        match if alone { None } else { robot.watched_by(&mut tracker, map, first, setting.monitor())? } {
            Some(together) => robot = together,
            None => others.push((number, tracker)),
        }
    }
    let (tracker, seen) = setting.as_one(others, map)?;
    Ok(Some((robot, tracker, seen)))
}

impl<'a> Robot<'a> {
    /// The robot as far as an observer lets it act who is in this state at the start; `None` if the observer's states do not follow from
    /// the robot's. A state keeps its number, and has another one, as many higher as there are states, for each further state of the observer.
    pub fn watched_by(
        &self,
        tracker: &mut Tracker<'_>,
        map: &LabelMap,
        first: StateId,
        monitor: &dyn Monitor,
    ) -> Result<Option<Robot<'a>>, Limit> {
        let n = self.graph.len();
        if n > u32::MAX as usize / MOST || !tracker.course(first).is_kept() {
            return Ok(None);
        }
        let mut pairs = Pairs { n: n as u32, with: vec![vec![NONE; n]], found: Vec::new() };
        let Some(start) = pairs.enter(self.start, first) else { return Ok(None) };
        let (mut arcs, mut lost, mut next) = (Vec::new(), Vec::new(), Vec::new());
        let (mut at, before) = (0, tracker.work());
        while let Some(&pair) = pairs.found.get(at) {
            if at % POLL == 0 {
                let (explored, stored) = (at as u64, tracker.len() as u64);
                let doing = "following the robot and an observer";
                monitor.poll(&Progress { doing, explored, stored, ..Progress::default() })?;
            }
            at += 1;
            if tracker.work() - before > LITTLE + EACH * at as u64 {
                return Ok(None);
            }
            let (robot, observer) = pairs.get(pair);
            let all = self.graph.arcs(Vertex(robot));
            next.clear();
            for arc in all.iter().filter(|arc| self.rank[arc.to.index()] != u32::MAX) {
                let to = tracker.step(observer, map.image(arc.label));
                next.extend(to.filter(|&to| tracker.course(to).is_kept()).map(|to| (*arc, to)));
            }
            let waits = self.graph.kind(Vertex(robot)) == Kind::Observation;
            if waits && (self.lost.contains(robot as usize) || next.len() < all.len()) {
                lost.push(pair);
                continue;
            }
            for &(arc, observer) in &next {
                let Some(to) = pairs.enter(arc.to.0, observer) else { return Ok(None) };
                arcs.push((pair, arc.label, to));
            }
        }
        Ok(Some(self.paired(&pairs, start, arcs, &lost, |state| tracker.course(state).may_end())))
    }

    /// The robot whose states are these pairs, with these arcs; it may stop where the observer `lets` it.
    fn paired(
        &self,
        pairs: &Pairs,
        start: u32,
        arcs: Vec<(u32, Label, u32)>,
        lost: &[u32],
        lets: impl Fn(StateId) -> bool,
    ) -> Robot<'a> {
        let n = self.graph.len();
        let mut builder = PGraphBuilder::new();
        for _ in &pairs.with {
            self.graph.vertices().for_each(|v| _ = builder.vertex(self.graph.kind(v)));
        }
        builder.initial(Vertex(start));
        for (from, label, to) in arcs {
            builder.arc(Vertex(from), label, Vertex(to));
        }
        let graph = builder.build().expect("pairs of vertices of the same kind form a p-graph");
        let (mut goal, mut gone) = (BitSet::new(graph.len()), BitSet::new(graph.len()));
        for &pair in &pairs.found {
            let (robot, observer) = pairs.get(pair);
            if self.goal.contains(robot as usize) && lets(observer) {
                goal.insert(pair as usize);
            }
        }
        lost.iter().for_each(|&pair| _ = gone.insert(pair as usize));
        let rank = Cow::Owned(induction::ranks(&graph, &goal, &gone, &BitSet::default()));
        let at = match pairs.with.len() {
            1 => self.at.clone(),
            _ => Some((0..graph.len()).map(|pair| self.expanded((pair % n) as u32)).collect()),
        };
        let (graph, goal, lost) = (Cow::Owned(graph), Cow::Owned(goal), Cow::Owned(gone));
        Robot { graph, start, at, goal, lost, rank }
    }
}

/// The robot's states, each with those of the observer that go with it.
struct Pairs {
    /// How many states the robot has.
    n: u32,
    /// The first observer's state that was found with each of the robot's, the second one, and so on, or `NONE`.
    with: Vec<Vec<u32>>,
    /// The numbers of the pairs that were found, in order.
    found: Vec<u32>,
}

impl Pairs {
    fn get(&self, pair: u32) -> (u32, StateId) {
        let (turn, robot) = (pair / self.n, pair % self.n);
        (robot, StateId(self.with[turn as usize][robot as usize]))
    }

    /// The number of a pair; `None` if too many of the observer's states go with the robot's.
    fn enter(&mut self, robot: u32, observer: StateId) -> Option<u32> {
        for turn in 0..MOST {
            if turn == self.with.len() {
                self.with.push(vec![NONE; self.n as usize]);
            }
            let (known, pair) = (&mut self.with[turn][robot as usize], turn as u32 * self.n + robot);
            if *known == observer.0 {
                return Some(pair);
            }
            if *known == NONE {
                *known = observer.0;
                self.found.push(pair);
                return Some(pair);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        limit::Unlimited,
        problem::{Alphabet, Builder, Knows, Observer, Problem, Scope, Stipulation},
    };

    /// Seven rooms in a row, which somebody walks up and down; what is seen of it by two, of whom each may stipulate something.
    fn rooms(looks: [fn(&str) -> &str; 2], stipulated: [(Scope, &str); 2]) -> Problem {
        let mut alphabet = Alphabet::new();
        let mut b = Builder::new(&mut alphabet);
        let name = |kind: char, room: usize| format!("{kind}{room}");
        for room in 0..7 {
            b.actions([&*name('u', room)]).observations([&*name('y', room)]);
            b.edge(&name('y', room), ["o"], &name('u', room));
        }
        b.initial("u0").mark("u6");
        for room in 0..6 {
            b.edge(&name('u', room), ["up"], &name('y', room + 1));
            b.edge(&name('u', room + 1), ["down"], &name('y', room));
        }
        let world = b.world().expect("a world");
        let mut each = looks.into_iter().zip(stipulated).map(|(look, (scope, formula))| {
            let map = Some(LabelMap::from_fn(&alphabet, |l| look(alphabet.name(l))));
            let stipulations = vec![Stipulation::new("so", scope, formula).expect("a formula")];
            Observer { map, stipulations, ..Observer::new(Knows::World) }
        });
        let mut next = |name: &str| Observer { name: Some(name.to_owned()), ..each.next().expect("two") };
        let (one, other) = (next("one"), next("other"));
        Problem { others: vec![other], ..Problem::new(alphabet, world, one) }
    }

    /// How many states the robot has with whoever becomes part of it, how many images the others see, and the robot's rank at the start.
    fn told(problem: &Problem) -> (usize, usize, u32) {
        let setting = Setting::pose(problem, None, &Unlimited).expect("a setting");
        let map = setting.map().expect("a map");
        let trackers = setting.trackers(&[0, 1], map).expect("no limit").expect("something to track");
        let robot = Robot::of(&setting).expect("no limit").expect("a robot");
        let (robot, _, seen) =
            watched(&setting, robot, trackers, map, &[]).expect("no limit").expect("expected");
        (robot.graph.len(), seen.len(), robot.rank[robot.start as usize])
    }

    fn all(label: &str) -> &str {
        label
    }

    fn moves(label: &str) -> &str {
        if label == "o" { label } else { "move" }
    }

    #[test]
    fn whoever_sees_everything_becomes_part_of_the_robot() {
        let nothing = (Scope::Always, "possible(goal) | !possible(goal)");
        // The other one makes more and more of it as the robot goes up and down.
        assert_eq!(told(&rooms([all, moves], [nothing, nothing])), (14, 2, 12));
        assert_eq!(told(&rooms([moves, all], [nothing, nothing])), (14, 2, 12));
        assert_eq!(told(&rooms([moves, moves], [nothing, nothing])), (14, 2, 12));
        assert_eq!(told(&rooms([all, all], [nothing, nothing])), (14, 0, 12));
        // What it stipulates is where the robot may not go, and where it may not stop. If there is no way left, nobody needs to be followed.
        let never = (Scope::Always, "!knows(is(y6))");
        assert_eq!(told(&rooms([all, moves], [never, nothing])), (14, 0, u32::MAX));
        let not_at_the_goal = (Scope::End, "!knows(is(u6))");
        assert_eq!(told(&rooms([moves, all], [nothing, not_at_the_goal])), (14, 2, u32::MAX));
    }

    #[test]
    fn the_robot_may_have_states_twice() {
        let nothing = (Scope::Always, "possible(goal) | !possible(goal)");
        let goes_back = (Scope::Run, "eventually knows(is(y0))");
        assert_eq!(told(&rooms([all, moves], [goes_back, nothing])), (28, 2, 16));
        assert_eq!(told(&rooms([moves, all], [nothing, goes_back])), (28, 2, 16));
    }
}
