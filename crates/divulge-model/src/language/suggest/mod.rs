//! What may be written at a place of a model: names, values, events, and the words that belong there. For editors.
//!
//! The text around the place need not make sense yet: where it is, is told by the words before it.

mod context;
mod keywords;

use context::{Block, Context};
pub use keywords::meaning;

use super::{Facts, Mention, Sort, Survey};
use crate::diagnostic::spelt;
use divulge::problem::Value;

const EXPRESSION: [&str; 10] = ["true", "false", "if", "not", "and", "or", "in", "min", "max", "abs"];
const FORMULA: [&str; 8] =
    ["knows", "knows_whether", "possible", "state", "always", "eventually", "next", "not"];
const PREDICATE: [&str; 5] = ["was", "initially", "goal", "kind", "is"];

/// Something that may be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suggestion {
    /// What is written, in quotes where it is no word.
    pub text: String,
    /// What it is a name of; none if it is a word of the language.
    pub sort: Option<Sort>,
    /// More about a name, such as `a value of door`.
    pub detail: Option<String>,
    /// What a word of the language means.
    pub meaning: Option<&'static str>,
}

/// Everything that may be written at a byte of a text, each once. `survey` is of that text; `facts` are what is known of its variables, perhaps
/// as it was a while ago.
pub fn suggestions(text: &str, offset: usize, survey: &Survey, facts: Option<&Facts>) -> Vec<Suggestion> {
    let offset = text.floor_char_boundary(offset.min(text.len()));
    let context = Context::at(text, offset);
    if context.mute {
        return Vec::new();
    }
    let mut offer = Offer { survey, facts, except: offset, found: Vec::new() };
    offer.at(&context);
    offer.found
}

struct Offer<'a> {
    survey: &'a Survey,
    facts: Option<&'a Facts>,
    /// Where the word is being written, which is no name yet.
    except: usize,
    found: Vec<Suggestion>,
}

