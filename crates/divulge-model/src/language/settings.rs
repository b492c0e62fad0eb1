//! Whether constants can be set as somebody wants them to be, told before any world is worked out: for those who ask about many values.

use super::include::Loader;
use super::reading::{Depth, read};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use divulge::limit::Unlimited;
use rustc_hash::FxHashSet;

/// What is wrong with a model, or with values that are to be set in it, whatever the numbers are: its words, names and kinds. `points` are the
/// combinations of values, each as [`load`](super::load) takes them.
///
/// What is wrong only because of how large a number is, such as an empty range, is not told: another number may do.
pub fn misset<'p>(
    name: &str,
    text: &str,
    loader: &dyn Loader,
    points: impl IntoIterator<Item = &'p [(String, String)]>,
) -> Option<Diagnostics> {
    let mut met = FxHashSet::default();
    points.into_iter().find_map(|point| {
        let mut news = false;
        for (name, value) in point {
            news |= met.insert((name.as_str(), kind(value)));
        }
        if !news {
            return None;
        }
        let found = read(name, text, loader, point, Depth::Text, &Unlimited).diagnostics;
        let whatever = |one: &Diagnostic| {
            let set = one.span.is_some_and(|span| found.source(span.source).name == "--set");
            one.severity() == crate::diagnostic::Severity::Warning || set || whatever_the_numbers(one.code)
        };
        (found.has_errors() && found.iter().all(whatever)).then_some(found)
    })
}

/// What values have in common that are right or wrong together, whatever they are: all numbers, both truth values. Words are looked at one by one.
fn kind(value: &str) -> &str {
    let value = value.trim();
    match value {
        "true" | "false" => "true",
        _ if value.parse::<i64>().is_ok() => "0",
        _ => value,
    }
}

/// Mistakes that no other number would mend.
fn whatever_the_numbers(code: Code) -> bool {
    use Code::{
        BadEscape, BadInclude, BadNumber, CyclicDefinition, CyclicInclude, DefinedTwice, ForeignSign,
        NotConstant, ReservedWord, TemporalWord, TypeMismatch, Unclosed, UnclosedText, Unexpected,
        UnknownCharacter, UnknownItem, UnknownName, UnknownParameter, UnknownReference, WrongArguments,
    };
    matches!(
        code,
        UnknownCharacter
            | UnclosedText
            | BadEscape
            | ForeignSign
            | BadNumber
            | Unexpected
            | Unclosed
            | UnknownItem
            | ReservedWord
            | TemporalWord
            | UnknownName
            | DefinedTwice
            | CyclicDefinition
            | UnknownParameter
            | BadInclude
            | CyclicInclude
            | UnknownReference
            | WrongArguments
            | TypeMismatch
            | NotConstant
    )
}
