//! What a file is, by name and content.

/// The formats that are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// UMDES, DESUMA, VEiP: `.fsm`.
    Fsm,
    /// libFAUDES generators: `.gen`.
    Faudes,
    /// Aldebaran: `.aut`.
    Aut,
    /// PRISM's language: `.prism`, `.nm`.
    Prism,
    /// Planning problems: `.pddl`.
    Pddl,
}

impl Format {
    /// What people call it, with its article.
    pub fn title(self) -> &'static str {
        match self {
            Format::Fsm => "a UMDES automaton",
            Format::Faudes => "a libFAUDES generator",
            Format::Aut => "an Aldebaran transition system",
            Format::Prism => "a PRISM model",
            Format::Pddl => "a planning problem",
        }
    }

    /// The word for it in answers.
    pub fn word(self) -> &'static str {
        match self {
            Format::Fsm => "fsm",
            Format::Faudes => "gen",
            Format::Aut => "aut",
            Format::Prism => "prism",
            Format::Pddl => "pddl",
        }
    }

    /// Whether it has events alone, and no observations.
    pub fn is_automaton(self) -> bool {
        matches!(self, Format::Fsm | Format::Faudes | Format::Aut)
    }
}

/// What a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recognised {
    /// It can be read.
    Known(Format),
    /// It is known, but not read: what it is, and what to do instead.
    Refused(&'static str, &'static str),
}

const JANI: Recognised = Recognised::Refused(
    "a JANI model is not read: it names no actions that a robot could choose",
    "export it to PRISM's language, and read that",
);
const CASSANDRA: Recognised = Recognised::Refused(
    "a Cassandra POMDP is not read: it has rewards, and no goal that a plan could reach",
    "write the problem as a PRISM POMDP, or in the language of divulge",
);
const MCRL2_FSM: Recognised = Recognised::Refused(
    "an FSM file of mCRL2 is not read: it shares the name with those of UMDES and VEiP, and nothing else",
    "convert it to Aldebaran's format: ltsconvert model.fsm model.aut",
);
const FAUDES_XML: Recognised = Recognised::Refused(
    "a libFAUDES file in XML is not read",
    "write it in the token format, with `<Generator>` and `</Generator>`",
);

const EXPLICIT: Recognised = Recognised::Refused(
    "a model that PRISM or Storm exported state by state is not read",
    "give the model that it was exported from, in PRISM's language",
);
const TOKENS: Recognised = Recognised::Refused(
    "a list of what actions look like is no world",
    "write a model: `world from \"domain.pddl\" \"problem.pddl\"`, and an observer with `sees from \"act-toks.dat\"`",
);

/// So many lines are the top of a document.
const HEAD: usize = 4;

/// What a file is, by the end of its name or else by what is in it; `None` for anything that is not of another tool.
pub fn recognise(name: &str, text: &str) -> Option<Recognised> {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    let end = name.rsplit_once('.').map_or("", |(_, end)| end).to_ascii_lowercase();
    if text.starts_with('{') {
        // Documents of divulge say so at the top, and may be too long to look for something else in all of them.
        let ours = || text.lines().take(HEAD).any(|line| line.contains("\"divulge/"));
        return (end == "jani" || !ours() && text.contains("\"jani-version\"")).then_some(JANI);
    }
    match end.as_str() {
        "fsm" if text.lines().any(|line| line.trim() == "---") => Some(MCRL2_FSM),
        "fsm" => Some(Recognised::Known(Format::Fsm)),
        "aut" => Some(Recognised::Known(Format::Aut)),
        "gen" => Some(if text.starts_with("<?xml") { FAUDES_XML } else { Recognised::Known(Format::Faudes) }),
        "prism" | "nm" | "pm" | "sm" => Some(Recognised::Known(Format::Prism)),
        "pddl" => Some(Recognised::Known(Format::Pddl)),
        "jani" => Some(JANI),
        "tra" | "sta" | "lab" | "obs" | "trew" | "srew" | "drn" => Some(EXPLICIT),
        "divulge" | "json" => None,
        _ => by_content(text),
    }
}

fn by_content(text: &str) -> Option<Recognised> {
    let first =
        text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with(['%', '#', ';']))?;
    let known = |format| Some(Recognised::Known(format));
    if let Some(rest) = first.strip_prefix("des")
        && rest.trim_start().starts_with('(')
    {
        return known(Format::Aut);
    }
    if text.starts_with("# Transitions (") || text.starts_with("@type:") || text.contains("\n@type:") {
        return Some(EXPLICIT);
    }
    let define = first.strip_prefix('(').map(|rest| rest.trim_start().to_ascii_lowercase());
    if define.is_some_and(|rest| rest.starts_with("define")) {
        return known(Format::Pddl);
    }
    if is_tokens(first) {
        return Some(TOKENS);
    }
    if first.starts_with("<Generator") || first.starts_with("<System") {
        return known(Format::Faudes);
    }
    if first.starts_with("<?xml") && text.contains("<Generator") {
        return Some(FAUDES_XML);
    }
    let words: Vec<&str> = first.split_whitespace().collect();
    if words.len() <= 2 && words.iter().all(|word| word.bytes().all(|b| b.is_ascii_digit())) {
        return known(Format::Fsm);
    }
    if is_prism(text) {
        return known(Format::Prism);
    }
    let starts = |word: &str| text.lines().any(|line| line.trim_start().starts_with(word));
    if ["discount:", "values:", "states:", "actions:"].iter().filter(|word| starts(word)).count() >= 3 {
        return Some(CASSANDRA);
    }
    None
}

/// Whether a line is `(ACTION TOKEN OBJECT …)`, in words alone.
fn is_tokens(line: &str) -> bool {
    let inside = line.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    let word = |word: &str| word.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-'));
    inside.is_some_and(|inside| inside.split_whitespace().count() >= 2 && inside.split_whitespace().all(word))
}

/// Whether lines start with words that only a PRISM model has.
fn is_prism(text: &str) -> bool {
    const KINDS: [&str; 12] = [
        "pomdp",
        "mdp",
        "dtmc",
        "ctmc",
        "nondeterministic",
        "probabilistic",
        "stochastic",
        "pta",
        "popta",
        "smg",
        "csg",
        "endmodule",
    ];
    let mut words = text.lines().map(|line| line.split("//").next().unwrap_or("").trim());
    words.any(|line| KINDS.contains(&line))
}
