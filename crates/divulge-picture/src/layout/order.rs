//! The order within layers, so that few edges cross.

use super::levels::Levels;
use crate::pace::{Limit, Pace};

/// Improves the order by sweeps in both directions, each layer following the means of its neighbours' positions, and by
/// exchanging neighbours.
pub(super) fn order(levels: &mut Levels, pace: &Pace<'_>) -> Result<(), Limit> {
    let size = levels.items.len();
    start(levels);
    let mut position = positions(levels);
    let mut best = (crossings(levels, &position), levels.layers.clone());
    let sweeps = (1_500_000 / (size + 1)).clamp(6, 30);
    let mut idle = 0;
    for sweep in 0..sweeps {
        if best.0 == 0 || idle == 6 {
            break;
        }
        let down = sweep % 2 == 0;
        let count = levels.layers.len();
        for step in 1..count {
            let layer = if down { step } else { count - 1 - step };
            pace.work(levels.layers[layer].len())?;
            sort_layer(levels, layer, down, &mut position);
        }
        if size < 4_000 {
            for layer in 0..count {
                exchange(levels, layer, &mut position, pace)?;
            }
        }
        let now = crossings(levels, &position);
        idle += 1;
        if now < best.0 {
            best = (now, levels.layers.clone());
            idle = 0;
        }
    }
    levels.layers = best.1;
    Ok(())
}

/// The first order: as a walk from the first layer meets them.
fn start(levels: &mut Levels) {
    let mut seen = vec![false; levels.items.len()];
    let mut layers: Vec<Vec<u32>> = vec![Vec::new(); levels.layers.len()];
    let all: Vec<u32> = levels.layers.iter().flatten().copied().collect();
    for root in all {
        let mut walk = vec![root];
        while let Some(item) = walk.pop() {
            if std::mem::replace(&mut seen[item as usize], true) {
                continue;
            }
            layers[levels.items[item as usize].layer].push(item);
            walk.extend(levels.down[item as usize].iter().rev());
        }
    }
    levels.layers = layers;
}

fn positions(levels: &Levels) -> Vec<u32> {
    let mut position = vec![0; levels.items.len()];
    for layer in &levels.layers {
        for (i, &item) in layer.iter().enumerate() {
            position[item as usize] = i as u32;
        }
    }
    position
}

fn sort_layer(levels: &mut Levels, layer: usize, down: bool, position: &mut [u32]) {
    let neighbours = if down { &levels.up } else { &levels.down };
    let mut keyed: Vec<(f64, u32)> = Vec::with_capacity(levels.layers[layer].len());
    for &item in &levels.layers[layer] {
        let near = &neighbours[item as usize];
        let mean = match near.len() {
            0 => f64::from(position[item as usize]),
            count => near.iter().map(|&n| f64::from(position[n as usize])).sum::<f64>() / count as f64,
        };
        keyed.push((mean, item));
    }
    keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
    for (i, &(_, item)) in keyed.iter().enumerate() {
        levels.layers[layer][i] = item;
        position[item as usize] = i as u32;
    }
}

/// Exchanges neighbours of a layer as long as that removes crossings.
fn exchange(levels: &mut Levels, layer: usize, position: &mut [u32], pace: &Pace<'_>) -> Result<(), Limit> {
    for _ in 0..8 {
        let mut better = false;
        for i in 1..levels.layers[layer].len() {
            let (a, b) = (levels.layers[layer][i - 1], levels.layers[layer][i]);
            let (mut now, mut then) = (0, 0);
            for near in [&levels.up, &levels.down] {
                pace.work(near[a as usize].len() * near[b as usize].len())?;
                let (here, there) = between(&near[a as usize], &near[b as usize], position);
                now += here;
                then += there;
            }
            if then < now {
                levels.layers[layer].swap(i - 1, i);
                position.swap(a as usize, b as usize);
                better = true;
            }
        }
        if !better {
            break;
        }
    }
    Ok(())
}

/// How many edges cross if one item stands before another, and if it stands after it.
fn between(a: &[u32], b: &[u32], position: &[u32]) -> (usize, usize) {
    let (mut before, mut after) = (0, 0);
    for &x in a {
        for &y in b {
            match position[x as usize].cmp(&position[y as usize]) {
                std::cmp::Ordering::Greater => before += 1,
                std::cmp::Ordering::Less => after += 1,
                std::cmp::Ordering::Equal => {}
            }
        }
    }
    (before, after)
}

/// How many pairs of edges cross.
fn crossings(levels: &Levels, position: &[u32]) -> u64 {
    let mut all = 0;
    for (i, layer) in levels.layers.iter().enumerate() {
        let width = levels.layers.get(i + 1).map_or(0, Vec::len);
        let mut counts = vec![0u32; width + 1];
        let (mut seen, mut ends) = (0u64, Vec::new());
        for &item in layer {
            ends.clear();
            ends.extend(levels.down[item as usize].iter().map(|&to| position[to as usize] as usize));
            // Edges from one item do not cross: first all are counted, then all are entered.
            for &end in &ends {
                let (mut not_after, mut at) = (0u64, end + 1);
                while at > 0 {
                    not_after += u64::from(counts[at]);
                    at &= at - 1;
                }
                all += seen - not_after;
            }
            for &end in &ends {
                let mut at = end + 1;
                while at <= width {
                    counts[at] += 1;
                    at += at & at.wrapping_neg();
                }
                seen += 1;
            }
        }
    }
    all
}
