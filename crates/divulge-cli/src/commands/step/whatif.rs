//! What if: what an observer sees or knows, changed on the way.

use divulge::did_you_mean;
use divulge::{
    Monitor,
    problem::{Kind, Label},
};
use divulge_explore::{Situation, What, snapshot, verdict};
use divulge_render::words;

use super::{
    PROMPT, Walk,
    command::{Eyes, WhatIf},
    frame::clean,
    untold,
};

impl Walk {
    /// Changes something, and says what holds then.
    pub(super) fn change(&mut self, change: &WhatIf, monitor: &dyn Monitor) -> Result<String, String> {
        let mut what = self.what.clone();
        match change {
            WhatIf::Reset => what = What::default(),
            WhatIf::Seek => what.sought = true,
            WhatIf::Of(who, eyes) => {
                let (number, name) = self.whose(who.as_deref())?;
                let changed = what.observers.entry(name).or_default();
                match eyes {
                    Eyes::Knows(known) => changed.knows = Some(known.clone()),
                    Eyes::Merge(labels) => {
                        changed.alike = Some(self.regrouped(number, labels, true)?);
                        changed.unseen = Some(self.unseen(number, labels, false)?);
                    }
                    Eyes::Separate(labels) => {
                        changed.alike = Some(self.regrouped(number, labels, false)?);
                        changed.unseen = Some(self.unseen(number, labels, false)?);
                    }
                    Eyes::Hide(labels) => {
                        changed.alike = Some(self.regrouped(number, labels, false)?);
                        changed.unseen = Some(self.unseen(number, labels, true)?);
                    }
                }
            }
        }
        let situation = Situation::new(&self.given, &what, monitor)?;
        let verdict = verdict(&situation, monitor);
        let moment = snapshot(&situation, &self.trail[..self.at], monitor).map_err(untold)?;
        (self.what, self.situation, self.verdict) = (what, situation, verdict);
        // Another plan may not do what was done so far.
        if moment.events.len() < self.at {
            self.at = moment.events.len();
            self.trail.truncate(self.at);
        }
        let before = format!("{}\n{}", self.maps(), self.told());
        let frame = self.framed(&moment, self.screen.rows.saturating_sub(PROMPT + self.screen.rows / 3));
        let room = self.screen.rows.saturating_sub(frame.lines().count());
        let (before, rest) = self.split(&before, room);
        self.rest = rest;
        Ok(before + &frame)
    }

    /// The groups of look-alike labels with these merged, or each alone.
    fn regrouped(&self, observer: usize, labels: &[String], merge: bool) -> Result<Vec<Vec<String>>, String> {
        let problem = &self.situation.problem;
        let (alphabet, map) = (&problem.alphabet, self.situation.map(observer));
        let found = self.labels(labels)?;
        let kinds: Vec<Kind> = found.iter().map(|&label| alphabet.kind(label)).collect();
        if merge && kinds.iter().any(|kind| *kind != kinds[0]) {
            return Err(
                "an action and an observation never look alike, so merging them changes nothing".to_owned()
            );
        }
        let mut groups: Vec<Vec<String>> = Vec::new();
        for kind in [Kind::Action, Kind::Observation] {
            for image in 0..map.len() as u32 {
                let alike =
                    map.preimage(divulge::problem::Image(image)).filter(|&l| alphabet.kind(l) == kind);
                groups.push(alike.map(|l| alphabet.name(l).to_owned()).collect());
            }
        }
        if merge {
            let (hit, mut rest): (Vec<_>, Vec<_>) =
                groups.into_iter().partition(|group| group.iter().any(|name| labels.contains(name)));
            let of_kind = |name: &String| alphabet.get(name).is_some_and(|l| alphabet.kind(l) == kinds[0]);
            let mut joined: Vec<String> = hit.into_iter().flatten().filter(of_kind).collect();
            // What was not seen is in no group yet.
            joined.extend(labels.iter().filter(|name| !joined.contains(name)).cloned().collect::<Vec<_>>());
            rest.push(joined);
            return Ok(rest);
        }
        groups.iter_mut().for_each(|group| group.retain(|name| !labels.contains(name)));
        groups.extend(labels.iter().map(|name| vec![name.clone()]));
        Ok(groups)
    }

    fn labels(&self, names: &[String]) -> Result<Vec<Label>, String> {
        let alphabet = &self.situation.problem.alphabet;
        let find = |name: &String| {
            let hint =
                || did_you_mean(name, alphabet.names().iter()).map_or(String::new(), |h| format!(" ({h})"));
            alphabet.get(name).ok_or_else(|| format!("there is no event `{name}`{}", hint()))
        };
        names.iter().map(find).collect()
    }

    /// What an observer does not see at all, with these labels, or without them.
    fn unseen(&self, observer: usize, labels: &[String], with: bool) -> Result<Vec<String>, String> {
        let named = self.labels(labels)?;
        let map = self.situation.map(observer);
        let mut unseen: Vec<Label> = map.unseen().filter(|label| !named.contains(label)).collect();
        unseen.extend(named.iter().filter(|_| with));
        Ok(unseen.into_iter().map(|l| self.situation.problem.alphabet.name(l).to_owned()).collect())
    }

    /// The number of the observer that somebody speaks of, and what changes call it.
    fn whose(&self, who: Option<&str>) -> Result<(usize, String), String> {
        let problem = &self.situation.problem;
        let names: Vec<String> = (0..=problem.others.len()).map(|n| problem.observer_name(n)).collect();
        match who {
            None if names.len() == 1 => Ok((0, String::new())),
            None => Err(format!("several observers watch, so say whose eyes: w {} …", names.join(" …, w "))),
            Some(who) => {
                let number = names.iter().position(|name| name == who);
                let number = number.ok_or_else(|| {
                    let hint = did_you_mean(who, names.iter().map(String::as_str));
                    format!(
                        "there is no observer `{who}`{}",
                        hint.map_or(String::new(), |h| format!(" ({h})"))
                    )
                })?;
                Ok((number, if names.len() == 1 { String::new() } else { names[number].clone() }))
            }
        }
    }

    /// Everybody's maps.
    pub(super) fn maps(&self) -> String {
        let problem = &self.situation.problem;
        let each = (0..self.situation.observers()).map(|number| {
            let map = words::label_map(problem, self.situation.map(number), self.style());
            match problem.others.is_empty() {
                true => map,
                false => format!("{}\n{map}", self.look.strong(&clean(&problem.observer_name(number)))),
            }
        });
        each.collect::<Vec<_>>().join("\n")
    }
}
