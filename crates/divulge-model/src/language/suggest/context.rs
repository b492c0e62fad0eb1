//! Where in a model a place is, told by the words before it: the text around it need not make sense yet.

use crate::language::{Shape, Token, tokens};

/// What a pair of braces encloses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Block {
    /// None: the top level.
    Top,
    /// A world's rules.
    World,
    /// What a world takes from a file.
    File,
    /// Lines of observations.
    Observe,
    /// Assignments.
    Outcome,
    /// A graph drawn by hand.
    Graph,
    /// A plan's program.
    Plan,
    /// An observer.
    Observer,
    /// A set of values.
    Set,
}

/// The place before which something is to be written.
#[derive(Debug)]
pub struct Context<'t> {
    /// What is around it.
    pub block: Block,
    /// The words and signs of the item so far, without the word that is being written.
    pub words: Vec<&'t str>,
    /// Whether it is in a comment or in quotes, where nothing is to be suggested.
    pub mute: bool,
}

impl<'t> Context<'t> {
    /// The context of a byte.
    pub fn at(text: &'t str, offset: usize) -> Context<'t> {
        let mut stack = Stack::default();
        let (mut prefix, mut mute) = ("", false);
        let all = tokens(text);
        for (i, token) in all.iter().enumerate().take_while(|(_, token)| token.start < offset) {
            let word = &text[token.start..token.end];
            let inside = token.end >= offset;
            match token.shape {
                Shape::Comment => {
                    let line_ends = text[token.end..].find('\n').map_or(text.len(), |at| token.end + at);
                    mute |= offset <= line_ends;
                    continue;
                }
                Shape::Quoted if token.end > offset || !word[1..].ends_with('"') => mute |= inside,
                _ => {}
            }
            if inside && token.shape == Shape::Word {
                prefix = &text[token.start..offset];
                stack.line(token);
                break;
            }
            stack.take(token, word, all[i + 1..].iter().find(|t| t.shape != Shape::Comment), text);
        }
        // An item goes on below its line only after a sign that joins.
        let written = offset - prefix.len();
        if text[..written].trim_end_matches([' ', '\t']).ends_with('\n') && !stack.joins() {
            stack.words.clear();
        }
        Context { block: stack.block(), words: stack.words, mute }
    }

    /// Whether nothing of the item stands before the place.
    pub fn begins(&self) -> bool {
        self.words.is_empty()
    }

    /// The last word or sign, if there is one.
    pub fn last(&self) -> &'t str {
        self.words.last().copied().unwrap_or_default()
    }

    /// The first word of the item, if there is one.
    pub fn first(&self) -> &'t str {
        self.words.first().copied().unwrap_or_default()
    }

    /// The variable that a value is compared with or given to here: the word before `=`, `!=`, `:=`, or before `in {`.
    pub fn compared(&self) -> Option<&'t str> {
        match self.words.as_slice() {
            [.., name, "=" | "!=" | ":="] => Some(name),
            words => {
                let open = words.iter().rposition(|word| *word == "{")?;
                match &words[..open] {
                    [.., name, "in"] => Some(name),
                    _ => None,
                }
            }
        }
    }
}

/// The blocks around a place, and the item that is being read.
#[derive(Default)]
struct Stack<'t> {
    blocks: Vec<(Block, Vec<&'t str>)>,
    words: Vec<&'t str>,
}

impl<'t> Stack<'t> {
    fn block(&self) -> Block {
        let outer = self.blocks.iter().rev().map(|(block, _)| *block).find(|block| *block != Block::Set);
        outer.unwrap_or(Block::Top)
    }

    /// An item begins with its line, unless the one before goes on.
    fn line(&mut self, token: &Token) {
        if token.first && !self.joins() {
            self.words.clear();
        }
    }

    /// Whether the item cannot end here.
    fn joins(&self) -> bool {
        const SIGNS: [&str; 24] = [
            "=", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/", "%", "&", "|", "->", "<->", ":=", ":", ",",
            "(", "..", "and", "or", "when", "in",
        ];
        let open = self.words.iter().filter(|w| **w == "(").count();
        let closed = self.words.iter().filter(|w| **w == ")").count();
        open > closed || self.words.last().is_some_and(|last| SIGNS.contains(last))
    }

