//! Pictures of random problems: nondeterministic worlds and plans, several starts, plans that fail in every way.

use divulge::problem::LabelMap;
use divulge_naive::random::{Profile, Rng, problem};
use divulge_picture::{Style, Theme, figure};

use crate::{
    read_back::check,
    unlimited::{estimates, map, plan, world},
};

#[test]
fn whatever_the_problem_the_picture_is_whole() {
    let mut drawn = 0;
    for seed in 0..500u64 {
        let mut rng = Rng::new(seed);
        let problem = problem(&mut rng, &Profile::default());
        let theme = [Theme::Light, Theme::Dark, Theme::Print][seed as usize % 3];
        let style = Style { theme, most: 4 + rng.below(20), width: 300.0 + rng.below(900) as f64 };
        let seen = problem.observer.map.clone().unwrap_or_else(|| LabelMap::identity(&problem.alphabet));
        let mut panels = vec![world(&problem, &style), map(&problem, &seen, &style)];
        if let Some(of) = &problem.plan {
            panels.extend(plan(&problem, of, &style));
            // A filter that cannot trace the world, or a plan of the other kind, is no picture but an error.
            if let Ok(panel) = estimates(&problem, of, &seen, None, &style) {
                panels.push(panel);
                drawn += 1;
            }
        }
        let svg = figure("random", &panels, &style);
        check(&svg);
        assert_eq!(svg, figure("random", &panels, &style));
    }
    assert!(drawn > 200, "only {drawn} strips were drawn");
}
