//! Strategies as the engines find them, and the plans that they become.
//!
//! *Background.* An engine decides what to do at nodes of its own: pairs of an expanded vertex and whatever it remembers of
//! the observer. No node recurs along an execution, so the strategy is an acyclic graph.
//!
//! *Practical.* Fill a [`Strategy`], then ask for [`Strategy::found`]: the part that is reachable, with nodes that do the same
//! for ever after made one vertex, named after what the robot knows there.

use std::hash::{Hash, Hasher};

use hashbrown::HashTable;
use rustc_hash::{FxHashMap, FxHasher};

use crate::{
    expansion::Expansion,
    game::naming::Namer,
    graph::Joint,
    limit::worth,
    problem::{InOrder, Kind, Label, Plan, Problem, Vertex, World},
    sets::BitSet,
    verdict::{Choices, FoundPlan, QuestionError, WorstCase},
};

/// Strategies of fewer nodes are not worth making smaller.
const MANY: usize = 1 << 10;

/// A node of a strategy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StrategyNode {
    /// The expanded vertex that the robot is at.
    pub at: Vertex,
    /// Whether the robot stops here; if so, `arcs` do not count.
    pub terminal: bool,
    /// What the robot does, or all that it may observe, each label once and ascending, with the node that follows.
    pub arcs: Vec<(Label, u32)>,
}

/// A strategy: what to do at each node. It must be acyclic.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Strategy {
    nodes: Vec<StrategyNode>,
}

impl Strategy {
    /// A strategy without nodes. The first one added is where executions start.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a node, whose arcs may name nodes that are added later.
    pub fn push(&mut self, node: StrategyNode) -> u32 {
        self.nodes.push(node);
        self.nodes.len() as u32 - 1
    }

    /// The node with this number.
    pub fn node_mut(&mut self, node: u32) -> &mut StrategyNode {
        &mut self.nodes[node as usize]
    }

    /// The nodes, in order.
    pub fn nodes(&self) -> &[StrategyNode] {
        &self.nodes
    }

    /// The strategy as a plan, with its worst case.
    ///
    /// # Panics
    /// If there is no node, or if there is a cycle.
    pub fn found(&self, problem: &Problem, expansion: &Expansion) -> FoundPlan {
        let merged = Merged::new(self, expansion);
        let worst_case = merged.worst_case(&problem.all_costs());
        let plan = merged.plan(&problem.world, expansion);
        FoundPlan { choices: Choices::of(&plan), plan, worst_case }
    }

    /// The worst case of the strategy.
    ///
    /// # Panics
    /// As [`found`](Self::found).
    pub fn worst_case(&self, problem: &Problem, expansion: &Expansion) -> WorstCase {
        Merged::new(self, expansion).worst_case(&problem.all_costs())
    }

    /// Where several actions are offered, from the start on: the nodes that become one vertex of the plan, and the actions.
    pub(crate) fn offered(&self, expansion: &Expansion) -> Vec<(Vec<u32>, Vec<Label>)> {
        let merged = Merged::new(self, expansion);
        let mut nodes: Vec<Vec<u32>> = vec![Vec::new(); merged.classes.len()];
        for (node, &class) in merged.class_of.iter().enumerate().filter(|(_, class)| **class != u32::MAX) {
            nodes[class as usize].push(node as u32);
        }
        let chooses = |(kind, _, arcs): &Behaviour| *kind == Kind::Action && arcs.len() > 1;
        let offers = |(_, _, arcs): &Behaviour| arcs.iter().map(|&(label, _)| label).collect();
        let all = merged.classes.iter().zip(nodes).rev();
        all.filter(|(class, _)| chooses(class)).map(|(class, nodes)| (nodes, offers(class))).collect()
    }

    /// The strategy with those actions alone at some nodes for which `keep` holds.
    pub(crate) fn keeping(&self, nodes: &[u32], keep: impl Fn(Label) -> bool) -> Self {
        let mut fewer = self.clone();
        nodes.iter().for_each(|&node| fewer.node_mut(node).arcs.retain(|&(label, _)| keep(label)));
        fewer
    }

