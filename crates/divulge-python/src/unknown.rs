//! Answers that a limit cut short: what was found by then.

use divulge::{
    Verdict,
    limit::Limit,
    verdict::{Classified, FoundMap, SoFar},
};
use divulge_render::json::limit_word;
use pyo3::prelude::*;

use crate::{
    answer::{Answered, Found},
    limits::Given,
};

/// That a limit was hit first.
#[pyclass(frozen, module = "divulge._divulge")]
pub struct Unknown {
    pub answered: Answered,
}

impl Unknown {
    fn parts(&self) -> (Limit, Option<&SoFar>) {
        match &self.answered.answer.verdict {
            Verdict::Unknown { limit, best } => (*limit, best.as_deref()),
            _ => (Limit::Time, None),
        }
    }
}

#[pymethods]
impl Unknown {
    /// The limits of the question, for what is made of its answer: seconds, bytes, nobody to tell.
    fn limits(&self) -> Given {
        self.answered.limits.given()
    }

    /// Which limit: `time` or `memory`.
    fn limit(&self) -> &'static str {
        limit_word(self.parts().0)
    }

    /// The best plan and map so far. They hold, but are not proven to be the best.
    fn best(&self) -> Option<Found> {
        let found = match self.parts().1? {
            SoFar::Map(found) => found.clone(),
            SoFar::Plan(found) => FoundMap {
                map: self.answered.sought().map.clone()?,
                plan: found.plan.clone(),
                worst_case: found.worst_case,
                choices: found.choices,
                merge_cost: 0,
            },
            SoFar::Maps(_) => return None,
        };
        Some(Found { answered: self.answered.with(found) })
    }

    /// How many maps would do and how many would not, at least, and how many there are.
    fn counts(&self) -> Option<(u128, u128, u128)> {
        match self.parts().1 {
            Some(&SoFar::Maps(Classified { feasible, infeasible, maps })) => {
                Some((feasible, infeasible, maps))
            }
            _ => None,
        }
    }

    /// What was found so far in words, as the command line says it; empty if nothing was.
    fn explain(&self, py: Python<'_>) -> PyResult<String> {
        self.answered.words(py)
    }

    /// As the command line's `--json`.
    fn json(&self, py: Python<'_>, given: Given) -> PyResult<String> {
        self.answered.json(py, given)
    }
}
