//! Plans for a robot that somebody watches, and what the watcher comes to know.
//!
//! A *world* says what a robot can do and what it may observe. A *plan* is what it does. An *observer* sees the robot's
//! events through a *label map*, under which different events may look alike, knows something of the plan beforehand, and
//! forms an *estimate*: the set of places in the world that are possible for all it has seen. *Stipulations* say what must hold of
//! that estimate: this must stay hidden, that must become clear. This crate answers, exactly, whether a plan keeps the
//! stipulations ([`check`](fn@check)), whether every execution does ([`audit`](fn@audit)), and which plans and maps do ([`seek_plan`], [`seek_map`],
//! [`seek_both`], [`seek_maps`]). A missing solution is a proof that there is none.
//!
//! # A small world, solved
//!
//! A courier scans a parcel, which shows whether it is for Ann or for Bob. The stairs to Ann are on the left, those to Bob
//! on the right; the lift goes to both. The porter knows the courier's plan and sees everything but the address. Whose
//! parcel it is must never be clear to him.
//!
//! ```
//! use divulge::{Alphabet, Builder, Knows, LabelMap, Observer, Problem, Scope, SeekOptions, Stipulation, Unlimited};
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
//! let found = divulge::seek_plan(&problem, &SeekOptions::default(), &Unlimited)?.expect("the lift will do");
//! assert_eq!(found.worst_case.events, 3); // scan, the address, the lift
//! problem.plan = Some(found.plan);
//! assert_eq!(divulge::check(&problem, &Unlimited)?, None); // no violation
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A violation comes with a shortest execution that shows it. By the stairs:
//!
//! ```
//! # use divulge::{Alphabet, Builder, Knows, LabelMap, Observer, Problem, Scope, Stipulation, Unlimited};
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
//! let violation = divulge::check(&problem, &Unlimited)?.expect("the stairs tell");
//! let events: Vec<&str> = violation.execution.iter().map(|&l| problem.alphabet.name(l)).collect();
//! assert_eq!(events, ["scan", "ann", "left"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What to read next
//!
//! The modules are the stations of the data's one way through the crate:
//!
//! - [`problem`]: what a question is asked of: [`World`], [`Plan`], [`LabelMap`], [`Observer`]; [`Builder`] makes graphs
//!   from names.
//! - [`formula`]: what stipulations can say, and their clausal form.
//! - [`graph`]: operations on p-graphs: product, union, image, inclusion of languages.
//! - [`expansion`]: what the robot itself knows, by the subset construction.
//! - [`observer`]: the divulged plan, and the beliefs of who watches.
//! - [`check`](mod@check), [`audit`](mod@audit), [`seek`] and [`maps`]: the questions. Each takes a [`Monitor`], which may set a limit; [`Unlimited`] sets none.
//! - [`explain`]: witnesses that replay, and what explains an answer.
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

pub mod game;

pub mod and_or;
pub mod audit;
pub mod check;
pub mod maps;
pub mod seek;

pub mod explain;

mod nearest;
pub use nearest::{did_you_mean, nearest};

pub use audit::audit;
pub use check::check;
pub use limit::{Limit, Monitor, Progress, Unlimited};
pub use maps::{MapOptions, seek_both, seek_map, seek_maps};
pub use problem::{
    Alphabet, Builder, Filter, Knows, LabelMap, Observer, Plan, Problem, Scope, Stipulation, World,
};
pub use seek::{SeekOptions, seek_plan};
pub use verdict::{FoundMap, FoundPlan, Frontier, QuestionError, Violation};
