//! Grounding: which actions, with which objects, can ever be possible.
//!
//! A fact is *possible* if it is so at the start, may be so, or some possible action brings it about, whatever else happens. Actions are
//! found from the facts that they need, one new fact at a time, so that none is made that could never be taken.

use divulge::limit::{Monitor, Progress};
use rustc_hash::{FxHashMap, FxHashSet};

use super::ast::{Atom, Condition, Effect, Fact, Ground, Schema, Task, Term};
use crate::{Failed, Fault, FaultKind};

/// More actions with objects than this are not listed.
const MOST_ACTIONS: usize = 500_000;

/// The work of putting objects together is bounded.
const MOST_TRIES: u64 = 200_000_000;

/// Facts that may be true at some time, numbered.
#[derive(Default)]
pub(super) struct Possible {
    numbers: FxHashMap<Ground, u32>,
    pub list: Vec<Ground>,
    by_predicate: Vec<Vec<u32>>,
    by_object: FxHashMap<(u32, u32, u32), Vec<u32>>,
}

impl Possible {
    fn add(&mut self, ground: Ground) {
        let number = self.list.len() as u32;
        if self.numbers.contains_key(&ground) {
            return;
        }
        self.by_predicate[ground.predicate as usize].push(number);
        for (place, &object) in ground.objects.iter().enumerate() {
            self.by_object.entry((ground.predicate, place as u32, object)).or_default().push(number);
        }
        self.numbers.insert(ground.clone(), number);
        self.list.push(ground);
    }

    pub fn number(&self, ground: &Ground) -> Option<u32> {
        self.numbers.get(ground).copied()
    }
}

/// An action with objects in place of its parameters.
pub(super) struct Instance {
    pub schema: usize,
    pub objects: Vec<u32>,
}

/// All that is possible.
pub(super) struct Grounded {
    pub possible: Possible,
    /// Of actions, then of sensors.
    pub actions: Vec<Instance>,
    pub sensors: Vec<Instance>,
}

/// Grounds a task.
pub(super) fn ground(task: &Task, monitor: &dyn Monitor) -> Result<Grounded, Failed> {
    let mut possible =
        Possible { by_predicate: vec![Vec::new(); task.predicates.len()], ..Possible::default() };
    for (ground, is) in &task.init {
        if *is {
            possible.add(ground.clone());
        }
    }
    for fact in &task.uncertain {
        match fact {
            Fact::OneOf(all) | Fact::Or(all) => {
                all.iter().flatten().for_each(|(ground, _)| possible.add(ground.clone()))
            }
            Fact::Unknown(ground) => possible.add(ground.clone()),
        }
    }
    let schemas: Vec<&Schema> = task.actions.iter().chain(&task.sensors).collect();
    let needs: Vec<Vec<&Atom>> = schemas.iter().map(|schema| needs(&schema.condition)).collect();
    let mut grounder = Grounder {
        task,
        schemas,
        needs,
        possible,
        fixed: fixed(task),
        known: FxHashSet::default(),
        found: Vec::new(),
        tries: 0,
        monitor,
    };
    for schema in 0..grounder.schemas.len() {
        if grounder.needs[schema].is_empty() {
            let unbound = vec![None; grounder.schemas[schema].parameters.len()];
            grounder.complete(schema, unbound, 0)?;
        }
    }
    let mut fact = 0;
    while fact < grounder.possible.list.len() {
        grounder.meet(fact as u32)?;
        fact += 1;
    }
    let (actions, sensors) =
        grounder.found.into_iter().partition(|instance: &Instance| instance.schema < task.actions.len());
    Ok(Grounded { possible: grounder.possible, actions, sensors })
}

fn fixed(task: &Task) -> Vec<bool> {
    let mut fixed = vec![true; task.predicates.len()];
    for fact in &task.uncertain {
        match fact {
            Fact::OneOf(all) | Fact::Or(all) => {
                all.iter().flatten().for_each(|(ground, _)| fixed[ground.predicate as usize] = false)
            }
            Fact::Unknown(ground) => fixed[ground.predicate as usize] = false,
        }
    }
    let mut open: Vec<&Effect> = task.actions.iter().filter_map(|action| action.effect.as_ref()).collect();
    while let Some(effect) = open.pop() {
        match effect {
            Effect::Literal(atom, _) => fixed[atom.predicate as usize] = false,
            Effect::And(all) | Effect::OneOf(all) => open.extend(all),
            Effect::When(_, inner) | Effect::Forall(_, _, inner) => open.push(inner),
        }
    }
    fixed
}

