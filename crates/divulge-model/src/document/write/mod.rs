//! Problem to text. Plans and maps in answers have the same shape: [`plan`] and [`map`] write both.

mod json;

use std::io::{self, Write};

use divulge::problem::{
    Alphabet, Arc, Filter, FilterGraph, Kind, Knows, Label, LabelMap, MapConstraints, Names, Observer,
    PGraph, Plan, Problem, Scope, Value, Vertex, World,
};

use super::FORMAT;

pub use json::{Json, Layout, Plain};

/// Writes a problem as a document that [`read`](super::read()) gives back, up to the numbering of labels, which it does not depend
/// on where that is not the world's: what is read and written again is the same text. How a picture may be laid out has no place in a
/// document.
///
/// # Errors
/// Those of `out`, which had better be buffered.
pub fn write(problem: &Problem, out: impl Write) -> io::Result<()> {
    let mut json = Json::new(out);
    json.object(Layout::Lines, |j| {
        j.text_field("format", FORMAT)?;
        if let Some(name) = &problem.name {
            j.text_field("name", name)?;
        }
        j.key("world")?;
        world(j, problem)?;
        let labels = Labels::of(problem);
        if !problem.costs.is_empty() {
            j.key("costs")?;
            let mut costs = problem.costs.clone();
            costs.sort_by_key(|(l, _)| labels.rank(*l));
            j.object(Layout::Inline, |j| {
                costs.iter().try_for_each(|(l, cost)| j.plain_field(labels.name(*l), *cost))
            })?;
        }
        if let Some(p) = &problem.plan {
            j.key("plan")?;
            plan_with(j, p, &labels)?;
        }
        j.key("observers")?;
        j.list(Layout::Lines, |j| {
            let all = problem.observers().chain(&problem.aside);
            all.into_iter().try_for_each(|o| observer(j, o, &labels))
        })
    })?;
    json.finish()?.flush()
}

/// A problem as the text of a document.
pub fn to_string(problem: &Problem) -> String {
    let mut bytes = Vec::new();
    write(problem, &mut bytes).expect("writing to memory does not fail");
    String::from_utf8(bytes).expect("names are UTF-8")
}

/// Labels in the order in which they are written.
struct Labels<'a> {
    alphabet: &'a Alphabet,
    /// All labels in that order, and the place of each.
    order: Vec<Label>,
    rank: Vec<u32>,
}

impl<'a> Labels<'a> {
    /// In the order of their numbers.
    fn numbered(alphabet: &'a Alphabet) -> Self {
        Self { alphabet, order: alphabet.labels().collect(), rank: (0..alphabet.len() as u32).collect() }
    }

    /// In the order in which a document lists them: the world's actions, its observations, and then the others by name.
    fn of(problem: &'a Problem) -> Self {
        let alphabet = &problem.alphabet;
        let mut order: Vec<Label> = alphabet.labels().collect();
        order.sort_by_key(|&l| match problem.world_labels.contains(l.index()) {
            true => (0, alphabet.kind(l) == Kind::Observation, ""),
            false => (1, false, alphabet.name(l)),
        });
        let mut rank = vec![0; order.len()];
        (0..).zip(&order).for_each(|(place, l)| rank[l.index()] = place);
        Self { alphabet, order, rank }
    }

    fn name(&self, label: Label) -> &'a str {
        self.alphabet.name(label)
    }

    fn rank(&self, label: Label) -> u32 {
        self.rank[label.index()]
    }
}

fn world<W: Write>(j: &mut Json<W>, problem: &Problem) -> io::Result<()> {
    let World { graph, names, goal, props, .. } = problem.world.base();
    let listed = |kind| {
        let labels = problem.alphabet.of_kind(kind);
        labels.filter(|l| problem.world_labels.contains(l.index())).map(|l| problem.alphabet.name(l))
    };
    j.object(Layout::Lines, |j| {
        j.texts_field("actions", listed(Kind::Action))?;
        j.texts_field("observations", listed(Kind::Observation))?;
        vertices(j, graph, names, |j, v| {
            if goal.contains(v.index()) {
                j.plain_field("goal", true)?;
            }
            let mut all = props.of(v).peekable();
            if all.peek().is_none() {
                return Ok(());
            }
            j.key("props")?;
            j.object(Layout::Inline, |j| {
                all.try_for_each(|(name, value)| match value {
                    Value::Bool(b) => j.plain_field(name, *b),
                    Value::Int(i) => j.plain_field(name, *i),
                    Value::Text(s) => j.text_field(name, s),
                })
            })
        })?;
        // Labels of one edge are all of one kind, so among the world's their numbers are in the order of the document.
        edges(j, graph, names, |l| problem.alphabet.name(l), |l| l)
    })
}

