//! Names for the vertices of a plan, after what the robot knows there.

use rustc_hash::FxHashMap;

use crate::problem::{Kind, Names, Value, Vertex, World};

/// Names longer than this are cut short by leaving out what comes last.
const LONG: usize = 40;

/// Names sets of world vertices, one after the other.
pub(crate) struct Namer<'w> {
    world: &'w World,
    names: Names,
    /// The properties that are not the same at every vertex.
    telling: Vec<&'w str>,
    /// How often each name was wanted.
    wanted: FxHashMap<String, u32>,
}

impl<'w> Namer<'w> {
    pub fn new(world: &'w World) -> Self {
        let tells = |property: &&str| {
            let Some(column) = world.props.column(property) else { return false };
            let first = column.code(Vertex(0));
            world.graph.vertices().any(|v| column.code(v) != first)
        };
        let telling = world.props.names().iter().filter(tells).collect();
        Self { world, names: Names::new(), telling, wanted: FxHashMap::default() }
    }

    /// Names the next vertex, where the robot knows that the world is at one of `members`, in any order.
    pub fn add(&mut self, kind: Kind, members: impl Iterator<Item = u32>) {
        let mut members: Vec<Vertex> = members.map(Vertex).collect();
        members.sort_unstable();
        members.dedup();
        let name = self.listed(&members).unwrap_or_else(|| self.described(kind, &members));
        let count = self.wanted.entry(name.clone()).or_insert(0);
        // A numbered name may itself be the name of a world vertex.
        loop {
            *count += 1;
            let unique = if *count == 1 { name.clone() } else { format!("{name} #{count}") };
            if self.names.intern(&unique).1 {
                return;
            }
        }
    }

    /// All names, in the order of the calls of [`add`](Self::add).
    pub fn names(self) -> Names {
        self.names
    }

    /// The members' own names, if that is short.
    fn listed(&self, members: &[Vertex]) -> Option<String> {
        if let [one] = members {
            return Some(self.world.name(*one).to_owned());
        }
        let mut name = String::new();
        for &v in members {
            if name.len() + self.world.name(v).len() > LONG / 2 {
                return None;
            }
            if !name.is_empty() {
                name.push('|');
            }
            name.push_str(self.world.name(v));
        }
        Some(name)
    }

    /// The properties that all members share; a question mark where an observation is awaited.
    fn described(&self, kind: Kind, members: &[Vertex]) -> String {
        let mut name = String::new();
        for &property in &self.telling {
            let Some(column) = self.world.props.column(property) else { continue };
            let shared = members.iter().all(|&v| column.code(v) == column.code(members[0]));
            let text = match column.get(members[0]).filter(|_| shared) {
                None | Some(Value::Bool(false)) => continue,
                Some(Value::Bool(true)) => property.to_owned(),
                Some(value) => format!("{property}={value}"),
            };
            if name.len() + text.len() <= LONG {
                let comma = if name.is_empty() { "" } else { ", " };
                name = name + comma + &text;
            }
        }
        if name.is_empty() {
            name = format!("one of {}", members.len());
        }
        if kind == Kind::Observation {
            name.push('?');
        }
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::{Alphabet, Builder};

    #[test]
    fn names_tell_what_is_known_and_differ() {
        let mut alphabet = Alphabet::new();
        let mut b = Builder::new(&mut alphabet);
        let long: Vec<String> = (0..4).map(|i| format!("a-vertex-with-a-long-name-{i}")).collect();
        b.actions(long.iter().map(String::as_str)).initial(&long[0]).actions(["u", "v", "u|v #2"]);
        for name in &long[..2] {
            b.prop(name, "room", "lab").prop(name, "wet", true).prop(name, "hot", false);
        }
        let world = b.world().expect("a world");
        let mut namer = Namer::new(&world);
        for (kind, members) in [
            (Kind::Action, vec![4]),
            (Kind::Action, vec![5, 4]),
            (Kind::Action, vec![6]),
            (Kind::Observation, vec![4, 5, 5]),
            (Kind::Observation, vec![0, 1]),
            (Kind::Observation, vec![0, 1]),
            (Kind::Action, vec![0, 1, 2]),
        ] {
            namer.add(kind, members.into_iter());
        }
        let names: Vec<String> = namer.names().iter().map(str::to_owned).collect();
        assert_eq!(
            names,
            ["u", "u|v", "u|v #2", "u|v #3", "room=lab, wet?", "room=lab, wet? #2", "one of 3"]
        );
    }
}
