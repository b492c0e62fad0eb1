//! Strategies of least worst-case cost.
//!
//! A plan that costs at most K never visits a node where the least that was spent on the way and the least that is still to be spent,
//! whatever the observer learns, make more than K. So K grows from what the world alone requires up to what the shortest plan costs.

use std::collections::BTreeMap;

use crate::{
    game::{
        Strategy,
        arena::{Arena, Turn},
        product::Product,
        read_off,
        robot::Robot,
        turned,
    },
    graph::induction::{Before, Costs},
    limit::Limit,
    problem::Label,
    sets::{NodeSet, Word},
    verdict::QuestionError,
};

/// A strategy that costs less than `most` in the worst case, and no more than any other; `None` if there is none. Among actions that
/// are equally cheap it takes the one with fewer events to come.
pub(crate) fn strategy(
    game: &mut Arena<'_>,
    costs: &[u64],
    mut most: u64,
) -> Result<Option<Strategy>, QuestionError> {
    let robot = game.robot;
    let needed = needed(robot, costs, |steps| game.poll("estimating costs", steps, robot.graph.len()))?;
    let least = needed[game.start() as usize];
    let mut budget = least;
    while budget < most {
        let (product, beyond) = explore(game, costs, &needed, budget)?;
        let (mut open, mut stops) = (Vec::new(), Vec::new());
        let before = turned::before(game, &product, &mut open, &mut stops)?;
        let (start, nodes) = (product.start(), product.len());
        let values = Costs::new(&before, open, &stops, costs, Some(start), |steps| {
            game.poll("inducing backwards by cost", steps, nodes)
        })?;
        // What costs no more than the budget is all there, and what is not there costs at least what lies beyond.
        let found = Some(values.cost[start]).filter(|&cost| values.settled[start] && cost < most);
        if found.is_some_and(|cost| cost <= budget.max(beyond)) {
            return Ok(Some(read_off::within(game, &product, |node, label, to| {
                let (node, to) = (node as usize, to as usize);
                values.settled[to]
                    && values.events[to] + 1 == values.events[node]
                    && values.cost[to].saturating_add(costs[label.index()]) == values.cost[node]
            })));
        }
        // It may be the least, but something cheaper may be among what was kept out.
        most = found.map_or(most, |cost| cost + 1);
        // Exploring again must be made up for by what is new.
        let more = budget.saturating_add((budget - least).saturating_mul(2));
        budget = if beyond < most { beyond.max(more).min(most - 1) } else { most };
    }
    Ok(None)
}

/// For each of the robot's states, the least that is still to be spent in the worst case, whatever the observer learns.
pub fn needed(
    robot: &Robot<'_>,
    costs: &[u64],
    poll: impl FnMut(usize) -> Result<(), Limit>,
) -> Result<Vec<u64>, Limit> {
    let (before, open) = Before::of_graph(&robot.graph, &robot.lost);
    let stops: Vec<u32> = robot.goal.iter().map(|v| v as u32).collect();
    let values = Costs::new(&before, open, &stops, costs, None, poll)?;
    let known = values.settled.iter().zip(values.cost);
    Ok(known.map(|(&settled, cost)| if settled { cost } else { u64::MAX }).collect())
}

/// Explores all nodes that a plan which costs at most `budget` may visit, and tells what the others require at least.
fn explore(
    game: &mut Arena<'_>,
    costs: &[u64],
    needed: &[u64],
    budget: u64,
) -> Result<(Product, u64), Limit> {
    let bound = game.robot.graph.len();
    let mut groups = Vec::new();
    groups.resize_with(game.first().0 as usize + 1, NodeSet::default);
    let (mut beyond, mut explored) = (u64::MAX, 0_usize);
    // Nodes by the least that was spent to get there. Those that cost nothing more join the wave after this one.
    let mut waves: BTreeMap<u64, Vec<(u32, u32)>> = BTreeMap::from([(0, vec![game.first()])]);
    let mut fresh = Vec::new();
    while let Some((spent, mut wave)) = waves.pop_first() {
        wave.sort_unstable();
        for nodes in wave.chunk_by(|a, b| a.0 == b.0) {
            let group = &mut groups[nodes[0].0 as usize];
            nodes.iter().for_each(|&(_, robot)| group.insert(robot, bound));
            fresh.clear();
            group.take_fresh(&mut fresh);
            let count = fresh.iter().map(|word: &Word| word.bits.count_ones() as usize).sum();
            explored += count;
            game.look_at(nodes[0].0, count);
            groups.resize_with(groups.len().max(game.tracker().len()), NodeSet::default);
            let mut steps = 64;
            for robot in fresh.iter().flat_map(|word| word.members()) {
                steps += 1;
                let turn = game.turn(robot);
                if matches!(turn, Turn::Stop | Turn::Lost) {
                    continue;
                }
                // What is spent when the event has happened, and then at least in all.
                let after = |label: Label, to: u32| {
                    let spent = spent.saturating_add(costs[label.index()]);
                    (spent, spent.saturating_add(needed[to as usize]))
                };
                if matches!(turn, Turn::Suffer) {
                    let worst = game.arcs(robot).map(|(label, _, to)| after(label, to).1).max().unwrap_or(0);
                    let forced = game.arcs(robot).all(|(_, _, to)| game.robot.rank[to as usize] != u32::MAX);
                    if worst > budget && forced {
                        beyond = beyond.min(worst);
                    }
                    if worst > budget || !forced {
                        continue;
                    }
                }
                for (label, observer, to) in game.arcs(robot) {
                    steps += 1;
                    let (spent, all) = after(label, to);
                    if game.robot.rank[to as usize] == u32::MAX {
                        continue;
                    }
                    if all > budget {
                        beyond = beyond.min(all);
                    } else if !groups[observer as usize].contains(to) {
                        waves.entry(spent).or_default().push((observer, to));
                    }
                }
            }
            game.poll("exploring the game by cost", steps, explored)?;
        }
    }
    let product = Product::number(groups.len(), game.first(), |observer, words| {
        std::mem::take(&mut groups[observer as usize]).words(words);
        0
    })?;
    game.report("exploring the game by cost", product.len())?;
    Ok((product, beyond))
}
