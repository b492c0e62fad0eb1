//! Every label map under which a nuclear inspection can be planned: how many, the finest and the coarsest.
//!
//! `cargo run --release -p divulge --example nuclear_frontier`

use divulge::{Knows, Unlimited, Verdict, ask};
use divulge_model::families::{Nuclear, nuclear};

/// Runs the example.
pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let problem = nuclear(&Nuclear { knows: Knows::World, ..Nuclear::new(3, 4) })?;
    match ask(&problem).seek_maps().any_map().within(&Unlimited)?.verdict {
        Verdict::Frontier { frontier, .. } => {
            println!("{} of {} maps would do", frontier.feasible, frontier.maps);
            for (which, maps) in [("finest", &frontier.finest), ("coarsest", &frontier.coarsest)] {
                for found in maps {
                    println!("{which}: {} images, {} events", found.map.len(), found.worst_case.events);
                }
            }
            Ok(())
        }
        other => Err(format!("some map would do, not {other:?}").into()),
    }
}
