//! Items at the top level.

use super::super::ast::{Binding, Def, Item, Role};
use super::super::format::Mark;
use super::{Parsed, Parser};
use crate::diagnostic::{Code, Diagnostic};

/// Words that stipulations would not take for the name of a definition.
const TIMELY: [&str; 8] =
    ["always", "eventually", "next", "until", "unless", "hindsight", "was", "initially"];

impl Parser<'_> {
    pub(super) fn item(&mut self, items: &mut Vec<Item>) -> Parsed<()> {
        const WORDS: [&str; 12] = [
            "model", "include", "const", "let", "type", "def", "world", "graph", "plan", "observer", "cost",
            "use",
        ];
        let token = self.peek();
        match self.word_at(token) {
            "model" => items.push(Item::Title(self.keyword_then(|p| p.text_in_quotes("the model's title"))?)),
            "include" => items.push(Item::Include(self.keyword_then(|p| p.text_in_quotes("a file's name"))?)),
            "const" => self.bindings(|b| items.push(Item::Const(b)))?,
            "let" => self.bindings(|b| items.push(Item::Let(b)))?,
            "type" => {
                self.take();
                let name = self.new_name("a name for the type")?;
                self.expect("=")?;
                items.push(Item::Type(name, self.domain()?));
            }
            "def" => items.push(Item::Def(self.definition()?)),
            "world" => items.push(Item::World(self.world()?)),
            "graph" => {
                self.take();
                let name = self.new_name("a name for the graph")?;
                items.push(Item::Graph(name, self.graph()?));
            }
            "plan" => items.push(Item::Plan(self.plan()?)),
            "observer" => items.push(Item::Observer(self.observer()?)),
            "cost" => {
                self.take();
                let labels = self.label_sets()?;
                self.expect("=")?;
                items.push(Item::Cost(labels, self.expression()?));
            }
            "use" => {
                self.take();
                let what = self.peek();
                let role = match self.word_at(what) {
                    "plan" => Role::Plan,
                    "observer" => Role::Observer,
                    _ => return self.unexpected("`plan` or `observer`"),
                };
                self.take();
                items.push(Item::Use(role, self.name("the name of a plan or an observer")?));
            }
            _ => return self.unknown_item("at the top level of a model", &WORDS),
        }
        Ok(())
    }

    fn keyword_then<T>(&mut self, rest: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.take();
        rest(self)
    }

    pub(super) fn bindings(&mut self, mut add: impl FnMut(Binding)) -> Parsed<()> {
        self.take();
        loop {
            let name = self.new_name("a name")?;
            self.expect("=")?;
            add(Binding { name, value: self.expression()? });
            if !self.accept(",") {
                return Ok(());
            }
        }
    }

    fn definition(&mut self) -> Parsed<Def> {
        self.take();
        let name = self.new_name("a name for the definition")?;
        if TIMELY.contains(&name.text.as_str()) {
            return self.fail(
                Diagnostic::new(
                    Code::ReservedWord,
                    format!(
                        "`{}` means something in stipulations, so no definition can have this name",
                        name.text
                    ),
                )
                .at(name.span, "")
                .help("choose another name"),
            );
        }
        let mut params = Vec::new();
        if self.is("(") {
            self.mark(Mark::Call);
            self.take();
            loop {
                params.push(self.new_name("a parameter")?);
                if !self.accept(",") {
                    break;
                }
            }
            self.expect(")")?;
        }
        self.expect("=")?;
        self.timely = true;
        let body = self.expression();
        self.timely = false;
        Ok(Def { name, params, body: body? })
    }
}
