//! The session: requests in, answers out, both JSON texts.

use divulge::{
    Limit, Monitor, Unlimited,
    ask::{Answer, Verdict, What},
    problem::Problem,
};
use divulge_explore::{Opening, data, shown};
use divulge_model::{
    diagnostic::{Diagnostic, Diagnostics, Edit, Fix, Severity, explain},
    document,
    foreign::{self, Said},
    language::{self, Depth, Facts, Suggestion},
};
use divulge_picture::{Style, Theme, figure};
use divulge_render::{json::limit_word, words};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{
    asked::{Asked, Refused, answer, object, told, word},
    export::exported,
    names::{Outline, left_open, outline},
    pictures::{has_plan, panels},
    read::{Files, Given, LARGEST},
};

/// A request. Every answer is an object; it has `error`, in words, where there is no other answer.
#[derive(Debug, Deserialize)]
#[serde(tag = "do", rename_all = "lowercase", rename_all_fields = "kebab-case", deny_unknown_fields)]
pub enum Request {
    /// Takes note of files that models may include.
    Files {
        /// Their texts by path; what was noted under another path stays.
        files: std::collections::BTreeMap<String, String>,
    },
    /// What is wrong with a text, which names it has, and what could be asked.
    Read {
        /// What it is called.
        name: String,
        /// The text.
        text: String,
        /// Constants that it leaves open.
        #[serde(default)]
        set: Vec<(String, String)>,
    },
    /// Asks, and remembers the answer for what follows.
    Ask {
        /// What the text is called.
        name: String,
        /// The text.
        text: String,
        /// What is asked.
        question: Box<Asked>,
        /// How many columns a line of words may take; 0 for as many as in a terminal.
        #[serde(default)]
        columns: usize,
    },
    /// Draws the last answer.
    Draw {
        /// `light`, `dark` or `print`.
        theme: String,
        /// How wide pictures may be.
        width: f64,
    },
    /// What it takes to walk through the last answer.
    Explore {},
    /// The last question as a document, with the answer filled in if there is one.
    Document {},
    /// A text in canonical layout.
    Format {
        /// What it is called.
        name: String,
        /// The text.
        text: String,
    },
    /// A text, whatever it is written in, as a document or as a model.
    Convert {
        /// What it is called.
        name: String,
        /// The text.
        text: String,
        /// `json` or `model`.
        to: String,
        /// What is set and said besides the text, as when it is asked about.
        #[serde(default)]
        question: Box<Asked>,
    },
    /// The last answer for other tools: what was found as a behavior tree, a violation as a trace, a graph to draw.
    Export {
        /// `bt`, `itf`, `dot-world` or `dot-plan`.
        to: String,
    },
    /// What may be written at a place of a model.
    Complete {
        /// What the text is called.
        name: String,
        /// The text.
        text: String,
        /// The place, as a browser counts.
        at: usize,
    },
    /// What a code means.
    Explain {
        /// The code.
        code: String,
    },
}

/// Texts that are being worked on, and the last answer.
#[derive(Debug, Default)]
pub struct Playground {
    files: Files,
    last: Option<Last>,
    /// What is known of the variables of the text that was read last and made sense, with its name: good enough for suggestions.
    facts: Option<(String, Facts)>,
}

/// The last question that was answered.
#[derive(Debug)]
struct Last {
    /// What was asked about, with what was found filled in.
    problem: Problem,
    answer: Option<Answer>,
}

impl Playground {
    /// Answers a request within the limits of `monitor`; what only adds to an answer keeps to `patience`. Whatever the request, the answer is a JSON object.
    pub fn answer(&mut self, request: &str, monitor: &dyn Monitor, patience: &dyn Monitor) -> String {
        let answer = match serde_json::from_str(request) {
            Ok(request) => self.reply(request, monitor, patience),
            Err(e) => Err(Refused::Message(format!("the request cannot be read: {e}"), None)),
        };
        answer.unwrap_or_else(refused).to_string()
    }

    fn reply(
        &mut self,
        request: Request,
        monitor: &dyn Monitor,
        patience: &dyn Monitor,
    ) -> Result<Value, Refused> {
        match request {
            Request::Files { files } => {
                self.files.0.extend(files);
                Ok(json!({ "files": self.files.0.len() }))
            }
            Request::Read { name, text, set } => self.read(&name, &text, &set, monitor),
            Request::Ask { name, text, question, columns } => {
                // Whatever happens now, the last answer is no longer the one.
                self.last = None;
                let plain = words::Style::plain();
                let width = if columns == 0 { plain.width } else { columns.clamp(40, 200) };
                self.ask(&name, &text, &question, words::Style { width, ..plain }, monitor, patience)
            }
            Request::Draw { theme, width } => self.draw(&theme, width, monitor),
            Request::Explore {} => self.explore(monitor),
            Request::Document {} => Ok(json!({ "text": document::to_string(&self.last()?.problem) })),
            Request::Format { name, text } => {
                Ok(json!({ "text": language::format(&name, &text).map_err(Refused::findings)? }))
            }
            Request::Convert { name, text, to, question } => {
                self.convert(&name, &text, &to, &question, monitor)
            }
            Request::Export { to } => self.export(&to, monitor),
            Request::Complete { name, text, at } => Ok(self.complete(&name, &text, at)),
            Request::Explain { code } => {
                let found = explain(&code)
                    .ok_or_else(|| Refused::Message(format!("there is no code `{code}`"), None))?;
                Ok(json!({ "text": found }))
            }
        }
    }

