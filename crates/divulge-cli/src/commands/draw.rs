//! `divulge draw`.

use std::path::Path;

use divulge::{
    ask::{Verdict, ask},
    limit::Monitor,
    problem::{Label, Problem},
    verdict::Frontier,
};
use divulge_picture::{self as picture, Panel, Style, Theme};
use divulge_render::dot;

use super::{events::execution, present::completed, watched};
use crate::{
    arguments::{Draw, PictureFormat, PictureTheme, What},
    input::Input,
    limits::Watch,
    output::{Terminal, to_file},
    status::{Failure, Status},
};

/// Draws what is asked for and writes the picture.
pub fn run(asked: &Draw, terminal: &Terminal) -> Result<Status, Failure> {
    let format = format(asked)?;
    let style = style(asked)?;
    watched(&asked.limits, false, terminal, |watch| draw(asked, format, &style, terminal, watch))
}

fn draw(
    asked: &Draw,
    format: PictureFormat,
    style: &Style,
    terminal: &Terminal,
    watch: &Watch,
) -> Result<Status, Failure> {
    let input = Input::read(&asked.source, terminal, watch)?;
    if format == PictureFormat::Dot {
        return graphviz(asked, input, terminal, watch);
    }
    let problem = match asked.what.is_empty() || lacks(&asked.what, &input.problem) {
        true => match filled_in(input, terminal, watch)? {
            (problem, true) => problem,
            (problem, false) if asked.what.is_empty() => {
                terminal.note("note: no plan or map keeps every stipulation, so the world is drawn alone\n");
                Problem { plan: None, ..problem }
            }
            (_, false) => {
                watch.answered();
                terminal.note("none: there is no plan or map to draw, since none keeps every stipulation\n");
                return Ok(Status::No);
            }
        },
        false => {
            if asked.what.iter().any(|what| matches!(what, What::Map | What::Estimates)) {
                input.total_map()?;
            }
            input.problem
        }
    };
    let panels = panels(asked, &problem, style, terminal, watch)?;
    watch.answered();
    for note in panels.iter().filter_map(|panel| panel.left_out.as_ref()) {
        terminal.note(&format!("note: {note}\n"));
    }
    let svg = picture::figure(problem.name.as_deref().unwrap_or("divulge"), &panels, style);
    match format {
        PictureFormat::Png => {
            let pixels = picture::png(&svg, asked.scale)
                .map_err(|e| Failure::new(e.to_string(), "give a smaller --scale, or draw an svg"))?;
            to_file(&asked.out, |out| out.write_all(&pixels))?;
        }
        PictureFormat::Svg | PictureFormat::Dot => to_file(&asked.out, |out| out.write_all(svg.as_bytes()))?,
    }
    Ok(Status::Yes)
}

fn format(asked: &Draw) -> Result<PictureFormat, Failure> {
    if let Some(format) = asked.format {
        return Ok(format);
    }
    if asked.out == "-" {
        return Ok(PictureFormat::Svg);
    }
    let ending = Path::new(&asked.out).extension().and_then(|e| e.to_str()).map(str::to_ascii_lowercase);
    match ending.as_deref() {
        Some("svg") => Ok(PictureFormat::Svg),
        Some("png") => Ok(PictureFormat::Png),
        Some("dot" | "gv") => Ok(PictureFormat::Dot),
        _ => Err(Failure::new(
            format!("the name `{}` does not tell what kind of picture is wanted", asked.out),
            "end it with .svg, .png or .dot, or say --format svg, png or dot",
        )),
    }
}

fn style(asked: &Draw) -> Result<Style, Failure> {
    if !(asked.scale > 0.0 && asked.scale.is_finite()) {
        return Err(Failure::new("--scale must be more than 0", "2 gives two pixels to a unit"));
    }
    if !(100.0..=100_000.0).contains(&asked.width) {
        return Err(Failure::new("--width must be between 100 and 100000", "720 is the default"));
    }
    let theme = match asked.theme {
        PictureTheme::Light => Theme::Light,
        PictureTheme::Dark => Theme::Dark,
        PictureTheme::Print => Theme::Print,
    };
    Ok(Style { theme, most: asked.most.max(1), width: asked.width })
}

/// Whether something is wanted that the problem does not have.
fn lacks(what: &[What], problem: &Problem) -> bool {
    what.iter().any(|what| match what {
        What::Plan => problem.plan.is_none(),
        What::Map => problem.observer.map.is_none(),
        What::Estimates => problem.plan.is_none() || problem.observer.map.is_none(),
        What::World | What::Maps => false,
    })
}

