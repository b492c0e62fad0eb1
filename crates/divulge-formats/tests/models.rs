//! PRISM models and planning problems: sizes, plans and what is said about mistakes.

use divulge::{Unlimited, ask, expansion::almost_surely, problem::Problem};
use divulge_formats::{Beside, Failed, Fault, Format, Machine, read};

const LAMPS: &str = include_str!("files/lamps.prism");
const PARCELS: &str = include_str!("files/parcels.pddl");
const DOMAIN: &str = include_str!("files/parcels-domain.pddl");
const DICE: &str = include_str!("files/dice.pddl");
const CORRIDOR: &str = include_str!("files/corridor.pddl");

fn prism(text: &str, set: &[(&str, &str)]) -> Result<Machine, Vec<Fault>> {
    let constants: Vec<(String, String)> = set.iter().map(|&(n, v)| (n.to_owned(), v.to_owned())).collect();
    faults(read(Format::Prism, text, Beside { constants: &constants, domain: None }, &Unlimited))
}

fn pddl(text: &str, domain: Option<&str>) -> Result<Machine, Vec<Fault>> {
    faults(read(Format::Pddl, text, Beside { constants: &[], domain }, &Unlimited))
}

fn faults(read: Result<Machine, Failed>) -> Result<Machine, Vec<Fault>> {
    read.map_err(|failed| match failed {
        Failed::Faults(faults) => faults,
        Failed::Limit(limit) => panic!("{limit:?}"),
    })
}

/// The least number of actions in the worst case, if there is a plan.
fn depth(problem: &Problem) -> Option<u64> {
    let answer = ask(problem).seek_plan().within(&Unlimited).expect("an answer");
    answer.found().map(|found| found.worst_case.cost)
}

#[test]
fn a_pomdp_is_explored() {
    let lamps = prism(LAMPS, &[("N", "4")]).expect("a model");
    // placed or not; then as many presses as turns, and each lamp went on at every one of them or failed.
    assert_eq!(lamps.states.iter().next(), Some("turns=0,placed=false,a=0,b=0"));
    assert_eq!(lamps.events.iter().collect::<Vec<_>>(), ["step", "press", "rest"]);
    assert!(
        lamps.observations.get("turns=1 glow").is_some() && lamps.observations.get("turns=1 !glow").is_some()
    );
    let level = |presses: usize| match presses {
        0 => 1,
        1 => 2,
        _ => 3,
    };
    let states: usize = (0..4).map(|presses| level(presses) * level(presses)).sum::<usize>() + 1;
    assert_eq!(lamps.states.len(), states);
    assert_eq!(lamps.goal.as_ref().map(|goal| goal.iter().filter(|&&is| is).count()), Some(6));
    let problem = lamps.problem().expect("a world");
    assert_eq!(depth(&problem), None, "lamps may fail for ever");
}

#[test]
fn chances_of_nothing_are_dropped() {
    let text = LAMPS.replace("fail = 1/4", "fail = 0");
    let problem = prism(&text, &[("N", "3")]).expect("a model").problem().expect("a world");
    assert_eq!(depth(&problem), Some(3), "a step, and two presses");
}

#[test]
fn an_mdp_shows_what_chance_changes() {
    let text = "mdp\nmodule m\n x : [0..2];\n y : [0..1];\n [a] x=0 -> 0.5:(x'=1) + 0.5:(x'=2);\n [b] x>0 -> (y'=1);\n [b] x>0 -> (y'=0);\nendmodule";
    let machine = prism(text, &[]).expect("a model");
    assert_eq!(machine.observations.iter().collect::<Vec<_>>(), ["then", "x=0", "x=1", "x=2"]);
    assert_eq!(machine.events.iter().collect::<Vec<_>>(), ["a", "b", "b#2"], "a choice is the robot's");
}

#[test]
fn several_starts_are_told_apart_by_what_is_observed() {
    let text = "pomdp\nobservables x endobservables\nmodule m\n x : [0..1];\n y : [0..1];\n [a] true -> (y'=y);\nendmodule\ninit y=0 | x=1 endinit";
    let machine = prism(text, &[]).expect("a model");
    assert_eq!((machine.initial.len(), machine.first.len()), (3, 3));
    let problem = machine.problem().expect("a world");
    assert_eq!(problem.world.graph.initial().len(), 3);
}

