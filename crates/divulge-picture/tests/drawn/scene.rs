//! Worlds as pictures.

use divulge::problem::Problem;
use divulge_picture::scene::{Scene, SceneOptions, Wall};

use crate::{
    example, load,
    unlimited::{grid, scene},
};

#[test]
fn the_nuclear_world_is_a_grid_with_landmarks() {
    let problem = example("nuclear");
    let Scene::Grid(grid) = scene(&problem, &SceneOptions::default()) else { panic!("no grid") };
    assert_eq!((grid.rows, grid.cols, grid.first), (3, 4, (0, 0)));
    assert_eq!(grid.others, ["facility", "rad"]);
    assert!(grid.walls.is_empty() && grid.cells[0].start && grid.cells[10].goal);
    let told = |row, col| {
        let cell = &grid.cells[grid.cell_at(row, col).unwrap()];
        let seen: Vec<&str> = cell.seen.iter().map(|&l| problem.alphabet.name(l)).collect();
        (cell.names.join(" "), seen.join(" "))
    };
    assert_eq!(told(1, 1), ("star".into(), "blue dark".into()));
    assert_eq!(told(0, 2), ("pebble_spot".into(), "high low".into()));
    assert_eq!(told(2, 2), ("way_out".into(), "exit".into()));
    assert_eq!(told(0, 1), (String::new(), String::new()));
    assert_eq!(grid.cell_at(3, 0), None);
}

/// A wall is where no event leads from one side to the other; a place that is never reached is no cell.
#[test]
fn walls_are_where_nothing_leads_across() {
    let problem = load(
        "world {
           y: 0..1 = 0
           x: 0..2 = 0
           action right when x < 2 & !(y = 0 & x = 0) & y = 1 | x = 1 & y = 0 { x := x + 1 }
           action down when y = 0 & x < 2 { y := 1 }
           observe { here }
           goal x = 2
         }
         observer { knows world; sees others as themselves; stipulate s: !knows(x = 0 & x = 1) }",
    );
    let problem = Problem { grid: None, ..problem };
    let grid = grid(&problem).expect("y and x are enough");
    assert_eq!(grid.axes, ("y".to_owned(), "x".to_owned()));
    let empty: Vec<usize> = (0..6).filter(|&c| grid.cells[c].vertices.is_empty()).collect();
    assert_eq!(empty, [1, 2]);
    assert!(grid.walls.is_empty());
}

#[test]
fn a_wall_between_rooms() {
    let problem = load(
        "world {
           row: 0..1 = 0
           col: 0..1 = 0
           action right when row = 0 & col = 0 { col := 1 }
           action down when row = 0 { row := 1 }
           observe { here }
           goal row = 1
         }
         observer { knows world; sees others as themselves; stipulate s: !knows(col = 0 & col = 1) }",
    );
    let grid = grid(&problem).unwrap();
    assert_eq!(grid.walls, [Wall { one: 2, other: 3 }]);
}

#[test]
fn other_worlds_are_graphs_and_large_ones_are_cut() {
    let problem = example("medicine");
    let Scene::Layered(all) = scene(&problem, &SceneOptions::default()) else { panic!("a grid?") };
    assert_eq!((all.nodes.len(), all.left_out), (problem.world.graph.len(), 0));
    let options = SceneOptions { most: 10, ..SceneOptions::default() };
    let Scene::Layered(few) = scene(&problem, &options) else { panic!("a grid?") };
    assert_eq!((few.nodes.len(), few.left_out), (10, problem.world.graph.len() - 10));
    assert!(few.nodes.iter().any(|node| node.goes_on));
    assert!(problem.world.graph.initial().iter().all(|v| few.node_of[v.index()].is_some()));
}
