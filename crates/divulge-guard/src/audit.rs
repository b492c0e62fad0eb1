//! A whole log, afterwards: where it left the plan or the world, what broke, and what each observer knew when.

use divulge::{
    limit::Progress,
    problem::{Image, Label, PGraph, Problem, Vertex},
    setting::Setting,
    verdict::QuestionError,
};

use crate::{
    guard::Guard,
    held::{Held, Reason},
    lines::{self, Line},
    table::Refusal,
};

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

/// Which of the things that can only go wrong once have.
struct Gone {
    plan: bool,
    world: bool,
    minds: Vec<bool>,
    broken: Vec<Vec<bool>>,
}

/// What a log of events shows. Events without a name that is known are findings and otherwise skipped.
///
/// # Errors
/// As [`Guard::new`].
pub fn audit(setting: &Setting<'_>, names: &[String], ended: bool) -> Result<Audit, QuestionError> {
    let mut guard = Guard::new(setting)?;
    let problem = setting.problem();
    let everybody = || 0..problem.observers().count();
    let mut gone = Gone {
        plan: false,
        world: false,
        minds: everybody().map(|_| false).collect(),
        broken: problem.observers().map(|observer| vec![false; observer.stipulations.len()]).collect(),
    };
    let mut audit = Audit { events: names.len(), ended, findings: Vec::new(), observers: Vec::new() };
    audit.observers =
        everybody().map(|observer| (observer, vec![known(&guard, observer, 0, None)])).collect();
    gone.look(&guard, 0, None, &mut audit.findings);
    for (n, name) in names.iter().enumerate() {
        if n % POLL == 0 {
            setting.poll(&Progress {
                doing: "following the log",
                explored: n as u64,
                ..Progress::default()
            })?;
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
                gone.look(&guard, after, Some((label, foreseen)), &mut audit.findings);
            }
        }
        for (observer, moments) in &mut audit.observers {
            moments.push(known(&guard, *observer, after, label));
        }
    }
    if let Some(refusal) = guard.end_refusal().filter(|_| ended) {
        let (observer, stipulation) = whose(refusal);
        // What broke on the way is told already.
        let told = match (observer, stipulation) {
            (Some(observer), Some(stipulation)) => gone.broken[observer][stipulation],
            (Some(observer), None) => gone.minds[observer],
            _ => gone.plan,
        };
        if !told {
            let held = Held::refused(problem, None, refusal, &[]);
            audit.findings.push(Finding { after: names.len(), held, observer, stipulation });
        }
    }
    Ok(audit)
}

