//! A courier, a porter and a secret address: a plan is sought, and a careless one is shown to give the address away.
//!
//! `cargo run -p divulge --example courier`

use divulge::{Alphabet, Builder, Knows, LabelMap, Observer, Problem, Scope, Stipulation, Unlimited, ask};

/// A parcel is for Ann or for Bob. The stairs on the left lead to Ann, those on the right to Bob, and the lift to both.
fn courier() -> Result<Problem, Box<dyn std::error::Error>> {
    let mut alphabet = Alphabet::new();
    let mut b = Builder::new(&mut alphabet);
    b.actions(["depot", "ann_due", "bob_due"]).observations(["scanned", "at_ann", "at_bob"]);
    b.initial("depot").mark("at_ann").mark("at_bob");
    b.edge("depot", ["scan"], "scanned").edge("scanned", ["ann"], "ann_due").edge(
        "scanned",
        ["bob"],
        "bob_due",
    );
    b.edge("ann_due", ["left", "lift"], "at_ann").edge("bob_due", ["right", "lift"], "at_bob");
    let world = b.world()?;
    // The porter sees everything but the address, knows the plan, and must never know whose parcel it is.
    let map = LabelMap::from_fn(&alphabet, |l| match alphabet.name(l) {
        "ann" | "bob" => "address",
        other => other,
    });
    let discreet = Stipulation::new("discreet", Scope::Always, "!knows(is(at_ann)) & !knows(is(at_bob))")?;
    let porter = Observer { map: Some(map), stipulations: vec![discreet], ..Observer::new(Knows::Plan) };
    Ok(Problem::new(alphabet, world, porter))
}

/// Runs the example.
pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut problem = courier()?;
    let answer = ask(&problem).seek_plan().within(&Unlimited)?;
    let found = answer.found().ok_or("there is a plan: the lift will do")?;
    println!("a plan of at most {} events", found.worst_case.events);

    let mut b = Builder::new(&mut problem.alphabet);
    b.actions(["p0", "p2", "p3"]).observations(["p1", "end"]).initial("p0").mark("end");
    b.edge("p0", ["scan"], "p1").edge("p1", ["ann"], "p2").edge("p1", ["bob"], "p3");
    b.edge("p2", ["left"], "end").edge("p3", ["right"], "end");
    problem.plan = Some(b.plan()?);
    let answer = ask(&problem).check().within(&Unlimited)?;
    let violation = answer.violation().ok_or("the stairs tell")?;
    let events: Vec<&str> = violation.execution.iter().map(|&l| problem.alphabet.name(l)).collect();
    println!("by the stairs the porter knows after {}", events.join(", "));
    Ok(())
}
