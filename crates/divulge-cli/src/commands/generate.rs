//! `divulge generate`.

use divulge::problem::Knows;
use divulge_model::{
    document,
    families::{
        Automaton, Nuclear, NuclearMap, automaton, cards, corridor, ice, keypad, ngon, nuclear, parcels,
        relays, rooms, tunnels, wards,
    },
};

use crate::{
    arguments::{Family, Generate, Knowledge, Merge},
    output::to_file,
    status::{Failure, Status},
};

/// Writes a member of a family as a document.
pub fn run(asked: &Generate) -> Result<Status, Failure> {
    let made = match &asked.family {
        Family::Nuclear { rows, cols, knows, merge, no_hide } => {
            let map = nuclear_map(merge)?;
            nuclear(&Nuclear { rows: *rows, cols: *cols, knows: known(*knows), map, hide: !no_hide })
        }
        Family::Ngon { n, knows } => ngon(*n, known(*knows)),
        &Family::Cards { cards: n, rounds, clash, knows } => cards(n, rounds, clash, known(knows)),
        Family::Corridor { length } => corridor(*length),
        Family::Ice { rows, cols } => ice(*rows, *cols),
        Family::Keypad { digits, places } => keypad(*digits, *places),
        &Family::Parcels { size, kinds } => parcels(size, kinds),
        &Family::Automaton { states, events, images, arcs, secrets, starts, seed } => {
            automaton(&Automaton { states, events, images, arcs, secrets, starts, seed })
        }
        &Family::Wards { rooms, visitors, knows } => wards(rooms, visitors, known(knows)),
        &Family::Tunnels { junctions, length, knows } => tunnels(junctions, length, known(knows)),
        &Family::Relays { stations, knows } => relays(stations, known(knows)),
        Family::Rooms { rooms: n, doors, colours, seed } => rooms(*n, *doors, *colours, *seed),
    };
    let problem = made.map_err(|e| Failure::Message(e.to_string(), None))?;
    to_file(&asked.out, |out| document::write(&problem, out))?;
    Ok(Status::Yes)
}

fn known(knowledge: Knowledge) -> Knows {
    match knowledge {
        Knowledge::World => Knows::World,
        Knowledge::GoalDirected => Knows::GoalDirected,
        Knowledge::Plan => Knows::Plan,
    }
}

fn nuclear_map(merge: &[Merge]) -> Result<NuclearMap, Failure> {
    let has = |what| merge.contains(&what);
    if (has(Merge::Nothing) || has(Merge::Sought)) && merge.len() > 1 {
        return Err(Failure::new(
            "`nothing` and `sought` stand alone in --merge",
            "for example --merge moves,type",
        ));
    }
    if has(Merge::Sought) {
        return Ok(NuclearMap::Sought);
    }
    Ok(NuclearMap::Merged { moves: has(Merge::Moves), sides: has(Merge::Sides), light: has(Merge::Type) })
}
