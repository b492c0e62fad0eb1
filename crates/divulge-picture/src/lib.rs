//! Pictures of worlds, plans, estimates and maps.
//!
//! [`world`], [`plan`], [`map`], [`estimates`] and [`maps`] each draw something as a [`Panel`], or as several; [`figure`] makes one SVG
//! document of panels. For a single picture there are [`world_svg`], [`plan_svg`], [`map_svg`], [`estimates_svg`] and [`maps_svg`].
//!
//! ```
//! use divulge::{Alphabet, Builder, Knows, LabelMap, Observer, Problem, Scope, Stipulation, Unlimited};
//! use divulge_picture::{Style, estimates_svg, plan_svg, world_svg};
//!
//! let mut alphabet = Alphabet::new();
//! let mut b = Builder::new(&mut alphabet);
//! b.actions(["here", "there"]).observations(["on_the_way"]).initial("here").mark("there");
//! b.edge("here", ["walk", "run"], "on_the_way").edge("on_the_way", ["bell"], "there");
//! let world = b.world()?;
//! let mut b = Builder::new(&mut alphabet);
//! b.actions(["p0", "p2"]).observations(["p1"]).initial("p0").mark("p2");
//! b.edge("p0", ["walk"], "p1").edge("p1", ["bell"], "p2");
//! let walk = b.plan()?;
//! let map = LabelMap::identity(&alphabet);
//! let open = Stipulation::new("open", Scope::End, "knows(goal)")?;
//! let observer = Observer { map: Some(map.clone()), stipulations: vec![open], ..Observer::new(Knows::World) };
//! let problem = Problem::new(alphabet, world, observer);
//!
//! let style = Style::default();
//! assert!(world_svg(&problem, &style, &Unlimited).unwrap().starts_with("<svg"));
//! assert!(plan_svg(&problem, &walk, &style, &Unlimited).unwrap().contains("walk"));
//! assert!(estimates_svg(&problem, &walk, &map, None, &style, &Unlimited)?.ends_with("</svg>\n"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! What is drawn can be had without drawing: [`layout`] lays out any directed graph in layers, [`scene`] tells whether a world is a grid
//! and where everything is, [`Branches`] are the branches of a plan, [`variables`] the values that a set of vertices leaves open, and
//! [`text`] measures texts.
//!
//! Whatever may take long polls a [`Monitor`] and gives up when it says so.
//!
//! The same input gives the same bytes. Nothing here reads or writes files, and the crate compiles for `wasm32-unknown-unknown`. With the
//! feature `png`, `png` makes pixels of an SVG, with fonts of its own.

mod branches;
mod figure;
mod graph;
mod grid;
pub mod layout;
mod legend;
mod maps;
mod pace;
mod plan;
#[cfg(feature = "png")]
mod png;
pub mod scene;
mod strip;
mod svg;
pub mod text;
mod theme;
pub mod variables;
mod world;

pub use branches::{Branch, Branches};
pub use figure::{Panel, Style, figure, figure_size};
pub use maps::{map, map_of, maps};
pub use plan::plan;
#[cfg(feature = "png")]
pub use png::{PngError, png, scale_that_fits};
pub use strip::{Mark, estimates, log, moments};
pub use theme::{Colours, Theme};
pub use world::world;

use divulge::{
    problem::{Label, LabelMap, Plan, Problem},
    verdict::{Frontier, QuestionError},
};
use pace::{Limit, Monitor};

/// The title of a picture of this problem.
fn title(problem: &Problem) -> &str {
    problem.name.as_deref().unwrap_or("divulge")
}

/// The world as an SVG document; see [`world`].
///
/// # Errors
/// As [`world`].
pub fn world_svg(problem: &Problem, style: &Style, monitor: &dyn Monitor) -> Result<String, Limit> {
    Ok(figure(title(problem), &[world(problem, style, monitor)?], style))
}

/// A plan over its world as an SVG document; see [`plan`].
///
/// # Errors
/// As [`plan`].
pub fn plan_svg(problem: &Problem, of: &Plan, style: &Style, monitor: &dyn Monitor) -> Result<String, Limit> {
    Ok(figure(title(problem), &plan(problem, of, style, monitor)?, style))
}

/// A label map as an SVG document; see [`map`].
///
/// # Errors
/// As [`map`].
pub fn map_svg(
    problem: &Problem,
    of: &LabelMap,
    style: &Style,
    monitor: &dyn Monitor,
) -> Result<String, Limit> {
    Ok(figure(title(problem), &[map(problem, of, style, monitor)?], style))
}

/// What the observer believes, step by step, as an SVG document; see [`estimates`].
///
/// # Errors
/// As [`estimates`].
pub fn estimates_svg(
    problem: &Problem,
    plan: &Plan,
    map: &LabelMap,
    events: Option<&[Label]>,
    style: &Style,
    monitor: &dyn Monitor,
) -> Result<String, QuestionError> {
    Ok(figure(title(problem), &[estimates(problem, plan, map, events, style, monitor)?], style))
}

/// The frontier of maps as an SVG document; see [`maps`].
///
/// # Errors
/// As [`maps`].
pub fn maps_svg(
    problem: &Problem,
    frontier: &Frontier,
    style: &Style,
    monitor: &dyn Monitor,
) -> Result<String, Limit> {
    Ok(figure(title(problem), &[maps(problem, frontier, style, monitor)?], style))
}
