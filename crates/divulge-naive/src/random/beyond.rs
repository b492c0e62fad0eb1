//! Random problems with several observers, unseen events, runs, hindsight and the past, in any combination.

use divulge::{
    formula::{Atom, Formula, Logic, Predicate, Temporal, Test},
    problem::{Filter, Kind, Knows, Label, LabelMap, Observer, Problem, Scope, Stipulation, World},
};

use super::{FilterKind, Labels, Profile, Rng, formulas, observers, problem};

/// What problems may have beyond one observer who sees every event and whose estimates must be so always or at the end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Features {
    /// Two or three observers.
    pub observers: bool,
    /// Events that an observer does not see.
    pub unseen: bool,
    /// Stipulations over runs.
    pub runs: bool,
    /// Stipulations in hindsight.
    pub hindsight: bool,
    /// Predicates of the past.
    pub past: bool,
}

impl Features {
    /// Each alone, some together, and all of them; with names.
    pub fn each() -> [(&'static str, Self); 9] {
        let none = Self::default();
        let all = Self { observers: true, unseen: true, runs: true, hindsight: true, past: true };
        [
            ("observers", Self { observers: true, ..none }),
            ("unseen", Self { unseen: true, ..none }),
            ("runs", Self { runs: true, ..none }),
            ("hindsight", Self { hindsight: true, ..none }),
            ("past", Self { past: true, ..none }),
            ("unseen runs", Self { unseen: true, runs: true, ..none }),
            ("unseen hindsight", Self { unseen: true, hindsight: true, ..none }),
            ("observers unseen", Self { observers: true, unseen: true, ..none }),
            ("all", all),
        ]
    }
}

/// A random problem with these features.
pub fn beyond(rng: &mut Rng, profile: &Profile, features: Features) -> Problem {
    let mut made = problem(rng, profile);
    hide(rng, &mut made, features);
    if features.observers {
        made.observer.name = Some("one".to_owned());
        for name in ["two", "three"].into_iter().take(rng.within(&(1..=2))) {
            let other = another(rng, &made, profile, features, name);
            made.others.push(other);
        }
        if rng.chance(40) {
            std::mem::swap(&mut made.observer, &mut made.others[0]);
        }
    }
    let world = made.world.clone();
    for observer in made.observers_mut() {
        let sought = !profile.plan && observer.knows == Knows::Plan;
        for stipulation in &mut observer.stipulations {
            time(rng, &world, stipulation, features, sought);
        }
        let later = |s: &Stipulation| matches!(s.scope, Scope::Hindsight { .. });
        if observer.stipulations.iter().any(later) && rng.chance(95) {
            observer.filter = Filter::Strongest;
        }
    }
    made
}

/// Whoever else watches: now and then with the same map as the first.
fn another(rng: &mut Rng, made: &Problem, profile: &Profile, features: Features, name: &str) -> Observer {
    let labels = Labels::new(
        made.alphabet.of_kind(Kind::Action).collect(),
        made.alphabet.of_kind(Kind::Observation).collect(),
    );
    let mut problem = made.clone();
    let (knows, filter) = (*rng.pick(&profile.knows), *rng.pick(&profile.filters));
    let mut observer = Observer::new(observers::knows(rng, knows, made, profile, &labels));
    observer.name = Some(name.to_owned());
    let chance = if observer.knows == Knows::Plan { 85 } else { 30 };
    let same = made.observer.map.clone().filter(|_| rng.chance(chance));
    let copied = same.is_some();
    observer.map = Some(same.unwrap_or_else(|| observers::map(rng, made)));
    let hides = observer.map.as_ref().is_some_and(LabelMap::hides);
    problem.observer = observer;
    problem.observer.filter = match filter {
        FilterKind::Graph if hides => Filter::Strongest,
        filter => observers::filter(rng, filter, &problem, profile),
    };
    let count = rng.within(&(0..=2));
    problem.observer.stipulations = formulas::stipulations(rng, &made.world, count, profile.lenience);
    if !copied {
        hide(rng, &mut problem, features);
    }
    problem.observer
}

/// Hides some labels from the first observer, whether its map is given or sought.
fn hide(rng: &mut Rng, problem: &mut Problem, features: Features) {
    if !features.unseen || rng.chance(10) {
        return;
    }
    let all: Vec<Label> = problem.alphabet.labels().collect();
    let kind = *rng.pick(&[Kind::Action, Kind::Observation]);
    let unseen: Vec<Label> = match rng.below(20) {
        0 => all,
        1..=3 => problem.alphabet.of_kind(kind).collect(),
        _ => all.into_iter().filter(|_| rng.chance(35)).collect(),
    };
    let observer = &mut problem.observer;
    match &mut observer.map {
        Some(map) => {
            let look = |l| map.look(l).filter(|_| !unseen.contains(&l)).map(str::to_owned);
            *map = LabelMap::seen_from_fn(&problem.alphabet, look);
        }
        None => {
            let c = &mut observer.constraints;
            let seen = |l: &Label| !unseen.contains(l);
            c.merge.retain(|group| group.iter().all(seen));
            c.separate.retain(|group| group.iter().all(seen));
            c.merge_cost.retain(|(l, m, _)| seen(l) && seen(m));
            // An action and an observation never share an image of a map that is sought.
            c.fixed.retain(|(l, _)| seen(l) && problem.alphabet.kind(*l) == kind);
            c.unseen = unseen;
        }
    }
    if matches!(observer.filter, Filter::Graph(_)) && rng.chance(90) {
        observer.filter = Filter::Strongest;
    }
}

/// Makes a stipulation one over runs, or in hindsight, or of the past.
fn time(rng: &mut Rng, world: &World, s: &mut Stipulation, features: Features, sought: bool) {
    if features.runs && rng.chance(if features.hindsight { 45 } else { 75 }) {
        s.scope = Scope::Run;
        s.formula = moments(rng, world, &s.formula);
    } else if features.hindsight && rng.chance(75) && (!sought || rng.chance(10)) {
        let within = if rng.chance(35) { None } else { Some(rng.below(4) as u32) };
        s.scope = Scope::Hindsight { within };
    }
    if features.past {
        s.formula = aged_formula(rng, &s.formula);
    }
}

/// A temporal formula over a few atoms and a formula of one estimate.
fn moments(rng: &mut Rng, world: &World, present: &Formula) -> Formula {
    let mut parts: Vec<Formula> = (0..2).map(|_| formulas::formula(rng, world, 0)).collect();
    if rng.chance(60) {
        parts[0] = present.clone();
    }
    let (f, g) = (parts[0].clone(), parts[1].clone());
    let not = |f: Formula| Logic::Not(Box::new(f));
    match rng.below(20) {
        0..=1 => of(Temporal::Always(f)),
        2..=3 => of(Temporal::Eventually(f)),
        4 => of(Temporal::Until(f, g)),
        5 => of(Temporal::Unless(not(f), g)),
        6 => of(Temporal::Always(Logic::Implies(vec![f, of(Temporal::Next(g))]))),
        7 => of(Temporal::Always(Logic::Implies(vec![f, of(Temporal::Eventually(g))]))),
        8 => of(Temporal::Eventually(of(Temporal::Always(f)))),
        9 => of(Temporal::Always(of(Temporal::Eventually(f)))),
        10 => Logic::And(vec![of(Temporal::Eventually(f)), of(Temporal::Always(g))]),
        11 => not(of(Temporal::Next(Logic::Const(true)))),
        12 => of(Temporal::Next(of(Temporal::Next(f)))),
        _ => temporal(rng, &parts, 3),
    }
}

fn of(temporal: Temporal) -> Formula {
    Logic::Atom(Atom::Temporal(Box::new(temporal)))
}

/// A random temporal formula over these parts, of at most this many levels.
pub fn temporal(rng: &mut Rng, parts: &[Formula], depth: usize) -> Formula {
    if depth == 0 || rng.chance(15) {
        return rng.pick(parts).clone();
    }
    let one = temporal(rng, parts, depth - 1);
    match rng.below(11) {
        0 => of(Temporal::Always(one)),
        1 => of(Temporal::Eventually(one)),
        2 => of(Temporal::Next(one)),
        3..=4 => of(Temporal::Until(one, temporal(rng, parts, depth - 1))),
        5..=6 => of(Temporal::Unless(one, temporal(rng, parts, depth - 1))),
        7 => Logic::Not(Box::new(one)),
        8 => Logic::And(vec![one, temporal(rng, parts, depth - 1)]),
        9 => Logic::Or(vec![one, temporal(rng, parts, depth - 1)]),
        _ => Logic::Implies(vec![one, temporal(rng, parts, depth - 1)]),
    }
}

/// The formula with some of its predicates asked of the past.
fn aged_formula(rng: &mut Rng, formula: &Formula) -> Formula {
    change(formula, &mut |atom| match atom {
        Atom::State(..) => atom.clone(),
        Atom::Possible(p) => Atom::Possible(aged(rng, p)),
        Atom::Knows(p) => Atom::Knows(aged(rng, p)),
        Atom::Temporal(t) => Atom::Temporal(Box::new(match &**t {
            Temporal::Always(t) => Temporal::Always(aged_formula(rng, t)),
            Temporal::Eventually(t) => Temporal::Eventually(aged_formula(rng, t)),
            Temporal::Next(t) => Temporal::Next(aged_formula(rng, t)),
            Temporal::Until(t, u) => Temporal::Until(aged_formula(rng, t), aged_formula(rng, u)),
            Temporal::Unless(t, u) => Temporal::Unless(aged_formula(rng, t), aged_formula(rng, u)),
        })),
    })
}

fn aged(rng: &mut Rng, predicate: &Predicate) -> Predicate {
    let nested = |p: &Predicate, rng: &mut Rng| match rng.below(10) {
        0..=3 => Logic::Atom(Test::Was(Box::new(p.clone()))),
        4..=6 => Logic::Atom(Test::Initially(Box::new(p.clone()))),
        _ => p.clone(),
    };
    let inner = change_all(predicate, &mut |test| nested(&Logic::Atom(test.clone()), rng));
    if rng.chance(20) { nested(&inner, rng) } else { inner }
}

/// The formula with every atom changed.
fn change<A>(formula: &Logic<A>, atom: &mut impl FnMut(&A) -> A) -> Logic<A> {
    change_all(formula, &mut |a| Logic::Atom(atom(a)))
}

fn change_all<A>(formula: &Logic<A>, atom: &mut impl FnMut(&A) -> Logic<A>) -> Logic<A> {
    let mut all = |fs: &[Logic<A>]| fs.iter().map(|f| change_all(f, atom)).collect();
    match formula {
        Logic::Const(b) => Logic::Const(*b),
        Logic::Atom(a) => atom(a),
        Logic::Not(f) => Logic::Not(Box::new(change_all(f, atom))),
        Logic::And(fs) => Logic::And(all(fs)),
        Logic::Or(fs) => Logic::Or(all(fs)),
        Logic::Implies(fs) => Logic::Implies(all(fs)),
        Logic::Iff(fs) => Logic::Iff(all(fs)),
    }
}