impl Offer<'_> {
    fn at(&mut self, context: &Context<'_>) {
        let words = context.words.as_slice();
        match (context.block, context.first(), context.last()) {
            (Block::Top, ..) if context.begins() => self.words(&[
                "model", "include", "const", "let", "type", "def", "world", "graph", "plan", "observer",
                "cost", "use",
            ]),
            (Block::Top, "use", "use") => self.words(&["plan", "observer"]),
            (Block::Top, "use", "plan") => self.sorts(&[Sort::Plan]),
            (Block::Top, "use", "observer") => self.sorts(&[Sort::Observer]),
            (Block::Top, "world", "world") => self.words(&["graph", "from"]),
            (Block::Top, "plan", _) => self.words(&["graph"]),
            (Block::Top, "cost", _) if !words.contains(&"=") => self.events(),
            (Block::Top, "type", "=") => self.words(&["bool"]),
            (Block::Top, "def", _) if words.contains(&"=") => self.formula(context),
            (Block::Top, "const" | "let", _) if words.contains(&"=") => self.expression(context),
            (Block::World, ..) if context.begins() => {
                self.words(&["action", "observe", "start", "goal", "picture"]);
            }
            (Block::World, _, ":") => {
                self.words(&["bool"]);
                self.sorts(&[Sort::Type]);
            }
            (Block::World, "action", "action") => self.sorts(&[Sort::Action]),
            (Block::World, "action", _) if words.len() == 2 => self.words(&["when"]),
            (Block::World, "start", "start") => self.words(&["where", "acting", "observing"]),
            (Block::World, "goal", "goal") => {
                self.words(&["acting", "observing", "anywhere"]);
                self.expression(context);
            }
            (Block::World, "picture", "picture") => self.words(&["grid"]),
            (Block::World, "picture", _) => self.sorts(&[Sort::Variable]),
            (Block::Observe, ..) if context.begins() || context.last() == "|" => {
                self.sorts(&[Sort::Variable, Sort::Observation]);
            }
            (Block::Observe, ..) if !words.contains(&"when") && !words.contains(&"by") => {
                self.words(&["when", "otherwise", "by"]);
            }
            (Block::Outcome, ..) if !words.contains(&":=") => self.sorts(&[Sort::Variable]),
            (Block::File, ..) if context.begins() => self.words(&["const", "start", "goal", "avoid"]),
            (Block::Plan, ..) => self.statement(context),
            (Block::Graph, ..) => self.graph(context),
            (Block::Observer, ..) => self.clause(context),
            (Block::Top, ..) => {}
            _ => self.expression(context),
        }
    }

    fn statement(&mut self, context: &Context<'_>) {
        let tests = context.words.iter().rposition(|word| matches!(*word, "if" | "while"));
        match context.last() {
            "repeat" => self.sorts(&[Sort::Constant]),
            "else" => self.words(&["if"]),
            "}" => self.words(&["else", "or"]),
            _ if tests.is_some() => self.sorts(&[Sort::Observation, Sort::Value, Sort::Label]),
            "" | "|" => {
                self.sorts(&[Sort::Action, Sort::Label]);
                if context.begins() {
                    self.words(&["if", "while", "repeat", "choose", "stop"]);
                }
            }
            _ => {}
        }
    }

    fn graph(&mut self, context: &Context<'_>) {
        let edges = context.words.iter().rposition(|word| *word == "-");
        let arrow = context.words.iter().rposition(|word| *word == "->");
        if context.words.contains(&":") {
            self.words(&["start", "goal", "terminal", "action", "observation"]);
            self.sorts(&[Sort::Variable]);
            return self.values(context);
        }
        if edges > arrow {
            return self.events();
        }
        self.sorts(&[Sort::Vertex]);
        if context.begins() {
            self.words(&["actions", "observations"]);
        }
    }

    fn clause(&mut self, context: &Context<'_>) {
        match (context.first(), context.last()) {
            _ if context.begins() => self.words(&[
                "knows",
                "sees",
                "filter",
                "stipulate",
                "merge",
                "separate",
                "fixed",
                "unseen",
                "max",
                "min",
            ]),
            ("knows", "knows") => self.words(&["plan", "plans", "goal-directed", "world", "graph"]),
            ("knows", "[" | ",") => self.sorts(&[Sort::Plan]),
            ("knows" | "filter", "graph") => self.sorts(&[Sort::Graph]),
            ("filter", "filter") => self.words(&["strongest", "image", "graph"]),
            ("sees" | "fixed", "as") => {
                self.sorts(&[Sort::Image]);
                self.words(&["themselves"]);
            }
            ("sees", "not") => self.words(&["at all"]),
            ("sees", "sees" | ";") => {
                self.events();
                self.words(&["others", "from", "knows", "filter", "stipulate"]);
            }
            (
                "sees" | "merge" | "separate" | "fixed" | "unseen",
                "," | "merge" | "separate" | "fixed" | "unseen",
            ) => {
                self.events();
            }
            ("sees", _) => self.words(&["as", "not at all"]),
            ("fixed", _) => self.words(&["as"]),
            ("max" | "min", "max" | "min") => self.words(&["images"]),
            ("stipulate", ":") => {
                self.words(&["at end", "hindsight", "run"]);
                self.formula(context);
            }
            ("stipulate", _) if context.words.contains(&":") => self.formula(context),
            _ => {}
        }
    }

    /// Within `knows(…)` a condition is wanted, elsewhere a formula about the observer.
    fn formula(&mut self, context: &Context<'_>) {
        let mut open = Vec::new();
        for (i, word) in context.words.iter().enumerate() {
            match *word {
                "(" => open.push(i.checked_sub(1).map_or("", |before| context.words[before])),
                ")" => drop(open.pop()),
                _ => {}
            }
        }
        let inside = open.iter().any(|word| matches!(*word, "knows" | "possible" | "knows_whether"));
        if matches!(open.last(), Some(&("is" | "state"))) {
            return self.sorts(&[Sort::Vertex]);
        }
        if inside {
            self.words(&PREDICATE);
            return self.expression(context);
        }
        self.words(&FORMULA);
        self.words(&["until", "unless", "and", "or"]);
        self.sorts(&[Sort::Definition]);
        if context.first() == "def" {
            self.expression(context);
        }
    }

    fn expression(&mut self, context: &Context<'_>) {
        if context.compared().is_some() {
            self.values(context);
            if !self.found.is_empty() {
                self.sorts(&[Sort::Constant]);
                return;
            }
        }
        self.sorts(&[Sort::Variable, Sort::Constant, Sort::Definition, Sort::Parameter, Sort::Value]);
        self.words(&EXPRESSION);
    }

    /// The values of the variable that something is compared with.
    fn values(&mut self, context: &Context<'_>) {
        let variable = context.compared().and_then(|name| self.facts?.variable(name));
        let Some(variable) = variable else { return };
        for value in &variable.listed {
            let text = match value {
                Value::Text(text) => spelt(text),
                other => other.to_string(),
            };
            self.push(text, Some(Sort::Value), Some(format!("a value of {}", variable.name)));
        }
    }

    fn events(&mut self) {
        self.sorts(&[Sort::Action, Sort::Observation, Sort::Label, Sort::Value]);
    }

    fn sorts(&mut self, sorts: &[Sort]) {
        let here = |m: &&Mention| {
            m.span.source == self.survey.root() && m.span.start < self.except && self.except <= m.span.end
        };
        let written = self.survey.mentions.iter().find(here).map(|m| m.span);
        let fits = |m: &&Mention| sorts.contains(&m.sort) && Some(m.span) != written;
        let found: Vec<(String, Sort)> =
            self.survey.mentions.iter().filter(fits).map(|m| (m.name.clone(), m.sort)).collect();
        for (name, sort) in found {
            self.push(spelt(&name), Some(sort), Some(sort.described().to_owned()));
        }
    }

    fn words(&mut self, words: &[&str]) {
        for word in words {
            self.push((*word).to_owned(), None, None);
        }
    }

    fn push(&mut self, text: String, sort: Option<Sort>, detail: Option<String>) {
        if self.found.iter().any(|known| known.text == text) {
            return;
        }
        let meaning = if sort.is_none() { meaning(&text) } else { None };
        self.found.push(Suggestion { text, sort, detail, meaning });
    }
}
