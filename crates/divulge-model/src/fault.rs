//! What cannot be, whether a problem is written as a document or as a model.

use crate::diagnostic::{Code, Diagnostic};
use divulge::problem::{Alphabet, Filter, Label, LabelMap, MapConstraints, Observer, Scope};

/// That the observer's filter does not go with what it does not see, or with hindsight.
pub(crate) fn of_filter(observer: &Observer) -> Option<Diagnostic> {
    let hides = observer.map.as_ref().is_some_and(LabelMap::hides) || !observer.constraints.unseen.is_empty();
    if hides && matches!(observer.filter, Filter::Graph(_)) {
        return Some(
            Diagnostic::new(Code::UnseenFilter, "an observer with unseen events cannot remember by a graph")
                .note("the graph alternates actions and observations; what is seen no longer does")
                .help("use the filter `strongest` or `image`, or let every event be seen as something"),
        );
    }
    let late = |scope: Scope| matches!(scope, Scope::Hindsight { .. });
    let stipulation = observer.stipulations.iter().find(|s| late(s.scope))?;
    (observer.filter != Filter::Strongest).then(|| {
        Diagnostic::new(
            Code::HindsightFilter,
            format!(
                "`{}` is about hindsight, which needs an observer who remembers everything",
                stipulation.name
            ),
        )
        .help("use the filter `strongest`, or another scope")
    })
}

/// That a label is to be unseen, and something else besides.
pub(crate) fn of_unseen(c: &MapConstraints, label: Label, alphabet: &Alphabet) -> Option<Diagnostic> {
    let grouped = |groups: &[Vec<Label>]| groups.iter().any(|group| group.contains(&label));
    let also = if grouped(&c.merge) {
        "merged"
    } else if grouped(&c.separate) {
        "separated"
    } else if c.fixed.iter().any(|(l, _)| *l == label) {
        "fixed"
    } else if c.merge_cost.iter().any(|&(a, b, _)| a == label || b == label) {
        "given a cost of merging"
    } else {
        return None;
    };
    let name = alphabet.name(label);
    Some(
        Diagnostic::new(Code::UnseenConstrained, format!("`{name}` is to be unseen, but it is also {also}"))
            .note("an event that is not seen at all looks like nothing, so it cannot look like another")
            .help("keep one of the two"),
    )
}
