//! Answers that a limit cut short: what was found by then.

use std::sync::Arc;

use divulge::{
    limit::Limit,
    verdict::{Classified, FoundMap, SoFar},
};
use divulge_render::{
    json::{self, limit_word},
    words::{self, Style},
};
use pyo3::prelude::*;

use crate::answer::{Asked, Found, text};

/// That a limit was hit first.
#[pyclass(frozen, module = "divulge._divulge")]
pub struct Unknown {
    pub problem: Asked,
    /// What was sought: `plan`, `map`, `both`, `maps`, or nothing.
    pub sought: &'static str,
    pub limit: Limit,
    pub so_far: Option<SoFar>,
}

#[pymethods]
impl Unknown {
    /// Which limit: `time` or `memory`.
    fn limit(&self) -> &'static str {
        limit_word(self.limit)
    }

    /// The best plan and map so far. They hold, but are not proven to be the best.
    fn best(&self) -> Option<Found> {
        let found = match self.so_far.as_ref()? {
            SoFar::Map(found) => found.clone(),
            SoFar::Plan(found) => FoundMap {
                map: self.problem.observer.map.clone()?,
                plan: found.plan.clone(),
                worst_case: found.worst_case,
                merge_cost: 0,
            },
            SoFar::Maps(_) => return None,
        };
        Some(Found { problem: Arc::clone(&self.problem), inner: Arc::new(found), sought: self.sought })
    }

    /// How many maps would do and how many would not, at least, and how many there are.
    fn counts(&self) -> Option<(u128, u128, u128)> {
        match self.so_far {
            Some(SoFar::Maps(Classified { feasible, infeasible, maps })) => {
                Some((feasible, infeasible, maps))
            }
            _ => None,
        }
    }

    /// What was found so far in words, as the command line says it; empty if nothing was.
    fn explain(&self) -> String {
        let given = self.sought == "map";
        let told = |so_far| words::so_far(&self.problem, so_far, given, Style::plain());
        self.so_far.as_ref().map(told).unwrap_or_default()
    }

    /// As the command line's `--json`.
    fn json(&self) -> PyResult<String> {
        let map = self.problem.observer.map.as_ref();
        text(|out| match &self.so_far {
            None => json::unknown(out, self.limit),
            Some(so_far) => json::unknown_but(out, self.limit, &self.problem, map, so_far),
        })
    }
}
