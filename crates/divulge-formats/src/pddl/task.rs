//! A task over numbered facts: those that change or are uncertain are the bits of a state.

use rustc_hash::FxHashSet;

use super::{
    ast::{Condition, Effect, Fact, Ground, Schema, Task},
    ground::{Grounded, Instance, choices, object, put},
};

/// A condition on the bits of a state.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Test {
    Const(bool),
    Bit(u32),
    Not(Box<Test>),
    And(Vec<Test>),
    Or(Vec<Test>),
}

impl Test {
    pub fn holds(&self, state: &[u64]) -> bool {
        match self {
            Test::Const(is) => *is,
            Test::Bit(bit) => state[*bit as usize / 64] >> (bit % 64) & 1 == 1,
            Test::Not(inner) => !inner.holds(state),
            Test::And(all) => all.iter().all(|one| one.holds(state)),
            Test::Or(all) => all.iter().any(|one| one.holds(state)),
        }
    }

    fn not(self) -> Test {
        match self {
            Test::Const(is) => Test::Const(!is),
            Test::Not(inner) => *inner,
            other => Test::Not(Box::new(other)),
        }
    }

    /// All or some of these; `unit` is what changes nothing.
    fn joined(parts: impl Iterator<Item = Test>, unit: bool, make: fn(Vec<Test>) -> Test) -> Test {
        let mut all = Vec::new();
        for part in parts {
            match part {
                Test::Const(is) if is == unit => {}
                Test::Const(is) => return Test::Const(is),
                other => all.push(other),
            }
        }
        match all.len() {
            0 => Test::Const(unit),
            1 => all.remove(0),
            _ => make(all),
        }
    }

    /// A bit that must be set for the condition to hold.
    pub fn trigger(&self) -> Option<u32> {
        match self {
            Test::Bit(bit) => Some(*bit),
            Test::And(all) => {
                all.iter().find_map(|one| if let Test::Bit(bit) = one { Some(*bit) } else { None })
            }
            _ => None,
        }
    }
}

/// What happens to the bits of a state.
#[derive(Clone, Debug)]
pub(super) enum Change {
    Set(u32, bool),
    All(Vec<Change>),
    When(Test, Box<Change>),
    OneOf(Vec<Change>),
}

/// An action with its objects.
pub(super) struct Action {
    pub name: String,
    pub test: Test,
    pub change: Change,
    /// What is observed, in words, and what it is about.
    pub observe: Vec<(String, Test)>,
}

/// All of it.
pub(super) struct Bits<'t> {
    pub task: &'t Task,
    /// The facts that are bits.
    pub facts: Vec<Ground>,
    /// For each possible fact its bit, or whether it is always so.
    of: Vec<Result<u32, bool>>,
    grounded: &'t Grounded,
    pub actions: Vec<Action>,
    pub sensors: Vec<Action>,
    pub goal: Test,
}

impl<'t> Bits<'t> {
    pub fn new(task: &'t Task, grounded: &'t Grounded) -> Self {
        let mut changing: FxHashSet<u32> = FxHashSet::default();
        let certain: FxHashSet<u32> = task
            .init
            .iter()
            .filter(|(_, is)| *is)
            .filter_map(|(ground, _)| grounded.possible.number(ground))
            .collect();
        for fact in &task.uncertain {
            match fact {
                Fact::OneOf(all) | Fact::Or(all) => {
                    changing.extend(
                        all.iter().flatten().filter_map(|(ground, _)| grounded.possible.number(ground)),
                    );
                }
                Fact::Unknown(ground) => changing.extend(grounded.possible.number(ground)),
            }
        }
        for instance in &grounded.actions {
            if let Some(effect) = &task.actions[instance.schema].effect {
                let mut literals = Vec::new();
                literals_of(task, effect, &instance.objects, &mut literals);
                for (ground, is) in literals {
                    // What is so from the start is not changed by being made so.
                    let number = grounded.possible.number(&ground);
                    changing.extend(number.filter(|number| !is || !certain.contains(number)));
                }
            }
        }
        let mut of = Vec::new();
        let mut facts = Vec::new();
        for (number, ground) in (0..).zip(&grounded.possible.list) {
            if changing.contains(&number) {
                of.push(Ok(facts.len() as u32));
                facts.push(ground.clone());
            } else {
                of.push(Err(certain.contains(&number)));
            }
        }
        let mut bits = Self {
            task,
            facts,
            of,
            grounded,
            actions: Vec::new(),
            sensors: Vec::new(),
            goal: Test::Const(false),
        };
        bits.actions = bits.all(&grounded.actions, &task.actions, 0);
        bits.sensors = bits.all(&grounded.sensors, &task.sensors, task.actions.len());
        bits.goal = task.goal.as_ref().map_or(Test::Const(false), |goal| bits.test(goal, &[]));
        bits
    }

