//! Reads a file of another tool and says how large it is: `cargo run -p divulge-formats --example read -- FILE [DOMAIN]`.

use divulge::Unlimited;
use divulge_formats::{Beside, Failed, Recognised, read, recognise};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let files: Vec<String> = std::env::args().skip(1).collect();
    let [name, more @ ..] = &files[..] else { return Err("give a file".into()) };
    let text = std::fs::read_to_string(name)?;
    let domain = more.first().map(std::fs::read_to_string).transpose()?;
    let format = match recognise(name, &text) {
        Some(Recognised::Known(format)) => format,
        Some(Recognised::Refused(what, _)) => return Err(what.into()),
        None => return Err("it is no file of another tool".into()),
    };
    let machine =
        match read(format, &text, Beside { domain: domain.as_deref(), ..Beside::default() }, &Unlimited) {
            Ok(machine) => machine,
            Err(Failed::Faults(faults)) => return Err(faults[0].message.clone().into()),
            Err(Failed::Limit(limit)) => return Err(format!("{limit:?}").into()),
        };
    println!("{:?}", machine.facts());
    machine.notes.iter().for_each(|note| println!("{note}"));
    let problem = machine.problem()?;
    println!(
        "as a world, {} vertices and {} edges",
        problem.world.graph.len(),
        problem.world.graph.arc_count()
    );
    Ok(())
}
