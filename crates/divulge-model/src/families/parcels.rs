//! Many beliefs and many plans: a courier on coloured tiles, who must not give away what it carries.

use divulge::problem::{Knows, Problem};

use super::{COMPASS, FamilyError, Shuffle, problem};

/// How many colours the tiles have.
const COLOURS: usize = 3;

/// A floor of `size` × `size` tiles, each of one of three colours. The robot starts in the north-west corner with a parcel of one
/// of some `kinds`, reads which at the desk in the middle, and must bring it to the dock of that kind at the south wall. The observer
/// sees the colours of the tiles that it enters and when it reads, neither directions nor what is read, and must never know
/// the kind.
///
/// # Errors
/// If there are fewer than three tiles a side, fewer than two kinds, or more kinds than tiles a side.
pub fn parcels(size: usize, kinds: usize) -> Result<Problem, FamilyError> {
    if size < 3 || kinds < 2 || kinds > size || size.saturating_mul(size).saturating_mul(kinds) > 1 << 24 {
        return Err(FamilyError::Parameters(format!(
            "a floor of {size} × {size} tiles for parcels of {kinds} kinds cannot be: give at least 3 tiles a side, and from 2 kinds \
             to as many as there are tiles a side"
        )));
    }
    let image = |label: &str| match label {
        _ if COMPASS.iter().any(|(name, ..)| *name == label) => "move".to_owned(),
        _ if label.starts_with("read") => "read".to_owned(),
        _ => label.to_owned(),
    };
    let (desk, dock) = (size / 2, |kind: usize| kind * (size - 1) / (kinds - 1));
    let on = |n: isize| usize::try_from(n).ok().filter(|&n| n < size);
    let fill = |b: &mut divulge::problem::Builder<'_>| {
        let mut shuffle = Shuffle::new(size as u64);
        let colours: Vec<usize> = (0..size * size).map(|_| shuffle.below(COLOURS)).collect();
        for kind in 0..kinds {
            for (tile, colour) in colours.iter().enumerate() {
                let (r, c) = (tile / size, tile % size);
                let (stand, enter) =
                    (format!("at {r} {c} with {kind}"), format!("enter {r} {c} with {kind}"));
                b.actions([stand.as_str()]).observations([enter.as_str()]);
                for name in [&stand, &enter] {
                    b.prop(name, "row", r as i64).prop(name, "col", c as i64).prop(
                        name,
                        "parcel",
                        kind as i64,
                    );
                }
                let seen =
                    if (r, c) == (desk, desk) { format!("read {kind}") } else { format!("colour {colour}") };
                b.edge(&enter, [seen.as_str()], &stand);
                if (r, c) == (size - 1, dock(kind)) {
                    b.mark(&stand);
                }
            }
            b.initial(&format!("at 0 0 with {kind}"));
        }
        for (r, c) in (0..size * size).map(|tile| (tile / size, tile % size)) {
            for kind in (0..kinds).filter(|&kind| (r, c) != (size - 1, dock(kind))) {
                for (label, dr, dc) in COMPASS {
                    if let (Some(r2), Some(c2)) = (on(r as isize + dr), on(c as isize + dc)) {
                        let from = format!("at {r} {c} with {kind}");
                        b.edge(&from, [label], &format!("enter {r2} {c2} with {kind}"));
                    }
                }
            }
        }
    };
    let secret: Vec<String> = (0..kinds).map(|kind| format!("!knows(parcel = {kind})")).collect();
    let name = format!("parcels of {kinds} kinds on {size} by {size} tiles");
    problem(name, [&[], &[]], fill, Knows::World, Some(&image), &[("secret", &secret.join(" & "))])
}
