//! Why there is no map: what cannot be had together, found by leaving out one thing after another.

use crate::{
    check::unsolved,
    explain::no_plan::{Clausal, parts, stipulating, unsolvable},
    maps::{Helpers, MapOptions, seek_one},
    problem::{Label, MapConstraints, Observer},
    seek::SeekOptions,
    setting::Setting,
    verdict::{Demand, MapConflict, NoMap, QuestionError},
};

/// How many changed problems are looked at.
const SEEKS: usize = 500;

/// Explains why under no map the setting's plan, or any plan if it has none, would do. If the monitor stops it, what is
/// known by then is said.
///
/// # Errors
/// As [`seek_one`], except that a limit is no error once it is known what kind of reason there is.
pub fn why_no_map(setting: &Setting<'_>, options: &SeekOptions) -> Result<NoMap, QuestionError> {
    match setting.plan() {
        None => {
            if let Some(stuck) = unsolvable(setting)? {
                return Ok(NoMap::Unsolvable(stuck));
            }
        }
        Some(plan) => {
            if let Some(violation) = unsolved(setting, plan)? {
                return Ok(NoMap::PlanFails(violation));
            }
        }
    }
    let mut items: Vec<Item> = parts(setting).into_iter().map(Item::Part).collect();
    let demanded = demands(&setting.observer().constraints).into_iter();
    items.extend(demanded.map(|(n, demand)| Item::Demand(n, demand)));
    let options = MapOptions { plan: *options, ..MapOptions::default() };
    let mut inquiry = Inquiry { setting, options, items, seeks: 0 };
    if !inquiry.feasible(&[])? {
        return Ok(NoMap::NotAdmitted);
    }
    Ok(NoMap::Conflict(inquiry.conflict()))
}

/// Something that may be left out.
enum Item {
    Part(Clausal),
    /// A demand and the group that it was stated in.
    Demand(usize, Demand),
}

impl Item {
    /// What is tried first without: a whole stipulation, or all that one constraint says.
    fn group(&self) -> (bool, usize, usize) {
        match self {
            Item::Part(clausal) => (true, clausal.part.observer, clausal.part.stipulation),
            Item::Demand(group, _) => (false, 0, *group),
        }
    }
}

/// The constraints one by one, each with the number of the group that it belongs to.
fn demands(constraints: &MapConstraints) -> Vec<(usize, Demand)> {
    let MapConstraints { merge, separate, fixed, max_images, min_images, .. } = constraints;
    let mut demands = Vec::new();
    let mut group = 0;
    let lists = [(merge, Demand::Merge as fn(Label, Label) -> Demand), (separate, Demand::Separate)];
    for (labels, demand) in lists.into_iter().flat_map(|(list, demand)| list.iter().map(move |l| (l, demand)))
    {
        for (i, &b) in labels.iter().enumerate() {
            demands.extend(labels[..i].iter().map(|&a| (group, demand(a, b))));
        }
        group += 1;
    }
    demands.extend(fixed.iter().map(|(label, image)| (group, Demand::Fixed(*label, image.clone()))));
    demands.extend(max_images.map(|most| (group + 1, Demand::MaxImages(most))));
    demands.extend(min_images.map(|least| (group + 2, Demand::MinImages(least))));
    demands
}

/// The effort allowed is spent.
struct Spent;

struct Inquiry<'a, 'p> {
    setting: &'a Setting<'p>,
    options: MapOptions,
    items: Vec<Item>,
    seeks: usize,
}

impl Inquiry<'_, '_> {
    /// Everybody with these items alone.
    fn with(&self, kept: &[usize]) -> Vec<Observer> {
        // What is unseen whatever the map is no demand on it.
        let unseen = self.setting.observer().constraints.unseen.clone();
        let mut constraints = MapConstraints { unseen, ..MapConstraints::default() };
        let mut parts = Vec::new();
        for &i in kept {
            match &self.items[i] {
                Item::Part(clausal) => parts.push(clausal),
                Item::Demand(_, Demand::Merge(a, b)) => constraints.merge.push(vec![*a, *b]),
                Item::Demand(_, Demand::Separate(a, b)) => constraints.separate.push(vec![*a, *b]),
                Item::Demand(_, Demand::Fixed(l, image)) => constraints.fixed.push((*l, image.clone())),
                Item::Demand(_, Demand::MaxImages(most)) => constraints.max_images = Some(*most),
                Item::Demand(_, Demand::MinImages(least)) => constraints.min_images = Some(*least),
            }
        }
        let mut observers = stipulating(self.setting, parts.into_iter());
        observers[self.setting.focus()].constraints = constraints;
        observers
    }

    /// Whether some map will do if these items alone count.
    fn feasible(&self, kept: &[usize]) -> Result<bool, QuestionError> {
        let changed = self.setting.observed_by_all(self.with(kept))?;
        Ok(seek_one(&changed, &self.options, Helpers::default())?.is_some())
    }

    fn conflict(&mut self) -> MapConflict {
        let mut kept: Vec<usize> = (0..self.items.len()).collect();
        let minimal = self.shrink(&mut kept).is_ok();
        let mut conflict = MapConflict { minimal, ..MapConflict::default() };
        for i in kept {
            match &self.items[i] {
                Item::Part(clausal) => conflict.parts.push(clausal.part.clone()),
                Item::Demand(_, demand) => conflict.demands.push(demand.clone()),
            }
        }
        conflict
    }

    /// Leaves out what is not needed: all demands, all stipulations, whole groups, then one thing at a time.
    fn shrink(&mut self, kept: &mut Vec<usize>) -> Result<(), Spent> {
        for stipulated in [false, true] {
            self.without(kept, |_, item| item.group().0 == stipulated)?;
        }
        let mut groups: Vec<(bool, usize, usize)> = kept.iter().map(|&i| self.items[i].group()).collect();
        groups.dedup();
        for group in groups.into_iter().rev() {
            self.without(kept, |_, item| item.group() == group)?;
        }
        for single in kept.clone().into_iter().rev() {
            self.without(kept, |i, _| i == single)?;
        }
        Ok(())
    }

    /// Drops these items if the others are in conflict without them.
    fn without(
        &mut self,
        kept: &mut Vec<usize>,
        dropped: impl Fn(usize, &Item) -> bool,
    ) -> Result<(), Spent> {
        let rest: Vec<usize> = kept.iter().copied().filter(|&i| !dropped(i, &self.items[i])).collect();
        if rest.len() == kept.len() || rest.is_empty() {
            // With nothing left some map will do: that was asked at the start.
            return Ok(());
        }
        self.seeks += 1;
        if self.seeks > SEEKS {
            return Err(Spent);
        }
        match self.feasible(&rest) {
            Ok(true) => Ok(()),
            Ok(false) => {
                *kept = rest;
                Ok(())
            }
            Err(_) => Err(Spent),
        }
    }
}