fn whose(refusal: Refusal) -> (Option<usize>, Option<usize>) {
    match refusal {
        Refusal::Broken { observer, stipulation } => (Some(observer as usize), Some(stipulation as usize)),
        Refusal::Outside { observer } => (Some(observer as usize), None),
        _ => (None, None),
    }
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

impl Gone {
    /// What has gone wrong now that had not before.
    fn look(
        &mut self,
        guard: &Guard<'_>,
        after: usize,
        event: Option<(Label, Vec<Label>)>,
        findings: &mut Vec<Finding>,
    ) {
        let (label, foreseen) = event.map_or((None, Vec::new()), |(label, foreseen)| (Some(label), foreseen));
        let mut find = |refusal: Refusal| {
            let (observer, stipulation) = whose(refusal);
            let held = Held::refused(guard.problem(), label, refusal, &foreseen);
            let held = match label {
                None => {
                    Held { message: held.message.replace("the end would break", "the start breaks"), ..held }
                }
                Some(_) => Held { message: held.message.replace(" would break ", " breaks "), ..held },
            };
            findings.push(Finding { after, held, observer, stipulation });
        };
        if !guard.is_on_plan() && !std::mem::replace(&mut self.plan, true) {
            find(Refusal::Unforeseen);
        }
        if !guard.is_in_world() && !std::mem::replace(&mut self.world, true) {
            find(Refusal::Impossible);
        }
        for observer in 0..self.minds.len() {
            let Some(refusal) = guard.broken_of(observer) else { continue };
            let known = match refusal {
                Refusal::Broken { stipulation, .. } => &mut self.broken[observer][stipulation as usize],
                _ => &mut self.minds[observer],
            };
            if !std::mem::replace(known, true) {
                find(refusal);
            }
        }
    }
}

/// What a log of images shows, all that one observer saw: whether anything that the plan does looks like that, and what it knew.
///
/// # Errors
/// As [`Guard::new`].
pub fn audit_images(
    setting: &Setting<'_>,
    observer: usize,
    names: &[String],
) -> Result<Audit, QuestionError> {
    let map = setting.observers()[observer].observer.map.as_ref().ok_or(QuestionError::NeedsMap)?;
    let problem = setting.problem();
    let graph = &setting.joint()?.graph;
    let mut tracker = setting.tracker_of(observer, map)?;
    let mut state = tracker.as_ref().map(|tracker| tracker.initial());
    let unseen = |label| map.image(label).is_none();
    let mut pairs = closed(graph, graph.initial().to_vec(), unseen);
    let mut audit = Audit {
        events: names.len(),
        ended: false,
        findings: Vec::new(),
        observers: vec![(observer, Vec::new())],
    };
    let mut broken = vec![false; problem.observers().nth(observer).map_or(0, |o| o.stipulations.len())];
    let (mut lost, mut left) = (false, false);
    for after in 0..=names.len() {
        if after % POLL == 0 {
            let doing = "following the log";
            setting.poll(&Progress { doing, explored: after as u64, ..Progress::default() })?;
        }
        let name = after.checked_sub(1).map(|n| names[n].as_str());
        let image = name.and_then(|name| map.get(name));
        let mut find = |reason, message: String, stipulation| {
            let held = Held { event: name.map(str::to_owned), reason, message };
            audit.findings.push(Finding { after, held, observer: Some(observer), stipulation });
        };
        if let Some(name) = name {
            match image {
                None => find(Reason::UnknownEvent, format!("nothing looks like `{name}`"), None),
                Some(image) => {
                    let next = pairs.iter().flat_map(|&pair| graph.arcs(pair));
                    let next = next.filter(|arc| map.image(arc.label) == Some(image)).map(|arc| arc.to);
                    pairs = closed(graph, next.collect(), unseen);
                    state =
                        tracker.as_mut().zip(state).and_then(|(tracker, at)| tracker.step(at, Some(image)));
                    if pairs.is_empty() && !std::mem::replace(&mut left, true) {
                        find(
                            Reason::UnforeseenEvent,
                            format!("nothing that the plan does here looks like `{name}`"),
                            None,
                        );
                    }
                }
            }
        }
        match (&tracker, state) {
            (Some(tracker), Some(state)) => {
                if let Some(number) = tracker.broken(state, false)
                    && !std::mem::replace(&mut broken[number], true)
                {
                    let (refusal, label) =
                        (Refusal::Broken { observer: observer as u32, stipulation: number as u32 }, None);
                    let message = Held::refused(problem, label, refusal, &[]).message;
                    let what = name.map_or("the start".to_owned(), |name| format!("`{name}`"));
                    find(
                        Reason::Stipulation,
                        message.replace("the end would break", &format!("{what} breaks")),
                        Some(number),
                    );
                }
            }
            _ if std::mem::replace(&mut lost, true) => {}
            _ => find(
                Reason::OutsideDivulged,
                format!("what {} expects never looks like this", problem.called(observer)),
                None,
            ),
        }
        let estimate =
            tracker.as_ref().zip(state).map(|(tracker, state)| base(problem, tracker.estimate(state)));
        audit.observers[0].1.push(Known { after, label: None, image, estimate });
    }
    Ok(audit)
}

/// With all that unseen events lead to.
fn closed(graph: &PGraph, mut from: Vec<Vertex>, unseen: impl Fn(Label) -> bool) -> Vec<Vertex> {
    from.sort_unstable();
    from.dedup();
    let mut met: rustc_hash::FxHashSet<Vertex> = from.iter().copied().collect();
    let mut at = 0;
    while let Some(&v) = from.get(at) {
        let next = graph.arcs(v).iter().filter(|arc| unseen(arc.label)).map(|arc| arc.to);
        from.extend(next.filter(|to| met.insert(*to)));
        at += 1;
    }
    from
}

/// The events or images of a log: a JSON object on each line as the guard takes or gives them, or names, on lines of their own or
/// separated by commas. Also whether it says that the robot stopped.
///
/// # Errors
/// The number of the line that cannot be read, and why.
pub fn read_log(text: &str, images: bool) -> Result<(Vec<String>, bool), (usize, String)> {
    let (mut names, mut ended) = (Vec::new(), false);
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        if line.is_empty() {
            continue;
        }
        if ended {
            return Err((number, "something follows the line that says that the robot stopped".to_owned()));
        }
        if line.starts_with('{') && images {
            names.extend(lines::read_shown(line).map_err(|e| (number, e.to_string()))?);
        } else if line.starts_with('{') {
            match lines::read(line.as_bytes()).map_err(|e| (number, e.to_string()))? {
                Line::Event(name) => names.push(name.into_owned()),
                Line::Heartbeat => {}
                Line::End => ended = true,
            }
        } else {
            for name in line.split(',').map(str::trim) {
                if name.is_empty() {
                    return Err((number, "there is a comma, and no name beside it".to_owned()));
                }
                names.push(name.to_owned());
            }
        }
    }
    Ok((names, ended))
}
