//! Pieces of source in one line, spaced as people write them.

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};
use quote::ToTokens;

/// The source of something, in one line.
pub fn line(what: &impl ToTokens) -> String {
    let mut words = Vec::new();
    flatten(what.to_token_stream(), &mut words);
    let mut line = String::new();
    for (i, word) in words.iter().enumerate() {
        let before = if i == 0 { "" } else { &words[i - 1] };
        // A trailing comma tells nothing.
        let trailing = word == "," && words.get(i + 1).is_some_and(|next| [")", ">", "]"].contains(&&**next));
        if trailing && !tuple_of_one(&words[..i]) {
            continue;
        }
        if spaced(before, word, i.checked_sub(2).map_or("", |i| &words[i])) {
            line.push(' ');
        }
        line += word;
    }
    line
}

/// Whether what is written so far ends in `(T`, so that a comma makes it a tuple.
fn tuple_of_one(words: &[String]) -> bool {
    let mut deep = 0;
    for (i, word) in words.iter().enumerate().rev() {
        match word.as_str() {
            ")" | ">" | "]" => deep += 1,
            "(" if deep == 0 => return i == 0 || !names(&words[i - 1]),
            "," if deep == 0 => return false,
            "(" | "<" | "[" => deep -= 1,
            _ => {}
        }
    }
    false
}

fn names(word: &str) -> bool {
    word.starts_with(|c: char| c.is_alphanumeric() || c == '_')
}

fn spaced(before: &str, word: &str, earlier: &str) -> bool {
    let tight_before = [",", ";", ":", "::", ")", "]", ">", "?", ".", "!"].contains(&word);
    let tight_after = ["", "(", "[", "<", "&", "::", ".", "?", "#", "*"].contains(&before);
    match (before, word) {
        _ if tight_after => false,
        // `T: ?Sized`, `impl ::core::fmt::Debug`
        (":" | "+" | "=" | ",", "?") => true,
        ("impl" | "dyn" | "->" | "for" | "in", "::") => true,
        _ if tight_before => false,
        (_, "(" | "<") if earlier == "->" && before == "impl" => true,
        (_, "<") => !names(before),
        (_, "(") => !names(before) && before != ">" || ["dyn", "impl", "where", "in"].contains(&before),
        ("'", _) => false,
        _ => true,
    }
}

fn flatten(tokens: TokenStream, out: &mut Vec<String>) {
    let mut joint = false;
    for token in tokens {
        match token {
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Brace => ("{", "}"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::None => ("", ""),
                };
                out.extend((!open.is_empty()).then(|| open.to_owned()));
                flatten(group.stream(), out);
                out.extend((!close.is_empty()).then(|| close.to_owned()));
                joint = false;
            }
            TokenTree::Punct(punct) => {
                let sign = punct.as_char();
                match out.last_mut().filter(|last| joint && belongs(last, sign)) {
                    Some(last) => last.push(sign),
                    None => out.push(sign.to_string()),
                }
                joint = punct.spacing() == Spacing::Joint;
            }
            // A lifetime's name is joined to its quote.
            TokenTree::Ident(name) if joint && out.last().is_some_and(|last| last == "'") => {
                *out.last_mut().expect("it is there") = format!("'{name}");
                joint = false;
            }
            other => {
                out.push(other.to_string());
                joint = false;
            }
        }
    }
}

/// Whether two signs are one: `::`, `->`, `=>`, `..`, `..=`; not `>>` or `&'`.
fn belongs(last: &str, sign: char) -> bool {
    matches!((last, sign), (":", ':') | ("-" | "=", '>') | ("." | "..", '.') | ("..", '='))
}
