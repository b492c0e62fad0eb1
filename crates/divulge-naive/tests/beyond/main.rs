//! The engines held against their twins where problems have several observers, unseen events, runs, hindsight or the past.

mod maps;
mod plans;

use std::collections::BTreeMap;

use divulge::{
    Answer, Question, Verdict, ask,
    ask::What,
    audit::{AuditOptions, Ends},
    limit::{Polls, Unlimited, share_out_the_least},
    problem::Problem,
    verdict::{FoundMap, QuestionError, Violation},
};
use divulge_naive::{
    Refusal,
    beyond::{
        audit::audit,
        check::{check, verify_plan},
        maps::{candidates, sought, with_map},
        seek::{Plans, seek_plan},
        witness::{Witness, outside, wrong},
    },
    joint::{Joint, Reason},
    maps::Partition,
    random::{self, Features, FilterKind, KnowsKind, Profile, Rng, Shape, effort, seed},
    reduce::reduce,
    show::document,
};

/// The most events of plans that are tried one by one.
const MOST: u64 = 5;

/// What became of the problems.
type Tally = BTreeMap<&'static str, usize>;

/// What a comparison comes to: a word for the tally, or what is wrong.
type Compared = Result<&'static str, String>;

/// Input that the engines refuse and the definitions do not: plans and graphs that begin unlike the world.
fn fits(problem: &Problem) -> bool {
    let first = problem.world.graph.initial_kind();
    let observers = problem.observers().count();
    problem.plan.as_ref().is_none_or(|p| p.graph.initial_kind() == first)
        && (0..observers).all(|i| random::fits(&problem.clone().about(i)))
}

/// Problems of every kind, or only those of which it matters what the observer sees.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Which {
    All,
    MapsMatter,
}

/// Whether the finest and the coarsest map differ in what they allow.
fn maps_matter(p: &Problem) -> bool {
    let Ok(number) = sought(p) else { return false };
    let maps = candidates(p, number);
    let some = |map: &Partition| {
        let mapped = with_map(p, number, map);
        match &p.plan {
            Some(plan) => verify_plan(&mapped, plan).is_ok_and(|worst| worst.is_some()),
            None => !matches!(seek_plan(&mapped, MOST), Ok(Plans::Least(None) | Plans::NoneWithin(_))),
        }
    };
    let (finest, coarsest) = (maps.iter().max_by_key(|m| m.len()), maps.iter().min_by_key(|m| m.len()));
    finest.map(some) != coarsest.map(some)
}

/// Compares many problems; what does not agree is made as small as can be and shown.
fn compare(
    own: u64,
    which: Which,
    count: usize,
    profile: impl Fn(Features) -> Profile,
    with: impl Fn(&Problem) -> Compared,
) -> BTreeMap<&'static str, Tally> {
    let with = |p: &Problem| {
        let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| with(p)));
        caught.unwrap_or_else(|_| Err("it panics".to_owned()))
    };
    let (mut tallies, mut failures) = (BTreeMap::new(), Vec::new());
    for (i, (name, features)) in Features::each().into_iter().enumerate() {
        let mut rng = Rng::new(seed(own + i as u64));
        let tally: &mut Tally = tallies.entry(name).or_default();
        for _ in 0..count * effort() {
            let mut p = random::beyond(&mut rng, &profile(features), features);
            for _ in 0..8 {
                if which == Which::MapsMatter && !maps_matter(&p) {
                    p = random::beyond(&mut rng, &profile(features), features);
                }
            }
            if !fits(&p) {
                continue;
            }
            match with(&p) {
                Ok(word) => *tally.entry(word).or_default() += 1,
                Err(wrong) => {
                    let least = reduce(&p, |p| fits(p) && with(p).is_err_and(|other| alike(&wrong, &other)));
                    let wrong = with(&least).err().unwrap_or(wrong);
                    failures.push(format!("{name}: {wrong}\n{}", document(&least)));
                    break;
                }
            }
        }
        println!("{name}: {tally:?}");
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
    tallies
}

/// Whether two disagreements begin with the same words: what is made smaller must stay the same disagreement.
fn alike(one: &str, other: &str) -> bool {
    one.chars().take(24).eq(other.chars().take(24))
}

