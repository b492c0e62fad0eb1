//! The session: requests in, answers out, both JSON texts.

use divulge::{
    Limit, Monitor, Unlimited,
    limit::Both,
    problem::{Filter, Grid, Kind, Label, Problem, Vertex},
    sets::BitSet,
    setting::unfold,
    verdict::QuestionError,
};
use divulge_model::document;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{
    overview::{facts, sentences},
    route::route,
    scene::{Atlas, View, plan},
    situation::{KnowsChoice, Situation, What, choices, known, patient},
    snapshot::snapshot,
    twins::look_alike,
    variables::LACKING,
    verdict::{Verdict, verdict},
    words::{demand, listed},
};

/// A question about a problem. Every answer is an object; it has `error`, in words, where there is no other answer.
#[derive(Debug, Deserialize)]
#[serde(tag = "do", rename_all = "lowercase", rename_all_fields = "kebab-case")]
pub enum Request {
    /// Takes up a problem, whose document follows the request.
    Open {
        /// How the world is drawn as a grid.
        #[serde(default)]
        grid: Option<GridRequest>,
    },
    /// All that does not depend on a moment.
    About {
        /// What is changed.
        #[serde(default)]
        what: What,
    },
    /// How things are after some events.
    At {
        /// What is changed.
        #[serde(default)]
        what: What,
        /// The labels of the events.
        events: Vec<String>,
        /// Which part of the world is being looked at.
        #[serde(default)]
        view: String,
    },
    /// The picture of the world.
    Scene {
        /// Which part of it.
        #[serde(default)]
        view: String,
    },
    /// The picture of the plan.
    Plan {
        /// What is changed.
        #[serde(default)]
        what: What,
        /// The vertex where the plan is.
        #[serde(default)]
        here: Option<u32>,
    },
    /// Some vertices on the picture of the world, and which part of it shows them.
    Look {
        /// Which part of it is drawn; it stays if it shows all of them.
        #[serde(default)]
        view: String,
        /// The vertices.
        vertices: Vec<u32>,
    },
    /// A shortest way to a vertex of the plan.
    Route {
        /// What is changed.
        #[serde(default)]
        what: What,
        /// The vertex.
        to: u32,
    },
    /// A run that looks exactly like these events, with a certain value of a variable at the end.
    Twin {
        /// What is changed.
        #[serde(default)]
        what: What,
        /// The labels of the events.
        events: Vec<String>,
        /// The variable.
        variable: String,
        /// The value.
        value: String,
    },
}

/// A world drawn as a grid.
#[derive(Debug, Serialize, Deserialize)]
pub struct GridRequest {
    /// The variable that is the row.
    pub row: String,
    /// The variable that is the column.
    pub col: String,
    /// Places that have a name: the name, the row and the column.
    pub landmarks: Vec<(String, i64, i64)>,
}

/// Labels that look alike.
#[derive(Debug, Serialize)]
struct Group {
    kind: &'static str,
    image: String,
    labels: Vec<String>,
}

#[derive(Debug, Serialize)]
struct Stipulated {
    name: String,
    words: String,
    formula: String,
}

#[derive(Debug, Serialize)]
struct About {
    title: String,
    lead: String,
    demands: Vec<Stipulated>,
    facts: Vec<String>,
    because: Option<String>,
    verdict: Verdict,
    groups: Vec<Group>,
    fixed_map: Option<&'static str>,
    knows: Vec<KnowsChoice>,
    plan: Option<usize>,
    places: usize,
    note: Option<String>,
}

/// A problem that is being explored.
pub struct Explorer<'m> {
    opened: Option<Opened>,
    /// What every answer keeps to, apart from the effort that it may take.
    monitor: &'m dyn Monitor,
}

impl Default for Explorer<'_> {
    /// For a page, which has no clock to look at: each answer has its own bound on the effort, and whoever waits closes the page.
    fn default() -> Self {
        Self { opened: None, monitor: &Unlimited }
    }
}

#[derive(Debug)]
struct Opened {
    problem: Problem,
    atlas: Atlas,
    /// The last situation asked for: the next request is mostly about the same.
    situation: Option<(What, Situation)>,
}

impl<'m> Explorer<'m> {
    /// Takes up a problem. Whatever is asked of it keeps to the monitor.
    ///
    /// # Errors
    /// The limit that `monitor` says was hit.
    pub fn open(problem: Problem, monitor: &'m dyn Monitor) -> Result<Self, Limit> {
        // What the way was like is shown as if it were a property. What does not fit the world is said when something is asked.
        let problem = match unfold(&problem, monitor) {
            Ok(unfolded) => unfolded.unwrap_or(problem),
            Err(QuestionError::Limit(limit)) => return Err(limit),
            Err(_) => problem,
        };
        let atlas = Atlas::new(&problem, monitor)?;
        Ok(Self { opened: Some(Opened { problem, atlas, situation: None }), monitor })
    }

