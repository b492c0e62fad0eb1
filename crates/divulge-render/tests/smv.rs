//! The exported models, evaluated from their text by a few lines that know nothing of games, and by NuSMV where it is there.

use std::{collections::BTreeMap, fs, process::Command};

use divulge::{
    and_or::triple_graph,
    limit::Unlimited,
    problem::{Knows, Problem},
    setting::Setting,
};
use divulge_naive::{
    examples::{merge, ngon},
    random::{self, Profile, Rng, fits},
    seek_plan::least_events,
};
use divulge_render::smv;

fn exported(problem: &Problem, depth: usize) -> String {
    let map = problem.observer.map.as_ref().expect("a map");
    let graph = Setting::pose(problem, None, &Unlimited)
        .and_then(|setting| triple_graph(&setting, map))
        .unwrap_or_else(|e| panic!("{e} {problem:?}"));
    let mut out = Vec::new();
    smv(&mut out, &graph, &problem.alphabet, depth).expect("memory takes all");
    String::from_utf8(out).expect("text")
}

/// A model as its text says.
#[derive(Default)]
struct Model {
    states: usize,
    next: BTreeMap<usize, Vec<usize>>,
    sets: BTreeMap<String, Vec<usize>>,
    specification: String,
}

fn numbers(braces: &str) -> Vec<usize> {
    let inner = braces.trim().strip_prefix('{').and_then(|s| s.strip_suffix('}')).expect("a set");
    inner.split(',').map(|n| n.trim().parse().expect("a number")).collect()
}

fn parse(text: &str) -> Model {
    let mut model = Model::default();
    for line in text.lines() {
        let line = line.split("--").next().unwrap_or_default().trim();
        let line = line.strip_suffix(';').unwrap_or(line);
        if let Some(range) = line.strip_prefix("vertex : 0..") {
            model.states = range.parse::<usize>().expect("a number") + 1;
        } else if let Some((from, to)) = line.strip_prefix("vertex = ").and_then(|l| l.split_once(" : ")) {
            model.next.insert(from.parse().expect("a number"), numbers(to));
        } else if let Some(formula) = line.strip_prefix("CTLSPEC ") {
            model.specification = formula.replace('(', " ( ").replace(')', " ) ");
        } else if let Some((name, set)) = line.split_once(" := ").filter(|(name, _)| !name.contains('(')) {
            let set = set.strip_prefix("vertex in ").map(numbers);
            model.sets.insert(name.to_owned(), set.unwrap_or_default());
        }
    }
    model
}

impl Model {
    /// Whether the first state satisfies the specification.
    fn holds(&self) -> bool {
        let mut tokens = self.specification.split_whitespace().collect::<Vec<_>>().into_iter().peekable();
        let satisfied = self.either(&mut tokens);
        assert_eq!(tokens.next(), None);
        satisfied[0]
    }

    fn either<'t>(&self, tokens: &mut std::iter::Peekable<impl Iterator<Item = &'t str>>) -> Vec<bool> {
        let mut left = self.both(tokens);
        while tokens.next_if_eq(&"|").is_some() {
            let right = self.both(tokens);
            left.iter_mut().zip(right).for_each(|(l, r)| *l |= r);
        }
        left
    }

    fn both<'t>(&self, tokens: &mut std::iter::Peekable<impl Iterator<Item = &'t str>>) -> Vec<bool> {
        let mut left = self.one(tokens);
        while tokens.next_if_eq(&"&").is_some() {
            let right = self.one(tokens);
            left.iter_mut().zip(right).for_each(|(l, r)| *l &= r);
        }
        left
    }

    fn one<'t>(&self, tokens: &mut std::iter::Peekable<impl Iterator<Item = &'t str>>) -> Vec<bool> {
        let follow = |s: usize| self.next.get(&s).cloned().unwrap_or(vec![s]);
        match tokens.next().expect("a formula") {
            "(" => {
                let inner = self.either(tokens);
                assert_eq!(tokens.next(), Some(")"));
                inner
            }
            "EX" => {
                let inner = self.one(tokens);
                (0..self.states).map(|s| follow(s).iter().any(|&t| inner[t])).collect()
            }
            "AX" => {
                let inner = self.one(tokens);
                (0..self.states).map(|s| follow(s).iter().all(|&t| inner[t])).collect()
            }
            name => (0..self.states).map(|s| self.sets[name].contains(&s)).collect(),
        }
    }
}