#[test]
fn mistakes_in_models_are_placed() {
    for (text, part) in [
        ("mdp module m x : [0..2]; [a] x=y -> true; endmodule", "`y` is no variable"),
        ("mdp module m x : [0..2]; [a] x -> true; endmodule", "expected a condition"),
        ("mdp module m x : [0..2]; [a] x=0 -> (x'=1/2); endmodule", "expected an integer"),
        ("mdp module m x : [2..0]; endmodule", "empty"),
        ("mdp module m x : [0..2] init 7; endmodule", "outside its range"),
        ("mdp module m x : [0..2]; [a] x<9 -> (x'=x+1); endmodule", "becomes 3"),
        ("mdp module m x : [0..2]; [a] true -> 0.5:(x'=1) + 0.4:(x'=2); endmodule", "add up to"),
        ("mdp const int N; module m x : [0..N]; endmodule", "has no value"),
        (
            "mdp formula f = g; formula g = f; module m x : [0..1]; [a] f=1 -> true; endmodule",
            "defined by itself",
        ),
        ("mdp module m x : [0..1]; endmodule module n = k[x=y] endmodule", "no module `k`"),
        ("mdp module m x : [0..1]; endmodule module n = m[y=z] endmodule", "not the first thing"),
        ("ctmc module m x : [0..1]; endmodule", "continuous time"),
        ("mdp module m x : [0..1]; [a] true -> (x'=1)", "expected `;`"),
        ("mdp module m x : [0..1]; [a] true -> (z'=1); endmodule", "no variable `z`"),
        ("mdp module m x : clock; endmodule", "clocks"),
        ("mdp", "no variables"),
    ] {
        let found = prism(text, &[]).expect_err(text);
        assert!(found.iter().any(|fault| fault.message.contains(part)), "{text}: {found:?}");
    }
    let found = prism(LAMPS, &[("M", "4")]).expect_err("no such constant");
    assert!(found.iter().any(|fault| fault.message.contains("no constant `M`")), "{found:?}");
}

#[test]
fn sensing_finds_the_parcel() {
    let machine = pddl(PARCELS, Some(DOMAIN)).expect("a problem");
    assert_eq!(machine.initial.len(), 2);
    assert!(machine.events.get("look kitchen").is_some(), "{:?}", machine.events);
    assert!(machine.events.get("walk hall attic").is_none(), "the attic is locked");
    let at = machine.properties.iter().find(|property| property.name == "at").expect("a property");
    assert_eq!(at.values.len(), 3);
    // Walk, look, take; or walk, look, walk back, walk on, take.
    assert_eq!(depth(&machine.problem().expect("a world")), Some(5));
}

#[test]
fn trying_again_is_no_bounded_plan() {
    let machine = pddl(DICE, None).expect("a problem");
    assert!(machine.observations.get("won, !lost, !tired").is_some(), "{:?}", machine.observations);
    let problem = machine.problem().expect("a world");
    assert_eq!(depth(&problem), None);
    assert!(almost_surely(&problem.world, &Unlimited).expect("no limit"));
    let harder = DICE.replace("(oneof (and) (won))", "(oneof (and) (won) (lost))");
    let problem = pddl(&harder, None).expect("a problem").problem().expect("a world");
    assert!(!almost_surely(&problem.world, &Unlimited).expect("no limit"));
}

#[test]
fn sensors_tell_at_the_start_and_after_every_action() {
    let machine = pddl(CORRIDOR, None).expect("a problem");
    assert_eq!(machine.first.len(), 2);
    assert!(machine.observations.get("!mine right, mine left").is_some(), "{:?}", machine.observations);
    assert!(machine.notes.iter().any(|note| note.contains(":hidden")));
    assert_eq!(depth(&machine.problem().expect("a world")), Some(2));
}

#[test]
fn too_many_starts_are_refused_in_time() {
    let rooms: String = (0..40).map(|i| format!("r{i} ")).collect();
    let unknown: String = (0..40).map(|i| format!("(unknown (locked r{i}))")).collect();
    let text = format!(
        "(define (problem p) (:domain parcels) (:objects {rooms}- room) (:init (at r0) {unknown}) (:goal (held)))"
    );
    let found = pddl(&text, Some(DOMAIN)).expect_err("too many");
    assert!(found[0].message.contains("possible starts"), "{found:?}");
}

