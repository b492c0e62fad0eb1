//! `divulge convert`.

use clap::{Args, ValueEnum};

use super::{Limits, Source};

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
    #[command(flatten)]
    pub limits: Limits,
}

/// The forms of a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Form {
    /// The problem document
    Json,
    /// A model in the divulge language, its graphs drawn
    Model,
    /// A picture for Graphviz
    Dot,
    /// The plan as a tree for BehaviorTree.CPP 4
    Bt,
    /// The search for a plan under the given map, as a model for NuSMV or nuXmv; needs --depth
    Smv,
    /// The world as an automaton for UMDES, DESUMA and VEiP
    Fsm,
    /// The world as a generator for libFAUDES
    Gen,
    /// The world as a transition system for CADP and mCRL2
    Aut,
    /// The search for a plan under the given map, as an MDP for PRISM and Storm
    Prism,
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