    /// The same strategy without what cannot be reached, and with nodes made one that are at the same vertex and do the same for ever after. The plan
    /// is the same; whoever asks for it more than once takes less with fewer nodes.
    ///
    /// # Panics
    /// As [`found`](Self::found).
    pub(crate) fn compact(self, expansion: &Expansion) -> Self {
        if self.nodes.len() < worth(MANY) {
            return self;
        }
        let Merged { class_of, .. } = Merged::new(&self, expansion);
        let key = |node: u32| (class_of[node as usize], self.nodes[node as usize].at);
        let mut number: FxHashMap<(u32, Vertex), u32> = FxHashMap::default();
        let mut kept = vec![0];
        number.insert(key(0), 0);
        let mut done = 0;
        let mut nodes = Vec::new();
        while let Some(&node) = kept.get(done) {
            let StrategyNode { at, terminal, arcs } = &self.nodes[node as usize];
            let arcs = if *terminal { &[] } else { arcs.as_slice() };
            let arcs = arcs.iter().map(|&(label, to)| {
                let new = kept.len() as u32;
                let to_number = *number.entry(key(to)).or_insert(new);
                if to_number == new {
                    kept.push(to);
                }
                (label, to_number)
            });
            nodes.push(StrategyNode { at: *at, terminal: *terminal, arcs: arcs.collect() });
            done += 1;
        }
        Self { nodes }
    }

    /// The reachable nodes, each after all that follow it.
    fn backwards(&self) -> Vec<u32> {
        const NEW: u8 = 0;
        const OPEN: u8 = 1;
        const DONE: u8 = 2;
        let mut mark = vec![NEW; self.nodes.len()];
        let mut order = Vec::new();
        let mut stack = vec![(0u32, 0usize)];
        mark[0] = OPEN;
        while let Some((node, arc)) = stack.last_mut() {
            let StrategyNode { terminal, arcs, .. } = &self.nodes[*node as usize];
            match arcs.get(*arc).filter(|_| !terminal) {
                Some(&(_, to)) => {
                    *arc += 1;
                    assert_ne!(mark[to as usize], OPEN, "a strategy must be acyclic");
                    if mark[to as usize] == NEW {
                        mark[to as usize] = OPEN;
                        stack.push((to, 0));
                    }
                }
                None => {
                    mark[*node as usize] = DONE;
                    order.push(*node);
                    stack.pop();
                }
            }
        }
        order
    }
}

/// What tells two vertices of a plan apart: kind, whether it is terminal, and what follows.
pub(super) type Behaviour = (Kind, bool, Box<[(Label, u32)]>);

/// A strategy with like nodes made one; a class comes after all that follow it.
pub(super) struct Merged {
    pub classes: Vec<Behaviour>,
    /// The expanded vertices that the nodes of each class are at.
    pub at: Vec<Vec<Vertex>>,
    /// The class of each node that can be reached.
    class_of: Vec<u32>,
}

