//! The game together with its observer.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use crate::{
    game::robot::Robot,
    graph::{Moves, words_where},
    limit::{Limit, Monitor, Progress, Team},
    observer::{Ahead, Part, StateId, Tracker, Unknown},
    problem::{Image, Kind, Label, LabelMap, Vertex},
    sets::Word,
};

/// How many arcs are followed between two looks at the monitor.
const POLL: usize = 1 << 16;

/// More events than any shortest plan needs: it never visits a node twice in a run.
pub(crate) const NO_BUDGET: u32 = (1 << 31) - 1;

/// Beliefs of so many members are worth a thread.
const MEMBERS: usize = 1 << 9;

/// No state of the observer that may be visited.
pub(crate) const BARRED: u32 = u32::MAX;

/// Where images lead is written down for a look at nodes if there are no more than this many images for each of them.
const FEW: usize = 8;

/// A node: the observer's state and the robot's.
pub(crate) type Node = (u32, u32);

/// The robot and the observer who watches it.
pub(crate) struct Arena<'a> {
    pub robot: &'a Robot<'a>,
    tracker: Tracker<'a>,
    view: View<'a>,
    /// Where executions start.
    first: Node,
    pub monitor: &'a dyn Monitor,
    /// How many threads may be used.
    pub threads: usize,
    /// How much is explored before a strategy is also sought depth first.
    pub look_ahead: usize,
    /// The robot's states where it chooses, sixty-four to a word.
    pub choices: Vec<u64>,
    /// The robot's states from which the goal can be forced, by how many events that takes.
    pub by_rank: Vec<(u32, Word)>,
    /// Where the robot's arcs lead, as they are seen.
    pub forwards: Moves<'a>,
    /// What those who look ahead know of the observer's arcs, kept from one search to the next.
    pub rooms: Vec<Ahead>,
    /// How many arcs were found, as far as they were counted.
    pub counted: u64,
    /// What was done since the monitor was last looked at.
    steps: AtomicUsize,
}

/// The game from one of the observer's states: where an image leads from there.
#[derive(Clone)]
pub(crate) struct View<'a> {
    robot: &'a Robot<'a>,
    image_of: &'a [Image],
    /// The state that is looked from.
    from: StateId,
    /// By image, if that was written down: the observer's next state, or `BARRED`.
    next: Vec<u32>,
    filled: Vec<Image>,
    written: bool,
    may_end: bool,
}

/// What a node is to the robot.
pub(crate) enum Turn {
    /// It stops here.
    Stop,
    /// It chooses among the arcs that lead to nodes that may be visited.
    Choose,
    /// All arcs must do.
    Suffer,
    /// It is lost here.
    Lost,
}

impl<'a> Arena<'a> {
    pub fn new(
        robot: &'a Robot<'a>,
        tracker: Tracker<'a>,
        map: &'a LabelMap,
        monitor: &'a dyn Monitor,
    ) -> Self {
        let next = vec![BARRED; map.len()];
        let (from, image_of) = (tracker.initial(), map.images());
        let view = View { robot, image_of, from, next, filled: Vec::new(), written: true, may_end: false };
        let first = (from.0, robot.start);
        Self {
            robot,
            tracker,
            view,
            first,
            choices: words_where(&robot.graph, |v| robot.graph.kind(v) == Kind::Action),
            by_rank: by_rank(&robot.rank),
            forwards: Moves::forwards(&robot.graph, image_of),
            monitor,
            threads: 1,
            look_ahead: usize::MAX,
            rooms: Vec::new(),
            counted: 0,
            steps: AtomicUsize::new(0),
        }
    }

    /// The events that any plan needs; `None` if there is no plan, for want of a way to the goal or because the first
    /// estimate breaks a stipulation.
    pub fn least_budget(&self) -> Option<u32> {
        let rank = self.robot.rank[self.start() as usize];
        (rank != u32::MAX && self.tracker.course(StateId(self.first.0)).is_kept()).then_some(rank)
    }

