//! SEEK a plan when the divulged plan does not depend on it (`world`, `goal-directed`, `plans`, `graph`).
//!
//! *Background.* A node of the game is what the robot knows, what D makes of its execution, and the observer's state. At action
//! nodes the robot chooses among safe, admitted actions; at observation nodes the world does. The robot wins by stopping where
//! it knows that it is at the goal and the `end` stipulations hold; a node whose estimate breaks an `always` stipulation is
//! never to be visited. Backward induction over the nodes that can be reached gives the least worst case.
//!
//! *Practical.* The game is that of [`crate::game`]; [`look_ahead`] seeks a strategy before all nodes have a value.
//!
//! A plan of at most K events never visits a node so late that the goal cannot be forced in the events that are left, whatever
//! the observer learns. So K grows from what the world alone requires, and nothing is explored that no plan of K events visits.

mod look_ahead;

use crate::{
    game::{
        Robot, Strategy,
        arena::{Arena, NO_BUDGET},
        cost,
        explore::Exploration,
        induction,
        joined::{InArena, joined},
        read_off, watched,
    },
    limit::{both, threads},
    observer::Tracker,
    problem::{Label, LabelMap},
    seek::options::{Minimize, Offers, SeekOptions},
    setting::Setting,
    verdict::{FoundPlan, QuestionError, SoFar},
};
use look_ahead::LookAhead;

/// One step is taken ahead for this many nodes that are explored, or for as much work.
const SHARE: usize = 8;

/// Exploring so many nodes again is a small matter.
const FEW: usize = 1 << 10;

/// Beyond a budget that does not do, a part of what it took to explore it may be spent: one in so many.
const BEYOND: usize = 2;

/// So many nodes are worth a thread that turns the robot's arcs round while they are numbered.
const MUCH: usize = 1 << 16;

/// Seeks a plan through `map` that goes on after these events.
pub(crate) fn seek_plan(
    setting: &Setting<'_>,
    map: &LabelMap,
    options: &SeekOptions,
    after: &[Label],
) -> Result<Option<FoundPlan>, QuestionError> {
    let (problem, expansion) = (setting.problem(), setting.expansion()?);
    // Bad input is bad whether or not there is a plan, so the filter is looked at first.
    let everybody: Vec<usize> = (0..setting.observers().len()).collect();
    let Some(mut trackers) = setting.trackers(&everybody, map)? else { return Ok(None) };
    let robot = || Robot::after(setting, after);
    let robot = Tracker::beside(trackers.iter_mut().collect(), usize::MAX, options.threads, robot)?;
    let Some(robot) = robot else { return Ok(None) };
    let Some((robot, tracker, seen)) = watched(setting, robot, trackers, map, after)? else {
        return Ok(None);
    };
    let mut game = Arena::new(&robot, tracker, &seen, setting.monitor());
    (game.threads, game.look_ahead) = (options.threads, options.look_ahead);
    if !game.start_after(after) {
        return Ok(None);
    }
    let strategy = match options.minimize {
        Minimize::Events => shortest(&mut game)?,
        Minimize::Cost => match shortest(&mut game)? {
            None => None,
            Some(strategy) => {
                setting.report(SoFar::Plan(strategy.found(problem, expansion)));
                let most = strategy.worst_case(problem, expansion).cost;
                let cheaper = cost::strategy(&mut game, &problem.all_costs(), most)?;
                Some(cheaper.unwrap_or(strategy))
            }
        },
    };
    let Some(mut strategy) = strategy else { return Ok(None) };
    // Joined branches may do different things at one node, depending on the way there.
    if options.offers == Offers::Sparing {
        let places = &mut InArena::new(&mut game);
        // Nodes of the arena tell all that counts.
        strategy = joined(strategy, expansion, &problem.all_costs(), places, |_| Ok(Some(true)))?;
    }
    Ok(Some(strategy.found(problem, expansion)))
}

/// A strategy with the fewest events in the worst case.
fn shortest(game: &mut Arena<'_>) -> Result<Option<Strategy>, QuestionError> {
    match game.least_budget() {
        Some(least) => shortest_from(game, least),
        None => Ok(None),
    }
}

