//! Within how many events stopping can be forced at each node, in waves from the nodes where the robot stops.
//!
//! *Background.* What leads to a node is what leads the robot to its state there, together with each state of the observer from which
//! that looks like what leads to the observer's. So the arcs of the robot are turned round, and those of the observer, which are few
//! beside those of the game; and only nodes where stopping can be forced are ever looked at. Where many of the observer's states lead to
//! one by the same image, most of them would be asked in vain for a node with the robot's state: there the arcs of the game itself
//! are turned round. So they are if the game has fewer nodes than the robot has states.
//!
//! *Practical.* [`values`] does it all. A value below [`OPEN`] is final, [`OPEN`] itself means that nothing is known, more counts the
//! successors that an observation node waits for, and [`NEVER`] is for those that are lost.

use crate::{
    game::{
        arena::{Arena, Node, Product},
        induction,
    },
    graph::induction::{NEVER, OPEN, events},
    limit::Limit,
    observer::StateId,
    problem::{Arc, Image, Kind, Vertex},
};

/// As many states that lead to one of the observer's states by one image are asked one by one.
const FEW: usize = 8;

/// No entry.
const NONE: u32 = u32::MAX;

/// How many nodes are looked at between two looks at the monitor.
const POLL: usize = 1 << 14;

/// The value of every node, at least [`OPEN`] where stopping cannot be forced; complete as far as the start's value needs it.
pub(crate) fn values(game: &mut Arena<'_>, product: &Product) -> Result<Vec<u32>, Limit> {
    if product.len() < game.robot.graph.len() {
        return listed(game, product);
    }
    spread(game, product)
}

/// The same over the arcs of the game, listed and turned round: for games with fewer nodes than the robot has states.
fn listed(game: &mut Arena<'_>, product: &Product) -> Result<Vec<u32>, Limit> {
    let (mut value, mut stops) = (Vec::new(), Vec::new());
    let before = induction::before(game, product, &mut value, &mut stops)?;
    let nodes = product.len();
    let poll = |steps| game.poll("inducing backwards", steps, nodes);
    events(&before, &mut value, stops, Some(product.start()), poll)?;
    Ok(value)
}

/// The same over the arcs of the robot and of the observer.
fn spread(game: &mut Arena<'_>, product: &Product) -> Result<Vec<u32>, Limit> {
    let ways = Ways::new(game, product)?;
    let mut value = vec![OPEN; product.len()];
    let (mut now, mut later) = (Wave::new(product.groups()), Wave::new(product.groups()));
    ways.stops(game, &mut value, &mut now);
    let (mut robots, mut events, mut steps, mut looked) = (Vec::new(), 0, 0, 0);
    while !now.touched.is_empty() && value[product.start()] >= OPEN {
        events += 1;
        while let Some(observer) = now.take(&mut robots) {
            let to = ways.observer.of(observer);
            for &robot in &robots {
                ways.before(to, (observer, robot), |from| {
                    looked += 1;
                    if ways.reach(game, &mut value, from, events) {
                        later.push(from);
                    }
                });
            }
            steps += robots.len();
            if steps >= POLL {
                game.counted = looked;
                game.poll("inducing backwards", steps * 4, product.len())?;
                steps = 0;
            }
        }
        now.entries.clear();
        std::mem::swap(&mut now, &mut later);
    }
    game.counted = looked;
    Ok(value)
}

/// The nodes that got a value in one wave, by the observer's state.
struct Wave {
    /// The observer's states that occur.
    touched: Vec<u32>,
    /// The last entry of each of the observer's states.
    last: Vec<u32>,
    /// The robot's state, and the entry before with the same state of the observer.
    entries: Vec<(u32, u32)>,
}

impl Wave {
    fn new(groups: usize) -> Self {
        Self { touched: Vec::new(), last: vec![NONE; groups], entries: Vec::new() }
    }

    fn push(&mut self, (observer, robot): Node) {
        let last = &mut self.last[observer as usize];
        if *last == NONE {
            self.touched.push(observer);
        }
        self.entries.push((robot, *last));
        *last = self.entries.len() as u32 - 1;
    }

    /// One of the observer's states, with the robot's states at the nodes.
    fn take(&mut self, robots: &mut Vec<u32>) -> Option<u32> {
        let observer = self.touched.pop()?;
        robots.clear();
        let mut at = std::mem::replace(&mut self.last[observer as usize], NONE);
        while at != NONE {
            let (robot, before) = self.entries[at as usize];
            robots.push(robot);
            at = before;
        }
        Some(observer)
    }
}

/// Arcs turned round: what leads to each state, and by which image.
struct Turned {
    starts: Vec<u32>,
    arcs: Vec<(Image, u32)>,
}

