//! Lists in parentheses.

use crate::{Fault, FaultKind, Faults, Place};

/// Lists may be nested so deeply.
const DEEPEST: usize = 200;

/// A word, in small letters, or a list.
#[derive(Clone, Debug)]
pub(super) enum Sexp {
    Word(String, Place),
    List(Vec<Sexp>, Place),
}

impl Sexp {
    pub fn place(&self) -> Place {
        match self {
            Sexp::Word(_, place) | Sexp::List(_, place) => *place,
        }
    }

    pub fn word(&self) -> Option<&str> {
        match self {
            Sexp::Word(word, _) => Some(word),
            Sexp::List(..) => None,
        }
    }

    pub fn list(&self) -> Option<&[Sexp]> {
        match self {
            Sexp::List(list, _) => Some(list),
            Sexp::Word(..) => None,
        }
    }

    /// What follows the first part of a list.
    pub fn rest(&self) -> &[Sexp] {
        self.list().and_then(|list| list.get(1..)).unwrap_or(&[])
    }

    /// The first word of a list.
    pub fn head(&self) -> Option<&str> {
        self.list()?.first()?.word()
    }
}

/// All lists of a text. PDDL does not tell small letters from capitals.
pub(super) fn lists(text: &str, number: usize, faults: &mut Faults) -> Vec<Sexp> {
    let mut open: Vec<(Vec<Sexp>, usize)> = Vec::new();
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let place = |len: usize| Place { text: number, start: at, end: at + len };
        let mut len = c.len_utf8();
        match c {
            ';' => len = rest.find('\n').unwrap_or(rest.len()),
            c if c.is_whitespace() || c == '\u{feff}' => {}
            '(' => {
                if open.len() == DEEPEST {
                    let fault = Fault::new(
                        FaultKind::TooLarge,
                        format!("lists are nested more than {DEEPEST} levels deep"),
                    );
                    faults.push(fault.at(place(1), "").help("take some of it apart"));
                    return Vec::new();
                }
                open.push((Vec::new(), at));
            }
            ')' => match open.pop() {
                Some((list, start)) => {
                    let list = Sexp::List(list, Place { text: number, start, end: at + 1 });
                    match open.last_mut() {
                        Some((outer, _)) => outer.push(list),
                        None => found.push(list),
                    }
                }
                None => {
                    let fault = Fault::new(FaultKind::Syntax, "this closes a list that was not opened");
                    faults.push(fault.at(place(1), "").help("leave it out, or add `(` before"));
                    return found;
                }
            },
            _ => {
                len = rest
                    .find(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | ';'))
                    .unwrap_or(rest.len());
                let word = Sexp::Word(rest[..len].to_lowercase(), place(len));
                match open.last_mut() {
                    Some((outer, _)) => outer.push(word),
                    None => {
                        let fault = Fault::new(
                            FaultKind::Syntax,
                            format!("`{}` stands outside of any list", &rest[..len]),
                        );
                        faults.push(
                            fault
                                .at(place(len), "")
                                .help("PDDL is `(define (domain …) …)` or `(define (problem …) …)`"),
                        );
                        return found;
                    }
                }
            }
        }
        at += len;
    }
    if let Some((_, start)) = open.first() {
        let place = Place { text: number, start: *start, end: start + 1 };
        let fault = Fault::new(FaultKind::Syntax, "this list is not closed");
        faults.push(fault.at(place, "it starts here").help("add `)`; the file may be cut off"));
    }
    found
}
