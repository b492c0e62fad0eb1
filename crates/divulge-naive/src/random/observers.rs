//! Random label maps, divulged plans and filters.

use std::collections::{BTreeMap, BTreeSet};

use divulge::problem::{Filter, FilterGraph, Kind, Knows, Label, LabelMap, MapConstraints, Names, Problem};

use super::{FilterKind, KnowsKind, Labels, Profile, plans, rng::Rng, sketch::Sketch};

/// A random label map: the identity, all of a kind merged, or something between; an action and an observation may share
/// an image.
pub fn map(rng: &mut Rng, problem: &Problem) -> LabelMap {
    let alphabet = &problem.alphabet;
    let style = rng.below(10);
    let shared = rng.chance(20);
    let letter = |l: Label| if shared || alphabet.kind(l) == Kind::Action { 'x' } else { 'z' };
    match style {
        0..=1 => LabelMap::identity(alphabet),
        2..=3 => LabelMap::from_fn(alphabet, |l| letter(l).to_string()),
        _ => LabelMap::from_fn(alphabet, |l| format!("{}{}", letter(l), rng.below(2 + style % 2))),
    }
}

/// Random constraints on a sought map, or none.
pub fn constraints(rng: &mut Rng, labels: &Labels) -> MapConstraints {
    let mut constraints = MapConstraints::default();
    let alike = |rng: &mut Rng| {
        let kind = *rng.pick(&[Kind::Action, Kind::Observation]);
        let group = labels.of(kind);
        (group.len() >= 2).then(|| (*rng.pick(group), *rng.pick(group))).filter(|(l, m)| l != m)
    };
    if rng.chance(20) {
        constraints.merge.extend(alike(rng).map(|(l, m)| vec![l, m]));
    }
    if rng.chance(25) {
        constraints.separate.extend(alike(rng).map(|(l, m)| vec![l, m]));
    }
    if rng.chance(20) {
        let all: Vec<Label> = [labels.of(Kind::Action), labels.of(Kind::Observation)].concat();
        for label in if all.is_empty() { all } else { rng.some(&all) } {
            constraints.fixed.push((label, format!("x{}", rng.below(2))));
        }
    }
    let bounded = rng.below(100);
    if bounded < 18 {
        constraints.max_images = Some(rng.within(&(1..=4)));
    }
    if (12..35).contains(&bounded) {
        constraints.min_images = Some(rng.within(&(0..=constraints.max_images.unwrap_or(5))));
    }
    if rng.chance(30) {
        constraints.merge_cost.extend(alike(rng).map(|(l, m)| (l, m, rng.below(5) as u64)));
    }
    constraints
}

/// What the observer knows of the plan, of the given kind.
pub fn knows(rng: &mut Rng, kind: KnowsKind, problem: &Problem, profile: &Profile, labels: &Labels) -> Knows {
    match kind {
        KnowsKind::Plan => Knows::Plan,
        KnowsKind::GoalDirected => Knows::GoalDirected,
        KnowsKind::World => Knows::World,
        KnowsKind::Plans => {
            let count = rng.within(&(1..=3));
            let mut plans: Vec<_> = (0..count).map(|_| plans::plan(rng, problem, profile, labels)).collect();
            if let Some(plan) = &problem.plan
                && rng.chance(60)
            {
                plans[0] = plan.clone();
            }
            Knows::Plans(plans)
        }
        KnowsKind::Graph => Knows::Graph(graph(rng, problem, profile, labels).named()),
    }
}