/// Asserts that each of these outcomes is common enough to mean something: so often with every feature, and so often in all.
fn common(tallies: &BTreeMap<&'static str, Tally>, words: &[&'static str], each: usize, all: usize) {
    for word in words {
        let counts: Vec<usize> =
            tallies.values().map(|tally| tally.get(word).copied().unwrap_or(0)).collect();
        assert!(counts.iter().all(|&count| count >= each), "{word}: {tallies:?}");
        assert!(counts.iter().sum::<usize>() >= all, "{word}: {tallies:?}");
    }
}

/// What an error comes to: engines refuse what the definitions refuse, and nothing else.
fn refused(error: QuestionError, twin: Option<Refusal>) -> Compared {
    match (&error, twin) {
        (QuestionError::FilterCannotTrace(said), Some(Refusal::Untraceable(shortest))) => {
            if said.len() == shortest.len() { Ok("untraceable") } else { Err("not shortest".to_owned()) }
        }
        (QuestionError::Refused(_), Some(refusal)) if refusal != Refusal::TooLarge => Ok("refused"),
        (_, twin) => Err(format!("the engine says `{error:?}`, but the twin {twin:?}")),
    }
}

fn witness(violation: &Violation) -> Result<Witness, String> {
    Ok(Witness {
        observer: violation.observer,
        stipulation: violation.stipulation.ok_or("no stipulation is named")?,
        execution: violation.execution.clone(),
        moment: violation.moment,
        estimate: violation.estimate.as_ref().map(|all| all.iter().map(|v| v.index()).collect()),
    })
}

fn shown(problem: &Problem, violation: &Violation, with_plan: bool) -> Result<(), String> {
    let wrong = wrong(problem, &witness(violation)?, with_plan).map_err(|refusal| refusal.to_string())?;
    wrong.map_or(Ok(()), |what| Err(format!("{violation:?}: {what}")))
}

fn check_one(p: &Problem) -> Compared {
    let twin = check(p);
    if twin == Err(Refusal::TooLarge) {
        return Ok("too large");
    }
    let answer = match (ask(p).check().within(&Unlimited), twin) {
        (Err(error), twin) => return refused(error, twin.err()),
        (Ok(answer), Err(refusal)) => return Err(format!("refused ({refusal}), but {:?}", answer.verdict)),
        (Ok(answer), Ok(faults)) => (answer, faults),
    };
    let (answer, faults) = answer;
    let Some(violation) = answer.violation() else {
        let Verdict::Holds { worst_case } = answer.verdict else { return Err("no verdict".to_owned()) };
        let worst = p.plan.as_ref().and_then(|plan| verify_plan(p, plan).ok()?);
        return if !faults.holds() {
            Err(format!("it holds, but {faults:?}"))
        } else if worst_case.map(|w| (w.events, w.cost)) != worst.map(|w| (w.events, w.cost)) {
            Err(format!("{worst_case:?}, but {worst:?}"))
        } else {
            Ok("holds")
        };
    };
    let reason = Reason::ALL.into_iter().find(|r| r.word() == violation.reason.word()).expect("a reason");
    if !faults.may_be(reason, violation.execution.len()) {
        return Err(format!("{violation:?}, but {faults:?}"));
    }
    match reason {
        Reason::Stipulation => shown(p, violation, true).map(|()| "stipulation"),
        Reason::OutsideDivulged => match outside(p, violation.observer, &violation.execution) {
            Ok(true) => Ok("outside"),
            _ => Err(format!("{violation:?} is not outside")),
        },
        reason => {
            let joint = Joint::new(p, p.plan.as_ref().expect("there is a plan"));
            let faulty = joint.reached(&violation.execution).iter().any(|&pair| joint.faulty(pair, reason));
            if faulty { Ok("does not solve") } else { Err(format!("{violation:?} shows nothing")) }
        }
    }
}

fn audit_one(p: &Problem) -> Compared {
    let twin = audit(p);
    if twin == Err(Refusal::TooLarge) {
        return Ok("too large");
    }
    let mut compared = Err("there are ways".to_owned());
    for way in WAYS {
        compared = Ok(audit_so(p, way, twin.clone()).map_err(|wrong| format!("{wrong} ({way:?})"))?);
    }
    compared
}

/// Every way of auditing: from either end, from both as usual, and from both at once, so that they meet in the middle, image by image or in halves.
const WAYS: [AuditOptions; 5] = [
    AuditOptions { ends: Ends::Both, head_start: None },
    AuditOptions { ends: Ends::Start, head_start: None },
    AuditOptions { ends: Ends::Violation, head_start: None },
    AuditOptions { ends: Ends::Both, head_start: Some(0) },
    AuditOptions { ends: Ends::Both, head_start: Some(1) },
];

