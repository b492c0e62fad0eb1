//! Several observers: rooms on a ring, a nurse who must be told, and visitors who must not find out.

use divulge::problem::{Builder, Knows, Problem, Scope};

use super::{FamilyError, Seat, watched};

/// A ring of `rooms` rooms, the first of which is the station; one of the others has the patient. The robot is told which, goes round in
/// either direction, gives the medicine in that room, and rings a bell when it is back at the station. The nurse does not see it walk, and
/// must know in the end that the medicine was given. Each of the `visitors` sees it walk, and that it works or waits in some room, unless
/// that is in the visitor's own section, of which the door is shut; none may ever know where the patient is. The first visitor `knows` something
/// of the plan: no plan can be sought that several know who see differently.
///
/// # Errors
/// If there are fewer than four rooms, no visitors, or more of them than rooms besides the station.
pub fn wards(rooms: usize, visitors: usize, knows: Knows) -> Result<Problem, FamilyError> {
    if rooms < 4 || visitors == 0 || visitors >= rooms || rooms > 1 << 12 {
        return Err(FamilyError::Parameters(format!(
            "a ward of {rooms} rooms with {visitors} visitors cannot be: give at least 4 rooms, and from 1 visitor to one for each room \
             but the station"
        )));
    }
    let room = |label: &str| label.rsplit(' ').next().and_then(|number| number.parse::<usize>().ok());
    let works = |label: &str| label.starts_with("give") || label.starts_with("wait");
    let nurse = move |label: &str| match label {
        "bell" => Some("bell".to_owned()),
        label if works(label) => Some("work".to_owned()),
        _ => None,
    };
    let looks: Vec<_> = (0..visitors)
        .map(|section| {
            move |label: &str| match label {
                "cw" | "ccw" | "bell" => Some(label.to_owned()),
                label if works(label) && room(label).is_some_and(|n| n % visitors != section) => {
                    Some("work".to_owned())
                }
                _ => None,
            }
        })
        .collect();
    let hidden = (1..rooms).map(|bed| format!("!knows(bed = {bed})")).collect::<Vec<_>>().join(" & ");
    let visitor = |(i, look)| Seat {
        name: format!("visitor {}", i + 1),
        knows: if i == 0 { knows.clone() } else { Knows::World },
        look: Some(look as super::Look<'_>),
        stipulations: vec![("discreet".to_owned(), Scope::Always, hidden.clone())],
    };
    let nurse = Seat {
        name: "nurse".to_owned(),
        knows: Knows::World,
        look: Some(&nurse),
        stipulations: vec![("told".to_owned(), Scope::End, "knows(given)".to_owned())],
    };
    let others = looks.iter().enumerate().map(visitor).collect();
    watched(
        format!("ward of {rooms} rooms with {visitors} visitors"),
        [&[], &[]],
        |b| fill(b, rooms),
        nurse,
        others,
    )
}

fn fill(b: &mut Builder<'_>, rooms: usize) {
    let at = |kind: &str, stage: &str, place: usize, bed: usize| format!("{kind} {stage} {place} bed {bed}");
    let walks = (0..rooms).flat_map(|place| ["sent", "given"].map(|stage| (stage, place)));
    let all: Vec<(&str, usize)> = walks.chain([("over", 0)]).collect();
    for bed in 1..rooms {
        for &(stage, place) in &all {
            let (stand, enter) = (at("stand", stage, place, bed), at("enter", stage, place, bed));
            b.actions([stand.as_str()]).observations([enter.as_str()]);
            for v in [&stand, &enter] {
                b.prop(v, "place", place as i64).prop(v, "bed", bed as i64).prop(v, "given", stage != "sent");
            }
            b.edge(&enter, ["quiet"], &stand);
        }
        for &(stage, place) in all.iter().filter(|(stage, _)| *stage != "over") {
            let stand = at("stand", stage, place, bed);
            b.edge(&stand, ["cw"], &at("enter", stage, (place + 1) % rooms, bed));
            b.edge(&stand, ["ccw"], &at("enter", stage, (place + rooms - 1) % rooms, bed));
            if place > 0 {
                b.edge(&stand, [format!("wait {place}").as_str()], &at("enter", stage, place, bed));
            }
        }
        b.edge(
            &at("stand", "sent", bed, bed),
            [format!("give {bed}").as_str()],
            &at("enter", "given", bed, bed),
        );
        b.edge(&at("stand", "given", 0, bed), ["bell"], &at("enter", "over", 0, bed));
        b.mark(&at("stand", "over", 0, bed));
        let order = format!("order {bed}");
        b.observations([order.as_str()]).prop(&order, "bed", bed as i64).prop(&order, "given", false);
        b.initial(&order).edge(&order, [format!("bed {bed}").as_str()], &at("stand", "sent", 0, bed));
    }
}
