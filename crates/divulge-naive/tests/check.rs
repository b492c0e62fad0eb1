//! Hand-computed examples of CHECK and AUDIT.

use std::collections::BTreeMap;

use divulge::problem::{Filter, Knows, Label, Problem, Scope};
use divulge_naive::{
    Refusal,
    audit::audit,
    check::{WorstCase, check, verify_plan},
    examples::{Arc, merge, plan, problem, remembering, stipulate},
    graph::Set,
    joint::Reason,
    witness::{Witness, shows, shows_in_audit},
};

/// u0 –a→ y0 –o→ u1, u1 the goal, with this plan.
fn corridor(steps: &[Arc], terminal: &[&str]) -> Problem {
    let mut problem = problem(&[("u0", "a", "y0"), ("y0", "o", "u1")], &["u0"], &["u1"]);
    problem.plan = Some(plan(&mut problem, steps, &["p0"], terminal));
    problem
}

fn faults(problem: &Problem) -> BTreeMap<&'static str, usize> {
    check(problem).unwrap().shortest.into_iter().map(|(reason, n)| (reason.word(), n)).collect()
}

fn word(problem: &Problem, names: &[&str]) -> Vec<Label> {
    names.iter().map(|n| problem.alphabet.get(n).unwrap()).collect()
}

#[test]
fn a_plan_that_solves() {
    let p = corridor(&[("p0", "a", "q0"), ("q0", "o", "p1")], &["p1"]);
    assert!(check(&p).unwrap().holds());
    assert_eq!(verify_plan(&p, p.plan.as_ref().unwrap()), Ok(Some(WorstCase { events: 2, cost: 1 })));
}

#[test]
fn edges_out_of_terminal_vertices_do_not_count() {
    let p = corridor(&[("p0", "a", "q0"), ("q0", "o", "p1"), ("p1", "b", "q0")], &["p1"]);
    assert!(check(&p).unwrap().holds());
}

#[test]
fn unsafe_action() {
    let p = corridor(&[("p0", "a", "q0"), ("p0", "b", "q0"), ("q0", "o", "p1")], &["p1"]);
    assert_eq!(faults(&p), [("unsafe-action", 0)].into());
    let mut witness = Witness::new(Reason::UnsafeAction, vec![]);
    assert_eq!(shows(&p, &witness), Ok(true));
    witness.event = p.alphabet.get("b");
    assert_eq!(shows(&p, &witness), Ok(true));
    witness.event = p.alphabet.get("a");
    assert_eq!(shows(&p, &witness), Ok(false));
}

#[test]
fn unforeseen_observation_leaves_the_pair_stuck_too() {
    let p = corridor(&[("p0", "a", "q0")], &[]);
    assert_eq!(faults(&p), [("unforeseen-observation", 1), ("stuck", 1)].into());
    let witness = Witness::new(Reason::UnforeseenObservation, word(&p, &["a"]));
    assert_eq!(shows(&p, &witness), Ok(true));
    assert_eq!(shows(&p, &Witness { reason: Reason::TerminatesOffGoal, ..witness }), Ok(false));
}

#[test]
fn terminates_off_goal() {
    let p = corridor(&[("p0", "a", "q0")], &["q0"]);
    assert_eq!(faults(&p), [("terminates-off-goal", 1)].into());
    assert_eq!(faults(&corridor(&[], &["p0"])), [("terminates-off-goal", 0)].into());
}

#[test]
fn stuck_at_the_goal_is_stuck() {
    let p = corridor(&[("p0", "a", "q0"), ("q0", "o", "p1")], &[]);
    assert_eq!(faults(&p), [("stuck", 2)].into());
}

#[test]
fn unbounded_although_it_always_could_end() {
    let arcs = [("u0", "a", "y0"), ("y0", "o", "u0"), ("y0", "e", "u1")];
    let mut p = problem(&arcs, &["u0"], &["u1"]);
    let steps = [("p0", "a", "q0"), ("q0", "o", "p0"), ("q0", "e", "p1")];
    p.plan = Some(plan(&mut p, &steps, &["p0"], &["p1"]));
    assert_eq!(faults(&p), [("unbounded", 0)].into());
    let mut witness = Witness::new(Reason::Unbounded, vec![]);
    assert_eq!(shows(&p, &witness), Ok(false));
    witness.cycle = word(&p, &["a", "o"]);
    assert_eq!(shows(&p, &witness), Ok(true));
    witness.cycle = word(&p, &["a", "e"]);
    assert_eq!(shows(&p, &witness), Ok(false));
}

#[test]
fn one_execution_may_both_terminate_and_go_on() {
    // After a the plan is in q0 or in the terminal q1; y0 is a goal, so both are fine.
    let mut p = problem(&[("u0", "a", "y0"), ("y0", "o", "u1")], &["u0"], &["y0", "u1"]);
    let steps = [("p0", "a", "q0"), ("p0", "a", "q1"), ("q0", "o", "p1")];
    p.plan = Some(plan(&mut p, &steps, &["p0"], &["q1", "p1"]));
    stipulate(&mut p, Scope::End, "!state(y0)");
    assert_eq!(faults(&p), [("stipulation", 1)].into());
    assert_eq!(shows(&p, &Witness::new(Reason::Stipulation, word(&p, &["a"]))), Ok(true));
    assert_eq!(shows(&p, &Witness::new(Reason::Stipulation, word(&p, &["a", "o"]))), Ok(false));
}

