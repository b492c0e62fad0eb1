//! Sets of small numbers: bits, sets that grow, and stores that keep each set once.

pub mod bits;
mod grouped;
mod hybrid;
pub(crate) mod nodes;
mod order;
mod store;

pub use bits::BitSet;
pub(crate) use grouped::Grouped;
pub(crate) use hybrid::HybridStore;
pub use hybrid::Members;
pub(crate) use nodes::{NodeSet, Word};
pub(crate) use order::Order;
pub use store::{SetId, SetStore};
pub(crate) use store::{short, spread};
