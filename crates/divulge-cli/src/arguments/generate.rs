//! `divulge generate`.

use clap::{Args, Subcommand, ValueEnum};

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
    /// A courier on coloured tiles who must not give away what it carries: many beliefs, and many plans
    Parcels {
        /// Tiles a side
        #[arg(long, default_value_t = 6)]
        size: usize,
        /// Kinds of parcels
        #[arg(long, default_value_t = 3)]
        kinds: usize,
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
    /// A ward on a ring: a nurse who must be told, visitors who must not find out: several observers
    Wards {
        /// Rooms of the ring, the station among them
        #[arg(long, default_value_t = 6)]
        rooms: usize,
        /// How many visitors there are
        #[arg(long, default_value_t = 2)]
        visitors: usize,
        /// What the first visitor knows of the plan; the others know nothing of it
        #[arg(long, value_name = "WHAT", default_value = "world")]
        knows: Knowledge,
    },
    /// Tunnels of different lengths between junctions, in which the robot is not seen: unseen events
    Tunnels {
        /// How many junctions
        #[arg(long, default_value_t = 6)]
        junctions: usize,
        /// The most steps of a tunnel
        #[arg(long, default_value_t = 4)]
        length: usize,
        /// What the observer knows of the plan
        #[arg(long, value_name = "WHAT", default_value = "world")]
        knows: Knowledge,
    },
    /// Signals that must become known one after the other: stipulations over runs
    Relays {
        /// How many stations, each with a signal
        #[arg(long, default_value_t = 4)]
        stations: usize,
        /// What the observer knows of the plan
        #[arg(long, value_name = "WHAT", default_value = "world")]
        knows: Knowledge,
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