/// The problem with what was missing, which is sought, and whether it was found.
fn filled_in(input: Input, terminal: &Terminal, watch: &Watch) -> Result<(Problem, bool), Failure> {
    let had = (input.problem.plan.is_some(), input.problem.observer.map.is_some());
    let (problem, none) = completed(input, watch)?;
    let sought = match had {
        (true, true) => return Ok((problem, true)),
        (false, true) => "the plan that is drawn was",
        (true, false) => "the map that is drawn was",
        (false, false) => "the plan and the map that are drawn were",
    };
    if none.is_none() {
        terminal.note(&format!("note: {sought} sought\n"));
    }
    Ok((problem, none.is_none()))
}

fn panels(
    asked: &Draw,
    problem: &Problem,
    style: &Style,
    terminal: &Terminal,
    monitor: &dyn Monitor,
) -> Result<Vec<Panel>, Failure> {
    let mut what = asked.what.clone();
    if what.is_empty() {
        what.push(if problem.plan.is_some() { What::Plan } else { What::World });
        what.extend(problem.observer.map.as_ref().map(|_| What::Map));
        if problem.plan.is_some() && problem.observer.map.is_some() {
            what.push(What::Estimates);
        }
    } else if !asked.events.is_empty() && !what.contains(&What::Estimates) {
        return Err(Failure::new(
            "--events says which estimates to draw, and none are drawn",
            "add --what estimates",
        ));
    }
    let mut panels = Vec::new();
    for what in what {
        match (what, &problem.plan, &problem.observer.map) {
            (What::World, ..) => panels.push(picture::world(problem, style)),
            (What::Plan, Some(plan), _) => panels.extend(picture::plan(problem, plan, style)),
            (What::Map, _, Some(map)) => panels.push(picture::map(problem, map, style)),
            (What::Estimates, Some(plan), Some(map)) => {
                let events = events(asked, problem, terminal, monitor)?;
                panels.push(picture::estimates(problem, plan, map, events.as_deref(), style)?);
            }
            (What::Maps, ..) => panels.push(frontier(problem, style, monitor)?),
            (What::Plan | What::Map | What::Estimates, ..) => {}
        }
    }
    Ok(panels)
}

/// All maps: one that is given is set aside, since the picture is about the others too.
fn frontier(problem: &Problem, style: &Style, monitor: &dyn Monitor) -> Result<Panel, Failure> {
    let answer = ask(problem).seek_maps().any_map().threads(0).within(monitor)?;
    let found = match answer.verdict {
        Verdict::Frontier { frontier, .. } => *frontier,
        Verdict::Unknown { limit, .. } => return Err(Failure::Limit(limit)),
        _ => Frontier::default(),
    };
    Ok(picture::maps(problem, &found, style))
}

/// The execution to draw: the one given, or the one that shows how the plan fails, or none in particular.
fn events(
    asked: &Draw,
    problem: &Problem,
    terminal: &Terminal,
    monitor: &dyn Monitor,
) -> Result<Option<Vec<Label>>, Failure> {
    if asked.events.is_empty() {
        let answer = ask(problem).check().within(monitor)?;
        if let Verdict::Unknown { limit, .. } = answer.verdict {
            return Err(Failure::Limit(limit));
        }
        return Ok(answer.violation().map(|violation| {
            let reason = violation.reason.word();
            terminal.note(&format!(
                "note: the plan fails ({reason}); a shortest execution that shows it is drawn\n"
            ));
            violation.execution.clone()
        }));
    }
    execution(problem, &asked.events).map(Some)
}

/// The world or the plan for Graphviz.
fn graphviz(asked: &Draw, input: Input, terminal: &Terminal, watch: &Watch) -> Result<Status, Failure> {
    match asked.what[..] {
        [] | [What::World] => {
            watch.answered();
            to_file(&asked.out, |out| dot::world(out, &input.problem))?;
        }
        [What::Plan] => {
            let problem = match input.problem.plan {
                Some(_) => input.problem,
                None => filled_in(input, terminal, watch)?.0,
            };
            watch.answered();
            let Some(plan) = &problem.plan else { return Ok(Status::No) };
            to_file(&asked.out, |out| dot::plan(out, plan, &problem.alphabet))?;
        }
        _ => {
            return Err(Failure::new(
                "Graphviz draws one graph: the world or the plan",
                "give --what world or --what plan, or another format",
            ));
        }
    }
    Ok(Status::Yes)
}
