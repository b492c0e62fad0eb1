//! `divulge convert`.

use divulge::{
    and_or::triple_graph,
    problem::{Knows, Problem},
    setting::Setting,
    verdict::QuestionError,
};
use divulge_formats::{Automaton, Unwritable, aut, faudes, fsm};
use divulge_model::{document, language};
use divulge_render::{
    bt::{BehaviorTree, NoTree},
    dot, prism, smv,
};

use super::watched;
use crate::{
    arguments::{Convert, Form, Part},
    input::Input,
    limits::Watch,
    output::{Terminal, to_file, to_file_within},
    status::{Failure, Status},
};

/// Writes the problem as a document or as a model, one of its graphs as a picture, or its game for a model checker.
pub fn run(asked: &Convert, terminal: &Terminal) -> Result<Status, Failure> {
    watched(&asked.limits, false, terminal, |watch| {
        let mut input = Input::read_all(&asked.source, terminal, watch)?;
        // Who watches a plan is not part of its tree.
        if asked.to != Form::Bt {
            chosen(&mut input, terminal);
        }
        match asked.to {
            Form::Json => document(asked, &input, watch),
            Form::Dot => graph(asked, &input.problem, watch),
            Form::Model => model(asked, &input, terminal, watch),
            Form::Bt => tree(asked, &input.problem, terminal, watch),
            Form::Smv => checker(asked, &input, watch),
            Form::Fsm | Form::Gen | Form::Aut => automaton(asked, &input.problem, terminal, watch),
            Form::Prism => game(asked, &input, watch),
        }?;
        Ok(Status::Yes)
    })
}

/// An observer that is chosen is written alone.
fn chosen(input: &mut Input, terminal: &Terminal) {
    let others = &mut input.problem.aside;
    if !others.is_empty() {
        let names: Vec<String> =
            others.iter().map(|o| format!("`{}`", o.name.as_deref().unwrap_or("no name"))).collect();
        terminal
            .note(&format!("note: the observers that are not chosen are left out: {}\n", names.join(", ")));
        others.clear();
    }
}

fn document(asked: &Convert, input: &Input, watch: &Watch) -> Result<(), Failure> {
    // A document that is written has a total map or none: images are not made up.
    input.total_maps()?;
    watch.answered();
    to_file(&asked.out, |out| document::write(&input.problem, out))
}

fn graph(asked: &Convert, problem: &Problem, watch: &Watch) -> Result<(), Failure> {
    watch.answered();
    let mut there = true;
    to_file(&asked.out, |out| {
        there = match (asked.part, &problem.plan) {
            (Part::World, _) => dot::world(out, problem).map(|()| true)?,
            (Part::Plan, Some(plan)) => dot::plan(out, plan, &problem.alphabet).map(|()| true)?,
            (Part::Plan, None) => false,
            (Part::Divulged, _) => dot::divulged(out, problem)?,
            (Part::Filter, _) => dot::filter(out, problem)?,
        };
        Ok(())
    })?;
    if !there {
        return Err(Failure::new("the problem has no such graph to draw", "`--part world` is always there"));
    }
    Ok(())
}

/// Writes the problem as a model in the language.
fn model(asked: &Convert, input: &Input, terminal: &Terminal, watch: &Watch) -> Result<(), Failure> {
    input.total_maps()?;
    let text = language::write(&input.problem)
        .map_err(|e| Failure::new(e.to_string(), "write it as a problem document: --to json"))?;
    watch.look().map_err(Failure::Limit)?;
    if input.problem.grid.is_some() {
        terminal.note("note: how the picture is laid out (`picture grid`) is left out: the world is drawn\n");
    }
    watch.answered();
    to_file(&asked.out, |out| out.write_all(text.as_bytes()))
}

