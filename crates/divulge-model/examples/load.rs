//! Reads a document and says how long it took: `cargo run --release -p divulge-model --example load -- FILE`.

use std::time::Instant;

use divulge_model::{diagnostic::decode, document};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("usage: load FILE")?;
    let start = Instant::now();
    let bytes = std::fs::read(&path)?;
    let size = bytes.len();
    let read = start.elapsed();
    let text = decode(&path, bytes).map_err(|found| found.render(false))?;
    let document = document::read(&path, &text).map_err(|found| found.render(false))?;
    let graph = &document.problem.world.graph;
    println!("{size} bytes, {} vertices, {} arcs", graph.len(), graph.arc_count());
    println!("{:.2?}, of which {read:.2?} for the file", start.elapsed());
    Ok(())
}