/// The predicates that must be true for a condition to be.
fn needs(condition: &Condition) -> Vec<&Atom> {
    match condition {
        Condition::Atom(atom) => vec![atom],
        Condition::And(all) => all.iter().flat_map(needs).collect(),
        _ => Vec::new(),
    }
}

struct Grounder<'t> {
    task: &'t Task,
    schemas: Vec<&'t Schema>,
    needs: Vec<Vec<&'t Atom>>,
    possible: Possible,
    /// The predicates that no action changes and nobody is uncertain about.
    fixed: Vec<bool>,
    known: FxHashSet<(usize, Vec<u32>)>,
    found: Vec<Instance>,
    tries: u64,
    monitor: &'t dyn Monitor,
}

type Binding = Vec<Option<u32>>;

impl<'t> Grounder<'t> {
    /// A new fact: finds the actions that need it.
    fn meet(&mut self, fact: u32) -> Result<(), Failed> {
        for schema in 0..self.schemas.len() {
            for need in 0..self.needs[schema].len() {
                let ground = &self.possible.list[fact as usize];
                let unbound = vec![None; self.schemas[schema].parameters.len()];
                if let Some(binding) = self.matched(schema, need, ground, &unbound) {
                    let rest = (0..self.needs[schema].len()).filter(|&other| other != need).collect();
                    self.join(schema, binding, rest, fact)?;
                }
            }
        }
        Ok(())
    }

    /// What a fact says about parameters, if it is of the kind that is needed.
    fn matched(&self, schema: usize, need: usize, ground: &Ground, binding: &Binding) -> Option<Binding> {
        let atom = self.needs[schema][need];
        if atom.predicate != ground.predicate {
            return None;
        }
        let mut binding = binding.clone();
        for (term, &object) in atom.terms.iter().zip(&ground.objects) {
            match *term {
                Term::Object(own) if own == object => {}
                Term::Object(_) => return None,
                Term::Parameter(number) => {
                    let slot = &mut binding[number as usize];
                    if slot.is_some_and(|known| known != object) {
                        return None;
                    }
                    if slot.is_none()
                        && !self.task.is_of(object, &self.schemas[schema].parameters[number as usize])
                    {
                        return None;
                    }
                    *slot = Some(object);
                }
            }
        }
        Some(binding)
    }

    /// Finds facts, up to the newest one, for what is still needed. Depth is bounded by the length of a condition, so a stack of its own it is.
    fn join(&mut self, schema: usize, binding: Binding, rest: Vec<usize>, newest: u32) -> Result<(), Failed> {
        let mut open = vec![(binding, rest)];
        while let Some((binding, mut rest)) = open.pop() {
            self.tries += 1;
            if self.tries.is_multiple_of(4096) {
                self.look()?;
            }
            let narrow = rest
                .iter()
                .enumerate()
                .map(|(i, &need)| (self.candidates(schema, need, &binding).len(), i))
                .min();
            let Some((_, next)) = narrow else {
                self.complete(schema, binding, newest)?;
                continue;
            };
            let need = rest.swap_remove(next);
            let mut grown = Vec::new();
            for &fact in self.candidates(schema, need, &binding) {
                // Those after it will be met themselves.
                if fact > newest {
                    break;
                }
                if let Some(binding) =
                    self.matched(schema, need, &self.possible.list[fact as usize], &binding)
                {
                    grown.push((binding, rest.clone()));
                }
            }
            self.tries += grown.len() as u64;
            open.append(&mut grown);
        }
        Ok(())
    }

    /// Facts that may fit what is needed, ascending.
    fn candidates(&self, schema: usize, need: usize, binding: &Binding) -> &[u32] {
        let atom = self.needs[schema][need];
        let mut best: &[u32] = &self.possible.by_predicate[atom.predicate as usize];
        for (place, term) in atom.terms.iter().enumerate() {
            let object = match *term {
                Term::Object(object) => Some(object),
                Term::Parameter(number) => binding[number as usize],
            };
            let Some(object) = object else { continue };
            let key = (atom.predicate, place as u32, object);
            let own = self.possible.by_object.get(&key).map_or(&[][..], Vec::as_slice);
            if own.len() < best.len() {
                best = own;
            }
        }
        best
    }

