//! Which vertices are drawn at one place.

use std::collections::BTreeMap;

use divulge::{
    Limit, Monitor,
    problem::{Kind, Problem, Value, Vertex},
};
use rustc_hash::FxHashMap;

use super::{Mark, Marks, grid::Grid};
use crate::words::{asked, listed};

/// The places of a world: what one spot of a picture stands for.
#[derive(Clone, Debug)]
pub(super) struct Places {
    of_vertex: Vec<u32>,
    /// The vertices of each place; a grid has its own.
    members: Vec<Vec<Vertex>>,
    /// Where the places are, if they form a grid.
    pub grid: Option<Grid>,
}

impl Places {
    pub fn new(problem: &Problem, monitor: &dyn Monitor) -> Result<Self, Limit> {
        if let Some((of_vertex, grid)) = Grid::find(problem, monitor)? {
            return Ok(Self { of_vertex, members: Vec::new(), grid: Some(grid) });
        }
        let of_vertex = states(problem).unwrap_or_else(|| (0..problem.world.graph.len() as u32).collect());
        let count = of_vertex.iter().max().map_or(0, |&most| most as usize + 1);
        Ok(Self { members: grouped(&of_vertex, count), of_vertex, grid: None })
    }

    pub fn len(&self) -> usize {
        self.grid.as_ref().map_or(self.members.len(), Grid::len)
    }

    pub fn of(&self, v: Vertex) -> u32 {
        self.of_vertex[v.index()]
    }

    pub fn members(&self, place: u32) -> &[Vertex] {
        match &self.grid {
            Some(grid) => grid.members(place),
            None => &self.members[place as usize],
        }
    }

    pub fn marks(&self, problem: &Problem, shown: &[u32], set: &[Vertex]) -> Marks {
        let number: FxHashMap<u32, usize> = shown.iter().enumerate().map(|(i, &place)| (place, i)).collect();
        let mut at: BTreeMap<u32, Vec<Vertex>> = BTreeMap::new();
        for &v in set {
            at.entry(self.of(v)).or_default().push(v);
        }
        let variables = self.telling(problem);
        let all = at.len();
        let marks: Vec<Mark> = at
            .into_iter()
            .filter_map(|(place, vertices)| {
                let values: Vec<Vec<String>> =
                    variables.iter().map(|name| values(problem, name, &vertices)).collect();
                Some(Mark {
                    place: *number.get(&place)?,
                    count: vertices.len(),
                    words: self.words(problem, place, &variables, &values),
                    values,
                })
            })
            .collect();
        let variables = variables.into_iter().map(str::to_owned).collect();
        Marks { outside: all - marks.len(), marks, variables }
    }

    /// The variables that stipulations speak of, other than those that say where a place is.
    fn telling<'p>(&self, problem: &'p Problem) -> Vec<&'p str> {
        let Some(grid) = &self.grid else { return Vec::new() };
        let (row, col) = &grid.grid.axes;
        asked(problem).into_iter().filter(|name| name != row && name != col).collect()
    }

    fn words(&self, problem: &Problem, place: u32, variables: &[&str], values: &[Vec<String>]) -> String {
        let mut words = self.name(problem, place);
        for (name, values) in variables.iter().zip(values) {
            words += &format!(", {name} {}", listed(values, "or"));
        }
        words
    }

    /// Whether a value is what is expected unless something has happened: flags that are not set, and words with which the
    /// world always starts.
    fn usual(&self, problem: &Problem, name: &str, value: &Value) -> bool {
        let Some(column) = problem.world.props.column(name) else { return false };
        let initial = problem.world.graph.initial();
        let at_start = || initial.iter().all(|&v| column.get(v) == Some(value));
        !matches!(value, Value::Int(_)) && at_start()
    }

    /// The place in words.
    pub fn name(&self, problem: &Problem, place: u32) -> String {
        if let Some(grid) = &self.grid {
            return grid.name(place);
        }
        let members = self.members(place);
        let told: Vec<String> = match members {
            [] => Vec::new(),
            [one, ..] => problem
                .world
                .props
                .of(*one)
                .filter(|(name, value)| !self.usual(problem, name, value))
                .map(|(name, value)| shown(name, value))
                .collect(),
        };
        match members {
            [] => String::new(),
            [one, ..] if told.is_empty() => problem.world.name(*one).to_owned(),
            [one] if !problem.world.name(*one).contains('=') => problem.world.name(*one).to_owned(),
            _ => told.join(", "),
        }
    }
}

/// A value of a variable in few words.
fn shown(name: &str, value: &Value) -> String {
    match value {
        Value::Text(text) => text.clone(),
        Value::Bool(true) => name.to_owned(),
        Value::Bool(false) => format!("not {name}"),
        Value::Int(n) => format!("{name} {n}"),
    }
}

fn values(problem: &Problem, name: &str, vertices: &[Vertex]) -> Vec<String> {
    let Some(column) = problem.world.props.column(name) else { return Vec::new() };
    let mut all: Vec<&Value> = vertices.iter().filter_map(|&v| column.get(v)).collect();
    all.sort_unstable();
    all.dedup();
    all.into_iter().map(ToString::to_string).collect()
}

fn grouped(of_vertex: &[u32], count: usize) -> Vec<Vec<Vertex>> {
    let mut members = vec![Vec::new(); count];
    for (v, &place) in (0..).zip(of_vertex) {
        members[place as usize].push(Vertex(v));
    }
    members
}

/// Where properties tell the states of the world apart, an action vertex and an observation vertex with the same properties are
/// one place: before and after the robot has looked.
fn states(problem: &Problem) -> Option<Vec<u32>> {
    let world = &problem.world;
    let names: Vec<&str> = world.props.names().iter().collect();
    if names.is_empty() {
        return None;
    }
    let columns: Vec<_> = names.iter().filter_map(|name| world.props.column(name)).collect();
    let mut index: FxHashMap<Vec<Option<usize>>, u32> = FxHashMap::default();
    let mut taken: FxHashMap<(u32, Kind), ()> = FxHashMap::default();
    let mut of_vertex = Vec::with_capacity(world.graph.len());
    for v in world.graph.vertices() {
        let fresh = index.len() as u32;
        let place = *index.entry(columns.iter().map(|c| c.code(v)).collect()).or_insert(fresh);
        if taken.insert((place, world.graph.kind(v)), ()).is_some() {
            return None;
        }
        of_vertex.push(place);
    }
    Some(of_vertex)
}
