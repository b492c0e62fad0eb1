//! What is reached almost surely: the engine and its twin, on random worlds.

use divulge::{Unlimited, ask, expansion};
use divulge_naive::{
    almost_surely::almost_surely,
    random::{self, Profile, Rng},
};

#[test]
fn the_engine_agrees_with_the_definition() {
    let (mut surely, mut only_almost, mut never) = (0, 0, 0);
    for profile in [Profile::default(), Profile::seek_fixed()] {
        let profile = Profile { solvable: (30, 1), stipulations: 0..=0, vertices: 3..=7, ..profile };
        for seed in 0..3000 {
            let problem = random::problem(&mut Rng::new(seed), &profile);
            let Some(wanted) = almost_surely(&problem, 1 << 10) else { continue };
            let found = expansion::almost_surely(&problem.world, &Unlimited).expect("no limit");
            assert_eq!(found, wanted, "seed {seed}: {problem:?}");
            let mut plain = problem;
            plain.plan = None;
            plain.observer.knows = divulge::problem::Knows::World;
            plain.observer.stipulations.clear();
            plain.others.clear();
            let planned = plain.observer.map.is_some()
                && ask(&plain).seek_plan().within(&Unlimited).is_ok_and(|answer| answer.found().is_some());
            assert!(!planned || found, "seed {seed}: a bounded plan reaches the goal for sure");
            match (planned, found) {
                (true, _) => surely += 1,
                (false, true) => only_almost += 1,
                (false, false) => never += 1,
            }
        }
    }
    assert!(surely > 300 && only_almost > 30 && never > 300, "{surely} {only_almost} {never}");
}
