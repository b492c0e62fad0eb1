//! Where the names of a model are defined and used, and what it consists of: for editors.
//!
//! A text that is being written is broken most of the time, so nothing here needs it to be whole: whatever items can be read are looked
//! at, and names are resolved by where they stand, not by types.

mod declared;
mod expression;
mod parts;
mod walk;

use super::include::{self, Loader};
use crate::diagnostic::{Diagnostics, SourceId, Span};
use rustc_hash::FxHashMap;

pub use parts::{Part, Region};

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Sort {
    /// A `const` or `let`.
    Constant,
    /// A name for the values of variables.
    Type,
    /// A `def`.
    Definition,
    /// A parameter of a definition.
    Parameter,
    /// A variable of the world, or a property of one that is drawn.
    Variable,
    /// A value of an enumeration, and the observation that shows it.
    Value,
    /// An action.
    Action,
    /// An observation.
    Observation,
    /// An event of a world that is drawn, or one that is not known.
    Label,
    /// What an event looks like to an observer.
    Image,
    /// A vertex of a graph.
    Vertex,
    /// A plan.
    Plan,
    /// An observer.
    Observer,
    /// A graph with a name.
    Graph,
    /// A stipulation.
    Stipulation,
}

impl Sort {
    /// What it is called, with its article: `a variable`.
    pub fn described(self) -> &'static str {
        match self {
            Sort::Constant => "a constant",
            Sort::Type => "a type",
            Sort::Definition => "a definition",
            Sort::Parameter => "a parameter",
            Sort::Variable => "a variable",
            Sort::Value => "a value",
            Sort::Action => "an action",
            Sort::Observation => "an observation",
            Sort::Label => "an event",
            Sort::Image => "an image",
            Sort::Vertex => "a vertex",
            Sort::Plan => "a plan",
            Sort::Observer => "an observer",
            Sort::Graph => "a graph",
            Sort::Stipulation => "a stipulation",
        }
    }
}

/// A place where a name stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mention {
    /// The name, without quotes.
    pub name: String,
    /// Where it stands, with its quotes.
    pub span: Span,
    /// What it stands for.
    pub sort: Sort,
    /// Whether it is defined here, rather than used.
    pub defines: bool,
    /// Mentions of the same thing have the same number.
    pub symbol: usize,
}

/// The names of a model and of all that it includes.
#[derive(Clone, Debug)]
pub struct Survey {
    /// The texts; the model's own is the first. What is wrong with them is said elsewhere.
    pub diagnostics: Diagnostics,
    /// In the order of their places.
    pub mentions: Vec<Mention>,
    /// What the model's own text consists of.
    pub parts: Vec<Part>,
    /// Names of files, and the texts that they stand for.
    pub files: Vec<(Span, SourceId)>,
}

impl Survey {
    /// The model's own text.
    pub fn root(&self) -> SourceId {
        SourceId::default()
    }

    /// The mention at a place, its end included.
    pub fn at(&self, source: SourceId, offset: usize) -> Option<&Mention> {
        let touches =
            |m: &&Mention| m.span.source == source && m.span.start <= offset && offset <= m.span.end;
        // Between two names that touch, the one that begins there is meant.
        self.mentions.iter().filter(touches).max_by_key(|m| m.span.start)
    }

    /// All mentions of the same thing.
    pub fn of(&self, symbol: usize) -> impl Iterator<Item = &Mention> {
        self.mentions.iter().filter(move |mention| mention.symbol == symbol)
    }
}

/// Looks at the names of a model. `name` and `loader` are as for [`load`](super::load).
pub fn survey(name: &str, text: &str, loader: &dyn Loader) -> Survey {
    let mut diagnostics = Diagnostics::new();
    let root = diagnostics.add_source(name, text);
    let include::Surveyed { items, places } = include::surveyed(root, loader, &mut diagnostics);
    let declared = declared::Declared::of(&items);
    let mut walker = walk::Walker {
        declared: &declared,
        diagnostics: &diagnostics,
        symbols: FxHashMap::default(),
        mentions: Vec::new(),
        graphs: 0,
        defs: 0,
        observers: 0,
    };
    items.iter().for_each(|item| walker.item(item));
    let mut mentions = walker.mentions;
    mentions.sort_by_key(|m| (m.span, !m.defines));
    mentions.dedup_by_key(|m| m.span);
    define_first(&mut mentions);
    let parts = parts::parts(&items, root, places.regions);
    Survey { mentions, parts, files: places.files, diagnostics }
}

/// Vertices, images and the events of drawn worlds are nowhere defined: their first mention stands for that.
fn define_first(mentions: &mut [Mention]) {
    let mut defined: FxHashMap<usize, bool> = FxHashMap::default();
    for mention in mentions.iter() {
        *defined.entry(mention.symbol).or_default() |= mention.defines;
    }
    for mention in mentions.iter_mut() {
        let implied = matches!(mention.sort, Sort::Vertex | Sort::Image);
        if implied && let Some(known @ false) = defined.get_mut(&mention.symbol) {
            mention.defines = true;
            *known = true;
        }
    }
}
