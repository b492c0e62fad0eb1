//! What a page says first where nothing was found.

use divulge::{
    ask::{Answer, Verdict, What},
    problem::Problem,
};

use super::{Style, answer};

/// Where there is no plan or no map: a headline, and why.
pub fn headline(problem: &Problem, found: &Answer) -> Option<(String, String)> {
    let Verdict::None { .. } = found.verdict else { return None };
    let headline = match found.question.what {
        What::Plan => "No plan keeps all of this",
        _ => "No map keeps all of this",
    };
    let text = answer(problem, found, Style::plain());
    Some((headline.to_owned(), text.trim_start_matches("none").trim().to_owned()))
}
