//! Reasons for there being no plan.

use divulge::{
    limit::{Polls, Unlimited},
    problem::{Filter, Knows, Label, LabelMap, Problem, Scope},
    seek::SeekOptions,
    verdict::{Change, Conflict, NoPlan, Obstacle},
};
use divulge_naive::{
    examples::{merge, ngon, plan, problem, stipulate},
    put::{seek_plan, why_no_plan},
    random::{self, Profile, Rng},
    seek_plan::least_events,
};

use crate::only;

fn why(problem: &Problem) -> NoPlan {
    assert_eq!(seek_plan(problem, &SeekOptions::default(), &Unlimited), Ok(None));
    why_no_plan(problem, &SeekOptions::default(), &Unlimited).expect("a reason")
}

fn labels(problem: &Problem, names: &[&str]) -> Vec<Label> {
    names.iter().map(|name| problem.alphabet.get(name).expect("a label")).collect()
}

#[test]
fn an_unsolvable_world_shows_where_the_robot_is_stuck() {
    let arcs = [
        ("u0", "a", "y0"),
        ("u0", "a", "y1"),
        ("y0", "o", "u1"),
        ("y1", "o", "u2"),
        ("u1", "b", "y2"),
        ("u2", "c", "y2"),
        ("u0", "c", "y3"),
        ("y3", "o", "u0"),
    ];
    let p = problem(&arcs, &["u0"], &["y2"]);
    let NoPlan::Unsolvable(found) = why(&p) else { panic!("the robot cannot tell u1 from u2") };
    assert!(found.circling, "u0 and y3");
    let [place] = &found.places[..] else { panic!("one place: {found:?}") };
    assert_eq!((&place.execution, place.obstacle), (&labels(&p, &["a", "o"]), Obstacle::NoSafeAction));
    assert_eq!(place.vertices, ["u1", "u2"].map(|name| p.world.vertex(name).expect("a vertex")));
    let [unsure] = &found.unsure[..] else { panic!("only b, for c is safe at u0: {found:?}") };
    assert_eq!((unsure.action, &unsure.vertices), (labels(&p, &["b"])[0], &place.vertices));
}

#[test]
fn the_pentagon_wants_labels_merged() {
    let mut p = ngon(5);
    merge(&mut p, &[&["o1", "o3"]]);
    let NoPlan::Conflict(conflict) = why(&p) else { panic!("the chargers are told apart") };
    assert!(conflict.minimal && conflict.all_tried);
    let [a2, a3] = labels(&p, &["a2", "a3"])[..] else { unreachable!() };
    assert!(conflict.remedies.iter().any(|r| r.change == Change::Merge(a2, a3) && r.worst_case.events == 14));
}

#[test]
fn a_divulged_plan_that_admits_nothing_is_the_reason() {
    let arcs = [("u0", "a", "y1"), ("u0", "b", "y2")];
    let mut p = problem(&arcs, &["u0"], &["y1"]);
    let other = plan(&mut p, &[("p0", "b", "q0")], &["p0"], &["q0"]);
    p.observer.knows = Knows::Plans(vec![other]);
    let NoPlan::NotAdmitted { remedies, all_tried: true } = why(&p) else { panic!("only b is admitted") };
    let wanted = [Knows::GoalDirected, Knows::World].map(|knows| (Change::Know(knows), 1));
    assert_eq!(remedies.iter().map(|r| (r.change.clone(), r.worst_case.events)).collect::<Vec<_>>(), wanted);
    stipulate(&mut p, Scope::Always, "false");
    assert_eq!(why(&p), NoPlan::NotAdmitted { remedies: Vec::new(), all_tried: true });
}

