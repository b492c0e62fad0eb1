//! A plan as arrows through a grid.

use std::collections::BTreeSet;

use divulge::{
    graph::Joint,
    problem::{Kind, Plan, Problem, Vertex},
};

use super::{chance, entries};
use crate::{
    branches::Branches,
    figure::{Panel, Style},
    grid::GridPicture,
    layout::Point,
    legend::{self, Entry, Sample, legend},
    pace::{Limit, Pace},
    scene::GridScene,
    svg::{Canvas, Paint},
    world::{GAP, NARROW, grid_note},
};

/// One way from cell to cell.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Move {
    branch: usize,
    from: usize,
    to: usize,
    /// Whether the branch begins with it.
    first: bool,
}

/// Everything that is drawn over a grid.
#[derive(Default)]
struct Tracks {
    moves: BTreeSet<Move>,
    /// Where one branch goes over into another: cell and the two branches.
    joints: BTreeSet<(usize, usize, usize)>,
    stops: BTreeSet<(usize, usize)>,
    starts: BTreeSet<usize>,
}

impl Tracks {
    fn new(
        plan: &Plan,
        grid: &GridScene,
        joint: &Joint,
        branches: &Branches,
        pace: &Pace<'_>,
    ) -> Result<Self, Limit> {
        let mut tracks = Self::default();
        let branch = |v: Vertex| branches.of[v.index()].unwrap_or(0);
        // A stop belongs to every branch that leads to it.
        let into =
            |p: Vertex, q: Vertex| if plan.is_terminal(q) { branches.entered(p, q) } else { branch(q) };
        let cell = |w: Vertex| grid.cell_of[w.index()];
        let mut begins: BTreeSet<Vertex> = BTreeSet::new();
        for (pair, arc) in joint.graph.all_arcs() {
            pace.work(1)?;
            let ((p, w), (q, x)) = (joint.pairs[pair.index()], joint.pairs[arc.to.index()]);
            if branch(p) != into(p, q) {
                tracks.joints.insert((cell(x), branch(p), into(p, q)));
                if branches.all[branch(q)].parent == Some(branch(p)) {
                    begins.insert(q);
                }
            }
            if plan.is_terminal(q) {
                tracks.stops.insert((cell(x), into(p, q)));
            }
            // Observations seldom move anything; where they do, that is drawn as well.
            if joint.graph.kind(pair) == Kind::Action || cell(w) != cell(x) {
                tracks.moves.insert(Move { branch: branch(p), from: cell(w), to: cell(x), first: false });
            }
        }
        for (pair, arc) in joint.graph.all_arcs() {
            pace.work(1)?;
            let ((p, w), (_, x)) = (joint.pairs[pair.index()], joint.pairs[arc.to.index()]);
            let found = Move { branch: branch(p), from: cell(w), to: cell(x), first: false };
            if begins.contains(&p) && tracks.moves.remove(&found) {
                tracks.moves.insert(Move { first: true, ..found });
            }
        }
        for &(p, w) in joint.graph.initial().iter().map(|&pair| &joint.pairs[pair.index()]) {
            tracks.starts.insert(cell(w));
            if plan.is_terminal(p) {
                tracks.stops.insert((cell(w), branch(p)));
            }
        }
        Ok(tracks)
    }

    fn cells(&self) -> Vec<usize> {
        let ends = self.moves.iter().flat_map(|m| [m.from, m.to]);
        let all: BTreeSet<usize> = ends.chain(self.starts.iter().copied()).collect();
        all.into_iter().collect()
    }
}

/// Where the lines of branches run within cells: each in a lane of its own.
struct Lanes<'p> {
    picture: &'p GridPicture<'p>,
    count: usize,
    apart: f64,
}

impl Lanes<'_> {
    fn at(&self, cell: usize, branch: usize) -> Option<Point> {
        let middle = self.picture.area(cell)?.middle();
        let lane = (branch as f64 - (self.count as f64 - 1.0) / 2.0) * self.apart;
        // Falling diagonals keep lanes apart in rows and in columns.
        Some(Point::new(middle.x + lane, middle.y + lane))
    }
}

