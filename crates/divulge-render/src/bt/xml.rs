//! The parts of a plan as XML.

use std::{
    borrow::Cow,
    io::{self, Write},
};

use divulge::problem::{Alphabet, Kind, Label};

use super::{
    Way,
    steps::{Step, Steps},
};

/// What whoever opens the file should know.
const ABOUT: &str = "
  A plan, written by divulge. The robot implements these nodes:
    Act             does an action; SUCCESS once it is done
    Observe         waits for the next observation, and writes it to its port
    Observed        SUCCESS if the observation is this one
";
const CHANCE: &str = "    ChooseAtRandom  takes one of its children, all equally likely, and gives back what that one gives back.
                    It must be unpredictable: use a source of randomness that is fit for secrets, because what
                    the observer must not find out may rest on it.
";
const FAILS: &str = "  The tree succeeds where the plan terminates, and fails if an action fails or an observation is not foreseen.\n";

/// Writes the whole file.
pub fn write(mut out: impl Write, steps: &Steps, alphabet: &Alphabet) -> io::Result<()> {
    let chance = steps.choices() > 0;
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    writeln!(out, "<!--{ABOUT}{}{FAILS}-->", if chance { CHANCE } else { "" })?;
    writeln!(out, "<root BTCPP_format=\"4\" main_tree_to_execute=\"plan\">")?;
    let parts = steps.parts();
    let joined = steps.joined();
    if joined {
        main(&mut out, &parts)?;
    }
    for &start in &parts {
        Part { out: &mut out, steps, alphabet, start, begun: false, joined }.write()?;
    }
    model(&mut out, chance)?;
    writeln!(out, "</root>")
}

/// The main tree, which goes from part to part.
fn main(out: &mut impl Write, parts: &[usize]) -> io::Result<()> {
    writeln!(out, "  <BehaviorTree ID=\"plan\">\n    <Sequence>\n      <Script code=\"at := 1\"/>")?;
    writeln!(out, "      <!-- One part after another, until there is none to go on with. -->")?;
    writeln!(out, "      <ForceSuccess>\n        <Repeat num_cycles=\"-1\">\n          <Fallback>")?;
    for number in 1..=parts.len() {
        writeln!(out, "            <Sequence>\n              <ScriptCondition code=\"at == {number}\"/>")?;
        writeln!(
            out,
            "              <SubTree ID=\"part_{number}\" at=\"{{at}}\"/>\n            </Sequence>"
        )?;
    }
    writeln!(out, "          </Fallback>\n        </Repeat>\n      </ForceSuccess>")?;
    writeln!(out, "      <ScriptCondition code=\"at == 0\"/>\n    </Sequence>\n  </BehaviorTree>")
}

/// What the robot's nodes are, for editors.
fn model(out: &mut impl Write, chance: bool) -> io::Result<()> {
    let input = |name: &str, what: &str| {
        format!("      <input_port name=\"{name}\" type=\"std::string\">{what}</input_port>\n")
    };
    writeln!(out, "  <TreeNodesModel>")?;
    writeln!(out, "    <Action ID=\"Act\">\n{}    </Action>", input("action", "the action to do"))?;
    writeln!(
        out,
        "    <Action ID=\"Observe\">\n      <output_port name=\"observation\" type=\"std::string\">what was observed</output_port>\n    </Action>"
    )?;
    writeln!(
        out,
        "    <Condition ID=\"Observed\">\n{}{}    </Condition>",
        input("observation", "what was observed"),
        input("is", "what it is compared with")
    )?;
    if chance {
        writeln!(out, "    <Control ID=\"ChooseAtRandom\"/>")?;
    }
    writeln!(out, "  </TreeNodesModel>")
}

/// One part being written.
struct Part<'a, W> {
    out: &'a mut W,
    steps: &'a Steps,
    alphabet: &'a Alphabet,
    start: usize,
    /// Whether its first step is written: whoever comes back to it begins it again.
    begun: bool,
    /// Whether there are others, so that it must say what is next.
    joined: bool,
}

/// What is still to be written, the last first.
enum Todo {
    /// A step and all that follows it, at this depth.
    Step(usize, usize),
    /// A branch: the condition of a way, and what follows.
    Branch(usize, usize, usize),
    /// A line.
    Line(usize, &'static str),
}

impl<W: Write> Part<'_, W> {
    fn write(&mut self) -> io::Result<()> {
        let number = self.steps.part(self.start).unwrap_or(1);
        let id = if self.joined { format!("part_{number}") } else { "plan".to_owned() };
        self.line(1, format_args!("<BehaviorTree ID=\"{id}\">"))?;
        self.line(2, format_args!("<Sequence>"))?;
        let mut todo =
            vec![Todo::Line(1, "</BehaviorTree>"), Todo::Line(2, "</Sequence>"), Todo::Step(self.start, 3)];
        while let Some(next) = todo.pop() {
            match next {
                Todo::Line(depth, text) => self.line(depth, format_args!("{text}"))?,
                Todo::Step(step, depth) => self.step(step, depth, &mut todo)?,
                Todo::Branch(step, way, depth) => {
                    let (labels, to) = &self.steps.step(step).ways[way];
                    self.line(depth, format_args!("<Sequence>"))?;
                    self.condition(step, way, labels, depth + 1)?;
                    todo.push(Todo::Line(depth, "</Sequence>"));
                    todo.push(Todo::Step(*to, depth + 1));
                }
            }
        }
        Ok(())
    }

