//! Slips that people really make, each in a model that is right otherwise: one error, which says what to write, and a fix that leaves
//! nothing wrong, where there is one.

mod mended;

use divulge_model::diagnostic::{Diagnostics, Fix};
use divulge_model::language::{self, NoIncludes};
use mended::mended;

const MODEL: &str = r#"model "corridor"

world {
  room: 0..4 = 2  // it starts in the middle
  parcel: {ann, ben}
  start observing

  action left  when room > 0 { room := room - 1 }
  action right when room < 4 { room := room + 1 }

  observe {
    parcel when room = 2
    quiet  otherwise
  }

  goal room = (if parcel = ann then 0 else 4)
}

observer neighbour {
  knows world
  sees left, right as steps; ann, ben as reading; others as themselves
  stipulate discreet: always !knows(parcel)
}

plan {
  if ann { left; left } else { right; right }
}
"#;

/// What is written, in place of what, and a part of what is said of it.
const MENDED: [(&str, &str, &str); 52] = [
    ("left, right as steps", "left, right as not at all", "leave `as` out"),
    // Brackets.
    ("world {", "world", "expected `{`"),
    ("observer neighbour {", "observer neighbour", "expected `{`"),
    ("{ room := room - 1 }", "{ room := room - 1", "`}` is missing before `action`"),
    ("otherwise\n  }", "otherwise\n", "`}` is missing before `goal`"),
    ("else 4)\n}", "else 4)\n", "`}` is missing before `observer`"),
    ("!knows(parcel)\n}", "!knows(parcel)\n", "`}` is missing before `plan`"),
    ("right }\n}", "right }\n", "`}` is missing"),
    ("else 4)", "else 4", "add the closing `)`"),
    ("right }\n}", "right }\n}}", "this `}` closes nothing"),
    ("\"corridor\"", "\"corridor", "the closing quote is missing"),
    // Words.
    ("knows world", "knows goal_directed", "write `knows goal-directed`"),
    // Signs of other languages, and of pages.
    ("room = 2\n", "room == 2\n", "write `=`"),
    ("room < 4", "room =< 3", "write `<=`"),
    ("room < 4", "room ≤ 3", "write `<=`"),
    ("room < 4", "room ≠ 4", "write `!=`"),
    ("room - 1", "room − 1", "write `-`"),
    ("0..4", "0...4", "write `..`"),
    ("0..4", "0…4", "write `..`"),
    ("room - 1 }", "room - 1 ｝", "write `}`"),
    ("left, right as", "left， right as", "write `,`"),
    ("goal room = (if parcel = ann then 0 else 4)", "goal parcel = ann → room = 0", "write `->`"),
    ("room = 2\n", "room = 2 || room = 3\n", "write `|`"),
    ("always !knows(parcel)", "always !knows(parcel) && possible(room = 2)", "write `&`"),
    ("always !knows", "always ¬knows", "write `!`"),
    ("always !knows(parcel)", "□ !knows(parcel)", "write `always`"),
    ("always !knows(parcel)", "[]!knows(parcel)", "write `always`"),
    ("always !knows(parcel)", "<> possible(parcel = ann)", "write `eventually`"),
    ("room > 0", "room ∈ 1..4", "write `in`"),
    ("\"corridor\"", "“corridor”", "straight double quotes"),
    ("\"corridor\"", "'corridor'", "straight double quotes"),
    ("  // it starts in the middle", "  /* the middle */", "a comment starts with `//`"),
    ("  // it starts in the middle", "  # the middle", "comments start with `//`"),
    ("  action left", "\u{a0}\u{a0}action left", "not an ordinary space"),
    ("model \"", "\u{200b}model \"", "not an ordinary space"),
    // Words.
    ("action left  when", "action left if", "a condition stands after `when`"),
    ("quiet  otherwise", "quiet else", "ends with `otherwise`"),
    ("room := room + 1", "room = room + 1", "`:=` gives a variable a value"),
    ("room: 0..4 = 2", "room: 0..4 := 2", "the value at the start stands after `=`"),
    ("{ann, ben}", "enum {ann, ben}", "needs no word before it"),
    ("goal room", "goal: room", "no `:` stands after `goal`"),
    ("action left ", "action left() ", "nothing stands in parentheses here"),
    ("observer neighbour", "Observer neighbour", "did you mean `observer`?"),
    ("ann, ben as", "ann, bne as", "did you mean `ben`?"),
    ("parcel = ann", "parcel = anne", "did you mean `ann`?"),
    ("!knows(parcel)", "!knows(parcel) | TRUE", "did you mean `true`?"),
    ("knows world", "knows World", "write `world`"),
    ("right as steps", "right -> steps", "`as` says what events look like"),
    ("as steps; ann", "as steps, ann", "`;` between groups"),
    ("discreet: always", "discreet always", "a stipulation has a name, then `:`"),
    ("left; left", "left, left", "parted by `;`"),
    ("if ann {", "if ann then {", "no `then` stands before the braces"),
];

