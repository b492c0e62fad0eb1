//! `divulge draw`.

use clap::{Args, ValueEnum};

use super::{Limits, Source};

/// What its help ends with.
pub const NOTES: &str = "\
Examples:
  divulge draw examples/nuclear.divulge -o nuclear.svg
  divulge draw examples/nuclear.divulge --what plan -o plan.png --scale 3
  divulge draw examples/pentagon.divulge --what maps -o maps.svg --theme print
  divulge draw examples/nuclear.divulge --what estimates --events right,nothing,down,blue -o blue.svg

If FILE lacks a plan or a map, divulge looks for one, as `divulge seek` does.

Exit status: 0 if it was drawn, 1 if there is no plan or map to draw, 2 for bad input or usage, 3 if a limit was hit first.";

/// What to draw, and how.
#[derive(Debug, Args)]
pub struct Draw {
    #[command(flatten)]
    pub source: Source,
    /// Where to write; `-` is standard output. The ending gives the format: .svg, .png or .dot
    #[arg(long, short, value_name = "FILE", default_value = "-")]
    pub out: String,
    /// The format, if the name of the file does not give it
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<PictureFormat>,
    /// What to draw, separated by commas. Without this, everything that FILE has or that is found for it, except maps
    #[arg(long, value_name = "WHAT", value_delimiter = ',')]
    pub what: Vec<What>,
    /// Draw the estimates of this execution: labels, separated by commas. Without this, one execution for each way
    /// observations may turn out
    #[arg(long, value_name = "LABELS", value_delimiter = ',')]
    pub events: Vec<String>,
    /// The colours
    #[arg(long, value_name = "WHICH", default_value = "light")]
    pub theme: PictureTheme,
    /// For .png: pixels per unit; fewer if there would be too many
    #[arg(long, value_name = "FACTOR", default_value_t = 2.0)]
    pub scale: f64,
    /// The width of the figure, in units
    #[arg(long, value_name = "UNITS", default_value_t = 720.0)]
    pub width: f64,
    /// Draw at most so many vertices: of larger worlds, what is near the start and the plan
    #[arg(long, value_name = "VERTICES", default_value_t = 1000)]
    pub most: usize,
    #[command(flatten)]
    pub limits: Limits,
}

/// What can be drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum What {
    /// The world: a grid with its walls, landmarks and goals, or a graph in layers
    World,
    /// The plan over the world, in the colours of its branches
    Plan,
    /// The label map: groups of look-alike labels
    Map,
    /// What the observer thinks possible, step by step
    Estimates,
    /// The finest and the coarsest maps that work
    Maps,
}

/// The forms of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PictureFormat {
    /// Vectors
    Svg,
    /// Pixels
    Png,
    /// A graph for Graphviz: the world or the plan
    Dot,
}

/// The colours of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PictureTheme {
    /// Dark on white
    Light,
    /// Light on black
    Dark,
    /// Greys only, for printers
    Print,
}
