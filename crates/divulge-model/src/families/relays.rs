//! Stipulations over runs: things that must become known one after the other.

use divulge::problem::{Builder, Knows, Problem, Scope};

use super::{FamilyError, Seat, watched};

/// A corridor with `stations` signals along it, in no simple order; each is red or green, nobody knows which. The robot walks between them and
/// may look at the signal where it stands; the observer sees when it looks, and the signal. It must eventually know every signal, and none
/// before the one that precedes it by number.
///
/// # Errors
/// If there is no station, or more than sixteen: the world has every combination of signals.
pub fn relays(stations: usize, knows: Knows) -> Result<Problem, FamilyError> {
    if !(1..=16).contains(&stations) {
        return Err(FamilyError::Parameters(format!("{stations} stations cannot be: give from 1 to 16")));
    }
    let look = |label: &str| match label {
        "forth" | "back" => Some("step".to_owned()),
        other => Some(other.to_owned()),
    };
    let known = |n: usize| format!("(knows(signal_{n}) | knows(!signal_{n}))");
    let told = (1..=stations).map(|n| (format!("told {n}"), Scope::Run, format!("eventually {}", known(n))));
    let order = (2..=stations)
        .map(|n| (format!("order {n}"), Scope::Run, format!("!{} unless {}", known(n), known(n - 1))));
    let public = Seat {
        name: "public".to_owned(),
        knows,
        look: Some(&look),
        stipulations: told.chain(order).collect(),
    };
    watched(format!("relay of {stations} stations"), [&[], &[]], |b| fill(b, stations), public, Vec::new())
}

fn fill(b: &mut Builder<'_>, stations: usize) {
    // The station at a place: the odd ones on the way there, the even ones on the way back.
    let station = |place: usize| if 2 * place < stations { 2 * place + 1 } else { 2 * (stations - place) };
    let at =
        |kind: &str, place: usize, signals: usize| format!("{kind} {place} signals {signals:0stations$b}");
    for signals in 0..1 << stations {
        let green = |n: usize| signals >> (n - 1) & 1 == 1;
        for place in 0..stations {
            let (stand, arrive, face) =
                (at("stand", place, signals), at("step", place, signals), at("face", place, signals));
            b.actions([stand.as_str()]).observations([arrive.as_str(), face.as_str()]).mark(&stand);
            for v in [&stand, &arrive, &face] {
                b.prop(v, "place", place as i64);
                (1..=stations).for_each(|n| {
                    b.prop(v, &format!("signal_{n}"), green(n));
                });
            }
        }
        for place in 0..stations {
            let (stand, arrive, face) =
                (at("stand", place, signals), at("step", place, signals), at("face", place, signals));
            let own = station(place);
            b.edge(&arrive, ["floor"], &stand).edge(
                &face,
                [if green(own) { "green" } else { "red" }],
                &stand,
            );
            b.edge(&stand, [format!("look {own}").as_str()], &face);
            if place + 1 < stations {
                b.edge(&stand, ["forth"], &at("step", place + 1, signals));
            }
            if place > 0 {
                b.edge(&stand, ["back"], &at("step", place - 1, signals));
            }
        }
        b.initial(&at("stand", 0, signals));
    }
}
