//! Reading actions and sensors: conditions and effects.

use super::{
    ast::{Atom, Condition, Effect, Schema, Term, Type},
    names::Reader,
    sexp::Sexp,
};
use crate::{FaultKind, Place};

/// The names of the parameters that are in sight, by number.
pub(super) type Sight<'s> = Vec<&'s str>;

impl Reader {
    /// `(:action name :parameters (…) :precondition … :effect … :observe …)`, and the like for sensors.
    pub(super) fn schema(&mut self, section: &Sexp, what: &str) -> Option<Schema> {
        let list = section.list()?;
        let Some(name) = list.get(1).and_then(Sexp::word) else {
            self.fault(
                FaultKind::Syntax,
                section.place(),
                format!("the {what} has no name"),
                "the name comes first, as in `(:action go :parameters …)`",
            );
            return None;
        };
        let (mut sight, mut parameters) = (Sight::new(), Vec::new());
        let parts = list.get(2..).unwrap_or(&[]);
        for pair in parts.chunks(2) {
            if let [key, Sexp::List(declared, _)] = pair
                && key.word() == Some(":parameters")
            {
                for (name, _, types) in self.typed(declared) {
                    sight.push(name);
                    parameters.push(types);
                }
            }
        }
        let mut schema = Schema {
            name: name.to_owned(),
            parameters,
            condition: Condition::True,
            effect: None,
            observe: None,
        };
        for pair in parts.chunks(2) {
            let [key, value] = pair else {
                let message = format!("`{}` has nothing after it", pair[0].word().unwrap_or("this list"));
                self.fault(
                    FaultKind::Syntax,
                    pair[0].place(),
                    message,
                    "a list of parameters, a condition or an effect must follow it",
                );
                continue;
            };
            match key.word() {
                Some(":parameters") => {}
                Some(":precondition" | ":condition") => {
                    // One mistake does not hide the next.
                    schema.condition = self.condition(value, &mut sight).unwrap_or(Condition::True);
                }
                Some(":effect") => schema.effect = self.effect(value, &mut sight),
                Some(":observe" | ":sense") => {
                    if value.head() == Some("probabilistic") {
                        let help = "a sensor tells whether something is so, without error";
                        let message = "sensing that errs with some probability has no counterpart";
                        self.fault(FaultKind::Unsupported, value.place(), message, help);
                        return None;
                    }
                    schema.observe = Some(self.condition(value, &mut sight).unwrap_or(Condition::True));
                }
                _ => {
                    let message = format!("this is no part of the {what} `{name}`");
                    let help = "an action has :parameters, :precondition, :effect and :observe; a sensor :parameters, :condition and :sense";
                    self.fault(FaultKind::Syntax, key.place(), message, help);
                }
            }
        }
        if what == "sensor" && schema.observe.is_none() {
            self.fault(
                FaultKind::Syntax,
                section.place(),
                format!("the sensor `{name}` senses nothing"),
                "add `:sense …`",
            );
        }
        Some(schema)
    }

    fn term(&mut self, sexp: &Sexp, sight: &Sight<'_>) -> Option<Term> {
        let Some(word) = sexp.word() else {
            self.fault(
                FaultKind::Unsupported,
                sexp.place(),
                "functions of objects are not read",
                "write a predicate for what they tell",
            );
            return None;
        };
        if word.starts_with('?') {
            // The innermost of its name counts.
            let Some(number) = sight.iter().rposition(|known| *known == word) else {
                let near = divulge::did_you_mean(word, sight.iter().copied());
                let message = format!("`{word}` is no parameter");
                let help = near.unwrap_or_else(|| "`:parameters` and quantifiers declare them".to_owned());
                self.fault(FaultKind::Name, sexp.place(), message, &help);
                return None;
            };
            return Some(Term::Parameter(number as u32));
        }
        self.object_number(word, sexp.place()).map(Term::Object)
    }

    fn atom(&mut self, sexp: &Sexp, sight: &Sight<'_>) -> Option<Atom> {
        let (Some(name), rest) = (sexp.head(), sexp.rest()) else {
            let template = sexp.word().is_some_and(|word| word.starts_with('<') && word.ends_with('>'));
            let help = if template {
                "this is a template: put a goal in its place, such as one of `hyps.dat`"
            } else {
                ""
            };
            self.fault(FaultKind::Syntax, sexp.place(), "expected a predicate such as `(at ?x)`", help);
            return None;
        };
        let predicate = self.predicate_number(name, rest.len(), sexp.place());
        let terms: Vec<Option<Term>> = rest.iter().map(|one| self.term(one, sight)).collect();
        let terms: Option<Vec<Term>> = terms.into_iter().collect();
        Some(Atom { predicate: predicate?, terms: terms? })
    }

