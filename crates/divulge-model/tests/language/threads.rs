//! A model means the same whatever the number of threads that explore its world.

use super::{Examples, examples_in};
use divulge::limit::share_out_the_least;
use divulge_model::language::load_on;

/// Worlds with some hundred states at least, and worlds in which something is wrong.
const MODELS: [&str; 9] = [
    // Wide and deep, with outcomes that may coincide and labels that never happen.
    "world {
       x: 0..11 = 0
       y: 0..6
       hot: bool = false
       lamp: {red, green, off} = off
       action right { x := (x + 1) % 12 } or { x := (x + 2) % 12; hot := !hot }
       action left when x > 3 { x := x - 3 } or { x := min(x - 3, 4) }
       action toggle { lamp := if hot then red else green } or { lamp := off }
       action never when x > 11 { x := 0 }
       observe { lamp when y < 3; x when hot; nothing otherwise { y := (y + x) % 7 } }
       goal acting x = 7 & lamp = red
       goal y = 6
     }
     observer o { knows world; sees others as themselves; stipulate s: always !knows(x + y = 9) }",
    // Too many combinations for a table.
    "world {
       x: 0..99999 = 7
       y: 0..99999 = 3
       z: 0..4
       action grow when x < 60 & y < 60 { x := x + y % 7 + 1 } or { y := y + x % 5 + 1 }
       action turn { z := (z + 1) % 5; x := x % 50; y := y % 50 }
       observe { z when x % 2 = 0; dark otherwise }
       goal x > 40 & y > 40
     }
     observer o { knows plan; sees others as themselves; stipulate s: always possible(z = 1) }",
    // Integers that have no table, and more that has no digit of its own.
    "world {
       far: -9000000000..9000000000 = 0
       near: 0..1 = 0
       action jump when far >= 0 & far < 100 { far := far + 1 } or { far := far - 4000000 * near }
       action swap { near := 1 - near }
       observe { here when far >= 0; there otherwise }
       goal far = 100
     }
     observer o { knows world; sees others as themselves }",
    // Values whose names could be taken for those of others.
    "world {
       a: {\"p\", \"p,q\"}
       b: {\"q,r\", \"r\"}
       n: 0..40 = 0
       action go { n := (n + 1) % 41 } or { b := \"r\" }
       observe { a; nothing }
       goal b = \"r\" & a = \"p\"
     }
     observer o { knows world; sees others as themselves }",
    // A world that starts with an observation, where most states are not looked at twice.
    "world {
       x: 0..60
       y: 0..60
       start observing where x + y < 20
       action on when x < 60 & y < 60 { x := x + 1; y := y + 1 }
       observe { low when x < 9; high when x >= 7 }
       goal observing x = 60
     }
     observer o { knows world; sees others as themselves }",
    // A variable leaves its range, in two places, after a while.
    "world {
       x: 0..50 = 0
       y: 0..50 = 0
       action up { x := x + 1 }
       action over when x > 20 { y := y + 3 }
       observe { nothing }
       goal x = 50
     }
     observer o { knows world; sees others as themselves }",
    // A condition has no value, after something left its range.
    "world {
       x: 0..50 = 0
       y: 0..9 = 0
       action up when x < 45 { x := x + 1 }
       action over when x > 20 { y := y + x - 20 }
       action mean when 100 / (40 - x) > 3 { y := 0 }
       observe { nothing }
       goal x = 50
     }
     observer o { knows world; sees others as themselves }",
    // A goal has no value.
    "world {
       x: 0..50 = 0
       action up when x < 50 { x := x + 1 }
       observe { nothing }
       goal 10 / (x - 30) = 1
     }
     observer o { knows world; sees others as themselves }",
    // Something that is stipulated has no value.
    "world {
       x: 0..50 = 0
       action up when x < 50 { x := x + 1 }
       observe { nothing }
       goal x = 50
     }
     observer o { knows world; sees others as themselves; stipulate s: always !knows(10 / (x - 30) = 1) }",
];

#[test]
fn the_number_of_threads_does_not_matter() {
    share_out_the_least();
    let folders = ["", "observers", "opacity", "theory"];
    let examples = folders.iter().flat_map(|folder| examples_in(folder));
    let models = MODELS.iter().enumerate().map(|(i, text)| (format!("model {i}"), (*text).to_owned()));
    let (mut large, mut wrong) = (0, 0);
    for (name, text) in examples.chain(models) {
        let read = |threads| {
            let (problem, found) = load_on(&name, &text, &Examples, &[], true, threads);
            (problem, found.render(false))
        };
        let one = read(1);
        for threads in [2, 3, 8] {
            let more = read(threads);
            assert_eq!(more.1, one.1, "{name} on {threads} threads");
            assert!(more.0 == one.0, "{name} on {threads} threads");
        }
        match one.0 {
            None => wrong += 1,
            Some(problem) => {
                let world = &problem.world;
                large += usize::from(world.graph.len() > 100);
                let mut names: Vec<&str> = world.names.iter().collect();
                names.sort_unstable();
                names.dedup();
                assert_eq!(names.len(), world.graph.len(), "{name}: every vertex has a name of its own");
            }
        }
    }
    assert!(large >= 5 && wrong == 4, "{large} {wrong}");
}