#[test]
fn mistakes_in_problems_are_placed() {
    for (text, domain, part) in [
        (PARCELS, None, "domain of this problem is missing"),
        (DOMAIN, None, "the problem is missing"),
        ("(define (problem p)", Some(DOMAIN), "not closed"),
        (
            "(define (problem p) (:init (at hal)) (:objects hall - room) (:goal (held)))",
            Some(DOMAIN),
            "no object `hal`",
        ),
        (
            "(define (problem p) (:objects hall - room) (:init (att hall)) (:goal (held)))",
            Some(DOMAIN),
            "no predicate `att`",
        ),
        (
            "(define (problem p) (:objects hall - room) (:init (at hall hall)) (:goal (held)))",
            Some(DOMAIN),
            "takes 1 terms",
        ),
        ("(define (problem p) (:objects hall - room) (:init (at hall)))", Some(DOMAIN), "no goal"),
        (
            "(define (problem p) (:init (oneof (held)) (not (held))) (:goal (held)))",
            Some(DOMAIN),
            "contradicts",
        ),
        ("hello", Some(DOMAIN), "outside of any list"),
        ("())", Some(DOMAIN), "not opened"),
        ("(define (problem p)) (define (problem q))", Some(DOMAIN), "several problems"),
    ] {
        let found = pddl(text, domain).expect_err(text);
        assert!(found.iter().any(|fault| fault.message.contains(part)), "{text}: {found:?}");
    }
    let noisy = DOMAIN.replace(":observe (in box ?r)", ":observe (probabilistic 0.8 (in box ?r))");
    let found = pddl(PARCELS, Some(&noisy)).expect_err("it errs");
    assert_eq!(found[0].place.map(|place| place.text), Some(1), "the place is in the domain");
}

#[test]
fn tokens_say_what_actions_look_like() {
    let list = divulge_formats::tokens::read("(MOVE AT_A x y)\n(MOVE AT_NIL y x) \n(MOVE AT_A x y)")
        .expect("a list");
    let shown: Vec<(&str, Option<&str>)> =
        list.iter().map(|t| (t.action.as_str(), t.token.as_deref())).collect();
    assert_eq!(shown, [("move x y", Some("at_a")), ("move y x", None)]);
    let several = divulge_formats::tokens::read("(MOVE A x y)\n(MOVE B x y)").expect_err("two tokens");
    assert!(several[0].message.contains("several tokens"));
    assert!(divulge_formats::tokens::read("(MOVE)").is_err());
}

#[test]
fn facts_that_never_change_are_no_properties_but_known() {
    let machine = pddl(PARCELS, Some(DOMAIN)).expect("a problem");
    let property = |name: &str| machine.properties.iter().any(|property| property.name == name);
    assert!(property("at cellar") && !property("locked attic"));
    assert_eq!(machine.fixed.value("locked attic"), Some(true));
    assert_eq!(machine.fixed.value("locked cellar"), Some(false));
    assert_eq!(machine.fixed.value("nonsense"), None);
    assert!(machine.notes.iter().any(|note| note.contains("never change") && note.contains("`locked`")));
}

#[test]
fn a_template_says_that_it_is_one() {
    let text = PARCELS.replace("(:goal (held))", "(:goal (and <HYPOTHESIS>))");
    let found = pddl(&text, Some(DOMAIN)).expect_err("no goal");
    assert!(found[0].help.as_deref().is_some_and(|help| help.contains("template")), "{found:?}");
}

#[test]
fn mistakes_come_in_the_order_of_the_text() {
    let text = "mdp const int A; const int B; module m x : [0..B]; y : [0..A]; [a] x=z -> true; endmodule";
    let found = prism(text, &[]).expect_err("three mistakes");
    let starts: Vec<usize> = found.iter().filter_map(|fault| fault.place).map(|place| place.start).collect();
    assert!(starts.len() >= 2 && starts.is_sorted(), "{found:?}");
}

#[test]
fn what_cannot_be_computed_is_a_mistake() {
    for (text, part) in [
        (
            "mdp module m x : [0..1]; [a] true -> (x'=1-x); endmodule label \"l\" = mod(1, x) = 0;",
            "`l` cannot be computed",
        ),
        (
            "pomdp observable \"o\" = mod(1, x); module m x : [0..1]; [a] true -> (x'=1-x); endmodule",
            "`o` cannot be computed",
        ),
    ] {
        let found = prism(text, &[]).expect_err(text);
        assert!(found[0].message.contains(part), "{text}: {found:?}");
        assert!(found[0].help.as_deref().is_some_and(|help| help.contains("x=0")), "{found:?}");
    }
}

