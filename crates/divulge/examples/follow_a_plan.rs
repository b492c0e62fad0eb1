//! A plan followed step by step, beside its observer: what happens, what is seen, what is still thought possible.
//!
//! `cargo run --release -p divulge --example follow_a_plan`

use divulge::{
    Knows, Unlimited, ask,
    graph::follow,
    problem::Label,
    setting::{Setting, Watch},
};
use divulge_model::families::{Nuclear, nuclear};

/// Runs the example.
pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let problem = nuclear(&Nuclear { knows: Knows::World, ..Nuclear::new(3, 4) })?;
    let answer = ask(&problem).seek_plan().within(&Unlimited)?;
    let plan = &answer.found().ok_or("there is a plan")?.plan;
    let setting = Setting::pose(&problem, Some(plan), &Unlimited)?;
    let watch = Watch::new(&setting, setting.map()?)?;

    let (mut world, mut at) = (problem.world.graph.initial().to_vec(), plan.graph.initial().to_vec());
    let mut here = watch.start();
    while !at.iter().any(|&v| plan.is_terminal(v)) {
        // The first thing that plan and world agree on; a robot would act, and then see what comes.
        let bears = |l: &Label| world.iter().any(|&w| problem.world.graph.bears(w, *l));
        let event = at.iter().flat_map(|&v| plan.graph.labels(v)).find(bears).ok_or("the plan goes on")?;
        let image = watch.map().image(event);
        (world, at) = (follow(&problem.world.graph, &world, event), follow(&plan.graph, &at, event));
        here = watch.after(&here, image);
        let possible = watch.estimate(&here).ok_or("the observer expects this")?.len();
        let (event, seen) = (problem.alphabet.name(event), watch.map().shown(event));
        println!("{event:8} seen as {seen:8} {possible:3} places are possible");
    }
    let kept = watch.standing(&here).ok_or("the observer expects this")?;
    println!("at the end, {} of {} stipulations hold", kept.iter().filter(|kept| **kept).count(), kept.len());
    Ok(())
}
