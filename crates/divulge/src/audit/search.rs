//! Looking for a violation from both ends, on one thread or several.
//!
//! *Practical.* Some demands, or some beliefs, are followed at a time, by several threads if they are worth it; what comes of it is written down in order. How
//! much is followed at a time and from which end depends on the work that was done, never on the number of threads, and so does what is found.

use std::{
    ops::Range,
    sync::{PoisonError, RwLock, RwLockWriteGuard},
};

use crate::{
    audit::{
        AuditOptions, Ends,
        cover::Listing,
        demand,
        demands::{Advance, Demands},
        forward::{Beliefs, Forward, Seen},
        step::Step,
    },
    formula::{Clause, Stipulations},
    limit::{Limit, Monitor, Progress, Team, with_team, worth},
    observer::{Tracked, Tracker},
    problem::{Image, LabelMap},
};

/// How many steps are made, or how much work is done, between two looks at the monitor.
const POLL: u64 = 256;
const POLL_WORK: u64 = 1 << 18;

/// So much work is done before a team is put together.
const MUCH: u64 = 1 << 16;

/// So much is worth a thread, of following or listing demands and of following beliefs, where arcs that are looked at are all there is to it.
const WORTH: usize = 1 << 10;
const WORTH_BELIEFS: usize = 1 << 12;

/// What is asked, and of what.
#[derive(Clone, Copy)]
pub(crate) struct Asked<'a> {
    pub tracked: &'a Tracked<'a>,
    pub map: &'a LabelMap,
    pub stipulations: &'a Stipulations,
}

/// What everybody looks at who takes part.
struct Shared<'s, 'a> {
    tracker: &'s mut Tracker<'a>,
    demands: Option<Demands>,
}

/// Some work that can be done beside other work.
enum Piece {
    Demands(Box<Step>),
    Listing(Listing),
    Beliefs(Beliefs),
}

impl Piece {
    fn work(&mut self, shared: &Shared<'_, '_>) {
        match self {
            Piece::Demands(step) => shared.demands.iter().for_each(|demands| step.go(demands)),
            Piece::Listing(listing) => shared.demands.iter().for_each(|demands| listing.go(demands)),
            Piece::Beliefs(beliefs) => beliefs.go(shared.tracker),
        }
    }
}

type Lock<'s, 'a> = RwLock<Shared<'s, 'a>>;

fn write<'l, 's, 'a>(shared: &'l Lock<'s, 'a>) -> RwLockWriteGuard<'l, Shared<'s, 'a>> {
    shared.write().unwrap_or_else(PoisonError::into_inner)
}

/// A shortest string of images after which a stipulation is broken.
pub(crate) fn search<'a>(
    tracker: &mut Tracker<'a>,
    asked: Asked<'a>,
    prepared: Option<Demands>,
    options: &AuditOptions,
    (threads, monitor): (usize, &dyn Monitor),
) -> Result<Option<Vec<Image>>, Limit> {
    let clauses = match options.ends {
        Ends::Start => None,
        Ends::Violation | Ends::Both => demand::clauses(asked.stipulations),
    };
    let head_start = match (&clauses, options.head_start) {
        (_, Some(work)) => work,
        (Some(clauses), None) => demand::preparation(asked.tracked, asked.map, clauses),
        (None, None) => 0,
    };
    let mut search = Search {
        asked,
        alone: clauses.is_some() && options.ends == Ends::Violation,
        clauses,
        head_start,
        forward: Forward::new(&asked.tracked.graph),
        recalling: false,
        beliefs: Vec::new(),
        steps: 0,
        polled: None,
        monitor,
    };
    let shared = RwLock::new(Shared { tracker, demands: prepared });
    let work = |piece: &mut Piece| piece.work(&shared.read().unwrap_or_else(PoisonError::into_inner));
    // What is little is done before a team has come together.
    let little = worth(MUCH as usize) as u64;
    match with_team(1, work, |team| search.run(&shared, team, little))? {
        Some(found) => Ok(found),
        None => with_team(threads, work, |team| search.run(&shared, team, u64::MAX))
            .map(Option::unwrap_or_default),
    }
}

/// Has pieces of work done; one of them alone is done at once.
fn round<'l, 's, 'a>(
    shared: &'l Lock<'s, 'a>,
    both: RwLockWriteGuard<'l, Shared<'s, 'a>>,
    team: &Team<'_, Piece>,
    pieces: &mut Vec<Piece>,
) -> RwLockWriteGuard<'l, Shared<'s, 'a>> {
    if let [piece] = &mut **pieces {
        piece.work(&both);
        return both;
    }
    drop(both);
    team.round(pieces);
    write(shared)
}

/// Follows some demands.
fn follow<'l, 's, 'a>(
    shared: &'l Lock<'s, 'a>,
    mut both: RwLockWriteGuard<'l, Shared<'s, 'a>>,
    team: &Team<'_, Piece>,
    some: Range<usize>,
) -> Advance {
    let count = |work| team.pieces(work, WORTH);
    let Some(demands) = &mut both.demands else { return Advance::On };
    let mut pieces =
        demands.share_out(some, count).into_iter().map(|step| Piece::Demands(Box::new(step))).collect();
    both = round(shared, both, team, &mut pieces);
    let steps = pieces.into_iter().filter_map(|piece| match piece {
        Piece::Demands(step) => Some(*step),
        _ => None,
    });
    let Some(demands) = &mut both.demands else { return Advance::On };
    let advance = demands.take_back(steps.collect());
    let mut pieces: Vec<Piece> = demands.share_out_listing(count).into_iter().map(Piece::Listing).collect();
    if !pieces.is_empty() {
        both = round(shared, both, team, &mut pieces);
        let listed = pieces.into_iter().filter_map(|piece| match piece {
            Piece::Listing(listing) => Some(listing),
            _ => None,
        });
        if let Some(demands) = &mut both.demands {
            demands.cover.take_back(listed);
        }
    }
    advance
}

