//! Plans as programs.

use super::*;

const SIGNALS: &str = "world {
  action a; action b
  observe { o; p; q }
  goal true
}
";

/// Where a plan is after an execution: "goes on", "stops" (`|` if both are possible), or "is lost".
fn after(program: &str, execution: &str) -> String {
    let p = problem(&format!("{SIGNALS}plan {{ {program} }}"));
    let plan = p.plan.unwrap();
    let labels: Vec<Label> = execution.split_whitespace().map(|l| p.alphabet.get(l).unwrap()).collect();
    let mut found: Vec<&str> = trace(&plan.effective(), &labels)
        .into_iter()
        .map(|v| if plan.is_terminal(v) { "stops" } else { "goes on" })
        .collect();
    found.sort_unstable();
    found.dedup();
    if found.is_empty() { "is lost".to_owned() } else { found.join("|") }
}

#[test]
fn programs() {
    for (program, execution, expected) in [
        ("", "", "stops"),
        ("stop", "a", "is lost"),
        ("a", "", "goes on"),
        ("a", "a", "goes on"),
        ("a", "a o", "stops"),
        ("a", "a q", "stops"),
        ("a", "b", "is lost"),
        ("a | b; a", "b o a o", "stops"),
        ("a; if o { b } else if p { a } ; a", "a o b o a p", "stops"),
        ("a; if o { b } else if p { a } ; a", "a p b", "is lost"),
        ("a; if o { b } else if p { a } ; a", "a q a o", "stops"),
        ("a; if !(o | p) { stop }; b", "a q", "stops"),
        ("a; if !(o | p) { stop }; b", "a p b o", "stops"),
        ("a; if not o { stop } else { b }", "a o b q", "stops"),
        ("a; while o { a }; b", "a o a o a p b o", "stops"),
        ("a; while o { a }; b", "a o b", "is lost"),
        ("a; while !q { if o { b } else { a } }", "a o b p a q", "stops"),
        ("repeat 3 { a }", "a o a o a", "goes on"),
        ("repeat 3 { a }", "a o a o a o", "stops"),
        ("repeat 0 { a }", "", "stops"),
        ("choose { a; b } or { a; stop } or { b }", "", "goes on"),
        ("choose { a; b } or { a; stop } or { b }", "a o", "goes on|stops"),
        ("choose { a; b } or { a; stop } or { b }", "b o", "stops"),
        ("choose { } or { a }", "", "goes on|stops"),
    ] {
        assert_eq!(after(program, execution), expected, "`{program}` after `{execution}`");
    }
}

#[test]
fn programs_in_worlds_that_start_with_an_observation() {
    let p = problem(
        "world { start observing; action a; action b; observe { o; p }; goal true }\nplan { if o { a } else { stop } }",
    );
    let plan = p.plan.unwrap();
    let at = |execution: &[&str]| {
        let labels: Vec<Label> = execution.iter().map(|l| p.alphabet.get(l).unwrap()).collect();
        trace(&plan.effective(), &labels).into_iter().map(|v| plan.is_terminal(v)).collect::<Vec<_>>()
    };
    assert_eq!(plan.graph.initial_kind(), Kind::Observation);
    assert_eq!((at(&["o"]), at(&["p"]), at(&["o", "a", "p"])), (vec![false], vec![true], vec![true]));
}
