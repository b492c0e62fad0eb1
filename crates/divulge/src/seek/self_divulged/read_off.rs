//! The strategy behind a winning estimate.

use rustc_hash::FxHashMap;

use crate::{
    game::{Strategy, StrategyNode},
    seek::self_divulged::{
        bounded::Bounded,
        evaluate::choice,
        game::{Continuation, Stop},
        usable::START,
    },
    sets::SetId,
};

/// A strategy from the start that wins within `events` events, which must be possible.
///
/// A node is a vertex of the usable, the estimate it is part of, and the number of events left: what a vertex does is settled for the
/// whole estimate at once.
pub fn strategy(bounded: &mut Bounded<'_, '_>, events: u32) -> Result<Strategy, Stop> {
    let mut strategy = Strategy::new();
    let mut ids: FxHashMap<(SetId, u32, u32), u32> = FxHashMap::default();
    let start = bounded.game.table.intern(&[START]);
    let mut todo = vec![(start, events)];
    enter(&mut strategy, &mut ids, bounded, start, events);
    while let Some((id, events)) = todo.pop() {
        bounded.allow(events);
        let Continuation { next, going } =
            choice(bounded, id)?.expect("the estimate wins within these events");
        for to in next.iter().filter_map(|&(_, chosen)| chosen) {
            if enter(&mut strategy, &mut ids, bounded, to, events - 1) {
                todo.push((to, events - 1));
            }
        }
        let table = &bounded.game.table;
        for &v in table.get(id) {
            let node = ids[&(id, events, v)];
            if table.get(going).binary_search(&v).is_err() {
                strategy.node_mut(node).terminal = true;
                continue;
            }
            let arcs = bounded.game.usable.arcs(v).iter().filter_map(|&(label, to)| {
                let (_, chosen) =
                    next.iter().find(|(group, _)| group.labels.binary_search(&label).is_ok())?;
                Some((label, *ids.get(&((*chosen)?, events - 1, to))?))
            });
            strategy.node_mut(node).arcs = arcs.collect();
        }
    }
    Ok(strategy)
}

/// Makes the nodes of an estimate; tells whether they are new.
fn enter(
    strategy: &mut Strategy,
    ids: &mut FxHashMap<(SetId, u32, u32), u32>,
    bounded: &Bounded<'_, '_>,
    set: SetId,
    events: u32,
) -> bool {
    let members = bounded.game.table.get(set);
    if ids.contains_key(&(set, events, members[0])) {
        return false;
    }
    for &v in members {
        let at = bounded.game.usable.base[v as usize];
        let node = strategy.push(StrategyNode { at, terminal: false, arcs: Vec::new() });
        ids.insert((set, events, v), node);
    }
    true
}
