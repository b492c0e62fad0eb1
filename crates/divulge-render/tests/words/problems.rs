//! Problems to speak about.

use divulge::{
    formula::Formula,
    problem::{
        Alphabet, Builder, Filter, Kind, Knows, LabelMap, MapConstraints, Observer, Problem, Scope,
        Stipulation,
    },
    sets::BitSet,
};

const ROWS: i64 = 3;
const COLS: i64 = 4;
const STAR: (i64, i64) = (1, 1);
const EXIT: (i64, i64) = (2, 2);

/// Where each kind of facility is measured.
fn spot(facility: &str) -> (i64, i64) {
    if facility == "pebble" { (0, 2) } else { (1, 3) }
}

/// The nuclear inspection: `S . A . / . * . B / . . E .` row by row. Moves and lights are merged as told.
pub fn nuclear(merged: &[&[&str]]) -> Problem {
    let mut alphabet = Alphabet::new();
    let mut b = Builder::new(&mut alphabet);
    let states: Vec<(i64, i64, &str, &str)> = (0..ROWS)
        .flat_map(|row| (0..COLS).map(move |col| (row, col)))
        .flat_map(|(row, col)| {
            ["pebble", "breeder"]
                .into_iter()
                .flat_map(move |f| ["high", "low"].into_iter().map(move |rad| (row, col, f, rad)))
        })
        .collect();
    let name = |kind: Kind, (row, col, facility, rad): (i64, i64, &str, &str)| {
        let letter = if kind == Kind::Action { 'u' } else { 'y' };
        format!("{letter}({row},{col},{facility},{rad})")
    };
    for kind in [Kind::Action, Kind::Observation] {
        for &state in &states {
            let vertex = name(kind, state);
            b.vertex(&vertex, kind);
            b.prop(&vertex, "row", state.0).prop(&vertex, "col", state.1);
            b.prop(&vertex, "facility", state.2).prop(&vertex, "rad", state.3);
        }
    }
    for &(row, col, facility, rad) in &states {
        let at = (row, col);
        let here = (row, col, facility, rad);
        if at == (0, 0) {
            b.initial(&name(Kind::Action, here));
        }
        if at == EXIT {
            b.mark(&name(Kind::Action, here));
        }
        for (label, (r, c)) in [("left", (0, -1)), ("right", (0, 1)), ("up", (-1, 0)), ("down", (1, 0))] {
            let there = (row + r, col + c);
            if at != EXIT && (0..ROWS).contains(&there.0) && (0..COLS).contains(&there.1) {
                let to = name(Kind::Observation, (there.0, there.1, facility, rad));
                b.edge(&name(Kind::Action, here), [label], &to);
            }
        }
        let seen = match at {
            STAR if facility == "pebble" => "blue",
            STAR => "dark",
            EXIT => "exit",
            at if at == spot(facility) => rad,
            _ => "nothing",
        };
        b.edge(&name(Kind::Observation, here), [seen], &name(Kind::Action, here));
    }
    let world = b.world().expect("the nuclear world");
    let map = LabelMap::from_fn(&alphabet, |l| {
        let label = alphabet.name(l);
        merged.iter().find(|group| group.contains(&label)).map_or(label.to_owned(), |group| group.join("/"))
    });
    let mut problem = Problem {
        name: Some("nuclear inspection".to_owned()),
        world_labels: BitSet::full(alphabet.len()),
        alphabet,
        world,
        plan: None,
        costs: Vec::new(),
        observer: Observer {
            name: Some("public".to_owned()),
            map: Some(map),
            constraints: MapConstraints::default(),
            filter: Filter::Strongest,
            knows: Knows::World,
            stipulations: Vec::new(),
        },
        others: Vec::new(),
        aside: Vec::new(),
        grid: None,
    };
    stipulate(&mut problem, "hide", Scope::Always, "!knows(facility = pebble) & !knows(facility = breeder)");
    stipulate(&mut problem, "learn", Scope::End, "knows(rad = high) | knows(rad = low)");
    problem
}

/// All moves look alike, and so do both lights.
pub const DISCREET: &[&[&str]] = &[&["left", "right", "up", "down"], &["blue", "dark"]];

/// Adds a stipulation.
pub fn stipulate(problem: &mut Problem, name: &str, scope: Scope, text: &str) {
    let formula: Formula = text.parse().expect("a formula");
    problem.observer.stipulations.push(Stipulation { name: name.to_owned(), scope, formula });
}

/// Gives the problem a plan that does the common actions whatever it observes, then goes on according to the last
/// observation, if there are branches.
pub fn plan(problem: &mut Problem, common: &[&str], branches: &[(&str, &[&str])]) {
    let observations: Vec<String> =
        problem.alphabet.of_kind(Kind::Observation).map(|l| problem.alphabet.name(l).to_owned()).collect();
    let mut b = Builder::new(&mut problem.alphabet);
    let straight = |b: &mut Builder<'_>, prefix: &str, from: &str, actions: &[&str], open: bool| -> String {
        let mut at = from.to_owned();
        for (i, action) in actions.iter().enumerate() {
            let (wait, next) = (format!("{prefix}{i}?"), format!("{prefix}{}", i + 1));
            b.vertex(&wait, Kind::Observation).edge(&at, [*action], &wait);
            if open && i + 1 == actions.len() {
                return wait;
            }
            b.vertex(&next, Kind::Action).edge(&wait, observations.iter().map(String::as_str), &next);
            at = next;
        }
        at
    };
    b.vertex("p0", Kind::Action).initial("p0");
    let fork = straight(&mut b, "p", "p0", common, !branches.is_empty());
    if branches.is_empty() {
        b.mark(&fork);
    }
    for (seen, actions) in branches {
        let first = format!("{seen}0");
        b.vertex(&first, Kind::Action).edge(&fork, [*seen], &first);
        let end = straight(&mut b, seen, &first, actions, false);
        b.mark(&end);
    }
    problem.plan = Some(b.plan().expect("a plan"));
}