#[test]
fn outside_what_is_divulged() {
    let mut p = corridor(&[("p0", "a", "q0"), ("q0", "o", "p1")], &["p1"]);
    let short = plan(&mut p, &[("p0", "a", "q0"), ("q0", "o", "p1")], &["p0"], &["q0"]);
    p.observer.knows = Knows::Plans(vec![short]);
    assert_eq!(faults(&p), [("outside-divulged", 2)].into());
    assert_eq!(shows(&p, &Witness::new(Reason::OutsideDivulged, word(&p, &["a", "o"]))), Ok(true));
    assert_eq!(shows(&p, &Witness::new(Reason::OutsideDivulged, word(&p, &["a"]))), Ok(false));
    p.observer.knows = Knows::GoalDirected;
    assert_eq!(faults(&p), [].into());
}

#[test]
fn nothing_is_goal_directed_where_the_goal_cannot_be_forced() {
    let arcs = [("u0", "a", "y0"), ("y0", "o", "u1"), ("y0", "e", "u2")];
    let mut p = problem(&arcs, &["u0"], &["u1"]);
    p.observer.knows = Knows::GoalDirected;
    stipulate(&mut p, Scope::Always, "false");
    assert_eq!(audit(&p), Ok([].into()));
    p.observer.knows = Knows::World;
    assert_eq!(audit(&p), Ok([(0, 0)].into()));
}

#[test]
fn goal_directed_robots_do_not_step_where_the_goal_may_be_lost() {
    // From u0, a is sure and b is not: an observer who knows that the robot wants u1 rules b out.
    let arcs =
        [("u0", "a", "y0"), ("u0", "b", "y1"), ("y0", "o", "u1"), ("y1", "o", "u1"), ("y1", "e", "u2")];
    let mut p = problem(&arcs, &["u0"], &["u1"]);
    merge(&mut p, &[&["a", "b"]]);
    stipulate(&mut p, Scope::Always, "state(y0) -> state(y1)");
    assert_eq!(audit(&p), Ok([].into()));
    p.observer.knows = Knows::GoalDirected;
    assert_eq!(audit(&p), Ok([(0, 1)].into()));
    assert_eq!(shows_in_audit(&p, &word(&p, &["a"]), Some(0)), Ok(true));
    assert_eq!(shows_in_audit(&p, &word(&p, &["b"]), Some(0)), Ok(false));
}

#[test]
fn a_goal_observation_keeps_its_edges_only_if_none_loses() {
    // y0 is a goal, so b wins; but what is observed there may lose, so a plan must terminate there.
    let arcs = [("u0", "a", "y0"), ("y0", "o", "u1"), ("y0", "e", "u2")];
    let mut p = problem(&arcs, &["u0"], &["y0", "u1"]);
    p.observer.knows = Knows::GoalDirected;
    stipulate(&mut p, Scope::Always, "!state(u1)");
    assert_eq!(audit(&p), Ok([].into()));
    let mut p = problem(&arcs, &["u0"], &["y0", "u1", "u2"]);
    p.observer.knows = Knows::GoalDirected;
    stipulate(&mut p, Scope::Always, "!state(u1)");
    assert_eq!(audit(&p), Ok([(0, 2)].into()));
}

#[test]
fn whoever_remembers_knows_more_than_the_image_of_the_world() {
    let mut p = remembering();
    stipulate(&mut p, Scope::End, "!knows(is(y2)) & !knows(is(y3))");
    assert_eq!(faults(&p), [("stipulation", 3)].into());
    let mut witness = Witness::new(Reason::Stipulation, word(&p, &["a1", "o", "c"]));
    witness.estimate = Some(Set::from([p.world.vertex("y2").unwrap().index()]));
    assert_eq!(shows(&p, &witness), Ok(true));
    p.observer.filter = Filter::Image;
    assert!(check(&p).unwrap().holds());
    assert_eq!(shows(&p, &witness), Ok(false));
}

#[test]
fn a_filter_must_trace_the_world() {
    let mut p = remembering();
    let mut steps = [("u0", "a1", "y0"), ("u0", "a2", "y0"), ("y0", "o", "u1"), ("u1", "c+d", "y2")];
    let filter = |steps: &[Arc]| {
        let drawn = problem(steps, &["u0"], &[]);
        let graph = divulge::problem::NamedGraph { graph: drawn.world.graph, names: drawn.world.names };
        Filter::Graph(Box::new(divulge::problem::FilterGraph {
            graph,
            images: drawn.alphabet.names().clone(),
        }))
    };
    p.observer.filter = filter(&steps);
    stipulate(&mut p, Scope::End, "!knows(is(y2)) & !knows(is(y3))");
    assert!(check(&p).unwrap().holds(), "it forgets the first action, as the world does");
    steps[1].1 = "a3";
    p.observer.filter = filter(&steps);
    assert_eq!(check(&p), Err(Refusal::Untraceable(vec!["a2".into()])));
}

#[test]
fn waiting_where_one_possible_vertex_is_silent_is_stuck() {
    let arcs = [("u0", "a", "y0"), ("u0", "a", "y1"), ("y0", "o", "u1")];
    let mut p = problem(&arcs, &["u0"], &["u1"]);
    p.plan = Some(plan(&mut p, &[("p0", "a", "q0"), ("q0", "o", "p1")], &["p0"], &["p1"]));
    assert_eq!(faults(&p), [("stuck", 1)].into());
    p.observer.knows = Knows::GoalDirected;
    stipulate(&mut p, Scope::Always, "false");
    assert_eq!(audit(&p), Ok([].into()), "no plan solves this world, so none is divulged");
    // With both places goals a plan may stop there, but not wait.
    let mut p = problem(&arcs, &["u0"], &["y0", "y1", "u1"]);
    p.observer.knows = Knows::GoalDirected;
    stipulate(&mut p, Scope::Always, "!state(u1)");
    assert_eq!(audit(&p), Ok([].into()));
}
