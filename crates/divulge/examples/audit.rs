//! Current-state opacity: can somebody who sees some events ever be sure that a system is in a secret state?
//!
//! `cargo run -p divulge --example audit`

use divulge::{Alphabet, Builder, Knows, LabelMap, Observer, Problem, Scope, Stipulation, Unlimited, ask};

/// A patient goes to the clinic or to the shop; both doors look alike from outside, the receipts do not.
fn street(receipts_look_alike: bool) -> Result<Problem, Box<dyn std::error::Error>> {
    let mut alphabet = Alphabet::new();
    let mut b = Builder::new(&mut alphabet);
    b.actions(["home", "clinic", "shop", "away"]).observations([
        "at_clinic",
        "at_shop",
        "paid_clinic",
        "paid_shop",
    ]);
    b.initial("home");
    b.edge("home", ["enter_clinic"], "at_clinic").edge("home", ["enter_shop"], "at_shop");
    b.edge("at_clinic", ["quiet"], "clinic").edge("at_shop", ["quiet"], "shop");
    b.edge("clinic", ["pay_clinic"], "paid_clinic").edge("shop", ["pay_shop"], "paid_shop");
    b.edge("paid_clinic", ["quiet"], "away").edge("paid_shop", ["quiet"], "away");
    let world = b.world()?;
    let map = LabelMap::from_fn(&alphabet, |l| match alphabet.name(l) {
        "enter_clinic" | "enter_shop" => "enters",
        "pay_clinic" | "pay_shop" if receipts_look_alike => "pays",
        other => other,
    });
    let secret = "!knows(is(clinic) | is(at_clinic) | is(paid_clinic))";
    let secret = Stipulation::new("secret", Scope::Always, secret)?;
    let neighbour = Observer { map: Some(map), stipulations: vec![secret], ..Observer::new(Knows::World) };
    Ok(Problem::new(alphabet, world, neighbour))
}

/// Runs the example.
pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    for alike in [true, false] {
        let problem = street(alike)?;
        let answer = ask(&problem).audit().within(&Unlimited)?;
        match answer.violation() {
            None => println!("receipts that look alike: nobody is ever sure"),
            Some(violation) => {
                let events: Vec<&str> =
                    violation.execution.iter().map(|&l| problem.alphabet.name(l)).collect();
                println!("receipts that differ: the neighbour is sure after {}", events.join(", "));
            }
        }
        assert_eq!(answer.violation().is_none(), alike);
    }
    Ok(())
}
