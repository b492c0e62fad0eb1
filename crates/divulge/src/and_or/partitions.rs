//! The second tier of OR nodes: partial label maps, as partitions of the events at hand that agree with what is decided.

use crate::{maps::PartialMap, problem::Label};

/// Events by what they look like, and the map with that decided.
pub(super) type Partition = (Vec<Vec<Label>>, PartialMap);

/// All partitions of some events that agree with a map, one after the other, finer ones first.
pub(super) struct Partitions<'e> {
    events: &'e [Label],
    /// What is still to be followed, with how many events are placed.
    open: Vec<(usize, Partition)>,
}

impl<'e> Partitions<'e> {
    /// The partitions of these events, each of one kind.
    pub fn new(events: &'e [Label], map: PartialMap) -> Self {
        Self { events, open: vec![(0, (Vec::new(), map))] }
    }
}

impl Iterator for Partitions<'_> {
    type Item = Partition;

    fn next(&mut self) -> Option<Partition> {
        while let Some((placed, (groups, map))) = self.open.pop() {
            let Some(&event) = self.events.get(placed) else { return Some((groups, map)) };
            for (i, group) in groups.iter().enumerate() {
                // A conflict with what was decided before: this way is not open.
                if let Some(map) = map.with(event, group[0], true) {
                    let mut groups = groups.clone();
                    groups[i].push(event);
                    self.open.push((placed + 1, (groups, map)));
                }
            }
            let apart = groups.iter().try_fold(map, |map, group| map.with(event, group[0], false));
            if let Some(map) = apart {
                let mut groups = groups;
                groups.push(vec![event]);
                self.open.push((placed + 1, (groups, map)));
            }
        }
        None
    }
}
