//! Label maps, what sought maps must respect, and costs: everything that is keyed by labels.

use divulge::{
    problem::{Alphabet, Kind, Label, LabelMap, MapConstraints, Names},
    sets::BitSet,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    expect::{Fields, repeated},
    json::{Reader, Step, Token, span},
};
use crate::{
    diagnostic::{Code, Diagnostic, Span, did_you_mean},
    fault,
};

/// The labels of the problem.
#[derive(Clone, Copy)]
pub struct Known<'a> {
    pub alphabet: &'a Alphabet,
    /// The labels that the map must cover.
    pub world: &'a BitSet,
    /// False if a graph was wrong: then labels may be missing through no fault of those who name them.
    pub complete: bool,
}

/// A map as given, and the finding that it is partial, if it is.
pub struct Given {
    pub map: LabelMap,
    pub gap: Option<Diagnostic>,
}

/// Reads a map. Labels that it misses are their own images; missing labels of the world make a gap.
pub fn map(r: &mut Reader<'_>, known: Known<'_>, key: Token) -> Step<Option<Given>> {
    let Known { alphabet, world, complete } = known;
    // The images of the labels that are mentioned: `None` if they are unseen.
    let mut images: Vec<Option<Option<u32>>> = vec![None; alphabet.len()];
    let mut names = Names::new();
    let mut keys = Keys::default();
    let found = r.expect_object("an object from labels to images", |r, key| {
        let name = r.say(key);
        keys.once(r, key, &name)?;
        let image = image(r)?;
        match alphabet.get(&name) {
            Some(label) => {
                images[label.index()] = image.map(|seen| seen.map(|image| names.intern(&r.say(image)).0));
                Ok(())
            }
            None if !complete => Ok(()),
            None => r.report(
                Diagnostic::new(
                    Code::DocMapLabel,
                    format!("the map mentions `{name}`, but the problem has no such label"),
                )
                .at(key.span(), "no such label")
                .help(did_you_mean(&name, alphabet.names().iter()).unwrap_or_else(|| {
                    "remove it, or list it in the world's `actions` or `observations`".into()
                })),
            ),
        }
    })?;
    if !found {
        return Ok(None);
    }
    let missing: Vec<Label> =
        world.iter().filter(|&l| images[l].is_none()).map(|l| Label(l as u32)).collect();
    let map = LabelMap::seen_from_fn(alphabet, |l| match images[l.index()] {
        Some(image) => image.map(|image| names.name(image)),
        None => Some(alphabet.name(l)),
    });
    Ok(Some(Given { map, gap: gap(alphabet, &missing, key.span()) }))
}

/// An image, or `null` for what is not seen at all; nothing, with a finding, for anything else.
fn image(r: &mut Reader<'_>) -> Step<Option<Option<Token>>> {
    if r.peek() == b'n' && r.word()? == "null" {
        return Ok(Some(None));
    }
    Ok(r.expect_text("an image in quotes, or null if the event is not seen at all")?.map(Some))
}

fn gap(alphabet: &Alphabet, missing: &[Label], place: Span) -> Option<Diagnostic> {
    let first = *missing.first()?;
    let shown: Vec<String> = missing.iter().take(5).map(|&l| format!("`{}`", alphabet.name(l))).collect();
    let more = if missing.len() > 5 { format!(" and {} more", missing.len() - 5) } else { String::new() };
    Some(
        Diagnostic::new(Code::DocPartialMap, format!("the map has no image for {}{more}", shown.join(", ")))
            .at(place, "")
            .note("this question needs an image for every label of the world")
            .help(format!(
                "say what the observer sees of each, such as \"{0}\": \"{0}\", or null if it sees nothing of it",
                alphabet.name(first)
            )),
    )
}

/// Reads what a sought map must respect.
pub fn constraints(r: &mut Reader<'_>, known: Known<'_>) -> Step<MapConstraints> {
    const FIELDS: &[&str] =
        &["merge", "separate", "fixed", "unseen", "max_images", "min_images", "merge_cost"];
    let mut c = MapConstraints::default();
    let (mut least, mut unseen) = (None, Vec::new());
    let mut fields = Fields::new(r, "`map_constraints`", FIELDS);
    r.expect_object("an object of constraints", |r, key| {
        match fields.take(r, key)? {
            Some("merge") => c.merge = groups(r, known)?,
            Some("separate") => c.separate = groups(r, known)?,
            Some("fixed") => {
                let mut keys = Keys::default();
                r.expect_object("an object from labels to images", |r, key| {
                    let name = r.say(key);
                    keys.once(r, key, &name)?;
                    let label = label(r, known, key)?;
                    let image = r.expect_text("an image in quotes")?;
                    if let (Some(label), Some(image)) = (label, image) {
                        c.fixed.push((label, r.say(image).into_owned()));
                    }
                    Ok(())
                })?;
                c.fixed.sort();
            }
            Some("unseen") => unseen = distinct(r, known)?,
            Some("max_images") => c.max_images = r.expect_integer("a number of images")?,
            Some("min_images") => {
                least = Some(key);
                c.min_images = r.expect_integer("a number of images")?;
            }
            Some(_) => c.merge_cost = merge_costs(r, known)?,
            None => {}
        }
        Ok(())
    })?;
    if let (Some(key), Some(least), Some(most)) = (least, c.min_images, c.max_images)
        && least > most
    {
        r.report(
            Diagnostic::new(
                Code::DocImageBounds,
                format!("no map has at least {least} and at most {most} images"),
            )
            .at(key.span(), "more than `max_images`")
            .help("lower `min_images` or raise `max_images`"),
        )?;
    }
    c.unseen = unseen.iter().map(|(label, _)| *label).collect();
    c.unseen.sort_unstable();
    for (label, token) in unseen {
        if let Some(finding) = fault::of_unseen(&c, label, known.alphabet) {
            r.report(finding.at(token.span(), "unseen"))?;
        }
    }
    Ok(c)
}

