//! Which edges to turn round so that no cycle is left.

/// For each edge, whether it leads back to where a walk from the roots came from. Without those edges there is no cycle
/// (loops at one vertex count as leading back).
pub(super) fn leading_back(n: usize, edges: &[(usize, usize)], roots: &[usize]) -> Vec<bool> {
    let (starts, out) = outgoing(n, edges);
    let mut entered = vec![false; n];
    for &(from, to) in edges.iter().filter(|(from, to)| from != to) {
        let _ = from;
        entered[to] = true;
    }
    let sources = (0..n).filter(|&v| !entered[v]);
    let order: Vec<usize> = roots.iter().copied().chain(sources).chain(0..n).collect();
    let mut back = vec![false; edges.len()];
    let (mut seen, mut open) = (vec![false; n], vec![false; n]);
    for root in order {
        if std::mem::replace(&mut seen[root], true) {
            continue;
        }
        open[root] = true;
        let mut walk = vec![(root, starts[root])];
        while let Some((v, next)) = walk.last_mut() {
            let v = *v;
            if *next == starts[v + 1] {
                open[v] = false;
                walk.pop();
                continue;
            }
            let edge = out[*next];
            *next += 1;
            let to = edges[edge].1;
            if open[to] {
                back[edge] = true;
            } else if !std::mem::replace(&mut seen[to], true) {
                open[to] = true;
                walk.push((to, starts[to]));
            }
        }
    }
    back
}

/// The edges out of each vertex, packed.
fn outgoing(n: usize, edges: &[(usize, usize)]) -> (Vec<usize>, Vec<usize>) {
    let mut starts = vec![0; n + 1];
    for &(from, _) in edges {
        starts[from + 1] += 1;
    }
    for v in 0..n {
        starts[v + 1] += starts[v];
    }
    let mut next = starts.clone();
    let mut out = vec![0; edges.len()];
    for (i, &(from, _)) in edges.iter().enumerate() {
        out[next[from]] = i;
        next[from] += 1;
    }
    (starts, out)
}