    /// Answers a request: a JSON object, and for [`Request::Open`] the problem's document after it. Whatever the request, the
    /// answer is a JSON object.
    pub fn answer(&mut self, request: &str) -> String {
        let mut read = serde_json::Deserializer::from_str(request).into_iter::<Request>();
        let answer = match read.next() {
            Some(Ok(asked)) => self.reply(asked, request[read.byte_offset()..].trim_start()),
            Some(Err(e)) => Err(format!("the request cannot be read: {e}")),
            None => Err("the request is empty".to_owned()),
        };
        answer.unwrap_or_else(|error| json!({ "error": error }).to_string())
    }

    /// The answer; `document` is what follows the request.
    fn reply(&mut self, request: Request, document: &str) -> Result<String, String> {
        let monitor = self.monitor;
        match request {
            Request::Open { grid } => {
                let read =
                    document::read("the page's problem", document).map_err(|found| found.render(false))?;
                let mut problem = read.problem;
                problem.grid = grid.map(|GridRequest { row, col, landmarks }| Grid { row, col, landmarks });
                *self = Self::open(problem, monitor).map_err(too_long)?;
                text(&json!({ "opened": true }))
            }
            Request::About { what } => text(&self.opened()?.about(&what, monitor)?),
            Request::At { what, events, view } => self.opened()?.at(&what, &events, &view, monitor),
            Request::Scene { view } => {
                let opened = self.opened()?;
                let patient = patient();
                let effort = Both(&patient, monitor);
                text(&opened.atlas.scene(&opened.problem, &View::parse(&view), &effort).map_err(too_long)?)
            }
            Request::Plan { what, here } => {
                let problem = &self.opened()?.situation(&what, monitor)?.problem;
                let Some(drawn) = &problem.plan else { return text(&json!({ "plan": null })) };
                let here = here.filter(|&v| (v as usize) < drawn.graph.len()).map(Vertex);
                let patient = patient();
                let drawing = plan(problem, drawn, here, &Both(&patient, monitor)).map_err(too_long)?;
                text(&json!({ "plan": drawing }))
            }
            Request::Look { view, vertices } => {
                let opened = self.opened()?;
                let set = opened.vertices(&vertices);
                let (view, marks) = opened.atlas.look(&opened.problem, View::parse(&view), &set);
                text(&json!({ "view": view.to_string(), "marks": marks }))
            }
            Request::Route { what, to } => {
                let situation = self.opened()?.situation(&what, monitor)?;
                let events = route(&situation.problem, Vertex(to)).ok_or("the plan never comes there")?;
                let names: Vec<&str> = events.iter().map(|&l| situation.problem.alphabet.name(l)).collect();
                text(&json!({ "events": names }))
            }
            Request::Twin { what, events, variable, value } => {
                self.opened()?.twin(&what, &events, (&variable, &value), monitor)
            }
        }
    }

    fn opened(&mut self) -> Result<&mut Opened, String> {
        self.opened.as_mut().ok_or_else(|| "no problem has been opened".to_owned())
    }
}

fn too_long(_: Limit) -> String {
    "This takes too long to draw here.".to_owned()
}

fn text(answer: &impl Serialize) -> Result<String, String> {
    serde_json::to_string(answer).map_err(|e| e.to_string())
}

/// The labels of these names, up to the first that there is none of.
fn labels(problem: &Problem, names: &[String]) -> Vec<Label> {
    names.iter().map_while(|name| problem.alphabet.get(name)).collect()
}

impl Opened {
    fn situation(&mut self, what: &What, monitor: &dyn Monitor) -> Result<&Situation, String> {
        if self.situation.as_ref().is_none_or(|(of, _)| of != what) {
            self.situation = Some((what.clone(), Situation::new(&self.problem, what, monitor)?));
        }
        self.situation.as_ref().map(|(_, situation)| situation).ok_or_else(String::new)
    }

    fn vertices(&self, numbers: &[u32]) -> Vec<Vertex> {
        numbers
            .iter()
            .filter(|&&v| (v as usize) < self.problem.world.graph.len())
            .map(|&v| Vertex(v))
            .collect()
    }

    fn about(&mut self, what: &What, monitor: &dyn Monitor) -> Result<About, String> {
        let places = self.problem.world.graph.len();
        let knows = choices(&self.problem);
        let situation = self.situation(what, monitor)?;
        let problem = &situation.problem;
        let verdict = verdict(situation, monitor);
        // Facts about estimates mean something where the plan works and the observer expects it.
        let facts = match verdict.verdict == "unknown"
            || verdict.verdict == "violated" && verdict.stipulation.is_none()
        {
            true => Vec::new(),
            false => facts(situation, monitor).unwrap_or_default(),
        };
        let groups = groups(situation);
        Ok(About {
            title: problem.name.clone().unwrap_or_else(|| "A robot and its observer".to_owned()),
            lead: format!("{} {}", lead(problem), sees(&groups)),
            demands: problem
                .observer
                .stipulations
                .iter()
                .map(|s| Stipulated {
                    name: s.name.clone(),
                    words: demand(&problem.world, s),
                    formula: s.formula.to_string(),
                })
                .collect(),
            because: because(&facts, &groups).filter(|_| problem.observer.filter == Filter::Strongest),
            facts: sentences(&facts),
            verdict,
            groups,
            fixed_map: matches!(problem.observer.filter, Filter::Graph(_)).then_some(
                "This observer remembers through a filter on what it sees, so the map cannot be changed here.",
            ),
            knows,
            plan: problem.plan.as_ref().map(|plan| plan.graph.len()),
            places,
            note: situation.note.clone(),
        })
    }