/// Three modules that act together, one of them with two commands, and outcomes that coincide.
#[test]
fn synchronised_choices_are_counted_as_others_count_them() {
    let text = "mdp\n\
        module a x : [0..2]; [go] x<2 -> 0.5:(x'=x+1) + 0.5:(x'=x); [go] x<2 -> (x'=2); endmodule\n\
        module b y : [0..1]; [go] true -> 0.5:(y'=0) + 0.5:(y'=1); endmodule\n\
        module c z : [0..1]; [go] z=0 -> 0.3:(z'=0) + 0.7:(z'=z); [] z=0 -> (z'=1); endmodule\n";
    let machine = prism(text, &[]).expect("a model");
    let mut events: Vec<&str> = machine.events.iter().collect();
    events.sort_unstable();
    assert_eq!(events, ["go", "go#2", "step"]);
    let here = |event: &str| {
        let number = machine.events.get(event).expect("it is there");
        machine.steps.iter().filter(|step| step.from == 0 && step.event == number).count()
    };
    // x stays or grows, y is either; z stays either way, which is one outcome.
    assert_eq!((here("go"), here("go#2"), here("step")), (4, 2, 1));
}

/// A label in a guard means the same in every module, however the module is renamed.
#[test]
fn labels_stand_in_guards_and_in_labels() {
    let text = "mdp\n\
        module m1 s1 : bool; [] !\"busy\" -> (s1'=true); [] true -> (s1'=false); endmodule\n\
        module m2 = m1[s1=s2] endmodule\n\
        label \"busy\" = s1 | both; label \"idle\" = !\"busy\"; formula both = \"second\"; label \"second\" = s2;\n";
    let machine = prism(text, &[]).expect("a model");
    // Both at once cannot be: 4 choices at the start, 2 at each of the others.
    assert_eq!((machine.facts().states, machine.facts().transitions), (3, 8));
    let idle = machine.properties.iter().find(|property| property.name == "idle").expect("a label");
    assert_eq!(idle.of.iter().filter(|&&code| idle.values[code as usize] == true.into()).count(), 1);
    for (label, part) in [
        ("label \"l\" = \"k\"; label \"k\" = \"l\";", "the label \"l\" is defined by itself"),
        ("label \"l\" = \"nowhere\";", "no label \"nowhere\""),
        ("label \"l\" = true; label \"l\" = false;", "the label `l` is not the first"),
    ] {
        let found = prism(&format!("mdp module m x : [0..1]; endmodule {label}"), &[]).expect_err(label);
        assert!(found.iter().any(|fault| fault.message.contains(part)), "{label}: {found:?}");
    }
}

#[test]
fn rare_words_of_models_are_read() {
    let text = "mdp\n\
        const prob half = 0.5; const int zero = min(0); const rate = 3;\n\
        module a n : [0..rate] init zero; m : [0..1] init max(1); [t] true -> (n'=min(m)) & (m'=max(min(n, 1))); endmodule\n\
        module b k : [-3..3] init round(-0.5); [t] k<3 -> half:(k'=k+1) + 1-half:(k'=k); endmodule\n\
        system a || b endsystem\n";
    let machine = prism(text, &[]).expect("a model");
    assert_eq!(machine.states.iter().next(), Some("n=0,m=1,k=0"), "a half is rounded up");
    // n and m swap at every step, so that they and k are as free as steps are many.
    assert_eq!(machine.facts().states, 8);
    let part = text.replace("a || b", "a ||| b");
    let found = prism(&part, &[]).expect_err("not side by side");
    assert!(found[0].message.contains("side by side"), "{found:?}");
    assert!(prism(&text.replace("a || b", "a"), &[]).is_err(), "a module is left out");
}

/// PRISM and Storm add a loop to each state that is stuck, and count it.
#[test]
fn loops_where_a_model_is_stuck_are_counted() {
    let text = "mdp module m x : [0..2]; [a] x=0 -> 0.5:(x'=1) + 0.5:(x'=2); endmodule";
    let facts = prism(text, &[]).expect("a model").facts();
    assert_eq!((facts.states, facts.transitions, facts.deadlocks), (3, 4, 2));
}

#[test]
fn wrong_values_of_constants_are_told_once() {
    let text = "mdp const int K; const int T; module m x : [0..K+T]; endmodule";
    let found = prism(text, &[("K", "2,T=3")]).expect_err("one at a time");
    let about: Vec<&str> = found.iter().map(|fault| fault.message.as_str()).collect();
    assert_eq!(about.iter().filter(|message| message.contains("`K`")).count(), 1, "{about:?}");
    let help = found.iter().find_map(|fault| fault.help.as_deref().filter(|help| help.contains("K=2")));
    assert!(help.is_some_and(|help| help.ends_with("--set K=2 --set T=3")), "{found:?}");
}

