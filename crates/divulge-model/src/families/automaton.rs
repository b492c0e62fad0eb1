//! Random automata with secret states, as tools for opacity take them.

use divulge::problem::{Knows, Problem};

use super::{FamilyError, Shuffle, problem};

/// A random automaton, parameter by parameter.
#[derive(Clone, Debug)]
pub struct Automaton {
    /// How many states.
    pub states: usize,
    /// How many events.
    pub events: usize,
    /// How many different images the events have.
    pub images: usize,
    /// How many arcs of each event a state has, in hundredths and on average: 100 is a deterministic automaton.
    pub arcs: usize,
    /// How many states are secret; the initial ones are only if all are initial.
    pub secrets: usize,
    /// How many states are initial.
    pub starts: usize,
    /// The number of the automaton among those with the same parameters.
    pub seed: u64,
}

/// The automaton as a world in which the robot chooses events and observes nothing but that time goes by. The observer sees the
/// images of the events and must never be sure that the state is secret: current-state opacity.
///
/// # Errors
/// If there is no state, event or image, if more states are initial or secret than there are, or if it has too many arcs.
pub fn automaton(wanted: &Automaton) -> Result<Problem, FamilyError> {
    let &Automaton { states, events, images, arcs, secrets, starts, seed } = wanted;
    let possible =
        states > 0 && events > 0 && (1..=events).contains(&images) && (1..=states).contains(&starts);
    let size = states.saturating_mul(events).saturating_mul(arcs / 100 + 1);
    if !possible || secrets > states || size > 1 << 26 {
        return Err(FamilyError::Parameters(format!(
            "an automaton of {states} states ({starts} initial, {secrets} secret) and {events} events with {images} images cannot be"
        )));
    }
    let image = |label: &str| match label.strip_prefix("event ").and_then(|n| n.parse::<usize>().ok()) {
        Some(event) => format!("image {}", event % images),
        None => label.to_owned(),
    };
    let fill = |b: &mut divulge::problem::Builder<'_>| {
        let mut shuffle = Shuffle::new(seed);
        let mut secret = vec![false; states];
        // The last ones: which states these are makes no difference to a random automaton.
        secret[states - secrets..].fill(true);
        for (state, &secret) in secret.iter().enumerate() {
            let (inside, entered) = (format!("{state}"), format!("to {state}"));
            b.actions([inside.as_str()]).observations([entered.as_str()]);
            b.prop(&inside, "secret", secret).prop(&entered, "secret", secret);
            b.edge(&entered, ["time"], &inside);
        }
        for state in 0..states {
            for event in 0..events {
                let more = usize::from(shuffle.below(100) < arcs % 100);
                for _ in 0..arcs / 100 + more {
                    let to = shuffle.below(states);
                    let label = format!("event {event}");
                    b.edge(&format!("{state}"), [label.as_str()], &format!("to {to}"));
                }
            }
        }
        for state in 0..starts {
            b.initial(&format!("{state}"));
        }
    };
    problem(
        format!("automaton of {states} states, {events} events, {images} images, number {seed}"),
        [&[], &[]],
        fill,
        Knows::World,
        Some(&image),
        &[("opaque", "!knows(secret)")],
    )
}
