//! What was, and what was initially: worlds unfolded by what stipulations ask of the way to a vertex.
//!
//! *Background.* Along a way v₀ … vₙ of a world, `initially(p)` is settled by v₀ and `was(p)` by any vⱼ. Both can be followed beside the vertex, one
//! bit for each: a vertex of the *unfolded* world is a vertex with what its way was like. It does what the vertex does, so the
//! robot, its plans and the divulged plans are the same in both worlds; only estimates say more.

use rustc_hash::FxHashMap;

use crate::{
    formula::{Formula, FormulaError, Logic, Predicate, Test, resolve},
    limit::{Monitor, Progress},
    problem::{Names, PGraphBuilder, Past, Problem, Props, Vertex, World},
    sets::BitSet,
    verdict::QuestionError,
};

/// A world is unfolded by at most so many questions about the past.
const MOST: usize = 64;

/// How many vertices are unfolded between two looks at the monitor.
const POLL: usize = 1024;

/// The problem with its world unfolded; `None` if no stipulation asks about the past, or if that was done before.
///
/// # Errors
/// If a stipulation does not fit the world, or if the monitor stops the unfolding.
pub fn unfold(problem: &Problem, monitor: &dyn Monitor) -> Result<Option<Problem>, QuestionError> {
    let mut stipulations = problem.observers().flat_map(|observer| &observer.stipulations);
    if problem.world.past.is_some() || !stipulations.any(|s| s.formula.asks_about_the_past()) {
        return Ok(None);
    }
    let mut questions = Questions { world: &problem.world, asked: Vec::new() };
    for (observer, about) in problem.observers().enumerate() {
        for (number, stipulation) in about.stipulations.iter().enumerate() {
            let wrong = |e| QuestionError::Formula { observer, number, e };
            questions.of_formula(&stipulation.formula).map_err(wrong)?;
        }
    }
    let world = questions.unfold(monitor)?;
    Ok(Some(Problem { world, ..problem.clone() }))
}

/// What stipulations ask about the past, inner questions before those that they are part of.
struct Questions<'w> {
    world: &'w World,
    asked: Vec<Question>,
}

struct Question {
    test: Test,
    of: Compiled,
}

/// A predicate whose tests of the present are sets of vertices, and whose tests of the past are numbers of questions.
type Compiled = Logic<Part>;

enum Part {
    Now(BitSet),
    Past(usize),
}

impl Questions<'_> {
    fn of_formula(&mut self, formula: &Formula) -> Result<(), FormulaError> {
        formula.predicates().into_iter().filter(|p| p.is_past()).try_for_each(|p| self.compile(p).map(|_| ()))
    }

    fn compile(&mut self, predicate: &Predicate) -> Result<Compiled, FormulaError> {
        Ok(match predicate {
            Logic::Const(b) => Logic::Const(*b),
            Logic::Atom(test @ (Test::Was(p) | Test::Initially(p))) => {
                let of = self.compile(p)?;
                Logic::Atom(Part::Past(self.question(test, of)?))
            }
            Logic::Atom(_) => Logic::Atom(Part::Now(resolve::vertices(self.world, predicate)?)),
            Logic::Not(p) => Logic::Not(Box::new(self.compile(p)?)),
            Logic::And(parts) => Logic::And(self.each(parts)?),
            Logic::Or(parts) => Logic::Or(self.each(parts)?),
            Logic::Implies(parts) => Logic::Implies(self.each(parts)?),
            Logic::Iff(parts) => Logic::Iff(self.each(parts)?),
        })
    }

    fn each(&mut self, parts: &[Predicate]) -> Result<Vec<Compiled>, FormulaError> {
        parts.iter().map(|p| self.compile(p)).collect()
    }

    fn question(&mut self, test: &Test, of: Compiled) -> Result<usize, FormulaError> {
        if let Some(known) = self.asked.iter().position(|q| q.test == *test) {
            return Ok(known);
        }
        if self.asked.len() == MOST {
            let message = format!("the stipulations ask more than {MOST} different questions about the past");
            return Err(FormulaError::new(Default::default(), message));
        }
        self.asked.push(Question { test: test.clone(), of });
        Ok(self.asked.len() - 1)
    }

    /// What a way is like that was like `before` and has come to `v`; nothing before the first vertex.
    fn answers(&self, before: Option<u64>, v: Vertex) -> u64 {
        let mut bits = before.unwrap_or(0);
        for (number, question) in self.asked.iter().enumerate() {
            let settled = match question.test {
                Test::Initially(_) => before.is_some(),
                _ => bits >> number & 1 == 1,
            };
            if !settled && holds(&question.of, bits, v) {
                bits |= 1 << number;
            }
        }
        bits
    }

    fn unfold(self, monitor: &dyn Monitor) -> Result<World, QuestionError> {
        let graph = &self.world.graph;
        let mut builder = PGraphBuilder::new();
        let mut ways: Vec<(Vertex, u64)> = Vec::new();
        let mut number: FxHashMap<(Vertex, u64), Vertex> = FxHashMap::default();
        let mut enter = |builder: &mut PGraphBuilder, ways: &mut Vec<(Vertex, u64)>, way: (Vertex, u64)| {
            *number.entry(way).or_insert_with(|| {
                ways.push(way);
                builder.vertex(graph.kind(way.0))
            })
        };
        for &v in graph.initial() {
            let first = enter(&mut builder, &mut ways, (v, self.answers(None, v)));
            builder.initial(first);
        }
        let mut at = 0;
        while let Some(&(v, bits)) = ways.get(at) {
            if at.is_multiple_of(POLL) {
                let doing = "following the past";
                monitor.poll(&Progress { doing, explored: at as u64, ..Progress::default() })?;
            }
            for arc in graph.arcs(v) {
                let to = enter(&mut builder, &mut ways, (arc.to, self.answers(Some(bits), arc.to)));
                builder.arc(Vertex(at as u32), arc.label, to);
            }
            at += 1;
        }
        Ok(self.world(builder, &ways))
    }

    fn world(self, builder: PGraphBuilder, ways: &[(Vertex, u64)]) -> World {
        let base = self.world;
        let (mut names, mut props) = (Names::new(), Props::new());
        for (number, &(v, bits)) in ways.iter().enumerate() {
            let unfolded = Vertex(number as u32);
            let mut name = base.name(v).to_owned();
            while !names.intern(&name).1 {
                name.push('\'');
            }
            for (property, value) in base.props.of(v) {
                props.set(unfolded, property, value.clone());
            }
            for (question, asked) in self.asked.iter().enumerate() {
                props.set(unfolded, &asked.test.to_string(), bits >> question & 1 == 1);
            }
        }
        let tests = self.asked.into_iter().enumerate().map(|(number, question)| {
            (question.test, BitSet::from_fn(ways.len(), |v| ways[v].1 >> number & 1 == 1))
        });
        World {
            graph: builder.build().expect("vertices with their past form a p-graph as the vertices do"),
            names,
            goal: BitSet::from_fn(ways.len(), |v| base.is_goal(ways[v].0)),
            props,
            past: Some(Box::new(Past {
                tests: tests.collect(),
                of: ways.iter().map(|(v, _)| *v).collect(),
                base: base.clone(),
            })),
        }
    }
}

fn holds(predicate: &Compiled, bits: u64, v: Vertex) -> bool {
    predicate.evaluate(&|part| match part {
        Part::Now(set) => set.contains(v.index()),
        Part::Past(question) => bits >> question & 1 == 1,
    })
}
