//! Random problems whose plans hold, and a robot that is driven through them behind a guard: what the tests of the guard and of the program share.

use divulge::{
    Unlimited,
    ask::{Verdict, ask},
    problem::{Kind, Label, Problem, Vertex},
    setting::{Setting, unfold},
};
use divulge_guard::{Chance, Gate, Guard, Journal, Mode, OpenError, Options, Out, Standing};
use divulge_naive::random::{self, Features, Profile, Rng};

/// Random problems with a plan that holds.
pub fn problems(rng: &mut Rng, number: usize) -> Vec<Problem> {
    let profile = Profile {
        bad_filters: false,
        odd_kinds: false,
        broken_plans: 0,
        lenience: 6,
        solvable: (100, 2),
        ..Profile::default()
    };
    let features = Features::each();
    let mut found = Vec::new();
    while found.len() < number {
        let (_, features) = features[rng.below(features.len())];
        let problem = random::beyond(rng, &profile, features);
        let holds = ask(&problem)
            .check()
            .within(&Unlimited)
            .is_ok_and(|a| matches!(a.verdict, Verdict::Holds { .. }));
        if holds {
            found.push(problem);
        }
    }
    found
}

/// Opens a gate and does something with it.
///
/// # Errors
/// If it cannot be opened.
///
/// # Panics
/// If the problem cannot be asked about.
pub fn with_gate<T>(
    problem: &Problem,
    options: Options,
    journal: Option<Journal>,
    work: impl FnOnce(Gate<'_>) -> T,
) -> Result<T, OpenError> {
    let unfolded = unfold(problem, &Unlimited).expect("it was asked about before");
    let posed = unfolded.as_ref().unwrap_or(problem);
    let setting = Setting::pose(posed, problem.plan.as_ref(), &Unlimited).expect("it was asked about before");
    let guard = Guard::new(&setting).expect("it was asked about before");
    Ok(work(Gate::open(guard, options, "digest", journal, None)?))
}

/// How an enforcing guard is opened, with predictable choices.
pub fn enforcing(seed: u64) -> Options {
    Options { mode: Mode::Enforce, chance: Chance::Seed(seed) }
}

/// The line that says that something happened.
pub fn event(problem: &Problem, label: Label) -> Vec<u8> {
    format!("{{\"event\": {}}}", quoted(problem.alphabet.name(label))).into_bytes()
}

/// A text as JSON has it.
pub fn quoted(text: &str) -> String {
    let escaped: String = text
        .chars()
        .map(|c| match c {
            '"' | '\\' => format!("\\{c}"),
            c if c.is_control() => format!("\\u{:04x}", c as u32),
            c => c.to_string(),
        })
        .collect();
    format!("\"{escaped}\"")
}

/// A robot at one vertex of the world.
pub struct Robot<'p> {
    problem: &'p Problem,
    at: Vertex,
    /// What it has done and observed.
    pub did: Vec<Label>,
}

impl<'p> Robot<'p> {
    /// A robot where the world may start.
    pub fn new(problem: &'p Problem, rng: &mut Rng) -> Self {
        Self { problem, at: *rng.pick(problem.world.graph.initial()), did: Vec::new() }
    }

    fn go(&mut self, label: Label, rng: &mut Rng) {
        self.at = rng.pick(self.problem.world.graph.step(self.at, label)).to;
        self.did.push(label);
    }

    /// Goes on as it was told; gives the line that it says then.
    pub fn next(&mut self, told: Option<Option<Label>>, rng: &mut Rng) -> Vec<u8> {
        match told {
            Some(None) => return b"{\"end\": true}".to_vec(),
            Some(Some(action)) => self.go(action, rng),
            None => {
                let graph = &self.problem.world.graph;
                assert_eq!(graph.kind(self.at), Kind::Observation, "the robot is not told what to do");
                let seen: Vec<Label> = graph.labels(self.at).collect();
                self.go(*rng.pick(&seen), rng);
            }
        }
        event(self.problem, *self.did.last().expect("it has just done something"))
    }
}

/// What was said last about what to do.
pub fn told(said: &[Out]) -> Option<Option<Label>> {
    said.iter().rev().find_map(|out| match out {
        Out::Do(what) => Some(*what),
        _ => None,
    })
}

/// What observers are shown, each image once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Streams(pub Vec<Vec<String>>);

impl Streams {
    /// Nothing has been shown yet.
    pub fn new(problem: &Problem) -> Self {
        Self(problem.observers().map(|_| Vec::new()).collect())
    }

    /// Takes what was said; what was shown before must be the same.
    pub fn take(&mut self, problem: &Problem, said: &[Out]) {
        for out in said {
            let Out::Image { observer, image, n } = out else { continue };
            let map =
                problem.observers().nth(*observer as usize).and_then(|o| o.map.as_ref()).expect("a map");
            let (stream, name) = (&mut self.0[*observer as usize], map.name(*image).to_owned());
            match stream.get(*n as usize - 1) {
                Some(known) => assert_eq!(*known, name, "image {n} is shown again, and differs"),
                None => {
                    assert_eq!(stream.len() as u64 + 1, *n, "an image is missing");
                    stream.push(name);
                }
            }
        }
    }

    /// What observers should have been shown after these events.
    pub fn expected(problem: &Problem, did: &[Label]) -> Self {
        let of = |observer: &divulge::Observer| {
            let map = observer.map.as_ref().expect("a map");
            did.iter().filter_map(|&label| map.look(label)).map(str::to_owned).collect()
        };
        Self(problem.observers().map(of).collect())
    }
}

/// The lines of a whole run, the last of which ends it, and what was done.
pub fn run(problem: &Problem, seed: u64, rng: &mut Rng) -> (Vec<Vec<u8>>, Vec<Label>) {
    with_gate(problem, enforcing(seed), None, |mut gate| {
        let mut robot = Robot::new(problem, rng);
        let (mut lines, mut shown) = (Vec::new(), Streams::new(problem));
        loop {
            gate.commit();
            let said = gate.take();
            shown.take(problem, &said);
            assert_eq!(shown, Streams::expected(problem, &robot.did));
            if *gate.standing() != Standing::Open {
                break;
            }
            let line = robot.next(told(&said), rng);
            gate.line(&line);
            lines.push(line);
        }
        assert_eq!(*gate.standing(), Standing::Ended, "{:?} in {problem:?}", robot.did);
        assert_eq!(gate.status(), 0);
        (lines, robot.did)
    })
    .expect("a gate without a journal opens")
}
