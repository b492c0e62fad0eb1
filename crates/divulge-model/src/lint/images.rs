//! Images that probably do not mean what they say.

use super::{Around, at};
use crate::diagnostic::{Code, Diagnostic, Diagnostics, Fix, Span, listed, spelt};
use divulge::problem::{Image, Kind, Label, LabelMap, Problem};

/// Names that sound as if the event were not seen at all.
const NOTHING: [&str; 19] = [
    "",
    "nothing",
    "none",
    "null",
    "nil",
    "void",
    "unseen",
    "not seen",
    "not at all",
    "unobserved",
    "invisible",
    "hidden",
    "epsilon",
    "tau",
    "ε",
    "τ",
    "_",
    "-",
    "--",
];

/// More images than this were named by a program, which makes no slips.
const MAX_IMAGES: usize = 200;

pub(super) fn images(around: &Around<'_>, diagnostics: &mut Diagnostics) {
    let Around { problem, observer, places, model } = around;
    let Some(map) = &observer.map else { return };
    let mut own = problem.world_labels.iter().map(|l| Label(l as u32)).peekable();
    if own.peek().is_some() && own.all(|l| map.image(l).is_none()) {
        let who = observer.name.as_ref().map_or("the observer".to_owned(), |name| format!("`{name}`"));
        let finding = Diagnostic::new(Code::SeesNothing, format!("{who} sees nothing at all"))
            .note("it only knows what it knows beforehand")
            .help("say what it does see");
        diagnostics.push(at(finding, places.map));
    }
    let mut hidden = Vec::new();
    for kind in [Kind::Action, Kind::Observation] {
        let labels: Vec<Label> =
            problem.alphabet.of_kind(kind).filter(|l| problem.world_labels.contains(l.index())).collect();
        hidden.extend(seen_as_nothing(problem, map, &labels));
        similar(around, map, &labels, diagnostics);
    }
    let Some(&first) = hidden.first() else { return };
    hidden.retain(|&label| map.image(label) == map.image(first));
    let image = map.shown(first);
    let are = if hidden.len() == 1 { "is" } else { "are" };
    let names = listed(hidden.iter().map(|&label| problem.alphabet.name(label)));
    let whose = around.one_of_several();
    let by = whose.map_or(String::new(), |name| format!(" by `{name}`"));
    let who = whose.map_or("the observer".to_owned(), |name| format!("`{name}`"));
    let message = format!("{names} {are} seen{by} as `{image}`, which is an image like any other");
    let finding = Diagnostic::new(Code::SeenAsNothing, message)
        .note(format!("{who} still sees that something happened"))
        .help(match model {
            true => {
                format!("if it does not notice the event at all, write `not at all` in place of `as {image}`")
            }
            false => {
                "if it does not notice the event at all, let the image be null (in Python, None)".to_owned()
            }
        });
    let place = places.images.get(first.index()).copied().flatten();
    let fix = place.and_then(|span| unseen_instead(span, diagnostics));
    let finding = at(finding, place);
    diagnostics.push(match fix {
        Some(fix) => finding.fix(fix),
        None => finding,
    });
}

/// Writes `not at all` in place of `as` and the image at `span`.
fn unseen_instead(span: Span, diagnostics: &Diagnostics) -> Option<Fix> {
    let before = diagnostics.source(span.source).text.get(..span.start)?.trim_end().strip_suffix("as")?;
    let whole = Span { start: before.len(), ..span };
    Some(Fix::replace("write `not at all`", whole, "not at all"))
}

/// Labels of one kind that are seen as nothing; unless a label of this name is, which the others are made to look like.
fn seen_as_nothing(problem: &Problem, map: &LabelMap, labels: &[Label]) -> Vec<Label> {
    let mut found = Vec::new();
    for word in NOTHING {
        let is = |look: &str| look.to_lowercase() == word;
        let seen: Vec<Label> =
            labels.iter().copied().filter(|&label| map.look(label).is_some_and(is)).collect();
        if !seen.iter().any(|&label| is(problem.alphabet.name(label))) {
            found.extend(seen);
        }
    }
    found
}

