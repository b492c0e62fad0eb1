//! Pixels: with fonts of its own, the same each time, and within bounds.

use divulge_picture::{Style, figure, figure_size, layout::Point, png, scale_that_fits};

use crate::{
    example,
    unlimited::{plan, plan_svg},
};

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
    for scale in [0.0, -1.0, 1e6, f64::NAN, f64::INFINITY] {
        assert!(png(&svg, scale).is_err(), "{scale}");
    }
    assert!(png("<svg", 1.0).is_err() && png("", 1.0).is_err());
}

/// Whatever its shape, there is a scale at which a picture can be made, and it is the one that was wanted if that can be.
#[test]
fn every_picture_fits_at_some_scale() {
    let problem = example("nuclear");
    let style = Style::default();
    let panels = plan(&problem, problem.plan.as_ref().unwrap(), &style);
    let (svg, size) = (figure("plan", &panels, &style), figure_size(&panels, &style));
    assert!(svg.contains(&format!("viewBox=\"0 0 {} {}\"", size.x.ceil(), size.y.ceil())));
    assert_eq!(scale_that_fits(size, 2.0), 2.0);
    let largest = scale_that_fits(size, 1e6);
    assert!(largest > 5.0 && png(&svg, largest * 1.01).is_err());
    for (x, y) in [(1e6, 1e6), (3e7, 20.0), (1.0, 5e6), (1.0, 1.0)] {
        let blank = format!("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{x}\" height=\"{y}\"></svg>");
        let scale = scale_that_fits(Point::new(x, y), 2.0);
        assert!(png(&blank, scale).is_ok(), "{x} by {y} at {scale}");
    }
}
