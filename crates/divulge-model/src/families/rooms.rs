//! Many beliefs: a maze of rooms of few colours, where every door looks like every other.

use divulge::problem::{Knows, Problem};

use super::{FamilyError, Shuffle, problem};

/// `rooms` rooms with `doors` doors each, which lead nobody knows where, and a colour in each. The robot, who has a map of the maze,
/// starts in the first room and must get to the vault, the last one. The observer sees colours alone; whenever it holds the vault
/// possible, it must hold possible each of two other rooms, which have the vault's colour.
///
/// # Errors
/// If there are fewer than four rooms, fewer than two doors or no colour.
pub fn rooms(rooms: usize, doors: usize, colours: usize, seed: u64) -> Result<Problem, FamilyError> {
    if rooms < 4 || doors < 2 || colours == 0 || rooms.saturating_mul(doors) > 1 << 26 {
        return Err(FamilyError::Parameters(format!(
            "a maze of {rooms} rooms with {doors} doors and {colours} colours cannot be"
        )));
    }
    let image = |label: &str| if label.starts_with("door") { "door".to_owned() } else { label.to_owned() };
    let fill = |b: &mut divulge::problem::Builder<'_>| {
        let mut shuffle = Shuffle::new(seed);
        for room in 0..rooms {
            let (inside, entered) = (format!("in {room}"), format!("enter {room}"));
            b.actions([inside.as_str()]).observations([entered.as_str()]);
            let last = rooms - 1 - room;
            let colour = if last < 3 { 0 } else { shuffle.below(colours) };
            b.prop(&inside, "colour", colour as i64);
            b.prop(&inside, "vault", last == 0).prop(&inside, "decoy", last == 1).prop(
                &inside,
                "other",
                last == 2,
            );
            b.edge(&entered, [format!("colour {colour}").as_str()], &inside);
        }
        for room in 0..rooms {
            for door in 0..doors {
                // The first door leads on, so that every room can be reached.
                let to = if door == 0 { (room + 1) % rooms } else { shuffle.below(rooms) };
                let label = format!("door {door}");
                b.edge(&format!("in {room}"), [label.as_str()], &format!("enter {to}"));
            }
        }
        b.initial("in 0").mark(&format!("in {}", rooms - 1));
    };
    problem(
        format!("maze of {rooms} rooms, {doors} doors, {colours} colours, number {seed}"),
        [&[], &[]],
        fill,
        Knows::World,
        Some(&image),
        &[("hidden", "possible(vault) -> possible(decoy) & possible(other)")],
    )
}
