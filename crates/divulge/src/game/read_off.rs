//! Reading a strategy off what is known of nodes.

use rustc_hash::FxHashMap;

use crate::{
    game::{
        arena::{Arena, Node, Turn},
        induction::Values,
        product::Product,
        strategy::{Strategy, StrategyNode},
    },
    problem::{Label, Vertex},
};

/// The strategy that takes, at each node, the first action that leaves one event less in the worst case.
pub(crate) fn shortest(game: &mut Arena<'_>, values: &Values<'_>) -> Strategy {
    let one_less = |node| values.of(node)?.checked_sub(1);
    follow(game, one_less, |less, _, to| less.is_some() && values.of(to) == *less)
}

/// The strategy that takes at each node of a product the first action for which `best` holds of what `about` tells of the node, the action and
/// the node that it leads to, by their numbers.
pub(crate) fn within<T>(
    game: &mut Arena<'_>,
    product: &Product,
    about: impl Fn(u32) -> T,
    best: impl Fn(&T, Label, u32) -> bool,
) -> Strategy {
    let number = |(observer, robot): Node| product.node(observer, robot);
    let about = |node| number(node).map(&about);
    follow(game, about, |own, label, to| {
        own.as_ref().zip(number(to)).is_some_and(|(own, to)| best(own, label, to))
    })
}

/// The strategy that takes at each node the first action for which `best` holds of what `about` tells of the node, the action and the node that
/// it leads to. Some action must be best wherever the strategy leads.
pub(crate) fn follow<T>(
    game: &mut Arena<'_>,
    about: impl Fn(Node) -> T,
    best: impl Fn(&T, Label, Node) -> bool,
) -> Strategy {
    let mut strategy = Strategy::new();
    let start = game.first();
    let mut number: FxHashMap<Node, u32> = FxHashMap::default();
    let mut order = vec![start];
    number.insert(start, 0);
    let mut at = 0;
    while let Some(&(observer, robot)) = order.get(at) {
        game.look_at(observer, 1);
        let turn = game.turn(robot);
        let mut number = |to| {
            *number.entry(to).or_insert_with(|| {
                order.push(to);
                order.len() as u32 - 1
            })
        };
        let mut all = game.arcs(robot).map(|(label, observer, robot)| (label, (observer, robot)));
        let mut arcs = Vec::new();
        match turn {
            Turn::Stop => {}
            Turn::Choose => {
                let own = about((observer, robot));
                arcs.extend(
                    all.find(|&(label, to)| best(&own, label, to)).map(|(label, to)| (label, number(to))),
                );
            }
            Turn::Suffer | Turn::Lost => {
                arcs.reserve_exact(game.robot.graph.arcs(Vertex(robot)).len());
                arcs.extend(all.map(|(label, to)| (label, number(to))));
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
