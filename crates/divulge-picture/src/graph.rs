//! A graph in layers on a canvas.

use divulge::problem::{Plan, Problem, Vertex};

use crate::{
    layout::{Point, Shape},
    legend::{Entry, Sample, die},
    scene::{EDGE_TEXT, LayeredScene, NODE_TEXT},
    svg::{Anchor, Area, Canvas, Letters, Paint},
    theme::Stroke,
};

/// What is marked in a graph.
pub(crate) struct Marks<'a> {
    /// Goals, or terminal vertices: a double outline.
    pub double: Box<dyn Fn(Vertex) -> bool + 'a>,
    /// Initial vertices: an arrow from nowhere.
    pub initial: &'a [Vertex],
    /// The lines of an edge's branches; none for an edge that no branch takes.
    pub edges: Box<dyn Fn(usize) -> Vec<Stroke> + 'a>,
    /// The line of a vertex's branch.
    pub nodes: Box<dyn Fn(Vertex) -> Option<Stroke> + 'a>,
    /// Whether what is in no branch is faint.
    pub faint: bool,
    /// Where the robot chooses: a die.
    pub chance: &'a [Vertex],
}

impl<'a> Marks<'a> {
    /// A world with its goals.
    pub fn world(problem: &'a Problem) -> Self {
        Self {
            double: Box::new(|v| problem.world.is_goal(v)),
            initial: problem.world.graph.initial(),
            edges: Box::new(|_| Vec::new()),
            nodes: Box::new(|_| None),
            faint: false,
            chance: &[],
        }
    }

    /// A plan with its ends.
    pub fn plan(plan: &'a Plan) -> Self {
        Self {
            double: Box::new(|v| plan.is_terminal(v)),
            initial: plan.graph.initial(),
            edges: Box::new(|_| Vec::new()),
            nodes: Box::new(|_| None),
            faint: false,
            chance: &[],
        }
    }
}

const HEAD: f64 = 6.5;

/// Draws the graph.
pub(crate) fn draw(canvas: &mut Canvas, scene: &LayeredScene, marks: &Marks<'_>) {
    let colours = canvas.colours;
    // What is in a branch comes last, so that nothing covers it.
    let mut order: Vec<(bool, usize)> =
        (0..scene.edges.len()).map(|i| (!(marks.edges)(i).is_empty(), i)).collect();
    order.sort_unstable();
    for &(taken, i) in &order {
        let route = &scene.layout.edges[i];
        let Some([_, _, before, tip]) = route.curves.last().copied() else { continue };
        let d = route.path();
        if !taken {
            let colour = if marks.faint { colours.line } else { colours.soft };
            canvas.path(&d, Paint::line(colour, 1.0));
            canvas.head(tip, before, HEAD, colour);
            continue;
        }
        let strokes = (marks.edges)(i);
        for (k, stroke) in strokes.iter().enumerate() {
            let width = 2.0 + 2.6 * (strokes.len() - 1 - k) as f64;
            canvas.path(&d, Paint::line(stroke.colour, width).dash(stroke.dash));
        }
        canvas.head(tip, before, HEAD + 1.5, strokes[strokes.len() - 1].colour);
    }
    for (i, (edge, route)) in scene.edges.iter().zip(&scene.layout.edges).enumerate() {
        let Some(at) = route.label else { continue };
        let area = Area::around(at, Point::new(edge.size.x + 3.0, edge.size.y));
        canvas.rect(area, Paint::fill(colours.background));
        let taken = !(marks.edges)(i).is_empty();
        let colour = if marks.faint && !taken { colours.soft } else { colours.ink };
        canvas.block(at, &edge.lines, Letters::new(EDGE_TEXT, colour, Anchor::Middle));
    }
    for (node, placed) in scene.nodes.iter().zip(&scene.layout.nodes) {
        let stroke = (marks.nodes)(node.vertex);
        let faint = marks.faint && stroke.is_none();
        let line = stroke.map_or(if faint { colours.line } else { colours.ink }, |s| s.colour);
        let width = if stroke.is_some() { 1.8 } else { 1.0 };
        let double = (marks.double)(node.vertex);
        let fill = if double { colours.goal } else { colours.background };
        let area = Area::around(placed.at, node.size);
        outline(canvas, node.shape, area, Paint::both(fill, line, width));
        if double {
            outline(canvas, node.shape, area.grown(-2.5), Paint::line(line, 0.8));
        }
        let letters = Letters::new(NODE_TEXT, if faint { colours.soft } else { colours.ink }, Anchor::Middle);
        canvas.block(placed.at, &node.lines, letters);
        if marks.chance.contains(&node.vertex) {
            die(canvas, Point::new(area.x + area.w - 1.0, area.y + 1.0));
        }
        if node.goes_on {
            let at = Point::new(area.x + area.w - 3.0, area.y + area.h - 3.0);
            canvas.circle(at, 3.0, Paint::both(colours.background, colours.wrong, 1.2));
        }
    }
    for node in marks.initial.iter().filter_map(|v| scene.node_of[v.index()]) {
        let (placed, size) = (&scene.layout.nodes[node], scene.nodes[node].size);
        let at = Point::new(placed.at.x - size.x / 2.0, placed.at.y - size.y / 2.0);
        canvas.circle(
            Point::new(at.x + 1.0, at.y + 1.0),
            4.0,
            Paint::both(colours.ink, colours.background, 1.0),
        );
    }
}

fn outline(canvas: &mut Canvas, shape: Shape, area: Area, paint: Paint<'_>) {
    match shape {
        Shape::Box => canvas.rect(area, paint.round(2.0)),
        Shape::Ellipse => canvas.ellipse(area, paint),
    }
}

/// What the signs of a graph mean.
pub(crate) fn entries(double: &str, faint: bool) -> Vec<Entry> {
    let mut all = vec![
        Entry::new(Sample::Start, "start"),
        Entry::new(Sample::Goal, double),
        Entry::new(Sample::Words, "At a box the robot acts, at an ellipse it observes."),
    ];
    if faint {
        all.push(Entry::new(Sample::Words, "Faint: what the plan does not use."));
    }
    all
}

/// What is said where a graph is not drawn whole.
pub(crate) fn note(scene: &LayeredScene, near: &str) -> Option<String> {
    (scene.left_out > 0).then(|| {
        format!(
            "Only what is near {near} is drawn: {} of {} vertices are left out; a ring marks where edges lead to them.",
            scene.left_out,
            scene.left_out + scene.nodes.len()
        )
    })
}
