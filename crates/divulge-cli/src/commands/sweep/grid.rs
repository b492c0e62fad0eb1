//! The points: every combination of values.

use serde_json::{Map, Value};

use super::store::digest;
use crate::status::Failure;

/// One combination of values.
#[derive(Clone, Debug)]
pub struct Point {
    /// Its name: the digest of its parameters.
    pub name: String,
    /// The parameters as a JSON object.
    pub parameters: Map<String, Value>,
    /// The constants of the model, as the command line sets them.
    pub settings: Vec<(String, String)>,
}

/// No sweep is larger.
const MOST: usize = 10_000_000;

/// The names of the parameters, and every combination of their values, the last one running fastest.
pub fn points(set: &[String]) -> Result<(Vec<String>, Vec<Point>), Failure> {
    let mut names: Vec<String> = Vec::new();
    let mut all: Vec<Vec<(String, String)>> = vec![Vec::new()];
    for text in set {
        let (name, values) = text.split_once('=').ok_or_else(|| {
            Failure::new(format!("`--set {text}` has no values"), "NAME=VALUES is needed, such as rows=3..20")
        })?;
        let name = name.trim().to_owned();
        if names.contains(&name) {
            return Err(Failure::new(
                format!("`{name}` is set twice"),
                "give all its values at once, as in rows=3..5,8",
            ));
        }
        let values = values_of(&name, values)?;
        if all.len().saturating_mul(values.len()) > MOST {
            return Err(Failure::new(format!("there are more than {MOST} points"), "give fewer values"));
        }
        all = all
            .into_iter()
            .flat_map(|point| {
                let name = &name;
                values
                    .iter()
                    .map(move |value| {
                        let mut longer = point.clone();
                        longer.push((name.clone(), value.clone()));
                        longer
                    })
                    .collect::<Vec<_>>()
            })
            .collect();
        names.push(name);
    }
    let mut points: Vec<Point> = all.into_iter().map(point).collect();
    let mut seen = std::collections::HashSet::new();
    points.retain(|point| seen.insert(point.name.clone()));
    Ok((names, points))
}

fn point(settings: Vec<(String, String)>) -> Point {
    let parameters: Map<String, Value> =
        settings.iter().map(|(name, text)| (name.clone(), value(text))).collect();
    Point { name: digest(&Value::Object(parameters.clone())), parameters, settings }
}

/// A value as JSON: a whole number, a truth value, or a text.
pub fn value(text: &str) -> Value {
    match text {
        "true" => Value::Bool(true),
        "false" => Value::Bool(false),
        _ => text.parse::<i64>().map_or_else(|_| Value::String(text.to_owned()), Value::from),
    }
}

/// The words of a command: separated by spaces, unless quotation marks are around them. `None` if one is not closed.
pub fn words(text: &str) -> Option<Vec<String>> {
    let (mut found, mut word, mut open): (Vec<String>, Option<String>, Option<char>) = Default::default();
    for c in text.chars() {
        match open {
            Some(mark) if c == mark => open = None,
            None if c == '"' || c == '\'' => {
                open = Some(c);
                word.get_or_insert_default();
            }
            None if c.is_whitespace() => found.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    found.extend(word);
    open.is_none().then_some(found)
}

fn values_of(name: &str, text: &str) -> Result<Vec<String>, Failure> {
    let mut found = Vec::new();
    for part in text.split(',').map(str::trim) {
        match range(part) {
            Some((from, to, step)) => {
                if step <= 0 {
                    return Err(Failure::new(
                        format!("`{part}` has no steps"),
                        "a step is 1 or more, as in 3..21..2",
                    ));
                }
                if from > to {
                    return Err(Failure::new(
                        format!("the range `{part}` of `{name}` is empty"),
                        "the lower end comes first, and both ends are included",
                    ));
                }
                if (i128::from(to) - i128::from(from)) / i128::from(step) > MOST as i128 {
                    return Err(Failure::new(
                        format!("there are more than {MOST} points"),
                        "give fewer values",
                    ));
                }
                let mut at = Some(from);
                while let Some(value) = at.filter(|value| *value <= to) {
                    found.push(value.to_string());
                    at = value.checked_add(step);
                }
            }
            None if part.is_empty() => {
                return Err(Failure::new(
                    format!("`{name}` has an empty value"),
                    "values are separated by commas, as in map=fine,coarse",
                ));
            }
            None => found.push(part.to_owned()),
        }
    }
    Ok(found)
}

/// `3..20` or `3..21..2`.
fn range(text: &str) -> Option<(i64, i64, i64)> {
    let parts: Vec<i64> = text.split("..").map(str::parse).collect::<Result<_, _>>().ok()?;
    match parts[..] {
        [from, to] => Some((from, to, 1)),
        [from, to, step] => Some((from, to, step)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(set: &[&str]) -> Vec<String> {
        let set: Vec<String> = set.iter().map(|&text| text.to_owned()).collect();
        match points(&set) {
            Ok((_, points)) => {
                points.iter().map(|p| Value::Object(p.parameters.clone()).to_string()).collect()
            }
            Err(Failure::Message(message, _)) => vec![message],
            Err(other) => panic!("{other:?}"),
        }
    }

    #[test]
    fn words_of_a_question() {
        let found = words("seek  plan --goal 's = 10' --x=\"a b\" ''");
        assert_eq!(found.unwrap(), ["seek", "plan", "--goal", "s = 10", "--x=a b", ""]);
        assert_eq!(words("seek 'plan"), None);
    }

    #[test]
    fn combinations() {
        assert_eq!(of(&["rows=3..4", "map=a,b"]).len(), 4);
        assert_eq!(
            of(&["rows=3..9..3,4"]),
            [r#"{"rows":3}"#, r#"{"rows":6}"#, r#"{"rows":9}"#, r#"{"rows":4}"#]
        );
        assert_eq!(of(&["a=true,x,-1"]), [r#"{"a":true}"#, r#"{"a":"x"}"#, r#"{"a":-1}"#]);
        assert_eq!(of(&["a=1,1"]).len(), 1);
        assert_eq!(of(&["a=5..3"]), ["the range `5..3` of `a` is empty"]);
        assert_eq!(of(&["a=1..3..0"]), ["`1..3..0` has no steps"]);
        assert_eq!(of(&["a="]), ["`a` has an empty value"]);
        assert_eq!(of(&["a"]), ["`--set a` has no values"]);
        assert_eq!(of(&["a=1", "a=2"]), ["`a` is set twice"]);
        assert_eq!(of(&["a=1..9999999999999"]), ["there are more than 10000000 points"]);
    }
}