    fn at(
        &mut self,
        what: &What,
        events: &[String],
        view: &str,
        monitor: &dyn Monitor,
    ) -> Result<String, String> {
        let labels = labels(&self.problem, events);
        let moment = snapshot(self.situation(what, monitor)?, &labels, monitor).map_err(|e| e.to_string())?;
        let robot = self.vertices(&moment.robot);
        let estimate = moment.estimate.as_ref().map(|estimate| self.vertices(estimate));
        let view = self.atlas.view(&robot, estimate.as_deref().unwrap_or_default(), View::parse(view));
        let marks = |set: &[Vertex]| self.atlas.marks(&self.problem, &view, set);
        text(&json!({
            "view": view.to_string(),
            "robotMarks": marks(&robot),
            "estimateMarks": estimate.as_deref().map(marks),
            "moment": moment,
        }))
    }

    fn twin(
        &mut self,
        what: &What,
        events: &[String],
        (variable, value): (&str, &str),
        monitor: &dyn Monitor,
    ) -> Result<String, String> {
        let labels = labels(&self.problem, events);
        let situation = self.situation(what, monitor)?;
        let world = &situation.problem.world;
        let column =
            world.props.column(variable).ok_or_else(|| format!("there is no variable `{variable}`"))?;
        let places = BitSet::from_fn(world.graph.len(), |v| {
            column.get(Vertex(v as u32)).map_or(value == LACKING, |held| held.to_string() == value)
        });
        let mut found = look_alike(situation, &labels, &places).map_err(|e| e.to_string())?;
        if let Some(found) = &mut found {
            found.title = format!("Why {variable} could still be {value}, given what the observer has seen");
        }
        text(&json!({ "twin": found }))
    }
}

/// The groups of labels that look alike, those of several labels first.
fn groups(situation: &Situation) -> Vec<Group> {
    let (problem, map) = (&situation.problem, situation.map());
    let mut all = Vec::new();
    for kind in [Kind::Action, Kind::Observation] {
        let of_world = |l: &Label| problem.world_labels.contains(l.index());
        let mut done: Vec<Option<divulge::problem::Image>> = Vec::new();
        for label in problem.alphabet.of_kind(kind).filter(of_world) {
            let image = map.image(label);
            if done.contains(&image) {
                continue;
            }
            done.push(image);
            let alike = problem.alphabet.of_kind(kind).filter(of_world).filter(|&l| map.image(l) == image);
            let labels = alike.map(|l| problem.alphabet.name(l).to_owned()).collect();
            all.push(Group { kind: kind.word(), image: map.shown(label).to_owned(), labels });
        }
    }
    all.sort_by_key(|group| (group.kind, group.labels.len() == 1));
    all
}

/// Who watches, and what they know, for somebody who has never heard of it.
fn lead(problem: &Problem) -> String {
    let doing = if problem.plan.is_some() { "carries out a plan" } else { "moves" };
    let name = problem.observer.name.as_ref().map_or(String::new(), |name| format!(" (“{name}”)"));
    let memory = match problem.observer.filter {
        Filter::Strongest => "remembers everything it sees",
        Filter::Image | Filter::Graph(_) => "remembers only part of what it sees",
    };
    let knows = known(&problem.observer.knows);
    format!("A robot {doing}, and an observer{name} watches. The observer knows {knows}, and {memory}.")
}

/// What looks alike to the observer, in a sentence.
fn sees(groups: &[Group]) -> String {
    let merged: Vec<String> =
        groups.iter().filter(|g| g.labels.len() > 1).map(|g| listed(&g.labels, "and")).collect();
    match merged.len() {
        0 => "It sees every event as it is.".to_owned(),
        _ => format!("These events look alike to it: {}.", merged.join("; ")),
    }
}

/// Why something is never found out: what hides it.
fn because(facts: &[crate::overview::Fact], groups: &[Group]) -> Option<String> {
    if facts.iter().all(|fact| fact.known_once) {
        return None;
    }
    let merged: Vec<String> = groups
        .iter()
        .filter(|g| g.labels.len() > 1)
        .map(|g| format!("{} (seen as “{}”)", listed(&g.labels, "and"), g.image))
        .collect();
    (!merged.is_empty()).then(|| {
        format!(
            "Why? For every run there is another one with the other answer that looks exactly the same, because these events look alike: {}. Step through the run, or press a value on the observer's side to see such a run.",
            merged.join("; ")
        )
    })
}
