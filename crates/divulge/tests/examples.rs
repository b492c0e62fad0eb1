//! The examples run.

#[path = "../examples/audit.rs"]
mod audit;
#[path = "../examples/courier.rs"]
mod courier;
#[path = "../examples/follow_a_plan.rs"]
mod follow_a_plan;
#[path = "../examples/nuclear_frontier.rs"]
mod nuclear_frontier;

#[test]
fn examples_run() {
    for example in [audit::main, courier::main, follow_a_plan::main, nuclear_frontier::main] {
        example().unwrap();
    }
}
