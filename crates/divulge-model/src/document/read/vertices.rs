//! Vertices as they are read: kinds, marks and properties.

use divulge::problem::{Kind, Props, Value, Vertex};
use rustc_hash::FxHashMap;

use super::{
    expect::Fields,
    json::{Reader, Step, Token},
};
use crate::diagnostic::{Code, Diagnostic};

/// What the graph is read as.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Role {
    World,
    Plan,
    /// A divulged graph, or a filter: no vertex is marked.
    Unmarked,
}

impl Role {
    pub fn what(self) -> &'static str {
        match self {
            Role::World => "a world",
            Role::Plan => "a plan",
            Role::Unmarked => "a graph",
        }
    }

    pub fn fields(self) -> &'static [&'static str] {
        match self {
            Role::World => &["vertices", "initial", "edges", "actions", "observations"],
            _ => &["vertices", "initial", "edges"],
        }
    }

    fn vertex_fields(self) -> (&'static str, &'static [&'static str]) {
        match self {
            Role::World => ("a vertex of a world", &["kind", "goal", "props"]),
            Role::Plan => ("a vertex of a plan", &["kind", "terminal"]),
            Role::Unmarked => ("a vertex of a graph", &["kind", "terminal", "goal"]),
        }
    }
}

/// Vertices, in order.
pub struct Vertices {
    role: Role,
    pub kinds: Vec<Kind>,
    pub marked: Vec<Vertex>,
    pub props: Props,
    /// Vertices of an unmarked graph called terminal, which must have no edges.
    pub bearers: FxHashMap<Vertex, Token>,
    /// False once a vertex's kind could not be told: then kinds are not checked further.
    pub kinds_known: bool,
    /// Where each vertex is named.
    pub keys: Vec<Token>,
}

impl Vertices {
    pub fn new(role: Role) -> Self {
        Self {
            role,
            kinds: Vec::new(),
            marked: Vec::new(),
            props: Props::new(),
            bearers: FxHashMap::default(),
            kinds_known: true,
            keys: Vec::new(),
        }
    }

    /// Reads what is said of the vertex that is named there.
    pub fn vertex(&mut self, r: &mut Reader<'_>, key: Token) -> Step<()> {
        const KINDS: &[(&str, Kind)] = &[("action", Kind::Action), ("observation", Kind::Observation)];
        let v = Vertex(self.kinds.len() as u32);
        self.keys.push(key);
        let mut kind = None;
        let (what, known) = self.role.vertex_fields();
        let mut fields = Fields::new(r, what, known);
        let found = r.expect_object("an object that describes a vertex", |r, key| {
            match fields.take(r, key)? {
                Some("kind") => kind = r.expect_word("a vertex's kind", KINDS)?,
                Some("props") => self.properties(r, v)?,
                Some(_) => self.mark(r, v, key)?,
                None => {}
            }
            Ok(())
        })?;
        if found {
            fields.require(r, &[("kind", "\"kind\" is \"action\" or \"observation\"")])?;
        }
        self.kinds_known &= kind.is_some();
        self.kinds.push(kind.unwrap_or(Kind::Action));
        Ok(())
    }

    /// `goal` or `terminal`, as `key` says.
    fn mark(&mut self, r: &mut Reader<'_>, v: Vertex, key: Token) -> Step<()> {
        if r.expect_bool("`true` or `false`")? != Some(true) {
            return Ok(());
        }
        match self.role {
            Role::World | Role::Plan => self.marked.push(v),
            Role::Unmarked if r.say(key) == "terminal" => {
                self.bearers.insert(v, key);
            }
            Role::Unmarked => {
                r.report(
                    Diagnostic::new(Code::DocMark, "only a world's vertices can be goals")
                        .at(key.span(), "")
                        .help("remove the field"),
                )?;
            }
        }
        Ok(())
    }

    fn properties(&mut self, r: &mut Reader<'_>, v: Vertex) -> Step<()> {
        r.expect_object("an object of properties", |r, key| {
            let name = r.say(key);
            let value = match r.peek() {
                b'"' => {
                    let token = r.token()?;
                    Value::Text(r.say(token).into_owned())
                }
                b't' | b'f' => Value::Bool(r.word()? == "true"),
                b'-' | b'0'..=b'9' => match r.expect_integer("an integer, a string or a boolean")? {
                    Some(n) => Value::Int(n),
                    None => return Ok(()),
                },
                _ => {
                    let help = "leave the property out where a vertex does not have it";
                    return r.wrong("an integer, a string or a boolean", Some(help));
                }
            };
            let column = self.props.column_mut(&name);
            if column.get(v).is_some() {
                return r.report(
                    Diagnostic::new(Code::DocRepeated, format!("the property `{name}` is given twice"))
                        .at(key.span(), "the second")
                        .help("keep one of them"),
                );
            }
            let code = column.intern(value);
            column.set_code(v, code);
            Ok(())
        })?;
        Ok(())
    }
}
