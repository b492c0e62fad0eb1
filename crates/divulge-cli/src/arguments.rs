//! The command line.

use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::limits::{seconds, size};

const STATUS: &str = "\
Exit status:
  0  it holds, or was found, or the thing was done
  1  it is violated, or there is none
  2  bad input or usage
  3  unknown: a limit was hit first";

const EXPLORE_STATUS: &str = "\
What the problem lacks is sought first: a plan, a map, or both.

Exit status:
  0  the page was written
  2  bad input or usage
  3  unknown: a limit was hit first";

/// Plans that keep stipulations on what an observer may and must come to know.
///
/// FILE is a problem document (JSON) or a model in the divulge language, recognised by content; `-` is standard input.
#[derive(Debug, Parser)]
#[command(name = "divulge", version, after_help = STATUS, max_term_width = 100)]
pub struct Arguments {
    /// What to do
    #[command(subcommand)]
    pub command: Command,
    /// Colours in messages
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub color: Color,
    /// No warnings and remarks on standard error
    #[arg(long, short, global = true)]
    pub quiet: bool,
}

/// When to use colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// If standard error is a terminal
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Does the plan solve the world, and does every stipulation hold?
    #[command(after_help = STATUS)]
    Check(Check),
    /// Do the stipulations of scope `always` hold whatever the robot does?
    #[command(after_help = STATUS)]
    Audit(Asking),
    /// Find a plan, a map, both, or all maps
    #[command(subcommand)]
    Seek(Seek),
    /// Write a page in which one walks through the plan beside its observer
    #[command(after_help = EXPLORE_STATUS)]
    Explore(Explore),
    /// How large the problem is
    #[command(after_help = STATUS)]
    Info(Info),
    /// Translate a problem into another form
    Convert(Convert),
    /// Draw the world, the plan, what the observer believes, or the maps that would do
    #[command(after_help = DRAW)]
    Draw(Draw),
    /// Walk through a plan in the terminal, beside its observer
    #[command(after_help = STEP)]
    Step(Step),
    /// Print models in canonical layout
    Fmt(Fmt),
    /// What a diagnostic's code means
    Explain {
        /// The code, such as E0503; all codes are listed without one
        code: Option<String>,
    },
    /// Seek and check a plan of the nuclear inspection, a built-in example
    Demo(Exploring),
    /// Write a problem of a family that grows with its parameters
    Generate(Generate),
    /// Write completions for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
}

/// A question and the limits on its answer.
#[derive(Debug, Args)]
pub struct Asking {
    #[command(flatten)]
    pub source: Source,
    /// One JSON object on standard output, and nothing else there
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub limits: Limits,
}

/// What to check.
#[derive(Debug, Args)]
pub struct Check {
    #[command(flatten)]
    pub asking: Asking,
    #[command(flatten)]
    pub explore: Exploring,
}

/// Whether the answer is to be explored.
#[derive(Debug, Args)]
pub struct Exploring {
    /// Also write a page in which one walks through the answer; see `divulge explore`
    #[arg(long, value_name = "FILE.html")]
    pub explore: Option<String>,
    /// Open that page in a browser
    #[arg(long)]
    pub open: bool,
}

/// What to explore, and where to write the page.
#[derive(Debug, Args)]
pub struct Explore {
    #[command(flatten)]
    pub source: Source,
    /// Where to write the page; `-` is standard output, and without this it is named after FILE
    #[arg(long, short, value_name = "FILE.html")]
    pub out: Option<String>,
    /// Open the page in a browser
    #[arg(long)]
    pub open: bool,
    /// Open at this moment: after these events
    #[arg(long, value_name = "EVENTS", value_delimiter = ',')]
    pub events: Option<Vec<String>>,
    #[command(flatten)]
    pub limits: Limits,
}

/// Where the problem comes from.
#[derive(Debug, Args)]
pub struct Source {
    /// A problem document or a model; `-` is standard input
    #[arg(value_name = "FILE")]
    pub file: String,
    /// Give a constant of a model another value, or choose its `plan` or `observer` by name; may be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = setting)]
    pub set: Vec<(String, String)>,
}