    fn last(&self) -> Result<&Last, Refused> {
        self.last.as_ref().ok_or_else(|| Refused::new("nothing has been asked yet", "ask a question first"))
    }

    fn read(
        &mut self,
        name: &str,
        text: &str,
        set: &[(String, String)],
        monitor: &dyn Monitor,
    ) -> Result<Value, Refused> {
        let given = Given::read(name, text, &self.files, set, &Said::default(), false, monitor)?;
        let outline = match (given.foreign.is_some(), language::looks_like_json(text)) {
            (true, _) => Outline { constants: left_open(text), ..Outline::default() },
            (_, true) => Outline::default(),
            _ => {
                self.learn(name, text);
                outline(given.found.sources().iter().map(|source| &*source.text))
            }
        };
        let about = given.problem.as_ref().map(about);
        Ok(json!({
            "problems": problems(name, text, &given.found),
            "notes": given.notes,
            "outline": outline,
            "foreign": given.foreign.is_some(),
            "about": about,
        }))
    }

    fn ask(
        &mut self,
        name: &str,
        text: &str,
        asked: &Asked,
        style: words::Style,
        monitor: &dyn Monitor,
        patience: &dyn Monitor,
    ) -> Result<Value, Refused> {
        let info = asked.what == "info";
        let given = Given::read(name, text, &self.files, asked.settings()?, &asked.said(), !info, monitor)?;
        let notes = given.notes.clone();
        let warnings = given.found.render(false);
        if info {
            let Some(problem) = given.problem else { return Err(Refused::findings(given.found)) };
            let words = asked.info(&problem, style, monitor)?;
            self.last = Some(Last { problem, answer: None });
            return Ok(json!({ "verdict": "info", "words": words, "notes": notes, "warnings": warnings }));
        }
        let (problem, question) = asked.question(name, given)?;
        let set_aside = question.what == What::Both && problem.plan.is_some();
        let found = answer(&problem, question, monitor, patience)?;
        let mut notes = notes;
        if set_aside {
            notes.push("the plan in the model is set aside, since one is sought".to_owned());
        }
        let mut reply = json!({
            "verdict": word(&found),
            "limit": match found.verdict { Verdict::Unknown { limit, .. } => Some(limit_word(limit)), _ => None },
            "words": told(&problem, &found, style),
            "json": object(&problem, &found),
            "notes": notes,
            "warnings": warnings,
        });
        let filled = if found.question.after.is_empty() { found.filled_in(&problem) } else { None };
        reply["plan"] = json!(filled.as_ref().unwrap_or(&problem).plan.is_some() && has_plan(Some(&found)));
        self.last = Some(Last { problem: filled.unwrap_or(problem), answer: Some(found) });
        Ok(reply)
    }

    fn draw(&self, theme: &str, width: f64, monitor: &dyn Monitor) -> Result<Value, Refused> {
        let Last { problem, answer } = self.last()?;
        let theme = match theme {
            "dark" => Theme::Dark,
            "print" => Theme::Print,
            _ => Theme::Light,
        };
        let width = if width.is_finite() { width.clamp(240.0, 4000.0) } else { 720.0 };
        // A page shows fewer vertices well than a file does.
        let style = Style { theme, width, most: 400 };
        let drawn = panels(problem, answer.as_ref(), &style, monitor).map_err(Refused::Limit)?;
        let name = problem.name.as_deref().unwrap_or("divulge");
        let each = drawn.iter().map(|panel| {
            json!({
                "title": panel.title,
                "description": panel.description,
                "svg": figure(name, std::slice::from_ref(panel), &style),
            })
        });
        Ok(json!({ "pictures": each.collect::<Vec<_>>(), "all": figure(name, &drawn, &style) }))
    }

    fn explore(&self, monitor: &dyn Monitor) -> Result<Value, Refused> {
        let Last { problem, answer } = self.last()?;
        let note = answer.as_ref().and_then(|found| words::headline(problem, found));
        let shown = shown(problem);
        let data = data(&shown, &Opening { events: None, note }, monitor).map_err(Refused::Limit)?;
        let title = shown.name.as_deref().unwrap_or("divulge");
        Ok(json!({ "title": title, "data": data, "document": document::to_string(&shown) }))
    }

    fn convert(
        &self,
        name: &str,
        text: &str,
        to: &str,
        asked: &Asked,
        monitor: &dyn Monitor,
    ) -> Result<Value, Refused> {
        let given = Given::read(name, text, &self.files, asked.settings()?, &asked.said(), false, monitor)?;
        let Some(problem) = &given.problem else { return Err(Refused::findings(given.found)) };
        given.total_map()?;
        let text = match to {
            "model" => language::write(problem).map_err(|e| Refused::Message(e.to_string(), None))?,
            _ => document::to_string(problem),
        };
        Ok(json!({ "text": text }))
    }