impl Merged {
    pub fn new(strategy: &Strategy, expansion: &Expansion) -> Self {
        let class_of = vec![u32::MAX; strategy.nodes.len()];
        let mut merged = Self { classes: Vec::new(), at: Vec::new(), class_of };
        // Classes by their hashes, which are kept, so that nothing is looked at again when the table grows.
        let mut table: HashTable<(u32, u64)> = HashTable::new();
        let mut follows: Vec<(Label, u32)> = Vec::new();
        for node in strategy.backwards() {
            let StrategyNode { at, terminal, arcs } = &strategy.nodes[node as usize];
            let arcs = if *terminal { &[] } else { arcs.as_slice() };
            follows.clear();
            follows.extend(arcs.iter().map(|&(label, to)| (label, merged.class_of[to as usize])));
            let kind = expansion.graph.kind(*at);
            let mut hasher = FxHasher::default();
            (kind, *terminal).hash(&mut hasher);
            follows
                .iter()
                .for_each(|&(label, to)| hasher.write_u64(u64::from(label.0) << 32 | u64::from(to)));
            let hash = hasher.finish();
            let Self { classes, at: places, class_of } = &mut merged;
            let same = |&(class, other): &(u32, u64)| {
                let (own, ends, arcs) = &classes[class as usize];
                other == hash && (*own, *ends, &**arcs) == (kind, *terminal, follows.as_slice())
            };
            let class = match table.find(hash, same) {
                Some(&(class, _)) => class,
                None => {
                    let class = classes.len() as u32;
                    classes.push((kind, *terminal, follows.as_slice().into()));
                    places.push(Vec::new());
                    table.insert_unique(hash, (class, hash), |&(_, hash)| hash);
                    class
                }
            };
            places[class as usize].push(*at);
            class_of[node as usize] = class;
        }
        merged
    }

    /// The class of the start: it is finished last.
    fn start(&self) -> u32 {
        self.classes.len() as u32 - 1
    }

    fn worst_case(&self, costs: &[u64]) -> WorstCase {
        self.worst_cases(costs)[self.start() as usize]
    }

    /// The worst case from each class on.
    pub fn worst_cases(&self, costs: &[u64]) -> Vec<WorstCase> {
        let mut worst: Vec<WorstCase> = Vec::with_capacity(self.classes.len());
        for (_, _, arcs) in &self.classes {
            let mut here = WorstCase::default();
            for (label, to) in arcs {
                let after = worst[*to as usize];
                here.events = here.events.max(after.events + 1);
                here.cost = here.cost.max(after.cost.saturating_add(costs[label.index()]));
            }
            worst.push(here);
        }
        worst
    }

    /// The plan, its vertices in breadth-first order.
    fn plan(&self, world: &World, expansion: &Expansion) -> Plan {
        let mut order = vec![self.start()];
        let mut vertex = vec![None; self.classes.len()];
        vertex[self.start() as usize] = Some(Vertex(0));
        let mut graph = InOrder::new(self.classes[self.start() as usize].0, 1);
        let mut terminal = Vec::new();
        let mut namer = Namer::new(world);
        let mut at = 0;
        while let Some(&class) = order.get(at) {
            let (kind, ends, arcs) = &self.classes[class as usize];
            if *ends {
                terminal.push(at);
            }
            for &(label, to) in arcs {
                let to = *vertex[to as usize].get_or_insert_with(|| {
                    graph.vertex(self.classes[to as usize].0);
                    order.push(to);
                    Vertex(order.len() as u32 - 1)
                });
                graph.arc(label, to);
            }
            graph.end_sorted().expect("a plan has no more arcs than its strategy");
            namer.add(*kind, self.at[class as usize].iter().flat_map(|&v| expansion.members(v).iter()));
            at += 1;
        }
        let graph = graph.build();
        let terminal = BitSet::from_fn(graph.len(), |v| terminal.binary_search(&v).is_ok());
        Plan { graph, names: namer.names(), terminal }
    }
}

/// Refuses a plan whose costs add up to more than can be counted: sums stop at the largest number there is.
///
/// # Errors
/// If they do.
pub(crate) fn countable(found: FoundPlan) -> Result<FoundPlan, QuestionError> {
    match found.worst_case.cost {
        u64::MAX => Err(QuestionError::Refused(
            "the costs of a plan add up to 18446744073709551615 or more, which cannot be counted: give smaller `costs`"
                .to_owned(),
        )),
        _ => Ok(found),
    }
}

