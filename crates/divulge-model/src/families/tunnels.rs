//! Unseen events: junctions that are seen, and stretches of different lengths between them that are not.

use divulge::problem::{Builder, Knows, Problem, Scope};

use super::{FamilyError, Seat, watched};

/// A row of `junctions`, from each of which two tunnels of up to `length` steps lead to the next. The robot is told what it carries; at every
/// second junction the one cargo fits through the left tunnel only, the other through the right one. At the others there is a grate in the
/// left tunnel, where the robot is seen. The observer sees the robot enter a tunnel and come out, and behind the grates: neither which
/// tunnel it takes nor how far it goes. It must know in the end that the robot is out, and never what it carries.
///
/// # Errors
/// If there is no junction or no length.
pub fn tunnels(junctions: usize, length: usize, knows: Knows) -> Result<Problem, FamilyError> {
    if junctions == 0 || length == 0 || junctions.saturating_mul(length) > 1 << 22 {
        return Err(FamilyError::Parameters(format!(
            "{junctions} junctions with tunnels of up to {length} steps cannot be: give at least 1 of each"
        )));
    }
    let look = |label: &str| match label {
        "left" | "right" => Some("enter".to_owned()),
        "glimpse" | "lamp" | "day" => Some(label.to_owned()),
        _ => None,
    };
    let hidden = "!knows(cargo = gold) & !knows(cargo = ore)".to_owned();
    let public = Seat {
        name: "public".to_owned(),
        knows,
        look: Some(&look),
        stipulations: vec![
            ("secret".to_owned(), Scope::Always, hidden),
            ("arrived".to_owned(), Scope::End, "knows(out)".to_owned()),
        ],
    };
    let name = format!("{junctions} junctions with tunnels of up to {length} steps");
    watched(name, [&[], &[]], |b| fill(b, junctions, length), public, Vec::new())
}

fn fill(b: &mut Builder<'_>, junctions: usize, length: usize) {
    // How many steps a tunnel has: different ones, in no simple order.
    let steps =
        |junction: usize, side: &str| 1 + (junction * 5 + if side == "left" { 0 } else { 2 }) % length;
    for cargo in ["gold", "ore"] {
        let junction = |kind: &str, n: usize| format!("{kind} junction {n} with {cargo}");
        for n in 0..=junctions {
            let (stand, arrive) = (junction("at", n), junction("reach", n));
            b.actions([stand.as_str()]).observations([arrive.as_str()]);
            for v in [&stand, &arrive] {
                b.prop(v, "cargo", cargo).prop(v, "out", n == junctions);
            }
            b.edge(&arrive, [if n == junctions { "day" } else { "lamp" }], &stand);
        }
        b.mark(&junction("at", junctions));
        for n in 0..junctions {
            for side in ["left", "right"] {
                let fits = n % 2 == 1 || (side == "left") == (cargo == "gold");
                let inside = |kind: &str, step: usize| format!("{kind} {side} {n} step {step} with {cargo}");
                for step in 0..steps(n, side) {
                    let (stand, enter) = (inside("in", step), inside("into", step));
                    b.actions([stand.as_str()]).observations([enter.as_str()]);
                    for v in [&stand, &enter] {
                        b.prop(v, "cargo", cargo).prop(v, "out", false);
                    }
                    let grate = n % 2 == 1 && side == "left" && step == 0;
                    b.edge(&enter, [if grate { "glimpse" } else { "dark" }], &stand);
                }
                for step in 1..steps(n, side) {
                    b.edge(&inside("in", step - 1), ["on"], &inside("into", step));
                }
                b.edge(&inside("in", steps(n, side) - 1), ["on"], &junction("reach", n + 1));
                if fits {
                    b.edge(&junction("at", n), [side], &inside("into", 0));
                }
            }
        }
        let loading = format!("loading {cargo}");
        b.observations([loading.as_str()]).prop(&loading, "cargo", cargo).prop(&loading, "out", false);
        b.initial(&loading).edge(&loading, [cargo], &junction("at", 0));
    }
}
