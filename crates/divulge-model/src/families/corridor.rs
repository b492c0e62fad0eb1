//! Deep plans: a long corridor with a fork at its end that depends on what was seen at its beginning.

use divulge::problem::{Knows, Problem};

use super::{FamilyError, problem};

/// A corridor of `length` steps. A sign at its beginning, which the observer does not see, tells which of two exits is open; the robot
/// may go back and forth, and every step looks like every other. The observer must never know which exit was taken, nor that
/// the robot is past half of the way before it leaves.
///
/// # Errors
/// If the length is less than two.
pub fn corridor(length: usize) -> Result<Problem, FamilyError> {
    if !(2..1 << 24).contains(&length) {
        return Err(FamilyError::Parameters(format!(
            "a corridor of {length} steps cannot be: give at least 2"
        )));
    }
    let image = |label: &str| match label {
        "forth" | "back" => "step".to_owned(),
        "sign left" | "sign right" => "floor".to_owned(),
        "go left" | "go right" => "leave".to_owned(),
        other => other.to_owned(),
    };
    let at = |kind: &str, side: &str, place: usize| format!("{kind} {side} {place}");
    let fill = |b: &mut divulge::problem::Builder<'_>| {
        for side in ["left", "right"] {
            for place in 0..=length {
                for kind in ["stand", "step"] {
                    let name = at(kind, side, place);
                    if kind == "stand" {
                        b.actions([name.as_str()])
                    } else {
                        b.observations([name.as_str()])
                    };
                    b.prop(&name, "side", side).prop(&name, "far", place * 2 > length);
                }
            }
            let out = format!("out {side}");
            b.observations([out.as_str()]).prop(&out, "side", side).prop(&out, "out", true).mark(&out);
        }
        for side in ["left", "right"] {
            b.initial(&at("step", side, 0));
            for place in 0..=length {
                let (stand, step) = (at("stand", side, place), at("step", side, place));
                let seen = if place == 0 { format!("sign {side}") } else { "floor".to_owned() };
                b.edge(&step, [seen.as_str()], &stand);
                if place < length {
                    b.edge(&stand, ["forth"], &at("step", side, place + 1));
                } else {
                    b.edge(&stand, [format!("go {side}").as_str()], &format!("out {side}"));
                }
                if place > 0 {
                    b.edge(&stand, ["back"], &at("step", side, place - 1));
                }
            }
        }
    };
    let formulas =
        [("side", "!knows(side = left) & !knows(side = right)"), ("pace", "possible(out) | !knows(far)")];
    problem(format!("corridor of {length} steps"), [&[], &[]], fill, Knows::World, Some(&image), &formulas)
}