pub(super) fn panel(
    problem: &Problem,
    plan: &Plan,
    grid: &GridScene,
    joint: &Joint,
    branches: &Branches,
    style: &Style,
    pace: &Pace<'_>,
) -> Result<Panel, Limit> {
    let tracks = Tracks::new(plan, grid, joint, branches, pace)?;
    let picture = GridPicture::new(grid, &tracks.cells(), style.most);
    let mut canvas = style.canvas();
    picture.draw(&mut canvas);
    draw(&mut canvas, &picture, &tracks, branches);
    picture.write(&mut canvas, problem);
    let size = picture.size();
    let width = size.x.max(NARROW);
    let mut list = entries(problem, branches, &canvas);
    if !tracks.stops.is_empty() {
        list.push(Entry::new(Sample::Stop, "the plan terminates"));
    }
    list.extend(picture.entries(problem));
    let chance = chance(problem, plan).len();
    if chance > 0 {
        let text = format!(
            "At {chance} of the plan's vertices the robot must choose unpredictably between several actions."
        );
        list.push(Entry::new(Sample::Words, text));
    }
    let height = legend(&mut canvas, Point::new(0.0, size.y + GAP), width, &list);
    let told: Vec<String> = list.iter().map(|entry| entry.text.clone()).collect();
    Ok(Panel {
        title: match &problem.name {
            Some(name) => format!("The plan: {name}"),
            None => "The plan".to_owned(),
        },
        description: format!(
            "The plan as arrows through a grid of {} by {} places. {}.",
            grid.rows,
            grid.cols,
            told.join("; ")
        ),
        left_out: grid_note(&picture),
        size: Point::new(width, size.y + GAP + height),
        body: canvas.out,
    })
}

fn draw(canvas: &mut Canvas, picture: &GridPicture<'_>, tracks: &Tracks, branches: &Branches) {
    let count = branches.all.len().min(9);
    let lanes = Lanes { picture, count, apart: (picture.side * 0.36 / count as f64).min(8.0) };
    let lane = |cell: usize, branch: usize| lanes.at(cell, branch % 9);
    let scale = (picture.side / 60.0).clamp(0.35, 1.0);
    for &(cell, one, other) in &tracks.joints {
        if let (Some(a), Some(b)) = (lane(cell, one), lane(cell, other)) {
            let later = if branches.all[other].parent == Some(one) { other } else { one };
            let stroke = canvas.colours.stroke(later);
            canvas.line(a, b, Paint::line(stroke.colour, 2.0 * scale));
        }
    }
    for m in &tracks.moves {
        let (Some(a), Some(b)) = (lane(m.from, m.branch), lane(m.to, m.branch)) else { continue };
        let stroke = canvas.colours.stroke(m.branch);
        let paint = Paint::line(stroke.colour, 2.2 * scale);
        if m.from == m.to {
            canvas.circle(Point::new(a.x, a.y - 5.0 * scale), 5.0 * scale, paint);
            canvas.head(
                Point::new(a.x + 5.0 * scale, a.y - 5.0 * scale),
                Point::new(a.x + 4.0 * scale, a.y),
                5.5 * scale,
                stroke.colour,
            );
            continue;
        }
        let back = tracks.moves.iter().any(|o| o.branch == m.branch && (o.from, o.to) == (m.to, m.from));
        let (a, b) = if back { beside(a, b, 2.2 * scale) } else { (a, b) };
        canvas.line(a, b, paint.dash(stroke.dash));
        let at = |t: f64| Point::new(a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t);
        canvas.head(at(0.62), a, 8.0 * scale, stroke.colour);
        if m.first {
            canvas.mark(at(0.3), 3.6 * scale, stroke);
        }
    }
    for &cell in &tracks.starts {
        if let Some(at) = lane(cell, 0) {
            legend::start(canvas, at, 4.6 * scale, canvas.colours.stroke(0).colour);
        }
    }
    for &(cell, branch) in &tracks.stops {
        if let Some(at) = lane(cell, branch) {
            legend::stop(canvas, at, 4.8 * scale, canvas.colours.stroke(branch).colour);
        }
    }
}

/// A line moved to the right of its direction, for ways that are taken both ways.
fn beside(a: Point, b: Point, by: f64) -> (Point, Point) {
    let length = (b.x - a.x).hypot(b.y - a.y).max(1e-9);
    let (dx, dy) = (-(b.y - a.y) / length * by, (b.x - a.x) / length * by);
    (Point::new(a.x + dx, a.y + dy), Point::new(b.x + dx, b.y + dy))
}