    fn export(&self, to: &str, monitor: &dyn Monitor) -> Result<Value, Refused> {
        let Last { problem, answer } = self.last()?;
        let (text, note) = exported(to, problem, answer.as_ref(), monitor)?;
        Ok(json!({ "text": text, "note": note }))
    }

    /// Notes what a model says of its variables, if it makes sense.
    fn learn(&mut self, name: &str, text: &str) {
        let read = language::read(name, text, &self.files, &[], Depth::Text, &Unlimited);
        if read.facts != Facts::default() {
            self.facts = Some((name.to_owned(), read.facts));
        }
    }

    fn complete(&mut self, name: &str, text: &str, at: usize) -> Value {
        if text.len() > LARGEST || !looks_like_model(name, text) {
            return json!({ "suggestions": [] });
        }
        self.learn(name, text);
        let facts = self.facts.as_ref().filter(|(of, _)| of == name).map(|(_, facts)| facts);
        let survey = language::survey(name, text, &self.files);
        let found = language::suggestions(text, byte(text, at), &survey, facts);
        let one = |found: Suggestion| {
            json!({
                "text": found.text,
                "sort": found.sort.map(|sort| sort.described().rsplit(' ').next()),
                "detail": found.detail,
                "meaning": found.meaning,
            })
        };
        json!({ "suggestions": found.into_iter().map(one).collect::<Vec<_>>() })
    }
}

/// Whether a text is in the language, as far as its name and its first letter tell.
fn looks_like_model(name: &str, text: &str) -> bool {
    foreign::recognised(name, text).is_none() && !language::looks_like_json(text)
}

/// The byte at a place that is counted in units of UTF-16.
fn byte(text: &str, units: usize) -> usize {
    let mut seen = 0;
    let past = text.char_indices().find(|(_, c)| {
        let here = seen >= units;
        seen += c.len_utf16();
        here
    });
    past.map_or(text.len(), |(at, _)| at)
}

/// What there is in a problem, and what one would ask first.
fn about(problem: &Problem) -> Value {
    let graph = &problem.world.graph;
    let maps = problem.observers().all(|observer| observer.map.is_some());
    let suggested = match (problem.plan.is_some(), maps) {
        _ if problem.world.goal.is_empty() => "audit",
        (true, true) => "check",
        (false, true) => "plan",
        (true, false) => "map",
        (false, false) => "both",
    };
    let observers: Vec<Option<&String>> =
        problem.observers().map(|observer| observer.name.as_ref()).collect();
    json!({
        "title": problem.name,
        "vertices": graph.len(),
        "edges": graph.arc_count(),
        "plan": problem.plan.is_some(),
        "maps": maps,
        "observers": observers,
        "suggested": suggested,
    })
}

fn refused(refused: Refused) -> Value {
    match refused {
        Refused::Message(error, help) => json!({ "error": error, "help": help }),
        Refused::Findings(found) => {
            json!({ "error": "the model has errors", "findings": found.render(false) })
        }
        Refused::Limit(limit) => {
            let error = match limit {
                Limit::Time => "the time limit was hit first",
                Limit::Memory => "the memory limit was hit first",
                Limit::Interrupt => "it was stopped",
            };
            json!({ "error": error, "limit": limit_word(limit) })
        }
    }
}

/// What was found wrong, with places in the text as a browser counts.
fn problems(name: &str, text: &str, found: &Diagnostics) -> Vec<Value> {
    found.iter().map(|finding| problem(name, text, found, finding)).collect()
}

fn problem(name: &str, text: &str, found: &Diagnostics, finding: &Diagnostic) -> Value {
    let units = |at: usize| text[..text.floor_char_boundary(at.min(text.len()))].encode_utf16().count();
    let here = finding.span.filter(|span| found.source(span.source).name == name);
    let elsewhere = finding.span.filter(|_| here.is_none()).map(|span| {
        let at = found.position(span);
        format!("{}:{}:{}", found.source(span.source).name, at.line, at.column)
    });
    let notes: Vec<&str> = finding.notes.iter().map(|note| note.text.as_str()).collect();
    // What a press can mend: only what is all in this text.
    let own = |fix: &&Fix| fix.edits.iter().all(|edit| found.source(edit.span.source).name == name);
    let fixes: Vec<Value> = finding
        .fixes
        .iter()
        .filter(own)
        .map(|fix| {
            let edit =
                |e: &Edit| json!({ "from": units(e.span.start), "to": units(e.span.end), "insert": e.text });
            json!({ "title": fix.title, "edits": fix.edits.iter().map(edit).collect::<Vec<_>>() })
        })
        .collect();
    json!({
        "code": finding.code.id(),
        "title": finding.code.title(),
        "severity": match finding.severity() { Severity::Error => "error", Severity::Warning => "warning" },
        "message": finding.message,
        "label": finding.label,
        "notes": notes,
        "help": finding.help,
        "from": here.map(|span| units(span.start)),
        "to": here.map(|span| units(span.end)),
        "where": elsewhere,
        "fixes": fixes,
    })
}
