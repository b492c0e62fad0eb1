//! Reading a strategy off the values of nodes.

use rustc_hash::FxHashMap;

use super::product::{Game, Product, Turn};
use crate::{
    problem::Label,
    question::seek::policy::{Policy, PolicyNode},
};

/// The strategy that takes, at each node, the first action that leaves one event less in the worst case.
pub(super) fn shortest(game: &mut Game<'_>, product: &Product, values: &[u32]) -> Policy {
    follow(game, product, |node, _, to| Some(values[to as usize]) == values[node as usize].checked_sub(1))
}

/// The strategy that takes at each node the first action for which `best` holds of the node, the action and the node that
/// it leads to. Some action must be best wherever the strategy leads.
pub(super) fn follow(
    game: &mut Game<'_>,
    product: &Product,
    best: impl Fn(u32, Label, u32) -> bool,
) -> Policy {
    let mut policy = Policy::new();
    let start = product.start() as u32;
    let mut number: FxHashMap<u32, u32> = FxHashMap::default();
    let mut order = vec![start];
    number.insert(start, 0);
    let mut at = 0;
    while let Some(&node) = order.get(at) {
        let (observer, robot) = product.states(node);
        game.look_at(observer, 1);
        let mut arcs: Vec<(Label, u32)> = Vec::new();
        let turn = game.turn(robot);
        if !matches!(turn, Turn::Stop) {
            let chooses = matches!(turn, Turn::Choose);
            let known = game.arcs(robot).filter_map(|(label, o, r)| Some((label, product.node(o, r)?)));
            let best = known.filter(|&(label, to)| !chooses || best(node, label, to));
            arcs.extend(best.take(if chooses { 1 } else { usize::MAX }));
        }
        for (_, to) in &mut arcs {
            *to = *number.entry(*to).or_insert_with(|| {
                order.push(*to);
                order.len() as u32 - 1
            });
        }
        policy.push(PolicyNode {
            at: game.robot.expanded(robot),
            terminal: matches!(turn, Turn::Stop),
            arcs,
        });
        at += 1;
    }
    policy
}
