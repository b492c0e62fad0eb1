//! Families of problems that grow with their parameters, for measurements and for trying things out.

mod automaton;
mod cards;
mod corridor;
mod ice;
mod keypad;
mod ngon;
mod nuclear;
mod parcels;
mod rooms;

pub use automaton::{Automaton, automaton};
pub use cards::cards;
pub use corridor::corridor;
pub use ice::ice;
pub use keypad::keypad;
pub use ngon::ngon;
pub use nuclear::{Nuclear, NuclearMap, nuclear};
pub use parcels::parcels;
pub use rooms::rooms;

use divulge::{
    problem::{Alphabet, BuildError, Builder, Knows, LabelMap, Observer, Problem, Scope, Stipulation},
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

/// A world with an observer called `public`; formulas are given as text.
fn problem(
    name: String,
    listed: [&[&str]; 2],
    fill: impl FnOnce(&mut Builder<'_>),
    knows: Knows,
    map: Option<&dyn Fn(&str) -> String>,
    formulas: &[(&str, &str)],
) -> Result<Problem, FamilyError> {
    use divulge::problem::Kind;
    let mut alphabet = Alphabet::new();
    for (labels, kind) in listed.into_iter().zip([Kind::Action, Kind::Observation]) {
        for label in labels {
            alphabet.declare(label, kind).map_err(BuildError::from)?;
        }
    }
    let mut builder = Builder::new(&mut alphabet);
    fill(&mut builder);
    let world = builder.world()?;
    let stipulations = formulas
        .iter()
        .map(|(name, text)| Stipulation {
            name: (*name).to_owned(),
            scope: Scope::Always,
            formula: text.parse().expect("the families' formulas are formulas"),
        })
        .collect();
    let observer = Observer {
        name: Some("public".to_owned()),
        map: map.map(|image| LabelMap::from_fn(&alphabet, |l| image(alphabet.name(l)))),
        constraints: Default::default(),
        filter: Default::default(),
        knows,
        stipulations,
    };
    let world_labels = BitSet::full(alphabet.len());
    Ok(Problem {
        name: Some(name),
        alphabet,
        world_labels,
        world,
        plan: None,
        costs: Vec::new(),
        observer,
        others: Vec::new(),
        aside: Vec::new(),
        grid: None,
    })
}
