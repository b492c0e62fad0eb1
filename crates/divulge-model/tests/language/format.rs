//! The canonical layout: formatting twice changes nothing more, and a formatted model means the same.

use crate::{examples, problem};
use divulge_model::language::format;
use proptest::prelude::*;

fn formatted(name: &str, text: &str) -> String {
    format(name, text).unwrap_or_else(|d| panic!("{}", d.render(false)))
}

#[test]
fn the_examples_are_in_canonical_form() {
    for (name, text) in examples().into_iter().chain(crate::examples_in("observers")) {
        assert_eq!(formatted(&name, &text), text, "{name}");
    }
}

#[test]
fn words_of_time_and_of_sight() {
    let text = "observer o { knows world; sees  hid ,quiet   not at  all; others as themselves }
observer p {
  unseen order=* ,hid
  stipulate a: always( not knows( x )  ->next knows( y ) )
  stipulate b:hindsight   3 not knows( was( x=1 ) )
  stipulate c: not knows( x )unless knows( initially( y )  )
}
";
    let wanted = "observer o { knows world; sees hid, quiet not at all; others as themselves }
observer p {
  unseen order=*, hid
  stipulate a: always (!knows(x) -> next knows(y))
  stipulate b: hindsight 3 !knows(was(x = 1))
  stipulate c: !knows(x) unless knows(initially(y))
}
";
    assert_eq!(formatted("m.divulge", text), wanted);
    assert_eq!(formatted("m.divulge", wanted), wanted);
}

#[test]
fn layout() {
    let text = "\n\n//first\nconst a=1,b = - 2\r\nlet   p=( 1,2 ) // why\nlet longer=3//so\n\n\n\ndef near( q,d )=not at q and abs( x-1 )<=d or x in{1,2}\nworld\n{
x:0 ..a+ 3=0
      // inside
kind_of : { red,green }

action go when x<3{ x:=x+1 }
action jump_far when x<2 and
near(p,1) { x:=x+2 }or{ }
observe{
here by x=1 when true
( x,kind_of )when x=2
there|nowhere otherwise

}
}
world graph{u0:start,wet=false;u0-a,b->y0-\"o p\"->u1}
observer{knows goal - directed;sees a as b;x = * as c;( x= - 1,kind_of =* )as d;others as themselves;min   images 3;stipulate s:at end possible(x=-1)implies knows(x)iff true}
plan{repeat 3{go};while not(here or there){go|jump_far};choose{stop}or{go}}\n\n";
    let expected = "\
//first
const a = 1, b = -2
let p = (1, 2)  // why
let longer = 3  //so

def near(q, d) = !at q & abs(x - 1) <= d | x in {1, 2}
world
{
  x: 0..a + 3 = 0
  // inside
  kind_of: {red, green}

  action go       when x < 3 { x := x + 1 }
  action jump_far when x < 2 &
      near(p, 1) { x := x + 2 } or { }
  observe {
    here by x = 1   when true
    (x, kind_of)    when x = 2
    there | nowhere otherwise
  }
}
world graph { u0: start, wet = false; u0 -a, b-> y0 -\"o p\"-> u1 }
observer { knows goal-directed; sees a as b; x=* as c; (x=-1, kind_of=*) as d; others as themselves; min images 3; stipulate s: at end possible(x = -1) -> knows(x) <-> true }
plan { repeat 3 { go }; while !(here | there) { go | jump_far }; choose { stop } or { go } }
";
    let once = formatted("m", text);
    assert_eq!(once.lines().collect::<Vec<_>>(), expected.lines().collect::<Vec<_>>());
    assert_eq!(formatted("m", &once), once);
}

#[test]
fn what_cannot_be_read_is_not_formatted() {
    assert!(format("m", "world { action }").unwrap_err().has_errors());
    assert_eq!(formatted("m", ""), "");
    assert_eq!(formatted("m", "// nothing else\n\n"), "// nothing else\n");
}

/// A text with the space between its tokens made different, where that does not matter.
fn disturbed(text: &str, noise: &[u8]) -> String {
    let mut out = String::new();
    let mut noise = noise.iter().copied().cycle();
    let mut next = || noise.next().unwrap_or(0);
    for line in text.lines() {
        let (code, comment) = match line.find("//") {
            Some(at) => line.split_at(at),
            None => (line, ""),
        };
        let quoted = code.contains('"');
        out.push_str(&" ".repeat(usize::from(next() % 5)));
        for c in code.trim().chars() {
            match c {
                ' ' if !quoted => out.push_str(&" ".repeat(1 + usize::from(next() % 3))),
                ',' | '(' | ')' | '{' | '}' if !quoted && next() % 3 == 0 => {
                    out.push_str(if c == '(' { "(" } else { " " });
                    if c != '(' {
                        out.push(c);
                    }
                    out.push(' ');
                }
                c => out.push(c),
            }
        }
        out.push_str(comment);
        if comment.is_empty() && next() % 6 == 0 {
            out.push_str(" // noise");
        }
        out.push_str(["\n", "\n\n\n", "\r\n", "  \n"][usize::from(next() % 4)]);
        if next() % 8 == 0 {
            out.push_str("   // a line of noise\n");
        }
    }
    out
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn formatting_keeps_the_meaning(which in 0usize..100, noise in proptest::collection::vec(any::<u8>(), 50)) {
        let all = examples();
        let (name, text) = &all[which % all.len()];
        let messy = disturbed(text, &noise);
        let once = formatted(name, &messy);
        prop_assert_eq!(&formatted(name, &once), &once);
        let meant = problem(name, text, &[]);
        prop_assert!(problem(name, &messy, &[]) == meant, "{}", messy);
        prop_assert!(problem(name, &once, &[]) == meant, "{}", once);
        // Every comment is still there.
        prop_assert_eq!(messy.matches("//").count(), once.matches("//").count());
    }
}
