//! Where in its layer each item is.

use super::{Spacing, levels::Levels};
use crate::pace::{Limit, Pace};

/// How strongly an edge keeps its two ends one below the other: by how many of them are bends, or vertices that have one edge
/// on either side, so that what need not turn is straight.
const PULL: [f64; 3] = [1.0, 2.0, 8.0];

/// The position of each item in its layer, neighbours as far apart as they must be.
pub(super) fn place(levels: &Levels, spacing: &Spacing, pace: &Pace<'_>) -> Result<Vec<f64>, Limit> {
    let mut x = vec![0.0; levels.items.len()];
    for layer in &levels.layers {
        let mut at = 0.0;
        for (i, &item) in layer.iter().enumerate() {
            if i > 0 {
                at += levels.apart(layer[i - 1], item, spacing);
            }
            x[item as usize] = at;
        }
    }
    let rounds = (1_000_000 / (levels.items.len() + 1)).clamp(6, 80);
    let count = levels.layers.len();
    for round in 0..rounds {
        for step in 0..count {
            let layer = if round % 2 == 0 { step } else { count - 1 - step };
            pace.work(levels.layers[layer].len())?;
            // At first each sweep follows the layer it comes from; in the end both sides count.
            let both = round * 2 > rounds;
            let (up, down) = (both || round % 2 == 0, both || round % 2 == 1);
            settle(levels, &levels.layers[layer], (up, down), spacing, &mut x);
        }
    }
    straighten(levels, spacing, &mut x);
    let leftmost = levels.items.iter().zip(&x).map(|(item, x)| x - item.left).fold(f64::MAX, f64::min);
    x.iter_mut().for_each(|x| *x -= leftmost);
    Ok(x)
}

/// Moves the items of a layer as near to their neighbours as the order and the distances let them: the least sum of
/// squares, by pooling those that push each other.
fn settle(levels: &Levels, layer: &[u32], sides: (bool, bool), spacing: &Spacing, x: &mut [f64]) {
    struct Block {
        sum: f64,
        weight: f64,
        items: usize,
    }
    let mut blocks: Vec<Block> = Vec::with_capacity(layer.len());
    let mut offsets = Vec::with_capacity(layer.len());
    let mut offset = 0.0;
    for (i, &item) in layer.iter().enumerate() {
        if i > 0 {
            offset += levels.apart(layer[i - 1], item, spacing);
        }
        offsets.push(offset);
        let (wanted, weight) = wanted(levels, item, sides, x);
        blocks.push(Block { sum: (wanted - offset) * weight, weight, items: 1 });
        while let [.., a, b] = &blocks[..]
            && a.sum / a.weight > b.sum / b.weight
        {
            let joined = Block { sum: a.sum + b.sum, weight: a.weight + b.weight, items: a.items + b.items };
            blocks.truncate(blocks.len() - 2);
            blocks.push(joined);
        }
    }
    let mut next = 0;
    for block in blocks {
        for i in next..next + block.items {
            x[layer[i] as usize] = block.sum / block.weight + offsets[i];
        }
        next += block.items;
    }
}

fn wanted(levels: &Levels, item: u32, (up, down): (bool, bool), x: &[f64]) -> (f64, f64) {
    let (mut sum, mut weight) = (0.0, 0.0);
    let bend = |i: u32| usize::from(levels.up[i as usize].len() <= 1 && levels.down[i as usize].len() <= 1);
    let sides = [(up, &levels.up), (down, &levels.down)];
    for (_, near) in sides.into_iter().filter(|(counts, _)| *counts) {
        for &other in &near[item as usize] {
            let pull = PULL[bend(item) + bend(other)];
            sum += pull * x[other as usize];
            weight += pull;
        }
    }
    match weight > 0.0 {
        true => (sum / weight, weight),
        false => (x[item as usize], 0.2),
    }
}

/// Puts the bends of an edge exactly one below the other, as many in a row as there is room for.
fn straighten(levels: &Levels, spacing: &Spacing, x: &mut [f64]) {
    let mut position = vec![0; levels.items.len()];
    for layer in &levels.layers {
        layer.iter().enumerate().for_each(|(i, &item)| position[item as usize] = i);
    }
    for chain in levels.chains.iter().filter(|chain| chain.items.len() > 3) {
        let bends = &chain.items[1..chain.items.len() - 1];
        let (mut first, mut room) = (0, (f64::MIN, f64::MAX));
        for (i, &bend) in bends.iter().enumerate() {
            let layer = &levels.layers[levels.items[bend as usize].layer];
            let at = position[bend as usize];
            let before = at.checked_sub(1).map(|i| layer[i]);
            let low = before.map_or(f64::MIN, |b| x[b as usize] + levels.apart(b, bend, spacing));
            let high =
                layer.get(at + 1).map_or(f64::MAX, |&b| x[b as usize] - levels.apart(bend, b, spacing));
            let joined = (room.0.max(low), room.1.min(high));
            if joined.0 <= joined.1 {
                room = joined;
            } else {
                align(&bends[first..i], room, x);
                (first, room) = (i, (low, high));
            }
        }
        align(&bends[first..], room, x);
    }
}

/// Puts bends one below the other, as near to where they are as the room lets them.
fn align(bends: &[u32], room: (f64, f64), x: &mut [f64]) {
    let mean = bends.iter().map(|&b| x[b as usize]).sum::<f64>() / bends.len().max(1) as f64;
    // Rounding may have left less than no room for a single bend: then it stays.
    if room.0 <= room.1 {
        bends.iter().for_each(|&bend| x[bend as usize] = mean.clamp(room.0, room.1));
    }
}
