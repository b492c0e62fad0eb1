//! A stipulation about the moments of a run, moment by moment: how it stands, and what it failed by.

use crate::{
    explain::replay::{Replay, Standing},
    formula::{Atom, Formula, Logic, Run, RunStanding},
    setting::Setting,
};

/// A stipulation about the moments of a run, moment by moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunTold {
    /// What it speaks of: formulas of one estimate, all different.
    pub atoms: Vec<Atom>,
    /// The moments of the observer.
    pub moments: Vec<RunMoment>,
    /// Where it failed, if it did.
    pub failed: Option<RunFailed>,
}

/// One moment of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunMoment {
    /// How many events have happened when it begins.
    pub events: usize,
    /// Which of the atoms hold.
    pub holds: Vec<bool>,
    /// How the run stands then.
    pub standing: RunStanding,
    /// The same as one of four.
    pub state: RunState,
}

/// How a run stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunState {
    /// Whatever follows, it holds.
    Satisfied,
    /// It holds if the run ends now, and may still fail.
    Kept,
    /// It does not hold if the run ends now, and may still come to.
    Owed,
    /// Nothing that follows can make it hold; or the run ends now, and it does not.
    Broken,
}

/// Where a run failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunFailed {
    /// The number of the moment.
    pub moment: usize,
    /// The atoms by number, any one of which would have kept it from failing then, had it alone been otherwise.
    pub atoms: Vec<usize>,
    /// Whether it failed because the run ended there.
    pub at_end: bool,
}

impl RunTold {
    /// How a formula stands along moments: of each, how many events have happened when it begins, and which atoms of the run hold. `ends`
    /// says whether the run may end at the last.
    pub fn new(formula: &Formula, run: &Run, moments: Vec<(usize, Vec<bool>)>, ends: bool) -> Self {
        let truths: Vec<Vec<bool>> = moments.iter().map(|(_, holds)| holds.clone()).collect();
        let standings = run.standings(&truths);
        // It is satisfied for good if its opposite is broken for good.
        let opposite = Run::new(&Logic::Not(Box::new(formula.clone())));
        let of = |atom: &Atom| run.atoms().iter().position(|own| own == atom).unwrap_or(0);
        let turned = |holds: &Vec<bool>| opposite.atoms().iter().map(|atom| holds[of(atom)]).collect();
        let against = opposite.standings(&truths.iter().map(turned).collect::<Vec<Vec<bool>>>());
        let failed = failure(run, &truths, &standings, ends);
        let all = moments.len();
        let each = moments.into_iter().zip(standings.into_iter().zip(against)).enumerate();
        let moments = each.map(|(n, ((events, holds), (standing, against)))| {
            let state = match (standing.can_be_mended, standing.may_end) {
                (false, _) => RunState::Broken,
                (true, false) if ends && n + 1 == all => RunState::Broken,
                (true, false) => RunState::Owed,
                (true, true) if !against.can_be_mended => RunState::Satisfied,
                (true, true) => RunState::Kept,
            };
            RunMoment { events, holds, standing, state }
        });
        Self { atoms: run.atoms().to_vec(), moments: moments.collect(), failed }
    }

    /// A stipulation along a replayed execution; nothing if it is not about a run, or if the observer did not expect the execution.
    pub(super) fn of(setting: &Setting<'_>, stipulation: usize, replay: &Replay) -> Option<Self> {
        let (all, compiled) = (setting.stipulations(), setting.stipulations().all().get(stipulation)?);
        let mut moments = Vec::new();
        for (events, moment) in replay.moments.iter().enumerate() {
            let (estimate, Standing::Run(_)) =
                (moment.estimate.as_ref()?, moment.stipulations.get(stipulation)?)
            else {
                return None;
            };
            if moment.event.is_none_or(|(_, image)| image.is_some()) {
                moments.push((events, compiled.run_atoms(&all.signature_of(estimate.iter().copied()))?));
            }
        }
        let formula = &setting.observer().stipulations.get(stipulation)?.formula;
        Some(Self::new(formula, compiled.run()?, moments, replay.last().terminates))
    }
}

/// Where the run failed, and which atoms alone would have kept it from that.
fn failure(run: &Run, truths: &[Vec<bool>], standings: &[RunStanding], ends: bool) -> Option<RunFailed> {
    let hopeless = standings.iter().position(|standing| !standing.can_be_mended);
    let unfinished = || standings.last().filter(|last| ends && !last.may_end).map(|_| standings.len() - 1);
    let moment = hopeless.or_else(unfinished)?;
    let at_end = hopeless.is_none();
    let kept = |atom: &usize| {
        let mut otherwise = truths[..=moment].to_vec();
        otherwise[moment][*atom] = !otherwise[moment][*atom];
        let last = run.standings(&otherwise).pop();
        last.is_some_and(|last| if at_end { last.may_end } else { last.can_be_mended })
    };
    Some(RunFailed { moment, atoms: (0..run.atoms().len()).filter(kept).collect(), at_end })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str, moments: &[&[u8]], ends: bool) -> RunTold {
        let formula: Formula = text.parse().expect("a formula");
        let truths = moments.iter().map(|m| m.iter().map(|&b| b == 1).collect());
        RunTold::new(&formula, &Run::new(&formula), (0..).zip(truths).collect(), ends)
    }

    fn states(told: &RunTold) -> Vec<RunState> {
        told.moments.iter().map(|m| m.state).collect()
    }

    #[test]
    fn what_is_owed_is_satisfied_or_broken_in_the_end() {
        use RunState::{Broken, Kept, Owed, Satisfied};
        let eventually = told("eventually knows(a)", &[&[0], &[0], &[1], &[0]], true);
        assert_eq!(states(&eventually), [Owed, Owed, Satisfied, Satisfied]);
        assert_eq!(eventually.failed, None);
        let never = told("eventually knows(a)", &[&[0], &[0]], true);
        assert_eq!(states(&never), [Owed, Broken]);
        assert_eq!(never.failed, Some(RunFailed { moment: 1, atoms: vec![0], at_end: true }));
        let unless = told("!possible(b) unless knows(a)", &[&[0, 0], &[1, 0], &[0, 1]], false);
        assert_eq!(states(&unless), [Kept, Broken, Broken]);
        // Either would have been enough.
        assert_eq!(unless.failed, Some(RunFailed { moment: 1, atoms: vec![0, 1], at_end: false }));
        let kept = told("!possible(b) unless knows(a)", &[&[0, 0], &[0, 1], &[1, 0]], true);
        assert_eq!(states(&kept), [Kept, Satisfied, Satisfied]);
        assert_eq!(states(&told("always !knows(a)", &[&[0], &[1]], false)), [Kept, Broken]);
        // Where two atoms would have to be otherwise, none alone is named.
        let both = told("always !(possible(a) | possible(b))", &[&[1, 1]], false);
        assert_eq!(both.failed, Some(RunFailed { moment: 0, atoms: vec![], at_end: false }));
    }
}
