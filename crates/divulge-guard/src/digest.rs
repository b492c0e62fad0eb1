//! What a journal belongs to.

use std::io;

use divulge::problem::Problem;
use divulge_model::document;
use sha2::{Digest, Sha256};

/// Writes into a hash.
struct Hashing(Sha256);

impl io::Write for Hashing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The SHA-256 of a problem as a document, in hexadecimal: its world, plan, maps, observers and stipulations.
pub fn digest(problem: &Problem) -> String {
    let mut hashing = Hashing(Sha256::new());
    document::write(problem, &mut hashing).expect("a hash takes everything");
    hashing.0.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}
