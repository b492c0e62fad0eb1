//! SEEK a plan, for any number of observers: is there one, and what is the least worst case?

use std::collections::BTreeMap;

use divulge::problem::{Filter, Knows, Label, Problem, Scope};

use super::{
    MOST,
    follow::{End, Follow, Follower, Moments},
    known,
    watcher::Watcher,
};
use crate::{Refusal, check::WorstCase, expansion::Robot, graph::Set};

/// What is known about the plans that hold in answer to a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plans {
    /// There are some, with these least worst cases, events and cost each by itself; or there is none.
    Least(Option<WorstCase>),
    /// There is one with so many events in the worst case, and none with fewer.
    Events(u64),
    /// There is none with at most so many events.
    NoneWithin(u64),
}

/// Refuses what a search for a plan refuses.
///
/// # Errors
/// If it does.
pub fn refuse(problem: &Problem) -> Result<(), Refusal> {
    let knowing = || problem.observers().filter(|o| o.knows == Knows::Plan);
    if knowing().any(|o| o.filter != Filter::Strongest) {
        return Err(Refusal::FilterOfSoughtPlan);
    }
    let later = |scope| matches!(scope, Scope::Hindsight { .. });
    if knowing().any(|o| o.stipulations.iter().any(|s| later(s.scope))) {
        return Err(Refusal::HindsightOfSoughtPlan);
    }
    let maps: Vec<_> = knowing().map(|o| &o.map).collect();
    let alike = |pair: &[&Option<_>]| match (pair[0], pair[1]) {
        (Some(a), Some(b)) => same_looks(problem, a, b),
        _ => false,
    };
    if !maps.windows(2).all(alike) {
        return Err(Refusal::SeenDifferently);
    }
    Ok(())
}

/// Whether two maps hide the same labels and make the same ones look alike.
fn same_looks(problem: &Problem, a: &divulge::problem::LabelMap, b: &divulge::problem::LabelMap) -> bool {
    let labels: Vec<Label> = problem.alphabet.labels().collect();
    let pairs = labels.iter().flat_map(|&l| labels.iter().map(move |&m| (l, m)));
    labels.iter().all(|&l| a.look(l).is_none() == b.look(l).is_none())
        && pairs.into_iter().all(|(l, m)| (a.look(l) == a.look(m)) == (b.look(l) == b.look(m)))
}

/// What there is to know about plans for the problem, tried up to `most` events where an observer knows the plan. A plan that the problem
/// gives does not count.
///
/// # Errors
/// If the search refuses the problem, or it lacks a map, or a filter does not fit, or it is too large.
pub fn seek_plan(problem: &Problem, most: u64) -> Result<Plans, Refusal> {
    refuse(problem)?;
    if problem.observers().any(|o| o.knows == Knows::Plan) {
        let least = known::least_events(problem, most)?;
        return Ok(least.map_or(Plans::NoneWithin(most), Plans::Events));
    }
    let game = Game::explore(problem)?;
    let least = game.least(|_| 1).zip(game.least(|l| problem.cost(l)));
    Ok(Plans::Least(least.map(|(events, cost)| WorstCase { events, cost })))
}

/// The problem's observers whose divulged plan is fixed, followed together with all their stipulations.
pub(super) struct Crowd<'p> {
    followers: Vec<(Follower<'p>, Vec<usize>)>,
}

impl<'p> Crowd<'p> {
    pub(super) fn new(problem: &'p Problem) -> Result<Self, Refusal> {
        let fixed = problem.observers().enumerate().filter(|(_, o)| Watcher::is_fixed(o));
        let follow = |(i, _)| {
            let follower = Follower::new(Watcher::new(problem, i)?)?;
            let all = (0..follower.stipulations().len()).collect();
            Ok((follower, all))
        };
        Ok(Self { followers: fixed.map(follow).collect::<Result<_, _>>()? })
    }

    pub(super) fn start(&self) -> Vec<Follow> {
        self.followers.iter().map(|(follower, all)| follower.start(all)).collect()
    }

    pub(super) fn after(&self, follows: &[Follow], event: Label) -> Vec<Follow> {
        let all = self.followers.iter().zip(follows);
        all.map(|((follower, all), follow)| follower.after(all, follow, event, Moments::All)).collect()
    }

    pub(super) fn kept(&self, follows: &[Follow], end: End) -> bool {
        self.followers.iter().zip(follows).all(|((follower, all), follow)| follower.kept(all, follow, end))
    }
}

/// All that matters of an execution: what the robot knows, and what has become of everybody's stipulations.
type Node = (Set, Vec<Follow>);

/// What can be done at a node; successors that break something are missing.
struct Moves {
    acts: bool,
    may_terminate: bool,
    may_go_on: bool,
    next: Vec<(Label, Option<usize>)>,
}

struct Game {
    moves: Vec<Option<Moves>>,
}

impl Game {
    fn explore(problem: &Problem) -> Result<Self, Refusal> {
        let (robot, crowd) = (Robot::new(problem), Crowd::new(problem)?);
        let start: Node = (robot.start(), crowd.start());
        let mut numbers: BTreeMap<Node, usize> = BTreeMap::from([(start.clone(), 0)]);
        let mut nodes = vec![start];
        let mut moves = Vec::new();
        while moves.len() < nodes.len() {
            let (known, follows) = nodes[moves.len()].clone();
            if !crowd.kept(&follows, End::None) {
                moves.push(None);
                continue;
            }
            let mut next = Vec::new();
            for event in robot.events(&known) {
                let after = (robot.after(&known, event), crowd.after(&follows, event));
                let number = *numbers.entry(after.clone()).or_insert_with(|| {
                    nodes.push(after);
                    nodes.len() - 1
                });
                next.push((event, Some(number)));
            }
            moves.push(Some(Moves {
                acts: robot.acts(&known),
                may_terminate: robot.may_terminate(&known) && crowd.kept(&follows, End::Plan),
                may_go_on: robot.may_go_on(&known),
                next,
            }));
            if nodes.len() > MOST / 10 {
                return Err(Refusal::TooLarge);
            }
        }
        Ok(Self { moves })
    }

    /// The least worst-case weight of a plan from the start: after k rounds the values are those of plans of at most k events.
    fn least(&self, weight: impl Fn(Label) -> u64) -> Option<u64> {
        let mut values: Vec<Option<u64>> = vec![None; self.moves.len()];
        loop {
            let value = |moves: &Option<Moves>| value(moves.as_ref()?, &values, &weight);
            let better: Vec<Option<u64>> = self.moves.iter().map(value).collect();
            if better == values {
                return values[0];
            }
            values = better;
        }
    }
}

fn value(moves: &Moves, values: &[Option<u64>], weight: impl Fn(Label) -> u64) -> Option<u64> {
    if moves.may_terminate {
        return Some(0);
    }
    if !moves.may_go_on {
        return None;
    }
    let mut totals = moves.next.iter().map(|&(event, next)| Some(weight(event) + values[next?]?));
    if moves.acts { totals.flatten().min() } else { totals.try_fold(0, |most, t| Some(most.max(t?))) }
}
