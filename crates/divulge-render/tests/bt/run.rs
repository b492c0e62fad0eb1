//! A small interpreter of trees, after the library's documentation: what each node gives back when it is ticked, that controls
//! remember the child that is running, that every subtree is made when the tree is and has a blackboard of its own.

use std::collections::{BTreeMap, BTreeSet};

use crate::xml::Element;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Status {
    Running,
    Success,
    Failure,
}

/// How an execution ends: the tree is done, or as many events as were asked for have happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum End {
    Success,
    Failure,
    Enough,
}

/// Events, and how they end.
pub type Executions = BTreeSet<(Vec<String>, End)>;

/// A node that was made.
struct Node {
    name: String,
    ports: BTreeMap<String, String>,
    children: Vec<Node>,
    /// The child whose turn it is, or that was chosen.
    child: usize,
    /// Whether it was ticked and has not given back anything but `Running`.
    running: bool,
    board: usize,
}

/// Entries; those of a subtree may be another's.
#[derive(Default)]
struct Board {
    entries: BTreeMap<String, String>,
    elsewhere: BTreeMap<String, (usize, String)>,
}

/// What surrounds the tree: what it does is written down, and whatever is open is decided by a list of numbers.
struct Around<'a> {
    boards: Vec<Board>,
    heard: &'a [String],
    events: Vec<String>,
    most: usize,
    /// What was decided so far, and among how many.
    decided: Vec<(usize, usize)>,
    next: usize,
}

impl Around<'_> {
    fn decide(&mut self, among: usize) -> usize {
        if self.next == self.decided.len() {
            self.decided.push((0, among));
        }
        self.next += 1;
        self.decided[self.next - 1].0
    }

    fn place(&self, mut board: usize, key: &str) -> (usize, String) {
        let mut key = key.to_owned();
        while let Some((other, theirs)) = self.boards[board].elsewhere.get(&key) {
            (board, key) = (*other, theirs.clone());
        }
        (board, key)
    }

    fn read(&self, board: usize, key: &str) -> Option<String> {
        let (board, key) = self.place(board, key);
        self.boards[board].entries.get(&key).cloned()
    }

    fn set(&mut self, board: usize, key: &str, value: String) {
        let (board, key) = self.place(board, key);
        self.boards[board].entries.insert(key, value);
    }
}

/// A pointer to the blackboard, if a port's text is one.
fn pointer(text: &str) -> Option<&str> {
    text.trim().strip_prefix('{')?.strip_suffix('}')
}

fn make(
    e: &Element,
    trees: &BTreeMap<&str, &Element>,
    around: &mut Around<'_>,
    board: usize,
    depth: usize,
) -> Result<Node, String> {
    if depth > 200 {
        return Err("a tree that contains itself".to_owned());
    }
    let ports: BTreeMap<String, String> = e.attributes.iter().cloned().collect();
    let mut children = Vec::new();
    if e.name == "SubTree" {
        around.boards.push(Board::default());
        let own = around.boards.len() - 1;
        for (name, value) in ports.iter().filter(|(name, _)| *name != "ID") {
            let theirs = pointer(value).ok_or("a value for a subtree")?;
            around.boards[own].elsewhere.insert(name.clone(), (board, theirs.to_owned()));
        }
        let inside = trees.get(ports["ID"].as_str()).ok_or("no such tree")?;
        children.push(make(inside, trees, around, own, depth + 1)?);
    }
    for child in &e.children {
        children.push(make(child, trees, around, board, depth + 1)?);
    }
    let name = ports.get("ID").filter(|_| e.name != "SubTree").unwrap_or(&e.name).clone();
    Ok(Node { name, ports, children, child: 0, running: false, board })
}

/// `Err` once enough has happened.
type Ticked = Result<Status, End>;

impl Node {
    fn port(&self, name: &str, around: &Around<'_>) -> String {
        let text = &self.ports[name];
        pointer(text)
            .map_or_else(|| text.clone(), |key| around.read(self.board, key).expect("an entry that is set"))
    }

    fn halt(&mut self) {
        (self.child, self.running) = (0, false);
        self.children.iter_mut().for_each(Node::halt);
    }

