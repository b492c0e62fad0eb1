//! What becomes of stipulations as an observer watches.
//!
//! *Background.* A stipulation speaks of the estimates that an observer forms, one after the other: its moments. What has become of all of
//! an observer's stipulations so far is a *course*: a state that starts with the first moment and advances with every other. `always`
//! breaks it where it does not hold; `end` tells whether a plan may terminate; a `run` does both, and remembers what is left of its formula.
//!
//! *Practical.* [`Courses`] numbers what runs have become, as far as it was met; without runs there is nothing to remember.

use rustc_hash::FxHashMap;

use super::{
    Stipulations,
    run::{Rest, Run},
};

/// What has become of an observer's stipulations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Course {
    kept: bool,
    may_end: bool,
    /// The number of what its runs have become.
    pub(crate) runs: u32,
}

/// When something is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Due {
    /// What must be so at every moment, or can never become so again.
    Throughout,
    /// What must be so where the plan terminates.
    AtEnd,
}

impl Course {
    /// Whether nothing is broken so far. Where this is false, no plan may lead.
    pub fn is_kept(self) -> bool {
        self.kept
    }

    /// What is broken, if anything; what is asked for at the end counts if the plan terminates now.
    pub fn broken(self, ends: bool) -> Option<Due> {
        match (self.kept, self.may_end) {
            (false, _) => Some(Due::Throughout),
            (true, false) if ends => Some(Due::AtEnd),
            _ => None,
        }
    }

    /// Whether a plan may terminate now.
    pub fn may_end(self) -> bool {
        self.may_end
    }

    /// The same course where something else may be broken too.
    pub(crate) fn and_kept(self, kept: bool) -> Self {
        Self { kept: self.kept && kept, ..self }
    }

    /// What has become of the stipulations of two observers together.
    pub(crate) fn and(self, other: Self) -> Self {
        Self { kept: self.kept && other.kept, may_end: self.may_end && other.may_end, runs: 0 }
    }

    /// Before any observer is asked.
    pub(crate) fn open() -> Self {
        Self { kept: true, may_end: true, runs: 0 }
    }
}

impl Stipulations {
    /// The course of an observer at whose moment the estimate has this signature, as far as no other moment matters.
    pub fn now(&self, signature: &[u64]) -> Course {
        let holds = |demand| self.hold(demand, signature);
        Course { kept: holds(Due::Throughout), may_end: holds(Due::AtEnd), runs: 0 }
    }
}

/// What the runs of an observer's stipulations have become, numbered as it is met.
#[derive(Clone, Debug, Default)]
pub struct Courses {
    followed: Vec<Followed>,
    all: Vec<Box<[u32]>>,
    number: FxHashMap<Box<[u32]>, u32>,
    /// The numbers of the signatures that were met: there are few, and many moments of each.
    signatures: FxHashMap<Box<[u64]>, u32>,
    /// The courses by what runs had become before and the number of the signature.
    next: FxHashMap<(u32, u32), Course>,
}

impl Courses {
    /// For the runs among these stipulations, before the first moment.
    pub fn new(stipulations: &Stipulations) -> Self {
        if stipulations.all().iter().all(|s| s.run().is_none()) {
            return Self::default();
        }
        let runs = stipulations.all().iter().enumerate().filter(|(_, s)| s.run().is_some());
        let followed = runs.map(|(stipulation, s)| Followed::new(stipulation, s.run().expect("it is one")));
        let mut courses = Self { followed: followed.collect(), ..Self::default() };
        let start = vec![0; courses.followed.len()].into_boxed_slice();
        courses.intern(start);
        courses
    }

    /// Whether there is anything to remember.
    pub fn is_empty(&self) -> bool {
        self.followed.is_empty()
    }

    /// The course that starts with an estimate of this signature.
    pub fn begin(&mut self, stipulations: &Stipulations, signature: &[u64]) -> Course {
        self.advance(stipulations, 0, signature)
    }

    /// The course after one more moment, whose estimate has this signature.
    pub fn after(&mut self, stipulations: &Stipulations, before: Course, signature: &[u64]) -> Course {
        self.advance(stipulations, before.runs, signature)
    }

