//! Families of problems that grow with their parameters, for measurements and for trying things out.

mod automaton;
mod cards;
mod corridor;
mod ice;
mod keypad;
mod ngon;
mod nuclear;
mod parcels;
mod relays;
mod rooms;
mod tunnels;
mod wards;

pub use automaton::{Automaton, automaton};
pub use cards::cards;
pub use corridor::corridor;
pub use ice::ice;
pub use keypad::keypad;
pub use ngon::ngon;
pub use nuclear::{Nuclear, NuclearMap, nuclear};
pub use parcels::parcels;
pub use relays::relays;
pub use rooms::rooms;
pub use tunnels::tunnels;
pub use wards::wards;

use divulge::{
    problem::{Alphabet, BuildError, Builder, Kind, Knows, LabelMap, Observer, Problem, Scope, Stipulation},
    sets::BitSet,
};

/// Why a family has no member with these parameters.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FamilyError {
    /// Parameters that make no sense.
    #[error("{0}")]
    Parameters(String),
    /// The graph could not be built.
    #[error(transparent)]
    Build(#[from] BuildError),
}

/// Moves on a floor: how many rows and columns each goes.
const COMPASS: [(&str, isize, isize); 4] =
    [("north", -1, 0), ("south", 1, 0), ("west", 0, -1), ("east", 0, 1)];

/// A fixed sequence of numbers without much order.
struct Shuffle(u64);

impl Shuffle {
    fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(2).wrapping_add(1))
    }

    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }
}

/// What an observer sees of a label; nothing if it is unseen.
type Look<'a> = &'a dyn Fn(&str) -> Option<String>;

/// One who watches; formulas are given as text.
struct Seat<'a> {
    name: String,
    knows: Knows,
    /// `None` if a map is to be sought.
    look: Option<Look<'a>>,
    stipulations: Vec<(String, Scope, String)>,
}

/// A world with an observer called `public`, of whom something is stipulated at every moment.
fn problem(
    name: String,
    listed: [&[&str]; 2],
    fill: impl FnOnce(&mut Builder<'_>),
    knows: Knows,
    map: Option<&dyn Fn(&str) -> String>,
    formulas: &[(&str, &str)],
) -> Result<Problem, FamilyError> {
    let look = map.map(|image| move |label: &str| Some(image(label)));
    let always = |(name, text): &(&str, &str)| ((*name).to_owned(), Scope::Always, (*text).to_owned());
    let public = Seat {
        name: "public".to_owned(),
        knows,
        look: look.as_ref().map(|look| look as Look<'_>),
        stipulations: formulas.iter().map(always).collect(),
    };
    watched(name, listed, fill, public, Vec::new())
}

/// A world with its observers.
fn watched(
    name: String,
    listed: [&[&str]; 2],
    fill: impl FnOnce(&mut Builder<'_>),
    first: Seat<'_>,
    others: Vec<Seat<'_>>,
) -> Result<Problem, FamilyError> {
    let mut alphabet = Alphabet::new();
    for (labels, kind) in listed.into_iter().zip([Kind::Action, Kind::Observation]) {
        for label in labels {
            alphabet.declare(label, kind).map_err(BuildError::from)?;
        }
    }
    let mut builder = Builder::new(&mut alphabet);
    fill(&mut builder);
    let world = builder.world()?;
    let observer = seated(first, &alphabet);
    let others = others.into_iter().map(|seat| seated(seat, &alphabet)).collect();
    let world_labels = BitSet::full(alphabet.len());
    Ok(Problem {
        name: Some(name),
        alphabet,
        world_labels,
        world,
        plan: None,
        costs: Vec::new(),
        observer,
        others,
        aside: Vec::new(),
        grid: None,
    })
}

fn seated(seat: Seat<'_>, alphabet: &Alphabet) -> Observer {
    let stipulation = |(name, scope, text): (String, Scope, String)| Stipulation {
        name,
        scope,
        formula: text.parse().expect("the families' formulas are formulas"),
    };
    Observer {
        name: Some(seat.name),
        map: seat.look.map(|look| LabelMap::seen_from_fn(alphabet, |l| look(alphabet.name(l)))),
        constraints: Default::default(),
        filter: Default::default(),
        knows: seat.knows,
        stipulations: seat.stipulations.into_iter().map(stipulation).collect(),
    }
}
