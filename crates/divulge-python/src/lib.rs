//! The native half of the Python package `divulge`.
//!
//! Everything here speaks in numbers: vertices, labels and images are indices, and sequences of them are bytes of 32-bit
//! numbers. The Python half (`python/divulge`) gives them back the user's own states and labels. Nothing is decided here.

mod answer;
mod course;
mod crew;
mod error;
mod graph;
mod guard;
mod hindsight;
mod limits;
mod look;
mod observer;
mod pack;
mod problem;
mod question;
mod read;
mod show;
mod unknown;
mod watch;
mod worker;
mod world;

use divulge_host::store;
use pyo3::prelude::*;

/// The native half of `divulge`; what is in it may change without notice.
#[pymodule]
mod _divulge {
    use super::*;

    #[pymodule_export]
    use super::{
        answer::{Found, Frontier, Nothing, Violation},
        crew::{Hands, readable},
        guard::Guard,
        look::follow,
        observer::is_temporal,
        pack::{pack_answer, pack_world, unpack_answer, unpack_world},
        problem::Problem,
        question::{Holds, almost_surely, audit, check, info, search_name, seek_map, seek_maps, seek_plan},
        read::{did_you_mean, explain_code, load, loads, recognised, settable},
        show::{
            behavior_tree, draw_estimate, draw_frontier, draw_map, draw_plan, draw_plan_alone, draw_trace,
            draw_world, explore,
        },
        unknown::Unknown,
        watch::Watch,
        worker::{Worker, is_alive},
        world::World,
    };

    #[pymodule_init]
    fn init(m: &Bound<'_, PyModule>) -> PyResult<()> {
        // What a store is, as the program has it too.
        m.add("STORE", (store::APPLICATION, store::VERSION, store::TABLES, store::results()))?;
        m.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
