//! Reading a strategy off what is known of nodes.

use rustc_hash::FxHashMap;

use super::product::{Game, Node, Product, Turn};
use crate::{
    problem::Label,
    question::seek::policy::{Policy, PolicyNode},
};

/// The strategy that takes, at each node, the first action that leaves one event less in the worst case.
pub(super) fn shortest(game: &mut Game<'_>, product: &Product, values: &[u32]) -> Policy {
    within(game, product, |node, _, to| Some(values[to as usize]) == values[node as usize].checked_sub(1))
}

/// The strategy that takes at each node of a product the first action for which `best` holds of the node, the action and the
/// node that it leads to, by their numbers.
pub(super) fn within(
    game: &mut Game<'_>,
    product: &Product,
    best: impl Fn(u32, Label, u32) -> bool,
) -> Policy {
    let number = |(observer, robot): Node| product.node(observer, robot);
    follow(game, |node, label, to| {
        number(node).zip(number(to)).is_some_and(|(node, to)| best(node, label, to))
    })
}

/// The strategy that takes at each node the first action for which `best` holds of the node, the action and the node that
/// it leads to. Some action must be best wherever the strategy leads.
pub(super) fn follow(game: &mut Game<'_>, best: impl Fn(Node, Label, Node) -> bool) -> Policy {
    let mut policy = Policy::new();
    let start = game.first();
    let mut number: FxHashMap<Node, u32> = FxHashMap::default();
    let mut order = vec![start];
    number.insert(start, 0);
    let mut at = 0;
    while let Some(&(observer, robot)) = order.get(at) {
        game.look_at(observer, 1);
        let turn = game.turn(robot);
        let mut arcs: Vec<(Label, u32)> = Vec::new();
        if !matches!(turn, Turn::Stop) {
            let chooses = matches!(turn, Turn::Choose);
            let all = game.arcs(robot).map(|(label, observer, robot)| (label, (observer, robot)));
            let best = all.filter(|&(label, to)| !chooses || best((observer, robot), label, to));
            for (label, to) in best.take(if chooses { 1 } else { usize::MAX }) {
                let to = *number.entry(to).or_insert_with(|| {
                    order.push(to);
                    order.len() as u32 - 1
                });
                arcs.push((label, to));
            }
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
