//! Models whose worlds and maps are in files of other tools.

use divulge::{Unlimited, Verdict, ask, problem::Problem};
use divulge_model::{
    diagnostic::{Code, Diagnostics},
    language::{self, Included, Loader},
};

const LAB: &str =
    "3\n\nlab\t1\t2\nopen\tvault\tc\to\nslip\thall\tc\tuo\n\nhall\t1\t1\nopen\thall\tc\to\n\nvault\t0\t0\n";
const COIN: &str = "pomdp\nobservables shown endobservables\nconst int N;\nmodule m\n side : [0..N];\n shown : bool;\n \
     [toss] side=0 -> 0.5:(side'=1) + 0.5:(side'=N);\n [look] side>0 -> (shown'=side=N);\nendmodule\n";
const DOMAIN: &str = "(define (domain d) (:predicates (at ?x) (way ?x ?y)) (:action go :parameters (?x ?y) \
     :precondition (and (at ?x) (way ?x ?y)) :effect (and (at ?y) (not (at ?x)))))";
const PROBLEM: &str = "(define (problem p) (:domain d) (:objects a b c) (:init (at a) (way a b) (way a c) (way b c)) (:goal (at c)))";

/// Files in memory.
struct Files;

impl Loader for Files {
    fn load(&self, path: &str, _from: &str) -> Result<Included, String> {
        let text = match path {
            "lab.fsm" => LAB,
            "bad.fsm" => "1\na\t0\t1\ngo\tb\n",
            "coin.prism" => COIN,
            "d.pddl" => DOMAIN,
            "p.pddl" => PROBLEM,
            "tokens.dat" => "(GO SLOW a b)\n(GO SLOW a c)\n(GO AT_NIL b c)\n(GO FAST c a)\n",
            "many.dat" => "(GO SLOW a b)\n(GO FAST a b)\n",
            "plain.txt" => "hello\n",
            _ => return Err("there is no such file".to_owned()),
        };
        Ok(Included { name: path.to_owned(), text: text.to_owned() })
    }
}

fn load(text: &str) -> (Option<Problem>, Diagnostics) {
    language::load("m.divulge", text, &Files, &[])
}

fn good(text: &str) -> Problem {
    let (problem, found) = load(text);
    assert!(found.is_empty(), "{}", found.render(false));
    problem.expect("a problem")
}

fn bad(text: &str, code: Code, part: &str) {
    let (problem, found) = load(text);
    let shown = found.render(false);
    assert!(
        problem.is_none() && found.iter().any(|d| d.code == code) && shown.contains(part),
        "{text}: {shown}"
    );
}

#[test]
fn an_automaton_with_an_observer() {
    let text = "world from \"lab.fsm\"\nobserver o {\n  knows world\n  sees others as themselves\n  stipulate s: always !knows(state = vault)\n}\n";
    let problem = good(text);
    let map = problem.observer.map.as_ref().expect("a map");
    let unseen: Vec<&str> = map.unseen().map(|l| problem.alphabet.name(l)).collect();
    assert_eq!(unseen, ["slip", "then"], "what the file hides stays hidden");
    let answer = ask(&problem).audit().within(&Unlimited).expect("an answer");
    assert!(matches!(answer.verdict, Verdict::Holds { .. }), "the hall looks like the vault");
    let seen = text.replace("sees others", "sees slip as slip; others");
    let answer = ask(&good(&seen)).audit().within(&Unlimited).expect("an answer");
    assert!(matches!(answer.verdict, Verdict::Violated { .. }), "now it does not");
    assert_eq!(language::format("m", text).expect("a layout"), text, "the layout is canonical");
}

