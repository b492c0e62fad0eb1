//! Small problems that have names, and a short way to write more.

use divulge::{
    formula::Formula,
    problem::{
        Alphabet, Builder, Filter, Kind, Knows, LabelMap, MapConstraints, Observer, Plan, Problem, Scope,
        Stipulation,
    },
    sets::BitSet,
};

/// An arc: from, label, to.
pub type Arc<'n> = (&'n str, &'n str, &'n str);

/// A world without stipulations whose observer sees everything and knows the world alone.
///
/// Vertices called `u…` are action vertices, all others observation vertices.
///
/// # Panics
/// If the names do not make a world.
pub fn problem(arcs: &[Arc], initial: &[&str], goal: &[&str]) -> Problem {
    let mut alphabet = Alphabet::new();
    let world = draw(&mut alphabet, arcs, initial, goal, 'u').world().expect("an example is a world");
    Problem {
        name: None,
        world_labels: BitSet::full(alphabet.len()),
        world,
        plan: None,
        costs: Vec::new(),
        observer: Observer {
            name: None,
            map: Some(LabelMap::identity(&alphabet)),
            constraints: MapConstraints::default(),
            filter: Filter::Strongest,
            knows: Knows::World,
            stipulations: Vec::new(),
        },
        alphabet,
        others: Vec::new(),
        aside: Vec::new(),
        grid: None,
    }
}

/// A plan for the problem. Vertices called `p…` are action vertices, all others observation vertices.
///
/// New labels join the alphabet, and the map where they are their own images.
///
/// # Panics
/// If the names do not make a plan.
pub fn plan(problem: &mut Problem, arcs: &[Arc], initial: &[&str], terminal: &[&str]) -> Plan {
    let known = problem.alphabet.len();
    let plan =
        draw(&mut problem.alphabet, arcs, initial, terminal, 'p').plan().expect("an example is a plan");
    problem.world_labels.grow(problem.alphabet.len());
    if let Some(old) = problem.observer.map.take() {
        let name = |l: divulge::problem::Label| match l.index() < known {
            true => old.look(l),
            false => Some(problem.alphabet.name(l)),
        };
        problem.observer.map = Some(LabelMap::seen_from_fn(&problem.alphabet, name));
    }
    plan
}

/// Makes the observer see these groups of labels as one each, and everything else as it is.
pub fn merge(problem: &mut Problem, groups: &[&[&str]]) {
    problem.observer.map = Some(LabelMap::from_fn(&problem.alphabet, |l| {
        let name = problem.alphabet.name(l);
        groups.iter().find(|g| g.contains(&name)).map_or(name.to_owned(), |g| g.join("+"))
    }));
}

/// Adds a stipulation.
///
/// # Panics
/// If the text is not a formula.
pub fn stipulate(problem: &mut Problem, scope: Scope, text: &str) {
    let formula: Formula = text.parse().expect("an example's formula can be read");
    problem.observer.stipulations.push(Stipulation { name: text.to_owned(), scope, formula });
}

fn draw<'a>(
    alphabet: &'a mut Alphabet,
    arcs: &[Arc],
    initial: &[&str],
    marked: &[&str],
    acting: char,
) -> Builder<'a> {
    let mut b = Builder::new(alphabet);
    let mut names: Vec<&str> = initial.iter().chain(marked).copied().collect();
    names.extend(arcs.iter().flat_map(|&(from, _, to)| [from, to]));
    names.sort_unstable();
    names.dedup();
    for name in names {
        b.vertex(name, if name.starts_with(acting) { Kind::Action } else { Kind::Observation });
    }
    for &(from, label, to) in arcs {
        b.edge(from, [label], to);
    }
    for name in initial {
        b.initial(name);
    }
    for name in marked {
        b.mark(name);
    }
    b
}

/// The paper's pentagon, for n = 5: a loop of n places with `a1` forward. Where the loop closes the robot is split unseen
/// into lane one (observing `o1`) or two (`o3`), once. From place 1 it exits: `a2` to charger 1 from no lane or
/// lane one, `a3` to charger 2 from lane two. The observer knows the plan, and must not tell the chargers apart.
pub fn ngon(n: usize) -> Problem {
    let mut arcs: Vec<(String, &str, String)> = Vec::new();
    for i in 0..n {
        for lane in ["none", "one", "two"] {
            arcs.push((format!("u{i}{lane}"), "a1", format!("y{}{lane}", (i + 1) % n)));
            if (i, lane) != (0, "none") {
                arcs.push((format!("y{i}{lane}"), "o2", format!("u{i}{lane}")));
            }
        }
    }
    let arcs: Vec<Arc> = arcs.iter().map(|(from, label, to)| (from.as_str(), *label, to.as_str())).collect();
    let others = [
        ("y0none", "o1", "u0one"),
        ("y0none", "o3", "u0two"),
        ("u1none", "a2", "yC1"),
        ("u1one", "a2", "yC1"),
        ("u1two", "a3", "yC2"),
        ("yC1", "o1", "uC1"),
        ("yC2", "o3", "uC2"),
    ];
    let mut problem = problem(&[&arcs[..], &others].concat(), &["u0none"], &["uC1", "uC2"]);
    problem.observer.knows = Knows::Plan;
    let alike = r#"(state("uC1") <-> state("uC2")) & (state("yC1") <-> state("yC2"))"#;
    stipulate(&mut problem, Scope::Always, alike);
    problem
}

