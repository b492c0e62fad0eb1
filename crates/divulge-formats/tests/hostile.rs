//! Truncated and altered files: every one is read or refused with a place that is in the text, and nothing panics.

use divulge::limit::{Limit, Monitor, Progress};
use divulge_formats::{Beside, Failed, Recognised, read, recognise};
use std::sync::atomic::{AtomicU64, Ordering};

/// Stops what takes too many steps.
struct Patience(AtomicU64);

impl Monitor for Patience {
    fn poll(&self, _: &Progress) -> Result<(), Limit> {
        if self.0.fetch_add(1, Ordering::Relaxed) > 200 { Err(Limit::Time) } else { Ok(()) }
    }
}

fn attempt(name: &str, text: &str, domain: Option<&str>) -> bool {
    let Some(Recognised::Known(format)) = recognise(name, text) else { return false };
    let beside = Beside { constants: &[], domain };
    match read(format, text, beside, &Patience(AtomicU64::new(0))) {
        Ok(machine) => machine.problem().is_ok(),
        Err(Failed::Limit(_)) => false,
        Err(Failed::Faults(faults)) => {
            assert!(!faults.is_empty());
            for fault in faults {
                let Some(place) = fault.place else { continue };
                let whole = if place.text == 0 { text } else { domain.expect("a second text") };
                assert!(place.start <= place.end && place.end <= whole.len(), "{fault:?} in {text:?}");
                assert!(
                    whole.is_char_boundary(place.start) && whole.is_char_boundary(place.end),
                    "{fault:?}"
                );
            }
            false
        }
    }
}

struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % bound.max(1)
    }
}

/// Pieces that mean something in some format.
const PIECES: [&str; 24] = [
    "\n",
    "\t",
    " ",
    "0",
    "1",
    "-1",
    "99999999999999999999",
    "(",
    ")",
    "\"",
    "<States>",
    "</States>",
    "+o+",
    ",",
    "é",
    "%",
    "and",
    "not",
    "?x",
    "oneof",
    "module",
    "'",
    "..",
    "endmodule",
];

fn mutated(text: &str, random: &mut Random) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for _ in 0..=random.below(4) {
        let at = random.below(chars.len());
        match random.below(4) {
            0 if !chars.is_empty() => drop(chars.remove(at)),
            1 => chars.splice(at..at, PIECES[random.below(PIECES.len())].chars()).for_each(drop),
            2 => {
                let end = (at + random.below(20)).min(chars.len());
                let piece: Vec<char> = chars[at..end].to_vec();
                let to = random.below(chars.len());
                chars.splice(to..to, piece).for_each(drop);
            }
            _ => {
                let end = (at + random.below(20)).min(chars.len());
                chars.drain(at..end).for_each(drop);
            }
        }
    }
    chars.into_iter().collect()
}

fn besiege(name: &str, text: &str, domain: Option<&str>, rounds: u32) {
    assert!(attempt(name, text, domain), "{name} itself is read");
    for end in (0..text.len()).filter(|&end| text.is_char_boundary(end)) {
        attempt(name, &text[..end], domain);
    }
    let mut random = Random(7);
    for _ in 0..rounds {
        attempt(name, &mutated(text, &mut random), domain);
    }
}

#[test]
fn automata() {
    besiege("vault.fsm", include_str!("files/vault.fsm"), None, 3000);
    besiege("relay.aut", include_str!("files/relay.aut"), None, 3000);
    besiege("plant.gen", include_str!("files/plant.gen"), None, 3000);
}

#[test]
fn models_and_problems() {
    let closed = include_str!("files/lamps.prism").replace("const int N;", "const int N = 4;");
    besiege("lamps.prism", &closed, None, 3000);
    besiege(
        "parcels.pddl",
        include_str!("files/parcels.pddl"),
        Some(include_str!("files/parcels-domain.pddl")),
        2000,
    );
    besiege("dice.pddl", include_str!("files/dice.pddl"), None, 2000);
    besiege("corridor.pddl", include_str!("files/corridor.pddl"), None, 2000);
}