    /// The course after one more moment where runs had become `runs`; before the first moment they are 0.
    pub(crate) fn follow(&mut self, stipulations: &Stipulations, runs: u32, signature: &[u64]) -> Course {
        self.advance(stipulations, runs, signature)
    }

    /// Whether what runs have become can be mended, and whether all of them may end.
    pub(crate) fn stand(&self, runs: u32) -> (bool, bool) {
        if self.followed.is_empty() {
            return (true, true);
        }
        let states = self.all[runs as usize].iter().zip(&self.followed);
        let stands = states.map(|(&state, followed)| followed.standings[state as usize]);
        stands.fold((true, true), |(kept, ends), s| (kept && s.can_be_mended, ends && s.may_end))
    }

    fn advance(&mut self, stipulations: &Stipulations, runs: u32, signature: &[u64]) -> Course {
        if self.followed.is_empty() {
            return stipulations.now(signature);
        }
        let number = self.signatures.get(signature).copied().unwrap_or_else(|| {
            let number = self.signatures.len() as u32;
            self.signatures.insert(signature.into(), number);
            number
        });
        if let Some(&known) = self.next.get(&(runs, number)) {
            return known;
        }
        let course = self.work_out(stipulations, runs, signature);
        self.next.insert((runs, number), course);
        course
    }

    fn work_out(&mut self, stipulations: &Stipulations, runs: u32, signature: &[u64]) -> Course {
        let mut course = stipulations.now(signature);
        let before = self.all[runs as usize].clone();
        let mut after = Vec::with_capacity(before.len());
        for (followed, &state) in self.followed.iter_mut().zip(&before) {
            let compiled = &stipulations.all()[followed.stipulation];
            let (run, truth) = compiled.run().zip(compiled.run_atoms(signature)).expect("a run");
            let state = followed.advance(run, state, truth);
            let standing = followed.standings[state as usize];
            course.kept &= standing.can_be_mended;
            course.may_end &= standing.may_end;
            after.push(state);
        }
        course.runs = self.intern(after.into_boxed_slice());
        course
    }

    fn intern(&mut self, states: Box<[u32]>) -> u32 {
        let Self { all, number, .. } = self;
        *number.entry(states).or_insert_with_key(|states| {
            all.push(states.clone());
            all.len() as u32 - 1
        })
    }

    /// How the run of a stipulation stands in a course.
    pub fn standing(&self, stipulation: usize, course: Course) -> Option<RunStanding> {
        let place = self.followed.iter().position(|f| f.stipulation == stipulation)?;
        let state = self.all[course.runs as usize][place];
        Some(self.followed[place].standings[state as usize])
    }
}

/// How a run stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunStanding {
    /// Whether its formula holds if the run ends now.
    pub may_end: bool,
    /// Whether some moments to come could make it hold.
    pub can_be_mended: bool,
}

/// One formula followed along all runs that are met.
#[derive(Clone, Debug)]
struct Followed {
    stipulation: usize,
    rests: Vec<Rest>,
    number: FxHashMap<Rest, u32>,
    standings: Vec<RunStanding>,
    next: FxHashMap<(u32, Vec<bool>), u32>,
}

impl Followed {
    fn new(stipulation: usize, run: &Run) -> Self {
        let mut followed = Self {
            stipulation,
            rests: Vec::new(),
            number: FxHashMap::default(),
            standings: Vec::new(),
            next: FxHashMap::default(),
        };
        followed.intern(run, run.start());
        followed
    }

    fn intern(&mut self, run: &Run, rest: Rest) -> u32 {
        if let Some(&known) = self.number.get(&rest) {
            return known;
        }
        let standing = RunStanding { may_end: Run::may_end(&rest), can_be_mended: run.can_be_mended(&rest) };
        self.standings.push(standing);
        self.rests.push(rest.clone());
        self.number.insert(rest, self.standings.len() as u32 - 1);
        self.standings.len() as u32 - 1
    }

    fn advance(&mut self, run: &Run, state: u32, truth: Vec<bool>) -> u32 {
        if let Some(&known) = self.next.get(&(state, truth.clone())) {
            return known;
        }
        let rest = run.advance(&self.rests[state as usize], &truth);
        let after = self.intern(run, rest);
        self.next.insert((state, truth), after);
        after
    }
}