/// One mistake does not hide the next.
#[test]
fn mistakes_do_not_hide_each_other() {
    let text = "mdp\nconst int N = 3\nmodule m\n x : [0..N;\n [a] x<99999999999999999999 -> (x'=1);\nendmodule\nlable \"goal\" = x=N;\n";
    let found = prism(text, &[]).expect_err("four mistakes");
    assert_eq!(found.len(), 4, "{found:?}");
    assert!(found.iter().all(|fault| fault.help.is_some() && fault.place.is_some()), "{found:?}");
    let domain = "(define (domain d) (:predicates (at ?x)) (:action go :parameters (?a) \
        :precondition (att ?a) :effect (and (at ?c) (at ?a ?a)) :cost 3))";
    let problem = "(define (problem p) (:domain d) (:objects x) (:init (at x)) (:goal (at x)))";
    let found = pddl(problem, Some(domain)).expect_err("four mistakes");
    assert_eq!(found.len(), 4, "{found:?}");
}

#[test]
fn the_start_may_be_one_of_several_descriptions() {
    let start = |init: &str| {
        let text = format!(
            "(define (domain d) (:predicates (a) (b) (c) (g)) (:action go :effect (g)))\n\
             (define (problem p) (:domain d) (:init {init}) (:goal (g)))"
        );
        pddl(&text, None).map(|machine| machine.initial.len())
    };
    // The third says more than the second, so that the two are never so alone: a, b and whatever c is; or c alone.
    let three = "(oneof (and (a) (b)) (and (not (a)) (c)) (and (c) (b) (not (a))))";
    assert_eq!(start(three), Ok(3));
    assert_eq!(start("(or (and (a) (b)) (and (b) (c)))"), Ok(3));
    assert_eq!(start("(oneof (a) (and (b) (c)))"), Ok(4), "a without both, or both without a");
    assert_eq!(start("(unknown (a)) (or (a) (b)) (oneof (b) (c))"), Ok(3));
}

/// What follows from other facts is not guessed: thirty facts, all of them as the last one.
#[test]
fn what_follows_from_the_start_is_no_further_choice() {
    let facts: String = (0..30).map(|i| format!("(s{i}) ")).collect();
    let clauses: String = (0..30).map(|i| format!("(or (not (s{i})) (x)) (or (s{i}) (not (x)))\n")).collect();
    let text = format!(
        "(define (domain d) (:predicates {facts} (x) (g)) (:action go :effect (g)))\n\
         (define (problem p) (:domain d) (:init {clauses}) (:goal (g)))"
    );
    assert_eq!(pddl(&text, None).expect("a problem").initial.len(), 2);
}

#[test]
fn objects_may_be_of_either_type() {
    let text = "(define (domain d) (:types robot box - thing place - object)\n\
        (:predicates (at ?x - thing ?p - place) (lit ?x - (either robot box)))\n\
        (:action beep :parameters (?r - robot) :effect (lit ?r))\n\
        (:action open :parameters (?b - box) :effect (lit ?b))\n\
        (:action any :parameters (?t - thing) :effect (lit ?t))\n\
        (:action lost :parameters (?t - plaec) :effect (lit toy)))\n\
        (define (problem p) (:domain d) (:objects r - robot b - box toy - (either box robot) p - place) (:init) (:goal (lit toy)))";
    let machine = pddl(text, None).expect("a problem");
    let mut events: Vec<&str> = machine.events.iter().collect();
    events.sort_unstable();
    assert_eq!(events, ["any b", "any r", "any toy", "beep r", "beep toy", "open b", "open toy"]);
    let note = machine.notes.iter().find(|note| note.contains("`plaec` is not declared"));
    assert!(note.is_some_and(|note| note.contains("did you mean `place`?")), "{:?}", machine.notes);
}

/// A domain that the problem is not for explains whatever else does not fit.
#[test]
fn another_domain_is_the_first_mistake() {
    let problem =
        PARCELS.replace("(:domain parcels)", "(:domain letters)").replace("(:goal (held))", "(:goal (read))");
    let found = pddl(&problem, Some(DOMAIN)).expect_err("no such predicate");
    assert!(found[0].message.contains("`letters`") && found[0].message.contains("`parcels`"), "{found:?}");
    let machine =
        pddl(&PARCELS.replace("(:domain parcels)", "(:domain letters)"), Some(DOMAIN)).expect("it fits");
    assert!(machine.notes.iter().any(|note| note.contains("`letters`")), "{:?}", machine.notes);
}
