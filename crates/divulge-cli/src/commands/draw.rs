//! `divulge draw`.

use std::path::Path;

use divulge::{
    ask::{Verdict, ask},
    limit::Monitor,
    problem::{Label, LabelMap, Problem},
    verdict::Frontier,
};
use divulge_picture::{self as picture, Panel, Style, Theme};
use divulge_render::dot;

use super::{attend, events::execution, present::completed, watched};
use crate::{
    arguments::{Draw, PictureFormat, PictureTheme, What},
    input::Input,
    limits::Watch,
    output::{Terminal, to_file_within},
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
    attend(&asked.source.file, watch);
    let input = Input::read(&asked.source, terminal, watch)?;
    let mut notes = Vec::new();
    let done = match format {
        PictureFormat::Dot => graphviz(asked, input, &mut notes, watch)?,
        PictureFormat::Svg | PictureFormat::Png => picture(asked, format, style, input, &mut notes, watch)?,
    };
    watch.answered();
    notes.iter().for_each(|note| terminal.note(&format!("{note}\n")));
    Ok(done)
}

/// Draws panels. `notes` are said when all is done.
fn picture(
    asked: &Draw,
    format: PictureFormat,
    style: &Style,
    input: Input,
    notes: &mut Vec<String>,
    watch: &Watch,
) -> Result<Status, Failure> {
    let problem = match asked.what.is_empty() || lacks(&asked.what, &input.problem) {
        true => match filled_in(input, notes, watch)? {
            (problem, true) => problem,
            (problem, false) if asked.what.is_empty() => {
                notes.push(
                    "note: no plan or map keeps every stipulation, so only the world is drawn".to_owned(),
                );
                Problem { plan: None, ..problem }
            }
            (_, false) => {
                notes.push(
                    "none: there is nothing to draw, since no plan or map keeps every stipulation".to_owned(),
                );
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
    let mut drawn = panels(asked, &problem, style, notes, watch)?;
    let scale = match format {
        PictureFormat::Png => fitted(asked, &problem, style, &mut drawn, notes, watch)?,
        PictureFormat::Svg | PictureFormat::Dot => 1.0,
    };
    let panels: Vec<Panel> = drawn.into_iter().flat_map(|(_, panels)| panels).collect();
    notes.extend(panels.iter().filter_map(|panel| Some(format!("note: {}", panel.left_out.as_ref()?))));
    let svg = picture::figure(problem.name.as_deref().unwrap_or("divulge"), &panels, style);
    if format != PictureFormat::Png {
        to_file_within(&asked.out, watch, |out| out.write_all(svg.as_bytes()))?;
        return Ok(Status::Yes);
    }
    let pixels =
        picture::png(&svg, scale).map_err(|e| Failure::new(e.to_string(), "draw an .svg instead"))?;
    to_file_within(&asked.out, watch, |out| out.write_all(&pixels))?;
    Ok(Status::Yes)
}

/// What is drawn, in panels.
type Drawn = Vec<(What, Vec<Panel>)>;

/// A part with fewer vertices than this is not made smaller still.
const SMALLEST_PART: usize = 40;

/// Texts of a picture are legible at this scale, and hardly below.
const LEGIBLE: f64 = 1.0;

/// Makes a picture small enough to be held as pixels: by a smaller scale as long as it stays legible, then by drawing a smaller part
/// of what is large, and if there is no such thing by a still smaller scale. Gives the scale.
fn fitted(
    asked: &Draw,
    problem: &Problem,
    style: &Style,
    drawn: &mut Drawn,
    notes: &mut Vec<String>,
    watch: &Watch,
) -> Result<f64, Failure> {
    let fits = |drawn: &Drawn| {
        let panels: Vec<Panel> = drawn.iter().flat_map(|(_, panels)| panels).cloned().collect();
        picture::scale_that_fits(picture::figure_size(&panels, style), asked.scale)
    };
    let plan = problem.plan.as_ref().map_or(0, |plan| plan.graph.len());
    let all = style.most.min(problem.world.graph.len().max(plan).max(problem.alphabet.len()));
    let (mut most, mut scale) = (all, fits(drawn));
    let parts = |what: &What| matches!(what, What::World | What::Plan | What::Map);
    let wanted = asked.scale.min(LEGIBLE);
    while scale < wanted && most > SMALLEST_PART && drawn.iter().any(|(what, _)| parts(what)) {
        let share = (scale / wanted).clamp(0.2, 0.9);
        most = ((most as f64 * share) as usize).max(SMALLEST_PART);
        let smaller = Style { most, ..style.clone() };
        for (what, panels) in drawn.iter_mut().filter(|(what, _)| parts(what)) {
            *panels = part(*what, problem, &smaller, watch)?;
        }
        scale = fits(drawn);
    }
    if most < all {
        notes.push(format!("note: pixels can show at most {most} vertices here; an .svg can show more"));
    }
    if scale < asked.scale {
        notes.push(format!(
            "note: drawn at scale {scale:.3} instead of {}, or there would be too many pixels",
            asked.scale
        ));
    }
    Ok(scale)
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
            format!("the name `{}` does not say what kind of picture to draw", asked.out),
            "end it with .svg, .png or .dot, or give --format svg, png or dot",
        )),
    }
}

