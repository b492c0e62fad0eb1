//! Reading a strategy off what is known of nodes.

use rustc_hash::FxHashMap;

use crate::{
    game::{
        arena::{Arena, Node, Turn},
        induction::Values,
        product::Product,
        strategy::{Strategy, StrategyNode},
    },
    problem::Label,
};

/// The strategy that takes, at each node, the first action that leaves one event less in the worst case.
pub(crate) fn shortest(game: &mut Arena<'_>, product: &Product, values: &Values) -> Strategy {
    let value = |node: u32| values.of(node as usize);
    within(game, product, |node, _, to| Some(value(to)) == value(node).checked_sub(1))
}

/// The strategy that takes at each node of a product the first action for which `best` holds of the node, the action and the
/// node that it leads to, by their numbers.
pub(crate) fn within(
    game: &mut Arena<'_>,
    product: &Product,
    best: impl Fn(u32, Label, u32) -> bool,
) -> Strategy {
    let number = |(observer, robot): Node| product.node(observer, robot);
    follow(game, |node, label, to| {
        number(node).zip(number(to)).is_some_and(|(node, to)| best(node, label, to))
    })
}

/// The strategy that takes at each node the first action for which `best` holds of the node, the action and the node that
/// it leads to. Some action must be best wherever the strategy leads.
pub(crate) fn follow(game: &mut Arena<'_>, best: impl Fn(Node, Label, Node) -> bool) -> Strategy {
    let mut strategy = Strategy::new();
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
        strategy.push(StrategyNode {
            at: game.robot.expanded(robot),
            terminal: matches!(turn, Turn::Stop),
            arcs,
        });
        at += 1;
    }
    strategy
}
