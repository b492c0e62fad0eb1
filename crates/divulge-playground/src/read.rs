//! Texts to problems: models, documents, and files of other tools.

use std::collections::BTreeMap;

use divulge::{Monitor, problem::Problem};
use divulge_model::{
    diagnostic::Diagnostics,
    document::{self, Whom},
    foreign::{self, Fixed, Said, Trouble},
    language::{self, Included, Loader, looks_like_json},
    lint::{Places, lint, lint_for_audit},
};

use crate::asked::Refused;

/// The largest text that is read, in bytes: beyond, the page would have too little memory for the answer.
pub const LARGEST: usize = 16 << 20;

/// Files that models may include, by path.
#[derive(Debug, Default)]
pub struct Files(pub BTreeMap<String, String>);

impl Loader for Files {
    fn load(&self, path: &str, from: &str) -> Result<Included, String> {
        let name = beside(from, path).ok_or("there is nothing above the folder of the examples")?;
        let text = self.0.get(&name).ok_or_else(|| {
            "the playground has no such file; it knows the examples and your drafts, by their names"
                .to_owned()
        })?;
        Ok(Included { name, text: text.clone() })
    }
}

/// The path of a file that `from` names as `path`; `None` if it leads out of all folders.
fn beside(from: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// A text that was read.
#[derive(Debug)]
pub struct Given {
    /// What it says; `None` if it is wrong.
    pub problem: Option<Problem>,
    /// What is wrong or strange about it.
    pub found: Diagnostics,
    /// What was taken for what, in a file of another tool.
    pub notes: Vec<String>,
    /// What is known of it if it is a file of another tool.
    pub foreign: Option<Origin>,
    gap: Option<Diagnostics>,
}

/// What a file of another tool says of itself.
#[derive(Debug, Default)]
pub struct Origin {
    /// Whether it says what the goal is, even if no state is one.
    pub goal: bool,
    /// Facts that are the same at every state.
    pub fixed: Fixed,
}

impl Given {
    /// Reads a text. `set` gives constants other values, chooses a plan or an observer; `said` is what a file of another tool leaves open;
    /// `asking` says whether something will be asked, for which at most one observer may lack a map.
    ///
    /// # Errors
    /// If the settings do not fit, the text is too large, or a limit is hit.
    pub fn read(
        name: &str,
        text: &str,
        files: &Files,
        set: &[(String, String)],
        said: &Said<'_>,
        asking: bool,
        monitor: &dyn Monitor,
    ) -> Result<Self, Refused> {
        if text.len() > LARGEST {
            let says =
                format!("this text is too large for the playground: {} MB are the most", LARGEST >> 20);
            return Err(Refused::new(says, "ask the program itself, which takes as much as the machine has"));
        }
        if let Some(read) = of_other_tool(name, text, files, set, said, monitor) {
            return read;
        }
        if let Some(field) = said.names().first() {
            let says = format!(
                "{field}: this is for files of other tools, and {name} is a problem of divulge's own"
            );
            return Err(Refused::new(says, "say it in the text itself"));
        }
        if looks_like_json(text) {
            return of_document(name, text, set, asking);
        }
        let load = if asking { language::load } else { language::load_all };
        let (problem, found) = load(name, text, files, set);
        Ok(Self { problem, found, notes: Vec::new(), foreign: None, gap: None })
    }

    /// For questions that take a map: it must say of every label of the world how it is seen.
    ///
    /// # Errors
    /// What it leaves open.
    pub fn total_map(&self) -> Result<(), Refused> {
        self.gap.clone().map_or(Ok(()), |gap| Err(Refused::findings(gap)))
    }
}

fn of_document(name: &str, text: &str, set: &[(String, String)], asking: bool) -> Result<Given, Refused> {
    if let Some((constant, _)) = set.iter().find(|(name, _)| name != "observer") {
        let says = format!("`{constant}` is a constant of a model, and this is a problem document");
        return Err(Refused::new(
            says,
            "leave the setting out, or open the model that the document was made from",
        ));
    }
    let unless_chosen = if asking { Whom::Everybody } else { Whom::Anybody };
    let whom = set.first().map_or(unless_chosen, |(_, observer)| Whom::Named(observer));
    Ok(match document::read_for(name, text, whom) {
        Err(found) => Given { problem: None, found, notes: Vec::new(), foreign: None, gap: None },
        Ok(mut document) => {
            // A document without a goal is there to be audited.
            let look = if document.problem.world.goal.is_empty() { lint_for_audit } else { lint };
            look(&document.problem, &Places::default(), &mut document.warnings);
            let gap = document.total_map().err();
            let (problem, found) = (Some(document.problem), document.warnings);
            Given { problem, found, notes: Vec::new(), foreign: None, gap }
        }
    })
}

fn of_other_tool(
    name: &str,
    text: &str,
    files: &Files,
    set: &[(String, String)],
    said: &Said<'_>,
    monitor: &dyn Monitor,
) -> Option<Result<Given, Refused>> {
    let constants: Vec<_> = set.iter().filter(|(name, _)| name != "observer").cloned().collect();
    // The domain of a planning problem stands beside it: `p-domain.pddl` beside `p.pddl`, or `domain.pddl`.
    let domains =
        [name.strip_suffix(".pddl").map(|stem| format!("{stem}-domain.pddl")), beside(name, "domain.pddl")];
    let domain = domains.into_iter().flatten().find_map(|path| files.0.get_key_value(&path));
    let second =
        domain.filter(|_| name.ends_with(".pddl")).map(|(name, text)| (name.as_str(), text.as_str()));
    let read = foreign::read(name, text, foreign::Given { constants: &constants, second }, monitor)?;
    Some(match read {
        Err(Trouble::Limit(limit)) => Err(Refused::Limit(limit)),
        Err(Trouble::Findings(found)) => {
            let foreign = Some(Origin::default());
            Ok(Given { problem: None, found, notes: Vec::new(), foreign, gap: None })
        }
        Ok(_) if set.iter().any(|(name, _)| name == "observer") => Err(Refused::new(
            "a file of another tool names no observers",
            "leave the choice of an observer out",
        )),
        Ok(mut read) => {
            // Notes speak of options.
            let names = Said { prefix: "--", ..*said }.names();
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            let notes = read.remarks(name, foreign::Asked::Fields, &names);
            read.take(said)
                .map(|()| {
                    let foreign::Foreign { problem, goal, fixed, .. } = read;
                    let (found, foreign) = (Diagnostics::new(), Some(Origin { goal, fixed }));
                    Given { problem: Some(problem), found, notes, foreign, gap: None }
                })
                .map_err(|unfit| Refused::Message(unfit.message, unfit.help))
        }
    })
}

#[cfg(test)]
mod tests {
    use super::beside;

    #[test]
    fn paths_are_relative_to_the_file_that_names_them() {
        for (from, path, found) in [
            ("a.divulge", "b.divulge", Some("b.divulge")),
            ("x/a.divulge", "./b.divulge", Some("x/b.divulge")),
            ("x/y/a.divulge", "../z/b.divulge", Some("x/z/b.divulge")),
            ("a.divulge", "../b.divulge", None),
        ] {
            assert_eq!(beside(from, path).as_deref(), found, "{from} names {path}");
        }
    }
}
