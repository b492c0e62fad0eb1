//! What the games of a question are played on: made once, and shared by all who play, each under maps of their own.

use std::sync::{Mutex, PoisonError};

use crate::{
    check::solves,
    formula::Stipulations,
    game::{Robot, Single},
    graph::{induction, separating_execution},
    limit::Monitor,
    maps::{
        games::{Decided, GivenDivulgedGame, GivenPlanGame, MapGame, OneByOne, Pool, SelfDivulgedGame},
        space::{Pairs, PartialMap},
    },
    observer::{Admits, Tracked},
    problem::{Filter, Knows, PGraph},
    seek::{
        Offers,
        self_divulged::{Safe, Stop, Usable},
    },
    sets::BitSet,
    setting::Setting,
    verdict::QuestionError,
};

/// What the games of a question are played on.
pub struct Field<'a, 'p> {
    setting: Mutex<Setting<'p>>,
    ground: Ground<'a>,
    pool: Pool<'a>,
}

enum Ground<'a> {
    /// No map helps.
    Hopeless,
    /// Each map is judged as a whole.
    OneByOne {
        deterministic: bool,
    },
    SelfDivulged(Usable<'a>),
    GivenPlan {
        joint: &'a PGraph,
        ends: BitSet,
        tracked: &'a Tracked<'a>,
        stipulations: &'a Stipulations,
    },
    GivenDivulged {
        robot: Box<Robot<'a>>,
        goal: BitSet,
        rank: Vec<u32>,
        tracked: &'a Tracked<'a>,
        stipulations: &'a Stipulations,
    },
}

impl<'a, 'p> Field<'a, 'p> {
    /// The field of a setting whose plans, if they are sought, are to make these offers.
    ///
    /// # Errors
    /// If the setting's observer cannot be asked about, or a limit.
    pub fn new(setting: &'a Setting<'p>, offers: Offers) -> Result<Self, QuestionError> {
        let ground = Ground::of(setting, offers)?;
        Ok(Self { setting: Mutex::new(setting.under(setting.monitor())), ground, pool: Pool::default() })
    }

    /// A new game, in which nothing is known yet; `open` is any partial map of the labels in question.
    pub fn game<'g>(&'g self, open: &PartialMap, monitor: &'g dyn Monitor) -> Box<dyn MapGame + 'g> {
        self.game_with(false, open, monitor)
    }

    /// A new game that comes to the same, in less time where some were over before.
    pub fn another<'g>(&'g self, open: &PartialMap, monitor: &'g dyn Monitor) -> Box<dyn MapGame + 'g> {
        self.game_with(true, open, monitor)
    }

    /// How many nodes of its games are as much work as one where the observer knows the plan that is sought.
    pub fn pace(&self) -> u64 {
        match self.ground {
            Ground::GivenPlan { .. } | Ground::GivenDivulged { .. } => 4,
            Ground::Hopeless | Ground::OneByOne { .. } | Ground::SelfDivulged(_) => 1,
        }
    }

    fn game_with<'g>(
        &'g self,
        pooled: bool,
        open: &PartialMap,
        monitor: &'g dyn Monitor,
    ) -> Box<dyn MapGame + 'g> {
        let setting = || self.setting.lock().unwrap_or_else(PoisonError::into_inner).under(monitor);
        match &self.ground {
            Ground::Hopeless => Box::new(Hopeless),
            Ground::OneByOne { deterministic } => Box::new(OneByOne::new(setting(), *deterministic)),
            Ground::SelfDivulged(usable) => Box::new(SelfDivulgedGame::new(usable, open.clone(), monitor)),
            Ground::GivenPlan { joint, ends, tracked, stipulations } => {
                Box::new(GivenPlanGame::new(joint, ends, tracked, stipulations, monitor))
            }
            Ground::GivenDivulged { robot, goal, rank, tracked, stipulations } => {
                let beliefs = match pooled {
                    true => self.pool.take(tracked, stipulations),
                    false => Pool::nothing(tracked, stipulations),
                };
                let pool = (&self.pool, pooled);
                Box::new(GivenDivulgedGame::new(robot, goal, rank, beliefs, pool, monitor))
            }
        }
    }
}

impl<'a> Ground<'a> {
    fn of(setting: &'a Setting<'_>, offers: Offers) -> Result<Self, QuestionError> {
        let (problem, observer, plan) = (setting.problem(), setting.observer(), setting.plan());
        let (stipulations, monitor) = (setting.stipulations(), setting.monitor());
        // What is more than one momentary observer who sees everything is judged map by map, and so are plans that must not choose:
        // nothing is learnt from maps that have none.
        let deterministic =
            offers == Offers::Deterministic && plan.is_none() && observer.knows == Knows::Plan;
        if !setting.is_plain(None) || deterministic {
            return Ok(Ground::OneByOne { deterministic });
        }
        if plan.is_none() && observer.knows == Knows::Plan {
            let safe = Safe::new(setting.expansion()?, stipulations);
            return Ok(Ground::SelfDivulged(Usable::new(&safe, stipulations, None)));
        }
        let divulged = setting.divulged()?;
        let Some(tracked) = &divulged.tracked else { return Ok(Ground::Hopeless) };
        if let Some(plan) = plan {
            let joint = setting.joint()?;
            let admitted = match &divulged.admits {
                Admits::Everything => true,
                Admits::Graph(graph) => separating_execution(&joint.graph, graph, monitor)?.is_none(),
                Admits::Nothing => false,
            };
            if !admitted || solves(joint, plan, &problem.world).is_some() {
                return Ok(Ground::Hopeless);
            }
            if observer.filter != Filter::Strongest {
                return Ok(Ground::OneByOne { deterministic: false });
            }
            let ends = BitSet::from_fn(joint.pairs.len(), |at| plan.is_terminal(joint.pairs[at].0));
            return Ok(Ground::GivenPlan { joint: &joint.graph, ends, tracked, stipulations });
        }
        if observer.filter != Filter::Strongest {
            return Ok(Ground::OneByOne { deterministic: false });
        }
        let Some(robot) = Robot::of(setting)? else { return Ok(Ground::Hopeless) };
        let expansion = setting.expansion()?;
        let members = |state: usize| expansion.members(robot.expanded(state as u32));
        let Single { banned, goal, .. } = Single::new(stipulations, &robot.goal, robot.graph.len(), members);
        let rank = induction::ranks(&robot.graph, &goal, &robot.lost, &banned);
        Ok(Ground::GivenDivulged { robot: Box::new(robot), goal, rank, tracked, stipulations })
    }
}

/// A question that has no solution under any map.
struct Hopeless;

impl MapGame for Hopeless {
    fn least(&self) -> Option<u32> {
        None
    }

    fn decide(&mut self, map: &PartialMap, _: Option<u32>, _: u64) -> Result<Decided, Stop> {
        Ok(Decided { feasible: false, looked: Pairs::new(map.index().len()) })
    }

    fn effort(&self) -> u64 {
        0
    }
}
