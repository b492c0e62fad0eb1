//! The families are those of the reference documents.

use divulge::problem::{Knows, Problem};
use divulge_model::{
    document::read,
    families::{Nuclear, NuclearMap, ngon, nuclear},
};

fn reference(text: &str) -> Problem {
    read("reference", text).unwrap_or_else(|found| panic!("{}", found.render(false))).problem
}

#[test]
fn nuclear_is_the_reference() {
    let sides = NuclearMap::Merged { moves: false, sides: true, light: false };
    for (text, p) in [
        (include_str!("families/nuclear-3x4.json"), Nuclear::new(3, 4)),
        (
            include_str!("families/nuclear-4x4-sides-plan.json"),
            Nuclear { knows: Knows::Plan, map: sides, ..Nuclear::new(4, 4) },
        ),
        (
            include_str!("families/nuclear-5x6-sought.json"),
            Nuclear {
                knows: Knows::GoalDirected,
                map: NuclearMap::Sought,
                hide: false,
                ..Nuclear::new(5, 6)
            },
        ),
    ] {
        assert_eq!(nuclear(&p).unwrap(), reference(text), "{p:?}");
    }
}

#[test]
fn ngon_is_the_reference() {
    assert_eq!(ngon(5, Knows::Plan).unwrap(), reference(include_str!("families/ngon-5.json")));
    assert_eq!(ngon(2, Knows::World).unwrap(), reference(include_str!("families/ngon-2.json")));
}

#[test]
fn the_paper_s_sizes() {
    let p = nuclear(&Nuclear::new(3, 4)).unwrap();
    assert_eq!(p.world.graph.len(), 96);
    let expanded =
        divulge::expansion::expand(&p.world, divulge::expansion::Actions::Some, 1, &divulge::Unlimited)
            .unwrap();
    assert_eq!(expanded.graph.len(), 154);
}

#[test]
fn grids_without_room_are_refused() {
    for (rows, cols) in [(0, 0), (1, 1), (2, 2), (1, 9), (usize::MAX, usize::MAX)] {
        assert!(nuclear(&Nuclear::new(rows, cols)).is_err(), "{rows} {cols}");
    }
    assert!(ngon(1, Knows::Plan).is_err());
}