fn setting(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("NAME=VALUE is needed, such as rows=10")?;
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

/// When to give up.
#[derive(Debug, Args)]
pub struct Limits {
    /// Give up after so many seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub time_limit: Option<Duration>,
    /// Give up beyond so much memory, such as 512M or 2G
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub memory_limit: Option<u64>,
}

/// What to seek.
#[derive(Debug, Subcommand)]
pub enum Seek {
    /// A plan, the map being given: the one with the least worst case
    #[command(after_help = STATUS)]
    Plan(SeekPlan),
    /// A map, the plan being given
    #[command(after_help = STATUS)]
    Map(SeekMap),
    /// A plan and a map
    #[command(after_help = STATUS)]
    Both(SeekBoth),
    /// Every map with which the given plan, or some plan, would do: how many, the finest and the coarsest
    #[command(after_help = STATUS)]
    Maps(SeekMaps),
}

/// How to seek a plan.
#[derive(Debug, Args)]
pub struct SeekPlan {
    #[command(flatten)]
    pub asking: Asking,
    #[command(flatten)]
    pub explore: Exploring,
    /// Write the question with the answer filled in, as a document that `divulge check` accepts
    #[arg(long, value_name = "FILE")]
    pub out: Option<String>,
    /// What is made least in the worst case
    #[arg(long, value_name = "WHAT", default_value = "events")]
    pub minimize: Minimize,
    /// Prove the least number of events (a plan that is sought alone always has it)
    #[arg(long)]
    pub shortest: bool,
    /// How to search; see docs/engines.md
    #[arg(long, value_name = "WHICH", default_value = "native")]
    pub engine: Engine,
    /// How many threads to use; the answer is the same
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub threads: usize,
}

/// How to seek a map.
#[derive(Debug, Args)]
pub struct SeekMap {
    #[command(flatten)]
    pub asking: Asking,
    #[command(flatten)]
    pub explore: Exploring,
    /// Write the question with the answer filled in, as a document that `divulge check` accepts
    #[arg(long, value_name = "FILE")]
    pub out: Option<String>,
    /// Which map is wanted if there are several; without it, the first found
    #[arg(long, value_name = "WHICH")]
    pub prefer: Option<Prefer>,
    /// Set aside the map that FILE gives, and seek one
    #[arg(long)]
    pub any_map: bool,
    /// Prove the least number of events over all maps (a plan that is given has what it has)
    #[arg(long)]
    pub shortest: bool,
}

/// How to seek a plan and a map.
#[derive(Debug, Args)]
pub struct SeekBoth {
    #[command(flatten)]
    pub map: SeekMap,
    /// What the plan makes least in the worst case, the map being found
    #[arg(long, value_name = "WHAT", default_value = "events")]
    pub minimize: Minimize,
    /// How to search; see docs/engines.md
    #[arg(long, value_name = "WHICH", default_value = "native")]
    pub engine: Engine,
    /// How many threads to use; the answer is the same
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub threads: usize,
}

/// How to seek all maps.
#[derive(Debug, Args)]
pub struct SeekMaps {
    #[command(flatten)]
    pub asking: Asking,
    /// Set aside the plan that FILE gives: any plan would do, another for each map
    #[arg(long)]
    pub any_plan: bool,
    /// Set aside the map that FILE gives, and seek all
    #[arg(long)]
    pub any_map: bool,
    /// Prove the least number of events for each map listed (this is always done)
    #[arg(long)]
    pub shortest: bool,
    /// How many threads to use; the answer is the same
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub threads: usize,
}

/// Which map is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Prefer {
    /// One that hides least: no finer map will do, and none that will do has more images
    Finest,
    /// One that hides most: no coarser map will do, and none that will do has fewer images
    Coarsest,
    /// One whose merges cost least, as `merge_cost` says
    Cheapest,
}

/// The engines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Engine {
    /// This program's own: the plan has the least worst case
    Native,
    /// The paper's AND–OR search: any plan that holds; for comparison, on small problems
    AndOr,
}

/// What is made least.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Minimize {
    /// The number of events
    Events,
    /// The cost of the events
    Cost,
}

/// What to say of a problem.
#[derive(Debug, Args)]
pub struct Info {
    #[command(flatten)]
    pub asking: Asking,
    /// Print the stipulations in the paper's clausal form, and which clauses are dual-Horn
    #[arg(long, value_name = "OVER", num_args = 0..=1, require_equals = true, default_missing_value = "predicates")]
    pub clauses: Option<Over>,
}

/// What clauses are written over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Over {
    /// Predicates of vertices, as in the stipulations
    Predicates,
    /// Single vertices, as in the paper
    Vertices,
}

/// Deeper formulas than this are beyond what the model checkers can read.
const MOST_DEPTH: i64 = 1_000_000;

