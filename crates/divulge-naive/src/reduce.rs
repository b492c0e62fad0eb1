//! Makes a problem smaller while something stays true of it: for the messages of tests that fail.

use divulge::{
    formula::{Atom, Formula, Logic, Predicate, Test},
    problem::{Filter, Knows, Label, LabelMap, Observer, Plan, Problem, Scope},
};

use crate::random::Sketch;

/// A problem of which the same is true, and of which it is true of no problem that one small change leads to.
pub fn reduce(problem: &Problem, still: impl Fn(&Problem) -> bool) -> Problem {
    let mut least = problem.clone();
    while let Some(smaller) = smaller(&least).into_iter().find(|p| still(p)) {
        least = smaller;
    }
    least
}

fn smaller(problem: &Problem) -> Vec<Problem> {
    let mut all = Vec::new();
    for i in 0..problem.others.len() {
        let mut p = problem.clone();
        p.others.remove(i);
        all.push(p);
        let mut p = problem.clone();
        p.observer = p.others.remove(i);
        all.push(p);
    }
    let world = Sketch::of(&problem.world.graph);
    for sketch in fewer(&world) {
        let mut p = problem.clone();
        p.world.graph = sketch.world(problem.world.props.clone()).graph;
        all.push(p);
    }
    for v in problem.world.goal.iter() {
        let mut p = problem.clone();
        p.world.goal.remove(v);
        all.push(p);
    }
    if let Some(plan) = &problem.plan {
        all.extend(plans(plan).into_iter().map(|plan| Problem { plan: Some(plan), ..problem.clone() }));
    }
    if !problem.costs.is_empty() {
        all.push(Problem { costs: Vec::new(), ..problem.clone() });
    }
    for i in 0..problem.observers().count() {
        let observer = problem.observers().nth(i).expect("there are so many");
        for simpler in simpler(problem, observer) {
            let mut p = problem.clone();
            *p.observers_mut().nth(i).expect("there are so many") = simpler;
            all.push(p);
        }
    }
    all
}

/// The graph with an arc or an initial vertex less.
fn fewer(sketch: &Sketch) -> Vec<Sketch> {
    let without_arc = sketch.arcs.iter().map(|arc| {
        let mut less = sketch.clone();
        less.arcs.remove(arc);
        less
    });
    let without_start = sketch.initial.iter().filter(|_| sketch.initial.len() > 1).map(|v| {
        let mut less = sketch.clone();
        less.initial.remove(v);
        less
    });
    without_start.chain(without_arc).collect()
}

fn plans(plan: &Plan) -> Vec<Plan> {
    let less = fewer(&Sketch::of(&plan.graph)).into_iter();
    less.map(|sketch| Plan { graph: sketch.plan().graph, ..plan.clone() }).collect()
}

fn simpler(problem: &Problem, observer: &Observer) -> Vec<Observer> {
    let mut all = Vec::new();
    for i in 0..observer.stipulations.len() {
        let mut o = observer.clone();
        o.stipulations.remove(i);
        all.push(o);
        for formula in parts(&observer.stipulations[i].formula) {
            let mut o = observer.clone();
            o.stipulations[i].formula = formula;
            all.push(o);
        }
        if let Scope::Hindsight { within: Some(k @ 1..) } = observer.stipulations[i].scope {
            let mut o = observer.clone();
            o.stipulations[i].scope = Scope::Hindsight { within: Some(k - 1) };
            all.push(o);
        }
    }
    if observer.filter != Filter::Strongest {
        all.push(Observer { filter: Filter::Strongest, ..observer.clone() });
    }
    if observer.constraints != Default::default() {
        let mut o = observer.clone();
        o.constraints =
            divulge::problem::MapConstraints { unseen: o.constraints.unseen.clone(), ..Default::default() };
        all.extend((o != *observer).then_some(o));
        for i in 0..observer.constraints.unseen.len() {
            let mut o = observer.clone();
            o.constraints.unseen.remove(i);
            all.push(o);
        }
    }
    match &observer.knows {
        Knows::World | Knows::Plan => {}
        Knows::Plans(plans) if plans.len() > 1 => {
            for i in 0..plans.len() {
                let mut plans = plans.clone();
                plans.remove(i);
                all.push(Observer { knows: Knows::Plans(plans), ..observer.clone() });
            }
        }
        _ => all.push(Observer { knows: Knows::World, ..observer.clone() }),
    }
    if let Some(map) = &observer.map {
        for unseen in map.unseen() {
            let look = |l: Label| if l == unseen { Some("new") } else { map.look(l) };
            let map = Some(LabelMap::seen_from_fn(&problem.alphabet, look));
            all.push(Observer { map, ..observer.clone() });
        }
    }
    all
}

/// Simpler formulas: its parts, and itself with a simpler part.
fn parts(formula: &Formula) -> Vec<Formula> {
    simpler_logic(formula, &|atom| match atom {
        Atom::State(..) => Vec::new(),
        Atom::Possible(p) => predicates(p).into_iter().map(|p| Logic::Atom(Atom::Possible(p))).collect(),
        Atom::Knows(p) => predicates(p).into_iter().map(|p| Logic::Atom(Atom::Knows(p))).collect(),
        Atom::Temporal(t) => t.operands().cloned().collect(),
    })
}

fn predicates(predicate: &Predicate) -> Vec<Predicate> {
    simpler_logic(predicate, &|test| match test {
        Test::Was(p) | Test::Initially(p) => vec![(**p).clone()],
        _ => Vec::new(),
    })
}

fn simpler_logic<A: Clone>(f: &Logic<A>, atom: &impl Fn(&A) -> Vec<Logic<A>>) -> Vec<Logic<A>> {
    match f {
        Logic::Const(_) => Vec::new(),
        Logic::Atom(a) => atom(a),
        Logic::Not(part) => {
            let inner = simpler_logic(part, atom).into_iter().map(|p| Logic::Not(Box::new(p)));
            std::iter::once((**part).clone()).chain(inner).collect()
        }
        Logic::And(parts) | Logic::Or(parts) | Logic::Implies(parts) | Logic::Iff(parts) => {
            let mut all = parts.clone();
            for (i, part) in parts.iter().enumerate() {
                for simple in simpler_logic(part, atom) {
                    let mut parts = parts.clone();
                    parts[i] = simple;
                    all.push(match f {
                        Logic::And(_) => Logic::And(parts),
                        Logic::Or(_) => Logic::Or(parts),
                        Logic::Implies(_) => Logic::Implies(parts),
                        _ => Logic::Iff(parts),
                    });
                }
            }
            all
        }
    }
}