fn style(asked: &Draw) -> Result<Style, Failure> {
    if !(asked.scale > 0.0 && asked.scale.is_finite()) {
        return Err(Failure::new("--scale must be more than 0", "2 means two pixels per unit"));
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

/// The map of the observer whose map is sought, or of the first: if it has one, so does everybody.
fn map(problem: &Problem) -> Option<&LabelMap> {
    problem.observers().nth(problem.sought())?.map.as_ref()
}

/// Whether something is wanted that the problem does not have.
fn lacks(what: &[What], problem: &Problem) -> bool {
    what.iter().any(|what| match what {
        What::Plan => problem.plan.is_none(),
        What::Map => map(problem).is_none(),
        What::Estimates => problem.plan.is_none() || map(problem).is_none(),
        What::World | What::Maps => false,
    })
}

/// The problem with what was missing, which is sought, and whether it was found.
fn filled_in(input: Input, notes: &mut Vec<String>, watch: &Watch) -> Result<(Problem, bool), Failure> {
    let had = (input.problem.plan.is_some(), input.problem.observers().all(|o| o.map.is_some()));
    let (problem, none) = completed(input, watch)?;
    let found = match had {
        (true, true) => return Ok((problem, true)),
        (false, true) => "no plan; divulge found this one",
        (true, false) => "no map; divulge found this one",
        (false, false) => "neither plan nor map; divulge found these",
    };
    if none.is_none() {
        notes.push(format!("note: the file gives {found}"));
    }
    Ok((problem, none.is_none()))
}

fn panels(
    asked: &Draw,
    problem: &Problem,
    style: &Style,
    notes: &mut Vec<String>,
    watch: &Watch,
) -> Result<Drawn, Failure> {
    let mut what = asked.what.clone();
    if what.is_empty() {
        what.push(if problem.plan.is_some() { What::Plan } else { What::World });
        what.extend(map(problem).map(|_| What::Map));
        if problem.plan.is_some() && map(problem).is_some() {
            what.push(What::Estimates);
        }
    } else if !asked.events.is_empty() && !what.contains(&What::Estimates) {
        return Err(Failure::new(
            "--events says which estimates to draw, but no estimates are drawn",
            "add --what estimates",
        ));
    }
    let mut drawn = Vec::new();
    for what in what {
        let panels = match (what, &problem.plan, map(problem)) {
            (What::Estimates, Some(plan), Some(map)) => {
                let events = events(asked, problem, notes, watch)?;
                vec![picture::estimates(problem, plan, map, events.as_deref(), style, watch)?]
            }
            (What::Maps, ..) if !problem.others.is_empty() => {
                let whose = problem.sought();
                let name = problem.called(whose);
                notes.push(format!(
                    "note: the maps are those of {name} alone; choose another observer with --observer"
                ));
                vec![frontier(&problem.clone().about(whose), style, watch)?]
            }
            (What::Maps, ..) => vec![frontier(problem, style, watch)?],
            _ => part(what, problem, style, watch)?,
        };
        drawn.push((what, panels));
    }
    Ok(drawn)
}

/// What is drawn in part if it is large; nothing of what the problem does not have.
fn part(what: What, problem: &Problem, style: &Style, watch: &Watch) -> Result<Vec<Panel>, Failure> {
    Ok(match (what, &problem.plan) {
        (What::World, _) => vec![picture::world(problem, style, watch)?],
        (What::Plan, Some(plan)) => picture::plan(problem, plan, style, watch)?,
        (What::Map, _) => {
            let each = problem.observers().filter_map(|observer| Some((observer, observer.map.as_ref()?)));
            let panels = each.map(|(observer, map)| picture::map_of(problem, observer, map, style, watch));
            panels.collect::<Result<_, _>>()?
        }
        _ => Vec::new(),
    })
}

/// All maps: one that is given is set aside, since the picture is about the others too.
fn frontier(problem: &Problem, style: &Style, monitor: &dyn Monitor) -> Result<Panel, Failure> {
    let answer = ask(problem).seek_maps().any_map().threads(0).within(monitor)?;
    let found = match answer.verdict {
        Verdict::Frontier { frontier, .. } => *frontier,
        Verdict::Unknown { limit, .. } => return Err(Failure::Limit(limit)),
        _ => Frontier::default(),
    };
    Ok(picture::maps(problem, &found, style, monitor)?)
}

/// The execution to draw: the one given, or the one that shows how the plan fails, or none in particular.
fn events(
    asked: &Draw,
    problem: &Problem,
    notes: &mut Vec<String>,
    monitor: &dyn Monitor,
) -> Result<Option<Vec<Label>>, Failure> {
    if asked.events.is_empty() {
        let answer = ask(problem).check().within(monitor)?;
        if let Verdict::Unknown { limit, .. } = answer.verdict {
            return Err(Failure::Limit(limit));
        }
        return Ok(answer.violation().map(|violation| {
            let reason = violation.reason.word();
            notes.push(format!(
                "note: the plan fails ({reason}); a shortest execution that shows it is drawn"
            ));
            violation.execution.clone()
        }));
    }
    execution(problem, &asked.events).map(Some)
}

/// The world or the plan for Graphviz.
fn graphviz(asked: &Draw, input: Input, notes: &mut Vec<String>, watch: &Watch) -> Result<Status, Failure> {
    match asked.what[..] {
        [] | [What::World] => to_file_within(&asked.out, watch, |out| dot::world(out, &input.problem))?,
        [What::Plan] => {
            let problem = match input.problem.plan {
                Some(_) => input.problem,
                None => filled_in(input, notes, watch)?.0,
            };
            let Some(plan) = &problem.plan else {
                notes.push("none: there is no plan to draw, since none keeps every stipulation".to_owned());
                return Ok(Status::No);
            };
            to_file_within(&asked.out, watch, |out| dot::plan(out, plan, &problem.alphabet))?;
        }
        _ => {
            return Err(Failure::new(
                "Graphviz takes one graph: the world or the plan",
                "give --what world or --what plan, or another format",
            ));
        }
    }
    Ok(Status::Yes)
}
