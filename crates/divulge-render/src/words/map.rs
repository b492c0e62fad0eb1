//! Label maps: what looks alike, and what stays visible.

use std::collections::BTreeMap;

use divulge::problem::{Image, Kind, Label, LabelMap, MapConstraints, Observer, Problem};

use super::{
    layout::{count, paragraph},
    style::Style,
};

/// The world's labels that look alike, by kind and image, in the order of their first labels.
pub(super) fn groups(problem: &Problem, map: &LabelMap) -> Vec<(Kind, Option<Image>, Vec<Label>)> {
    let alphabet = &problem.alphabet;
    let mut groups: BTreeMap<(Kind, Option<Image>), Vec<Label>> = BTreeMap::new();
    for label in alphabet.labels().filter(|l| problem.world_labels.contains(l.index())) {
        groups.entry((alphabet.kind(label), map.image(label))).or_default().push(label);
    }
    let mut groups: Vec<(Kind, Option<Image>, Vec<Label>)> =
        groups.into_iter().map(|((kind, image), labels)| (kind, image, labels)).collect();
    groups.sort_by_key(|(kind, _, labels)| (*kind, labels[0]));
    groups
}

/// Which of the world's events look alike through `map`, and which stay visible as they are.
pub fn label_map(problem: &Problem, map: &LabelMap, style: Style) -> String {
    let alphabet = &problem.alphabet;
    let groups = groups(problem, map);
    let (seen, unseen): (Vec<_>, Vec<_>) = groups.iter().partition(|(_, image, _)| image.is_some());
    let (alike, alone): (Vec<_>, Vec<_>) = seen.iter().copied().partition(|(_, _, labels)| labels.len() > 1);
    let labels = seen.iter().map(|(_, _, labels)| labels.len()).sum();
    let mut out = match (alike.len(), seen.len()) {
        (_, 0) => "The observer sees nothing at all.\n".to_owned(),
        (0, _) if unseen.is_empty() => "The observer can tell all events apart.\n".to_owned(),
        (0, _) => "The observer can tell all events apart that it sees.\n".to_owned(),
        (_, images) => {
            format!("The observer sees {} as {}.\n", count(labels, "event"), count(images, "image"))
        }
    };
    let name = |l: &Label| alphabet.name(*l);
    for (_, image, labels) in &alike {
        let labels: Vec<&str> = labels.iter().map(name).collect();
        let image = image.map_or("", |image| map.name(image));
        // An image that was named after what looks like it needs no name here.
        let seen = if image == labels.join("|") { String::new() } else { format!(" (seen as {image})") };
        out.push_str(&paragraph(&format!("these look alike: {}{seen}", labels.join(", ")), 2, 6, style));
    }
    let single = alone.iter().map(|(_, _, labels)| (name(&labels[0]), map.shown(labels[0])));
    let seen: Vec<String> = single
        .map(|(label, image)| if label == image { label.to_owned() } else { format!("{label} as {image}") })
        .collect();
    if !seen.is_empty() {
        out.push_str(&paragraph(&format!("seen for what they are: {}", seen.join(", ")), 2, 6, style));
    }
    let unseen: Vec<&str> = unseen.iter().flat_map(|(_, _, labels)| labels.iter().map(name)).collect();
    if !unseen.is_empty() {
        out.push_str(&paragraph(&format!("not seen at all: {}", unseen.join(", ")), 2, 6, style));
    }
    out
}

/// That an observer's map is to be found: over which events, and what is demanded of it.
pub fn sought_map(problem: &Problem, observer: &Observer, style: Style) -> String {
    let alphabet = &problem.alphabet;
    let named = |labels: &mut dyn Iterator<Item = Label>| {
        labels.map(|l| alphabet.name(l)).collect::<Vec<_>>().join(", ")
    };
    let mut out = "Its label map is to be found.\n".to_owned();
    let mut line = |text: String| out += &paragraph(&text, 2, 6, style);
    for (kind, what) in [(Kind::Action, "actions"), (Kind::Observation, "observations")] {
        let labels = named(&mut alphabet.of_kind(kind).filter(|l| problem.world_labels.contains(l.index())));
        if !labels.is_empty() {
            line(format!("{what}: {labels}"));
        }
    }
    let MapConstraints { merge, separate, fixed, max_images, min_images, merge_cost, unseen } =
        &observer.constraints;
    for (groups, must) in [(merge, "look alike"), (separate, "all look different")] {
        for group in groups {
            line(format!("these must {must}: {}", named(&mut group.iter().copied())));
        }
    }
    if !unseen.is_empty() {
        line(format!("not seen at all: {}", named(&mut unseen.iter().copied())));
    }
    for (label, image) in fixed {
        line(format!("{} must be seen as {image}", alphabet.name(*label)));
    }
    if let Some(most) = max_images {
        line(format!("at most {}", count(*most, "image")));
    }
    if let Some(least) = min_images {
        line(format!("at least {}", count(*least, "image")));
    }
    for (a, b, cost) in merge_cost {
        line(format!("merging {} and {} costs {cost}", alphabet.name(*a), alphabet.name(*b)));
    }
    out
}