fn audit_so(
    p: &Problem,
    way: AuditOptions,
    twin: Result<BTreeMap<(usize, usize), usize>, Refusal>,
) -> Compared {
    // Even the least work is shared out, so that it matters how it is.
    share_out_the_least();
    let question = Question { audit: way, threads: 3, ..Question::new(What::Audit) };
    match (ask(p).question(question).within(&Unlimited), twin) {
        (Err(error), twin) => refused(error, twin.err()),
        (Ok(answer), Err(refusal)) => Err(format!("refused ({refusal}), but {:?}", answer.verdict)),
        (Ok(answer), Ok(broken)) => match (answer.violation(), broken.values().min()) {
            (None, None) => Ok("holds"),
            (Some(violation), Some(&least)) if violation.execution.len() == least => {
                shown(p, violation, false).map(|()| "stipulation")
            }
            (violation, _) => Err(format!("{violation:?}, but {broken:?}")),
        },
    }
}

/// What was found, confirmed: the problem with it filled in, and its worst case.
fn confirmed<'a>(p: &Problem, answer: &'a Answer) -> Result<Option<(&'a FoundMap, Problem)>, String> {
    let Some(found) = answer.found() else { return Ok(None) };
    let filled = answer.filled_in(p).ok_or("nothing is filled in")?;
    let worst = verify_plan(&filled, &found.plan).map_err(|refusal| refusal.to_string())?;
    let worst = worst.ok_or_else(|| format!("{found:?} fails: {:?}", check(&filled)))?;
    if (worst.events, worst.cost) != (found.worst_case.events, found.worst_case.cost) {
        return Err(format!("{:?}, but {worst:?}", found.worst_case));
    }
    Ok(Some((found, filled)))
}

fn explained_one(p: &Problem) -> Compared {
    let (patience, mut word) = (Polls::new(2000), "nothing to explain");
    for asking in [ask(p).check(), ask(p).audit(), ask(p).seek_plan()] {
        let (Ok(plain), Ok(told)) =
            (asking.clone().within(&Unlimited), asking.explained(&patience).within(&Unlimited))
        else {
            continue;
        };
        match (&plain.verdict, &told.verdict) {
            (Verdict::Violated { violation: v, .. }, Verdict::Violated { violation, explanation })
                if v == violation =>
            {
                if explanation.is_none() {
                    return Err(format!("not explained: {violation:?}"));
                }
                word = "explained";
            }
            (plain, told) if std::mem::discriminant(plain) == std::mem::discriminant(told) => {}
            (plain, told) => return Err(format!("{told:?} when explained, but {plain:?}")),
        }
    }
    Ok(word)
}

#[test]
fn explanations() {
    let tallies = compare(900, Which::All, 60, |_| Profile { broken_plans: 15, ..given() }, explained_one);
    common(&tallies, &["explained"], 15, 200);
}

fn given() -> Profile {
    Profile { vertices: 2..=6, stipulations: 1..=2, ..Profile::default() }
}

#[test]
fn checks() {
    let tallies = compare(100, Which::All, 1200, |_| Profile { broken_plans: 15, ..given() }, check_one);
    common(&tallies, &["holds", "stipulation", "outside"], 15, 300);
}

#[test]
fn audits() {
    let tallies = compare(200, Which::All, 800, |_| given(), audit_one);
    common(&tallies, &["holds", "stipulation"], 50, 1000);
}

/// Worlds with many beliefs and violations further from the start, if there are any.
#[test]
fn audits_of_larger_worlds() {
    let world = Shape { arcs: 1..=3, deterministic: 30, dead_ends: 5, marks: 35 };
    let profile = Profile { vertices: 7..=10, plan: false, solvable: (0, 0), lenience: 4, world, ..given() };
    let mut profile =
        Profile { knows: vec![KnowsKind::World, KnowsKind::Graph, KnowsKind::Plans], ..profile };
    profile.filters.extend([FilterKind::Strongest; 4]);
    let tallies = compare(800, Which::All, 50, |_| profile.clone(), audit_one);
    common(&tallies, &["holds", "stipulation"], 3, 80);
}
