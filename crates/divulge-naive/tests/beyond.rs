//! The engines held against their twins where problems have several observers, unseen events, runs, hindsight or the past.

use std::collections::{BTreeMap, BTreeSet};

use divulge::{
    Answer, Question, Verdict, ask,
    ask::{Engine, What},
    audit::{AuditOptions, Ends},
    limit::{Polls, Unlimited},
    problem::{Knows, LabelMap, Problem},
    seek::Minimize,
    verdict::{FoundMap, QuestionError, Violation, WorstCase},
};
use divulge_naive::{
    Refusal,
    beyond::{
        audit::audit,
        check::{check, verify_plan},
        known,
        maps::{candidates, partition_of, seek_maps, sought, with_map},
        seek::{Plans, seek_plan},
        witness::{Witness, outside, wrong},
    },
    joint::{Joint, Reason},
    maps::{Partition, refines},
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

/// Every way of auditing: from either end, from both as usual, and from both at once, so that they meet in the middle.
const WAYS: [AuditOptions; 4] = [
    AuditOptions { ends: Ends::Both, head_start: None },
    AuditOptions { ends: Ends::Start, head_start: None },
    AuditOptions { ends: Ends::Violation, head_start: None },
    AuditOptions { ends: Ends::Both, head_start: Some(0) },
];

fn audit_so(
    p: &Problem,
    way: AuditOptions,
    twin: Result<BTreeMap<(usize, usize), usize>, Refusal>,
) -> Compared {
    let question = Question { audit: way, ..Question::new(What::Audit) };
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

/// The worst case of the plan that is found so, confirmed.
fn least_so(p: &Problem, minimize: Minimize, look_ahead: Option<usize>) -> Result<Option<WorstCase>, String> {
    let mut question = Question { minimize, ..Question::new(What::Plan) };
    question.look_ahead = look_ahead.unwrap_or(question.look_ahead);
    let answer = ask(p).question(question).within(&Unlimited).map_err(|e| e.to_string())?;
    Ok(confirmed(p, &answer)?.map(|(found, _)| found.worst_case))
}

fn plan_one(p: &Problem) -> Compared {
    plan_within(p, MOST)
}

fn plan_within(p: &Problem, most: u64) -> Compared {
    let twin = seek_plan(p, most);
    if twin == Err(Refusal::TooLarge) {
        return Ok("too large");
    }
    let answer = match (ask(p).seek_plan().within(&Unlimited), &twin) {
        (Err(error), twin) => return refused(error, twin.clone().err()),
        (Ok(answer), Err(refusal)) => return Err(format!("refused ({refusal}), but {:?}", answer.verdict)),
        (Ok(answer), Ok(_)) => answer,
    };
    let (found, cheap) = (confirmed(p, &answer)?, least_so(p, Minimize::Cost, None)?);
    let events = found.map(|(found, _)| found.worst_case.events);
    let cost = cheap.map(|worst| worst.cost);
    // All explored, all that can be sought depth first, and something of both.
    for look_ahead in [usize::MAX, 0, 8].map(Some) {
        let least = least_so(p, Minimize::Events, look_ahead)?.map(|worst| worst.events);
        let cheapest = least_so(p, Minimize::Cost, look_ahead)?.map(|worst| worst.cost);
        if (least, cheapest) != (events, cost) {
            return Err(format!("{least:?} and {cheapest:?}, but otherwise {events:?} and {cost:?}"));
        }
    }
    // The paper's search may refuse more, may take too long, and finds any plan.
    match ask(p).seek_plan().engine(Engine::AndOr).within(&Polls::new(20)) {
        Ok(Answer { verdict: Verdict::Unknown { .. }, .. }) => {}
        Ok(answer) if confirmed(p, &answer)?.is_some() == events.is_some() => {}
        Err(QuestionError::Refused(_)) => {}
        other => return Err(format!("{other:?} by the paper's search, but {events:?} events")),
    }
    let same = match twin.clone().expect("it was answered") {
        Plans::Least(least) => (events, cost) == (least.map(|w| w.events), least.map(|w| w.cost)),
        Plans::Events(least) => events == Some(least) && cost.is_some(),
        Plans::NoneWithin(most) => events.is_none_or(|n| n > most) && events.is_some() == cost.is_some(),
    };
    if !same {
        return Err(format!("{events:?} events, {cost:?} cost, but {twin:?}"));
    }
    let knowing = p.observers().any(|o| o.knows == Knows::Plan);
    if let Some(cheaper) = cost.filter(|_| knowing).and_then(|cost| cost.checked_sub(1))
        && known::exists(p, most, Some(cheaper)) == Ok(true)
    {
        return Err(format!("{cost:?}, but one of {cheaper} exists"));
    }
    Ok(if events.is_some() { "found" } else { "none" })
}

/// Which maps are feasible, with the least worst case where the twin knows it. Where it does not, the engine that seeks plans decides.
fn feasible(p: &Problem, twin: &BTreeMap<Partition, Plans>) -> Result<BTreeMap<Partition, u64>, String> {
    let number = sought(p).map_err(|refusal| refusal.to_string())?;
    let mut feasible = BTreeMap::new();
    for (map, plans) in twin {
        let events = match plans {
            Plans::Least(least) => least.map(|w| w.events),
            Plans::Events(events) => Some(*events),
            Plans::NoneWithin(_) => {
                let answer = ask(&with_map(p, number, map)).seek_plan().within(&Unlimited);
                answer.map_err(|e| e.to_string())?.found().map(|found| found.worst_case.events)
            }
        };
        feasible.extend(events.map(|events| (map.clone(), events)));
    }
    Ok(feasible)
}

fn maps_one(p: &Problem) -> Compared {
    let twin = seek_maps(p, MOST);
    if twin == Err(Refusal::TooLarge) {
        return Ok("too large");
    }
    let impatient = ask(p).question(Question { patience: 0, ..Question::new(What::Maps) }).within(&Unlimited);
    let (answer, twin) = match (ask(p).seek_maps().within(&Unlimited), twin) {
        (Err(error), twin) => return refused(error, twin.err()),
        (Ok(answer), Err(refusal)) => return Err(format!("refused ({refusal}), but {:?}", answer.verdict)),
        (Ok(answer), Ok(twin)) => (answer, twin),
    };
    let counts = |answer: &Answer| match &answer.verdict {
        Verdict::Frontier { frontier, .. } => (frontier.feasible, frontier.maps),
        Verdict::None { maps, .. } => (0, maps.unwrap_or(0)),
        other => unreachable!("{other:?}"),
    };
    let (impatient, patient) = (impatient.as_ref().map(counts), counts(&answer));
    if impatient != Ok(patient) {
        return Err(format!("{impatient:?} without patience, but {patient:?} with it"));
    }
    let number = sought(p).expect("the twin found out");
    let feasible = feasible(p, &twin)?;
    one_map(p, number, &feasible)?;
    let frontier = match &answer.verdict {
        Verdict::None { maps, .. } if feasible.is_empty() && *maps == Some(twin.len() as u128) => {
            return Ok("none");
        }
        Verdict::Frontier { frontier, .. } => frontier,
        other => return Err(format!("{other:?}, but {} of {}", feasible.len(), twin.len())),
    };
    if (frontier.feasible, frontier.maps) != (feasible.len() as u128, twin.len() as u128) {
        return Err(format!("{frontier:?}, but {} of {}", feasible.len(), twin.len()));
    }
    let extreme = |beaten: &dyn Fn(&Partition, &Partition) -> bool| -> BTreeMap<&Partition, u64> {
        let is = |map: &Partition| !feasible.keys().any(|other| other != map && beaten(map, other));
        feasible.iter().filter(|(map, _)| is(map)).map(|(map, &events)| (map, events)).collect()
    };
    for (said, expected) in [
        (&frontier.finest, extreme(&|map, other| refines(other, map))),
        (&frontier.coarsest, extreme(&|map, other| refines(map, other))),
    ] {
        let mut maps = BTreeMap::new();
        for found in said {
            let map = partition_of(p, number, &found.map).ok_or("not a map to be sought")?;
            let worst = verify_plan(&with_map(p, number, &map), &found.plan).map_err(|r| r.to_string())?;
            let worst = worst.ok_or_else(|| format!("{found:?} fails"))?;
            maps.insert(map, worst.events);
        }
        let maps: BTreeMap<&Partition, u64> = maps.iter().map(|(map, &events)| (map, events)).collect();
        if maps != expected {
            return Err(format!("{maps:?}, but {expected:?}"));
        }
    }
    Ok(if feasible.len() == twin.len() { "all" } else { "some" })
}

/// One map, any and with the least worst case.
fn one_map(p: &Problem, number: usize, feasible: &BTreeMap<Partition, u64>) -> Result<(), String> {
    let sought = || if p.plan.is_some() { ask(p).seek_map() } else { ask(p).seek_both() };
    let allowed: BTreeSet<Partition> = candidates(p, number).into_iter().collect();
    for (asking, shortest) in [(sought(), false), (sought().shortest(), true)] {
        let answer = asking.within(&Unlimited).map_err(|e| e.to_string())?;
        let Some((found, filled)) = confirmed(p, &answer)? else {
            if feasible.is_empty() {
                continue;
            }
            return Err(format!("no map, but {feasible:?}"));
        };
        let map = filled.observers().nth(number).and_then(|o| o.map.as_ref()).ok_or("no map")?;
        let partition = partition_of(p, number, map).ok_or("not a map to be sought")?;
        if !allowed.contains(&partition) || !feasible.contains_key(&partition) {
            return Err(format!("{partition:?} is not feasible"));
        }
        if shortest && Some(&found.worst_case.events) != feasible.values().min() {
            return Err(format!("{:?}, but {feasible:?}", found.worst_case));
        }
    }
    Ok(())
}

/// Whoever asks why gets the same verdict, and every violation is explained.
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

#[test]
fn plans_that_nobody_knows() {
    let tallies =
        compare(300, Which::All, 120, |_| Profile { vertices: 3..=6, ..Profile::seek_fixed() }, plan_one);
    common(&tallies, &["found", "none"], 8, 150);
}

/// Small problems of which a plan is sought that somebody knows.
fn known_plans(features: Features) -> Profile {
    let mut knows = vec![KnowsKind::Plan];
    let mut filters = vec![FilterKind::Strongest];
    if features.observers {
        knows.extend([KnowsKind::Plan, KnowsKind::World, KnowsKind::GoalDirected, KnowsKind::Plans]);
        filters.extend([FilterKind::Strongest; 8]);
        filters.push(FilterKind::Image);
    }
    let small = Profile {
        vertices: 3..=6,
        actions: 1..=2,
        observations: 1..=2,
        plan_vertices: 1..=4,
        ..Profile::seek_divulged()
    };
    Profile { knows, filters, ..small }
}

#[test]
fn plans_that_somebody_knows() {
    let tallies = compare(400, Which::All, 400, known_plans, plan_one);
    common(&tallies, &["found", "none"], 15, 150);
}

/// Most events are unseen, and plans may take more of them.
#[test]
fn plans_through_tunnels() {
    let features = Features { unseen: true, ..Features::default() };
    let profile = Profile { vertices: 3..=5, foreign_labels: false, ..known_plans(features) };
    let mut rng = Rng::new(seed(700));
    let mut tally = Tally::new();
    for _ in 0..400 * effort() {
        let mut p = random::beyond(&mut rng, &profile, features);
        let map = p.observer.map.take().expect("a map is given");
        let look = |l| map.look(l).filter(|_| rng.chance(50)).map(str::to_owned);
        p.observer.map = Some(LabelMap::seen_from_fn(&p.alphabet, look));
        match plan_within(&p, 7) {
            Ok(word) => *tally.entry(word).or_default() += 1,
            Err(wrong) => {
                let still = |p: &Problem| plan_within(p, 7).is_err_and(|other| alike(&wrong, &other));
                panic!("{wrong}\n{}", document(&reduce(&p, still)));
            }
        }
    }
    println!("{tally:?}");
    assert!(tally["found"] > 50 && tally["none"] > 50, "{tally:?}");
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

#[test]
fn maps_for_a_plan() {
    let profile = Profile { vertices: 3..=6, actions: 1..=3, observations: 1..=2, ..Profile::maps(true) };
    let tallies = compare(500, Which::MapsMatter, 20, |_| profile.clone(), maps_one);
    common(&tallies, &["none", "some"], 0, 10);
}

#[test]
fn maps_and_plans() {
    let profile = |features| {
        let maps = Profile { vertices: 3..=5, actions: 1..=3, observations: 1..=2, ..Profile::maps(false) };
        let Profile { mut knows, .. } = known_plans(features);
        knows.extend([KnowsKind::World, KnowsKind::GoalDirected]);
        Profile { knows, ..maps }
    };
    let tallies = compare(600, Which::MapsMatter, 40, profile, maps_one);
    common(&tallies, &["none", "some"], 0, 10);
}
