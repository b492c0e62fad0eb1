//! Why a question cannot be asked.

use divulge::verdict::QuestionError;

/// What is wrong with the question, and what to do about it.
pub fn refusal(e: &QuestionError) -> (String, Option<String>) {
    let help = match e {
        QuestionError::NeedsMap => Some(
            "write `sees` in a model or `map` in a document, or seek a map: `divulge seek both`, or `seek map` for a plan that is given",
        ),
        QuestionError::NeedsPlan(why) if why.starts_with("`seek map`") => {
            Some("add a `plan`, or find a plan and a map with `divulge seek both`")
        }
        QuestionError::NeedsPlan(_) => Some(
            "add a `plan`, or find one: `divulge seek plan FILE --out found.json` writes a document that has it",
        ),
        QuestionError::FilterCannotTrace(_) => Some(
            "a filter must be able to trace the images of all executions of the world: add edges to its graph",
        ),
        QuestionError::OtherKind(_) => Some("its initial vertices must be of the kind of the world's"),
        QuestionError::Formula { e, .. } => return (e.to_string(), e.help.clone()),
        QuestionError::Options(_, help) => Some(*help),
        // What to do stands at the end.
        QuestionError::Refused(why) => match why.rsplit_once("; ") {
            Some((message, help)) => return (message.to_owned(), Some(help.to_owned())),
            None => None,
        },
        QuestionError::NoPlans | QuestionError::Limit(_) | QuestionError::Internal(_) => None,
    };
    (e.to_string(), help.map(str::to_owned))
}
