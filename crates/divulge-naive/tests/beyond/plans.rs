//! Plans that are sought, by engines and by their twins.

use divulge::{
    Answer, Question, Verdict, ask,
    ask::{Engine, What},
    limit::{Polls, Unlimited, share_out_the_least},
    problem::{Knows, LabelMap, Problem},
    seek::Minimize,
    verdict::{QuestionError, WorstCase},
};
use divulge_naive::{
    Refusal,
    beyond::{
        known,
        seek::{Plans, seek_plan},
    },
    random::{self, Features, FilterKind, KnowsKind, Profile, Rng, effort, seed},
    reduce::reduce,
    show::document,
};

use crate::{Compared, MOST, Tally, Which, alike, common, compare, confirmed, refused};

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

#[test]
fn plans_that_nobody_knows() {
    let tallies =
        compare(300, Which::All, 120, |_| Profile { vertices: 3..=6, ..Profile::seek_fixed() }, plan_one);
    common(&tallies, &["found", "none"], 8, 150);
}

/// Small problems of which a plan is sought that somebody knows.
pub(crate) fn known_plans(features: Features) -> Profile {
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

/// What is played on is found only as far as plans of so many events can use it, however little there is of it.
#[test]
fn plans_that_somebody_knows_in_stages() {
    share_out_the_least();
    let tallies = compare(400, Which::All, 410, known_plans, plan_one);
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
