//! The rules that BehaviorTree.CPP 4 publishes for its files: what its reader refuses, and what its schema for editors asks for.

use std::collections::{BTreeMap, BTreeSet};

use crate::xml::Element;

/// Nodes that the library has, and the ports that they take: controls, decorators with one child, leaves.
const CONTROLS: [&str; 2] = ["Sequence", "Fallback"];
const DECORATORS: [(&str, &[&str]); 2] = [("ForceSuccess", &[]), ("Repeat", &["num_cycles"])];
const LEAVES: [(&str, &[&str]); 4] =
    [("AlwaysFailure", &[]), ("AlwaysSuccess", &[]), ("Script", &["code"]), ("ScriptCondition", &["code"])];
/// Characters that names of nodes and ports must not have.
const FORBIDDEN: [char; 16] =
    [' ', '\t', '\n', '\r', '<', '>', '&', '"', '\'', '/', '\\', ':', '*', '?', '|', '.'];
/// How deep elements may stand in each other.
const DEEPEST: usize = 100;

/// The ports of the nodes that the file declares.
type Model = BTreeMap<String, (String, BTreeSet<String>)>;

/// Whether a file would be read.
pub fn keeps(root: &Element) -> Result<(), String> {
    let only = ["BTCPP_format", "main_tree_to_execute"];
    if root.name != "root" || root.attributes.iter().any(|(name, _)| !only.contains(&name.as_str())) {
        return Err("the root must be <root>".to_owned());
    }
    if root.get("BTCPP_format") != Some("4") {
        return Err("BTCPP_format must be 4".to_owned());
    }
    let named = |name: &str| root.children.iter().filter(|e| e.name == name).collect::<Vec<_>>();
    let (trees, models) = (named("BehaviorTree"), named("TreeNodesModel"));
    if trees.len() + models.len() != root.children.len() || models.len() != 1 {
        return Err("only trees and one TreeNodesModel".to_owned());
    }
    let model = declared(models[0])?;
    let mut ids = BTreeMap::new();
    for tree in &trees {
        let id = tree.get("ID").ok_or("a tree without an ID")?;
        check_name(id)?;
        if tree.children.len() != 1 || ids.insert(id, &tree.children[0]).is_some() || model.contains_key(id) {
            return Err(format!("tree {id}: twice, or not exactly one child"));
        }
    }
    let main = root.get("main_tree_to_execute").ok_or("no main tree")?;
    if !ids.contains_key(main) {
        return Err(format!("there is no tree {main}"));
    }
    for tree in ids.values() {
        node(tree, &ids, &model, 3)?;
    }
    // Every subtree is made when the tree is: none may be within itself.
    let mut open = vec![(main, Vec::new())];
    while let Some((id, above)) = open.pop() {
        if above.contains(&id) {
            return Err(format!("tree {id} contains itself"));
        }
        let inside = subtrees(ids[id]);
        open.extend(inside.into_iter().map(|sub| (sub, [above.clone(), vec![id]].concat())));
    }
    Ok(())
}

fn subtrees(element: &Element) -> Vec<&str> {
    let mut found: Vec<&str> = element.children.iter().flat_map(subtrees).collect();
    found.extend(element.get("ID").filter(|_| element.name == "SubTree"));
    found
}

fn check_name(name: &str) -> Result<(), String> {
    let begins = name.chars().next().is_some_and(|c| c.is_alphabetic());
    if !begins || name.contains(FORBIDDEN) || name == "name" || name == "ID" {
        return Err(format!("the name {name:?}"));
    }
    Ok(())
}

fn declared(model: &Element) -> Result<Model, String> {
    let mut found = Model::new();
    for node in &model.children {
        let id = node.get("ID").ok_or("a model without an ID")?;
        check_name(id)?;
        if !["Action", "Condition", "Control", "Decorator", "SubTree"].contains(&node.name.as_str()) {
            return Err(format!("{} is no kind of node", node.name));
        }
        let mut ports = BTreeSet::new();
        for port in &node.children {
            let name = port.get("name").ok_or("a port without a name")?;
            check_name(name)?;
            if !["input_port", "output_port", "inout_port"].contains(&port.name.as_str())
                || port.get("type").is_none()
            {
                return Err(format!("{} is no kind of port", port.name));
            }
            ports.insert(name.to_owned());
        }
        if found.insert(id.to_owned(), (node.name.clone(), ports)).is_some() {
            return Err(format!("{id} is declared twice"));
        }
    }
    Ok(found)
}

fn node(e: &Element, ids: &BTreeMap<&str, &Element>, model: &Model, depth: usize) -> Result<(), String> {
    if depth > DEEPEST {
        return Err("too deep".to_owned());
    }
    let known = |names: &[(&'static str, &'static [&'static str])]| {
        names.iter().find(|(name, _)| *name == e.name).map(|(_, ports)| ports.to_vec())
    };
    let ports: Vec<&str> =
        e.attributes.iter().map(|(name, _)| name.as_str()).filter(|n| *n != "ID").collect();
    let count = e.children.len();
    let right = match e.name.as_str() {
        "Action" | "Condition" | "Control" => {
            let id = e.get("ID").ok_or("a node without an ID")?;
            let (kind, given) = model.get(id).ok_or_else(|| format!("{id} is not declared"))?;
            let all: BTreeSet<&str> = ports.iter().copied().collect();
            *kind == e.name
                && all == given.iter().map(String::as_str).collect()
                && (e.name == "Control") == (count > 0)
        }
        "SubTree" => count == 0 && e.get("ID").is_some_and(|id| ids.contains_key(id)),
        name if CONTROLS.contains(&name) => count > 0 && e.attributes.is_empty(),
        _ => match (known(&DECORATORS), known(&LEAVES)) {
            (Some(known), _) => count == 1 && ports == known,
            (_, Some(known)) => count == 0 && ports == known,
            _ => false,
        },
    };
    if !right {
        return Err(format!("<{}> with {count} children, ports {ports:?}", e.name));
    }
    e.children.iter().try_for_each(|child| node(child, ids, model, depth + 1))
}