/// Writes a plan, as in a document's `plan`.
///
/// # Errors
/// Those of the output.
pub fn plan<W: Write>(j: &mut Json<W>, plan: &Plan, alphabet: &Alphabet) -> io::Result<()> {
    plan_with(j, plan, &Labels::numbered(alphabet))
}

fn plan_with<W: Write>(j: &mut Json<W>, plan: &Plan, labels: &Labels<'_>) -> io::Result<()> {
    j.object(Layout::Lines, |j| {
        vertices(j, &plan.graph, &plan.names, |j, v| {
            if plan.is_terminal(v) { j.plain_field("terminal", true) } else { Ok(()) }
        })?;
        edges(j, &plan.graph, &plan.names, |l| labels.name(l), |l| labels.rank(l))
    })
}

/// Writes a label map, as in an observer's `map`.
///
/// # Errors
/// Those of the output.
pub fn map<W: Write>(j: &mut Json<W>, map: &LabelMap, alphabet: &Alphabet) -> io::Result<()> {
    map_with(j, map, &Labels::numbered(alphabet))
}

fn map_with<W: Write>(j: &mut Json<W>, map: &LabelMap, labels: &Labels<'_>) -> io::Result<()> {
    j.object(Layout::Inline, |j| {
        labels.order.iter().try_for_each(|&l| j.text_or_null_field(labels.name(l), map.look(l)))
    })
}

/// `vertices` and `initial`; `more` adds fields to a vertex.
fn vertices<W: Write>(
    j: &mut Json<W>,
    graph: &PGraph,
    names: &Names,
    mut more: impl FnMut(&mut Json<W>, Vertex) -> io::Result<()>,
) -> io::Result<()> {
    j.key("vertices")?;
    j.object(Layout::Lines, |j| {
        graph.vertices().try_for_each(|v| {
            j.key(names.name(v.0))?;
            j.object(Layout::Inline, |j| {
                j.text_field("kind", graph.kind(v).word())?;
                more(j, v)
            })
        })
    })?;
    j.texts_field("initial", graph.initial().iter().map(|v| names.name(v.0)))
}

/// The arcs between two vertices make one edge; edges are in the order of sources, then targets, and labels in that of `rank`.
fn edges<'a, W: Write, R: Ord>(
    j: &mut Json<W>,
    graph: &PGraph,
    names: &Names,
    label: impl Fn(Label) -> &'a str,
    rank: impl Fn(Label) -> R,
) -> io::Result<()> {
    j.key("edges")?;
    j.list(Layout::Lines, |j| {
        let mut arcs: Vec<Arc> = Vec::new();
        for v in graph.vertices() {
            arcs.clear();
            arcs.extend(graph.arcs(v));
            arcs.sort_by_key(|a| (a.to, rank(a.label)));
            for edge in arcs.chunk_by(|a, b| a.to == b.to) {
                j.object(Layout::Inline, |j| {
                    j.text_field("from", names.name(v.0))?;
                    j.text_field("to", names.name(edge[0].to.0))?;
                    j.texts_field("labels", edge.iter().map(|a| label(a.label)))
                })?;
            }
        }
        Ok(())
    })
}

