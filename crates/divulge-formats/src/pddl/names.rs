//! Reading domain and problem: sections, types, objects, predicates.

use super::{
    ast::{Fact, Facts, Ground, Task, Type},
    sexp::Sexp,
};
use crate::{Fault, FaultKind, Faults, Place, text::listed};

pub(super) struct Reader {
    pub task: Task,
    pub faults: Faults,
    costs: bool,
    /// Types that are used and were not declared before.
    undeclared: Vec<u32>,
}

impl Reader {
    pub fn new(faults: Faults) -> Self {
        let task = Task { types: vec![("object".to_owned(), Vec::new())], ..Task::default() };
        Self { task, faults, costs: false, undeclared: Vec::new() }
    }

    pub fn fault(&mut self, kind: FaultKind, place: Place, message: impl Into<String>, help: &str) {
        let help = (!help.is_empty()).then(|| help.to_owned());
        self.faults.push(Fault::new(kind, message).at(place, "").help_opt(help));
    }

    /// Reads the domain, then the problem.
    pub fn everything(&mut self, domain: &[Sexp], problem: &[Sexp]) {
        for section in domain.iter().filter(|section| section.head() == Some(":types")) {
            self.types(section.rest());
        }
        self.undeclared.clear();
        for section in domain.iter().filter(|section| section.head() == Some(":constants")) {
            self.objects(section.rest());
        }
        for section in problem.iter().filter(|section| section.head() == Some(":objects")) {
            self.objects(section.rest());
        }
        for object in 0..self.task.objects.len() {
            self.task.objects[object].1 = self.task.with_above(&self.task.objects[object].1);
        }
        for section in domain.iter().filter(|section| section.head() == Some(":predicates")) {
            section.rest().iter().for_each(|one| self.predicate(one));
        }
        for section in domain {
            self.domain_section(section);
        }
        for section in problem {
            self.problem_section(section);
        }
        if self.task.goal.is_none() && self.faults.is_empty() {
            self.faults
                .push(Fault::new(FaultKind::Syntax, "the problem has no goal").help("add `(:goal …)`"));
        }
        self.nobody();
        if self.costs {
            self.task.notes.push("costs and rewards are dropped: every action counts as one".to_owned());
        }
    }

    /// A type that is not declared and that nothing has is most likely misspelt.
    fn nobody(&mut self) {
        for &number in &self.undeclared {
            if self.task.objects.iter().all(|(_, types)| !types.contains(&number)) {
                let name = &self.task.types[number as usize].0;
                let known = self.task.types.iter().map(|(known, _)| known.as_str());
                let near = divulge::did_you_mean(name, known.filter(|known| known != name));
                let near = near.map_or_else(String::new, |near| format!(" ({near})"));
                let note = format!("the type `{name}` is not declared, and no object is of it{near}");
                self.task.notes.push(note);
            }
        }
    }

    fn domain_section(&mut self, section: &Sexp) {
        let place = section.place();
        match section.head() {
            Some(":types" | ":constants" | ":predicates" | ":requirements" | "domain") => {}
            Some(":functions") => self.costs = true,
            Some(":action") => {
                if let Some(schema) = self.schema(section, "action") {
                    self.task.actions.push(schema);
                }
            }
            Some(":sensor") => {
                if let Some(schema) = self.schema(section, "sensor") {
                    self.task.sensors.push(schema);
                }
            }
            Some(":derived" | ":axiom") => {
                self.fault(
                    FaultKind::Unsupported,
                    place,
                    "derived predicates are not read",
                    "write what they mean in their place",
                );
            }
            Some(":durative-action") => {
                self.fault(
                    FaultKind::Unsupported,
                    place,
                    "actions that take time have no counterpart",
                    "write an action that happens at once",
                );
            }
            Some(other) => {
                let message = format!("`{other}` is no part of a domain that is read");
                self.fault(
                    FaultKind::Unsupported,
                    place,
                    message,
                    "`:types`, `:constants`, `:predicates`, `:action` and `:sensor` are",
                );
            }
            None => self.fault(
                FaultKind::Syntax,
                place,
                "a part of a domain starts with a word such as `:action`",
                "put the word first in the list",
            ),
        }
    }