/// As [`MENDED`], where only people can tell what was meant.
const SAID: [(&str, &str, &str); 23] = [
    (
        "  stipulate discreet: always !knows(parcel)\n}",
        "}\nstipulate s: always !knows(parcel)",
        "belongs to an observer",
    ),
    ("plan {", "goal room = 0\nplan {", "belongs to the world"),
    ("start observing", "init room = 2\n  start observing", "the value after `=`"),
    ("room: 0..4", "var room: 0..4", "a variable stands alone"),
    ("room: 0..4 = 2", "room: [0..4] = 2", "without brackets"),
    ("room: 0..4 = 2", "room: int = 2", "a range as in `0..3`"),
    ("= 2  //", "= 2m  //", "there are no units"),
    ("= 2  //", "= 2.5  //", "numbers are whole"),
    ("{ann, ben}", "(ann, ben)", "a list of values `{red, green}`"),
    ("room := room + 1", "room++", "write the whole new value"),
    ("room := room + 1", "room += 1", "write the whole new value"),
    ("room := room + 1", "room' := room + 1", "without the `'`"),
    ("goal room", "room := 3\n  goal room", "a variable changes in an action"),
    ("discreet: always", "always", "a stipulation has a name, then `:`"),
    ("discreet: always !knows", "!knows", "a stipulation has a name, then `:`"),
    ("discreet: always !knows", "knows", "a stipulation has a name, then `:`"),
    ("always !knows", "never knows", "write `always !(...)`"),
    ("always !knows(parcel)", "!knows(parcel) before knows(room = 0)", "write `!q unless p`"),
    ("always !knows(parcel)", "until knows(room = 0)", "between two formulas"),
    ("knows world", "knows nothing", "`knows world` for the world alone"),
    ("if ann {", "if parcel = ann {", "write the observation alone"),
    ("plan {\n", "plan {{\n", "found `{`"),
    ("action right when room < 4", "action right", "outside 0..4"),
];

fn found(text: &str) -> Diagnostics {
    language::load("model.divulge", text, &NoIncludes, &[]).1
}

fn slip(old: &str, new: &str) -> String {
    assert!(MODEL.contains(old), "{old}");
    MODEL.replacen(old, new, 1)
}

/// What is wrong with what is said of a slip.
fn wrong(text: &str, said: &str, fixed: bool) -> Option<String> {
    let found = found(text);
    let shown = found.render(false);
    if found.errors() != 1 || !shown.contains(said) {
        return Some(format!("not one error that says {said:?}, but\n{shown}"));
    }
    let fixes: Vec<&Fix> = found.iter().flat_map(|finding| &finding.fixes).collect();
    if fixed && fixes.is_empty() {
        return Some(format!("no fix is offered:\n{shown}"));
    }
    fixes.into_iter().find_map(|fix| {
        let text = mended(text, fix);
        let after = self::found(&text);
        let worse = after.has_errors().then(|| after.render(false));
        worse.map(|shown| format!("`{}` leaves\n{text}\n{shown}", fix.title))
    })
}

#[test]
fn the_model_is_right() {
    assert_eq!(found(MODEL).render(false), "");
}

#[test]
fn every_slip_is_one_error_that_says_what_to_write() {
    let mended = MENDED.iter().map(|slip| (slip, true));
    let said = SAID.iter().map(|slip| (slip, false));
    let all = mended.chain(said).filter_map(|((old, new, said), fixed)| {
        wrong(&slip(old, new), said, fixed).map(|why| format!("{new:?} for {old:?}: {why}"))
    });
    let all: Vec<String> = all.collect();
    assert!(all.is_empty(), "{} slips:\n{}", all.len(), all.join("\n\n"));
}
