//! Image and preimage of a p-graph under a label map.

use crate::problem::{Label, LabelMap, Names, PGraph, PGraphBuilder};

/// h⟨G⟩: every label replaced by its image. The labels of the result number the images of `map`; arcs that are not seen are left out.
pub fn image(graph: &PGraph, map: &LabelMap) -> PGraph {
    relabel(graph, |label, out| out.extend(map.image(label).map(|image| Label(image.0))))
}

/// h⁻¹⟨G⟩: every image replaced by the labels that look like it. The arcs of `graph` are labelled by numbers of `images`.
pub fn preimage(graph: &PGraph, images: &Names, map: &LabelMap) -> PGraph {
    relabel(graph, |label, out| {
        if let Some(image) = map.get(images.name(label.0)) {
            out.extend(map.preimage(image));
        }
    })
}

fn relabel(graph: &PGraph, mut labels: impl FnMut(Label, &mut Vec<Label>)) -> PGraph {
    let mut builder = PGraphBuilder::new();
    for v in graph.vertices() {
        builder.vertex(graph.kind(v));
    }
    for &v in graph.initial() {
        builder.initial(v);
    }
    let mut new = Vec::new();
    for (v, arc) in graph.all_arcs() {
        new.clear();
        labels(arc.label, &mut new);
        for &label in &new {
            builder.arc(v, label, arc.to);
        }
    }
    builder.build().expect("relabelling keeps a p-graph's structure")
}