/// Writes the plan as a behavior tree.
fn tree(asked: &Convert, problem: &Problem, terminal: &Terminal, watch: &Watch) -> Result<(), Failure> {
    let Some(plan) = &problem.plan else {
        return Err(Failure::new(
            "there is no plan to write as a tree",
            "seek one first: `divulge seek plan FILE --out FOUND.json`, then convert FOUND.json",
        ));
    };
    let made = BehaviorTree::new(plan, &problem.alphabet, watch).map_err(|e| match e {
        NoTree::Limit(limit) => Failure::Limit(limit),
        NoTree::Undecided(_) => {
            Failure::new(e.to_string(), "draw the plan so that its events tell where it is")
        }
        NoTree::Label(_) => Failure::new(e.to_string(), "rename the label"),
        NoTree::TooLarge => Failure::new(e.to_string(), "write it as a document: --to json"),
    })?;
    to_file_within(&asked.out, watch, |out| made.write(out))?;
    watch.answered();
    if made.choices() > 0 {
        terminal.note(&format!(
            "note: the robot must choose unpredictably at {} of the plan (ChooseAtRandom)\n",
            if made.choices() == 1 { "one place".to_owned() } else { format!("{} places", made.choices()) }
        ));
    }
    Ok(())
}

/// Writes the world as an automaton of another tool.
fn automaton(asked: &Convert, problem: &Problem, terminal: &Terminal, watch: &Watch) -> Result<(), Failure> {
    let refused = |e: Unwritable| Failure::new(e.reason, e.help);
    let automaton = Automaton::of(problem).map_err(refused)?;
    let text = match asked.to {
        Form::Fsm => fsm::write(&automaton),
        Form::Gen => faudes::write(&automaton),
        _ => aut::write(&automaton),
    };
    let text = text.map_err(refused)?;
    let dropped = dropped(problem, &automaton, asked.to);
    if !dropped.is_empty() {
        terminal.note(&format!(
            "note: left out, because the format has no place for it: {}\n",
            dropped.join("; ")
        ));
    }
    watch.answered();
    to_file(&asked.out, |out| out.write_all(text.as_bytes()))
}

/// What is lost of a problem whose world is written as an automaton.
fn dropped(problem: &Problem, automaton: &Automaton, to: Form) -> Vec<String> {
    let mut lost = Vec::new();
    let column = |name: &str| problem.world.props.column(name);
    if to == Form::Aut {
        let numbered = automaton.states.iter().enumerate().all(|(i, (name, _))| *name == i.to_string());
        if !numbered {
            lost.push("the names of the states, which are numbered".to_owned());
        }
        if automaton.states.iter().any(|(_, marked)| *marked) {
            lost.push("marks".to_owned());
        }
    }
    let own = ["state", "marked"];
    let others: Vec<String> = problem
        .world
        .props
        .names()
        .iter()
        .filter(|name| !own.contains(name))
        .map(|name| format!("`{name}`"))
        .collect();
    if !others.is_empty() {
        lost.push(format!("properties of states ({})", others.join(", ")));
    }
    if column("marked").is_some() && !problem.world.goal.is_empty() {
        lost.push("the goal, since states have marks of their own".to_owned());
    }
    if problem.observers().any(|observer| !observer.stipulations.is_empty()) {
        lost.push("stipulations".to_owned());
    }
    if problem.observer.knows != Knows::World {
        lost.push("what the observer knows of the plan".to_owned());
    }
    if problem.plan.is_some() {
        lost.push("the plan".to_owned());
    }
    lost
}

/// Writes the game for the given map as an MDP.
fn game(asked: &Convert, input: &Input, watch: &Watch) -> Result<(), Failure> {
    input.total_map()?;
    let problem = &input.problem;
    let map = problem.observer.map.as_ref().ok_or(QuestionError::NeedsMap)?;
    let graph = triple_graph(&Setting::pose(problem, None, watch)?, map)?;
    watch.answered();
    to_file(&asked.out, |out| prism(out, &graph, &problem.alphabet))
}

/// Writes the game for the given map as a model for a model checker, which asks for a plan of some length.
fn checker(asked: &Convert, input: &Input, watch: &Watch) -> Result<(), Failure> {
    let Some(depth) = asked.depth else {
        return Err(Failure::new(
            "a model asks for a plan of a certain length, and none is given",
            "add --depth K to ask for a plan of at most K events",
        ));
    };
    input.total_map()?;
    let problem = &input.problem;
    let map = problem.observer.map.as_ref().ok_or(QuestionError::NeedsMap)?;
    let graph = triple_graph(&Setting::pose(problem, None, watch)?, map)?;
    watch.answered();
    to_file(&asked.out, |out| smv(out, &graph, &problem.alphabet, depth as usize))
}
