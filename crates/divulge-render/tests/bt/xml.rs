//! The part of XML that trees are written in: elements, attributes, comments, text.

/// An element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Element {
    pub name: String,
    pub attributes: Vec<(String, String)>,
    pub children: Vec<Element>,
}

impl Element {
    pub fn get(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
    }
}

/// The root element of a text.
pub fn parse(text: &str) -> Result<Element, String> {
    let mut rest = text.strip_prefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>").ok_or("no declaration")?;
    let mut open: Vec<Element> = Vec::new();
    let mut root = None;
    loop {
        rest = rest.trim_start();
        if rest.is_empty() {
            break;
        }
        if let Some(comment) = rest.strip_prefix("<!--") {
            let (inside, after) = comment.split_once("--").ok_or("a comment that does not end")?;
            rest = after.strip_prefix('>').ok_or_else(|| format!("two dashes in a comment: {inside}"))?;
        } else if let Some(tag) = rest.strip_prefix("</") {
            let (name, after) = tag.split_once('>').ok_or("a tag that does not end")?;
            let done =
                open.pop().filter(|e| e.name == name).ok_or_else(|| format!("</{name}> closes nothing"))?;
            place(done, &mut open, &mut root)?;
            rest = after;
        } else if let Some(tag) = rest.strip_prefix('<') {
            let (element, empty, after) = start(tag)?;
            if empty {
                place(element, &mut open, &mut root)?
            } else {
                open.push(element)
            }
            rest = after;
        } else {
            let (words, _) = rest.split_once('<').ok_or("text at the end")?;
            unescape(words)?;
            rest = &rest[words.len()..];
        }
    }
    if open.is_empty() { root.ok_or_else(|| "nothing".to_owned()) } else { Err("not closed".to_owned()) }
}

fn place(done: Element, open: &mut [Element], root: &mut Option<Element>) -> Result<(), String> {
    match open.last_mut() {
        Some(parent) => parent.children.push(done),
        None if root.is_none() => *root = Some(done),
        None => return Err("two roots".to_owned()),
    }
    Ok(())
}

/// A start tag after its `<`: the element, whether it is empty, and what follows.
fn start(tag: &str) -> Result<(Element, bool, &str), String> {
    let end = tag.find([' ', '>', '/']).ok_or("a tag that does not end")?;
    let (name, mut rest) = tag.split_at(end);
    let mut attributes: Vec<(String, String)> = Vec::new();
    loop {
        rest = rest.trim_start();
        let element = |attributes| Element { name: name.to_owned(), attributes, children: Vec::new() };
        if let Some(after) = rest.strip_prefix("/>") {
            return Ok((element(attributes), true, after));
        }
        if let Some(after) = rest.strip_prefix('>') {
            return Ok((element(attributes), false, after));
        }
        let (key, after) = rest.split_once("=\"").ok_or("an attribute without a value")?;
        let (value, after) = after.split_once('"').ok_or("a value that does not end")?;
        if value.contains(['<', '\n', '\t']) || attributes.iter().any(|(own, _)| own == key) {
            return Err(format!("{key}={value}"));
        }
        attributes.push((key.to_owned(), unescape(value)?));
        rest = after;
    }
}

fn unescape(text: &str) -> Result<String, String> {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('&') {
        out.push_str(before);
        let (entity, after) = after.split_once(';').ok_or("an entity that does not end")?;
        out.push(match entity {
            "amp" => '&',
            "lt" => '<',
            "gt" => '>',
            "quot" => '"',
            number => {
                let code = number.strip_prefix('#').and_then(|n| n.parse().ok()).and_then(char::from_u32);
                code.ok_or_else(|| format!("&{entity};"))?
            }
        });
        rest = after;
    }
    out.push_str(rest);
    Ok(out)
}