impl Turned {
    /// Of arcs from a state by an image to another state, of `n` states.
    fn new(n: usize, arcs: impl Iterator<Item = (u32, Image, u32)> + Clone) -> Self {
        let starts = starts(n, arcs.clone().map(|(_, _, to)| to));
        let mut at = starts.clone();
        let mut turned = vec![(Image::UNSEEN, 0); starts[n] as usize];
        for (from, image, to) in arcs {
            turned[at[to as usize] as usize] = (image, from);
            at[to as usize] += 1;
        }
        Self { starts, arcs: turned }
    }

    fn range(&self, state: u32) -> std::ops::Range<usize> {
        self.starts[state as usize] as usize..self.starts[state as usize + 1] as usize
    }

    fn of(&self, state: u32) -> &[(Image, u32)] {
        &self.arcs[self.range(state)]
    }
}

/// The ways back from nodes.
struct Ways<'p> {
    product: &'p Product,
    robot: Turned,
    /// Those to one state in the order of images.
    observer: Turned,
    crowds: Option<Crowds>,
}

/// What leads to nodes by an image by which many of the observer's states lead there.
struct Crowds {
    starts: Vec<u32>,
    nodes: Vec<Node>,
}

impl<'p> Ways<'p> {
    fn new(game: &Arena<'_>, product: &'p Product) -> Result<Self, Limit> {
        let (graph, tracker) = (&game.robot.graph, game.tracker());
        let arcs = graph.all_arcs().map(|(v, arc)| (v.0, game.image(arc.label), arc.to.0));
        let robot = Turned::new(graph.len(), arcs);
        game.report("turning the game round", product.len())?;
        let met =
            (0..product.groups() as u32).filter(|&observer| product.nodes(&(observer..observer + 1)) > 0);
        let arcs = met.flat_map(|from| {
            let next = tracker.known_successors(StateId(from)).iter();
            next.filter(|(_, to)| tracker.course(*to).is_kept()).map(move |&(image, to)| (from, image, to.0))
        });
        let mut observer = Turned::new(tracker.len(), arcs);
        let mut crowded = false;
        for to in 0..tracker.len() as u32 {
            let range = observer.range(to);
            let arcs = &mut observer.arcs[range];
            arcs.sort_unstable();
            crowded |= arcs.chunk_by(|a, b| a.0 == b.0).any(|alike| alike.len() > FEW);
        }
        let mut ways = Self { product, robot, observer, crowds: None };
        if crowded {
            ways.crowds = Some(ways.find_crowds(game)?);
        }
        Ok(ways)
    }

    fn find_crowds(&self, game: &Arena<'_>) -> Result<Crowds, Limit> {
        let (mut robots, mut found) = (Vec::new(), Vec::new());
        for observer in 0..self.product.groups() as u32 {
            let next = game.tracker().known_successors(StateId(observer)).iter();
            let next = next.filter(|(image, to)| alike(self.observer.of(to.0), *image).len() > FEW);
            let next: Vec<(Image, StateId)> = next.copied().collect();
            if next.is_empty() {
                continue;
            }
            self.product.list(observer, &mut robots);
            for &robot in &robots {
                for arc in game.robot.graph.arcs(Vertex(robot)) {
                    let image = game.image(arc.label);
                    let to = next.binary_search_by_key(&image, |(i, _)| *i).ok().map(|at| next[at].1);
                    if let Some(node) = to.and_then(|to| self.product.node(to.0, arc.to.0)) {
                        found.push((node, (observer, robot)));
                    }
                }
            }
            game.report("turning the game round", self.product.len())?;
        }
        let starts = starts(self.product.len(), found.iter().map(|&(node, _)| node));
        let mut at = starts.clone();
        let mut nodes = vec![(0, 0); found.len()];
        for (node, from) in found {
            nodes[at[node as usize] as usize] = from;
            at[node as usize] += 1;
        }
        Ok(Crowds { starts, nodes })
    }

    /// Sets the value of the nodes where the robot stops.
    fn stops(&self, game: &Arena<'_>, value: &mut [u32], wave: &mut Wave) {
        let mut robots = Vec::new();
        for observer in 0..self.product.groups() as u32 {
            if !game.tracker().course(StateId(observer)).may_end() {
                continue;
            }
            let first = self.product.list(observer, &mut robots);
            for (node, &robot) in (first..).zip(&robots) {
                if game.robot.goal.contains(robot as usize) {
                    value[node as usize] = 0;
                    wave.push((observer, robot));
                }
            }
        }
    }

    /// Shows whatever leads to a node, whose observer's state `to` tells what leads to, once for each arc; some of it may be no nodes.
    fn before(&self, to: &[(Image, u32)], (observer, robot): Node, mut see: impl FnMut(Node)) {
        for &(image, from) in self.robot.of(robot) {
            if image == Image::UNSEEN {
                see((observer, from));
                continue;
            }
            let alike = alike(to, image);
            if alike.len() <= FEW {
                alike.iter().for_each(|&(_, other)| see((other, from)));
            }
        }
        if let Some(Crowds { starts, nodes }) = &self.crowds
            && let Some(node) = self.product.node(observer, robot)
        {
            let range = starts[node as usize] as usize..starts[node as usize + 1] as usize;
            nodes[range].iter().for_each(|&from| see(from));
        }
    }