fn problems(seed: u64, count: usize) -> impl Iterator<Item = Problem> {
    let mut rng = Rng::new(seed);
    (0..count).map(move |_| random::problem(&mut rng, &Profile::seek_fixed())).filter(fits)
}

/// The depths worth asking about, with what the definitions say.
fn asked(problem: &Problem) -> Vec<(usize, bool)> {
    let least = least_events(problem).unwrap().map(|events| events as usize);
    let depths = match least {
        None => vec![0, 1, 7, 20],
        Some(least) => vec![0, least.saturating_sub(1), least, least + 1, least + 6],
    };
    depths.into_iter().map(|depth| (depth, least.is_some_and(|least| least <= depth))).collect()
}

#[test]
fn the_specification_holds_exactly_if_there_is_a_plan_of_that_length() {
    let (mut yes, mut no) = (0, 0);
    for p in problems(31, 300) {
        for (depth, expected) in asked(&p) {
            let text = exported(&p, depth);
            assert_eq!(parse(&text).holds(), expected, "at depth {depth} of {p:?}\n{text}");
            *(if expected { &mut yes } else { &mut no }) += 1;
        }
    }
    println!("{yes} hold, {no} do not");
    assert!(yes >= 100 && no >= 100);
}

fn pentagon() -> Problem {
    let mut p = ngon(5);
    merge(&mut p, &[&["a2", "a3"], &["o1", "o3"]]);
    p.observer.knows = Knows::World;
    p
}

#[test]
fn the_formula_grows_linearly() {
    let p = pentagon();
    let length = |depth| exported(&p, depth).lines().find(|l| l.starts_with("CTLSPEC")).map_or(0, str::len);
    assert_eq!(length(400) - length(200), length(200) - length(0));
}

const SCRIPT: &str = "
import sys, pynusmv
from pynusmv import init, glob, mc
for path in sys.argv[1:]:
    with init.init_nusmv():
        glob.load_from_file(path)
        glob.compute_model()
        for prop in glob.prop_database():
            print('TRUE' if mc.check_ctl_spec(glob.prop_database().master.bddFsm, prop.exprcore) else 'FALSE')
";

/// Needs `DIVULGE_NUSMV_PYTHON`, an interpreter with pynusmv.
#[test]
fn nusmv_says_the_same() {
    let Ok(python) = std::env::var("DIVULGE_NUSMV_PYTHON") else {
        println!("skipped: DIVULGE_NUSMV_PYTHON names no interpreter with pynusmv");
        return;
    };
    let folder = std::env::temp_dir().join(format!("divulge-smv-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a temporary folder");
    let (mut paths, mut expected) = (Vec::new(), String::new());
    for p in problems(32, 12).chain([pentagon()]) {
        for (depth, holds) in asked(&p) {
            let path = folder.join(format!("{}.smv", paths.len()));
            fs::write(&path, exported(&p, depth)).expect("a file");
            paths.push(path);
            expected += if holds { "TRUE\n" } else { "FALSE\n" };
        }
    }
    let out = Command::new(python).args(["-c", SCRIPT]).args(&paths).output().expect("an interpreter");
    let (said, errors) = (String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr));
    assert!(out.status.success(), "{errors}");
    assert_eq!(said, expected, "{errors}");
    println!("{} models checked", paths.len());
    fs::remove_dir_all(&folder).expect("the folder is ours");
}