    /// The node where executions start.
    pub fn first(&self) -> Node {
        self.first
    }

    /// Has the observer start after these events; tells whether it could.
    pub fn start_after(&mut self, events: &[Label]) -> bool {
        for &label in events {
            let image = self.view.image_of[label.index()];
            let seen = (image != Image::UNSEEN).then_some(image);
            let Some(next) = self.tracker.step(StateId(self.first.0), seen) else { return false };
            self.first.0 = next.0;
        }
        true
    }

    /// What labels look like to all who watch.
    pub fn image_of(&self) -> &'a [Image] {
        self.view.image_of
    }

    /// The robot's state at the start.
    pub fn start(&self) -> u32 {
        self.first.1
    }

    /// Turns to one of the observer's states, for a look at so many nodes: [`view`](Self::view) is then from there.
    pub fn look_at(&mut self, observer: u32, nodes: usize) {
        self.tracker.successors(StateId(observer));
        self.view.turn_to(&self.tracker, observer, nodes);
    }

    /// The same, where a team may find out what several observers make of it.
    pub fn look_together(&mut self, observer: u32, nodes: usize, team: &Team<'_, Part<'a>>) {
        if self.threads != 1 {
            let mut parts = self.tracker.deal(StateId(observer), |work| team.pieces(work, MEMBERS));
            if !parts.is_empty() {
                team.round(&mut parts);
                self.tracker.gather(parts);
            }
        }
        self.look_at(observer, nodes);
    }

    /// Whether it is not known yet where one of the observer's states leads.
    pub fn is_new(&self, state: StateId) -> bool {
        !self.tracker.is_known(state)
    }

    /// Finds where one of the observer's states leads.
    pub fn expand(&mut self, state: StateId) {
        self.tracker.successors(state);
    }

    /// Writes down where states of the observer lead that somebody looked at.
    pub fn write_down(&mut self, ahead: &mut Ahead) {
        ahead.write_down(&mut self.tracker);
    }

    /// Finds where one of the observers' states leads; tells whether one of these had looked at it.
    pub fn find<'l>(&mut self, unknown: &Unknown, mut looked: impl Iterator<Item = &'l mut Ahead>) -> bool {
        let &Unknown { observer, state, .. } = unknown;
        let found = looked.find_map(|ahead| Some((ahead.position(observer, state)?, ahead)));
        let known = found.is_some();
        match found {
            Some((position, ahead)) => ahead.write_one(observer, position, &mut self.tracker),
            None => self.tracker.find(unknown),
        }
        known
    }

    /// The game from the observer's state that was looked at last.
    pub fn view(&self) -> &View<'a> {
        &self.view
    }

    /// What a node with that state is to the robot.
    pub fn turn(&self, robot: u32) -> Turn {
        self.view.turn(&self.tracker, robot)
    }

    /// What may happen there: see [`View::arcs`].
    pub fn arcs(&self, robot: u32) -> impl Iterator<Item = (Label, u32, u32)> + '_ {
        self.view.arcs(&self.tracker, robot)
    }

    /// The observer.
    pub fn tracker(&self) -> &Tracker<'a> {
        &self.tracker
    }

    /// Looks at the monitor now and then.
    pub fn poll(&self, doing: &'static str, steps: usize, explored: usize) -> Result<(), Limit> {
        let steps = self.steps.load(Relaxed) + steps;
        let look = steps >= POLL;
        self.steps.store(if look { 0 } else { steps }, Relaxed);
        if look { self.report(doing, explored) } else { Ok(()) }
    }

    /// Looks at the monitor now.
    pub fn report(&self, doing: &'static str, explored: usize) -> Result<(), Limit> {
        let (explored, stored) = (explored as u64, self.tracker.len() as u64);
        let (arcs, members) = (self.counted, self.tracker.all_members());
        self.monitor.poll(&Progress { doing, explored, stored, arcs, members, ..Progress::default() })
    }
}