fn observer<W: Write>(j: &mut Json<W>, observer: &Observer, labels: &Labels<'_>) -> io::Result<()> {
    j.object(Layout::Lines, |j| {
        if let Some(name) = &observer.name {
            j.text_field("name", name)?;
        }
        if let Some(map) = &observer.map {
            j.key("map")?;
            map_with(j, map, labels)?;
        } else if !observer.constraints.is_empty() {
            // A map that is given leaves nothing to constrain.
            constraints(j, &observer.constraints, labels)?;
        }
        match &observer.filter {
            Filter::Strongest => {}
            Filter::Image => j.text_field("filter", "image")?,
            Filter::Graph(filter) => self::filter(j, filter)?,
        }
        j.key("knows")?;
        knows(j, &observer.knows, labels)?;
        j.key("stipulations")?;
        j.list(Layout::Lines, |j| {
            observer.stipulations.iter().try_for_each(|s| {
                j.object(Layout::Inline, |j| {
                    j.text_field("name", &s.name)?;
                    if s.scope != Scope::Always {
                        j.text_field("scope", s.scope.word())?;
                    }
                    if let Scope::Hindsight { within: Some(within) } = s.scope {
                        j.plain_field("within", u64::from(within))?;
                    }
                    j.text_field("formula", &s.formula.to_string())
                })
            })
        })
    })
}

fn filter<W: Write>(j: &mut Json<W>, filter: &FilterGraph) -> io::Result<()> {
    j.key("filter")?;
    let (graph, names) = (&filter.graph.graph, &filter.graph.names);
    j.object(Layout::Lines, |j| {
        vertices(j, graph, names, |_, _| Ok(()))?;
        let name = |l: Label| filter.images.name(l.0);
        edges(j, graph, names, name, name)
    })
}

fn knows<W: Write>(j: &mut Json<W>, knows: &Knows, labels: &Labels<'_>) -> io::Result<()> {
    match knows {
        Knows::Plan => j.text("plan"),
        Knows::GoalDirected => j.text("goal-directed"),
        Knows::World => j.text("world"),
        Knows::Plans(plans) => j.object(Layout::Lines, |j| {
            j.key("plans")?;
            j.list(Layout::Lines, |j| plans.iter().try_for_each(|p| plan_with(j, p, labels)))
        }),
        Knows::Graph(g) => j.object(Layout::Lines, |j| {
            j.key("graph")?;
            j.object(Layout::Lines, |j| {
                vertices(j, &g.graph, &g.names, |_, _| Ok(()))?;
                edges(j, &g.graph, &g.names, |l| labels.name(l), |l| labels.rank(l))
            })
        }),
    }
}

fn constraints<W: Write>(j: &mut Json<W>, c: &MapConstraints, labels: &Labels<'_>) -> io::Result<()> {
    let groups = |j: &mut Json<W>, key: &str, groups: &[Vec<Label>]| {
        if groups.is_empty() {
            return Ok(());
        }
        j.key(key)?;
        j.list(Layout::Inline, |j| {
            groups.iter().try_for_each(|group| j.texts(group.iter().map(|&l| labels.name(l))))
        })
    };
    j.key("map_constraints")?;
    j.object(Layout::Lines, |j| {
        groups(j, "merge", &c.merge)?;
        groups(j, "separate", &c.separate)?;
        if !c.fixed.is_empty() {
            j.key("fixed")?;
            let mut fixed: Vec<&(Label, String)> = c.fixed.iter().collect();
            fixed.sort_by_key(|(l, _)| labels.rank(*l));
            j.object(Layout::Inline, |j| {
                fixed.iter().try_for_each(|(l, image)| j.text_field(labels.name(*l), image))
            })?;
        }
        if !c.unseen.is_empty() {
            let mut unseen = c.unseen.clone();
            unseen.sort_by_key(|&l| labels.rank(l));
            j.texts_field("unseen", unseen.iter().map(|&l| labels.name(l)))?;
        }
        if let Some(most) = c.max_images {
            j.plain_field("max_images", most)?;
        }
        if let Some(least) = c.min_images {
            j.plain_field("min_images", least)?;
        }
        if c.merge_cost.is_empty() {
            return Ok(());
        }
        j.key("merge_cost")?;
        j.list(Layout::Inline, |j| {
            c.merge_cost.iter().try_for_each(|&(a, b, cost)| {
                j.object(Layout::Inline, |j| {
                    j.texts_field("pair", [labels.name(a), labels.name(b)])?;
                    j.plain_field("cost", cost)
                })
            })
        })
    })
}
