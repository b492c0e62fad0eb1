//! Tokens to a tree, by recursive descent.
//!
//! A mistake is reported where it stands; the parser then goes on with the next line of the same block, so that one run
//! shows several. Nesting is bounded, so that no input can exhaust the stack.

mod expression;
mod finding;
mod graph;
mod hint;
mod item;
mod observer;
mod plan;
mod world;

use super::ast::{Family, Item, Labels, Name};
use super::format::{Mark, Marks};
use super::lexer::{Comment, Kind, Lexer, Token, unescape};
use crate::diagnostic::{Code, Diagnostic, Diagnostics, Fix, SourceId, Span};
use std::collections::VecDeque;

/// How deep expressions and blocks may nest.
const MAX_DEPTH: usize = 100;

/// Words that are part of expressions, so they cannot be names; labels of these names stand in quotes.
pub(super) const RESERVED: [&str; 33] = [
    "action",
    "and",
    "as",
    "bool",
    "by",
    "const",
    "def",
    "else",
    "false",
    "goal",
    "if",
    "iff",
    "implies",
    "in",
    "include",
    "is",
    "kind",
    "knows",
    "let",
    "not",
    "observe",
    "observer",
    "or",
    "others",
    "otherwise",
    "plan",
    "possible",
    "state",
    "then",
    "true",
    "when",
    "where",
    "world",
];

/// A finding has been recorded; the current item is given up.
pub(super) struct Failed;

pub(super) type Parsed<T> = Result<T, Failed>;

/// What the formatter needs to know beyond the tokens.
pub(super) struct Layout {
    pub marks: Marks,
    pub comments: Vec<Comment>,
}

/// The items of a model. Findings go to `diagnostics`; what could be read is returned in any case.
pub(super) fn parse(source: SourceId, text: &str, diagnostics: &mut Diagnostics) -> Vec<Item> {
    let mut parser = Parser::new(source, text, diagnostics, false);
    parser.file()
}

/// As [`parse`], with the places of all items: of models, worlds, observers, plans and graphs.
pub(super) fn parse_regions(
    source: SourceId,
    text: &str,
    diagnostics: &mut Diagnostics,
) -> (Vec<Item>, Vec<Span>) {
    let mut parser = Parser::new(source, text, diagnostics, false);
    parser.regions = Some(Vec::new());
    let items = parser.file();
    (items, parser.regions.unwrap_or_default())
}

/// The expression that a whole text is, such as the value of a `--set` option.
pub(super) fn parse_value(
    source: SourceId,
    text: &str,
    diagnostics: &mut Diagnostics,
) -> Option<super::ast::Expr> {
    let mut parser = Parser::new(source, text, diagnostics, false);
    let value = parser.expression().ok()?;
    match parser.peek().kind {
        Kind::End => Some(value),
        _ => {
            let _ = parser.unexpected::<()>("the end of the value");
            None
        }
    }
}

/// As [`parse`], for the formatter.
pub(super) fn parse_layout(source: SourceId, text: &str, diagnostics: &mut Diagnostics) -> Layout {
    let mut parser = Parser::new(source, text, diagnostics, true);
    parser.file();
    Layout { marks: parser.marks.unwrap_or_default(), comments: parser.lexer.comments }
}

pub(super) struct Parser<'t> {
    lexer: Lexer<'t>,
    text: &'t str,
    ahead: VecDeque<Token>,
    /// Where the last token taken ended.
    last: Span,
    depth: usize,
    /// Where the item that is being read starts.
    item: usize,
    /// Whether the formula of a stipulation is being read.
    stipulating: bool,
    /// Whether words of time may stand here: in stipulations and definitions.
    timely: bool,
    /// Whether the program of a plan is being read.
    planning: bool,
    /// Whether the name of a stipulation was read last.
    named: bool,
    diagnostics: &'t mut Diagnostics,
    marks: Option<Marks>,
    /// The items read so far, where somebody wants them.
    regions: Option<Vec<Span>>,
}

impl<'t> Parser<'t> {
    fn new(source: SourceId, text: &'t str, diagnostics: &'t mut Diagnostics, layout: bool) -> Self {
        Parser {
            lexer: Lexer::new(text, source, layout),
            text,
            ahead: VecDeque::new(),
            last: source.span(0, 0),
            depth: 0,
            item: 0,
            stipulating: false,
            timely: false,
            planning: false,
            named: false,
            diagnostics,
            marks: layout.then(Marks::default),
            regions: None,
        }
    }

    fn file(&mut self) -> Vec<Item> {
        let mut items = Vec::new();
        self.items(None, |p| p.item(&mut items));
        items
    }

    // Blocks and recovery.

    /// `{ item … }`, items on lines of their own or parted by `;`.
    fn block(&mut self, item: impl FnMut(&mut Self) -> Parsed<()>) -> Parsed<()> {
        self.block_within(&[], item)
    }