impl View<'_> {
    /// Turns to one of the observer's states, whose successors must be known, for a look at so many nodes.
    pub fn turn_to(&mut self, tracker: &Tracker<'_>, observer: u32, nodes: usize) {
        for image in self.filled.drain(..) {
            self.next[image.index()] = BARRED;
        }
        self.from = StateId(observer);
        self.may_end = tracker.course(self.from).may_end();
        let successors = tracker.known_successors(self.from);
        self.written = successors.len() / FEW <= nodes;
        for &(image, to) in successors.iter().filter(|_| self.written) {
            if tracker.course(to).is_kept() {
                self.next[image.index()] = to.0;
                self.filled.push(image);
            }
        }
    }

    /// Where a label leads the observer, or `BARRED`.
    fn next(&self, tracker: &Tracker<'_>, label: Label) -> u32 {
        self.after(tracker, self.image_of[label.index()])
    }

    /// Where an image leads the observer, or `BARRED`.
    pub fn after(&self, tracker: &Tracker<'_>, image: Image) -> u32 {
        if image == Image::UNSEEN {
            return self.from.0;
        }
        if self.written {
            return self.next[image.index()];
        }
        let successors = tracker.known_successors(self.from);
        let to = successors.binary_search_by_key(&image, |(i, _)| *i).map(|at| successors[at].1);
        to.ok().filter(|&to| tracker.course(to).is_kept()).map_or(BARRED, |to| to.0)
    }

    /// Whether the observer's `end` stipulations hold.
    pub fn may_end(&self) -> bool {
        self.may_end
    }

    /// What a node with this observer's state is to the robot.
    pub fn turn(&self, tracker: &Tracker<'_>, robot: u32) -> Turn {
        if self.may_end && self.robot.goal.contains(robot as usize) {
            return Turn::Stop;
        }
        if self.robot.graph.kind(Vertex(robot)) == Kind::Action {
            return Turn::Choose;
        }
        let barred = |label: Label| self.next(tracker, label) == BARRED;
        let arcs = self.robot.graph.arcs(Vertex(robot));
        let lost = self.robot.lost.contains(robot as usize) || arcs.iter().any(|arc| barred(arc.label));
        if lost { Turn::Lost } else { Turn::Suffer }
    }

    /// What may happen at such a node without breaking a stipulation: label, observer's next state, robot's next state.
    pub fn arcs<'s>(
        &'s self,
        tracker: &'s Tracker<'_>,
        robot: u32,
    ) -> impl Iterator<Item = (Label, u32, u32)> + 's {
        let arcs = self.robot.graph.arcs(Vertex(robot)).iter();
        arcs.map(|arc| (arc.label, self.next(tracker, arc.label), arc.to.0))
            .filter(|&(_, observer, _)| observer != BARRED)
    }
}

/// Words of states, by their rank, without those whose rank is not finite.
fn by_rank(rank: &[u32]) -> Vec<(u32, Word)> {
    let most = rank.iter().filter(|&&rank| rank != u32::MAX).max().map_or(0, |&most| most as usize + 1);
    // Ranks are lengths of ways in the graph, so there are no more of them than states.
    let mut starts = vec![0_u32; most + 1];
    for &rank in rank.iter().filter(|&&rank| rank != u32::MAX) {
        starts[rank as usize + 1] += 1;
    }
    for i in 1..starts.len() {
        starts[i] += starts[i - 1];
    }
    let mut order = vec![0; starts[most] as usize];
    for (state, &rank) in (0..).zip(rank).filter(|&(_, &rank)| rank != u32::MAX) {
        order[starts[rank as usize] as usize] = state;
        starts[rank as usize] += 1;
    }
    let mut words: Vec<(u32, Word)> = Vec::new();
    for state in order {
        let (rank, own) = (rank[state as usize], Word::of(state));
        match words.last_mut() {
            Some((other, word)) if (*other, word.number) == (rank, own.number) => word.bits |= own.bits,
            _ => words.push((rank, own)),
        }
    }
    words
}
