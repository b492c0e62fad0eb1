//! The compiler of expressions and the exploration of states, against naive twins on random models.

use divulge::formula::{Atom, Logic, resolve};
use divulge::problem::{Kind, Problem, Vertex};
use divulge_model::language::{NoIncludes, load};
use divulge_naive::random::Rng;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// A random expression, evaluated here in the plainest way. Binding strength: the larger, the tighter.
enum Expr {
    Int(i64),
    /// x, y or b (as 0 or 1).
    Var(usize),
    Arith(char, Box<Expr>, Box<Expr>),
    Neg(Box<Expr>),
    Choice(Box<Expr>, Box<Expr>, Box<Expr>),
    Compare(&'static str, Box<Expr>, Box<Expr>),
    Member(Box<Expr>, Vec<Expr>),
    Flag,
    Not(Box<Expr>),
    Logic(&'static str, Vec<Expr>),
}

const NAMES: [&str; 3] = ["x", "y", "b"];

fn int(r: &mut Rng, depth: usize) -> Expr {
    if depth == 0 || r.chance(30) {
        return if r.chance(50) { Expr::Var(r.below(2)) } else { Expr::Int(r.below(4) as i64) };
    }
    let part = |r: &mut Rng| Box::new(int(r, depth - 1));
    match r.below(8) {
        0 => Expr::Neg(part(r)),
        1 => Expr::Choice(Box::new(condition(r, depth - 1)), part(r), part(r)),
        n => Expr::Arith(['+', '-', '*', '+', '-', '*'][n - 2], part(r), part(r)),
    }
}

fn condition(r: &mut Rng, depth: usize) -> Expr {
    if depth == 0 || r.chance(15) {
        return if r.chance(30) { Expr::Flag } else { comparison(r, 0) };
    }
    match r.below(10) {
        0..3 => comparison(r, depth - 1),
        3 => Expr::Member(
            Box::new(int(r, depth - 1)),
            (0..1 + r.below(3)).map(|_| int(r, depth - 1)).collect(),
        ),
        4 => Expr::Not(Box::new(condition(r, depth - 1))),
        5 => Expr::Choice(
            Box::new(condition(r, depth - 1)),
            Box::new(condition(r, depth - 1)),
            Box::new(condition(r, depth - 1)),
        ),
        n => {
            let parts = (0..2 + r.below(2)).map(|_| condition(r, depth - 1)).collect();
            Expr::Logic(["&", "|", "->", "<->"][n - 6], parts)
        }
    }
}

fn comparison(r: &mut Rng, depth: usize) -> Expr {
    let sign = ["=", "!=", "<", "<=", ">", ">="][r.below(6)];
    Expr::Compare(sign, Box::new(int(r, depth)), Box::new(int(r, depth)))
}

impl Expr {
    fn value(&self, state: &[i64; 3]) -> i64 {
        match self {
            Expr::Int(n) => *n,
            Expr::Var(v) => state[*v],
            Expr::Flag => state[2],
            Expr::Neg(e) => -e.value(state),
            Expr::Arith(op, a, b) => match (op, a.value(state), b.value(state)) {
                ('+', a, b) => a + b,
                ('-', a, b) => a - b,
                (_, a, b) => a * b,
            },
            Expr::Choice(c, a, b) => {
                if c.value(state) == 1 {
                    a.value(state)
                } else {
                    b.value(state)
                }
            }
            Expr::Compare(sign, a, b) => {
                let (a, b) = (a.value(state), b.value(state));
                i64::from(match *sign {
                    "=" => a == b,
                    "!=" => a != b,
                    "<" => a < b,
                    "<=" => a <= b,
                    ">" => a > b,
                    _ => a >= b,
                })
            }
            Expr::Member(e, list) => i64::from(list.iter().any(|i| i.value(state) == e.value(state))),
            Expr::Not(e) => 1 - e.value(state),
            Expr::Logic(sign, parts) => {
                let values: Vec<bool> = parts.iter().map(|p| p.value(state) == 1).collect();
                let all = || values.iter().copied();
                i64::from(match *sign {
                    "&" => all().all(|v| v),
                    "|" => all().any(|v| v),
                    "->" => all().rev().reduce(|right, left| !left || right).unwrap(),
                    _ => all().reduce(|left, right| left == right).unwrap(),
                })
            }
        }
    }

    fn strength(&self) -> usize {
        match self {
            Expr::Logic("<->", _) => 0,
            Expr::Logic("->", _) => 1,
            Expr::Logic("|", _) => 2,
            Expr::Logic(..) => 3,
            Expr::Compare(..) | Expr::Member(..) => 4,
            Expr::Arith('+' | '-', ..) => 5,
            Expr::Arith(..) => 6,
            _ => 7,
        }
    }

    /// Only the parentheses that are needed, so that the order of binding is tested.
    fn text(&self, least: usize) -> String {
        let text = match self {
            Expr::Int(n) => n.to_string(),
            Expr::Var(v) => NAMES[*v].to_owned(),
            Expr::Flag => "b".to_owned(),
            Expr::Neg(e) => format!("-{}", e.text(7)),
            // A minus sign reaches over nothing, `!` over a comparison.
            Expr::Not(e) => return wrap(format!("!{}", e.text(4)), least > 4),
            Expr::Arith(op, a, b) => {
                let s = self.strength();
                format!("{} {op} {}", a.text(s), b.text(s + 1))
            }
            Expr::Choice(c, a, b) => {
                return wrap(format!("if {} then {} else {}", c.text(0), a.text(0), b.text(0)), true);
            }
            Expr::Compare(sign, a, b) => format!("{} {sign} {}", a.text(5), b.text(5)),
            Expr::Member(e, list) => {
                format!(
                    "{} in {{{}}}",
                    e.text(5),
                    list.iter().map(|i| i.text(5)).collect::<Vec<_>>().join(", ")
                )
            }
            Expr::Logic(sign, parts) => {
                let s = self.strength();
                parts.iter().map(|p| p.text(s + 1)).collect::<Vec<_>>().join(&format!(" {sign} "))
            }
        };
        wrap(text, self.strength() < least)
    }
}

fn wrap(text: String, needed: bool) -> String {
    if needed { format!("({text})") } else { text }
}

fn loaded(text: &str) -> Problem {
    let (problem, diagnostics) = load("m.divulge", text, &NoIncludes, &[]);
    problem.unwrap_or_else(|| panic!("{}\n{text}", diagnostics.render(false)))
}

fn states() -> impl Iterator<Item = [i64; 3]> {
    (0..3).flat_map(|x| (0..3).flat_map(move |y| (0..2).map(move |b| [x, y, b])))
}

#[test]
fn conditions_hold_where_they_should() {
    let mut r = Rng::new(1);
    for _ in 0..1500 {
        let condition = condition(&mut r, 4);
        let text = format!(
            "world {{ x: 0..2; y: 0..2; b: bool; action a; observe {{ o }}; goal {0} }}
            observer {{ knows world; stipulate s: possible({0}) }}",
            condition.text(0)
        );
        let p = loaded(&text);
        let Logic::Atom(Atom::Possible(predicate)) = &p.observer.stipulations[0].formula else {
            panic!("{text}")
        };
        let satisfying = resolve::vertices(&p.world, predicate).unwrap();
        for state in states() {
            let wanted = condition.value(&state) == 1;
            let name = format!("(x={},y={},b={})", state[0], state[1], state[2] == 1);
            let (u, y) =
                (p.world.vertex(&format!("u{name}")).unwrap(), p.world.vertex(&format!("y{name}")).unwrap());
            assert_eq!(p.world.is_goal(u), wanted, "goal at {name}\n{text}");
            assert!(!p.world.is_goal(y));
            assert_eq!(satisfying.contains(u.index()), wanted, "stipulation at {name}\n{text}");
            assert_eq!(satisfying.contains(y.index()), wanted, "stipulation at {name}\n{text}");
        }
    }
}

/// A random relation: which states a label leads to from each state.
type Steps = BTreeMap<(usize, usize), Vec<usize>>;

fn steps(r: &mut Rng, labels: usize, states: usize, percent: u32) -> Steps {
    let mut steps = Steps::new();
    for label in 0..labels {
        for state in 0..states {
            if r.chance(percent) {
                steps.insert((label, state), (0..1 + r.below(2)).map(|_| r.below(states)).collect());
            }
        }
    }
    steps
}

/// A state of the model: x and a colour.
fn split(state: usize) -> (usize, &'static str) {
    (state / 2, ["red", "green"][state % 2])
}

fn rule(state: usize, targets: &[usize]) -> String {
    let (x, c) = split(state);
    let outcomes = targets.iter().map(|&t| split(t)).map(|(x, c)| format!("{{ x := {x}; c := {c} }}"));
    format!("when x = {x} & c = {c} {}", outcomes.collect::<Vec<_>>().join(" or "))
}

#[test]
fn worlds_are_explored_as_their_rules_say() {
    let mut r = Rng::new(2);
    for round in 0..400 {
        let count = 2 * (1 + r.below(4));
        let (acts, sees) = (steps(&mut r, 3, count, 50), steps(&mut r, 2, count, 70));
        let starts: Vec<usize> = (0..count).filter(|_| r.chance(30)).collect();
        let kind = if r.chance(50) { Kind::Action } else { Kind::Observation };
        if starts.is_empty() {
            continue;
        }
        let mut text = format!("world {{\n x: 0..{}\n c: {{red, green}}\n goal false\n", count / 2 - 1);
        let conditions = starts.iter().map(|&s| split(s)).map(|(x, c)| format!("(x, c) = ({x}, {c})"));
        let mode = if kind == Kind::Action { "" } else { "observing " };
        text += &format!(" start {mode}where {}\n", conditions.collect::<Vec<_>>().join(" | "));
        for (&(label, state), targets) in &acts {
            text += &format!(" action a{label} {}\n", rule(state, targets));
        }
        text += " observe {\n";
        for (&(label, state), targets) in &sees {
            text += &format!(" o{label} {}\n", rule(state, targets));
        }
        text += " other otherwise\n }\n}\n";
        let p = loaded(&text);
        let name = |k: Kind, s: usize| {
            let (x, c) = split(s);
            format!("{}(x={x},{c})", if k == Kind::Action { "u" } else { "y" })
        };
        // Breadth first, straight from the tables.
        let mut seen: BTreeSet<(Kind, usize)> = starts.iter().map(|&s| (kind, s)).collect();
        let mut todo: VecDeque<(Kind, usize)> = seen.iter().copied().collect();
        let mut edges = BTreeSet::new();
        while let Some((k, s)) = todo.pop_front() {
            let (table, letter) = if k == Kind::Action { (&acts, "a") } else { (&sees, "o") };
            let mut out: Vec<(String, usize)> = Vec::new();
            for (&(label, _), targets) in table.iter().filter(|((_, from), _)| *from == s) {
                out.extend(targets.iter().map(|&t| (format!("{letter}{label}"), t)));
            }
            if k == Kind::Observation && out.is_empty() {
                out.push(("other".to_owned(), s));
            }
            for (label, t) in out {
                edges.insert((name(k, s), label, name(k.other(), t)));
                if seen.insert((k.other(), t)) {
                    todo.push_back((k.other(), t));
                }
            }
        }
        let world = &p.world;
        let found: BTreeSet<(String, String, String)> = world
            .graph
            .all_arcs()
            .map(|(v, arc)| {
                let texts = [world.name(v), p.alphabet.name(arc.label), world.name(arc.to)];
                let [from, label, to] = texts.map(str::to_owned);
                (from, label, to)
            })
            .collect();
        assert_eq!(found, edges, "round {round}\n{text}");
        let vertices: BTreeSet<String> = world.names.iter().map(str::to_owned).collect();
        assert_eq!(vertices, seen.iter().map(|&(k, s)| name(k, s)).collect(), "round {round}\n{text}");
        let initial: BTreeSet<&str> = world.graph.initial().iter().map(|&v: &Vertex| world.name(v)).collect();
        let wanted: Vec<String> = starts.iter().map(|&s| name(kind, s)).collect();
        assert_eq!(initial, wanted.iter().map(String::as_str).collect());
    }
}