    /// As [`Self::block`], in a block whose items may start with the `outer` words, which none of this one starts with.
    fn block_within(&mut self, outer: &[&str], item: impl FnMut(&mut Self) -> Parsed<()>) -> Parsed<()> {
        let open = self.peek().span;
        if !self.unopened() {
            self.expect("{")?;
        }
        self.deeper(|p| {
            p.items(Some((open, outer)), item);
            Ok(())
        })
    }

    /// Items up to the closing brace of `open`, or up to the end of the file. An item of a block around this one ends it, too: a
    /// brace that is missing is reported once, and nothing that follows is taken for a mistake.
    fn items(&mut self, open: Option<(Span, &[&str])>, mut item: impl FnMut(&mut Self) -> Parsed<()>) {
        loop {
            while self.accept(";") {}
            let token = self.peek();
            match token.kind {
                Kind::Sign("}") if open.is_some() => {
                    self.take();
                    return;
                }
                Kind::End => {
                    if let Some((open, _)) = open {
                        self.unclosed(open, "}");
                    }
                    return;
                }
                _ => {}
            }
            if let Some((open, outer)) = open
                && self.outer_item(outer)
            {
                self.unclosed_before(open, token);
                return;
            }
            self.mark(Mark::Item);
            self.item = token.span.start;
            let result = item(self).and_then(|()| self.end_of_item());
            if result.is_err() {
                if self.peek().span == token.span {
                    self.take();
                }
                self.skip_line();
            }
            let region = token.span.to(self.last);
            if let Some(regions) = &mut self.regions {
                regions.push(region);
            }
        }
    }

    fn end_of_item(&mut self) -> Parsed<()> {
        let token = self.peek();
        let ends = token.first || matches!(token.kind, Kind::Sign(";" | "}") | Kind::End);
        if ends { Ok(()) } else { self.unexpected("the end of the line or `;`") }
    }

    /// Skips to the next line that starts outside of the braces opened since, or to the brace that ends the block.
    fn skip_line(&mut self) {
        let mut open = 0usize;
        loop {
            let token = self.peek();
            match token.kind {
                Kind::End => return,
                Kind::Sign("}") if open == 0 => return,
                Kind::Sign(";") if open == 0 => return,
                _ if open == 0 && token.first => return,
                Kind::Sign("{") => open += 1,
                Kind::Sign("}") => open -= 1,
                _ => {}
            }
            self.take();
        }
    }

    fn deeper<T>(&mut self, inner: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= MAX_DEPTH {
            return self.too_deep();
        }
        self.depth += 1;
        let result = inner(self);
        self.depth -= 1;
        result
    }

    fn too_deep<T>(&mut self) -> Parsed<T> {
        let span = self.peek().span;
        self.fail(
            Diagnostic::new(Code::TooDeep, format!("this is nested more than {MAX_DEPTH} levels deep"))
                .at(span, "this is one level too many")
                .help("name the inner parts with `def`, and use the names"),
        )
    }

    // Tokens.

    fn peek(&mut self) -> Token {
        self.peek_nth(0)
    }

    fn peek_nth(&mut self, n: usize) -> Token {
        while self.ahead.len() <= n {
            let token = self.lexer.next(self.diagnostics);
            self.ahead.push_back(token);
        }
        self.ahead[n]
    }

    fn take(&mut self) -> Token {
        let token = self.peek();
        self.ahead.pop_front();
        self.last = token.span;
        token
    }

    fn is(&mut self, sign: &str) -> bool {
        matches!(self.peek().kind, Kind::Sign(s) if s == sign)
    }

    fn accept(&mut self, sign: &str) -> bool {
        let is = self.is(sign);
        if is {
            self.take();
        }
        is
    }

    fn expect(&mut self, sign: &str) -> Parsed<Token> {
        if self.is(sign) { Ok(self.take()) } else { self.unexpected(&format!("`{sign}`")) }
    }

    fn is_word(&mut self, word: &str) -> bool {
        let token = self.peek();
        self.word_at(token) == word
    }

    fn accept_word(&mut self, word: &str) -> bool {
        let is = self.is_word(word);
        if is {
            self.take();
        }
        is
    }

    fn expect_word(&mut self, word: &str) -> Parsed<Token> {
        if self.is_word(word) { Ok(self.take()) } else { self.unexpected(&format!("`{word}`")) }
    }

