//! Worlds and answers as bytes, for other processes and machines.
//!
//! A world is one compact buffer, which pickle can send out of band: numbers are as short as they are small, and neighbours are told by
//! how they differ. An answer is sent beside the problem that it belongs to, and without its explanation, which is found again when
//! somebody asks for it. The same bytes are read on every machine, by this version of divulge alone: both begin with a mark.

mod answer;
mod codec;
mod world;

pub use answer::{pack_answer, unpack_answer};
pub use world::{pack_world, unpack_world};
