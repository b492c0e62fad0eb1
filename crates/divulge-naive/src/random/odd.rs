//! Problems with all that a document can hold, under odd names; what they mean does not matter.

use divulge::{
    formula::Formula,
    problem::{
        Alphabet, Builder, Filter, FilterGraph, Kind, Knows, Label, LabelMap, MapConstraints, NamedGraph,
        Names, Observer, PGraphBuilder, Plan, Problem, Scope, Stipulation, Vertex, World,
    },
    sets::BitSet,
};

use super::Rng;

/// Names that test quoting: spaces, quotes, escapes, characters outside the basic plane, nothing at all.
const ODD: &[&str] =
    &["", " ", "\"", "\\", "a\nb", "\u{1}", "é", "日本", "😀", "true", "not", "\u{2028}", "{}", "from"];

fn name(r: &mut Rng, stem: &str, i: usize) -> String {
    if r.chance(20) { format!("{}{stem}{i}", r.pick(ODD)) } else { format!("{stem}{i}") }
}

struct Labels {
    actions: Vec<String>,
    observations: Vec<String>,
}

impl Labels {
    fn of(&self, kind: Kind) -> &[String] {
        if kind == Kind::Action { &self.actions } else { &self.observations }
    }
}

/// Adds vertices, initial vertices and edges; gives the vertices' names.
fn fill(r: &mut Rng, b: &mut Builder<'_>, labels: &Labels, stem: &str) -> Vec<String> {
    let n = 1 + r.below(6);
    let names: Vec<(String, Kind)> = (0..n)
        .map(|i| (name(r, stem, i), if r.chance(50) { Kind::Action } else { Kind::Observation }))
        .collect();
    for (v, kind) in &names {
        b.vertex(v, *kind);
    }
    let first = names[r.below(n)].1;
    let mut any = false;
    for (v, kind) in &names {
        if *kind == first && (!any || r.chance(30)) {
            any = true;
            b.initial(v);
        }
    }
    for (v, kind) in &names {
        for (w, other) in &names {
            if kind != other && r.chance(50) {
                let borne: Vec<&str> =
                    labels.of(*kind).iter().filter(|_| r.chance(50)).map(String::as_str).collect();
                b.edge(v, borne, w);
            }
        }
        if r.chance(30) {
            b.mark(v);
        }
    }
    names.into_iter().map(|(v, _)| v).collect()
}

fn world(r: &mut Rng, alphabet: &mut Alphabet, labels: &Labels) -> World {
    let mut b = Builder::new(alphabet);
    for name in fill(r, &mut b, labels, "w") {
        for property in ["room", "x", "wet", "odd \"name\""] {
            match r.below(8) {
                0 => b.prop(&name, property, r.bits() as i64),
                1 => b.prop(&name, property, r.chance(50)),
                2 => b.prop(&name, property, *r.pick(ODD)),
                3 => b.prop(&name, property, "lab"),
                _ => continue,
            };
        }
    }
    b.world().expect("the generator makes worlds")
}

fn plan(r: &mut Rng, alphabet: &mut Alphabet, labels: &Labels) -> Plan {
    let mut b = Builder::new(alphabet);
    fill(r, &mut b, labels, "p");
    b.plan().expect("the generator makes plans")
}

fn filter(r: &mut Rng) -> FilterGraph {
    let images: Names = ["x", "y", "z \"quoted\""].into_iter().collect();
    let mut b = PGraphBuilder::new();
    let (u, y) = (b.vertex(Kind::Action), b.vertex(Kind::Observation));
    b.initial(if r.chance(50) { u } else { y });
    for i in 0..3 {
        for (from, to) in [(u, y), (y, u)] {
            if r.chance(50) {
                b.arc(from, Label(i), to);
            }
        }
    }
    let names = ["i", "j"].into_iter().collect();
    FilterGraph { graph: NamedGraph { graph: b.build().expect("a p-graph"), names }, images }
}

/// A formula about a run, plain ones among them.
fn run(r: &mut Rng, world: &World, depth: usize) -> String {
    if depth == 0 {
        return formula(r, world, 1);
    }
    let (a, b) = (run(r, world, depth - 1), run(r, world, depth - 1));
    match r.below(9) {
        0 => format!("always ({a})"),
        1 => format!("always {}", run(r, world, 0)),
        2 => format!("eventually ({a})"),
        3 => format!("next ({a}) & ({b})"),
        4 => format!("({a}) until ({b})"),
        5 => format!("({a}) unless ({b})"),
        6 => format!("!({a})"),
        7 => format!("({a}) -> ({b})"),
        _ => a,
    }
}

fn formula(r: &mut Rng, world: &World, depth: usize) -> String {
    let vertex = divulge::formula::Quoted(world.name(Vertex(r.below(world.graph.len()) as u32))).to_string();
    let property = world.props.names().iter().nth(r.below(world.props.names().len().max(1)));
    match r.below(if depth == 0 { 5 } else { 9 }) {
        0 => "true".into(),
        1 if r.chance(30) => format!("knows(was(!is({vertex}) & initially(goal)) | goal)"),
        1 => format!("state({vertex})"),
        2 => format!("knows(!is({vertex}) & kind = action)"),
        3 | 4 => match property {
            Some(p) => format!("possible({} != -3 | goal)", divulge::formula::Quoted(p)),
            None => "false".into(),
        },
        5 => format!("!({})", formula(r, world, depth - 1)),
        n => {
            let sign = ["&", "->", "<->"][n - 6];
            format!("({}) {sign} ({})", formula(r, world, depth - 1), formula(r, world, depth - 1))
        }
    }
}

