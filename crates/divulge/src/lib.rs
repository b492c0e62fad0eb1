//! The formalism of divulge.