    fn problem_section(&mut self, section: &Sexp) {
        let place = section.place();
        let rest = section.rest();
        match section.head() {
            Some(":domain" | ":objects" | ":requirements" | "problem" | ":metric" | ":length") => {}
            Some(":goal-reward" | ":goal-probability") => self.costs = true,
            Some(":init") => rest.iter().for_each(|fact| self.init(fact)),
            Some(":goal") => match rest {
                [goal] => self.task.goal = self.condition(goal, &mut Vec::new()),
                _ => self.fault(
                    FaultKind::Syntax,
                    place,
                    "`:goal` takes one condition",
                    "join several by `(and …)`",
                ),
            },
            Some(":hidden") => {
                let note = "`:hidden`, the state of a simulation, is dropped: a plan must do for all that is possible";
                if self.task.notes.iter().all(|known| known != note) {
                    self.task.notes.push(note.to_owned());
                }
            }
            Some(other) => {
                let message = format!("`{other}` is no part of a problem that is read");
                self.fault(FaultKind::Unsupported, place, message, "`:objects`, `:init` and `:goal` are");
            }
            None => self.fault(
                FaultKind::Syntax,
                place,
                "a part of a problem starts with a word such as `:init`",
                "put the word first in the list",
            ),
        }
    }

    /// `a b - t c`: words with the type that follows them, and where each stands.
    pub fn typed<'s>(&mut self, list: &'s [Sexp]) -> Vec<(&'s str, Place, Type)> {
        let mut found: Vec<(&str, Place, Type)> = Vec::new();
        let mut from = 0;
        let mut at = 0;
        while at < list.len() {
            match list[at].word() {
                Some("-") => {
                    let types = match list.get(at + 1) {
                        Some(one) => self.type_of(one),
                        None => {
                            self.fault(
                                FaultKind::Syntax,
                                list[at].place(),
                                "a type must follow `-`",
                                "as in `?x - place`",
                            );
                            vec![0]
                        }
                    };
                    found[from..].iter_mut().for_each(|(.., own)| own.clone_from(&types));
                    at += 1;
                    from = found.len();
                }
                Some(word) => found.push((word, list[at].place(), vec![0])),
                None => self.fault(
                    FaultKind::Syntax,
                    list[at].place(),
                    "expected a name, found a list",
                    "names and types stand here, as in `?x ?y - place`",
                ),
            }
            at += 1;
        }
        found
    }

    fn type_of(&mut self, sexp: &Sexp) -> Type {
        match sexp {
            Sexp::Word(word, _) => vec![self.type_number(word)],
            Sexp::List(list, _) if sexp.head() == Some("either") => {
                let words: Vec<String> =
                    list[1..].iter().filter_map(|one| one.word().map(str::to_owned)).collect();
                words.iter().map(|word| self.type_number(word)).collect()
            }
            Sexp::List(_, place) => {
                self.fault(
                    FaultKind::Syntax,
                    *place,
                    "expected a type",
                    "a type is a name, or `(either a b)`",
                );
                vec![0]
            }
        }
    }

    /// The number of a type; one that is not declared is there all the same, as many files rely on.
    fn type_number(&mut self, name: &str) -> u32 {
        let known = self.task.types.iter().position(|(known, _)| known == name);
        known.unwrap_or_else(|| {
            self.task.types.push((name.to_owned(), Vec::new()));
            self.undeclared.push(self.task.types.len() as u32 - 1);
            self.task.types.len() - 1
        }) as u32
    }

    fn types(&mut self, list: &[Sexp]) {
        let declared = self.typed(list);
        for (name, place, above) in declared {
            let number = self.type_number(name);
            if number == 0 {
                continue;
            }
            if above.contains(&number) {
                self.fault(
                    FaultKind::Value,
                    place,
                    format!("the type `{name}` is its own type"),
                    "`object` is above all types",
                );
                continue;
            }
            self.task.types[number as usize].1.extend(above);
        }
    }

    fn objects(&mut self, list: &[Sexp]) {
        for (name, _, types) in self.typed(list) {
            match self.task.objects.iter_mut().find(|(known, _)| known == name) {
                // Constants may be listed again in the problem.
                Some(known) if known.1 == types || types.contains(&0) => {}
                Some(known) => known.1 = types,
                None => self.task.objects.push((name.to_owned(), types)),
            }
        }
    }

    fn predicate(&mut self, sexp: &Sexp) {
        let Some((Some(name), rest)) =
            sexp.list().and_then(|list| list.split_first()).map(|(h, r)| (h.word(), r))
        else {
            let help = "a predicate is `(at ?x - place)`";
            return self.fault(FaultKind::Syntax, sexp.place(), "expected a predicate", help);
        };
        let arity = self.typed(rest).len();
        if self.task.predicates.iter().any(|(known, _)| known == name) {
            return self.fault(
                FaultKind::Name,
                sexp.place(),
                format!("there are two predicates called `{name}`"),
                "rename one of them",
            );
        }
        self.task.predicates.push((name.to_owned(), arity));
    }

    /// The number of a predicate that is given so many terms.
    pub fn predicate_number(&mut self, name: &str, terms: usize, place: Place) -> Option<u32> {
        let found = self.task.predicates.iter().position(|(known, _)| known == name);
        match found {
            Some(number) if self.task.predicates[number].1 == terms => Some(number as u32),
            Some(number) => {
                let takes = self.task.predicates[number].1;
                self.fault(
                    FaultKind::Value,
                    place,
                    format!("`{name}` takes {takes} terms, not {terms}"),
                    "`:predicates` says how many",
                );
                None
            }
            None => {
                let near =
                    divulge::did_you_mean(name, self.task.predicates.iter().map(|(name, _)| name.as_str()));
                let help = near.unwrap_or_else(|| "`:predicates` declares them".to_owned());
                self.fault(FaultKind::Name, place, format!("there is no predicate `{name}`"), &help);
                None
            }
        }
    }

    pub fn object_number(&mut self, name: &str, place: Place) -> Option<u32> {
        let found = self.task.objects.iter().position(|(known, _)| known == name);
        if found.is_none() {
            let near = divulge::did_you_mean(name, self.task.objects.iter().map(|(name, _)| name.as_str()));
            let some = || {
                format!("the objects are {}", listed(self.task.objects.iter().map(|(name, _)| name.as_str())))
            };
            let help = near.unwrap_or_else(some);
            self.fault(FaultKind::Name, place, format!("there is no object `{name}`"), &help);
        }
        found.map(|number| number as u32)
    }

    /// A literal about objects.
    fn literal(&mut self, sexp: &Sexp) -> Option<(Ground, bool)> {
        if let (Some("not"), Some([_, inner])) = (sexp.head(), sexp.list()) {
            return self.literal(inner).map(|(ground, is)| (ground, !is));
        }
        // `(and x)` is x.
        if let (Some("and"), Some([_, inner])) = (sexp.head(), sexp.list()) {
            return self.literal(inner);
        }
        let (Some(name), rest) = (sexp.head(), sexp.rest()) else {
            self.fault(
                FaultKind::Syntax,
                sexp.place(),
                "expected a fact such as `(at home)`",
                "put it in parentheses, after the name of a predicate",
            );
            return None;
        };
        let predicate = self.predicate_number(name, rest.len(), sexp.place());
        let objects: Vec<Option<u32>> = rest
            .iter()
            .map(|one| match one.word() {
                Some(word) => self.object_number(word, one.place()),
                None => {
                    self.fault(
                        FaultKind::Syntax,
                        one.place(),
                        "expected an object, found a list",
                        "a fact is a predicate with objects, as in `(at home)`",
                    );
                    None
                }
            })
            .collect();
        let objects: Option<Box<[u32]>> = objects.into_iter().collect();
        Some((Ground { predicate: predicate?, objects: objects? }, true))
    }

    /// A literal, or several joined by `and`.
    fn literals(&mut self, sexp: &Sexp) -> Option<Facts> {
        if sexp.head() != Some("and") {
            return self.literal(sexp).map(|one| vec![one]);
        }
        let all: Vec<_> = sexp.rest().iter().map(|one| self.literals(one)).collect();
        all.into_iter().collect::<Option<Vec<Facts>>>().map(|all| all.concat())
    }

    fn init(&mut self, fact: &Sexp) {
        if self.faults.is_full() {
            return;
        }
        let rest = fact.rest();
        match fact.head() {
            Some("and") => rest.iter().for_each(|one| self.init(one)),
            Some("=") => self.costs = true,
            Some("oneof" | "invariant") => {
                let all: Vec<_> = rest.iter().filter_map(|one| self.literals(one)).collect();
                self.task.uncertain.push(Fact::OneOf(all));
            }
            Some("or") => {
                let all: Vec<_> = rest.iter().filter_map(|one| self.literals(one)).collect();
                self.task.uncertain.push(Fact::Or(all));
            }
            Some("unknown") => {
                for one in rest {
                    if let Some((ground, _)) = self.literal(one) {
                        self.task.uncertain.push(Fact::Unknown(ground));
                    }
                }
            }
            Some("probabilistic") => {
                let help = "write `(oneof …)` for what is possible";
                self.fault(
                    FaultKind::Unsupported,
                    fact.place(),
                    "probabilities of the start are not read",
                    help,
                );
            }
            _ => {
                if let Some(literal) = self.literal(fact) {
                    self.task.init.push(literal);
                }
            }
        }
    }
}
