//! A question as the page puts it, with the options of the command line, and its answer.

use divulge::{
    Limit, Monitor,
    ask::{Answer, Engine, Question, Verdict, What, ask},
    expansion::{Actions, expand},
    formula::Stipulations,
    maps::Prefer,
    problem::Problem,
    seek::{Minimize, Offers},
    verdict::QuestionError,
};
use divulge_model::{
    diagnostic::Diagnostics,
    foreign::{self, Said},
    options::{self, Opacity},
};
use divulge_render::{
    json,
    words::{self, Over, Style},
};
use serde::Deserialize;

use crate::read::{Given, Origin};

/// A question. Options that do not belong to what is asked have no effect.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Asked {
    /// `check`, `audit`, `plan`, `map`, `both`, `maps` or `info`.
    pub what: String,
    /// Constants with other values, `plan` and `observer`.
    pub set: Vec<(String, String)>,
    /// `events` or `cost`.
    pub minimize: String,
    /// Which actions a plan offers: nothing said, `permissive` or `deterministic`.
    pub offers: String,
    /// The events that have happened already, separated by commas.
    pub after: String,
    /// Whether the fewest events are to be proven.
    pub shortest: bool,
    /// `finest`, `coarsest` or `cheapest`.
    pub prefer: String,
    /// `native` or `and-or`.
    pub engine: String,
    /// Whether a map that is given is set aside.
    pub any_map: bool,
    /// Whether a plan that is given is set aside.
    pub any_plan: bool,
    /// A notion of opacity, for an audit.
    pub opacity: String,
    /// What must stay secret.
    pub secret: String,
    /// Clauses, with the sizes: `predicates` or `vertices`.
    pub clauses: String,
    /// Where a file of another tool starts: a condition, or `all`.
    pub initial: String,
    /// The goal, for a file of another tool.
    pub goal: String,
    /// What to keep away from, for a file of another tool: a condition, or `none`.
    pub avoid: String,
}

/// Why there is no answer.
#[derive(Debug)]
pub enum Refused {
    /// What is wrong, and what to do.
    Message(String, Option<String>),
    /// The text is wrong, and this is where.
    Findings(Box<Diagnostics>),
    /// A limit was hit.
    Limit(Limit),
}

impl Refused {
    /// What is wrong, and what to do.
    pub fn new(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self::Message(message.into(), Some(help.into()))
    }

    /// The text is wrong.
    pub fn findings(found: Diagnostics) -> Self {
        Self::Findings(Box::new(found))
    }
}

impl From<QuestionError> for Refused {
    fn from(e: QuestionError) -> Self {
        match e {
            QuestionError::Limit(limit) => Self::Limit(limit),
            QuestionError::Internal(found) => Self::new(
                format!("what was found does not pass its own check, so it is not shown: {}", found.what),
                "this is a mistake in divulge: please report it with the model",
            ),
            e => {
                let (message, help) = words::refusal(&e);
                Self::Message(message, help)
            }
        }
    }
}

fn choice<T>(option: &str, said: &str, known: &[(&str, T)]) -> Result<T, Refused>
where
    T: Copy,
{
    known.iter().find(|(name, _)| *name == said).map(|(_, value)| *value).ok_or_else(|| {
        let names: Vec<String> = known.iter().map(|(name, _)| format!("`{name}`")).collect();
        Refused::new(format!("{option}: there is no `{said}`"), format!("say one of {}", names.join(", ")))
    })
}

impl Asked {
    /// All that is set, each name once.
    ///
    /// # Errors
    /// If a name is set twice.
    pub fn settings(&self) -> Result<&[(String, String)], Refused> {
        let set = &self.set;
        match (0..set.len()).find(|&i| set[..i].iter().any(|(name, _)| *name == set[i].0)) {
            Some(i) => Err(Refused::new(format!("`{}` is set more than once", set[i].0), "set it once")),
            None => Ok(set),
        }
    }

