//! The paper's inspection of a nuclear facility, on a grid of any size.

use divulge::problem::{Knows, Problem};

use super::{FamilyError, problem};

/// What the observer sees of the events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NuclearMap {
    /// No map: one is to be sought.
    Sought,
    /// Some events look alike, all others like themselves.
    Merged {
        /// `left`, `right`, `up` and `down` look like `move`.
        moves: bool,
        /// `left` and `right` look like `side`, unless all moves look alike.
        sides: bool,
        /// `blue` and `dark` look like `light`.
        light: bool,
    },
}

/// The parameters of [`nuclear`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nuclear {
    /// Rows of the grid.
    pub rows: usize,
    /// Columns of the grid.
    pub cols: usize,
    /// What the observer knows of the plan.
    pub knows: Knows,
    /// What it sees.
    pub map: NuclearMap,
    /// Whether it must never know the type of the facility.
    pub hide: bool,
}

impl Nuclear {
    /// The given size; the observer knows the world alone, sees all moves alike and blue and dark alike, and must never
    /// know the type.
    pub fn new(rows: usize, cols: usize) -> Self {
        let map = NuclearMap::Merged { moves: true, sides: false, light: true };
        Self { rows, cols, knows: Knows::World, map, hide: true }
    }
}

const MOVES: [(&str, isize, isize); 4] = [("left", 0, -1), ("right", 0, 1), ("up", -1, 0), ("down", 1, 0)];

/// The world on a grid: start at the top left, the star that shows the type, two spots where the radioactivity of one type
/// of facility is measured, and the exit, which is the goal. The robot knows neither the type nor the radioactivity.
///
/// # Errors
/// If the grid is too small for five different places.
pub fn nuclear(p: &Nuclear) -> Result<Problem, FamilyError> {
    let (rows, cols) = (p.rows, p.cols);
    if rows == 0 || cols == 0 || rows.saturating_mul(cols) > 1 << 28 {
        return Err(FamilyError::Parameters(format!("a grid of {rows} rows and {cols} columns cannot be")));
    }
    let star = (rows / 2, (cols / 2).saturating_sub(1).max(1));
    let (pebble, breeder, exit) = ((0, cols / 2), (rows / 2, cols - 1), (rows - 1, cols / 2));
    let mut places = [(0, 0), star, pebble, breeder, exit];
    places.sort_unstable();
    if places.windows(2).any(|w| w[0] == w[1]) || star.1 >= cols {
        return Err(FamilyError::Parameters(format!(
            "a grid of {rows} rows and {cols} columns is too small: start, star, both spots and exit need places of their own"
        )));
    }
    let name = |kind: char, r: usize, c: usize, t: &str, q: &str| format!("{kind}_{r}_{c}_{t}_{q}");
    let hidden = [("pebble", "high"), ("pebble", "low"), ("breeder", "high"), ("breeder", "low")];
    let fill = |b: &mut divulge::problem::Builder<'_>| {
        for (r, c) in (0..rows).flat_map(|r| (0..cols).map(move |c| (r, c))) {
            for (t, q) in hidden {
                let (u, y) = (name('u', r, c, t, q), name('y', r, c, t, q));
                b.actions([u.as_str()]).observations([y.as_str()]);
                for v in [&u, &y] {
                    b.prop(v, "row", r as i64).prop(v, "col", c as i64).prop(v, "facility", t);
                    b.prop(v, "rad", q).prop(v, "exit", (r, c) == exit);
                }
                if (r, c) == exit {
                    b.mark(&u);
                }
            }
        }
        for (r, c) in (0..rows).flat_map(|r| (0..cols).map(move |c| (r, c))) {
            for (t, q) in hidden {
                let (u, y) = (name('u', r, c, t, q), name('y', r, c, t, q));
                for (label, dr, dc) in MOVES {
                    let to = (r.checked_add_signed(dr), c.checked_add_signed(dc));
                    if let (Some(r2), Some(c2)) = to
                        && (r, c) != exit
                        && r2 < rows
                        && c2 < cols
                    {
                        b.edge(&u, [label], &name('y', r2, c2, t, q));
                    }
                }
                let seen = if (r, c) == star {
                    if t == "pebble" { "blue" } else { "dark" }
                } else if (r, c) == if t == "pebble" { pebble } else { breeder } {
                    q
                } else if (r, c) == exit {
                    "exit"
                } else {
                    "nothing"
                };
                b.edge(&y, [seen], &u);
            }
        }
        for (t, q) in hidden {
            b.initial(&name('u', 0, 0, t, q));
        }
    };
    let mut formulas = vec![("learn", "!(possible(goal & rad = high) & possible(goal & rad = low))")];
    if p.hide {
        formulas.push(("hide", "!knows(facility = pebble) & !knows(facility = breeder)"));
    }
    let title = format!("nuclear {rows}x{cols}");
    let image = |label: &str| image(p.map, label).to_owned();
    let map = (p.map != NuclearMap::Sought).then_some(&image as &dyn Fn(&str) -> String);
    problem(title, [&[], &[]], fill, p.knows.clone(), map, &formulas)
}

fn image(map: NuclearMap, label: &str) -> &str {
    let NuclearMap::Merged { moves, sides, light } = map else { return label };
    match label {
        "left" | "right" if sides => "side",
        "left" | "right" | "up" | "down" if moves => "move",
        "blue" | "dark" if light => "light",
        other => other,
    }
}
