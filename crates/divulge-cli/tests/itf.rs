//! Violations as traces in the Informal Trace Format: they keep its published rules, and say what the violation says.

use std::collections::BTreeSet;

use divulge::{
    ask::{What, ask},
    limit::Unlimited,
    problem::Problem,
    verdict::{Reason, Violation},
};
use divulge_naive::random::{self, Features, Profile, Rng};
use divulge_render::itf::Trace;
use serde_json::{Map, Value};

/// The rules, as the format's description has them: which fields there are, and what an expression is.
mod rules {
    use super::{BTreeSet, Map, Value};

    pub fn trace(trace: &Value) -> Result<(), String> {
        let fields = trace.as_object().ok_or("a trace is an object")?;
        let known = ["#meta", "params", "vars", "states", "loop"];
        if let Some(odd) = fields.keys().find(|name| !known.contains(&name.as_str())) {
            return Err(format!("the field {odd}"));
        }
        fields
            .get("#meta")
            .map_or(Ok(()), |meta| meta.as_object().map(|_| ()).ok_or("#meta is an object".to_owned()))?;
        let vars = names(fields.get("vars").ok_or("there must be vars")?)?;
        if vars.is_empty() || fields.get("params").is_some() {
            return Err("vars, and no params".to_owned());
        }
        let states = fields.get("states").and_then(Value::as_array).ok_or("there must be states")?;
        if states.is_empty() {
            return Err("a trace has a state".to_owned());
        }
        if let Some(back) = fields.get("loop") {
            back.as_u64().filter(|&n| (n as usize) < states.len()).ok_or("loop is the number of a state")?;
        }
        for (n, one) in states.iter().enumerate() {
            state(one, &vars, n).map_err(|e| format!("state {n}: {e}"))?;
        }
        same_types(states, &vars)
    }

    fn names(list: &Value) -> Result<BTreeSet<String>, String> {
        let list = list.as_array().ok_or("names are in a list")?;
        let all: Option<BTreeSet<String>> = list.iter().map(|name| Some(name.as_str()?.to_owned())).collect();
        let all = all.filter(|all| all.len() == list.len()).ok_or("names are different texts")?;
        let plain = |name: &String| {
            name.starts_with(|c: char| c.is_ascii_alphabetic())
                && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        };
        all.iter().all(plain).then_some(all.clone()).ok_or(format!("names of variables: {all:?}"))
    }

    fn state(state: &Value, vars: &BTreeSet<String>, n: usize) -> Result<(), String> {
        let fields = state.as_object().ok_or("a state is an object")?;
        let own: BTreeSet<String> = fields.keys().filter(|name| *name != "#meta").cloned().collect();
        if own != *vars {
            return Err(format!("{own:?} are not the variables"));
        }
        if fields.get("#meta").and_then(|meta| meta.get("index")).and_then(Value::as_u64) != Some(n as u64) {
            return Err("the index".to_owned());
        }
        fields.iter().filter(|(name, _)| *name != "#meta").try_for_each(|(_, value)| expression(value))
    }

    fn expression(value: &Value) -> Result<(), String> {
        match value {
            Value::Bool(_) | Value::String(_) => Ok(()),
            Value::Number(n) => Err(format!("{n} must be a #bigint")),
            Value::Null => Err("null is no expression".to_owned()),
            Value::Array(all) => all.iter().try_for_each(expression),
            Value::Object(fields) => special(fields),
        }
    }

    fn special(fields: &Map<String, Value>) -> Result<(), String> {
        if !fields.keys().any(|name| name.starts_with('#')) {
            return fields.values().try_for_each(expression);
        }
        let (name, inside) = fields.iter().next().filter(|_| fields.len() == 1).ok_or("one field")?;
        let all = inside.as_array();
        match (name.as_str(), all) {
            ("#set", Some(all)) => {
                let different: BTreeSet<String> = all.iter().map(Value::to_string).collect();
                if different.len() != all.len() {
                    return Err(format!("{inside} has something twice"));
                }
                all.iter().try_for_each(expression)
            }
            ("#tup", Some(all)) => all.iter().try_for_each(expression),
            ("#bigint", None) if inside.as_str().is_some_and(|n| n.parse::<i128>().is_ok()) => Ok(()),
            _ => Err(name.clone()),
        }
    }

