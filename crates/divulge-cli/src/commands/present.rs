//! An answer, presented: on standard output, as a document, as a page.

use divulge::{
    ask::{Answer, Question, Verdict, What, ask},
    problem::{MapConstraints, Problem},
    verdict::{Disagreement, QuestionError},
};
use divulge_model::document;
use divulge_render::{
    itf::Trace,
    json,
    words::{self, Style},
};

use super::{explore, sweep};
use crate::{
    arguments::Exploring,
    foreign,
    input::Input,
    limits::{Patience, Watch},
    output::{Terminal, answer, text_within, to_file, to_file_within},
    status::{Failure, Status},
    store::Store,
};

/// How an answer is wanted.
pub struct Presented<'a> {
    /// One JSON object instead of words.
    pub json: bool,
    /// The file that the problem came from.
    pub file: &'a str,
    /// Whether a page is wanted too.
    pub explore: Option<&'a Exploring>,
    /// Where the question goes with its answer filled in.
    pub out: Option<&'a str>,
    /// Where a violation goes as a trace.
    pub itf: Option<&'a str>,
    /// Where a long search keeps what it has done.
    pub store: Option<&'a str>,
}

/// Asks a question and presents the answer.
pub fn present(
    input: &Input,
    question: Question,
    wanted: &Presented<'_>,
    terminal: &Terminal,
    watch: &Watch,
) -> Result<Status, Failure> {
    let problem = &input.problem;
    let page = wanted.explore.filter(|explore| explore.wanted());
    watch.advise(|limit| words::advice(problem, &question, limit, Style::plain()));
    let patience = Patience::new(watch);
    let begin = std::time::Instant::now();
    let store = wanted.store.map(|path| Store::open(path, problem, &question)).transpose()?;
    let mut asking = ask(problem).question(question);
    if let Some(store) = &store {
        asking = asking.keep(store);
        if store.len() > 0 {
            terminal.note(&format!("note: {} tasks were done before and are not done again\n", store.len()));
        }
    }
    if !wanted.json || page.is_some() {
        asking = asking.explained(&patience);
    }
    let found = asking.within(watch);
    if let Some(trouble) = store.as_ref().and_then(Store::trouble) {
        terminal.note(&trouble);
    }
    let found = match found {
        Err(QuestionError::Internal(wrong)) => return Err(report(problem, *wrong)),
        found => found?,
    };
    let reached = foreign::almost_surely(input, &found, watch);
    let text = if let Some(row) = sweep::row(problem, &found, begin.elapsed().as_secs_f64()) {
        row
    } else if wanted.json {
        let text = text_within(watch, |out| json::answer(out, problem, &found))?;
        match (foreign::besides(input, &found, reached), text.trim_end().strip_suffix('}')) {
            (more, Some(text)) if !more.is_empty() => format!("{text}{more}}}\n"),
            _ => text,
        }
    } else {
        let style = terminal.style();
        let told = foreign::told(input, &found, reached, words::answer(problem, &found, style));
        told + &patience.cut_short().unwrap_or_default()
    };
    // The problem may be large, so it is copied only for somebody.
    let filled = (wanted.out.is_some() || page.is_some()).then(|| found.filled_in(problem)).flatten();
    if let (Some(path), Some(filled)) = (wanted.out, &filled) {
        to_file_within(path, watch, |out| document::write(filled, out))?;
    }
    if let Some(path) = wanted.itf {
        traced(path, problem, &found, terminal, watch)?;
    }
    watch.answered();
    answer(|out| out.write_all(text.as_bytes()))?;
    if let (Some(path), false) = (wanted.out, filled.is_none() || problem.aside.is_empty()) {
        terminal.note(&format!(
            "note: {path} holds all observers; choose one with --observer to check the plan\n"
        ));
    }
    if let Verdict::Unknown { limit, best } = &found.verdict {
        terminal.note(&watch.stopped(*limit));
        if let (Some(path), Some(_), true) = (wanted.out, best, filled.is_some()) {
            terminal
                .note(&format!("{path} holds the best found so far, which is not proven to be the best\n"));
        }
        return Ok(Status::Unknown);
    }
    if let Some(page) = page {
        let note = words::headline(problem, &found);
        explore::also(page, wanted.file, filled.as_ref().unwrap_or(problem), note, terminal, watch)?;
    }
    Ok(status(&found))
}

