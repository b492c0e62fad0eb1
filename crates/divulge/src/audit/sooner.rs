//! Whether anything is broken in hindsight sooner than what was found.
//!
//! *Background.* When the demands of strings of some length were first compared with beliefs, that was with the beliefs of one length; and nothing that those before them meet in hindsight
//! shows in those after them. So beliefs near the start remain to be compared with all that may be seen after them. Strings that are long come after few beliefs, and there may be
//! many of them. So they, too, are met halfway: what is left of a belief is followed through the first images, in parts: what must be ruled out
//! by the end, and of each set that is to be met what must not be. The sets of strings are those of the remaining images.

use crate::{
    audit::{
        demands::Demands,
        forward::Forward,
        looking_back::{Asked, LookingBack},
        reversed::Reversed,
        search,
    },
    limit::{Limit, Monitor, Progress},
    observer::{StateId, Successors, Tracker},
    problem::{Image, Kind, PGraph, Vertex},
    sets::Members,
};

/// How many beliefs, or parts of them, are looked at between two looks at the monitor.
const POLL: usize = 256;

/// What some images leave of the parts of a belief.
struct Parts {
    images: Vec<Image>,
    /// What must be ruled out, then what must not be: lists of vertices.
    sets: Vec<Vec<u32>>,
}

impl Parts {
    /// The parts of a belief, as far as something that is asked is about them.
    fn of(belief: Members<'_>, asked: &Asked, reversed: &Reversed) -> Self {
        let (first, words) = (reversed.words(Kind::Action), reversed.words_of_kind(asked.kind));
        let mut sets = vec![Vec::new(); asked.words.len() / words.max(1)];
        belief.for_each(|v| {
            let (kind, place) = (reversed.kind(Vertex(v)), reversed.place(Vertex(v)));
            let Some(place) = place.filter(|_| asked.kind.is_none_or(|own| own == kind)) else { return };
            let start = if asked.kind.is_none() && kind == Kind::Observation { first } else { 0 };
            let word = |set: usize| asked.words[set * words + start + place as usize / 64];
            for (i, set) in sets.iter_mut().enumerate() {
                if (word(i) >> (place % 64) & 1 == 1) == (i > 0) {
                    set.push(v);
                }
            }
        });
        Self { images: Vec::new(), sets }
    }

    /// Whether all must be ruled out.
    fn are_hopeless(&self) -> bool {
        self.sets.iter().skip(1).any(Vec::is_empty)
    }

    /// What they become by one more image, as far as something is left.
    fn follow(&self, graph: &PGraph, successors: &mut Successors, all: &mut Vec<Self>) {
        let first = all.len();
        for (i, set) in self.sets.iter().enumerate().rev() {
            let mut closed = set.clone();
            successors.close(&mut closed);
            successors.compute(graph, Members::List(&closed));
            for (image, members) in successors.found() {
                let known = all[first..].iter().position(|parts| parts.images.last() == Some(&image));
                let at = known.map_or(all.len(), |known| first + known);
                if at == all.len() {
                    let images = self.images.iter().copied().chain([image]).collect();
                    all.push(Self { images, sets: vec![Vec::new(); self.sets.len()] });
                }
                members.for_each(|v| all[at].sets[i].push(v));
            }
        }
        let mut at = first;
        while at < all.len() {
            if all[at].are_hopeless() {
                all.swap_remove(at);
            } else {
                at += 1;
            }
        }
        all[first..].sort_by(|a, b| a.images.cmp(&b.images));
    }

    /// The first of some sets that rules out what must be, and not what must not be.
    fn given_away(
        &self,
        reversed: &Reversed,
        back: &LookingBack,
        mut sets: std::ops::Range<u32>,
    ) -> Option<u32> {
        let parts: Vec<Vec<u64>> =
            self.sets.iter().map(|set| reversed.words_of(Members::List(set))).collect();
        sets.find(|&set| {
            let meets = |part: &[u64]| part.iter().zip(back.set(set, None)).any(|(own, set)| own & set != 0);
            !meets(&parts[0]) && parts[1..].iter().all(|part| meets(part))
        })
    }
}

impl Forward {
    /// What breaks a clause in hindsight after the fewest images, if that is fewer than `known`, which was found last.
    pub fn sooner(
        &self,
        tracker: &Tracker<'_>,
        demands: &mut Demands,
        asked: search::Asked<'_>,
        mut known: Vec<Image>,
        monitor: &dyn Monitor,
    ) -> Result<Vec<Image>, Limit> {
        let Demands { reversed, back: Some(back), .. } = demands else { return Ok(known) };
        let (graph, images) = (&asked.tracked.graph, asked.map.len());
        let mut successors = Successors::new(graph, asked.map.images(), images);
        let (mut length, mut later, mut looked_at) = (1, 1, 0);
        while later < known.len() {
            // So many beliefs were not compared with these, or may be near enough to the start.
            let beliefs = self.levels.get(later - 1).copied().unwrap_or(self.len());
            let near = self.lengths.get(known.len() - later).copied().unwrap_or(self.len());
            let beliefs = beliefs.min(near);
            let parts = |rest: usize| beliefs.saturating_mul(images.saturating_pow(rest as u32));
            while length < later && parts(later - length) > back.of_length(reversed, length).len() * images {
                length += 1;
            }
            let sets = back.of_length(reversed, length);
            if sets.is_empty() {
                // Longer strings have the sets of shorter ones.
                break;
            }
            for number in 0..beliefs {
                let state = StateId(number as u32);
                let mut parts: Vec<Parts> = back
                    .asked(later as u32)
                    .map(|asked| Parts::of(tracker.members(state), asked, reversed))
                    .filter(|parts| !parts.are_hopeless())
                    .collect();
                for _ in length..later {
                    let mut next = Vec::new();
                    parts.iter().for_each(|parts| parts.follow(graph, &mut successors, &mut next));
                    parts = next;
                }
                if looked_at == 0 || (looked_at + 1 + parts.len()) / POLL > looked_at / POLL {
                    let (doing, explored) = ("looking back", looked_at as u64);
                    let stored = (self.len() + back.len()) as u64;
                    monitor.poll(&Progress { doing, explored, stored, ..Progress::default() })?;
                }
                looked_at += 1 + parts.len();
                let mut found = parts.iter().filter_map(|parts| {
                    Some((&parts.images, parts.given_away(reversed, back, sets.clone())?))
                });
                if let Some((first, set)) = found.next() {
                    let mut images = self.images(state);
                    images.extend(first.iter().copied().chain(back.string(set)));
                    known = if images.len() < known.len() { images } else { known };
                    break;
                }
            }
            later += 1;
        }
        Ok(known)
    }
}