fn constraints(r: &mut Rng, alphabet: &Alphabet) -> MapConstraints {
    let mut c = MapConstraints::default();
    for kind in [Kind::Action, Kind::Observation] {
        let labels: Vec<Label> = alphabet.of_kind(kind).collect();
        if labels.len() < 2 {
            continue;
        }
        if r.chance(50) {
            c.merge.push(labels.clone());
        }
        if r.chance(50) {
            c.separate.push(vec![labels[1], labels[0]]);
        }
        if r.chance(50) {
            c.merge_cost.push((labels[0], labels[1], r.bits()));
        }
    }
    let some: Vec<Label> = alphabet.labels().filter(|_| r.chance(20)).collect();
    c.fixed = some.into_iter().map(|l| (l, r.pick(ODD).to_string())).collect();
    let bound = |l: &Label| {
        let grouped = c.merge.iter().chain(&c.separate).any(|group| group.contains(l));
        grouped
            || c.fixed.iter().any(|(m, _)| m == l)
            || c.merge_cost.iter().any(|(a, b, _)| a == l || b == l)
    };
    c.unseen = alphabet.labels().filter(|l| !bound(l) && r.chance(30)).collect();
    c.max_images = r.chance(50).then(|| r.below(9));
    c.min_images = r.chance(50).then(|| r.below(1 + c.max_images.unwrap_or(9)));
    c
}

fn map(r: &mut Rng, alphabet: &Alphabet, hides: bool) -> LabelMap {
    LabelMap::seen_from_fn(alphabet, |_| (!hides || r.chance(70)).then(|| *r.pick(&["x", "y", "z", "é\""])))
}

fn stipulations(r: &mut Rng, world: &World, filter: &Filter) -> Vec<Stipulation> {
    let count = r.below(4);
    let one = |i| {
        let scope = match r.below(if *filter == Filter::Strongest { 6 } else { 4 }) {
            0 => Scope::Always,
            1 => Scope::End,
            2 | 3 => Scope::Run,
            4 => Scope::Hindsight { within: None },
            _ => Scope::Hindsight { within: Some(r.below(4) as u32) },
        };
        let text = if scope == Scope::Run { run(r, world, 2) } else { formula(r, world, 3) };
        let formula = text.parse::<Formula>().expect("the generator makes formulas");
        Stipulation { name: name(r, "s", i), scope, formula }
    };
    (0..count).map(one).collect()
}

/// A problem for what reads and writes problems: names need quoting, labels are numbered in any order, and plans and graphs
/// bear labels that the world does not know. It need not be one that the engines take.
pub fn odd(r: &mut Rng) -> Problem {
    let labels = Labels {
        actions: (0..1 + r.below(3)).map(|i| name(r, "a", i)).collect(),
        observations: (0..1 + r.below(3)).map(|i| name(r, "o", i)).collect(),
    };
    let mut alphabet = Alphabet::new();
    if r.chance(50) {
        alphabet.declare("listed", Kind::Observation).expect("new");
    }
    let world = world(r, &mut alphabet, &labels);
    let mut world_labels = BitSet::full(alphabet.len());
    let more = Labels {
        actions: [labels.actions, vec!["plan-only".into()]].concat(),
        observations: [labels.observations, vec!["seen-only".into()]].concat(),
    };
    let given = r.chance(60).then(|| plan(r, &mut alphabet, &more));
    let knows = match r.below(5) {
        0 => Knows::Plan,
        1 => Knows::GoalDirected,
        2 => Knows::World,
        3 => Knows::Plans((0..1 + r.below(3)).map(|_| plan(r, &mut alphabet, &more)).collect()),
        _ => {
            let Plan { graph, names, .. } = plan(r, &mut alphabet, &more);
            Knows::Graph(NamedGraph { graph, names })
        }
    };
    world_labels.grow(alphabet.len());
    let filter = match r.below(3) {
        0 => Filter::Strongest,
        1 => Filter::Image,
        _ => Filter::Graph(Box::new(filter(r))),
    };
    // A graph cannot follow events that are unseen.
    let hides = !matches!(filter, Filter::Graph(_)) && r.chance(50);
    let map = r.chance(60).then(|| map(r, &alphabet, hides));
    let mut constraints = if map.is_none() { constraints(r, &alphabet) } else { MapConstraints::default() };
    if !hides {
        constraints.unseen.clear();
    }
    let stipulations = stipulations(r, &world, &filter);
    let some: Vec<Label> = alphabet.labels().filter(|_| r.chance(30)).collect();
    let costs = some.into_iter().map(|l| (l, 2 + r.bits() / 2)).collect();
    let title = r.chance(50).then(|| name(r, "title", 0));
    let others: Vec<Observer> = (0..r.below(6).saturating_sub(3))
        .map(|i| Observer {
            name: Some(name(r, "other", i)),
            map: Some(self::map(r, &alphabet, true)),
            stipulations: self::stipulations(r, &world, &Filter::Strongest),
            ..Observer::new([Knows::Plan, Knows::World, Knows::GoalDirected][r.below(3)].clone())
        })
        .collect();
    let observer = Observer {
        name: (!others.is_empty() || r.chance(50)).then(|| name(r, "observer", 0)),
        map,
        constraints,
        filter,
        knows,
        stipulations,
    };
    Problem {
        name: title,
        alphabet,
        world_labels,
        world,
        plan: given,
        costs,
        observer,
        others,
        aside: Vec::new(),
        grid: None,
    }
}
