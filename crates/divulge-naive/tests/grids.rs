//! Plans on grids of hundreds of vertices, where the engine follows many of them at once, held against the game played out node by node.

use std::collections::{BTreeMap, BTreeSet};

use divulge::{
    limit::Unlimited,
    problem::{Alphabet, Builder, Kind, Knows, LabelMap, Observer, Problem, Scope, Stipulation, Vertex},
    seek::SeekOptions,
};
use divulge_naive::{
    put,
    random::{Rng, effort, seed},
};

/// A robot on a grid with walls and floors of three colours, two of which look alike. Arcs lead few distances, but for some that lead anywhere.
fn grid(rng: &mut Rng) -> Problem {
    let (rows, columns) = (4 + rng.below(9), 9 + rng.below(13));
    let cells = rows * columns;
    let mut alphabet = Alphabet::new();
    let mut b = Builder::new(&mut alphabet);
    let names = |prefix: &str| (0..cells).map(|cell| format!("{prefix}{cell}")).collect::<Vec<_>>();
    let (at, looks) = (names("u"), names("y"));
    b.actions(at.iter().map(String::as_str)).observations(looks.iter().map(String::as_str));
    b.initial(&at[rng.below(cells)]);
    for cell in 0..cells {
        let (row, column) = (cell / columns, cell % columns);
        let neighbours = [
            ("up", row > 0, cell.wrapping_sub(columns)),
            ("down", row + 1 < rows, cell + columns),
            ("left", column > 0, cell.wrapping_sub(1)),
            ("right", column + 1 < columns, cell + 1),
        ];
        for (label, inside, to) in neighbours {
            if inside && rng.chance(85) {
                b.edge(&at[cell], [label], &looks[to]);
            }
        }
        if rng.chance(3) {
            b.edge(&at[cell], ["jump"], &looks[rng.below(cells)]);
        }
        let colour = *rng.pick(&["red", "green", "blue"]);
        b.edge(&looks[cell], [colour], &at[cell]);
        if rng.chance(10) {
            b.edge(&looks[cell], ["fog"], &at[rng.below(cells)]);
        }
        for vertex in [&at[cell], &looks[cell]] {
            b.prop(vertex, "zone", rng.chance(12));
        }
        if rng.chance(2) {
            b.mark(&at[cell]);
        }
    }
    let world = b.world().expect("a world");
    let alike = [("down", "up"), ("right", "left"), ("green", "red"), ("jump", "up")]
        .map(|pair| (pair, rng.chance(70)));
    let map = LabelMap::from_fn(&alphabet, |label| {
        let name = alphabet.name(label);
        let alike = alike.iter().find(|((own, _), merged)| *merged && *own == name);
        alike.map_or(name, |((_, other), _)| other)
    });
    let stipulate = |name: &str, scope, formula: &str| Stipulation {
        name: name.to_owned(),
        scope,
        formula: formula.parse().expect("a formula"),
    };
    let mut stipulations = vec![stipulate("hide", Scope::Always, "!knows(zone)")];
    if rng.chance(50) {
        stipulations.push(stipulate("learn", Scope::End, "knows(!zone)"));
    }
    Problem::new(alphabet, world, Observer { map: Some(map), stipulations, ..Observer::new(Knows::World) })
}

/// A belief and the robot's vertex.
type Node = (BTreeSet<u32>, u32);

/// What follows a node: whether the robot may stop there, and where each arc leads, if no stipulation is broken there.
struct Followed {
    stops: bool,
    arcs: Vec<Option<Node>>,
}

/// The least worst case from the start, if there is a plan; nothing if there are too many nodes.
fn played_out(p: &Problem, most: usize) -> Option<Option<u64>> {
    let (graph, observer) = (&p.world.graph, &p.observer);
    let map = observer.map.as_ref().expect("a map");
    let zone = |v: u32| p.world.props.column("zone").and_then(|c| c.get(Vertex(v))) == Some(&true.into());
    let kept = |belief: &BTreeSet<u32>| !belief.iter().all(|&v| zone(v));
    let learn = observer.stipulations.len() > 1;
    let after = |belief: &BTreeSet<u32>, image| -> BTreeSet<u32> {
        let arcs = belief.iter().flat_map(|&v| graph.arcs(Vertex(v)));
        arcs.filter(|arc| map.image(arc.label) == Some(image)).map(|arc| arc.to.0).collect()
    };
    let first = graph.initial()[0].0;
    let start: Node = (BTreeSet::from([first]), first);
    if !kept(&start.0) {
        return Some(None);
    }
    let (mut nodes, mut todo) = (BTreeMap::<Node, Followed>::new(), vec![start.clone()]);
    while let Some(node) = todo.pop() {
        if nodes.contains_key(&node) {
            continue;
        }
        let (belief, v) = &node;
        let stops = p.world.is_goal(Vertex(*v)) && (!learn || !belief.iter().any(|&v| zone(v)));
        let arcs = graph.arcs(Vertex(*v)).iter().map(|arc| {
            let to = after(belief, map.image(arc.label).expect("all is seen"));
            kept(&to).then_some((to, arc.to.0))
        });
        let arcs: Vec<Option<Node>> = if stops { Vec::new() } else { arcs.collect() };
        todo.extend(arcs.iter().flatten().cloned());
        nodes.insert(node, Followed { stops, arcs });
        if nodes.len() > most {
            return None;
        }
    }
    let mut won: BTreeMap<&Node, u64> =
        nodes.iter().filter(|(_, f)| f.stops).map(|(node, _)| (node, 0)).collect();
    for events in 1.. {
        let new: Vec<&Node> = nodes
            .iter()
            .filter(|(node, followed)| {
                let mut arcs = followed.arcs.iter();
                let wins = |to: &Option<Node>| to.as_ref().is_some_and(|to| won.contains_key(to));
                let chooses = graph.kind(Vertex(node.1)) == Kind::Action;
                let wins = if chooses { arcs.any(wins) } else { !followed.arcs.is_empty() && arcs.all(wins) };
                wins && !won.contains_key(node)
            })
            .map(|(node, _)| node)
            .collect();
        if new.is_empty() || won.contains_key(&start) {
            break;
        }
        won.extend(new.into_iter().map(|node| (node, events)));
    }
    Some(won.get(&start).copied())
}

#[test]
fn shortest_plans_are_as_short_as_the_game_allows() {
    let mut rng = Rng::new(seed(31));
    let (mut found, mut none, mut longer) = (0, 0, 0);
    for _ in 0..120 * effort() {
        let p = grid(&mut rng);
        let Some(least) = played_out(&p, 6000) else { continue };
        for look_ahead in [usize::MAX, 0, 8] {
            let options = SeekOptions { look_ahead, ..SeekOptions::default() };
            let plan = put::seek_plan(&p, &options, &Unlimited).unwrap_or_else(|e| panic!("{e} {p:?}"));
            assert_eq!(plan.map(|plan| plan.worst_case.events), least, "{look_ahead} {p:?}");
        }
        match least {
            Some(events) => (found, longer) = (found + 1, longer + usize::from(events > 8)),
            None => none += 1,
        }
    }
    assert!(found > 10 && none > 10 && longer > 5, "{found} found, {longer} of them longer, {none} not");
}
