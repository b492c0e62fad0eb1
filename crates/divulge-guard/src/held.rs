//! Why nothing more is shown.

use divulge::problem::{Label, Problem};

use crate::table::Refusal;

/// Why the guard holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// No event has this name.
    UnknownEvent,
    /// The plan does not foresee the event here.
    UnforeseenEvent,
    /// The world does not allow the event here.
    ImpossibleEvent,
    /// The plan offers the action here, but the guard had chosen another one.
    NotTold,
    /// An observer's divulged plan does not admit the event.
    OutsideDivulged,
    /// A stipulation would break.
    Stipulation,
    /// The plan does not stop here.
    EarlyEnd,
    /// The plan stops where the world has no goal.
    OffGoal,
    /// The input ended before the robot said that it had stopped.
    InputEnded,
    /// A line that cannot be read.
    Unreadable,
    /// No sign of life for too long.
    NoHeartbeat,
    /// No image was there when the beat came.
    Late,
    /// The journal cannot be written.
    Journal,
    /// An output cannot be written.
    Output,
    /// The system has no source of chance.
    NoChance,
}

impl Reason {
    /// All of them.
    pub const ALL: [Reason; 15] = [
        Reason::UnknownEvent,
        Reason::UnforeseenEvent,
        Reason::ImpossibleEvent,
        Reason::NotTold,
        Reason::OutsideDivulged,
        Reason::Stipulation,
        Reason::EarlyEnd,
        Reason::OffGoal,
        Reason::InputEnded,
        Reason::Unreadable,
        Reason::NoHeartbeat,
        Reason::Late,
        Reason::Journal,
        Reason::Output,
        Reason::NoChance,
    ];

    /// The word used for it in lines and journals.
    pub fn word(self) -> &'static str {
        match self {
            Reason::UnknownEvent => "unknown-event",
            Reason::UnforeseenEvent => "unforeseen-event",
            Reason::ImpossibleEvent => "impossible-event",
            Reason::NotTold => "not-told",
            Reason::OutsideDivulged => "outside-divulged",
            Reason::Stipulation => "stipulation",
            Reason::EarlyEnd => "early-end",
            Reason::OffGoal => "off-goal",
            Reason::InputEnded => "input-ended",
            Reason::Unreadable => "unreadable",
            Reason::NoHeartbeat => "no-heartbeat",
            Reason::Late => "late",
            Reason::Journal => "journal",
            Reason::Output => "output",
            Reason::NoChance => "no-chance",
        }
    }

    /// The reason that a word is used for.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reason| reason.word() == word)
    }

    /// The exit status: 1 if the robot deviated, 2 for input that cannot be read, 3 for what the machine or the clock did not allow.
    pub fn status(self) -> u8 {
        match self {
            Reason::Unreadable => 2,
            Reason::NoHeartbeat | Reason::Late | Reason::Journal | Reason::Output | Reason::NoChance => 3,
            _ => 1,
        }
    }
}

/// That the guard holds: what it did not show, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Held {
    /// The event that was not shown, if it was one.
    pub event: Option<String>,
    /// Why.
    pub reason: Reason,
    /// The same in words.
    pub message: String,
}

impl Held {
    /// Something other than an event.
    pub fn new(reason: Reason, message: impl Into<String>) -> Self {
        Self { event: None, reason, message: message.into() }
    }

    /// An event whose name nobody knows.
    pub fn unknown(problem: &Problem, name: &str) -> Self {
        let near = divulge::did_you_mean(name, problem.alphabet.names().iter());
        let near = near.map_or(String::new(), |near| format!(": {near}"));
        let message = format!("there is no event `{name}`{near}");
        Self { event: Some(name.to_owned()), reason: Reason::UnknownEvent, message }
    }

    /// An event, or the end, that was refused. `expected` are the events that would not have been.
    pub fn refused(problem: &Problem, event: Option<Label>, refusal: Refusal, expected: &[Label]) -> Self {
        let name = event.map(|label| problem.alphabet.name(label));
        let what = name.map_or("the end".to_owned(), |name| format!("`{name}`"));
        Self {
            event: name.map(str::to_owned),
            ..Self::against(problem, (&what, "would break"), refusal, expected)
        }
    }

    /// What is against something: what it is called, and the verb for what it does to a stipulation.
    pub(crate) fn against(
        problem: &Problem,
        (what, breaks): (&str, &str),
        refusal: Refusal,
        expected: &[Label],
    ) -> Self {
        let stipulation = |observer: u32, number: u32| {
            let of = problem.observers().nth(observer as usize);
            let name = of.and_then(|of| of.stipulations.get(number as usize)).map(|s| s.name.as_str());
            format!("`{}` of {}", name.unwrap_or("?"), problem.called(observer as usize))
        };
        let (reason, message) = match refusal {
            Refusal::Unforeseen => {
                let names: Vec<&str> = expected.iter().map(|&l| problem.alphabet.name(l)).collect();
                let foreseen = match &names[..] {
                    [] => "nothing: it stops".to_owned(),
                    names => names.join(", "),
                };
                (
                    Reason::UnforeseenEvent,
                    format!("the plan does not foresee {what} here; it foresees {foreseen}"),
                )
            }
            Refusal::Impossible => (Reason::ImpossibleEvent, format!("the world does not allow {what} here")),
            Refusal::NotTold => {
                let told = match expected {
                    [] => "to go on".to_owned(),
                    [one] => format!("to do `{}`", problem.alphabet.name(*one)),
                    _ => "otherwise".to_owned(),
                };
                (Reason::NotTold, format!("the robot was told {told}, and {what} is something else"))
            }
            Refusal::Outside { observer } => (
                Reason::OutsideDivulged,
                format!(
                    "what {} knows of the plan does not admit {what} here",
                    problem.called(observer as usize)
                ),
            ),
            Refusal::Broken { observer, stipulation: number } => {
                (Reason::Stipulation, format!("{what} {breaks} {}", stipulation(observer, number)))
            }
            Refusal::EarlyEnd => (Reason::EarlyEnd, "the plan does not stop here".to_owned()),
            Refusal::OffGoal => {
                (Reason::OffGoal, "the plan stops here, but this need not be a goal".to_owned())
            }
        };
        Self { event: None, reason, message }
    }
}
