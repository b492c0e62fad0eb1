//! What somebody types while walking.

/// A command of the walk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Take the only way on.
    Next,
    /// Take the outcome of this number, or of this label.
    Take(String),
    /// Go on as long as there is no choice.
    Go,
    /// So many events back.
    Back(usize),
    /// An event forward again.
    Forward,
    /// To the moment after so many events.
    Jump(usize),
    /// To where a stipulation breaks.
    Violation,
    /// The runs side by side that show why.
    Twins,
    /// The label map.
    Map,
    /// The plan.
    Plan,
    /// Change something and see what holds then.
    WhatIf(WhatIf),
    /// This moment once more.
    Show,
    /// This moment, however long it gets.
    All,
    /// What did not fit on the screen.
    More,
    /// What can be typed.
    Help,
    /// Leave.
    Quit,
}

/// What is changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WhatIf {
    /// Something about the observer of this name, or about the only one.
    Of(Option<String>, Eyes),
    /// Another plan is sought.
    Seek,
    /// As it was given.
    Reset,
}

/// What is changed about an observer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Eyes {
    /// These look alike.
    Merge(Vec<String>),
    /// Each of these looks like nothing else.
    Separate(Vec<String>),
    /// These are not seen at all.
    Hide(Vec<String>),
    /// The observer knows this.
    Knows(String),
}

/// What can be typed.
pub const HELP: &str = "  NUMBER or LABEL     take this outcome; Enter alone takes the only one
  g                   go on until there is a choice
  b [N], f            go back N events (or one); go forward again
  j N                 jump to the moment after N events; j 0 is the start
  v, t                go to where a stipulation breaks; compare the runs that show why
  m, p                show the label map; show the plan
  w merge A B …       what if these looked alike?
  w separate A …      what if each of these looked different from everything else?
  w hide A …          what if these were not seen at all? (w separate shows them again)
  w knows WHAT        what if the observer knew this: world, goal-directed, plan
  w NAME merge …      the same for the observer of this name, where there are several
  w seek, w reset     find another plan for this; undo all changes
  s, a                show this moment again; all of it, however long
  +                   show what did not fit
  ?, q                show this list; leave
";

/// Reads a line. Whatever is no command is taken for a label.
pub fn parse(line: &str) -> Result<Command, String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let number =
        |text: &str| text.parse::<usize>().map_err(|_| format!("`{text}` is not a number of events"));
    Ok(match words[..] {
        [] => Command::Next,
        ["q" | "quit" | "exit"] => Command::Quit,
        ["?" | "h" | "help"] => Command::Help,
        ["g" | "go"] => Command::Go,
        ["s" | "show"] => Command::Show,
        ["a" | "all"] => Command::All,
        ["+" | "more"] => Command::More,
        ["b" | "back"] => Command::Back(1),
        ["b" | "back", n] => Command::Back(number(n)?),
        ["f" | "forward"] => Command::Forward,
        ["j" | "jump", n] => Command::Jump(number(n)?),
        ["v" | "violation"] => Command::Violation,
        ["t" | "twins"] => Command::Twins,
        ["m" | "map"] => Command::Map,
        ["p" | "plan"] => Command::Plan,
        ["w" | "what", "seek"] => Command::WhatIf(WhatIf::Seek),
        ["w" | "what", "reset"] => Command::WhatIf(WhatIf::Reset),
        ["w" | "what", ref rest @ ..] => match (eyes(rest), rest) {
            (Some(eyes), _) => Command::WhatIf(WhatIf::Of(None, eyes)),
            (None, [who, rest @ ..]) if let Some(eyes) = eyes(rest) => {
                Command::WhatIf(WhatIf::Of(Some((*who).to_owned()), eyes))
            }
            _ => {
                return Err("after w comes merge A B, separate A, hide A, knows WHAT, seek or reset; with several observers, \
                            a name comes first"
                    .to_owned());
            }
        },
        ["j" | "jump"] => return Err("`j N` jumps to the moment after N events".to_owned()),
        _ => Command::Take(line.trim().to_owned()),
    })
}

/// What is to be changed about an observer.
fn eyes(words: &[&str]) -> Option<Eyes> {
    let owned =
        |words: &[&str]| words.iter().map(|w| w.trim_matches(',').to_owned()).collect::<Vec<String>>();
    match words {
        ["merge", labels @ ..] if labels.len() > 1 => Some(Eyes::Merge(owned(labels))),
        ["separate", labels @ ..] if !labels.is_empty() => Some(Eyes::Separate(owned(labels))),
        ["hide", labels @ ..] if !labels.is_empty() => Some(Eyes::Hide(owned(labels))),
        ["knows", what] => Some(Eyes::Knows((*what).to_owned())),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_understood() {
        assert_eq!(parse("  "), Ok(Command::Next));
        assert_eq!(parse("2"), Ok(Command::Take("2".into())));
        assert_eq!(parse("turn left"), Ok(Command::Take("turn left".into())));
        assert_eq!(parse("b 3"), Ok(Command::Back(3)));
        assert_eq!(parse("j 0"), Ok(Command::Jump(0)));
        assert_eq!((parse("+"), parse("a")), (Ok(Command::More), Ok(Command::All)));
        let merge = Eyes::Merge(vec!["left".into(), "right".into()]);
        let of = |who: Option<&str>, eyes: &Eyes| {
            Ok(Command::WhatIf(WhatIf::Of(who.map(str::to_owned), eyes.clone())))
        };
        assert_eq!(parse("w merge left, right"), of(None, &merge));
        assert_eq!(parse("w nurse merge left right"), of(Some("nurse"), &merge));
        assert_eq!(parse("w nurse hide left"), of(Some("nurse"), &Eyes::Hide(vec!["left".into()])));
        assert!(
            parse("j x").is_err()
                && parse("w").is_err()
                && parse("w merge a").is_err()
                && parse("j").is_err()
        );
    }
}
