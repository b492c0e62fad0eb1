//! What an action needs that the robot does not know.

use divulge::problem::{Label, Problem, Value, Vertex};

use super::layout::few;

/// More values than this are not listed.
const VALUES: usize = 5;

/// What decides among `vertices` whether the action is available: a condition on one property, as the language writes
/// it. Nothing if it is available at all or at none of them, or if no property decides it.
pub(super) fn needs(problem: &Problem, action: Label, vertices: &[Vertex]) -> Option<String> {
    let world = &problem.world;
    let has = |v: &&Vertex| world.graph.arcs(**v).iter().any(|arc| arc.label == action);
    let (with, without): (Vec<&Vertex>, Vec<&Vertex>) = vertices.iter().partition(has);
    if with.is_empty() || without.is_empty() {
        return None;
    }
    let decides = |name: &str| {
        let column = world.props.column(name)?;
        let codes = |set: &[&Vertex]| -> Option<Vec<usize>> {
            let mut codes = set.iter().map(|&&v| column.code(v)).collect::<Option<Vec<usize>>>()?;
            codes.sort_unstable();
            codes.dedup();
            Some(codes)
        };
        let (yes, no) = (codes(&with)?, codes(&without)?);
        if yes.iter().any(|code| no.contains(code)) {
            return None;
        }
        let values = |codes: &[usize]| -> Vec<Value> {
            let mut values: Vec<Value> = codes.iter().map(|&code| column.values()[code].clone()).collect();
            values.sort();
            values
        };
        Some((yes.len() + no.len(), condition(name, &values(&yes), &values(&no))))
    };
    // The property with the fewest values says it best; of several, the first.
    let all = world.props.names().iter().filter_map(decides);
    all.min_by_key(|(values, _)| *values).map(|(_, condition)| condition)
}

/// That a property has one of the values `yes`, and not one of the values `no`.
fn condition(name: &str, yes: &[Value], no: &[Value]) -> String {
    match (yes, no) {
        ([Value::Bool(true)], _) => name.to_owned(),
        ([Value::Bool(false)], _) => format!("!{name}"),
        ([value], _) => format!("{name} = {value}"),
        (_, [value]) => format!("{name} != {value}"),
        _ => {
            let values: Vec<String> = yes.iter().map(Value::to_string).collect();
            format!("{name} in {{{}}}", few(&values, VALUES))
        }
    }
}