fn groups(r: &mut Reader<'_>, known: Known<'_>) -> Step<Vec<Vec<Label>>> {
    let mut all = Vec::new();
    r.expect_list("a list of groups of labels", |r| {
        all.extend(group(r, known, 2..=usize::MAX)?);
        Ok(())
    })?;
    Ok(all)
}

/// A list of distinct labels of one kind.
fn group(
    r: &mut Reader<'_>,
    known: Known<'_>,
    size: std::ops::RangeInclusive<usize>,
) -> Step<Option<Vec<Label>>> {
    r.peek();
    let (start, before) = (r.at, r.found.errors());
    let found = r.peek() == b'[';
    let labels = distinct(r, known)?;
    let of_kind = |kind| labels.iter().find(|(l, _)| known.alphabet.kind(*l) == kind).map(|(_, t)| *t);
    let kinds = [of_kind(Kind::Observation), of_kind(Kind::Action)];
    if let [Some(observation), Some(action)] = kinds {
        r.report(
            Diagnostic::new(Code::DocGroup, "a group cannot hold both actions and observations")
                .at(observation.span(), "an observation")
                .note_at(action.span(), "an action")
                .help(
                    "a map that is sought never makes an action look like an observation: list labels of one kind",
                ),
        )?;
    }
    if found && known.complete && r.found.errors() == before && !size.contains(&labels.len()) {
        let wanted = if *size.end() == 2 { "exactly two labels" } else { "two or more labels" };
        r.report(
            Diagnostic::new(Code::DocGroup, format!("expected a group of {wanted}"))
                .at(span(start, r.at), ""),
        )?;
    }
    Ok((known.complete && r.found.errors() == before).then(|| labels.into_iter().map(|(l, _)| l).collect()))
}

/// A list of labels, each once.
fn distinct(r: &mut Reader<'_>, known: Known<'_>) -> Step<Vec<(Label, Token)>> {
    let mut labels = Vec::new();
    let mut seen = FxHashSet::default();
    r.expect_list("a list of labels", |r| {
        let Some(token) = r.expect_text("a label in quotes")? else { return Ok(()) };
        let Some(label) = label(r, known, token)? else { return Ok(()) };
        if !seen.insert(label) {
            let message = format!("`{}` is listed twice in this group", known.alphabet.name(label));
            let finding = Diagnostic::new(Code::DocGroup, message).at(token.span(), "again");
            return r.report(finding.help("list each label once"));
        }
        labels.push((label, token));
        Ok(())
    })?;
    Ok(labels)
}

fn merge_costs(r: &mut Reader<'_>, known: Known<'_>) -> Step<Vec<(Label, Label, u64)>> {
    let mut all = Vec::new();
    r.expect_list("a list of costs of merging", |r| {
        let mut fields = Fields::new(r, "a cost of merging", &["pair", "cost"]);
        let (mut pair, mut cost) = (None, None);
        let found = r.expect_object("an object with a pair and its cost", |r, key| {
            match fields.take(r, key)? {
                Some("pair") => pair = group(r, known, 2..=2)?,
                Some(_) => cost = r.expect_integer("a cost (an integer from 0 up)")?,
                None => {}
            }
            Ok(())
        })?;
        if found {
            fields.require(
                r,
                &[("pair", "it lists two labels"), ("cost", "it says what merging the pair costs")],
            )?;
        }
        if let (Some(pair), Some(cost)) = (pair, cost) {
            all.push((pair[0], pair[1], cost));
        }
        Ok(())
    })?;
    Ok(all)
}

/// Reads what events cost; those that cost what they would anyway are left out.
pub fn costs(r: &mut Reader<'_>, known: Known<'_>) -> Step<Vec<(Label, u64)>> {
    let mut all: Vec<(Label, u64)> = Vec::new();
    let mut keys = Keys::default();
    r.expect_object("an object from labels to costs", |r, key| {
        let name = r.say(key);
        keys.once(r, key, &name)?;
        let label = label(r, known, key)?;
        let cost: Option<u64> = r.expect_integer("a cost (an integer from 0 up)")?;
        if let (Some(label), Some(cost)) = (label, cost)
            && cost != u64::from(known.alphabet.kind(label) == Kind::Action)
        {
            all.push((label, cost));
        }
        Ok(())
    })?;
    all.sort_unstable();
    Ok(all)
}

fn label(r: &mut Reader<'_>, known: Known<'_>, token: Token) -> Step<Option<Label>> {
    let name = r.say(token);
    let found = known.alphabet.get(&name);
    if found.is_none() && known.complete {
        let near = did_you_mean(&name, known.alphabet.names().iter());
        r.report(
            Diagnostic::new(Code::DocUnknownLabel, format!("there is no label called `{name}`"))
                .at(token.span(), "no such label")
                .help(near.unwrap_or_else(|| {
                    "a label must be on an edge, or in the world's `actions` or `observations`".into()
                })),
        )?;
    }
    Ok(found)
}

/// The keys of one object, each of which may be given once.
#[derive(Default)]
struct Keys(FxHashMap<String, Token>);

impl Keys {
    fn once(&mut self, r: &mut Reader<'_>, key: Token, name: &str) -> Step<()> {
        match self.0.insert(name.to_owned(), key) {
            Some(first) => repeated(r, key, first, &format!("`{name}`")),
            None => Ok(()),
        }
    }
}
