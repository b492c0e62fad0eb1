//! Nondeterministic outcomes: a robot that slips on ice and finds its place by bumping into walls.

use divulge::problem::{Knows, Problem};

use super::{COMPASS, FamilyError, problem};

/// A rink of `rows` × `cols` cells, the robot anywhere on it. A move takes it one cell or two, and it feels whether it hit a wall. It
/// must get to the north-west corner and be sure of it. The observer cannot tell a direction from its opposite nor feel the
/// bumps, and must never know that the robot has arrived.
///
/// # Errors
/// If there are fewer than two rows or columns.
pub fn ice(rows: usize, cols: usize) -> Result<Problem, FamilyError> {
    if rows < 2 || cols < 2 || rows.saturating_mul(cols) > 1 << 24 {
        return Err(FamilyError::Parameters(format!(
            "a rink of {rows} × {cols} cells cannot be: give at least 2 × 2"
        )));
    }
    let image = |label: &str| match label {
        "north" | "south" => "along".to_owned(),
        "west" | "east" => "across".to_owned(),
        _ => "bump or none".to_owned(),
    };
    let on = |r: isize, c: isize| (0..rows as isize).contains(&r) && (0..cols as isize).contains(&c);
    let fill = |b: &mut divulge::problem::Builder<'_>| {
        for r in 0..rows {
            for c in 0..cols {
                let stand = format!("at {r} {c}");
                b.actions([stand.as_str()]).initial(&stand);
                b.prop(&stand, "row", r as i64).prop(&stand, "col", c as i64);
                for felt in ["bump", "glide"] {
                    let name = format!("{felt} {r} {c}");
                    b.observations([name.as_str()]).prop(&name, "row", r as i64).prop(&name, "col", c as i64);
                    b.edge(&name, [felt], &stand);
                }
            }
        }
        b.mark("at 0 0");
        for r in 0..rows {
            for c in 0..cols {
                for (label, dr, dc) in COMPASS {
                    let (mut y, mut x) = (r as isize, c as isize);
                    for _ in 0..2 {
                        let free = on(y + dr, x + dc);
                        if free {
                            (y, x) = (y + dr, x + dc);
                        }
                        let felt = if free { "glide" } else { "bump" };
                        b.edge(&format!("at {r} {c}"), [label], &format!("{felt} {y} {x}"));
                    }
                }
            }
        }
    };
    let formulas = [("arrival", "!knows(row = 0 & col = 0)")];
    problem(format!("ice rink of {rows} by {cols}"), [&[], &[]], fill, Knows::World, Some(&image), &formulas)
}
