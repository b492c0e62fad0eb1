//! Whatever the input: no panic, no stack overflow, bounded memory and time, and a problem exactly if there is no error.

use divulge_model::language::{NoIncludes, format, load, looks_like_json};
use proptest::prelude::*;

/// Reads and formats a text on a stack as small as a browser's.
fn survives(text: String) -> bool {
    let run = move || {
        let (problem, diagnostics) = load("m.divulge", &text, &NoIncludes, &[]);
        assert_eq!(problem.is_none(), diagnostics.has_errors());
        let rendered = diagnostics.render(true);
        assert!(rendered.len() < 200_000, "{} bytes of findings", rendered.len());
        if let Ok(once) = format("m.divulge", &text) {
            let twice = format("m.divulge", &once).map_err(|d| d.render(false));
            assert_eq!(twice.as_deref(), Ok(once.as_str()));
        }
        problem.is_some()
    };
    std::thread::Builder::new().stack_size(1 << 20).spawn(run).unwrap().join().expect("no panic")
}

fn examples() -> Vec<(String, String)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");
    let files = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path());
    let models = files.filter(|p| p.extension().is_some_and(|e| e == "divulge"));
    let mut all: Vec<_> =
        models.map(|p| (p.display().to_string(), std::fs::read_to_string(&p).unwrap())).collect();
    all.sort();
    assert!(!all.is_empty());
    all
}

const WORLD: &str =
    "world { x: 0..3 = 0; action go when x < 3 { x := x + 1 }; observe { seen }; goal x = 3 }\n";

#[test]
fn a_hundred_thousand_of_anything() {
    for piece in
        ["(", "!", "-", "{", "if x then ", "x -> ", "near ", "at(", "u -a-> ", "x + ", "x in {", "\""]
    {
        let many = piece.repeat(100_000);
        for text in [
            many.clone(),
            format!("def p = {many}x"),
            format!("{WORLD}observer {{ knows world; stipulate s: {many}true }}"),
            format!("world {{ goal {many}x = 3 }}"),
            format!("plan {{ {many} }}"),
            format!("world graph {{ {many} }}"),
        ] {
            survives(text);
        }
    }
    for piece in ["if a { ", "choose { ", "repeat 2 { ", "while !a { "] {
        survives(format!("{WORLD}plan {{ {} }}", piece.repeat(100_000)));
        survives(format!("{WORLD}plan {{ {}go{} }}", piece.repeat(90), " }".repeat(90)));
    }
}

#[test]
fn what_is_nested_as_deep_as_allowed_is_understood() {
    let deep = format!("{}x = 3{}", "(".repeat(90), ")".repeat(90));
    assert!(survives(WORLD.replace("goal x = 3", &format!("goal {deep}"))));
    let negated = format!("{}(x = 3)", "!".repeat(90));
    assert!(survives(WORLD.replace("goal x = 3", &format!("goal {negated}"))));
    let sum = format!("x{} = 3", " + 0".repeat(90));
    assert!(survives(WORLD.replace("goal x = 3", &format!("goal {sum}"))));
}

#[test]
fn long_chains_are_not_deep() {
    let chain = vec!["x = 3"; 50_000].join(" | ");
    assert!(survives(WORLD.replace("goal x = 3", &format!("goal {chain}"))));
    let chain = vec!["!knows(x = 1)"; 5_000].join(" & ");
    let observer = format!("observer {{ knows world; sees others as themselves; stipulate s: {chain} }}");
    assert!(survives(format!("{WORLD}{observer}")));
}

#[test]
fn definitions_cannot_explode() {
    let doubling: String = (0..60).map(|i| format!("def p{} = p{i} & !p{i}\n", i + 1)).collect();
    assert!(!survives(format!("def p0 = x = 3\n{doubling}{}", WORLD.replace("goal x = 3", "goal p60"))));
    let chained: String = (0..5_000).map(|i| format!("def p{} = !p{i}\n", i + 1)).collect();
    assert!(!survives(format!("def p0 = x = 3\n{chained}{}", WORLD.replace("goal x = 3", "goal p5000"))));
    let tuples: String = (0..60).map(|i| format!("let t{} = (t{i}, t{i})\n", i + 1)).collect();
    assert!(!survives(format!("let t0 = 1\n{tuples}{WORLD}")));
    let doubled = (0..30).fold("x = 3".to_owned(), |inner, _| format!("twice({inner})"));
    let text = WORLD.replace("goal x = 3", &format!("goal {doubled}"));
    assert!(!survives(format!("def twice(p) = p & !p | p\n{text}")));
    let negatives = format!("def deep(p) = {}p", "- ".repeat(80));
    let nested = (0..80).fold("x".to_owned(), |inner, _| format!("deep({inner})"));
    let text = WORLD.replace("goal x = 3", &format!("goal {nested} = 3"));
    assert!(!survives(format!("{negatives}\n{text}")));
    let constants: String = (0..100_000).map(|i| format!("const c{} = c{i}\n", i + 1)).collect();
    survives(format!("{constants}const c0 = 1\n{WORLD}"));
}

