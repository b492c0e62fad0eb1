//! A whole log, afterwards: where it left the plan or the world, what broke, and what each observer knew when.

mod broken;
mod images;
mod log;
mod told;

use divulge::{
    limit::Progress,
    problem::{Image, Label, Problem, Vertex},
    setting::Setting,
    verdict::QuestionError,
};

use crate::{guard::Guard, held::Held};
use broken::several;
pub use images::audit_images;
pub use log::{Log, read_log};
use told::Told;

/// How many events are followed between two looks at the monitor.
const POLL: usize = 256;

/// Something that a log shows to be wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// After how many events or images.
    pub after: usize,
    /// What is wrong; the event, where there was one.
    pub held: Held,
    /// The number of the observer that it is about, if it is about one.
    pub observer: Option<usize>,
    /// The number of the stipulation that broke, among that observer's.
    pub stipulation: Option<usize>,
}

/// What an observer knew at one time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Known {
    /// After how many events, or images where only those are known.
    pub after: usize,
    /// The last event, where it is known and has a name.
    pub label: Option<Label>,
    /// What the observer saw of it, if it saw anything.
    pub image: Option<Image>,
    /// What it held possible then: vertices of the world, ascending; `None` where nothing that it expects looks like this.
    pub estimate: Option<Vec<Vertex>>,
}

/// What a log shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Audit {
    /// How many events or images it has.
    pub events: usize,
    /// Whether it ends with the robot stopping.
    pub ended: bool,
    /// What is wrong, in order.
    pub findings: Vec<Finding>,
    /// For each observer that was followed, its number and what it knew: before the first event, then after each.
    pub observers: Vec<(usize, Vec<Known>)>,
}

/// What a log of events shows. Events without a name that is known are findings and otherwise skipped.
///
/// # Errors
/// As [`Guard::new`].
pub fn audit(setting: &Setting<'_>, names: &[String], ended: bool) -> Result<Audit, QuestionError> {
    let mut guard = Guard::new(setting)?;
    let problem = setting.problem();
    let everybody = || 0..problem.observers().count();
    let several = several(setting)?;
    let mut told = Told::new(setting, &guard, &several)?;
    let mut audit = Audit { events: names.len(), ended, findings: Vec::new(), observers: Vec::new() };
    audit.observers =
        everybody().map(|observer| (observer, vec![known(&guard, observer, 0, None)])).collect();
    audit.findings.extend(told.at_start(&guard));
    for (n, name) in names.iter().enumerate() {
        if n % POLL == 0 {
            let doing = "following the log";
            setting.poll(&Progress { doing, explored: n as u64, ..Progress::default() })?;
        }
        let after = n + 1;
        let label = problem.alphabet.get(name);
        match label {
            None => {
                let held = Held::unknown(problem, name);
                audit.findings.push(Finding { after, held, observer: None, stipulation: None });
            }
            Some(label) => {
                let foreseen = guard.foreseen();
                guard.advance(label);
                audit.findings.extend(told.after(&guard, after, label, &foreseen));
            }
        }
        for (observer, moments) in &mut audit.observers {
            moments.push(known(&guard, *observer, after, label));
        }
    }
    if ended {
        audit.findings.extend(told.at_end(&guard, names.len()));
    }
    Ok(audit)
}

fn known(guard: &Guard<'_>, observer: usize, after: usize, label: Option<Label>) -> Known {
    let image = label.and_then(|label| guard.image(observer, label));
    Known { after, label, image, estimate: guard.estimate(observer).map(|all| base(guard.problem(), all)) }
}

/// Vertices of the world that people named, ascending.
fn base(problem: &Problem, mut all: Vec<Vertex>) -> Vec<Vertex> {
    if problem.world.past.is_some() {
        all.iter_mut().for_each(|v| *v = problem.world.base_vertex(*v));
        all.sort_unstable();
        all.dedup();
    }
    all
}
