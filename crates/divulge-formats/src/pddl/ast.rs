//! A planning problem as written, with its names resolved.

/// An object, or a parameter by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Term {
    Object(u32),
    Parameter(u32),
}

/// A predicate of terms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Atom {
    pub predicate: u32,
    pub terms: Vec<Term>,
}

/// A condition.
#[derive(Clone, Debug)]
pub(super) enum Condition {
    True,
    Atom(Atom),
    Equal(Term, Term),
    Not(Box<Condition>),
    And(Vec<Condition>),
    Or(Vec<Condition>),
    /// Parameters from a number on with their types, and what is said of them.
    Forall(u32, Vec<Type>, Box<Condition>),
    Exists(u32, Vec<Type>, Box<Condition>),
}

/// What an action does.
#[derive(Clone, Debug)]
pub(super) enum Effect {
    Literal(Atom, bool),
    And(Vec<Effect>),
    When(Condition, Box<Effect>),
    Forall(u32, Vec<Type>, Box<Effect>),
    OneOf(Vec<Effect>),
}

/// The types that an object may have one of.
pub(super) type Type = Vec<u32>;

/// An action, or a sensor: what it needs, does and tells.
#[derive(Clone, Debug)]
pub(super) struct Schema {
    pub name: String,
    pub parameters: Vec<Type>,
    pub condition: Condition,
    pub effect: Option<Effect>,
    pub observe: Option<Condition>,
}

/// Facts that are or are not so, all together.
pub(super) type Facts = Vec<(Ground, bool)>;

/// What is said of the start.
#[derive(Clone, Debug)]
pub(super) enum Fact {
    /// Exactly one of these.
    OneOf(Vec<Facts>),
    /// At least one of these.
    Or(Vec<Facts>),
    /// It may be so or not.
    Unknown(Ground),
}

/// A predicate of objects.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Ground {
    pub predicate: u32,
    pub objects: Box<[u32]>,
}

/// Domain and problem together.
#[derive(Clone, Debug, Default)]
pub(super) struct Task {
    pub name: String,
    /// The names of types, and the types above each; number 0 is `object`, which is above all.
    pub types: Vec<(String, Type)>,
    /// The names of objects, and all types of each, with those above.
    pub objects: Vec<(String, Type)>,
    pub predicates: Vec<(String, usize)>,
    pub actions: Vec<Schema>,
    pub sensors: Vec<Schema>,
    pub init: Vec<(Ground, bool)>,
    pub uncertain: Vec<Fact>,
    pub goal: Option<Condition>,
    pub notes: Vec<String>,
}

impl Task {
    /// Whether an object is of one of these types.
    pub fn is_of(&self, object: u32, types: &[u32]) -> bool {
        types.contains(&0) || self.objects[object as usize].1.iter().any(|own| types.contains(own))
    }

    /// These types, and all that are above them.
    pub fn with_above(&self, types: &[u32]) -> Type {
        let mut all = types.to_vec();
        let mut at = 0;
        while at < all.len() {
            for &above in &self.types[all[at] as usize].1 {
                if !all.contains(&above) {
                    all.push(above);
                }
            }
            at += 1;
        }
        all
    }

    /// A predicate with its objects, in words.
    pub fn shown(&self, ground: &Ground) -> String {
        let mut text = self.predicates[ground.predicate as usize].0.clone();
        for &object in &ground.objects {
            text.push(' ');
            text += &self.objects[object as usize].0;
        }
        text
    }
}
