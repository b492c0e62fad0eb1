//! SEEK a plan when the divulged plan does not depend on it (`world`, `goal-directed`, `plans`, `graph`).
//!
//! *Background.* A node of the game is what the robot knows, what D makes of its execution, and the observer's state. At action
//! nodes the robot chooses among safe, admitted actions; at observation nodes the world does. The robot wins by stopping where
//! it knows that it is at the goal and the `end` stipulations hold; a node whose estimate breaks an `always` stipulation is
//! never to be visited. Backward induction over the nodes that can be reached gives the least worst case.
//!
//! *Practical.* [`robot`] is the game without the observer, [`product`] explores it together with the observer, [`induction`] and
//! [`cheapest`] give each node its value, [`strategy`] reads off what to do.
//!
//! A plan of at most K events never visits a node so late that the goal cannot be forced in the events that are left, whatever
//! the observer learns. So K grows from what the world alone requires, and nothing is explored that no plan of K events visits.

mod cheapest;
mod induction;
mod product;
mod robot;
mod strategy;

use super::{Minimize, SeekOptions};
use crate::{
    answer::FoundPlan,
    expansion::{Actions, expand_within},
    formula::Stipulations,
    observer::{Divulged, Tracker, check_filter},
    problem::{Knows, LabelMap, Problem},
    question::{Monitor, QuestionError},
};
use product::{Game, Product};
use robot::Robot;

/// Seeks a plan through `map`.
pub(super) fn seek_plan(
    problem: &Problem,
    map: &LabelMap,
    options: &SeekOptions,
    monitor: &dyn Monitor,
) -> Result<Option<FoundPlan>, QuestionError> {
    let stipulations = Stipulations::compile(&problem.world, &problem.observer.stipulations)
        .map_err(|(i, e)| QuestionError::Formula(i, e))?;
    let expansion = expand_within(&problem.world, Actions::Safe, monitor)?;
    let divulged = Divulged::with_expansion(problem, None, Some(&expansion))?;
    let Some(tracked) = &divulged.tracked else { return check_filter(problem, map).map(|()| None) };
    // Bad input is bad whether or not there is a plan, so the filter is looked at first.
    let tracker = Tracker::new(problem, map, tracked, &stipulations)?;
    let own_vertices = problem.observer.knows == Knows::GoalDirected;
    let Some(robot) = Robot::new(&expansion, &divulged.admits, own_vertices, monitor)? else {
        return Ok(None);
    };
    let mut game = Game::new(&robot, tracker, map, monitor);
    let policy = match options.minimize {
        Minimize::Events => shortest(&mut game)?,
        Minimize::Cost => cheapest::strategy(&mut game, &problem.all_costs())?,
    };
    Ok(policy.map(|policy| policy.found(problem, &expansion)))
}

/// A strategy with the fewest events in the worst case.
fn shortest(game: &mut Game<'_>) -> Result<Option<super::Policy>, QuestionError> {
    let Some(least) = game.least_budget() else { return Ok(None) };
    let (mut budget, mut nodes) = (least, 0);
    loop {
        let (product, beyond) = Product::explore(game, budget)?;
        let values = induction::values(game, &product)?;
        let value = values[product.start()];
        if value <= budget {
            return Ok(Some(strategy::shortest(game, &product, &values)));
        }
        // A strategy that is longer than the budget is one, but a shorter one may be among what was kept out.
        budget = match beyond.next(product.len()) {
            _ if value < induction::OPEN => value,
            None => return Ok(None),
            // Exploring again is made up for if there is much that is new; if there was little, go on in longer strides.
            Some(next) => {
                let stride = (budget - least).saturating_mul(if product.len() / 2 < nodes { 3 } else { 1 });
                next.max(budget.saturating_add(stride)).min(product::NO_BUDGET)
            }
        };
        nodes = product.len();
    }
}
