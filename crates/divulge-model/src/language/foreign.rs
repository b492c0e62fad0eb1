//! What people write from habit, or paste from a page: signs, quotes and spaces that models have others for.

/// Signs, and what they are called here. The first that fits is taken, so longer ones come first.
const SIGNS: [(&str, &str); 38] = [
    ("<=>", "<->"),
    ("...", ".."),
    ("−>", "->"),
    ("–>", "->"),
    ("—>", "->"),
    ("==", "="),
    ("&&", "&"),
    ("||", "|"),
    ("=>", "->"),
    ("=<", "<="),
    ("<>", "!="),
    ("→", "->"),
    ("⇒", "->"),
    ("⟶", "->"),
    ("↔", "<->"),
    ("⇔", "<->"),
    ("←", ":="),
    ("≔", ":="),
    ("≤", "<="),
    ("≥", ">="),
    ("≠", "!="),
    ("∧", "&"),
    ("∨", "|"),
    ("¬", "!"),
    ("…", ".."),
    ("−", "-"),
    ("–", "-"),
    ("—", "-"),
    ("×", "*"),
    ("·", "*"),
    ("÷", "/"),
    ("，", ","),
    ("；", ";"),
    ("：", ":"),
    ("（", "("),
    ("）", ")"),
    ("｛", "{"),
    ("｝", "}"),
];

/// Signs for which models have words.
const WORDS: [(&str, &str); 6] = [
    ("[]", "always"),
    ("<>", "eventually"),
    ("□", "always"),
    ("◇", "eventually"),
    ("○", "next"),
    ("∈", "in"),
];

/// The sign of another language at a place, and ours. `<>` where something is compared means `!=`, elsewhere it is a word.
pub(super) fn sign(text: &str, at: usize) -> Option<(&'static str, &'static str)> {
    let rest = &text[at..];
    let found = SIGNS.iter().find(|(theirs, _)| rest.starts_with(theirs))?;
    (found.0 != "<>" || after_operand(text, at)).then_some(*found)
}

/// The length of a sign for which there is a word, and the word.
pub(super) fn word(text: &str, at: usize) -> Option<(usize, &'static str)> {
    let (sign, word) = WORDS.iter().find(|(sign, _)| text[at..].starts_with(sign))?;
    Some((sign.len(), word))
}

/// Whether a sign for which there is a word stands at a place; `[]` and `<>` have other meanings after a value.
pub(super) fn is_word(text: &str, at: usize) -> bool {
    let ascii = text.as_bytes().get(at).is_some_and(u8::is_ascii);
    word(text, at).is_some() && !(ascii && after_operand(text, at))
}

/// Whether a value may have ended before a place.
fn after_operand(text: &str, at: usize) -> bool {
    text[..at].trim_end().ends_with(|c: char| c == '_' || c.is_alphanumeric() || matches!(c, ')' | '"' | ']'))
}

/// Whether a character alone is the sign of something.
pub(super) fn is_sign(c: char) -> bool {
    let mut one = [0; 4];
    let c = c.encode_utf8(&mut one);
    SIGNS.iter().chain(&WORDS).any(|(sign, _)| *sign == c)
}

/// Whether `.` stands between digits.
pub(super) fn in_fraction(text: &str, at: usize) -> bool {
    let digit = |c: char| c.is_ascii_digit();
    text[at..].starts_with('.') && text[..at].ends_with(digit) && text[at + 1..].starts_with(digit)
}

/// Space other than blanks, tabs and line breaks, and what takes no room at all.
pub(super) fn is_space(c: char) -> bool {
    matches!(c, '\u{feff}' | '\u{200b}' | '\u{200c}' | '\u{200d}' | '\u{2060}')
        || c.is_whitespace() && !matches!(c, ' ' | '\t' | '\r' | '\n')
}

pub(super) fn is_quote(c: char) -> bool {
    "\"'“”„‟‘’‚«»‹›`".contains(c)
}

/// The length of a text in quotes of another kind that ends on its line, if one stands at a place.
pub(super) fn text(text: &str, at: usize) -> Option<usize> {
    let rest = &text[at..];
    let open = rest.chars().next()?;
    // `x'` is the next value of x in some languages.
    let primed = text[..at].ends_with(|c: char| c == '_' || c.is_alphanumeric());
    if open == '"' || !is_quote(open) || primed {
        return None;
    }
    let inner = &rest[open.len_utf8()..];
    let length = inner.find(|c: char| is_quote(c) || c == '\n' || c == '\\')?;
    let close = inner[length..].chars().next().filter(|&c| is_quote(c))?;
    (length > 0).then_some(open.len_utf8() + length + close.len_utf8())
}
