//! Pictures read back.

use divulge_picture::text;
use roxmltree::{Document, Node};

/// A rectangle: left, top, right, bottom.
type Area = [f64; 4];

/// What a picture holds: its size, its texts and its other shapes, with where they are.
pub struct Seen {
    pub size: (f64, f64),
    pub texts: Vec<(String, Area)>,
    pub shapes: Vec<Area>,
}

/// Reads a picture back. Fails if it is not well-formed, or has no title and description.
fn seen(svg: &str) -> Seen {
    let document = Document::parse(svg).expect("well-formed");
    let root = document.root_element();
    let number = |node: Node, name: &str| -> f64 { node.attribute(name).map_or(0.0, |v| v.parse().unwrap()) };
    let view: Vec<f64> = root.attribute("viewBox").unwrap().split(' ').map(|n| n.parse().unwrap()).collect();
    for tag in ["title", "desc"] {
        let found = root.children().find(|c| c.has_tag_name(("http://www.w3.org/2000/svg", tag))).unwrap();
        assert!(found.text().is_some_and(|text| !text.is_empty()), "no {tag}");
    }
    let mut seen = Seen { size: (view[2], view[3]), texts: Vec::new(), shapes: Vec::new() };
    for node in root.descendants().filter(Node::is_element) {
        let (mut dx, mut dy) = (0.0, 0.0);
        for outer in node.ancestors() {
            if let Some(by) = outer.attribute("transform") {
                let inner = by.strip_prefix("translate(").unwrap().strip_suffix(')').unwrap();
                let (x, y) = inner.split_once(' ').unwrap();
                dx += x.parse::<f64>().unwrap();
                dy += y.parse::<f64>().unwrap();
            }
        }
        let at = |x: f64, y: f64, w: f64, h: f64| [x + dx, y + dy, x + dx + w, y + dy + h];
        match node.tag_name().name() {
            "text" => {
                let (size, words) = (number(node, "font-size"), node.text().unwrap_or("").to_owned());
                let bold = node.attribute("font-weight").is_some();
                let width = if bold { text::bold_width(&words, size) } else { text::width(&words, size) };
                let x = match node.attribute("text-anchor") {
                    Some("middle") => number(node, "x") - width / 2.0,
                    Some("end") => number(node, "x") - width,
                    _ => number(node, "x"),
                };
                // From the height of capitals to the base line: descenders may touch what is below.
                let area = at(x, number(node, "y") - size * 0.72, width, size * 0.74);
                seen.texts.push((words, area));
            }
            "rect" => {
                let [x, y, w, h] = ["x", "y", "width", "height"].map(|a| number(node, a));
                seen.shapes.push(at(x, y, w, h));
            }
            "ellipse" | "circle" => {
                let r = number(node, "r");
                let (rx, ry) = (number(node, "rx") + r, number(node, "ry") + r);
                seen.shapes.push(at(number(node, "cx") - rx, number(node, "cy") - ry, 2.0 * rx, 2.0 * ry));
            }
            "path" => {
                let numbers = path_ends(node.attribute("d").unwrap());
                seen.shapes.extend(numbers.into_iter().map(|(x, y)| at(x, y, 0.0, 0.0)));
            }
            _ => {}
        }
    }
    seen
}

/// The points that a path goes through.
fn path_ends(d: &str) -> Vec<(f64, f64)> {
    let mut points: Vec<(f64, f64)> = Vec::new();
    let starts: Vec<usize> = d.match_indices(|c: char| c.is_ascii_alphabetic()).map(|(i, _)| i).collect();
    for (k, &start) in starts.iter().enumerate() {
        let end = starts.get(k + 1).copied().unwrap_or(d.len());
        let numbers: Vec<f64> =
            d[start + 1..end].split(' ').filter(|n| !n.is_empty()).map(|n| n.parse().unwrap()).collect();
        let last = points.last().copied().unwrap_or_default();
        match (&d[start..=start], &numbers[..]) {
            ("H", [x]) => points.push((*x, last.1)),
            ("V", [y]) => points.push((last.0, *y)),
            ("Z", []) => {}
            (_, [.., x, y]) => points.push((*x, *y)),
            other => panic!("{other:?}"),
        }
    }
    points
}

/// Everything lies within the picture, and no two texts lie over each other.
pub fn check(svg: &str) -> Seen {
    let seen = seen(svg);
    let (w, h) = seen.size;
    let all = seen.texts.iter().map(|(_, area)| area).chain(&seen.shapes);
    for &[left, top, right, bottom] in all {
        let inside = left >= -0.5 && top >= -0.5 && right <= w + 0.5 && bottom <= h + 0.5;
        assert!(inside, "[{left} {top} {right} {bottom}] is outside of {w} x {h}");
    }
    for (i, (a, one)) in seen.texts.iter().enumerate() {
        for (b, other) in &seen.texts[i + 1..] {
            let apart = one[2] <= other[0] + 0.3
                || other[2] <= one[0] + 0.3
                || one[3] <= other[1] + 0.3
                || other[3] <= one[1] + 0.3;
            assert!(apart, "`{a}` {one:?} lies over `{b}` {other:?}");
        }
    }
    seen
}