#[test]
fn a_model_gives_constants_and_a_goal() {
    let text = "const n = 2\nworld from \"coin.prism\" {\n  const N = n\n  goal side = 2 & shown | side = 1 & !shown\n}\n\
                observer o { knows world; sees others as themselves; stipulate s: always !knows(side = 2) }\n";
    let problem = good(text);
    assert_eq!(problem.world.graph.vertices().count(), problem.world.graph.len());
    assert!(!problem.world.goal.is_empty());
    bad("world from \"coin.prism\"", Code::ForeignValue, "has no value");
    bad("world from \"coin.prism\" { const M = 2 }", Code::ForeignName, "no constant `M`");
    bad(
        "world from \"coin.prism\" { const N = 2; goal side = 2 & side = 1 }",
        Code::ForeignValue,
        "no state is like this",
    );
    bad("world from \"coin.prism\" { const N = 2; goal sid = 2 }", Code::UnknownName, "side");
    bad("world from \"coin.prism\" { gaol side = 2 }", Code::UnknownItem, "goal");
}

#[test]
fn a_planning_problem_with_tokens() {
    let text = "world from \"d.pddl\" \"p.pddl\"\nobserver o {\n  knows goal-directed\n  sees from \"tokens.dat\"\n  stipulate s: always !knows(at = b)\n}\n";
    let problem = good(text);
    let map = problem.observer.map.as_ref().expect("a map");
    let look = |name: &str| map.look(problem.alphabet.get(name).expect("a label"));
    assert_eq!(
        (look("go a b"), look("go a c"), look("go b c"), look("then")),
        (Some("slow"), Some("slow"), None, None)
    );
    assert_eq!(language::format("m", text).expect("a layout"), text);
    bad("world from \"p.pddl\"", Code::ForeignSyntax, "domain of this problem is missing");
    bad(&text.replace("tokens.dat", "many.dat"), Code::ForeignUnsupported, "several tokens");
    bad(&text.replace("tokens.dat", "none.dat"), Code::BadInclude, "there is no such file");
}

#[test]
fn how_a_file_was_understood_is_remarked() {
    let remarks = |text: &str| language::load("m.divulge", text, &Files, &[]).1.remarks().join("\n");
    let observer = "observer o { knows world; sees others as themselves }\n";
    let open = remarks(&format!("world from \"coin.prism\" {{ const N = 2 }}\n{observer}"));
    assert!(open.contains("coin.prism is read as a PRISM model") && open.contains("`goal` says"), "{open}");
    let closed = remarks(&format!("world from \"coin.prism\" {{ const N = 2; goal shown }}\n{observer}"));
    assert!(!closed.contains("goal") && !closed.contains("--"), "{closed}");
    let two = remarks(&format!("world from \"d.pddl\" \"p.pddl\"\n{observer}"));
    assert!(two.contains("d.pddl with p.pddl is read as a planning problem"), "{two}");
    assert_eq!(remarks(&format!("world {{ x: bool = true; goal x }}\n{observer}")), "");
}

#[test]
fn conditions_may_stand_in_quotes() {
    let world = |goal: &str| {
        format!(
            "world from \"d.pddl\" \"p.pddl\" {{ goal {goal} }}\nobserver o {{ knows world; sees others as themselves }}\n"
        )
    };
    let goal = |text: &str| load(&world(text)).0.expect("a problem").world.goal;
    let fact = goal("\"at b\"");
    assert_eq!((fact.count(), &fact), (1, &goal("at = b")));
    assert_eq!(fact, goal("\"\\\"at b\\\" & !\\\"at c\\\"\""));
    bad(&world("\"at the moon\""), Code::ForeignValue, "m.divulge:1:");
    bad(&world("\"far\""), Code::ForeignValue, "property");
}

#[test]
fn mistakes_are_shown_in_the_file_that_has_them() {
    bad("world from \"bad.fsm\"", Code::ForeignName, "bad.fsm:3:4");
    bad("world from \"plain.txt\"", Code::ForeignSyntax, "no file of a kind that is read");
    bad("world from \"gone.fsm\"", Code::BadInclude, "relative to the folder");
    bad("world from lab", Code::Unexpected, "in quotes");
}