    /// A variable is of one type throughout.
    fn same_types(states: &[Value], vars: &BTreeSet<String>) -> Result<(), String> {
        let kind = |value: &Value| match value {
            Value::Object(fields) => fields.keys().next().cloned().unwrap_or_default(),
            other => format!("{:?}", std::mem::discriminant(other)),
        };
        for name in vars {
            let kinds: BTreeSet<String> = states.iter().map(|state| kind(&state[name])).collect();
            if kinds.len() != 1 {
                return Err(format!("{name} is of several types"));
            }
        }
        Ok(())
    }
}

fn written(problem: &Problem, violation: &Violation, planned: bool) -> Value {
    let mut out = Vec::new();
    let trace = Trace::new(problem, violation, planned, &Unlimited).unwrap_or_else(|e| panic!("{e}"));
    trace.write(&mut out).expect("memory takes all");
    serde_json::from_slice(&out).expect("JSON")
}

fn texts(value: &Value) -> BTreeSet<&str> {
    value["#set"].as_array().expect("a set").iter().map(|text| text.as_str().expect("a text")).collect()
}

/// Whether the trace keeps the rules and says what the violation says.
fn agrees(problem: &Problem, violation: &Violation, planned: bool) {
    let trace = written(problem, violation, planned);
    rules::trace(&trace).unwrap_or_else(|e| panic!("{e}\n{trace:#}"));
    assert_eq!(trace["#meta"]["reason"], violation.reason.word());
    let has = |name: &str| trace["vars"].as_array().expect("vars").iter().any(|var| var == name);
    // An audit has no plan that could terminate.
    assert_eq!((has("terminates"), has("plan")), (planned, planned), "{trace:#}");
    let states = trace["states"].as_array().expect("states");
    let events: Vec<&str> =
        states[1..].iter().map(|state| state["event"].as_str().expect("a text")).collect();
    let execution: Vec<&str> = violation.execution.iter().map(|&l| problem.alphabet.name(l)).collect();
    assert_eq!(events[..execution.len()], execution, "{trace:#}");
    let more = violation.cycle.as_ref().map_or(0, Vec::len) + usize::from(violation.event.is_some());
    assert_eq!(events.len(), execution.len() + more, "{trace:#}");
    if violation.reason == Reason::UnsafeAction {
        assert!(texts(&states[events.len()]["world"]).len() < problem.world.graph.len(), "{trace:#}");
    }
    let (Reason::Stipulation, Some(number)) = (violation.reason, violation.stipulation) else { return };
    let observer = problem.observers().nth(violation.observer).expect("an observer");
    let vars: Vec<&str> = trace["vars"].as_array().expect("vars").iter().filter_map(Value::as_str).collect();
    let own =
        vars.iter().filter(|name| name.ends_with("broken")).nth(violation.observer).expect("a variable");
    let last = states.last().expect("a state");
    assert!(texts(&last[*own]).contains(observer.stipulations[number].name.as_str()), "{trace:#}");
    if let (None, Some(estimate)) = (violation.moment, &violation.estimate) {
        let name = own.replace("broken", "estimate");
        let names: BTreeSet<&str> = estimate.iter().map(|&v| problem.world.name(v)).collect();
        assert_eq!(texts(&last[&name]), names, "{trace:#}");
    }
}

#[test]
fn random_violations_are_traces() {
    let (mut reasons, mut hindsight, mut several) = (BTreeSet::new(), 0, 0);
    for seed in 0..600 {
        let mut rng = Rng::new(seed);
        let features = Features::each();
        let problem = match seed % 3 {
            0 => random::problem(&mut rng, &Profile::default()),
            _ => random::beyond(&mut rng, &Profile::default(), features[seed as usize % features.len()].1),
        };
        for what in [What::Check, What::Audit] {
            let Ok(answer) = ask(&problem).question(divulge::ask::Question::new(what)).within(&Unlimited)
            else {
                continue;
            };
            let Some(violation) = answer.violation() else { continue };
            agrees(&problem, violation, what == What::Check);
            reasons.insert(violation.reason);
            hindsight += usize::from(violation.moment.is_some());
            several += usize::from(!problem.others.is_empty());
        }
    }
    assert!(reasons.len() >= 5, "{reasons:?}");
    assert!(hindsight > 5 && several > 20, "{hindsight} {several}");
}
