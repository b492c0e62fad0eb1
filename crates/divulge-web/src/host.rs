//! The page that runs this module: it has the clock, and knows how much memory there may be.

use divulge::limit::{Limit, Milestone, Monitor, Progress};

/// What the page supplies: calls that take numbers and give one.
#[cfg(target_arch = "wasm32")]
mod page {
    #[allow(unsafe_code)] // declared elsewhere, so nobody can look whether the types are the same
    #[link(wasm_import_module = "host")]
    unsafe extern "C" {
        /// How far it is: what is being done (a text in this module's memory), and counts. `adding` is 1 while something is only added to an
        /// answer that is known. The answer is 0 to go on, 1 if the time is over, 2 if the memory is used, 3 to stop.
        pub safe fn poll(
            adding: u32,
            doing: *const u8,
            length: usize,
            explored: f64,
            stored: f64,
            maps: f64,
            learnt: f64,
        ) -> u32;

        /// A plan was found (`events` in the worst case), or so many maps would do or would not; what is not said is -1.
        pub safe fn reached(events: f64, feasible: f64, infeasible: f64);
    }
}

/// Elsewhere there is no page, and the module is only compiled.
#[cfg(not(target_arch = "wasm32"))]
mod page {
    pub fn poll(_: u32, _: *const u8, _: usize, _: f64, _: f64, _: f64, _: f64) -> u32 {
        0
    }

    pub fn reached(_: f64, _: f64, _: f64) {}
}

use page::{poll, reached};

/// Keeps to what the page says.
pub struct Host {
    /// Whether what is done only adds to an answer.
    pub adding: bool,
}

impl Monitor for Host {
    fn poll(&self, progress: &Progress) -> Result<(), Limit> {
        let Progress { doing, explored, stored, maps, learnt, .. } = *progress;
        let [explored, stored, maps, learnt] = [explored, stored, maps, learnt].map(|count| count as f64);
        match poll(u32::from(self.adding), doing.as_ptr(), doing.len(), explored, stored, maps, learnt) {
            0 => Ok(()),
            1 => Err(Limit::Time),
            2 => Err(Limit::Memory),
            _ => Err(Limit::Interrupt),
        }
    }

    fn reached(&self, milestone: Milestone) {
        match milestone {
            Milestone::Found { events } if !self.adding => reached(events as f64, -1.0, -1.0),
            Milestone::Classified { feasible, infeasible } if !self.adding => {
                reached(-1.0, feasible as f64, infeasible as f64);
            }
            _ => {}
        }
    }
}