    /// What is said of a file of another tool.
    pub fn said(&self) -> Said<'_> {
        let [initial, goal, avoid] = [&self.initial, &self.goal, &self.avoid].map(|text| {
            let text = text.trim();
            (!text.is_empty()).then_some(text)
        });
        Said { prefix: "", initial, goal, avoid }
    }

    /// The question, and the problem that it is about. `name` is what the text is called.
    ///
    /// # Errors
    /// If options make no sense, or do not fit.
    pub fn question(&self, name: &str, given: Given) -> Result<(Problem, Question), Refused> {
        let what = choice(
            "the question",
            &self.what,
            &[
                ("check", What::Check),
                ("audit", What::Audit),
                ("plan", What::Plan),
                ("map", What::Map),
                ("both", What::Both),
                ("maps", What::Maps),
            ],
        )?;
        if matches!(what, What::Check | What::Audit | What::Plan) {
            given.total_map()?;
        }
        let foreign = given.foreign;
        let Some(mut problem) = given.problem else { return Err(Refused::findings(given.found)) };
        if what == What::Audit && !self.opacity.is_empty() {
            self.opaque(name, foreign.as_ref(), &mut problem)?;
        }
        enough(name, foreign.as_ref(), what, &problem)?;
        let mut question = Question {
            minimize: choice(
                "minimize",
                &self.minimize,
                &[("", Minimize::Events), ("events", Minimize::Events), ("cost", Minimize::Cost)],
            )?,
            offers: choice(
                "offers",
                &self.offers,
                &[
                    ("", Offers::Sparing),
                    ("permissive", Offers::Permissive),
                    ("deterministic", Offers::Deterministic),
                ],
            )?,
            prefer: choice(
                "prefer",
                &self.prefer,
                &[
                    ("", Prefer::First),
                    ("finest", Prefer::Finest),
                    ("coarsest", Prefer::Coarsest),
                    ("cheapest", Prefer::Cheapest),
                ],
            )?,
            engine: choice(
                "engine",
                &self.engine,
                &[("", Engine::Native), ("native", Engine::Native), ("and-or", Engine::AndOr)],
            )?,
            shortest: self.shortest,
            any_map: self.any_map,
            any_plan: self.any_plan,
            ..Question::new(what)
        };
        question.consistent()?;
        if what == What::Plan {
            question.after = options::events(&problem, &self.after).map_err(|unknown| {
                Refused::new(
                    format!("after: there is no event `{unknown}`"),
                    "events are separated by commas, as in `right, nothing`",
                )
            })?;
            question.consistent()?;
        }
        Ok((problem, question))
    }

    fn opaque(&self, name: &str, origin: Option<&Origin>, problem: &mut Problem) -> Result<(), Refused> {
        let notion: Opacity =
            self.opacity.parse().map_err(|e: String| Refused::Message(format!("opacity: {e}"), None))?;
        if self.secret.trim().is_empty() {
            return Err(Refused::new(
                "opacity of what?",
                "say what must stay secret, such as `room = clinic`",
            ));
        }
        let wrong = |e: divulge::formula::FormulaError| Refused::Message(format!("secret: {e}"), e.help);
        let secret = options::condition(&self.secret).map_err(wrong)?;
        if let Some(Origin { fixed, .. }) = origin {
            foreign::secret(problem, fixed, name, "secret", &secret)
                .map_err(|unfit| Refused::Message(unfit.message, unfit.help))?;
        }
        notion.stipulate(problem, secret).map_err(wrong)
    }

    /// How large the problem is, and what is stipulated.
    ///
    /// # Errors
    /// As a question's.
    pub fn info(&self, problem: &Problem, style: Style, monitor: &dyn Monitor) -> Result<String, Refused> {
        let expanded = expand(&problem.world, Actions::Some, 1, monitor).map_err(QuestionError::from)?;
        let sizes = Ok([expanded.graph.len(), expanded.graph.arc_count()]);
        let mut text = words::info(problem, sizes, "the field “observer”", style);
        let over = choice(
            "clauses",
            &self.clauses,
            &[("", None), ("predicates", Some(Over::Predicates)), ("vertices", Some(Over::Vertices))],
        )?;
        let Some(over) = over else { return Ok(text) };
        for (number, observer) in problem.observers().enumerate() {
            let plain: Vec<_> =
                observer.stipulations.iter().filter(|s| words::has_clauses(s)).cloned().collect();
            let compiled = Stipulations::compile(&problem.world, &plain)
                .map_err(|(i, e)| QuestionError::Formula { observer: number, number: i, e })?;
            text.push('\n');
            if let (Some(name), false) = (&observer.name, problem.others.is_empty()) {
                text += &format!("{name}\n");
            }
            text += &words::clauses(problem, observer, &compiled, over, style)?;
        }
        Ok(text)
    }
}

/// A file of another tool says neither what is secret nor, perhaps, what the goal is.
fn enough(name: &str, origin: Option<&Origin>, what: What, problem: &Problem) -> Result<(), Refused> {
    let Some(origin) = origin else { return Ok(()) };
    let missing = match what {
        What::Audit if problem.observer.stipulations.is_empty() => {
            ("what must stay secret", "choose a notion of opacity, and say what is secret")
        }
        What::Audit => return Ok(()),
        _ if problem.world.goal.is_empty() && !origin.goal => {
            ("what the goal is", "say it under Options: the field “Goal” takes a condition")
        }
        _ => return Ok(()),
    };
    Err(Refused::new(
        format!("{name} does not say {}", missing.0),
        format!("{}; {}", missing.1, foreign::properties(problem)),
    ))
}

/// Asks, and finds out why as far as `patience` allows.
///
/// # Errors
/// If the question cannot be asked of this problem.
pub fn answer(
    problem: &Problem,
    question: Question,
    monitor: &dyn Monitor,
    patience: &dyn Monitor,
) -> Result<Answer, Refused> {
    Ok(ask(problem).question(question).explained(patience).within(monitor)?)
}

/// The answer in words.
pub fn told(problem: &Problem, answer: &Answer, style: Style) -> String {
    let mut text = words::answer(problem, answer, style);
    if let Verdict::Unknown { limit, .. } = answer.verdict {
        text += &words::advice(problem, &answer.question, limit, style);
    }
    text
}

/// The answer as the object that `--json` prints.
pub fn object(problem: &Problem, answer: &Answer) -> String {
    let mut out = Vec::new();
    // Memory takes whatever is written.
    json::answer(&mut out, problem, answer).expect("a vector can be written to");
    String::from_utf8_lossy(&out).into_owned()
}

/// The verdict in a word, as in `--json`.
pub fn word(answer: &Answer) -> &'static str {
    match answer.verdict {
        Verdict::Holds { .. } => "holds",
        Verdict::Violated { .. } => "violated",
        Verdict::Found { .. } | Verdict::Frontier { .. } => "found",
        Verdict::None { .. } => "none",
        Verdict::Unknown { .. } => "unknown",
    }
}