#[test]
fn what_is_made_of_a_little_text_is_bounded() {
    let many = |piece: &str, n: usize| piece.repeat(n);
    let choices = format!("while o {{ choose {{ a }} {} }}", many("or { a } ", 20_000));
    assert!(!survives(format!("world {{ action a; observe {{ o }}; goal true }}\nplan {{ a; {choices} }}")));
    let nested = format!("{}b{}", many("if ", 90), many(" then b else !b", 90));
    let world = "world { b: bool; x: 0..9999 = 0; action a; observe { o }; goal b }\n";
    assert!(!survives(format!("{world}observer {{ knows world; stipulate s: knows({nested}) }}")));
    let negations =
        (0..99).map(|i| format!("def n{} = !{}n{i}", i + 1, "!(true & ".repeat(3)) + &")".repeat(3));
    let chain = negations.collect::<Vec<_>>().join("\n");
    let deep = format!("def n0 = possible(b)\n{chain}\n{world}observer {{ knows world; stipulate s: n99 }}");
    assert!(!survives(deep));
    let stipulations: String = (0..1000).map(|i| format!("stipulate s{i}: knows(x)\n")).collect();
    assert!(!survives(format!("{world}observer {{ knows world\n{stipulations} }}")));
    let actions = many("action a when x < 9 { x := x + 1 } or { x := 0 } or { x := 5 }\n", 2000);
    let wide = format!("world {{ x: 0..9 = 0; y: 0..9999\n{actions}observe {{ o }}; goal x = 9 }}");
    assert!(!survives(wide));
}

#[test]
fn huge_numbers_are_refused() {
    for text in [
        "world { x: 0..9223372036854775807; y: -9223372036854775807..9223372036854775807; observe { o }; goal x = 0 }",
        "world { x: 0..9223372036854775807 = 0; action a { x := x + 1 }; observe { x }; goal x = 5 }",
        "const n = -9223372036854775807 - 1, m = n / -1, k = n % -1, l = -n, o = abs(n)\nworld { observe { o } }",
        "world { action a; observe { o } goal true }\nplan { repeat 1000000000 { a } }",
        "world { action a; observe { o } goal true }\nplan { repeat 1000000000 { } }",
        "world { action a; observe { o } goal true }\nplan { repeat 30000 { repeat 30000 { a } } }",
    ] {
        survives(text.to_owned());
    }
}

#[test]
fn much_rubbish_is_given_up_soon() {
    let started = std::time::Instant::now();
    for piece in ["x y z ", "\u{1}\u{2}é\n", "foo bar { } ( ]\n", "x", "9", "\"a\n"] {
        survives(piece.repeat(20_000_000 / piece.len()));
    }
    assert!(started.elapsed().as_secs() < 60, "{:?}", started.elapsed());
}

#[test]
fn every_truncation_of_the_examples() {
    for (_, text) in examples() {
        for end in (0..text.len()).filter(|&end| text.is_char_boundary(end)).step_by(7) {
            survives(text[..end].to_owned());
        }
    }
}

#[test]
fn json_is_told_from_models() {
    assert!(looks_like_json("\u{feff}\n {\"format\": 1}"));
    assert!(!looks_like_json("world { }") && !looks_like_json("") && !looks_like_json("// {"));
}

const TOKENS: [&str; 90] = [
    "model",
    "include",
    "const",
    "let",
    "type",
    "def",
    "world",
    "graph",
    "plan",
    "observer",
    "cost",
    "use",
    "action",
    "observe",
    "start",
    "goal",
    "picture",
    "grid",
    "when",
    "otherwise",
    "by",
    "or",
    "and",
    "not",
    "implies",
    "iff",
    "if",
    "then",
    "else",
    "true",
    "false",
    "bool",
    "in",
    "where",
    "acting",
    "observing",
    "anywhere",
    "stop",
    "while",
    "repeat",
    "choose",
    "knows",
    "possible",
    "state",
    "is",
    "kind",
    "filter",
    "image",
    "strongest",
    "sees",
    "as",
    "others",
    "themselves",
    "merge",
    "separate",
    "fixed",
    "max",
    "images",
    "stipulate",
    "always",
    "at",
    "end",
    "x",
    "y",
    "a",
    "o",
    "0",
    "3",
    "\"t\"",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    ",",
    ";",
    ":",
    ":=",
    "=",
    "!=",
    "<",
    "+",
    "-",
    "->",
    "<->",
    "&",
    "|",
    "..",
    "\n",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn random_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        survives(String::from_utf8_lossy(&bytes).into_owned());
    }

    #[test]
    fn random_tokens(picks in proptest::collection::vec(0..TOKENS.len(), 0..120)) {
        let soup: Vec<&str> = picks.iter().map(|&i| TOKENS[i]).collect();
        survives(soup.join(" "));
    }

    #[test]
    fn random_tokens_in_a_world(picks in proptest::collection::vec(0..TOKENS.len(), 0..40)) {
        let soup: Vec<&str> = picks.iter().map(|&i| TOKENS[i]).collect();
        survives(format!("world {{\nx: 0..3 = 0\naction a {{ x := 1 }}\nobserve {{ o }}\n{}\n}}", soup.join(" ")));
    }

    #[test]
    fn examples_with_tokens_changed(
        which in 0usize..100,
        changes in proptest::collection::vec((any::<prop::sample::Index>(), 0..TOKENS.len()), 1..4),
    ) {
        let all = examples();
        let (_, text) = &all[which % all.len()];
        let mut words: Vec<&str> = text.split_inclusive([' ', '\n']).collect();
        for (at, token) in changes {
            let at = at.index(words.len());
            words[at] = TOKENS[token];
        }
        survives(words.join(""));
    }
}