/// The same, trying budgets from this one on.
fn shortest_from(game: &mut Arena<'_>, least: u32) -> Result<Option<Strategy>, QuestionError> {
    let (mut budget, mut nodes, mut looked) = (least, 0, 0);
    let mut at_least = game.least_budget().unwrap_or(least);
    let mut ahead = LookAhead::new(at_least);
    loop {
        let mut search = Exploration::new(game, budget);
        // What was explored within smaller budgets pays for a look too.
        let (mut steps, mut pause) = match game.look_ahead {
            0 => (usize::MAX, usize::MAX),
            pause => (looked / SHARE, pause),
        };
        while ahead.look(game, budget, steps, search.explored())?.is_none() && !search.go_on(game, pause)? {
            (steps, pause) = (pause / SHARE, search.looked().saturating_mul(2));
        }
        if let Some(won) = ahead.outcome(game) {
            game.report("looking ahead", search.explored() + ahead.len())?;
            return Ok(won.then(|| ahead.strategy(game)));
        }
        let explored = search.explored();
        looked = search.looked();
        let (mut longer, mut next) = (search.beyond().least(), search.beyond().next(explored));
        if next.is_some() && !search.stops() && search.fall(game) {
            // Where little leads beyond the budget, there is often little beyond.
            match search.go_on(game, looked + looked / BEYOND)? {
                true => (at_least, next) = (longer, None),
                false => search.give_up(),
            }
        }
        let turned = || game.forwards.turned();
        let beside = search.stops() && threads(game.threads, explored, MUCH) > 1;
        let (product, backwards) = match beside {
            true => both(|| search.finish(game), || Some(turned())),
            false => (search.finish(game), None),
        };
        let product = product?;
        // Where nothing was kept out, strategies may be longer than the budget.
        let budgeted = if next.is_some() { budget } else { NO_BUDGET };
        // Where nothing stops there is nothing to induce backwards from.
        if let Some(product) = product {
            let backwards = backwards.unwrap_or_else(turned);
            let values = induction::values(game, &product, backwards, (at_least, budgeted))?;
            if values.of(game.first()).is_some() {
                return Ok(Some(read_off::shortest(game, &values)));
            }
            if values.cut_short {
                longer = budget.saturating_add(1);
            }
        }
        at_least = longer;
        ahead.at_least(longer);
        budget = match next {
            None => return Ok(None),
            // No shortest strategy is so long that it visits what this budget keeps out.
            Some(_) if budget == NO_BUDGET => return Ok(None),
            // Exploring again is made up for if there is much that is new; if there was little, go on in longer strides.
            Some(next) => {
                let much = explored > FEW && explored / 2 < nodes;
                let stride = (budget - least).saturating_mul(if much { 3 } else { 1 });
                next.max(budget.saturating_add(stride)).min(NO_BUDGET)
            }
        };
        nodes = explored;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        game::product::Product,
        limit::{Unlimited, share_out_the_least},
        problem::{Alphabet, Builder, Knows, Observer, Problem, Scope, Stipulation},
    };

    /// A world of two lanes that look alike until the last event, where they must not be told apart, or may.
    fn lanes(stipulated: bool) -> Problem {
        let mut alphabet = Alphabet::new();
        let mut b = Builder::new(&mut alphabet);
        b.actions(["u0", "u1", "u2"])
            .observations(["y0", "y1", "y2", "y3"])
            .initial("u0")
            .mark("y2")
            .mark("y3");
        b.edge("u0", ["a"], "y0").edge("u0", ["b"], "y1").edge("y0", ["o"], "u1").edge("y1", ["o"], "u2");
        b.edge("u1", ["a"], "y0").edge("u1", ["c"], "y2").edge("u2", ["d"], "y3");
        let world = b.world().expect("a world");
        let formula = "!knows(is(y2)) & !knows(is(y3))".parse().expect("a formula");
        let alike = Stipulation { name: "alike".to_owned(), scope: Scope::Always, formula };
        let stipulations = if stipulated { vec![alike] } else { Vec::new() };
        let map = Some(LabelMap::identity(&alphabet));
        Problem::new(alphabet, world, Observer { map, stipulations, ..Observer::new(Knows::World) })
    }

    fn length(problem: &Problem, budget: u32) -> Option<u64> {
        let setting = Setting::pose(problem, None, &Unlimited).expect("a setting");
        let map = setting.map().expect("a map");
        let tracker = setting.tracker(map).expect("a tracker").expect("something to track");
        let robot = Robot::of(&setting).expect("no limit").expect("a robot");
        let mut game = Arena::new(&robot, tracker, map, &Unlimited);
        let strategy = shortest_from(&mut game, budget).expect("an answer")?;
        let expansion = setting.expansion().expect("no limit");
        Some(strategy.found(problem, expansion).worst_case.events)
    }

    /// A world of so many rooms, in which doors lead anywhere.
    fn rooms(n: u64, mut seed: u64) -> Problem {
        let mut dice = move |sides: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % sides
        };
        let mut alphabet = Alphabet::new();
        let mut b = Builder::new(&mut alphabet);
        let names = |kind: &str| (0..n).map(|i| format!("{kind}{i}")).collect::<Vec<_>>();
        let (inside, seen) = (names("u"), names("y"));
        b.actions(inside.iter().map(String::as_str)).observations(seen.iter().map(String::as_str));
        b.initial(&inside[0]).mark(&seen[n as usize - 1]);
        for room in 0..n {
            let from = &inside[room as usize];
            // Few doors lead on, so that the goal is far.
            for (door, to) in [("a", dice(room + 1)), ("b", (room + dice(3)).min(n - 1))] {
                b.edge(from, [door], &seen[to as usize]);
            }
            let from = &seen[room as usize];
            b.edge(from, ["dark"], &inside[room as usize]);
            if dice(3) == 0 {
                b.edge(from, ["light"], &inside[dice(n) as usize]);
            }
        }
        let world = b.world().expect("a world");
        let map = Some(LabelMap::identity(&alphabet));
        Problem::new(alphabet, world, Observer { map, ..Observer::new(Knows::World) })
    }

    /// Whoever goes on from where a budget kept something out finds what there is without any budget.
    #[test]
    fn going_on_beyond_a_budget_finds_all() {
        share_out_the_least();
        let mut fallen = 0;
        for seed in 0..1000 {
            let problem = rooms(6 + seed % 20, seed);
            let setting = Setting::pose(&problem, None, &Unlimited).expect("a setting");
            let map = setting.map().expect("a map");
            let tracker = setting.tracker(map).expect("a tracker").expect("something to track");
            let robot = Robot::of(&setting).expect("no limit").expect("a robot");
            let mut game = Arena::new(&robot, tracker, map, &Unlimited);
            game.threads = 1 + seed as usize % 3;
            let Some(least) = game.least_budget() else { continue };
            let mut all = Exploration::new(&game, NO_BUDGET);
            assert_eq!(all.go_on(&mut game, usize::MAX), Ok(true));
            let explored = all.explored();
            let all = all.finish(&game).expect("no limit").expect("the goal can be forced");
            for budget in least.saturating_sub(3)..least + 3 {
                let mut search = Exploration::new(&game, budget);
                assert_eq!(search.go_on(&mut game, usize::MAX), Ok(true));
                if search.beyond().next(search.explored()).is_none() || !search.fall(&game) {
                    continue;
                }
                let before = search.explored();
                while search.go_on(&mut game, search.looked() + 1) == Ok(false) {
                    assert!(search.explored() >= before, "what is looked at once more is not counted again");
                }
                assert_eq!(search.explored(), explored);
                let found = search.finish(&game).expect("no limit").expect("the goal can be forced");
                for observer in 0..all.groups() as u32 {
                    let words = |product: &Product| {
                        product.places(observer).map(|place| product.word(place)).collect::<Vec<_>>()
                    };
                    assert_eq!(words(&found), words(&all));
                    assert!(words(&all).is_empty() || found.depth(observer) <= all.depth(observer));
                }
                fallen += 1;
            }
        }
        assert!(fallen > 100, "{fallen} budgets keep something out");
    }

    #[test]
    fn the_first_budget_does_not_matter() {
        for budget in [3, 4, 7, NO_BUDGET] {
            assert_eq!(length(&lanes(false), budget), Some(3));
            assert_eq!(length(&lanes(true), budget), None);
        }
    }
}
