//! Found plans beside plans that a person wrote: no longer, hardly ever larger, and no more choices.

use std::collections::BTreeSet;

use divulge::{
    Problem,
    ask::{Verdict, ask},
    limit::Unlimited,
    problem::{Kind, Label, Plan, Vertex},
};
use divulge_model::language::{NoIncludes, load};

/// Two doors; each of four lights leaves one of them, or both.
const LIGHTS: &str = "
world {
  t: 0..2 = 0
  s: {p, q, r, w}
  action look when t = 0 { t := 1 }
  action a when t = 1 & s != r { t := 2 }
  action c when t = 1 & s != p { t := 2 }
  observe { s when t = 1; nothing otherwise }
  goal t = 2
}
observer o {
  knows plan
  sees p, q, r, w as light; others as themselves
  stipulate hide: always !knows(s)
}
plan det { look; if p | q { a } else { c } }
";

/// The same where everybody must always think that it may have been `q`: here chance is needed.
const DOUBT: &str = "
world {
  t: 0..2 = 0
  s: {p, q, r}
  action look when t = 0 { t := 1 }
  action a when t = 1 & s != r { t := 2 }
  action c when t = 1 & s != p { t := 2 }
  observe { s when t = 1; nothing otherwise }
  goal t = 2
}
observer o {
  knows plan
  sees p, q, r as light; others as themselves
  stipulate perhaps: always possible(s = q)
}
plan doubt { look; if p { a } else if q { choose { a } or { c } } else { c } }
";

/// A letter for one of two rooms. Doors sound alike, and both rooms are visited so that nobody knows whose letter it was.
const LETTERS: &str = "
world {
  at: {hall, left, right, out} = hall
  letter: {left, right}
  seen_left: bool = false
  seen_right: bool = false
  start observing
  action to_left  when at = hall & !seen_left  { at := left; seen_left := true }
  action to_right when at = hall & !seen_right { at := right; seen_right := true }
  action back     when at in {left, right}     { at := hall }
  action leave    when at = hall & ((letter = left & seen_left) | (letter = right & seen_right)) { at := out }
  observe { letter when at = hall & !seen_left & !seen_right; quiet otherwise }
  goal at = out
}
observer neighbour {
  knows plan
  sees left, right as letter; others as themselves
  stipulate hide: always !knows(letter)
}
plan both { to_left; back; to_right; back; leave }
";

/// Looking out of the window is not seen, and must be possible before the robot leaves.
const WINDOW: &str = "
world graph {
  u: start
  u -look-> w -view-> u
  u -leave-> g
  w: window
  g: goal, away
}
observer public {
  knows plan
  sees leave as leave; others not at all
  stipulate window: always possible(window) | possible(away)
}
plan first graph {
  p0: start
  p0 -look-> p1 -view-> p2 -leave-> end
  end: terminal
}
";

/// Somebody who hears nothing but the bell must know in the end that somebody came, and before that nothing of it.
const BELL: &str = "
world {
  t: 0..3 = 0
  guest: bool
  action wait when t = 0 { t := 1 }
  action ring when t = 1 & guest { t := 2 }
  action nod  when t = 1 { t := 2 }
  action rest when t = 2 { t := 3 }
  observe { come when t = 1 & guest; quiet otherwise }
  goal t = 3
}
observer upstairs {
  knows plan
  sees ring as bell; come, quiet as sound; others as themselves
  stipulate told: at end knows(guest) | knows(!guest)
}
plan bell { wait; if come { ring } else { nod }; rest }
";

fn problem(name: &str, text: &str) -> Problem {
    let (problem, diagnostics) = load(name, text, &NoIncludes, &[]);
    problem.unwrap_or_else(|| panic!("{}", diagnostics.render(false)))
}

/// After how many things that may have happened the plan offers several actions; `choose` may have written them at several vertices.
fn choices(plan: &Plan) -> usize {
    let graph = &plan.graph;
    let mut met = BTreeSet::from([graph.initial().iter().copied().collect::<BTreeSet<Vertex>>()]);
    let mut todo: Vec<_> = met.iter().cloned().collect();
    let mut several = 0;
    while let Some(at) = todo.pop() {
        let going = || at.iter().copied().filter(|&v| !plan.is_terminal(v));
        let labels: BTreeSet<Label> = going().flat_map(|v| graph.labels(v)).collect();
        let acts = going().any(|v| graph.kind(v) == Kind::Action);
        several += usize::from(acts && labels.len() > 1);
        for label in labels {
            let next: BTreeSet<Vertex> =
                going().flat_map(|v| graph.step(v, label)).map(|arc| arc.to).collect();
            if met.insert(next.clone()) {
                todo.push(next);
            }
        }
    }
    several
}

/// How long, how large, and how many places at which something is chosen.
fn figures(problem: &Problem, plan: &Plan) -> (u64, usize, usize) {
    let given = Problem { plan: Some(plan.clone()), ..problem.clone() };
    match ask(&given).check().within(&Unlimited).unwrap().verdict {
        Verdict::Holds { worst_case: Some(worst) } => (worst.events, plan.graph.len(), choices(plan)),
        verdict => panic!("{:?}: {verdict:?}", problem.name),
    }
}

#[test]
fn found_plans_are_no_worse_than_those_written_by_hand() {
    let mut all: Vec<Problem> = [LIGHTS, DOUBT, LETTERS, WINDOW, BELL]
        .iter()
        .enumerate()
        .map(|(number, text)| problem(&format!("model {number}"), text))
        .collect();
    for example in ["pentagon", "medicine", "nuclear", "observers/hospital"] {
        let path = format!("{}/../../examples/{example}.divulge", env!("CARGO_MANIFEST_DIR"));
        all.push(problem(example, &std::fs::read_to_string(path).unwrap()));
    }
    let mut larger = 0;
    for problem in &all {
        let hand = problem.plan.as_ref().expect("a plan by hand");
        let by_hand = figures(problem, hand);
        let answer = ask(problem).seek_plan().within(&Unlimited).unwrap();
        let found = answer.found().expect("there is one");
        let of_found = figures(problem, &found.plan);
        println!("{:?}: {by_hand:?} by hand, {of_found:?} found", problem.name);
        assert!(of_found.0 <= by_hand.0, "longer: {:?}", problem.name);
        assert!(of_found.2 <= by_hand.2, "more choices: {:?}", problem.name);
        // In the hospital the found plan does less for one patient than for the other, so that less of it is joined.
        assert!(4 * of_found.1 <= 5 * by_hand.1, "larger: {:?}", problem.name);
        larger += usize::from(of_found.1 > by_hand.1);
    }
    assert!(larger <= 1, "{larger} of {} are larger", all.len());
}
