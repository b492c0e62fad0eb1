//! Recursion as deep as plans are long.

/// Calls `f` with room on the stack.
#[cfg(not(target_family = "wasm"))]
pub(crate) fn deep<T>(f: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(64 << 10, 4 << 20, f)
}

/// Calls `f`; here the stack is as large as the host made it.
#[cfg(target_family = "wasm")]
pub(crate) fn deep<T>(f: impl FnOnce() -> T) -> T {
    f()
}