#[test]
fn a_limit_leaves_a_conflict_that_is_none_the_less_one() {
    let mut p = ngon(5);
    p.observer.knows = Knows::World;
    stipulate(&mut p, Scope::End, "true");
    let full = why(&p);
    let patience =
        (2..200).step_by(3).map(|looks| why_no_plan(&p, &SeekOptions::default(), &Polls::new(looks)));
    let partial: Vec<NoPlan> = patience.filter_map(Result::ok).collect();
    assert!(partial.iter().any(|reason| matches!(reason, NoPlan::Conflict(c) if !c.minimal)));
    assert!(partial.contains(&full) && matches!(full, NoPlan::Conflict(_)));
}

fn changed(problem: &Problem, change: &Change) -> Option<Problem> {
    let mut other = problem.clone();
    match change {
        Change::Drop(_) => return None,
        Change::Know(knows) => other.observer.knows = knows.clone(),
        Change::Merge(a, b) => {
            let map = problem.observer.map.as_ref()?;
            let joins =
                |l| problem.alphabet.kind(l) == problem.alphabet.kind(*b) && map.image(l) == map.image(*b);
            let image = |l| map.look(if joins(l) { *a } else { l });
            other.observer.map = Some(LabelMap::seen_from_fn(&problem.alphabet, image));
        }
    }
    Some(other)
}

/// For how many pairs of labels giving one the other's image makes a plan possible; a remedy names labels that look like them.
fn every_merge_that_helps_is_named(p: &Problem, conflict: &Conflict) -> usize {
    let map = p.observer.map.as_ref().expect("a map");
    let directed = matches!(p.observer.filter, Filter::Graph(_));
    let named = |a: Label, b: Label| {
        conflict.remedies.iter().any(|remedy| match remedy.change {
            Change::Merge(c, d) => {
                let alike = |x, y| map.image(x) == map.image(y);
                alike(a, c) && alike(b, d) || !directed && alike(a, d) && alike(b, c)
            }
            _ => false,
        })
    };
    let labels: Vec<Label> = p.world_labels.iter().map(|l| Label(l as u32)).collect();
    let pairs = labels.iter().flat_map(|&a| labels.iter().map(move |&b| (a, b)));
    let apart = pairs
        .filter(|&(a, b)| p.alphabet.kind(a) == p.alphabet.kind(b) && map.image(a) != map.image(b))
        .filter(|&(a, b)| {
            least_events(&changed(p, &Change::Merge(a, b)).expect("a map")).is_ok_and(|l| l.is_some())
        });
    apart.inspect(|&(a, b)| assert!(named(a, b), "{a:?} {b:?} help in {p:?}")).count()
}

#[test]
fn conflicts_are_minimal_and_remedies_help() {
    let (mut conflicts, mut remedies, mut merges) = (0, 0, 0);
    for (seed, profile) in [(31, Profile::seek_fixed()), (32, Profile::seek_divulged())] {
        let mut rng = Rng::new(seed);
        for _ in 0..150 {
            let p = random::problem(&mut rng, &Profile { odd_kinds: false, ..profile.clone() });
            if least_events(&p) != Ok(None) {
                continue;
            }
            let NoPlan::Conflict(conflict) = why(&p) else { continue };
            assert!(conflict.minimal && conflict.all_tried);
            assert_eq!(least_events(&only(&p, &conflict.parts, |_| true)), Ok(None), "{conflict:?} in {p:?}");
            for left_out in 0..conflict.parts.len() {
                let rest = only(&p, &conflict.parts, |i| i != left_out);
                assert!(least_events(&rest).is_ok_and(|least| least.is_some()), "{conflict:?} in {p:?}");
            }
            for remedy in &conflict.remedies {
                let Some(other) = changed(&p, &remedy.change) else { continue };
                assert_eq!(least_events(&other), Ok(Some(remedy.worst_case.events)), "{remedy:?} in {p:?}");
                remedies += 1;
            }
            merges += every_merge_that_helps_is_named(&p, &conflict);
            conflicts += 1;
        }
    }
    assert!(conflicts > 20 && remedies > 5 && merges > 5, "{conflicts} conflicts, {remedies}, {merges}");
}
