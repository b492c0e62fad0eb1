//! Generalised AND–OR search over estimates, for a plan that the observer knows, with the map given or sought.
//!
//! *Background.* At an estimate, what each of its vertices does is chosen, then which of the events at hand look alike; each
//! group of events that do leads to an estimate, and all of these must win under one map. So an estimate that wins hands
//! the map, as far as it is decided, on to those that wait; where they fail under it, the search comes back for another way.
//! No estimate recurs along a branch. A vertex stops or goes on by itself: others in its estimate may do otherwise.
//!
//! *Practical.* What is decided only ever excludes maps, so what fails under a map fails under all that extend it. Hence
//! estimates that failed (with nothing cut off that depends on the branch) and estimates that won are remembered with their map, and
//! those that wait are not asked again under a map that extends one under which they failed.

use std::{cell::Cell, rc::Rc};

use rustc_hash::FxHashMap;

use crate::{
    and_or::{
        choices::{Choice, Choices},
        partitions::Partitions,
    },
    formula::{Due, Stipulations},
    game::{
        deep,
        strategy::{Strategy, StrategyNode},
    },
    limit::{Limit, Monitor, Progress},
    maps::PartialMap,
    problem::Label,
    seek::self_divulged::{START, Usable},
    sets::{SetId, SetStore},
};

/// How many nodes are searched between two looks at the monitor.
const POLL: u64 = 256;

/// No estimate on the branch.
const NOWHERE: usize = usize::MAX;

/// A strategy and what it needs of the map, which extends `start` and of which `suits` holds; `None` if there is none.
/// `suits` must fail of all that extends a map of which it fails.
pub(super) fn search(
    usable: &Usable<'_>,
    stipulations: &Stipulations,
    start: &PartialMap,
    suits: &dyn Fn(&PartialMap) -> bool,
    monitor: &dyn Monitor,
) -> Result<Option<(Strategy, PartialMap)>, Limit> {
    if usable.rank[START as usize] == u32::MAX {
        return Ok(None);
    }
    let mut search = Search {
        usable,
        stipulations,
        monitor,
        steps: 0,
        sets: SetStore::new(),
        solved: Vec::new(),
        won: FxHashMap::default(),
        lost: FxHashMap::default(),
    };
    let first = search.sets.intern(&[START]);
    let mut found = None;
    search.estimate(first, None, start, &mut |_, map, solved| {
        if suits(map) {
            found = Some((solved, map.clone()));
        }
        Ok(found.is_some())
    })?;
    Ok(found.map(|(solved, map)| (strategy(&search, solved), map)))
}

/// The number of an estimate that wins.
type SolvedId = u32;

/// An estimate that wins: what its vertices do, and the estimates that follow.
struct Solved {
    set: SetId,
    choice: Choice,
    next: Vec<(Vec<Label>, SolvedId)>,
}

/// The estimates on the way to one.
struct Branch {
    set: SetId,
    depth: usize,
    before: Option<Rc<Branch>>,
}

impl Branch {
    /// The depth at which an estimate is on the branch.
    fn find(mut branch: Option<&Rc<Branch>>, set: SetId) -> Option<usize> {
        while let Some(here) = branch {
            if here.set == set {
                return Some(here.depth);
            }
            branch = here.before.as_ref();
        }
        None
    }
}

/// What came of an estimate.
struct Outcome {
    /// Whether all that waited for it has won too.
    done: bool,
    /// The least depth of an estimate above it whose recurrence was cut off.
    cut: usize,
}

/// What waits for an estimate to win: it is told the map and how, and says whether all else wins under that map.
type Waiting<'t, 'a> = &'t mut dyn FnMut(&mut Search<'a>, &PartialMap, SolvedId) -> Result<bool, Limit>;

/// What waits for several estimates.
type WaitingForAll<'t, 'a> =
    &'t mut dyn FnMut(&mut Search<'a>, &PartialMap, Vec<SolvedId>) -> Result<bool, Limit>;

struct Search<'a> {
    usable: &'a Usable<'a>,
    stipulations: &'a Stipulations,
    monitor: &'a dyn Monitor,
    steps: u64,
    sets: SetStore,
    solved: Vec<Solved>,
    won: FxHashMap<SetId, Vec<(PartialMap, SolvedId)>>,
    lost: FxHashMap<SetId, Vec<PartialMap>>,
}

impl<'a> Search<'a> {
    fn poll(&mut self) -> Result<(), Limit> {
        self.steps += 1;
        if !self.steps.is_multiple_of(POLL) {
            return Ok(());
        }
        let (doing, stored) = ("searching over estimates", self.sets.len() as u64);
        self.monitor.poll(&Progress { doing, explored: self.steps, stored, ..Progress::default() })
    }

    /// Finds ways for an estimate to win under extensions of a map, until what waits for it wins too.
    fn estimate(
        &mut self,
        set: SetId,
        above: Option<&Rc<Branch>>,
        map: &PartialMap,
        then: Waiting<'_, 'a>,
    ) -> Result<Outcome, Limit> {
        self.poll()?;
        if let Some(solved) = self.known_to_win(set, map) {
            return Ok(Outcome { done: then(self, map, solved)?, cut: NOWHERE });
        }
        let known_to_lose = self.lost.get(&set).is_some_and(|maps| maps.iter().any(|m| extends(map, m)));
        let mut signature = Vec::new();
        self.usable.estimate(self.sets.get(set), &mut signature);
        if known_to_lose || !self.stipulations.hold(Due::Throughout, &signature) {
            return Ok(Outcome { done: false, cut: NOWHERE });
        }
        if let Some(cut) = Branch::find(above, set) {
            return Ok(Outcome { done: false, cut });
        }
        let depth = above.map_or(0, |branch| branch.depth + 1);
        let here = Rc::new(Branch { set, depth, before: above.cloned() });
        let may_end = self.stipulations.hold(Due::AtEnd, &signature);
        let cut = Cell::new(NOWHERE);
        let mut told: Vec<PartialMap> = Vec::new();
        let done = self.choose(&here, map, may_end, &cut, &mut told, then)?;
        let above_here = Some(cut.get()).filter(|&cut| cut < depth);
        if !done && told.is_empty() && above_here.is_none() {
            self.lost.entry(set).or_default().push(map.clone());
        }
        Ok(Outcome { done, cut: above_here.unwrap_or(NOWHERE) })
    }

