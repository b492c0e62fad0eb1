//! The sets of the game, each stored once, with what does not depend on the map: where each label leads, and which clauses are broken.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};

use crate::{
    problem::{Label, Scope},
    seek::self_divulged::usable::Usable,
    sets::{Order, SetId, SetStore},
};

/// Some of a set's parts, by their places.
pub type Few = SmallVec<[u32; 4]>;

/// The negative literals of a broken clause; nothing if no clause is broken.
type Broken = Option<Rc<[u32]>>;

/// What is known of one set.
#[derive(Clone, Debug, Default)]
struct Facts {
    parts: Option<Rc<[(Label, SetId)]>>,
    /// For going on, and for ending.
    broken: [Option<Broken>; 2],
}

/// Sets of vertices of the usable.
#[derive(Debug, Default)]
pub struct Table {
    sets: SetStore,
    facts: Vec<Facts>,
    joined: FxHashMap<(SetId, Few), SetId>,
    order: Order,
    /// By label, or class of labels, empty but while parts are made.
    by_label: Vec<Vec<u32>>,
    /// By label, false but while parts are made.
    met: Vec<bool>,
    /// Room for members of a set that may be new.
    kept: Vec<u32>,
}

impl Table {
    /// The id of a set with these members, ascending.
    pub fn intern(&mut self, members: &[u32]) -> SetId {
        let id = self.sets.intern(members);
        if id.index() == self.facts.len() {
            self.facts.push(Facts::default());
        }
        id
    }

    /// The members of a set, ascending.
    pub fn get(&self, id: SetId) -> &[u32] {
        self.sets.get(id)
    }

    /// How many sets there are.
    pub fn len(&self) -> usize {
        self.sets.len()
    }

    /// The members that satisfy `keep`.
    pub fn retain(&mut self, id: SetId, keep: impl Fn(u32) -> bool) -> SetId {
        let all = self.sets.get(id);
        let Some(first) = all.iter().position(|&v| !keep(v)) else { return id };
        let mut kept = std::mem::take(&mut self.kept);
        kept.extend_from_slice(&all[..first]);
        kept.extend(all[first + 1..].iter().copied().filter(|&v| keep(v)));
        self.intern_kept(kept)
    }

    /// The members for which `keep`, asked of each once and in order, says so.
    pub fn retain_in_order(&mut self, id: SetId, mut keep: impl FnMut(&Self, u32) -> bool) -> SetId {
        let mut kept = std::mem::take(&mut self.kept);
        kept.extend(self.sets.get(id).iter().copied().filter(|&v| keep(self, v)));
        self.intern_kept(kept)
    }

    fn intern_kept(&mut self, mut kept: Vec<u32>) -> SetId {
        let id = self.intern(&kept);
        kept.clear();
        self.kept = kept;
        id
    }

    /// Whether every member of one set is in the other.
    pub fn is_subset(&self, small: SetId, large: SetId) -> bool {
        if small == large {
            return true;
        }
        let (small, large) = (self.get(small), self.get(large));
        let mut rest = large.iter();
        small.len() < large.len() && small.iter().all(|v| rest.by_ref().any(|w| w == v))
    }

    /// Where each label leads from a set, by label.
    pub fn parts(&mut self, usable: &Usable<'_>, id: SetId) -> Rc<[(Label, SetId)]> {
        if let Some(parts) = &self.facts[id.index()].parts {
            return parts.clone();
        }
        let mut by_label = std::mem::take(&mut self.by_label);
        let mut labels: Vec<Label> = Vec::new();
        for &(label, to) in self.get(id).iter().flat_map(|&v| usable.arcs(v)) {
            if by_label.len() <= label.index() {
                by_label.resize_with(label.index() + 1, Vec::new);
            }
            if by_label[label.index()].is_empty() {
                labels.push(label);
            }
            by_label[label.index()].push(to);
        }
        labels.sort_unstable();
        let mut parts = Vec::with_capacity(labels.len());
        for label in labels {
            let post = &mut by_label[label.index()];
            self.order.sort(post);
            parts.push((label, self.intern(post)));
            post.clear();
        }
        self.by_label = by_label;
        let parts: Rc<[(Label, SetId)]> = parts.into();
        self.facts[id.index()].parts = Some(parts.clone());
        parts
    }

    /// Where the labels of each class lead together from a set, by its first label; `class` tells the least label of that of each label.
    pub fn classes(
        &mut self,
        usable: &Usable<'_>,
        id: SetId,
        class: &[u32],
    ) -> Vec<(SmallVec<[Label; 4]>, SetId)> {
        let (mut by_class, mut met) = (std::mem::take(&mut self.by_label), std::mem::take(&mut self.met));
        by_class.resize_with(class.len().max(by_class.len()), Vec::new);
        met.resize(class.len().max(met.len()), false);
        let mut labels: Vec<Label> = Vec::new();
        for &(label, to) in self.get(id).iter().flat_map(|&v| usable.arcs(v)) {
            if !std::mem::replace(&mut met[label.index()], true) {
                labels.push(label);
            }
            by_class[class[label.index()] as usize].push(to);
        }
        labels.sort_unstable();
        let mut found: Vec<(SmallVec<[Label; 4]>, SetId)> = Vec::new();
        for label in labels {
            met[label.index()] = false;
            let own = class[label.index()];
            match found.iter_mut().find(|(others, _)| class[others[0].index()] == own) {
                Some((others, _)) => others.push(label),
                None => {
                    let post = &mut by_class[own as usize];
                    self.order.sort(post);
                    found.push((smallvec![label], self.intern(post)));
                    post.clear();
                }
            }
        }
        (self.by_label, self.met) = (by_class, met);
        found
    }

    /// Where some of a set's parts lead together.
    pub fn join(&mut self, id: SetId, parts: Few) -> SetId {
        let key = (id, parts);
        if let Some(&known) = self.joined.get(&key) {
            return known;
        }
        let all = self.facts[id.index()].parts.as_ref().expect("parts are found before they are joined");
        let mut post: Vec<u32> =
            key.1.iter().flat_map(|&i| self.sets.get(all[i as usize].1)).copied().collect();
        self.order.sort(&mut post);
        let joined = self.intern(&post);
        self.joined.insert(key, joined);
        joined
    }

    /// The negative literals of a clause that the set's estimate breaks: an `always` clause, or an `end` clause if it is `ending`.
    pub fn broken(&mut self, usable: &Usable<'_>, id: SetId, ending: bool) -> Broken {
        let ending = ending && usable.has_end;
        if let Some(known) = &self.facts[id.index()].broken[usize::from(ending)] {
            return known.clone();
        }
        let mut signature = Vec::new();
        usable.estimate(self.get(id), &mut signature);
        let mut clause = usable.broken(Scope::Always, &signature);
        if clause.is_none() && ending {
            clause = usable.broken(Scope::End, &signature);
        }
        let broken: Broken = clause.map(|c| c.negative.into());
        self.facts[id.index()].broken[usize::from(ending)] = Some(broken.clone());
        broken
    }
}
