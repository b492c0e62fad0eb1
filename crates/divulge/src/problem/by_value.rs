//! The vertices of a column by their values, for those who ask for one value of many after the other.

use std::sync::OnceLock;

use crate::sets::BitSet;

/// Vertices are listed by their values if no more than one value in so many is asked for.
const ONE_IN: usize = 8;

/// Which vertices have which code, once somebody has asked. It says nothing that the codes do not, so it is equal to any other.
#[derive(Clone, Debug, Default)]
pub(super) struct ByValue(OnceLock<Lists>);

/// The vertices in the order of their codes, and where those of each code end.
#[derive(Clone, Debug)]
struct Lists {
    ends: Vec<u32>,
    vertices: Vec<u32>,
}

impl PartialEq for ByValue {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for ByValue {}

impl ByValue {
    /// Forgets what was found, because the codes change.
    pub fn forget(&mut self) {
        self.0.take();
    }

    /// The vertices below `n` that have one of some codes, if these are few of all there are: there is a flag for each, from 1 on.
    pub fn mask(&self, codes: &[u32], n: usize, wanted: &[bool]) -> Option<BitSet> {
        let count = wanted.iter().filter(|&&wanted| wanted).count();
        if count == 0 || count * ONE_IN > wanted.len() || codes.len() > n {
            return None;
        }
        let Lists { ends, vertices } = self.0.get_or_init(|| Lists::new(codes));
        let mut set = BitSet::new(n);
        for (places, _) in ends.windows(2).zip(wanted).filter(|(_, wanted)| **wanted) {
            let own = &vertices[places[0] as usize..places[1] as usize];
            own.iter().for_each(|&v| _ = set.insert(v as usize));
        }
        Some(set)
    }
}

impl Lists {
    fn new(codes: &[u32]) -> Self {
        let most = codes.iter().max().map_or(0, |&most| most as usize);
        let mut ends = vec![0_u32; most + 1];
        codes.iter().for_each(|&code| ends[code as usize] += 1);
        let mut sum = 0;
        for end in &mut ends {
            (*end, sum) = (sum, sum + *end);
        }
        let mut vertices = vec![0; codes.len()];
        for (v, &code) in (0..).zip(codes) {
            let end = &mut ends[code as usize];
            vertices[*end as usize] = v;
            *end += 1;
        }
        Self { ends, vertices }
    }
}