/// How to translate a problem.
#[derive(Debug, Args)]
pub struct Convert {
    #[command(flatten)]
    pub source: Source,
    /// The form wanted
    #[arg(long, value_name = "FORM", default_value = "json")]
    pub to: Form,
    /// Which graph to draw
    #[arg(long, value_name = "PART", default_value = "world")]
    pub part: Part,
    /// For `--to smv`: ask for a plan of at most so many events
    #[arg(long, value_name = "EVENTS", value_parser = clap::value_parser!(u32).range(..=MOST_DEPTH))]
    pub depth: Option<u32>,
    /// Where to write; `-` is standard output
    #[arg(long, short, value_name = "FILE", default_value = "-")]
    pub out: String,
}

const DRAW: &str = "\
Examples:
  divulge draw examples/nuclear.divulge -o nuclear.svg
  divulge draw examples/nuclear.divulge --what plan -o plan.png --scale 3
  divulge draw examples/pentagon.divulge --what maps -o maps.svg --theme print
  divulge draw examples/nuclear.divulge --what estimates --events right,nothing,down,blue -o blue.svg

What FILE does not give is sought, as `divulge seek` does.

Exit status: 0 if it was drawn, 1 if there is no plan or map to draw, 2 for bad input or usage, 3 if a limit was hit first.";

/// What to draw, and how.
#[derive(Debug, Args)]
pub struct Draw {
    #[command(flatten)]
    pub source: Source,
    /// Where to write; `-` is standard output. The ending tells the format: .svg, .png or .dot
    #[arg(long, short, value_name = "FILE", default_value = "-")]
    pub out: String,
    /// The format, if the name of the file does not tell
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<PictureFormat>,
    /// What to draw; may be several. Without it, all that FILE has or that can be found for it, but for the maps
    #[arg(long, value_name = "WHAT", value_delimiter = ',')]
    pub what: Vec<What>,
    /// The execution whose estimates are drawn, as labels with commas between them; without it, one for each way in
    /// which observations may turn out
    #[arg(long, value_name = "LABELS", value_delimiter = ',')]
    pub events: Vec<String>,
    /// The colours
    #[arg(long, value_name = "WHICH", default_value = "light")]
    pub theme: PictureTheme,
    /// For png: pixels to a unit
    #[arg(long, value_name = "FACTOR", default_value_t = 2.0)]
    pub scale: f64,
    /// Lines of pictures are broken before they get wider than so many units
    #[arg(long, value_name = "UNITS", default_value_t = 720.0)]
    pub width: f64,
    /// Of larger worlds only the neighbourhood of start and plan is drawn: at most so many vertices
    #[arg(long, value_name = "VERTICES", default_value_t = 1000)]
    pub most: usize,
    #[command(flatten)]
    pub limits: Limits,
}

const STEP: &str = "\
Examples:
  divulge step examples/nuclear.divulge
  divulge step examples/nuclear_hasty_violated.divulge       (then v, t)
  printf '1\\n1\\nw separate blue\\nq\\n' | divulge step examples/nuclear.divulge

What FILE does not give is sought, as `divulge seek` does. Commands are read from standard input, a line each; ? lists them.";

/// What to walk through.
#[derive(Debug, Args)]
pub struct Step {
    #[command(flatten)]
    pub source: Source,
    /// Begin after these events
    #[arg(long, value_name = "LABELS", value_delimiter = ',')]
    pub events: Vec<String>,
    /// The signs that grids are drawn with
    #[arg(long, value_name = "WHICH", default_value = "auto")]
    pub signs: Signs,
    #[command(flatten)]
    pub limits: Limits,
}

/// Signs in a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Signs {
    /// Unicode, if the environment says that the terminal shows it
    Auto,
    /// Letters and punctuation marks
    Ascii,
    /// Dots, shades and lines
    Unicode,
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
    /// What the observer holds possible, step by step
    Estimates,
    /// All maps that would do, by the finest and the coarsest
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
    /// Greys alone, for printers
    Print,
}

/// What to set in canonical layout.
#[derive(Debug, Args)]
pub struct Fmt {
    /// Models, or problem documents; `-` is standard input
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<String>,
    /// Rewrite the files instead of printing them
    #[arg(long, short)]
    pub write: bool,
    /// Change nothing; exit with status 1 if a file is not in canonical layout
    #[arg(long, conflicts_with = "write")]
    pub check: bool,
}

