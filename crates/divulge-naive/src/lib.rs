//! The definitions, run as they stand.
//!
//! Every engine of `divulge` has a twin here that is slow and obviously correct: sets are `BTreeSet`s, nothing is shared
//! with the engines but the problem's data types and the formulas' syntax, and each file reads like the definition in its
//! title. Tests compare the two on many small problems, which [`random`] makes.
//!
//! *Background.* An execution s is a string of events. Whatever any question needs to know about s is what s reaches: a
//! set of vertices in the world, one in the plan, one in the divulged plan, and the observer's memory of h(s). There are
//! finitely many such tuples, so breadth-first search over them decides everything, and finds shortest executions.
//!
//! *Practical.* [`check`](check::check), [`audit`](audit::audit), [`seek_plan`](seek_plan::seek_plan) and
//! [`seek_maps`](maps::seek_maps) each take a [`Problem`](divulge::problem::Problem). [`shows`](witness::shows) and
//! [`verify_plan`](check::verify_plan) replay an engine's answers. [`beyond`] has the same for several observers, unseen events, runs, hindsight
//! and the past; [`reduce`](reduce::reduce) makes a problem on which two answers differ as small as can be.

pub mod almost_surely;
pub mod audit;
pub mod beyond;
pub mod check;
pub mod divulged;
pub mod examples;
pub mod expansion;
pub mod formula;
pub mod graph;
pub mod joint;
pub mod maps;
pub mod observer;
pub mod put;
pub mod random;
pub mod reduce;
mod seek_divulged;
pub mod seek_plan;
pub mod show;
pub mod witness;

/// Why a question has no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The question needs a plan and none is given.
    #[error("the problem has no plan")]
    NoPlan,
    /// The question needs a label map and none is given.
    #[error("the problem has no label map")]
    NoMap,
    /// The filter's I-state graph cannot trace this image string, a shortest one, of an execution of the world.
    #[error("the filter cannot trace {0:?}")]
    Untraceable(Vec<String>),
    /// Plan sought, plan divulged, and a filter other than the strongest.
    #[error("a divulged plan that is sought takes the strongest filter only")]
    FilterOfSoughtPlan,
    /// Map sought, and a filter that speaks of the map's images.
    #[error("a filter over images needs the map")]
    FilterOfSoughtMap,
    /// Unseen events, and a filter that is a graph: it alternates, and the images do not.
    #[error("a filter that is a graph needs every event to be seen")]
    FilterOfUnseen,
    /// Hindsight, and a filter that forgets.
    #[error("an observer who forgets has no hindsight")]
    HindsightOfFilter,
    /// Plan sought, plan divulged, and a stipulation of hindsight.
    #[error("hindsight needs a divulged plan that does not depend on the plan sought")]
    HindsightOfSoughtPlan,
    /// Plan sought, and two observers who know it and see differently.
    #[error("observers who know the plan sought must see alike")]
    SeenDifferently,
    /// Two observers lack a map.
    #[error("only one observer's map can be sought")]
    TwoMaps,
    /// The instance is beyond what brute force should be asked.
    #[error("too large for brute force")]
    TooLarge,
}