    /// One step; what follows it is left to do.
    fn step(&mut self, number: usize, depth: usize, todo: &mut Vec<Todo>) -> io::Result<()> {
        let step = self.steps.step(number);
        if let Some(part) = self.steps.part(number).filter(|_| self.begun) {
            return self.line(depth, format_args!("<Script code=\"at := {part}\"/>"));
        }
        let first = !std::mem::replace(&mut self.begun, true);
        self.line(depth, format_args!("<!-- {} -->", comment(&step.name)))?;
        match (step.stops, step.ways.as_slice()) {
            (true, _) if self.joined => return self.line(depth, format_args!("<Script code=\"at := 0\"/>")),
            (true, _) if first => return self.line(depth, format_args!("<AlwaysSuccess/>")),
            (true, _) => return Ok(()),
            (false, []) => return self.line(depth, format_args!("<AlwaysFailure/>")),
            _ => {}
        }
        match step.kind {
            Kind::Action => self.choice(number, step, depth)?,
            Kind::Observation => {
                self.line(depth, format_args!("<Action ID=\"Observe\" observation=\"{{seen_{number}}}\"/>"))?;
            }
        }
        if let [(labels, to)] = step.ways.as_slice() {
            if step.kind == Kind::Observation {
                self.condition(number, 0, labels, depth)?;
            }
            todo.push(Todo::Step(*to, depth));
            return Ok(());
        }
        self.line(depth, format_args!("<Fallback>"))?;
        todo.push(Todo::Line(depth, "</Fallback>"));
        todo.extend((0..step.ways.len()).rev().map(|way| Todo::Branch(number, way, depth + 1)));
        Ok(())
    }

    /// The action, or one of several. Where they lead to different places, which one it was is written down.
    fn choice(&mut self, number: usize, step: &Step, depth: usize) -> io::Result<()> {
        let several = step.ways.len() > 1;
        if let [(labels, _)] = step.ways.as_slice()
            && let [label] = labels.as_slice()
        {
            return self.act(*label, depth);
        }
        self.line(depth, format_args!("<Control ID=\"ChooseAtRandom\">"))?;
        for (way, label) in each(&step.ways) {
            if several {
                self.line(depth + 1, format_args!("<Sequence>"))?;
                self.act(label, depth + 2)?;
                self.line(depth + 2, format_args!("<Script code=\"way_{number} := {way}\"/>"))?;
                self.line(depth + 1, format_args!("</Sequence>"))?;
            } else {
                self.act(label, depth + 1)?;
            }
        }
        self.line(depth, format_args!("</Control>"))
    }

    fn act(&mut self, label: Label, depth: usize) -> io::Result<()> {
        let name = escape(self.alphabet.name(label)).into_owned();
        self.line(depth, format_args!("<Action ID=\"Act\" action=\"{name}\"/>"))
    }

    /// Whether it was this way that was taken, or an observation of this way that was made.
    fn condition(&mut self, step: usize, way: usize, labels: &[Label], depth: usize) -> io::Result<()> {
        if self.steps.step(step).kind == Kind::Action {
            return self.line(depth, format_args!("<ScriptCondition code=\"way_{step} == {way}\"/>"));
        }
        let several = labels.len() > 1;
        if several {
            self.line(depth, format_args!("<Fallback>"))?;
        }
        for &label in labels {
            let name = escape(self.alphabet.name(label)).into_owned();
            let at = depth + usize::from(several);
            self.line(
                at,
                format_args!("<Condition ID=\"Observed\" observation=\"{{seen_{step}}}\" is=\"{name}\"/>"),
            )?;
        }
        if several {
            self.line(depth, format_args!("</Fallback>"))?;
        }
        Ok(())
    }

    fn line(&mut self, depth: usize, text: std::fmt::Arguments<'_>) -> io::Result<()> {
        writeln!(self.out, "{:1$}{text}", "", 2 * depth)
    }
}

/// Each label, in order, with the number of its way.
fn each(ways: &[Way]) -> Vec<(usize, Label)> {
    let of_way =
        |(way, (labels, _)): (usize, &Way)| labels.iter().map(move |&l| (way, l)).collect::<Vec<_>>();
    let mut all: Vec<(usize, Label)> = ways.iter().enumerate().flat_map(of_way).collect();
    all.sort_unstable_by_key(|&(_, label)| label);
    all
}

/// A text within quotes.
fn escape(text: &str) -> Cow<'_, str> {
    if !text.contains(['&', '<', '>', '"', '\t', '\n', '\r']) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\t' => out.push_str("&#9;"),
            '\n' => out.push_str("&#10;"),
            '\r' => out.push_str("&#13;"),
            c => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// A text within a comment, which two dashes or a dash at the end would close.
fn comment(text: &str) -> String {
    let plain: String = text
        .chars()
        .map(|c| {
            if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') {
                char::REPLACEMENT_CHARACTER
            } else {
                c
            }
        })
        .collect();
    plain.replace('-', "‐")
}