    /// Puts in objects for the parameters that nothing says anything about.
    fn complete(&mut self, schema: usize, binding: Binding, _newest: u32) -> Result<(), Failed> {
        let mut open = vec![binding];
        while let Some(binding) = open.pop() {
            self.tries += 1;
            if self.tries.is_multiple_of(4096) {
                self.look()?;
            }
            let Some(free) = binding.iter().position(Option::is_none) else {
                let objects: Vec<u32> = binding.into_iter().flatten().collect();
                self.instance(schema, objects)?;
                continue;
            };
            let types = &self.schemas[schema].parameters[free];
            for object in
                (0..self.task.objects.len() as u32).rev().filter(|&object| self.task.is_of(object, types))
            {
                let mut with = binding.clone();
                with[free] = Some(object);
                open.push(with);
            }
        }
        Ok(())
    }

    fn look(&mut self) -> Result<(), Failed> {
        let progress =
            Progress { doing: "grounding actions", explored: self.found.len() as u64, ..Progress::default() };
        self.monitor.poll(&progress)?;
        if self.tries > MOST_TRIES || self.found.len() > MOST_ACTIONS {
            let message =
                format!("there are too many actions with objects to list them ({} so far)", self.found.len());
            return Err(Fault::new(FaultKind::TooLarge, message)
                .help("take an instance with fewer objects")
                .into());
        }
        Ok(())
    }

    fn instance(&mut self, schema: usize, objects: Vec<u32>) -> Result<(), Failed> {
        let about = self.schemas[schema];
        if !self.may_be(&about.condition, &objects) || !self.known.insert((schema, objects.clone())) {
            return Ok(());
        }
        if let Some(effect) = &about.effect {
            let mut all = Vec::new();
            self.adds(effect, &objects, &mut all);
            all.into_iter().for_each(|ground| self.possible.add(ground));
        }
        self.found.push(Instance { schema, objects });
        if self.found.len() > MOST_ACTIONS { self.look() } else { Ok(()) }
    }

    /// Whether a conjunction may hold, as far as equalities and what never changes tell.
    fn may_be(&self, condition: &Condition, objects: &[u32]) -> bool {
        match condition {
            Condition::Equal(a, b) => object(*a, objects) == object(*b, objects),
            Condition::Not(inner) => match &**inner {
                Condition::Equal(a, b) => object(*a, objects) != object(*b, objects),
                Condition::Atom(atom) if self.fixed[atom.predicate as usize] => {
                    self.possible.number(&put(atom, objects)).is_none()
                }
                _ => true,
            },
            Condition::And(all) => all.iter().all(|one| self.may_be(one, objects)),
            _ => true,
        }
    }

    fn adds(&self, effect: &Effect, objects: &[u32], into: &mut Vec<Ground>) {
        match effect {
            Effect::Literal(atom, true) => into.push(put(atom, objects)),
            Effect::Literal(_, false) => {}
            Effect::And(all) | Effect::OneOf(all) => all.iter().for_each(|one| self.adds(one, objects, into)),
            Effect::When(_, inner) => self.adds(inner, objects, into),
            Effect::Forall(from, types, inner) => {
                for with in choices(self.task, *from, types, objects) {
                    self.adds(inner, &with, into);
                }
            }
        }
    }
}

pub(super) fn object(term: Term, objects: &[u32]) -> u32 {
    match term {
        Term::Object(object) => object,
        Term::Parameter(number) => objects[number as usize],
    }
}

/// A predicate with objects in place of its parameters.
pub(super) fn put(atom: &Atom, objects: &[u32]) -> Ground {
    Ground {
        predicate: atom.predicate,
        objects: atom.terms.iter().map(|&term| object(term, objects)).collect(),
    }
}

/// The objects with every choice for further parameters.
pub(super) fn choices(task: &Task, from: u32, types: &[Vec<u32>], objects: &[u32]) -> Vec<Vec<u32>> {
    let mut all = vec![objects[..from as usize].to_vec()];
    for own in types {
        let fitting: Vec<u32> =
            (0..task.objects.len() as u32).filter(|&object| task.is_of(object, own)).collect();
        all = all
            .iter()
            .flat_map(|before| fitting.iter().map(move |&object| [&before[..], &[object]].concat()))
            .collect();
    }
    all
}