/// Writes the execution that shows a violation as a trace, as every observer who has a map sees it.
fn traced(
    path: &str,
    problem: &Problem,
    found: &Answer,
    terminal: &Terminal,
    watch: &Watch,
) -> Result<(), Failure> {
    let Some(violation) = found.violation() else {
        terminal.note(&format!("note: nothing is violated, so {path} is not written\n"));
        return Ok(());
    };
    let trace = Trace::new(problem, violation, found.question.what == What::Check, watch)?;
    to_file_within(path, watch, |out| trace.write(out))
}

/// What was found does not pass its check: writes down what it takes to look into it.
fn report(problem: &Problem, wrong: Disagreement) -> Failure {
    let mut filled = problem.clone();
    filled.plan = Some(wrong.plan);
    let sought = filled.sought();
    let observer = filled.observer_mut(sought);
    observer.map = Some(wrong.map);
    observer.constraints = MapConstraints::default();
    let path = std::env::temp_dir().join(format!("divulge-report-{}.json", std::process::id()));
    let path = path.display().to_string();
    let written = to_file(&path, |out| document::write(&filled, out));
    Failure::Internal(wrong.what, written.is_ok().then_some(path))
}

/// The status that tells the verdict.
pub fn status(found: &Answer) -> Status {
    match found.verdict {
        Verdict::Holds { .. } | Verdict::Found { .. } | Verdict::Frontier { .. } => Status::Yes,
        Verdict::Violated { .. } | Verdict::None { .. } => Status::No,
        Verdict::Unknown { .. } => Status::Unknown,
    }
}

/// The problem with what it lacks, a plan or a map or both, which is sought; and why there is none, if there is none.
pub fn completed(input: Input, watch: &Watch) -> Result<(Problem, Option<(String, String)>), Failure> {
    let has_maps = input.problem.observers().all(|observer| observer.map.is_some());
    if has_maps {
        input.total_map()?;
    }
    let problem = input.problem;
    let what = match (problem.plan.is_some(), has_maps) {
        (true, true) => return Ok((problem, None)),
        (false, true) => What::Plan,
        (true, false) => What::Map,
        (false, false) => What::Both,
    };
    let patience = Patience::new(watch);
    let question = Question { threads: 0, ..Question::new(what) };
    let found = ask(&problem).question(question).explained(&patience).within(watch)?;
    match &found.verdict {
        Verdict::Unknown { limit, .. } => Err(Failure::Limit(*limit)),
        _ => match found.filled_in(&problem) {
            Some(filled) => Ok((filled, None)),
            None => {
                let note = words::headline(&problem, &found);
                Ok((problem, note))
            }
        },
    }
}

#[cfg(test)]
mod tests {
    use divulge::problem::LabelMap;
    use divulge_model::families::{Nuclear, nuclear};

    use super::*;

    #[test]
    fn an_answer_that_fails_its_check_is_written_down() {
        let problem = nuclear(&Nuclear::new(3, 4)).unwrap();
        let found = ask(&problem).seek_plan().within(&divulge::Unlimited).unwrap();
        let plan = found.found().expect("a plan").plan.clone();
        let map = LabelMap::identity(&problem.alphabet);
        let wrong = Disagreement { what: "it does not hold".to_owned(), plan, map, execution: Vec::new() };
        let Failure::Internal(what, Some(path)) = report(&problem, wrong) else { panic!("no file") };
        assert_eq!(what, "it does not hold");
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        let read = document::read("report", &text).unwrap();
        assert!(read.problem.plan.is_some() && read.problem.observer.map.is_some());
    }
}