/// A graph that mostly admits what can happen, or what the plan does.
fn graph(rng: &mut Rng, problem: &Problem, profile: &Profile, labels: &Labels) -> Sketch {
    let world = &problem.world.graph;
    let first = world.initial_kind();
    let mut sketch = match (rng.below(8), &problem.plan) {
        (0..=2, Some(plan)) => Sketch::of(&plan.effective()).coarsened(rng),
        (0..=1, None) | (3, _) => {
            let n = rng.within(&profile.plan_vertices);
            Sketch::random(rng, n, first, labels, &profile.graph)
        }
        (4, _) => Sketch::universal(first, labels),
        _ => Sketch::of(world).coarsened(rng),
    };
    let arcs: Vec<_> = sketch.arcs.iter().copied().collect();
    if !arcs.is_empty() && rng.chance(35) {
        sketch.arcs.remove(rng.pick(&arcs));
    }
    sketch
}

/// A filter of the given kind for the problem's map. Graphs trace all that can happen unless `profile.bad_filters` lets
/// them be arbitrary now and then.
pub fn filter(rng: &mut Rng, kind: FilterKind, problem: &Problem, profile: &Profile) -> Filter {
    let map = match (kind, &problem.observer.map) {
        (FilterKind::Strongest, _) => return Filter::Strongest,
        (FilterKind::Image, _) => return Filter::Image,
        (FilterKind::Graph, None) => return Filter::Strongest,
        (FilterKind::Graph, Some(map)) => map,
    };
    let world = image_of(&Sketch::of(&problem.world.graph), map);
    let images =
        Labels::new(images_of(problem, map, Kind::Action), images_of(problem, map, Kind::Observation));
    let first = problem.world.graph.initial_kind();
    let sketch = match rng.below(10) {
        0 => Sketch::universal(first, &images),
        1 if profile.bad_filters => {
            let n = rng.within(&profile.vertices);
            Sketch::random(rng, n, first, &images, &profile.graph)
        }
        2..=5 => subsets(&world).coarsened(rng),
        6 => subsets(&world),
        _ => world.coarsened(rng),
    };
    let mut names = Names::new();
    for i in 0..map.len() as u32 {
        names.intern(map.name(divulge::problem::Image(i)));
    }
    Filter::Graph(Box::new(FilterGraph { graph: sketch.named(), images: names }))
}

/// The labels of a filter's arcs number images, so an image stands as the label with its number.
fn image_of(sketch: &Sketch, map: &LabelMap) -> Sketch {
    let arcs = sketch.arcs.iter().map(|&(v, l, to)| (v, Label(number(map, l)), to)).collect();
    Sketch { arcs, ..sketch.clone() }
}

/// The number of an image; a filter that is a graph needs every event to be seen.
fn number(map: &LabelMap, l: Label) -> u32 {
    map.image(l).expect("every event is seen").0
}

fn images_of(problem: &Problem, map: &LabelMap, kind: Kind) -> Vec<Label> {
    let images: BTreeSet<u32> = problem.alphabet.of_kind(kind).map(|l| number(map, l)).collect();
    images.into_iter().map(Label).collect()
}

/// The subset construction: the same language, one vertex for each set reached.
fn subsets(sketch: &Sketch) -> Sketch {
    let mut numbers = BTreeMap::from([(sketch.initial.clone(), 0)]);
    let mut todo = vec![sketch.initial.clone()];
    let kind = |set: &BTreeSet<usize>| sketch.kinds[*set.first().expect("sets reached are not empty")];
    let mut result = Sketch {
        kinds: vec![kind(&sketch.initial)],
        initial: [0].into(),
        arcs: BTreeSet::new(),
        marked: BTreeSet::new(),
    };
    while let Some(set) = todo.pop() {
        let mut next: BTreeMap<Label, BTreeSet<usize>> = BTreeMap::new();
        for &(from, label, to) in &sketch.arcs {
            if set.contains(&from) {
                next.entry(label).or_default().insert(to);
            }
        }
        for (label, target) in next {
            let to = *numbers.entry(target.clone()).or_insert_with(|| {
                result.kinds.push(kind(&target));
                todo.push(target);
                result.kinds.len() - 1
            });
            result.arcs.insert((numbers[&set], label, to));
        }
    }
    result
}