    /// One more successor of a node has got a value; tells whether the node itself gets one now.
    fn reach(&self, game: &Arena<'_>, value: &mut [u32], (observer, robot): Node, events: u32) -> bool {
        let Some(node) = self.product.node(observer, robot) else { return false };
        let value = &mut value[node as usize];
        if *value < OPEN || *value == NEVER {
            return false;
        }
        if game.robot.graph.kind(Vertex(robot)) == Kind::Observation {
            let waits = if *value == OPEN { self.waits(game, observer, robot) } else { *value };
            if waits != OPEN + 1 {
                *value = if waits == NEVER { NEVER } else { waits - 1 };
                return false;
            }
        }
        *value = events;
        true
    }

    /// How many successors an observation node waits for of which one has been found: all of them, or it is lost.
    fn waits(&self, game: &Arena<'_>, observer: u32, robot: u32) -> u32 {
        let (arcs, tracker) = (game.robot.graph.arcs(Vertex(robot)), game.tracker());
        let found = |arc: &Arc| {
            let next = match game.image(arc.label) {
                Image::UNSEEN => Some(StateId(observer)),
                image => tracker.known_step(StateId(observer), image),
            };
            let next = next.filter(|&next| tracker.course(next).is_kept());
            next.is_some_and(|next| self.product.node(next.0, arc.to.0).is_some())
        };
        let all = !game.robot.lost.contains(robot as usize) && (arcs.len() == 1 || arcs.iter().all(found));
        if all { OPEN + arcs.len() as u32 } else { NEVER }
    }
}

/// Those of some arcs, in the order of images, that are by one image.
fn alike(arcs: &[(Image, u32)], image: Image) -> &[(Image, u32)] {
    // Most of the observer's states have one or two ways back.
    if arcs.len() > 2 * FEW {
        let start = arcs.partition_point(|arc| arc.0 < image);
        let rest = &arcs[start..];
        return &rest[..rest.partition_point(|arc| arc.0 == image)];
    }
    let mut start = 0;
    while start < arcs.len() && arcs[start].0 < image {
        start += 1;
    }
    let mut end = start;
    while end < arcs.len() && arcs[end].0 == image {
        end += 1;
    }
    &arcs[start..end]
}

/// Where what belongs to each of `n` numbers begins, and where the last ends.
fn starts(n: usize, all: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut starts = vec![0; n + 1];
    all.for_each(|i| starts[i as usize + 1] += 1);
    for i in 1..starts.len() {
        starts[i] += starts[i - 1];
    }
    starts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        game::{Robot, arena::NO_BUDGET, explore::Exploration},
        limit::Unlimited,
        problem::{Alphabet, Builder, Knows, LabelMap, Observer, Problem},
        setting::Setting,
    };

    /// A robot that is shown one of so many signs, comes back to where all are forgotten, and may start over.
    fn signs(count: usize) -> Problem {
        let mut alphabet = Alphabet::new();
        let mut b = Builder::new(&mut alphabet);
        b.actions(["u", "w"]).observations(["y", "z", "g"]).initial("u").mark("g");
        b.edge("u", ["look"], "y").edge("z", ["home"], "w").edge("w", ["again"], "y").edge(
            "w",
            ["leave"],
            "g",
        );
        for i in 0..count {
            b.actions([format!("v{i}").as_str()]);
            b.edge("y", [format!("sign{i}").as_str()], &format!("v{i}"));
            b.edge(&format!("v{i}"), ["back"], "z");
        }
        let world = b.world().expect("a world");
        let map = Some(LabelMap::identity(&alphabet));
        Problem::new(alphabet, world, Observer { map, ..Observer::new(Knows::World) })
    }

    #[test]
    fn crowds_lead_back_as_few_do() {
        for count in [1, FEW, FEW + 1, 5 * FEW] {
            let problem = signs(count);
            let setting = Setting::pose(&problem, None, &Unlimited).expect("a setting");
            let map = setting.map().expect("a map");
            let tracker = setting.tracker(map).expect("a tracker").expect("something to track");
            let robot = Robot::of(&setting).expect("no limit").expect("a robot");
            let mut game = Arena::new(&robot, tracker, map, &Unlimited);
            let mut search = Exploration::new(&game, NO_BUDGET);
            assert_eq!(search.go_on(&mut game, usize::MAX), Ok(true));
            let (product, _) = search.finish(&game).expect("no limit");
            let found = spread(&mut game, &product).expect("no limit");
            assert_eq!(found[product.start()], 5);
            assert_eq!(Ways::new(&game, &product).expect("no limit").crowds.is_some(), count > FEW);
            let value = listed(&mut game, &product).expect("no limit");
            let known = |values: &[u32]| values.iter().map(|&v| (v < OPEN).then_some(v)).collect::<Vec<_>>();
            assert_eq!(known(&found), known(&value));
        }
    }
}
