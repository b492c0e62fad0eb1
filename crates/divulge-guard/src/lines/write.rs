//! What the guard says.

use std::io::Write;

use divulge::problem::Problem;
use divulge_model::document::write::{Json, Layout};

use super::FORMAT;
use crate::gate::{Mode, Out};

/// Writes lines. Those for observers are prepared, so that they cost next to nothing.
pub struct Writer {
    names: Vec<String>,
    /// For each observer and image, the line up to its number.
    images: Vec<Vec<Vec<u8>>>,
    beats: Vec<Vec<u8>>,
    /// For each label, the line that says to do it.
    does: Vec<Vec<u8>>,
    mode: Mode,
}

impl Writer {
    /// For the observers of a problem, all of whom have maps.
    pub fn new(problem: &Problem, mode: Mode) -> Self {
        let names: Vec<String> = problem
            .observers()
            .map(|observer| observer.name.clone().unwrap_or_else(|| "observer".to_owned()))
            .collect();
        let images = problem.observers().zip(&names).map(|(observer, name)| {
            let map = observer.map.as_ref();
            let images = (0..map.map_or(0, |map| map.len())).map(|image| {
                let image = map.map_or("", |map| map.name(divulge::problem::Image(image as u32)));
                let mut line = object(|j| {
                    j.text_field("to", name)?;
                    j.text_field("image", image)
                });
                line.truncate(line.len() - 1);
                line.extend_from_slice(b", \"n\": ");
                line
            });
            images.collect()
        });
        let beat = |name: &String| {
            object(|j| {
                j.text_field("to", name)?;
                j.plain_field("beat", true)
            })
        };
        Self {
            images: images.collect(),
            beats: names.iter().map(beat).collect(),
            does: problem
                .alphabet
                .names()
                .iter()
                .map(|name| object(|j| j.texts_field("do", [name])))
                .collect(),
            names,
            mode,
        }
    }

    /// What the observers are called in lines.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Appends the line for an observer when a beat has nothing to show.
    pub fn beat(&self, observer: usize, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.beats[observer]);
        out.push(b'\n');
    }

    /// Appends a line.
    pub fn line(&self, said: &Out, out: &mut Vec<u8>) {
        match said {
            Out::Image { observer, image, n } => {
                out.extend_from_slice(&self.images[*observer as usize][image.index()]);
                let _ = write!(out, "{n}}}");
            }
            Out::Do(Some(label)) => out.extend_from_slice(&self.does[label.index()]),
            other => out.extend_from_slice(&self.rare(other)),
        }
        out.push(b'\n');
    }

    fn rare(&self, said: &Out) -> Vec<u8> {
        object(|j| match said {
            Out::Image { .. } | Out::Do(Some(_)) => Ok(()),
            Out::Do(None) => j.texts_field("do", []),
            Out::Hello { events } => {
                j.text_field("guard", FORMAT)?;
                j.text_field("mode", self.mode.word())?;
                j.plain_field("events", *events)
            }
            Out::Held(held) => {
                j.text_or_null_field("held", held.event.as_deref())?;
                j.text_field("reason", held.reason.word())?;
                j.text_field("message", &held.message)?;
                j.plain_field("status", u64::from(held.reason.status()))
            }
            Out::WouldHold(held) => {
                j.text_or_null_field("would_hold", held.event.as_deref())?;
                j.text_field("reason", held.reason.word())?;
                j.text_field("message", &held.message)
            }
            Out::Ended => j.plain_field("ended", true),
        })
    }
}

pub(crate) fn object(fields: impl FnOnce(&mut Json<Vec<u8>>) -> std::io::Result<()>) -> Vec<u8> {
    let mut json = Json::new(Vec::new());
    let written = json.object(Layout::Inline, fields).and_then(|()| json.finish());
    let mut line = written.expect("memory takes everything");
    while line.last() == Some(&b'\n') {
        line.pop();
    }
    line
}