    fn tick(&mut self, around: &mut Around<'_>) -> Ticked {
        let status = match self.name.as_str() {
            "Sequence" => self.through(Status::Success, around)?,
            "Fallback" => self.through(Status::Failure, around)?,
            "ForceSuccess" => match self.children[0].tick(around)? {
                Status::Running => Status::Running,
                _ => Status::Success,
            },
            "Repeat" => loop {
                assert_eq!(self.ports["num_cycles"], "-1");
                match self.children[0].tick(around)? {
                    Status::Success => self.children[0].halt(),
                    other => break other,
                }
            },
            "SubTree" => self.children[0].tick(around)?,
            "ChooseAtRandom" => {
                if !self.running {
                    self.child = around.decide(self.children.len());
                }
                self.children[self.child].tick(around)?
            }
            "AlwaysSuccess" => Status::Success,
            "AlwaysFailure" => Status::Failure,
            "Script" => {
                let (key, value) = self.ports["code"].split_once(" := ").expect("an assignment");
                let (key, value) = (key.to_owned(), value.to_owned());
                around.set(self.board, &key, value);
                Status::Success
            }
            "ScriptCondition" => {
                let (key, value) = self.ports["code"].split_once(" == ").expect("a comparison");
                told(around.read(self.board, key).expect("an entry that is set") == value)
            }
            "Observed" => told(self.port("observation", around) == self.port("is", around)),
            // The robot's own nodes take a while.
            "Act" | "Observe" if !self.running => Status::Running,
            "Act" => {
                let action = self.port("action", around);
                happened(action, around)?
            }
            "Observe" => {
                let seen = around.heard[around.decide(around.heard.len())].clone();
                let key = pointer(&self.ports["observation"]).expect("an entry").to_owned();
                around.set(self.board, &key, seen.clone());
                happened(seen, around)?
            }
            other => panic!("<{other}> is unknown"),
        };
        if status == Status::Running {
            self.running = true;
        } else {
            self.halt();
        }
        Ok(status)
    }

    /// Ticks the children in turn, for as long as they give back `on`.
    fn through(&mut self, on: Status, around: &mut Around<'_>) -> Ticked {
        while self.child < self.children.len() {
            let status = self.children[self.child].tick(around)?;
            if status != on {
                return Ok(status);
            }
            self.child += 1;
        }
        Ok(on)
    }
}

fn told(holds: bool) -> Status {
    if holds { Status::Success } else { Status::Failure }
}

fn happened(event: String, around: &mut Around<'_>) -> Ticked {
    around.events.push(event);
    if around.events.len() == around.most { Err(End::Enough) } else { Ok(Status::Success) }
}

/// All that may happen when the tree runs, up to so many events, whatever is heard and chosen.
pub fn executions(root: &Element, heard: &[String], most: usize) -> Result<Executions, String> {
    let of = |e: &Element| e.name == "BehaviorTree";
    let trees: BTreeMap<&str, &Element> = root
        .children
        .iter()
        .filter(|e| of(e))
        .filter_map(|e| Some((e.get("ID")?, e.children.first()?)))
        .collect();
    let main = root.get("main_tree_to_execute").and_then(|id| trees.get(id)).ok_or("no main tree")?;
    let mut found = Executions::new();
    let mut decided = Vec::new();
    for _ in 0..200_000 {
        let mut around =
            Around { boards: vec![Board::default()], heard, events: Vec::new(), most, decided, next: 0 };
        let mut tree = make(main, &trees, &mut around, 0, 0)?;
        let end = loop {
            match tree.tick(&mut around) {
                Ok(Status::Running) => {}
                Ok(Status::Success) => break End::Success,
                Ok(Status::Failure) => break End::Failure,
                Err(end) => break end,
            }
        };
        found.insert((around.events, end));
        decided = around.decided;
        // The next list of decisions, if there is one.
        while decided.last().is_some_and(|(chosen, among)| chosen + 1 == *among) {
            decided.pop();
        }
        match decided.last_mut() {
            Some((chosen, _)) => *chosen += 1,
            None => return Ok(found),
        }
    }
    Err("too many executions".to_owned())
}
