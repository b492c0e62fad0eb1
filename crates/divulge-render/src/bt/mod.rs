//! A plan as a tree for BehaviorTree.CPP 4, which Groot shows and robots run.
//!
//! *Background.* A plan is a graph, and a tree is a program: what follows an event stands inside what follows the event before.
//! Where branches join, or a plan goes round in a circle, there is no tree. A library that makes every subtree when a tree is
//! loaded could not load one that contains itself, and would make a copy for each way into a part where branches join. So the
//! plan is cut into *parts* there. Each part is a tree of its own, made once; it ends by saying which part is next, in the
//! entry `at` of the blackboard, and the main tree goes on with that one until `at` is 0.
//!
//! *Practical.* Four nodes are the robot's, and are declared in the file: `Act` does an action, `Observe` waits for an
//! observation and writes it to the blackboard, `Observed` compares, `ChooseAtRandom` takes one of its children. All others are
//! built into the library. What was observed at a vertex has an entry of its own, so that a branch in which an action fails
//! never makes another branch look right: then the whole tree fails.

mod steps;
mod xml;

use std::io::{self, Write};

use divulge::{
    limit::{Limit, Monitor},
    problem::{Alphabet, Label, Plan},
};

use steps::Steps;

/// Why a plan has no tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoTree {
    /// After the same events it may have terminated or not: one of the vertices at which it has.
    Undecided(String),
    /// A label that the library would not take for itself.
    Label(String),
    /// There would be too many vertices.
    TooLarge,
    /// A limit was hit first.
    Limit(Limit),
}

impl std::fmt::Display for NoTree {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NoTree::Undecided(vertex) => write!(
                f,
                "the plan terminates at `{vertex}`, but after the same events it may also go on: a tree does one or the other"
            ),
            NoTree::Label(name) => write!(
                f,
                "the label {name:?} cannot stand in a tree: BehaviorTree.CPP would read something else than this text"
            ),
            NoTree::TooLarge => write!(f, "the plan is too large for a tree"),
            NoTree::Limit(limit) => write!(f, "stopped by a limit: {limit:?}"),
        }
    }
}

impl std::error::Error for NoTree {}

impl From<Limit> for NoTree {
    fn from(limit: Limit) -> Self {
        NoTree::Limit(limit)
    }
}

/// A plan, ready to be written as a tree.
pub struct BehaviorTree<'a> {
    steps: Steps,
    alphabet: &'a Alphabet,
}

impl<'a> BehaviorTree<'a> {
    /// The tree of a plan. One that is at several vertices at once is followed at all of them.
    ///
    /// # Errors
    /// If the plan has no tree, or a limit is hit.
    pub fn new(plan: &Plan, alphabet: &'a Alphabet, monitor: &dyn Monitor) -> Result<Self, NoTree> {
        let steps = Steps::new(plan, monitor)?;
        let odd = steps.labels().find(|&label| !can_stand(alphabet.name(label)));
        match odd {
            Some(label) => Err(NoTree::Label(alphabet.name(label).to_owned())),
            None => Ok(Self { steps, alphabet }),
        }
    }

    /// Writes the file: the trees, and what the robot's nodes are.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write(&self, out: impl Write) -> io::Result<()> {
        xml::write(out, &self.steps, self.alphabet)
    }

    /// Where the robot must choose in a way that nobody can predict: how many places there are.
    pub fn choices(&self) -> usize {
        self.steps.choices()
    }
}

/// Whether a text is read as it is: braces would name an entry of the blackboard, `json:` is read as a value, an empty text is no
/// value at all, and control characters are not allowed in XML.
fn can_stand(name: &str) -> bool {
    let inside = name.trim();
    let entry = inside.starts_with('{') && inside.ends_with('}');
    let allowed =
        |c: char| matches!(c, '\t' | '\n' | '\r') || !c.is_control() && !matches!(c, '\u{fffe}' | '\u{ffff}');
    !inside.is_empty() && !entry && !inside.starts_with("json:") && name.chars().all(allowed)
}

/// The labels of one way, and where it leads.
type Way = (Vec<Label>, usize);
