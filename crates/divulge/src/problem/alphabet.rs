//! Events: actions and observations, as interned labels.

use crate::problem::names::Names;

/// What kind a vertex is, or what kind of event a label names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// The robot chooses here.
    Action,
    /// The world answers here.
    Observation,
}

impl Kind {
    /// The kind that alternates with this one.
    pub fn other(self) -> Self {
        match self {
            Kind::Action => Kind::Observation,
            Kind::Observation => Kind::Action,
        }
    }

    /// The word used for it in documents and formulas.
    pub fn word(self) -> &'static str {
        match self {
            Kind::Action => "action",
            Kind::Observation => "observation",
        }
    }
}

impl std::fmt::Display for Kind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.word())
    }
}

/// The interned id of an event of an [`Alphabet`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Label(pub u32);

impl Label {
    /// The id as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A label was declared an action in one place and an observation in another.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{name}` is declared as an {was}, so it cannot be an {wanted} as well")]
pub struct KindConflict {
    /// The label's name.
    pub name: String,
    /// The kind that it has.
    pub was: Kind,
    /// The kind that was asked for.
    pub wanted: Kind,
}

/// The actions and observations of a problem. World, plans and divulged graphs of one problem share one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Alphabet {
    names: Names,
    kinds: Vec<Kind>,
}

impl Alphabet {
    /// An alphabet without labels.
    pub fn new() -> Self {
        Self::default()
    }

    /// The label called `name`, added if it is new.
    ///
    /// # Errors
    /// If it exists with the other kind: a label is an action or an observation, never both.
    pub fn declare(&mut self, name: &str, kind: Kind) -> Result<Label, KindConflict> {
        let (id, new) = self.names.intern(name);
        if new {
            self.kinds.push(kind);
        } else if self.kinds[id as usize] != kind {
            return Err(KindConflict { name: name.to_owned(), was: self.kinds[id as usize], wanted: kind });
        }
        Ok(Label(id))
    }

    /// The label called `name`, if there is one.
    pub fn get(&self, name: &str) -> Option<Label> {
        self.names.get(name).map(Label)
    }

    /// A label's name.
    pub fn name(&self, label: Label) -> &str {
        self.names.name(label.0)
    }

    /// A label's kind.
    pub fn kind(&self, label: Label) -> Kind {
        self.kinds[label.index()]
    }

    /// How many labels there are.
    pub fn len(&self) -> usize {
        self.kinds.len()
    }

    /// Whether there is no label.
    pub fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }

    /// All labels, in the order of their ids.
    pub fn labels(&self) -> impl ExactSizeIterator<Item = Label> + use<> {
        (0..self.kinds.len() as u32).map(Label)
    }

    /// The labels of one kind, in the order of their ids.
    pub fn of_kind(&self, kind: Kind) -> impl Iterator<Item = Label> + '_ {
        self.labels().filter(move |&l| self.kind(l) == kind)
    }

    /// The names of all labels, in the order of their ids.
    pub fn names(&self) -> &Names {
        &self.names
    }
}
