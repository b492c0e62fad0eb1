//! What a survey tells of a model, whole or broken.

use divulge_model::language::{Depth, Mention, NoIncludes, Region, Sort, read, survey, tokens};

const MODEL: &str = "const n = 2
type cell = 0..n
def at(p) = (x) = p

world {
  x: cell = 0
  who: {ann, bob}
  action go when x < n { x := x + 1 }
  observe { who when x = 1; dark otherwise }
  goal at n
}

observer spy { knows plan; sees ann, bob as light; others as themselves; stipulate s: !knows(who = ann) }
plan { go; if ann | dark { go } }
";

/// The lines where each mention of a name stands, with what it stands for.
fn mentions(text: &str, name: &str) -> Vec<(usize, Sort, bool)> {
    let survey = survey("m", text, &NoIncludes);
    let of = |m: &Mention| (text[..m.span.start].matches('\n').count() + 1, m.sort, m.defines);
    survey.mentions.iter().filter(|m| m.name == name).map(of).collect()
}

#[test]
fn names_stand_for_what_they_stand_for() {
    assert_eq!(
        mentions(MODEL, "n"),
        [
            (1, Sort::Constant, true),
            (2, Sort::Constant, false),
            (8, Sort::Constant, false),
            (10, Sort::Constant, false)
        ]
    );
    assert_eq!(mentions(MODEL, "p"), [(3, Sort::Parameter, true), (3, Sort::Parameter, false)]);
    assert_eq!(mentions(MODEL, "cell"), [(2, Sort::Type, true), (6, Sort::Type, false)]);
    // A value, and the observation that shows it.
    let lines: Vec<usize> = mentions(MODEL, "ann").iter().map(|(line, ..)| *line).collect();
    assert_eq!(lines, [7, 13, 13, 14]);
    assert!(mentions(MODEL, "ann").iter().all(|(_, sort, _)| *sort == Sort::Value));
    assert_eq!(mentions(MODEL, "who")[1], (9, Sort::Variable, false));
    assert_eq!(mentions(MODEL, "light"), [(13, Sort::Image, true)]);
}

#[test]
fn parentheses_do_not_belong_to_names() {
    let survey = survey("m", MODEL, &NoIncludes);
    for mention in &survey.mentions {
        assert_eq!(&MODEL[mention.span.start..mention.span.end], mention.name);
    }
}

#[test]
fn what_is_broken_does_not_hide_the_rest() {
    let broken = MODEL.replace("when x < n {", "when < {").replace("knows plan;", "knws plan;");
    assert_eq!(mentions(&broken, "dark").len(), 2);
    let survey = survey("m", &broken, &NoIncludes);
    let regions: Vec<Region> = survey.parts.iter().map(|part| part.region).collect();
    let all =
        [Region::Constant, Region::Type, Region::Definition, Region::World, Region::Observer, Region::Plan];
    assert_eq!(regions, all);
    for part in &survey.parts {
        assert!(part.span.start <= part.head.start && part.head.end <= part.span.end);
    }
}

#[test]
fn a_text_is_read_without_its_world_and_with_what_its_names_stand_for() {
    let quick = read("m", MODEL, &NoIncludes, &[], Depth::Text, &divulge::Unlimited);
    assert!(quick.problem.is_none() && quick.diagnostics.is_empty());
    assert_eq!(quick.facts.variable("x").unwrap().values, "0..2");
    assert_eq!(quick.facts.constants[0].value, "2");
    let whole = read("m", MODEL, &NoIncludes, &[], Depth::World, &divulge::Unlimited);
    assert!(whole.problem.is_some() && whole.facts == quick.facts);
}

#[test]
fn reading_stops_when_it_is_told_to() {
    struct Never;
    impl divulge::Monitor for Never {
        fn poll(&self, _: &divulge::Progress) -> Result<(), divulge::Limit> {
            Err(divulge::Limit::Interrupt)
        }
    }
    let stopped = read("m", MODEL, &NoIncludes, &[], Depth::World, &Never);
    assert_eq!(stopped.stopped, Some(divulge::Limit::Interrupt));
    assert!(stopped.problem.is_none() && !stopped.diagnostics.has_errors());
}

#[test]
fn every_byte_that_means_something_is_in_a_token() {
    for text in [MODEL, "a € \"open\nb // c", "", "'x' # y\r\n"] {
        let all = tokens(text);
        assert!(all.windows(2).all(|pair| pair[0].end <= pair[1].start), "{text}");
        let shown: usize = all.iter().map(|token| token.end - token.start).sum();
        let space = text.chars().filter(|c| c.is_whitespace()).count();
        assert!(text != MODEL || shown + space >= text.len());
    }
}