/// The worst case of a plan's joint executions with its world, given what each label costs; `None` if they can go on for ever.
pub fn worst_case(joint: &Joint, costs: &[u64]) -> Option<WorstCase> {
    let order = joint.backwards()?;
    let joint = &joint.graph;
    let mut worst: Vec<WorstCase> = vec![WorstCase::default(); joint.len()];
    for &v in order {
        let mut here = WorstCase::default();
        for arc in joint.arcs(v) {
            let after = worst[arc.to.index()];
            here.events = here.events.max(after.events + 1);
            here.cost = here.cost.max(after.cost.saturating_add(costs[arc.label.index()]));
        }
        worst[v.index()] = here;
    }
    let starts = joint.initial().iter().map(|v| worst[v.index()]);
    starts.reduce(|a, b| WorstCase { events: a.events.max(b.events), cost: a.cost.max(b.cost) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        expansion::{Actions, expand},
        limit::Unlimited,
        problem::{Alphabet, Builder, Knows, Observer},
    };

    /// u0 –a→ y0, u0 –b→ y1; y0 and y1 –o→ u1, the goal.
    fn diamond() -> Problem {
        let mut alphabet = Alphabet::new();
        let mut b = Builder::new(&mut alphabet);
        b.actions(["u0", "u1"]).observations(["y0", "y1"]).initial("u0").mark("u1");
        b.edge("u0", ["a"], "y0").edge("u0", ["b"], "y1").edge("y0", ["o"], "u1").edge("y1", ["o"], "u1");
        let world = b.world().expect("a world");
        let costs = vec![(Label(1), 7)];
        Problem { costs, ..Problem::new(alphabet, world, Observer::new(Knows::World)) }
    }

    fn worst(problem: &Problem, plan: &Plan) -> Option<WorstCase> {
        let joint = Joint::new(plan, &problem.world, &Unlimited).expect("no limit");
        worst_case(&joint, &problem.all_costs())
    }

    #[test]
    fn like_nodes_become_one_vertex() {
        let problem = diamond();
        let expansion = expand(&problem.world, Actions::Safe, 1, &Unlimited).expect("no limit");
        let at = |name: &str| {
            let v = problem.world.vertex(name).expect("a vertex").0;
            expansion
                .graph
                .vertices()
                .find(|&s| expansion.members(s).iter().eq([v]))
                .expect("an expanded vertex")
        };
        let (a, b, o) = (Label(0), Label(1), Label(2));
        let mut strategy = Strategy::new();
        let node = |name, terminal, arcs| StrategyNode { at: at(name), terminal, arcs };
        strategy.push(node("u0", false, vec![(a, 1), (b, 2)]));
        strategy.push(node("y0", false, vec![(o, 3)]));
        strategy.push(node("y1", false, vec![(o, 4)]));
        strategy.push(node("u1", true, vec![(a, 0)]));
        strategy.push(node("u1", true, Vec::new()));
        strategy.push(node("u1", false, vec![(a, 5)]));
        let found = strategy.found(&problem, &expansion);
        assert_eq!(found.worst_case, WorstCase { events: 2, cost: 7 });
        assert_eq!(worst(&problem, &found.plan), Some(found.worst_case));
        assert_eq!(found.plan.names.iter().collect::<Vec<_>>(), ["u0", "y0|y1", "u1"]);
        assert_eq!(found.plan.graph.arc_count(), 3);
        assert_eq!(found.plan.terminal.iter().collect::<Vec<_>>(), [2]);
    }

    #[test]
    fn a_plan_that_goes_round_has_no_worst_case() {
        let mut problem = diamond();
        let mut b = Builder::new(&mut problem.alphabet);
        b.actions(["u"]).observations(["y"]).initial("u").edge("u", ["a"], "y").edge("y", ["o"], "u");
        b.edge("y", ["o"], "u");
        let plan = b.plan().expect("a plan");
        assert_eq!(worst(&problem, &plan), Some(WorstCase { events: 2, cost: 1 }));
        let mut b = Builder::new(&mut problem.alphabet);
        b.actions(["u0"]).observations(["y0"]).initial("u0");
        b.edge("u0", ["a"], "y0").edge("y0", ["o"], "u0");
        problem.world = b.world().expect("a world");
        assert_eq!(worst(&problem, &plan), None);
    }
}