    /// Both tiers of OR nodes below an estimate. `told` collects the maps that what waits was told of in vain.
    fn choose(
        &mut self,
        here: &Rc<Branch>,
        map: &PartialMap,
        may_end: bool,
        cut: &Cell<usize>,
        told: &mut Vec<PartialMap>,
        then: Waiting<'_, 'a>,
    ) -> Result<bool, Limit> {
        let vertices = self.sets.get(here.set).to_vec();
        for choice in Choices::new(self.usable, &vertices, may_end) {
            let mut events: Vec<Label> = choice.iter().flatten().flatten().copied().collect();
            events.sort_unstable();
            events.dedup();
            for (groups, decided) in Partitions::new(&events, map.clone()) {
                self.poll()?;
                let next: Vec<SetId> =
                    groups.iter().map(|group| self.follow(&vertices, &choice, group)).collect();
                let done = self.all(&next, here, &decided, Vec::new(), cut, &mut |search, map, solved| {
                    if told.iter().any(|old| extends(map, old)) {
                        return Ok(false);
                    }
                    let next = groups.iter().cloned().zip(solved).collect();
                    search.solved.push(Solved { set: here.set, choice: choice.clone(), next });
                    let solved = search.solved.len() as u32 - 1;
                    search.won.entry(here.set).or_default().push((map.clone(), solved));
                    told.push(map.clone());
                    then(search, map, solved)
                })?;
                // What fails under the map as it came fails whatever else is decided.
                if done || told.iter().any(|old| extends(map, old)) {
                    return Ok(done);
                }
            }
        }
        Ok(false)
    }

    /// An AND node: all of these estimates must win, one after the other, under one map.
    fn all(
        &mut self,
        next: &[SetId],
        above: &Rc<Branch>,
        map: &PartialMap,
        solved: Vec<SolvedId>,
        cut: &Cell<usize>,
        then: WaitingForAll<'_, 'a>,
    ) -> Result<bool, Limit> {
        let Some((&first, rest)) = next.split_first() else { return then(self, map, solved) };
        let outcome = deep(|| {
            self.estimate(first, Some(above), map, &mut |search, map, one| {
                let mut solved = solved.clone();
                solved.push(one);
                search.all(rest, above, map, solved, cut, then)
            })
        })?;
        cut.set(cut.get().min(outcome.cut));
        Ok(outcome.done)
    }

    fn known_to_win(&self, set: SetId, map: &PartialMap) -> Option<SolvedId> {
        let (_, solved) = self.won.get(&set)?.iter().find(|(won, _)| extends(map, won))?;
        Some(*solved)
    }

    /// The estimate that follows a group of events.
    fn follow(&mut self, vertices: &[u32], choice: &Choice, group: &[Label]) -> SetId {
        let mut next = Vec::new();
        for (&v, labels) in vertices.iter().zip(choice) {
            let taken = |label: &Label| labels.as_ref().is_some_and(|labels| labels.contains(label));
            let arcs = self.usable.arcs(v).iter().filter(|(label, _)| group.contains(label) && taken(label));
            next.extend(arcs.map(|&(_, to)| to));
        }
        next.sort_unstable();
        next.dedup();
        self.sets.intern(&next)
    }
}

/// Whether all that is decided in `base` is decided in `map`, and alike.
fn extends(map: &PartialMap, base: &PartialMap) -> bool {
    base.decided().is_subset(map.decided()) && map.merged().agree(base.merged(), base.decided())
}

/// The strategy behind an estimate that wins.
fn strategy(search: &Search<'_>, first: SolvedId) -> Strategy {
    let mut strategy = Strategy::new();
    let mut number: FxHashMap<(SolvedId, u32), u32> = FxHashMap::from_iter([((first, START), 0)]);
    let mut order: Vec<(SolvedId, u32)> = vec![(first, START)];
    let mut next = 0;
    while let Some(&(solved, v)) = order.get(next) {
        next += 1;
        let Solved { set, choice, next: follows } = &search.solved[solved as usize];
        let place = search.sets.get(*set).binary_search(&v);
        let labels = place.ok().and_then(|i| choice[i].as_ref());
        let taken = |label: Label| labels.is_some_and(|labels| labels.contains(&label));
        let mut arcs = Vec::new();
        for &(label, to) in search.usable.arcs(v).iter().filter(|&&(label, _)| taken(label)) {
            let group = follows.iter().find(|(group, _)| group.contains(&label));
            let (_, solved) = group.expect("every event at hand is in a group");
            let node = *number.entry((*solved, to)).or_insert_with(|| {
                order.push((*solved, to));
                order.len() as u32 - 1
            });
            arcs.push((label, node));
        }
        strategy.push(StrategyNode { at: search.usable.base[v as usize], terminal: labels.is_none(), arcs });
    }
    strategy
}
