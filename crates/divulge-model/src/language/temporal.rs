//! Words of time that people write in stipulations, which speak of `always` and `at end` alone.

use crate::diagnostic::{Code, Diagnostic, Span};

/// What to write in place of a word of time; nothing if the word is none.
pub(super) fn advice(word: &str) -> Option<String> {
    Some(match word {
        "never" => "write `always !(...)`: at no moment may it hold".to_owned(),
        "G" | "globally" | "henceforth" => "write `always ...`".to_owned(),
        "F" | "eventually" | "finally" | "sometime" | "sometimes" => {
            "nearest is `at end ...`: it must hold where the plan stops".to_owned()
        }
        "U" | "W" | "until" | "unless" => format!(
            "nearest to `p {word} q` is `always p | q`: one of the two holds at every moment, also after the first q"
        ),
        "before" => {
            "nearest to `p before q` is `always q -> p`: whenever q holds, p holds as well".to_owned()
        }
        "after" => "nearest to `p after q` is `always p -> q`: whenever p holds, q holds as well".to_owned(),
        "X" | "next" => {
            "single steps cannot be spoken of; let a variable of the world count them, and ask about that"
                .to_owned()
        }
        _ => return None,
    })
}

/// Whether a word is the sign of a temporal logic, which may as well be the name of something.
pub(super) fn is_letter(word: &str) -> bool {
    word.len() == 1
}

/// The finding that stipulations do not have the word.
pub(super) fn finding(word: &str, at: Span, advice: String) -> Diagnostic {
    Diagnostic::new(Code::TemporalWord, format!("stipulations have no `{word}`"))
        .at(at, "")
        .note(
            "a stipulation says what must hold at every moment (`always`) or where the plan stops (`at end`)",
        )
        .help(advice)
}
