//! Pixels: with fonts of its own, the same each time, and within bounds.

use divulge_picture::{Style, plan_svg, png};

use crate::example;

#[test]
fn pixels_are_made_without_the_machines_fonts() {
    let problem = example("nuclear");
    let svg = plan_svg(&problem, problem.plan.as_ref().unwrap(), &Style::default());
    let picture = png(&svg, 1.5).unwrap();
    assert_eq!(&picture[1..4], b"PNG");
    assert_eq!(picture, png(&svg, 1.5).unwrap());
    // Without its texts the picture is another one: they are really drawn.
    let blank = png(&svg.replace("<text ", "<text opacity=\"0\" "), 1.5).unwrap();
    assert_ne!(picture, blank);
    for unseen in ["pebble", "∈→é"] {
        let other = svg.replace(">start<", &format!(">{unseen}<"));
        assert_ne!(png(&other, 1.5).unwrap(), png(&svg.replace(">start<", "><"), 1.5).unwrap());
    }
}

#[test]
fn what_cannot_be_held_is_refused() {
    let problem = example("nuclear");
    let svg = plan_svg(&problem, problem.plan.as_ref().unwrap(), &Style::default());
    for scale in [0.0, -1.0, 1e-9, 1e6, f64::NAN, f64::INFINITY] {
        assert!(png(&svg, scale).is_err(), "{scale}");
    }
    assert!(png("<svg", 1.0).is_err() && png("", 1.0).is_err());
}
