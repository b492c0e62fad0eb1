//! PDDL: classical problems, with `oneof` (FOND), and with sensing (`:observe` of actions, and passive `:sensor`s).
//!
//! # Background
//! States are listed, so problems must be small enough for that. An action is possible where its precondition holds, and a plan takes it only
//! where it is sure to. Where effects are uncertain and nothing is said about sensing, the robot observes how they turn out; where there is sensing, it observes
//! what it senses and nothing else; where the start is uncertain and nothing is sensed, it observes nothing.
//!
//! # Practical
//! `sexp.rs` reads lists, `names.rs` and `schema.rs` resolve them into `ast.rs`; `ground.rs` finds which actions are ever possible, `task.rs`
//! numbers the facts that change, `init.rs` lists the starts, `explore.rs` the states; `describe.rs` makes the [`Machine`].

mod ast;
mod describe;
mod explore;
mod ground;
mod init;
mod names;
mod schema;
mod sexp;
mod task;

use divulge::limit::Monitor;

use self::{names::Reader, sexp::Sexp, task::Bits};
use crate::{Failed, Fault, FaultKind, Faults, Machine};

/// Reads a problem and its domain, each `(define …)`, in either order or both in one text, and explores it.
///
/// # Errors
/// All that is wrong with them, or the limit that was hit.
pub fn read(text: &str, second: Option<&str>, monitor: &dyn Monitor) -> Result<Machine, Failed> {
    let mut faults = Faults::new();
    let mut all = sexp::lists(text, 0, &mut faults);
    if let Some(second) = second {
        all.extend(sexp::lists(second, 1, &mut faults));
    }
    if !faults.is_empty() {
        return Err(faults.into_list().into());
    }
    let (domain, problem) = parts(&all)?;
    let mut reader = Reader::new(faults);
    reader.task.name = named(problem, "problem").unwrap_or("problem").to_owned();
    let wanted = problem.iter().find(|section| section.head() == Some(":domain"));
    let wanted = wanted.and_then(|section| section.list()?.get(1)?.word());
    let given = named(domain, "domain");
    let place = problem.iter().find(|section| section.head() == Some(":domain")).map(Sexp::place);
    reader.everything(&domain[2..], &problem[2..]);
    let other = wanted.zip(given).filter(|(wanted, given)| wanted != given).map(|(wanted, given)| {
        format!("the problem is for the domain `{wanted}`, and the domain that is given is called `{given}`")
    });
    let Reader { mut task, faults, .. } = reader;
    if !faults.is_empty() {
        let mut all = faults.into_list();
        // That explains whatever else does not fit.
        if let (Some(other), Some(place)) = (other, place) {
            let fault = Fault::new(FaultKind::Name, other).at(place, "this domain");
            all.insert(0, fault.help("give the file of that domain: --domain FILE"));
        }
        return Err(all.into());
    }
    task.notes.extend(other);
    let grounded = ground::ground(&task, monitor)?;
    let bits = Bits::new(&task, &grounded);
    let starts = init::starts(&bits)?;
    let explored = explore::explore(&bits, &starts, monitor)?;
    Ok(describe::machine(&bits, explored))
}

/// The lists of words of a text, with their places; lists within lists are left out.
pub(crate) fn lists(text: &str, faults: &mut Faults) -> Vec<(Vec<String>, crate::Place)> {
    let words =
        |one: &Sexp| one.list().unwrap_or(&[]).iter().filter_map(Sexp::word).map(str::to_owned).collect();
    sexp::lists(text, 0, faults).iter().map(|one| (words(one), one.place())).collect()
}

fn named<'s>(define: &'s [Sexp], what: &str) -> Option<&'s str> {
    let name = define.get(1)?;
    (name.head() == Some(what)).then(|| name.list()?.get(1)?.word()).flatten()
}

/// The lists of the domain and of the problem.
fn parts(all: &[Sexp]) -> Result<(&[Sexp], &[Sexp]), Fault> {
    let find = |what: &str| {
        all.iter()
            .filter(|one| one.head() == Some("define"))
            .filter_map(Sexp::list)
            .find(|list| list.get(1).is_some_and(|name| name.head() == Some(what)))
    };
    let place = all.first().map(Sexp::place);
    let placed = |fault: Fault| match place {
        Some(place) => fault.at(crate::Place { end: place.start + 1, ..place }, ""),
        None => fault,
    };
    let mut problems =
        all.iter().filter(|one| one.list().is_some_and(|list| named(list, "problem").is_some()));
    if let Some(second) = problems.nth(1) {
        let fault = Fault::new(FaultKind::Syntax, "there are several problems");
        return Err(fault.at(second.place(), "another one").help("keep one of them"));
    }
    match (find("domain"), find("problem")) {
        (Some(domain), Some(problem)) => Ok((domain, problem)),
        (None, Some(_)) => {
            Err(placed(Fault::new(FaultKind::Syntax, "the domain of this problem is missing"))
                .help("give its file: --domain domain.pddl"))
        }
        (Some(_), None) => {
            Err(placed(Fault::new(FaultKind::Syntax, "this is a domain, and the problem is missing"))
                .help("give the problem's file first, and this one as --domain"))
        }
        (None, None) => {
            Err(placed(Fault::new(FaultKind::Syntax, "this is neither a domain nor a problem in PDDL"))
                .help("PDDL is `(define (domain …) …)` and `(define (problem …) …)`"))
        }
    }
}
