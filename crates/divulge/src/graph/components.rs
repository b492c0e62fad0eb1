//! Strongly connected components.

use crate::problem::{PGraph, Vertex};

/// For each vertex the number of its strongly connected component (Tarjan's algorithm, without recursion).
pub fn components(graph: &PGraph) -> Vec<u32> {
    const NEW: u32 = u32::MAX;
    let n = graph.len();
    let (mut order, mut low, mut component) = (vec![NEW; n], vec![0u32; n], vec![NEW; n]);
    let (mut stack, mut calls): (Vec<u32>, Vec<(u32, usize)>) = (Vec::new(), Vec::new());
    let (mut counter, mut found) = (0, 0);
    for root in 0..n as u32 {
        if order[root as usize] != NEW {
            continue;
        }
        calls.push((root, 0));
        while let Some(&mut (v, ref mut next)) = calls.last_mut() {
            let i = v as usize;
            if *next == 0 && order[i] == NEW {
                order[i] = counter;
                low[i] = counter;
                counter += 1;
                stack.push(v);
            }
            if let Some(arc) = graph.arcs(Vertex(v)).get(*next) {
                *next += 1;
                let to = arc.to.index();
                if order[to] == NEW {
                    calls.push((arc.to.0, 0));
                } else if component[to] == NEW {
                    low[i] = low[i].min(order[to]);
                }
                continue;
            }
            calls.pop();
            if let Some(&(parent, _)) = calls.last() {
                low[parent as usize] = low[parent as usize].min(low[i]);
            }
            if low[i] == order[i] {
                while let Some(w) = stack.pop() {
                    component[w as usize] = found;
                    if w == v {
                        break;
                    }
                }
                found += 1;
            }
        }
    }
    component
}