    fn all(&self, instances: &[Instance], schemas: &[Schema], first: usize) -> Vec<Action> {
        let mut all = Vec::new();
        for instance in instances {
            let schema = &schemas[instance.schema - first];
            let test = self.test(&schema.condition, &instance.objects);
            if test == Test::Const(false) {
                continue;
            }
            let mut name = schema.name.clone();
            for &object in &instance.objects {
                name.push(' ');
                name += &self.task.objects[object as usize].0;
            }
            let change =
                schema.effect.as_ref().map_or(Change::All(Vec::new()), |e| self.change(e, &instance.objects));
            let observe = schema.observe.as_ref().map_or(Vec::new(), |o| self.observed(o, &instance.objects));
            all.push(Action { name, test, change, observe });
        }
        all.sort_by(|a, b| a.name.cmp(&b.name));
        all
    }

    /// The number of the bit of a fact, if it is one.
    pub fn bit(&self, ground: &Ground) -> Result<u32, bool> {
        self.grounded.possible.number(ground).map_or(Err(false), |number| self.of[number as usize])
    }

    /// The facts that are so at every state.
    pub fn always(&self) -> impl Iterator<Item = &Ground> {
        self.grounded
            .possible
            .list
            .iter()
            .zip(&self.of)
            .filter(|(_, of)| **of == Err(true))
            .map(|(fact, _)| fact)
    }

    fn fact(&self, ground: &Ground) -> Test {
        match self.bit(ground) {
            Ok(bit) => Test::Bit(bit),
            Err(is) => Test::Const(is),
        }
    }

    fn test(&self, condition: &Condition, objects: &[u32]) -> Test {
        match condition {
            Condition::True => Test::Const(true),
            Condition::Atom(atom) => self.fact(&put(atom, objects)),
            Condition::Equal(a, b) => Test::Const(object(*a, objects) == object(*b, objects)),
            Condition::Not(inner) => self.test(inner, objects).not(),
            Condition::And(all) => {
                Test::joined(all.iter().map(|one| self.test(one, objects)), true, Test::And)
            }
            Condition::Or(all) => {
                Test::joined(all.iter().map(|one| self.test(one, objects)), false, Test::Or)
            }
            Condition::Forall(from, types, inner) => {
                let all = choices(self.task, *from, types, objects);
                Test::joined(all.iter().map(|with| self.test(inner, with)), true, Test::And)
            }
            Condition::Exists(from, types, inner) => {
                let all = choices(self.task, *from, types, objects);
                Test::joined(all.iter().map(|with| self.test(inner, with)), false, Test::Or)
            }
        }
    }

    fn change(&self, effect: &Effect, objects: &[u32]) -> Change {
        match effect {
            Effect::Literal(atom, is) => match self.bit(&put(atom, objects)) {
                Ok(bit) => Change::Set(bit, *is),
                Err(_) => Change::All(Vec::new()),
            },
            Effect::And(all) => Change::All(all.iter().map(|one| self.change(one, objects)).collect()),
            Effect::OneOf(all) => Change::OneOf(all.iter().map(|one| self.change(one, objects)).collect()),
            Effect::When(condition, inner) => match self.test(condition, objects) {
                Test::Const(false) => Change::All(Vec::new()),
                Test::Const(true) => self.change(inner, objects),
                test => Change::When(test, Box::new(self.change(inner, objects))),
            },
            Effect::Forall(from, types, inner) => {
                let all = choices(self.task, *from, types, objects);
                Change::All(all.iter().map(|with| self.change(inner, with)).collect())
            }
        }
    }

    /// What is sensed: each predicate of a conjunction by itself, anything else as a whole.
    fn observed(&self, condition: &Condition, objects: &[u32]) -> Vec<(String, Test)> {
        match condition {
            Condition::And(all) => all.iter().flat_map(|one| self.observed(one, objects)).collect(),
            Condition::Atom(atom) => {
                let ground = put(atom, objects);
                vec![(self.task.shown(&ground), self.fact(&ground))]
            }
            Condition::Not(inner) if matches!(**inner, Condition::Atom(_)) => self.observed(inner, objects),
            other => vec![("it".to_owned(), self.test(other, objects))],
        }
    }
}

/// All that an effect may bring about, and all that it may undo.
fn literals_of(task: &Task, effect: &Effect, objects: &[u32], into: &mut Vec<(Ground, bool)>) {
    match effect {
        Effect::Literal(atom, is) => into.push((put(atom, objects), *is)),
        Effect::And(all) | Effect::OneOf(all) => {
            all.iter().for_each(|one| literals_of(task, one, objects, into))
        }
        Effect::When(_, inner) => literals_of(task, inner, objects, into),
        Effect::Forall(from, types, inner) => {
            for with in choices(task, *from, types, objects) {
                literals_of(task, inner, &with, into);
            }
        }
    }
}
