//! Earlier moments as an observer sees them now: what it could not tell then, and can now.

use divulge::{
    Limit, Monitor, Progress,
    explain::{GivenAway, Recall},
    limit::Both,
    problem::{Label, Scope, Value, Vertex},
    verdict::QuestionError,
};
use serde::Serialize;

use crate::{
    observer::Posed,
    situation::brief,
    words::{asked_by, listed, sentence, standing},
};

/// An earlier moment of which a stipulation in hindsight does not hold any longer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Recalled {
    /// How many events had happened when it began.
    pub events: usize,
    /// The number of the event, from 1, that gave it away.
    pub since: usize,
    /// The stipulation.
    pub stipulation: usize,
    /// What gave it away, in a few words.
    pub short: String,
    /// What the observer thought then, and what it knows now.
    pub words: String,
}

/// For each stipulation, why it is broken now in hindsight, if it is.
type Broken = Vec<Option<String>>;

/// What the observer with this number makes of its earlier moments by now; and why stipulations in hindsight are broken now. Where that takes
/// too long, nothing is told.
pub(crate) fn recalled(
    posed: &Posed<'_>,
    number: usize,
    events: &[Label],
    monitor: &dyn Monitor,
) -> Result<(Vec<Recalled>, Broken), QuestionError> {
    let all = &posed.setting.observers()[number].stipulations;
    let looks_back = all.all().iter().any(|s| matches!(s.scope, Scope::Hindsight { .. }));
    let Some(tracked) = posed.tracked(number).filter(|_| looks_back) else {
        return Ok((Vec::new(), Vec::new()));
    };
    let brief = brief();
    let effort = Both(&brief, monitor);
    let map = posed.situation.map(number);
    let look = || -> Result<_, Limit> {
        let recall = Recall::new(tracked, map, events, &effort)?;
        let found = recall.given_away(all, &effort)?;
        Ok((recall, found))
    };
    let Ok((recall, found)) = look() else {
        // What was given from outside is a limit on everything.
        monitor.poll(&Progress::default())?;
        return Ok((Vec::new(), Vec::new()));
    };
    let starts = recall.moments().collect();
    let teller = Teller { posed, number, events, recall, starts };
    let mut broken = vec![None; all.all().len()];
    for given in found.iter().filter(|given| given.now) {
        broken[given.stipulation].get_or_insert_with(|| teller.why(given));
    }
    let mut rows: Vec<Recalled> =
        found.iter().filter(|given| given.since > given.moment).map(|given| teller.row(given)).collect();
    rows.sort_by_key(|row| (row.events, row.since));
    Ok((rows, broken))
}

struct Teller<'t, 'a> {
    posed: &'t Posed<'a>,
    number: usize,
    events: &'t [Label],
    recall: Recall<'t>,
    /// How many events had happened when each moment began.
    starts: Vec<usize>,
}

impl Teller<'_, '_> {
    /// Why a stipulation is broken now.
    fn why(&self, given: &GivenAway) -> String {
        if given.since == given.moment {
            let all = &self.posed.setting.observers()[self.number].stipulations;
            let (world, compiled) = (&self.posed.situation.problem.world, &all.all()[given.stipulation]);
            return standing(world, all, compiled, &given.estimate, false).why;
        }
        let of = match self.starts[given.moment] {
            0 => "the start".to_owned(),
            n => format!("event {n}"),
        };
        format!("Looking back at {of}: {}", self.words(given))
    }

    fn row(&self, given: &GivenAway) -> Recalled {
        let since = self.starts[given.since];
        Recalled {
            events: self.starts[given.moment],
            since,
            stipulation: given.stipulation,
            short: format!("given away by event {since} ({})", self.saw(since)),
            words: sentence(&self.words(given)),
        }
    }

    fn saw(&self, event: usize) -> &str {
        self.posed.situation.map(self.number).shown(self.events[event - 1])
    }

    /// What was thought at a moment, and what is known of it later, of the variables that stipulations speak of.
    fn words(&self, given: &GivenAway) -> String {
        let (then, later) = (self.recall.estimate(given.moment), &given.estimate);
        let since = self.starts[given.since];
        let gave = format!("event {since} (seen as {})", self.saw(since));
        let situation = self.posed.situation;
        let props = &situation.problem.world.props;
        let (mut thought, mut known) = (Vec::new(), Vec::new());
        for name in asked_by(&situation.problem, situation.observer(self.number)) {
            let Some(column) = props.column(name) else { continue };
            let held = |set: &[Vertex]| {
                let mut values: Vec<&Value> = set.iter().filter_map(|&v| column.get(v)).collect();
                values.sort_unstable();
                values.dedup();
                values.iter().map(ToString::to_string).collect::<Vec<String>>()
            };
            let (before, after) = (held(&then), held(later));
            if before != after {
                thought.push(format!("{name} could be {}", listed(&before, "or")));
                let was = if after.len() == 1 { "was" } else { "was one of" };
                known.push(format!("{name} {was} {}", listed(&after, "or")));
            }
        }
        if thought.is_empty() {
            return format!("{gave} gives away more than could be told then.");
        }
        let (thought, known) = (thought.join(" and that "), known.join(" and that "));
        format!("then it thought that {thought}; {gave} gives away that {known}.")
    }
}
