//! `divulge seek`.

use divulge::{
    answer::FoundPlan,
    problem::{LabelMap, Problem},
    question::{
        QuestionError,
        seek::{self, SeekOptions},
    },
};
use divulge_model::document;
use divulge_render::json;

use super::ask;
use crate::{
    arguments::{Minimize, SeekPlan},
    output::{Terminal, answer, to_file},
    say,
    status::{Failure, Status},
};

/// Seeks a plan; the map is given.
pub fn plan(asked: &SeekPlan, terminal: &Terminal) -> Result<Status, Failure> {
    let minimize = match asked.minimize {
        Minimize::Events => seek::Minimize::Events,
        Minimize::Cost if asked.shortest => {
            return Err(Failure::new(
                "--shortest and --minimize cost ask for different plans",
                "leave one of them out",
            ));
        }
        Minimize::Cost => seek::Minimize::Cost,
    };
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let threads = if asked.threads == 0 { cores() } else { asked.threads };
    let options = SeekOptions { minimize, threads };
    ask(&asked.asking, terminal, |input, watch| {
        input.total_map()?;
        let mut problem = input.problem;
        let map = problem.observer.map.clone().ok_or(QuestionError::NeedsMap)?;
        let found = seek::seek_plan(&problem, &options, watch)?;
        watch.answered();
        let status = print(asked.asking.json, &problem, &map, found.as_ref())?;
        if let (Some(path), Some(found)) = (&asked.out, found) {
            problem.plan = Some(found.plan);
            to_file(path, |out| document::write(&problem, out))?;
        }
        Ok(status)
    })
}

fn print(
    as_json: bool,
    problem: &Problem,
    map: &LabelMap,
    found: Option<&FoundPlan>,
) -> Result<Status, Failure> {
    match (found, as_json) {
        (Some(found), true) => {
            answer(|out| json::found(out, problem, &found.plan, map, found.worst_case))?;
        }
        (None, true) => answer(|out| json::none(out))?,
        (Some(found), false) => answer(|out| say::plan(out, problem, found))?,
        (None, false) => answer(|out| writeln!(out, "none: there is no such plan"))?,
    }
    Ok(if found.is_some() { Status::Yes } else { Status::No })
}
