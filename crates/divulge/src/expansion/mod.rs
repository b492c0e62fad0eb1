//! The robot's own knowledge.
