//! Found plans beside plans that a person wrote: no longer, no larger, and no more choices.

use std::{collections::BTreeSet, fs, path::PathBuf};

use divulge::{
    Problem,
    ask::{Answer, Verdict, ask},
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

/// A letter for one of three doors along a corridor. Whoever watches the robot walk knows the plan, and must not find out whose letter it was, though
/// posting it is not seen.
const CORRIDOR: &str = "
world {
  at: 0..3 = 0
  door: {one, two, three}
  posted: bool = false
  start observing
  action right when at < 3 { at := at + 1 }
  action left  when at > 0 { at := at - 1 }
  action post  when !posted & ((door = one & at = 1) | (door = two & at = 2) | (door = three & at = 3)) { posted := true }
  observe { door when at = 0 & !posted; quiet otherwise }
  goal posted & at = 0
}
observer neighbour {
  knows plan
  sees right as right; left as left; others not at all
  stipulate hide: always !knows(door)
}
plan post {
  if one { right; post; right; right } else if two { right; right; post; right } else { right; right; right; post }
  left; left; left
}
";

/// A lamp is mended by one of two ways, of which one needs a spare part; nobody knows the plan, and the way for the part may be gone in any case.
const PART: &str = "
world {
  at: {hall, store, lamp, out} = hall
  broken: {bulb, switch}
  part: bool = false
  mended: bool = false
  start observing
  action to_store when at = hall { at := store }
  action take     when at = store & !part { part := true }
  action to_lamp  when at in {hall, store} { at := lamp }
  action mend     when at = lamp & !mended & (part | broken = switch) { mended := true }
  action leave    when at = lamp & mended { at := out }
  observe { broken when at = hall; quiet otherwise }
  goal at = out
}
observer guest {
  knows world
  sees to_store, to_lamp, leave as steps; take, mend as noise; others as themselves
}
plan mend { to_store; take; to_lamp; mend; leave }
";

/// Two look on: the cook, who hears the bell and must know in the end that the tray is out, and a guest, who sees the robot walk and must not find out for whom.
const TRAY: &str = "
world {
  at: {kitchen, hall, east, west, back} = kitchen
  room: {east, west}
  out: bool = false
  rung: bool = false
  start observing
  action go      when at = kitchen & !out { at := hall }
  action to_east when at = hall & !out { at := east }
  action to_west when at = hall & !out { at := west }
  action serve   when !out & ((room = east & at = east) | (room = west & at = west)) { out := true }
  action ring    when out & !rung { rung := true }
  action return  when at in {east, west} & rung { at := back }
  observe { room when at = kitchen; quiet otherwise }
  goal at = back
}
observer cook {
  knows world
  sees ring as bell; others not at all
  stipulate told: at end knows(out)
}
observer guest {
  knows plan
  sees to_east, to_west as walk; east, west as order; others as themselves
  stipulate hide: always !knows(room)
}
plan serve {
  if east { go; to_east } else { go; to_west }
  serve; ring; return
}
";

/// Medicine for one of four patients in a ring of twelve rooms, known at the one end and fetched at the other. Visitors see where it is given, and must not find out
/// what it was: hands are washed whatever it was.
const RING: &str = "
const n = 12, k = 4
let gap = n / k
def bed = pos = order * gap
def right_load = (load = lx & med = x) | (load = ly & med = y) | (load = lz & med = z)

world {
  pos: 0..n - 1 = 0
  order: 0..k - 1
  sick: 0..k - 1
  med: {x, y, z}
  load: {none, lx, ly, lz} = none
  done: bool = false
  clean: bool = true
  start where med = x <-> order = sick

  action cw { pos := (pos + 1) % n }
  action ccw { pos := (pos - 1) % n }
  action wait
  action take_x when pos = 1 & load = none { load := lx }
  action take_y when pos = 1 & load = none { load := ly }
  action take_z when pos = 1 & load = none { load := lz }
  action give when bed & right_load & !done { done := true; clean := med != x }
  action wash when pos = 2 { clean := true }
  observe {
    order when pos = n - 1
    med when pos = 1 & load = none
    nothing otherwise
  }
  goal done & clean & pos = 0
}

observer visitors {
  knows plan
  sees cw as cw; ccw as ccw; wait as wait; take_x, take_y, take_z, wash as work; give as give; others as something
  stipulate discreet: always !knows(sick) & !knows_whether(med = x)
  stipulate told: at end knows(done)
}
plan round {
  ccw
  if \"order=0\" { cw; cw; if x { take_x } else if y { take_y } else { take_z }; ccw; give; cw; cw } else if \"order=1\" { cw; cw; if x { take_x } else if y { take_y } else { take_z }; cw; cw; give; ccw } else if \"order=2\" { cw; cw; if x { take_x } else if y { take_y } else { take_z }; repeat 5 { cw }; give; repeat 4 { ccw } } else { cw; cw; if x { take_x } else if y { take_y } else { take_z }; repeat 4 { ccw }; give; repeat 5 { cw } }
  wash; ccw; ccw
}
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

/// Every example with a plan that keeps what is stipulated, and for whose observers a plan can be sought.
fn examples() -> Vec<Problem> {
    let root = format!("{}/../../examples", env!("CARGO_MANIFEST_DIR"));
    let mut paths: Vec<PathBuf> = ["", "observers", "robot", "theory"]
        .iter()
        .flat_map(|folder| fs::read_dir(format!("{root}/{folder}")).expect("a folder"))
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "divulge"))
        .collect();
    paths.sort();
    let texts = paths.iter().map(|path| (path, fs::read_to_string(path).expect("a model")));
    // Those that include others are about the same world.
    let whole = texts.filter(|(_, text)| !text.contains("include \""));
    let all = whole.map(|(path, text)| problem(&path.to_string_lossy(), &text));
    all.filter(|problem| problem.plan.is_some() && holds(problem)).collect()
}

fn holds(problem: &Problem) -> bool {
    matches!(ask(problem).check().within(&Unlimited), Ok(Answer { verdict: Verdict::Holds { .. }, .. }))
}

#[test]
fn found_plans_are_no_worse_than_those_written_by_hand() {
    let texts = [LIGHTS, DOUBT, LETTERS, WINDOW, BELL, CORRIDOR, PART, TRAY, RING];
    let mut all: Vec<Problem> =
        (1..).zip(texts).map(|(n, text)| problem(&format!("model {n}"), text)).collect();
    all.extend(examples());
    let mut compared = 0;
    for problem in &all {
        let hand = problem.plan.as_ref().expect("a plan by hand");
        let by_hand = figures(problem, hand);
        let Ok(answer) = ask(problem).seek_plan().within(&Unlimited) else { continue };
        let found = answer.found().expect("there is one");
        let of_found = figures(problem, &found.plan);
        println!("{:?}: {by_hand:?} by hand, {of_found:?} found", problem.name);
        assert!(of_found.0 <= by_hand.0, "longer: {:?}", problem.name);
        // Whoever takes longer may do with less.
        if of_found.0 == by_hand.0 {
            assert!(of_found.2 <= by_hand.2, "more choices: {:?}", problem.name);
            assert!(of_found.1 <= by_hand.1, "larger: {:?}", problem.name);
        }
        compared += 1;
    }
    assert!(compared >= 15, "{compared}");
}