    fn take(&mut self, token: &Token, word: &'t str, next: Option<&Token>, text: &str) {
        self.line(token);
        match word {
            "{" => {
                let block = self.opened();
                let kept = std::mem::take(&mut self.words);
                if block == Block::Set {
                    self.words = kept.clone();
                    self.words.push("{");
                }
                self.blocks.push((block, kept));
            }
            "}" => {
                let (block, words) = self.blocks.pop().unwrap_or((Block::Top, Vec::new()));
                // After the braces of a set, an outcome or a branch the item goes on.
                self.words = words;
                self.words.push(if block == Block::Set { "set" } else { "}" });
                let goes_on = next
                    .is_some_and(|next| !next.first || matches!(&text[next.start..next.end], "or" | "else"));
                if !goes_on && block != Block::Set {
                    self.words.clear();
                }
            }
            ";" => {
                // `sees a as x; b as y` is one item.
                let sees = self.block() == Block::Observer && self.words.first() == Some(&"sees");
                self.words.clear();
                if sees {
                    self.words.extend(["sees", ";"]);
                }
            }
            word => self.words.push(word),
        }
    }

    /// What the brace encloses that stands after the item's words.
    fn opened(&self) -> Block {
        let first = self.words.first().copied().unwrap_or_default();
        let drawn = self.words.contains(&"graph");
        match (self.block(), first, self.words.last().copied().unwrap_or_default()) {
            (_, _, "in" | "=" | ":") => Block::Set,
            (Block::Top, "world", _) if drawn => Block::Graph,
            (Block::Top, "world", _) if self.words.contains(&"from") => Block::File,
            (Block::Top, "world", _) => Block::World,
            (Block::Top, "plan" | "graph", _) if drawn => Block::Graph,
            (Block::Top, "plan", _) => Block::Plan,
            (Block::Top, "observer", _) => Block::Observer,
            (Block::World, "observe", _) => Block::Observe,
            (Block::World | Block::Observe, ..) => Block::Outcome,
            (Block::Observer, ..) => Block::Graph,
            (Block::Plan, ..) => Block::Plan,
            (block, ..) => block,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The context where `$` stands.
    fn context(text: &str) -> (Block, Vec<String>, bool) {
        let at = text.find('$').unwrap();
        let text = text.replace('$', "");
        let Context { block, words, mute } = Context::at(&text, at);
        (block, words.into_iter().map(str::to_owned).collect(), mute)
    }

    #[test]
    fn blocks_and_items_are_told_by_the_words_before() {
        for (text, block, words) in [
            ("$", Block::Top, ""),
            ("con$st", Block::Top, ""),
            ("world {\n  x: 0..3 = 0\n  $\n}", Block::World, ""),
            ("world {\n  action go when x = $", Block::World, "action go when x ="),
            ("world {\n  action go { x := $ } }", Block::Outcome, "x :="),
            ("world {\n  observe { dark when x = 1; $", Block::Observe, ""),
            ("world graph {\n u0 -$", Block::Graph, "u0 -"),
            ("plan {\n  go; if re$", Block::Plan, "if"),
            ("plan { if red { go } els$", Block::Plan, "if red }"),
            ("observer a {\n  sees go as $", Block::Observer, "sees go as"),
            ("observer a {\n  sees go as x; $", Block::Observer, "sees ;"),
            (
                "observer a {\n  stipulate s: knows(x = 1) &\n    $",
                Block::Observer,
                "stipulate s : knows ( x = 1 ) &",
            ),
            ("world { x: {red, gre$", Block::World, "x : { red ,"),
            ("observer a { knows graph { d0 -$", Block::Graph, "d0 -"),
        ] {
            let (found, found_words, _) = context(text);
            assert_eq!((found, found_words.join(" ").as_str()), (block, words), "{text}");
        }
    }

    #[test]
    fn nothing_is_suggested_in_comments_and_texts() {
        assert!(context("world { // abo$ut\n}").2);
        assert!(context("include \"abo$").2);
        assert!(!context("include \"a\" $").2);
        assert!(!context("// one\n$").2);
    }
}
