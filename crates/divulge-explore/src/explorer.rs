//! The session: requests in, answers out, both JSON texts.

use divulge::{
    Limit, Monitor, Unlimited,
    limit::Both,
    problem::{Grid, Label, Problem, Vertex},
    sets::BitSet,
    setting::unfold,
    verdict::QuestionError,
};
use divulge_model::document;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{
    about::{About, about},
    look_alike::look_alike,
    route::route,
    scene::{Atlas, Marks, View, plan},
    side::Side,
    situation::{Situation, What, choices, patient},
    snapshot::snapshot,
    variables::LACKING,
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
        /// The number of the observer.
        #[serde(default)]
        observer: usize,
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
            Request::Twin { what, events, observer, variable, value } => {
                self.opened()?.twin(&what, &events, observer, (&variable, &value), monitor)
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
        let given = self.problem.observers().map(|observer| choices(&self.problem, observer)).collect();
        Ok(about(self.situation(what, monitor)?, given, monitor))
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
        let estimate = |side: &Side| side.estimate.as_ref().map(|estimate| self.vertices(estimate));
        let estimates: Vec<Option<Vec<Vertex>>> = moment.sides.iter().map(estimate).collect();
        let first = estimates.first().and_then(Option::as_deref).unwrap_or_default();
        let view = self.atlas.view(&robot, first, View::parse(view));
        let marks = |set: &[Vertex]| self.atlas.marks(&self.problem, &view, set);
        let held: Vec<Option<Marks>> = estimates.iter().map(|set| set.as_deref().map(marks)).collect();
        text(&json!({
            "view": view.to_string(),
            "robotMarks": marks(&robot),
            "estimateMarks": held,
            "moment": moment,
        }))
    }

    fn twin(
        &mut self,
        what: &What,
        events: &[String],
        observer: usize,
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
        if observer >= situation.observers() {
            return Err(format!("there is no observer of number {observer}"));
        }
        let mut found = look_alike(situation, observer, &labels, &places).map_err(|e| e.to_string())?;
        if let Some(found) = &mut found {
            let who = situation.who(observer);
            found.title = format!("Why {variable} could still be {value}, given what {who} has seen");
        }
        text(&json!({ "twin": found }))
    }
}
