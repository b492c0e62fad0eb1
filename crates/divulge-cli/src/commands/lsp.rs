//! `divulge lsp`.

use crate::status::{Failure, Status};

/// Serves an editor until it leaves.
pub fn run() -> Result<Status, Failure> {
    divulge_lsp::stdio().map_err(|e| {
        Failure::new(
            format!("the conversation with the editor broke off: {e}"),
            "editors start this command themselves; docs/editors.md says how to set them up",
        )
    })?;
    Ok(Status::Yes)
}
