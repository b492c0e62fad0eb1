//! Words of time that people write in stipulations, which have others for what they mean, or want them elsewhere.

use crate::diagnostic::{Code, Diagnostic, Fix, Span};

/// What to write in place of a word of time; nothing if the word is none.
pub(super) fn advice(word: &str) -> Option<&'static str> {
    Some(match word {
        "never" => "write `always !(...)`: at no moment may it hold",
        "G" | "globally" | "henceforth" | "forever" | "constantly" => "write `always ...`",
        "F" | "finally" | "sometime" | "sometimes" => "write `eventually ...`",
        "ever" => "write `eventually ...`, or for \"not ever\" `always !(...)`",
        "later" | "afterwards" => {
            "for \"at some later time p\", write `eventually p`; for what is worked out later of an earlier moment, `hindsight p`"
        }
        "whenever" | "while" => "for \"p whenever q\", write `always (q -> p)`",
        "X" => "write `next ...`",
        "U" => "write `p until q`",
        "W" => "write `p unless q`",
        "before" => "for \"p comes before q\", write `!q unless p`",
        "after" => "for \"p always holds after q\", write `always (q -> always p)`",
        "then" => "for \"p, and then q\", write `eventually (p & eventually q)`",
        "R" | "release" | "releases" => "for \"p releases q\", write `q unless p & q`",
        "K" => "write `knows(...)`",
        "once" | "previously" | "formerly" | "since" => {
            "for what was so earlier, write `was(...)` inside `knows(...)`"
        }
        "initially" => {
            "for how the world began, write `knows(initially(x = 3))`; for what the observer knows at its first moment, `run ...`"
        }
        "was" => {
            "write it inside `knows(...)` or `possible(...)`, with a condition in parentheses: `knows(was(x = 3))`"
        }
        "always" | "eventually" | "next" => "write a formula after it, in parentheses if it is a long one",
        "until" | "unless" => {
            "it stands between two formulas, `p until q` or `p unless q`, in parentheses within another formula"
        }
        "hindsight" => {
            "write it before the whole formula of a stipulation of its own: `stipulate name: hindsight ...`"
        }
        "within" => {
            "to speak of what the observer makes of a moment up to 3 images later, write `hindsight 3 ...`; for \"p within 2 images\", `p | next (p | next p)`"
        }
        _ => return None,
    })
}

/// The word that means the same here.
fn instead(word: &str) -> Option<&'static str> {
    Some(match word {
        "G" | "globally" | "henceforth" | "forever" | "constantly" => "always",
        "F" | "finally" | "sometime" | "sometimes" => "eventually",
        "X" => "next",
        "U" => "until",
        "W" => "unless",
        "K" => "knows",
        _ => return None,
    })
}

/// Whether a word is the sign of a logic, which may as well be the name of something.
pub(super) fn is_letter(word: &str) -> bool {
    word.len() == 1
}

/// The finding that stipulations do not have the word, or not there.
pub(super) fn finding(word: &str, at: Span, advice: &str) -> Diagnostic {
    let known = ["always", "eventually", "next", "until", "unless", "hindsight", "was", "initially"];
    let message = if known.contains(&word) {
        format!("`{word}` cannot stand here like this")
    } else {
        format!("stipulations have no `{word}`")
    };
    let finding = Diagnostic::new(Code::TemporalWord, message).at(at, "").help(advice);
    match instead(word) {
        Some(ours) => finding.fix(Fix::replace(format!("write `{ours}`"), at, ours)),
        None => finding,
    }
}
