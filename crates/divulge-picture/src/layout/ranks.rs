//! The layers of the vertices of a graph without cycles.

/// The layer of each vertex, such that every edge leads at least `least` layers on, and the edges are short. `first` says which
/// vertices stay as early as they can.
pub(super) fn ranks(n: usize, edges: &[(usize, usize)], least: usize, first: &[bool]) -> Vec<usize> {
    let (order, out, into) = sorted(n, edges);
    let mut rank = vec![0usize; n];
    for &v in &order {
        for &to in &out[v] {
            rank[to] = rank[to].max(rank[v] + least);
        }
    }
    // Where more edges lead on than back, later is shorter; the other way round a vertex is as early as it can be.
    for _ in 0..2 {
        for &v in order.iter().rev() {
            let Some(latest) = out[v].iter().map(|&to| rank[to] - least).min() else { continue };
            if out[v].len() > into[v].len() && !first[v] {
                rank[v] = latest;
            }
        }
        for &v in &order {
            let earliest = into[v].iter().map(|&from| rank[from] + least).max();
            if into[v].len() > out[v].len() {
                rank[v] = earliest.unwrap_or(rank[v]);
            }
        }
    }
    let lowest = rank.iter().copied().min().unwrap_or(0);
    rank.iter_mut().for_each(|r| *r -= lowest);
    rank
}

type Neighbours = Vec<Vec<usize>>;

/// The vertices in an order in which every edge leads on, and their neighbours.
fn sorted(n: usize, edges: &[(usize, usize)]) -> (Vec<usize>, Neighbours, Neighbours) {
    let (mut out, mut into) = (vec![Vec::new(); n], vec![Vec::new(); n]);
    for &(from, to) in edges {
        out[from].push(to);
        into[to].push(from);
    }
    let mut waiting: Vec<usize> = into.iter().map(Vec::len).collect();
    let mut order: Vec<usize> = (0..n).filter(|&v| waiting[v] == 0).collect();
    let mut next = 0;
    while let Some(&v) = order.get(next) {
        next += 1;
        for &to in &out[v] {
            waiting[to] -= 1;
            if waiting[to] == 0 {
                order.push(to);
            }
        }
    }
    (order, out, into)
}