/// A divulged plan that remembers more than the world does: `c` after `a1`, `d` after `a2`. The observer cannot tell `c`
/// from `d`, and whoever remembers the first action knows where the robot is.
pub fn remembering() -> Problem {
    let arcs =
        [("u0", "a1", "y0"), ("u0", "a2", "y0"), ("y0", "o", "u1"), ("u1", "c", "y2"), ("u1", "d", "y3")];
    let mut problem = problem(&arcs, &["u0"], &["y2", "y3"]);
    merge(&mut problem, &[&["c", "d"]]);
    let steps = [
        ("p0", "a1", "q1"),
        ("p0", "a2", "q2"),
        ("q1", "o", "p1"),
        ("q2", "o", "p2"),
        ("p1", "c", "q3"),
        ("p2", "d", "q3"),
    ];
    problem.plan = Some(plan(&mut problem, &steps, &["p0"], &["q3"]));
    problem.observer.knows = Knows::Plan;
    problem
}

/// Where a robot that remembers what it spent spends less. The observer, who knows the plan, must think both of `a` and `b`
/// possible, then both of `c` and `d`; `a` and `d` are dear, but no execution needs both.
pub fn spending() -> Problem {
    let arcs = [
        ("u0", "a", "y1"),
        ("u0", "b", "y2"),
        ("y1", "o", "u1"),
        ("y2", "o", "u1"),
        ("u1", "c", "y3"),
        ("u1", "d", "y4"),
    ];
    let mut problem = problem(&arcs, &["u0"], &["y3", "y4"]);
    merge(&mut problem, &[&["a", "b"], &["c", "d"]]);
    let alike = "(state(y1) <-> state(y2)) & (state(y3) <-> state(y4))";
    stipulate(&mut problem, Scope::Always, alike);
    problem.observer.knows = Knows::Plan;
    let costs = [("a", 5), ("b", 0), ("c", 0), ("d", 4)];
    problem.costs =
        costs.into_iter().filter_map(|(name, cost)| Some((problem.alphabet.get(name)?, cost))).collect();
    problem
}

/// Two lanes that look alike and that the observer, who knows the plan, must never tell apart. No plan does it, but a search that
/// forgets what it found winnable when more seems winnable may go round in circles over it.
pub fn lanes() -> Problem {
    let arcs = [
        ("u8", "a1", "y4"),
        ("u8", "a2", "y0"),
        ("y0", "o1", "u3"),
        ("y0", "o2", "u2"),
        ("y1", "o1", "u2"),
        ("y1", "o2", "u2"),
        ("u2", "a1", "y1"),
        ("u2", "a2", "y1"),
        ("u2", "a3", "y0"),
        ("u3", "a2", "y1"),
        ("u3", "a3", "y1"),
        ("y4", "o1", "u6"),
        ("y4", "o1", "u7"),
        ("y5", "o1", "u6"),
        ("y5", "o2", "u6"),
        ("u6", "a1", "y5"),
        ("u6", "a2", "y5"),
        ("u6", "a3", "y4"),
        ("u7", "a2", "y5"),
        ("u7", "a3", "y5"),
    ];
    let mut problem = problem(&arcs, &["u8"], &["u2", "u6"]);
    for (lane, names) in [(1, ["y0", "y1", "u2", "u3"]), (2, ["y4", "y5", "u6", "u7"])] {
        for name in names {
            let v = problem.world.vertex(name).expect("it is drawn above");
            problem.world.props.set(v, "lane", lane);
        }
    }
    merge(&mut problem, &[&["a1", "a2", "a3"], &["o1", "o2"]]);
    stipulate(&mut problem, Scope::Always, "!knows(lane = 1) & !knows(lane = 2)");
    let some = "possible(kind = observation) | !possible(is(u3) | is(y4) | is(y5))";
    stipulate(&mut problem, Scope::Always, some);
    problem.observer.knows = Knows::Plan;
    problem
}
