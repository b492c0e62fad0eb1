//! A text as words and signs, for those who show it: what it is made of, whether or not it is a model.

use super::lexer::{Kind, Lexer};
use crate::diagnostic::{Diagnostics, SourceId};

/// What a piece of text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A name or a keyword.
    Word,
    /// A number.
    Number,
    /// A text in quotes.
    Quoted,
    /// A bracket, an operator, a comma.
    Sign,
    /// A `//` comment.
    Comment,
}

/// A piece of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub shape: Shape,
    /// The first byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    /// Whether it is the first on its line.
    pub first: bool,
}

/// All words, signs and comments, in order. What means nothing in a model is left out.
pub fn tokens(text: &str) -> Vec<Token> {
    let mut out = Vec::new();
    // A lexer gives up after so many errors: it is given a fresh list each time.
    let mut lexer = Lexer::new(text, SourceId::default(), true);
    loop {
        let token = lexer.next(&mut Diagnostics::new());
        let comments = lexer.comments.drain(..);
        out.extend(comments.map(|c| {
            let end = c.span.start + text[c.span.start..c.span.end].trim_end().len();
            Token { shape: Shape::Comment, start: c.span.start, end, first: c.own_line }
        }));
        let shape = match token.kind {
            Kind::Word => Shape::Word,
            Kind::Int => Shape::Number,
            Kind::Text => Shape::Quoted,
            Kind::Sign(_) => Shape::Sign,
            Kind::End => return out,
        };
        out.push(Token { shape, start: token.span.start, end: token.span.end, first: token.first });
    }
}
