//! Plans for a robot that somebody watches, and what the watcher comes to know.
//!
//! A *world* says what a robot can do and what it may observe. A *plan* is what it does. An *observer* sees the robot's
//! events through a *label map*, under which different events may look alike, knows something of the plan beforehand, and
//! forms an *estimate*: the set of places in the world that are possible for all it has seen. *Stipulations* say what must hold of
//! that estimate: this must stay hidden, that must become clear. This crate answers, exactly, whether a plan keeps the
//! stipulations, whether every execution does, and which plans and maps do. [`ask`](fn@ask) is the one door to all of it. A missing
//! solution is a proof that there is none, and what is found is checked before it is given.
//!
//! # A small world, solved
//!
//! A courier scans a parcel, which shows whether it is for Ann or for Bob. The stairs to Ann are on the left, those to Bob
//! on the right; the lift goes to both. The porter knows the courier's plan and sees everything but the address. Whose
//! parcel it is must never be clear to him.
//!
//! ```
//! use divulge::{Alphabet, Builder, Knows, LabelMap, Observer, Problem, Scope, Stipulation, Unlimited, Verdict, ask};
//!
//! let mut alphabet = Alphabet::new();
//! let mut b = Builder::new(&mut alphabet);
//! b.actions(["depot", "ann_due", "bob_due"]).observations(["scanned", "at_ann", "at_bob"]);
//! b.initial("depot").mark("at_ann").mark("at_bob"); // the marked vertices are the goal
//! b.edge("depot", ["scan"], "scanned").edge("scanned", ["ann"], "ann_due").edge("scanned", ["bob"], "bob_due");
//! b.edge("ann_due", ["left", "lift"], "at_ann").edge("bob_due", ["right", "lift"], "at_bob");
//! let world = b.world()?;
//!
//! let map = LabelMap::from_fn(&alphabet, |l| match alphabet.name(l) { "ann" | "bob" => "address", other => other });
//! let discreet = Stipulation::new("discreet", Scope::Always, "!knows(is(at_ann)) & !knows(is(at_bob))")?;
//! let porter = Observer { map: Some(map), stipulations: vec![discreet], ..Observer::new(Knows::Plan) };
//! let mut problem = Problem::new(alphabet, world, porter);
//!
//! let answer = ask(&problem).seek_plan().within(&Unlimited)?;
//! let found = answer.found().expect("the lift will do");
//! assert_eq!(found.worst_case.events, 3); // scan, the address, the lift
//! problem.plan = Some(found.plan.clone());
//! assert!(matches!(ask(&problem).check().within(&Unlimited)?.verdict, Verdict::Holds { .. }));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A violation comes with a shortest execution that shows it. By the stairs:
//!
//! ```
//! # use divulge::{Alphabet, Builder, Knows, LabelMap, Observer, Problem, Scope, Stipulation, Unlimited, ask};
//! # let mut alphabet = Alphabet::new();
//! # let mut b = Builder::new(&mut alphabet);
//! # b.actions(["depot", "ann_due", "bob_due"]).observations(["scanned", "at_ann", "at_bob"]);
//! # b.initial("depot").mark("at_ann").mark("at_bob");
//! # b.edge("depot", ["scan"], "scanned").edge("scanned", ["ann"], "ann_due").edge("scanned", ["bob"], "bob_due");
//! # b.edge("ann_due", ["left", "lift"], "at_ann").edge("bob_due", ["right", "lift"], "at_bob");
//! # let world = b.world()?;
//! let mut b = Builder::new(&mut alphabet);
//! b.actions(["p0", "p2", "p3"]).observations(["p1", "end"]).initial("p0").mark("end"); // marked: terminal
//! b.edge("p0", ["scan"], "p1").edge("p1", ["ann"], "p2").edge("p1", ["bob"], "p3");
//! b.edge("p2", ["left"], "end").edge("p3", ["right"], "end");
//! let stairs = b.plan()?;
//! # let map = LabelMap::from_fn(&alphabet, |l| match alphabet.name(l) { "ann" | "bob" => "address", other => other });
//! # let discreet = Stipulation::new("discreet", Scope::Always, "!knows(is(at_ann)) & !knows(is(at_bob))")?;
//! # let porter = Observer { map: Some(map), stipulations: vec![discreet], ..Observer::new(Knows::Plan) };
//! # let mut problem = Problem::new(alphabet, world, porter);
//!
//! problem.plan = Some(stairs);
//! let answer = ask(&problem).check().within(&Unlimited)?;
//! let violation = answer.violation().expect("the stairs tell");
//! let events: Vec<&str> = violation.execution.iter().map(|&l| problem.alphabet.name(l)).collect();
//! assert_eq!(events, ["scan", "ann", "left"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What to read next
//!
//! The modules are the stations of the data's one way through the crate; each computes with those before it alone:
//!
//! - [`limit`], [`sets`]: what may stop an engine, and how far it has come; sets of small numbers.
//! - [`problem`]: what a question is asked of: [`World`], [`Plan`], [`LabelMap`], [`Observer`]; [`Builder`] makes graphs
//!   from names.
//! - [`formula`]: what stipulations mean, and their clausal form; [`verdict`]: the types of answers.
//! - [`graph`]: operations on p-graphs: product, union, image, inclusion of languages, backward induction.
//! - [`expansion`]: what the robot itself knows, by the subset construction.
//! - [`observer`]: the divulged plan, and the beliefs of who watches.
//! - [`setting`]: a problem, posed: all that every question needs of it, made once and within limits.
//! - [`game`]: the game of robot and observer, and the strategies and plans that come of it.
//! - [`check`], [`audit`], [`seek`], [`maps`], [`and_or`]: the engines.
//! - [`explain`]: witnesses that replay, and what explains an answer.
//! - [`mod@ask`]: a question in, an answer out.
//!
//! The crate reads no files, serialises nothing and knows no clock; it compiles for `wasm32-unknown-unknown`. Models in text and
//! problem documents in JSON are read by the crate `divulge-model`, answers put into words by `divulge-render`. The
//! mathematics is in the repository's `docs/theory.md`, the structure of the code in `docs/architecture.md`.

pub mod limit;
pub mod sets;

pub mod formula;
pub mod problem;
pub mod verdict;

pub mod expansion;
pub mod graph;
pub mod observer;

pub mod setting;

pub mod game;

pub mod and_or;
pub mod audit;
pub mod check;
pub mod maps;
pub mod seek;

pub mod explain;

pub mod ask;

mod nearest;
pub use nearest::{did_you_mean, nearest};

pub use ask::{Answer, Question, Verdict, ask};
pub use limit::{Limit, Monitor, Progress, Unlimited};
pub use problem::{
    Alphabet, Builder, Filter, Knows, LabelMap, Observer, Plan, Problem, Scope, Stipulation, World,
};
pub use verdict::{FoundMap, FoundPlan, Frontier, QuestionError, Violation};
