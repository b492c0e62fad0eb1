//! Model text to problem.