/// Two images that were probably meant to be one.
fn similar(around: &Around<'_>, map: &LabelMap, labels: &[Label], diagnostics: &mut Diagnostics) {
    let Around { problem, places, .. } = around;
    let whose = around.one_of_several();
    let of = whose.map_or(String::new(), |name| format!(" of `{name}`"));
    let who = whose.map_or("the observer".to_owned(), |name| format!("`{name}`"));
    let mut images: Vec<(Image, Label)> = labels.iter().filter_map(|&l| Some((map.image(l)?, l))).collect();
    images.sort_unstable();
    images.dedup_by_key(|(image, _)| *image);
    if images.len() > MAX_IMAGES {
        return;
    }
    // Labels that are seen as they are differ in the world already.
    let own = |image: &str| labels.iter().any(|&l| problem.alphabet.name(l) == image);
    for (i, &(a, first)) in images.iter().enumerate() {
        for &(b, second) in &images[i + 1..] {
            let (a, b) = (map.name(a), map.name(b));
            if !slip(a, b) || (own(a) && own(b)) {
                continue;
            }
            // The image that is no label's own name is the likelier slip; of two such, the later one.
            let (image, other, label) = if own(b) { (a, b, first) } else { (b, a, second) };
            let message = format!("the image `{image}`{of} is almost the same as `{other}`");
            let finding = Diagnostic::new(Code::SimilarImages, message)
                .note(format!("{who} tells the two apart"))
                .help(format!("if they are meant to look alike, write `{other}` for both"));
            let place = places.images.get(label.index()).copied().flatten();
            let fix = place.map(|span| Fix::replace(format!("write `{other}`"), span, spelt(other)));
            let finding = at(finding, place);
            diagnostics.push(match fix {
                Some(fix) => finding.fix(fix),
                None => finding,
            });
        }
    }
}

/// Whether one name is the other with a slip of the pen: letters swapped, doubled, left out or mistaken within a word.
/// Numbers, endings and short parts of names tell things apart on purpose: `room_1`, `rooms`, `take_x`.
fn slip(a: &str, b: &str) -> bool {
    let same_word = a.to_lowercase() == b.to_lowercase();
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if same_word {
        return a.len() >= 4;
    }
    let same = a.iter().zip(&b).take_while(|(x, y)| x == y).count();
    let rest = a[same..].iter().rev().zip(b[same..].iter().rev()).take_while(|(x, y)| x == y).count();
    let (x, y) = (&a[same..a.len() - rest], &b[same..b.len() - rest]);
    if !x.iter().chain(y).all(|c| c.is_alphabetic()) {
        return false;
    }
    // The word around the difference, in both names.
    let word = |name: &[char], from: usize, to: usize| {
        let before = name[..from].iter().rev().take_while(|c| c.is_alphabetic()).count();
        let after = name[to..].iter().take_while(|c| c.is_alphabetic()).count();
        (before, after, before + (to - from) + after)
    };
    let (before, after, length) = word(&a, same, a.len() - rest);
    let shorter = length.min(word(&b, same, b.len() - rest).2);
    match (x, y) {
        (&[p, q], &[r, s]) => p == s && q == r && shorter >= 4,
        // A letter too many within a word, or a doubled one.
        (&[], &[_]) | (&[_], &[]) => shorter >= 4 && before > 0 && after > 0,
        (&[_], &[_]) => shorter >= 5 && before > 0 && after > 0,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::slip;

    #[test]
    fn slips_are_told_from_names() {
        let slips = [
            ("move", "mvoe"),
            ("move", "Move"),
            ("light", "ligth"),
            ("light", "liight"),
            ("busy", "bussy"),
            ("corridor", "coridor"),
            ("corridor", "corrjdor"),
            ("at_door", "at_odor"),
        ];
        let names = [
            ("a1", "a2"),
            ("room1", "room2"),
            ("room_1", "room_12"),
            ("take_x", "take_y"),
            ("order", "orders"),
            ("left", "lift"),
            ("high", "low"),
            ("light", "night"),
            ("light", "bright"),
            ("cw", "ccw"),
            ("east", "west"),
            ("x", "y"),
            ("on", "no"),
            ("x=-1", "x=1"),
            ("asks_insulin", "asks_pills"),
        ];
        for (a, b) in slips {
            assert!(slip(a, b) && slip(b, a), "{a} {b}");
        }
        for (a, b) in names {
            assert!(!slip(a, b) && !slip(b, a), "{a} {b}");
        }
    }
}