    /// The word that a token is, else nothing.
    fn word_at(&self, token: Token) -> &'t str {
        if token.kind == Kind::Word { self.slice(token.span) } else { "" }
    }

    fn slice(&self, span: Span) -> &'t str {
        &self.text[span.start..span.end]
    }

    /// A name that is being defined: a word, not a reserved one.
    fn new_name(&mut self, what: &str) -> Parsed<Name> {
        let token = self.peek();
        if token.kind != Kind::Word {
            return self.unexpected(what);
        }
        self.not_reserved(token, false)?;
        self.take();
        Ok(Name { text: self.slice(token.span).to_owned(), span: token.span })
    }

    /// A word or a text in quotes.
    fn name(&mut self, what: &str) -> Parsed<Name> {
        let token = self.peek();
        match token.kind {
            _ if self.next_item() => self.unexpected(what),
            Kind::Word => {
                self.not_reserved(token, true)?;
                self.new_name(what)
            }
            Kind::Text => self.text_in_quotes(what),
            _ => self.unexpected(what),
        }
    }

    /// `quotable`: in quotes the word could stand here.
    fn not_reserved(&mut self, token: Token, quotable: bool) -> Parsed<()> {
        let word = self.word_at(token);
        if !RESERVED.contains(&word) {
            return Ok(());
        }
        // A reserved word on the next line was not meant as the name that is missing on this one.
        if token.first && token.span.start != self.item {
            return self.unexpected("a name");
        }
        let mut finding = Diagnostic::new(
            Code::ReservedWord,
            format!("`{word}` is a reserved word, so it cannot be a name"),
        )
        .at(token.span, "")
        .help(format!(
            "choose another name, or, for a label, a vertex or a value, write it in quotes: \"{word}\""
        ));
        if quotable {
            finding = finding.fix(Fix::replace("write it in quotes", token.span, format!("\"{word}\"")));
        }
        self.fail(finding)
    }

    fn text_in_quotes(&mut self, what: &str) -> Parsed<Name> {
        let token = self.peek();
        if token.kind != Kind::Text {
            return self.unexpected(&format!("{what} in quotes"));
        }
        self.take();
        match unescape(self.slice(token.span)) {
            Ok(text) => Ok(Name { text, span: token.span }),
            Err((start, end)) => {
                let at = token.span.source.span(token.span.start + start, token.span.start + end);
                self.fail(Diagnostic::new(Code::BadEscape, "unknown escape sequence").at(at, "").help(
                    "use \\\" for a quote, \\\\ for a backslash, \\n for a line break or \\t for a tab",
                ))
            }
        }
    }

    /// One or more labels.
    fn labels(&mut self) -> Parsed<Vec<Name>> {
        self.list(",", |p| p.name("a label"))
    }

    /// One or more labels or families of labels.
    fn label_sets(&mut self) -> Parsed<Vec<Labels>> {
        self.list(",", |p| p.label_set())
    }

    /// `left`, `order=*` or `(order=ann, med=*)`. Without parentheses a value would be taken for a cost: `cost order = 2`.
    fn label_set(&mut self) -> Parsed<Labels> {
        let open = self.peek();
        if self.accept("(") {
            let parts = self.list(",", |p| p.part_of_family())?;
            let end = self.close(")", open.span)?.span;
            return Ok(Labels::Family(Family { parts, span: open.span.to(end) }));
        }
        if open.kind == Kind::Word
            && self.peek_nth(1).kind == Kind::Sign("=")
            && self.peek_nth(2).kind == Kind::Sign("*")
        {
            let parts = vec![self.part_of_family()?];
            return Ok(Labels::Family(Family { parts, span: open.span.to(self.last) }));
        }
        if self.word_at(open) == "others" && !open.first {
            let finding = Diagnostic::new(Code::Unexpected, "`others` stands alone").at(open.span, "");
            return self
                .fail(finding.help("write it as a part of its own: `sees a not at all; others not at all`"));
        }
        self.name("a label").map(Labels::One)
    }

    /// `order=ann`, `order=3`, or `order=*` for any value.
    fn part_of_family(&mut self) -> Parsed<(Name, Option<Name>)> {
        let variable = self.new_name("a variable")?;
        self.mark(Mark::Join);
        self.expect("=")?;
        let start = self.peek();
        if self.accept("*") {
            return Ok((variable, None));
        }
        if start.kind == Kind::Sign("-") {
            self.mark(Mark::Prefix);
            self.take();
        }
        let token = self.peek();
        let negative = start.kind == Kind::Sign("-");
        let value = match (token.kind, self.word_at(token)) {
            (Kind::Int, _) => {
                let digits = self.integer()?.to_string();
                Name { text: digits, span: token.span }
            }
            (Kind::Word, word @ ("true" | "false")) if !negative => {
                self.take();
                Name { text: word.to_owned(), span: token.span }
            }
            _ if negative => return self.unexpected("a number"),
            _ => self.name("a value, or `*` for any")?,
        };
        let text = if negative { format!("-{}", value.text) } else { value.text };
        Ok((variable, Some(Name { text, span: start.span.to(value.span) })))
    }

    fn list<T>(&mut self, separator: &str, mut one: impl FnMut(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut all = vec![one(self)?];
        while self.accept(separator) {
            all.push(one(self)?);
        }
        Ok(all)
    }

    fn mark(&mut self, mark: Mark) {
        let start = self.peek().span.start;
        if let Some(marks) = &mut self.marks {
            marks.set(start, mark);
        }
    }
}