/// The forms of a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Form {
    /// The problem document
    Json,
    /// A picture for Graphviz
    Dot,
    /// The search for a plan, the map being given, as a model for NuSMV or nuXmv; needs --depth
    Smv,
}

/// The graphs of a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Part {
    /// The world
    World,
    /// The plan
    Plan,
    /// The plans or the graph that the observer knows
    Divulged,
    /// The filter's graph
    Filter,
}

/// Which problem to write, and where.
#[derive(Debug, Args)]
pub struct Generate {
    /// The family
    #[command(subcommand)]
    pub family: Family,
    /// Where to write; `-` is standard output
    #[arg(long, short, global = true, value_name = "FILE", default_value = "-")]
    pub out: String,
}

/// The families.
#[derive(Debug, Subcommand)]
pub enum Family {
    /// The paper's inspection of a nuclear facility on a grid
    Nuclear {
        /// Rows of the grid
        #[arg(long, default_value_t = 3)]
        rows: usize,
        /// Columns of the grid
        #[arg(long, default_value_t = 4)]
        cols: usize,
        /// What the observer knows of the plan
        #[arg(long, value_name = "WHAT", default_value = "world")]
        knows: Knowledge,
        /// What looks alike to the observer
        #[arg(long, value_name = "WHAT", value_delimiter = ',', default_value = "moves,type")]
        merge: Vec<Merge>,
        /// Leave out the stipulation that the type stays hidden
        #[arg(long)]
        no_hide: bool,
    },
    /// The paper's pentagon with any number of places; no map
    Ngon {
        /// How many places the loop has
        #[arg(default_value_t = 5)]
        n: usize,
        /// What the observer knows of the plan
        #[arg(long, value_name = "WHAT", default_value = "plan")]
        knows: Knowledge,
    },
    /// A corridor whose end must stay unknown: deep plans
    Corridor {
        /// Steps of the corridor
        #[arg(default_value_t = 10)]
        length: usize,
    },
    /// A rink on which moves take the robot one cell or two: nondeterministic outcomes
    Ice {
        /// Rows of the rink
        #[arg(long, default_value_t = 4)]
        rows: usize,
        /// Columns of the rink
        #[arg(long, default_value_t = 4)]
        cols: usize,
    },
    /// Digits that are shown and typed in: many labels
    Keypad {
        /// How many digits there are
        #[arg(long, default_value_t = 10)]
        digits: usize,
        /// How many are typed in
        #[arg(long, default_value_t = 4)]
        places: usize,
    },
    /// As many words to say as cards to draw, and no map: some of it must be told, some hidden
    Cards {
        /// How many cards, and words
        #[arg(long, default_value_t = 12)]
        cards: usize,
        /// How often something is said
        #[arg(long, default_value_t = 2)]
        rounds: usize,
        /// What must be told gives away what must be hidden: there is no solution
        #[arg(long)]
        clash: bool,
        /// What the observer knows of the plan
        #[arg(long, value_name = "WHAT", default_value = "world")]
        knows: Knowledge,
    },
    /// A random automaton of whose secret states the observer must not be sure: to be audited
    Automaton {
        /// How many states
        #[arg(long, default_value_t = 1000)]
        states: usize,
        /// How many events
        #[arg(long, default_value_t = 4)]
        events: usize,
        /// How many images the events have
        #[arg(long, default_value_t = 2)]
        images: usize,
        /// How many arcs of each event a state has on average, in hundredths
        #[arg(long, default_value_t = 100)]
        arcs: usize,
        /// How many states are secret
        #[arg(long, default_value_t = 20)]
        secrets: usize,
        /// How many states are initial
        #[arg(long, default_value_t = 1)]
        starts: usize,
        /// Which of the automata
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// A maze of rooms of which the observer sees the colours: many beliefs
    Rooms {
        /// How many rooms
        #[arg(long, default_value_t = 50)]
        rooms: usize,
        /// How many doors a room has
        #[arg(long, default_value_t = 3)]
        doors: usize,
        /// How many colours there are
        #[arg(long, default_value_t = 4)]
        colours: usize,
        /// Which of the mazes
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
}

/// What an observer of a family knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Knowledge {
    /// Nothing but the world
    World,
    /// That the goal is pursued
    GoalDirected,
    /// The plan itself
    Plan,
}

/// What looks alike in the nuclear family.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Merge {
    /// All moves
    Moves,
    /// left and right
    Sides,
    /// blue and dark
    Type,
    /// Nothing: every event looks like itself
    Nothing,
    /// No map at all: one is to be sought
    Sought,
}