struct Search<'a, 'm> {
    asked: Asked<'a>,
    clauses: Option<Vec<&'a Clause>>,
    /// Whether nobody looks from the start.
    alone: bool,
    head_start: u64,
    forward: Forward,
    /// Whether beliefs are followed together with what is made of earlier moments.
    recalling: bool,
    /// Room for those who follow beliefs.
    beliefs: Vec<Beliefs>,
    steps: u64,
    /// When the monitor was last looked at: steps and work.
    polled: Option<(u64, u64)>,
    monitor: &'m dyn Monitor,
}

impl<'a> Search<'a, '_> {
    /// Goes on until it is decided whether there is a violation, or for so much work.
    fn run(
        &mut self,
        shared: &Lock<'_, 'a>,
        team: &Team<'_, Piece>,
        most: u64,
    ) -> Result<Option<Option<Vec<Image>>>, Limit> {
        loop {
            let mut both = write(shared);
            let Shared { tracker, demands } = &mut *both;
            let work = self.forward.work() + demands.as_ref().map_or(0, Demands::work);
            if work >= most {
                return Ok(None);
            }
            self.poll(work, demands.as_ref())?;
            let due = self.forward.work().saturating_sub(self.head_start);
            match (demands, &self.clauses) {
                (none @ None, Some(clauses)) if self.alone || self.forward.work() >= self.head_start => {
                    let Asked { tracked, map, .. } = self.asked;
                    let demands = Demands::new(tracked, map, tracker, (clauses, &[]), false);
                    if demands.met_at_once() {
                        return Ok(Some(Some(Vec::new())));
                    }
                    *none = Some(demands);
                }
                (Some(demands), _) if self.alone || demands.work() <= due => {
                    let advance = match demands.next() {
                        Err(advance) => {
                            self.steps += 1;
                            advance
                        }
                        Ok(some) => {
                            self.steps += some.len() as u64;
                            follow(shared, both, team, some)
                        }
                    };
                    match advance {
                        Advance::Met(images) => return Ok(Some(Some(images))),
                        Advance::Exhausted => return Ok(Some(None)),
                        Advance::On => {}
                    }
                }
                _ => {
                    drop(both);
                    self.look_ahead(shared, team);
                    self.steps += 1;
                    if let Some(found) = self.follow_a_belief(&mut write(shared))? {
                        return Ok(Some(found));
                    }
                }
            }
        }
    }

    fn poll(&mut self, work: u64, demands: Option<&Demands>) -> Result<(), Limit> {
        let steps = self.steps;
        let before = self.polled.replace((steps, work));
        if before.is_some_and(|(s, w)| steps - s < POLL && work - w < POLL_WORK) {
            self.polled = before;
            return Ok(());
        }
        let stored = (self.forward.len() + demands.map_or(0, Demands::len)) as u64;
        let progress = Progress { doing: "auditing", explored: steps, stored, ..Progress::default() };
        self.monitor.poll(&progress)
    }

    /// Has several follow the beliefs that are next, if that is worth it.
    fn look_ahead(&mut self, shared: &Lock<'_, 'a>, team: &Team<'_, Piece>) {
        // What is made of earlier moments has to be found out one by one.
        if team.pieces(usize::MAX, 1) == 1 || self.recalling {
            return;
        }
        let mut both = write(shared);
        let Some(next) = self.forward.next(both.tracker, |work| team.pieces(work, WORTH_BELIEFS)) else {
            return;
        };
        drop(both);
        self.beliefs.resize_with(self.beliefs.len().max(next.len()), Beliefs::default);
        let rest = self.beliefs.split_off(next.len());
        let pieces = self.beliefs.drain(..).zip(next);
        let mut pieces = pieces.map(|(beliefs, next)| Piece::Beliefs(beliefs.with(next))).collect();
        team.round(&mut pieces);
        both = write(shared);
        for piece in pieces {
            if let Piece::Beliefs(mut beliefs) = piece {
                beliefs.write_down(both.tracker);
                self.beliefs.push(beliefs);
            }
        }
        self.beliefs.extend(rest);
    }

    /// Follows one more belief; what is decided by that.
    fn follow_a_belief(&mut self, both: &mut Shared<'_, 'a>) -> Result<Option<Option<Vec<Image>>>, Limit> {
        let Shared { tracker, demands } = both;
        let looks_back = !self.recalling && demands.as_ref().is_some_and(Demands::looks_back);
        let compared = demands.as_ref().filter(|_| !self.recalling);
        Ok(match self.forward.advance(tracker, compared) {
            Seen::Broken(images) => Some(Some(match demands {
                Some(demands) if looks_back => {
                    self.forward.sooner(tracker, demands, self.asked, images, self.monitor)?
                }
                _ => images,
            })),
            Seen::Everything if looks_back => {
                // All beliefs are known, but not all that may be seen after them.
                let Asked { tracked, map, stipulations } = self.asked;
                **tracker = Tracker::recalling(map, tracked, stipulations);
                self.forward = self.forward.again();
                self.recalling = true;
                None
            }
            Seen::Everything => Some(None),
            Seen::More => None,
        })
    }
}
