//! `act-toks*.dat`: what an observer sees of each action, as files of goal recognition design list it.
//!
//! Each line is `(ACTION TOKEN OBJECT …)`. The token `nil`, or one that ends in `_nil`, says that the action is not seen.

use rustc_hash::FxHashMap;

use crate::{Fault, FaultKind, Faults, Place, pddl::lists};

/// One action with its objects, and what is seen of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// The action, as a world from PDDL names it: `move a b`.
    pub action: String,
    /// What it looks like; nothing if it is not seen.
    pub token: Option<String>,
    /// Where the file says so.
    pub place: Place,
}

/// Reads the list, each action once.
///
/// # Errors
/// All that is wrong with it, such as an action with several tokens, of which any may be seen.
pub fn read(text: &str) -> Result<Vec<Token>, Vec<Fault>> {
    let mut faults = Faults::new();
    let mut known: FxHashMap<String, usize> = FxHashMap::default();
    let mut found: Vec<Token> = Vec::new();
    for (words, place) in lists(text, &mut faults) {
        let (action, token) = match &words[..] {
            [name, token, objects @ ..] => {
                let parts: Vec<&str> = std::iter::once(name).chain(objects).map(String::as_str).collect();
                (parts.join(" "), token)
            }
            _ => {
                let fault = Fault::new(FaultKind::Syntax, "expected an action, a token and objects");
                faults.push(fault.at(place, "").help("a line is `(MOVE AT_A place_0 place_1)`"));
                continue;
            }
        };
        let unseen = token == "nil" || token.ends_with("_nil") || token.ends_with("-nil");
        let token = (!unseen).then(|| token.clone());
        match known.get(&action).map(|&earlier| &found[earlier]) {
            None => {
                known.insert(action.clone(), found.len());
                found.push(Token { action, token, place });
            }
            Some(earlier) if earlier.token == token => {}
            Some(_) => {
                let fault = Fault::new(FaultKind::Unsupported, format!("`{action}` has several tokens"));
                let help = "a label map gives one image to each event: keep one of them";
                faults.push(fault.at(place, "another one earlier").help(help));
            }
        }
    }
    faults.or(|| found)
}