    /// Parameters of a quantifier: how many were in sight before, and their types. They stay in sight until taken out.
    fn quantified<'s>(
        &mut self,
        rest: &'s [Sexp],
        place: Place,
        sight: &mut Sight<'s>,
    ) -> Option<(u32, Vec<Type>, &'s Sexp)> {
        let [Sexp::List(declared, _), inner] = rest else {
            self.fault(
                FaultKind::Syntax,
                place,
                "a quantifier has a list of parameters and what is said of them",
                "as in `(forall (?x - place) (lit ?x))`",
            );
            return None;
        };
        let from = sight.len() as u32;
        let mut types = Vec::new();
        for (name, _, own) in self.typed(declared) {
            sight.push(name);
            types.push(own);
        }
        Some((from, types, inner))
    }

    pub(super) fn condition<'s>(&mut self, sexp: &'s Sexp, sight: &mut Sight<'s>) -> Option<Condition> {
        let rest = sexp.rest();
        if sexp.list().is_some_and(<[Sexp]>::is_empty) {
            return Some(Condition::True);
        }
        Some(match sexp.head() {
            Some("and") => Condition::And(self.conditions(rest, sight)?),
            Some("or") => Condition::Or(self.conditions(rest, sight)?),
            Some("not") => match rest {
                [inner] => Condition::Not(Box::new(self.condition(inner, sight)?)),
                _ => {
                    self.fault(
                        FaultKind::Syntax,
                        sexp.place(),
                        "`not` takes one condition",
                        "as in `(not (lit ?x))`",
                    );
                    return None;
                }
            },
            Some("imply") => match rest {
                [first, second] => {
                    let first = Condition::Not(Box::new(self.condition(first, sight)?));
                    Condition::Or(vec![first, self.condition(second, sight)?])
                }
                _ => {
                    self.fault(
                        FaultKind::Syntax,
                        sexp.place(),
                        "`imply` takes two conditions",
                        "as in `(imply (at ?x) (lit ?x))`",
                    );
                    return None;
                }
            },
            Some("=") => match rest {
                [first, second] if first.word().is_some() => {
                    let first = self.term(first, sight);
                    Condition::Equal(first?, self.term(second, sight)?)
                }
                _ => {
                    self.fault(
                        FaultKind::Unsupported,
                        sexp.place(),
                        "numbers have no counterpart",
                        "`=` compares two objects",
                    );
                    return None;
                }
            },
            Some(word @ ("forall" | "exists")) => {
                let all = word == "forall";
                let before = sight.len();
                let (from, types, inner) = self.quantified(rest, sexp.place(), sight)?;
                let inner = self.condition(inner, sight).map(Box::new);
                sight.truncate(before);
                if all {
                    Condition::Forall(from, types, inner?)
                } else {
                    Condition::Exists(from, types, inner?)
                }
            }
            Some(word @ (">" | "<" | ">=" | "<=")) => {
                let message = format!("numbers have no counterpart: `{word}`");
                self.fault(
                    FaultKind::Unsupported,
                    sexp.place(),
                    message,
                    "write predicates for the values that matter",
                );
                return None;
            }
            _ => Condition::Atom(self.atom(sexp, sight)?),
        })
    }

    fn conditions<'s>(&mut self, list: &'s [Sexp], sight: &mut Sight<'s>) -> Option<Vec<Condition>> {
        let all: Vec<Option<Condition>> = list.iter().map(|one| self.condition(one, sight)).collect();
        all.into_iter().collect()
    }

    fn effect<'s>(&mut self, sexp: &'s Sexp, sight: &mut Sight<'s>) -> Option<Effect> {
        let rest = sexp.rest();
        if sexp.list().is_some_and(<[Sexp]>::is_empty) {
            return Some(Effect::And(Vec::new()));
        }
        Some(match sexp.head() {
            Some("and") => Effect::And(self.effects(rest, sight)?),
            Some("oneof") => Effect::OneOf(self.effects(rest, sight)?),
            Some("not") => match rest {
                [inner] => Effect::Literal(self.atom(inner, sight)?, false),
                _ => {
                    self.fault(
                        FaultKind::Syntax,
                        sexp.place(),
                        "`not` takes one predicate",
                        "as in `(not (lit ?x))`",
                    );
                    return None;
                }
            },
            Some("when") => match rest {
                [condition, effect] => {
                    let condition = self.condition(condition, sight);
                    Effect::When(condition?, Box::new(self.effect(effect, sight)?))
                }
                _ => {
                    self.fault(
                        FaultKind::Syntax,
                        sexp.place(),
                        "`when` takes a condition and an effect",
                        "as in `(when (at ?x) (lit ?x))`",
                    );
                    return None;
                }
            },
            Some("forall") => {
                let before = sight.len();
                let (from, types, inner) = self.quantified(rest, sexp.place(), sight)?;
                let inner = self.effect(inner, sight).map(Box::new);
                sight.truncate(before);
                Effect::Forall(from, types, inner?)
            }
            Some("increase" | "decrease" | "assign") => Effect::And(Vec::new()),
            Some("probabilistic") => {
                let help = "write `(oneof …)` for what can happen";
                self.fault(
                    FaultKind::Unsupported,
                    sexp.place(),
                    "probabilities of effects are not read",
                    help,
                );
                return None;
            }
            _ => Effect::Literal(self.atom(sexp, sight)?, true),
        })
    }

    fn effects<'s>(&mut self, list: &'s [Sexp], sight: &mut Sight<'s>) -> Option<Vec<Effect>> {
        let all: Vec<Option<Effect>> = list.iter().map(|one| self.effect(one, sight)).collect();
        all.into_iter().collect()
    }
}
