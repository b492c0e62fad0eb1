//! Broken, cut, mutated and enormous texts: a finding with a place, never a panic, never much memory.

use divulge_model::{
    diagnostic::{Code, Diagnostics, decode},
    document::{read, to_string},
};
use divulge_naive::random::{Rng, odd};

/// Reads and prints what was found, so that rendering is tried as well.
fn codes(text: &str) -> Vec<Code> {
    match read("x.json", text) {
        Ok(document) => {
            let _ = document.total_map().map_err(|found| found.render(true));
            Vec::new()
        }
        Err(found) => {
            assert!(!found.render(true).is_empty() && found.has_errors());
            found.iter().map(|d| d.code).collect()
        }
    }
}

fn small() -> String {
    // Escapes, several sections, every kind of value.
    let mut random = Rng::new(7);
    (0..)
        .map(|_| to_string(&odd(&mut random)))
        .find(|text| {
            text.len() < 2500
                && text.contains("\\u00")
                && text.contains("\"plan\": {")
                && text.contains("filter")
        })
        .expect("there is one")
}

#[test]
fn every_beginning_of_a_document_is_refused() {
    let text = small();
    let whole = text.trim_end();
    assert_eq!(codes(whole), []);
    for end in (0..whole.len()).filter(|&end| whole.is_char_boundary(end)) {
        let found = codes(&whole[..end]);
        assert_eq!(found.len(), 1, "{}", &whole[..end]);
        assert!(matches!(found[0], Code::DocTruncated | Code::DocSyntax), "{found:?} {}", &whole[..end]);
    }
}

#[test]
fn mutated_documents_never_panic() {
    const PIECES: &[&str] = &[
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"",
        "\\",
        "\\u",
        "\\ud800",
        "\\udc00",
        "null",
        "true",
        "NaN",
        "1e999",
        "-",
        "0",
        "99999999999999999999",
        "1.5",
        "\u{0}",
        "\n",
        "é",
        "\u{feff}",
        "\"kind\": ",
        "\"edges\": [],",
        "\"map\": {}",
        "()",
    ];
    let mut random = Rng::new(11);
    let (mut sound, mut refused) = (0, 0);
    for round in 0..6000 {
        let mut text = to_string(&odd(&mut Rng::new(round / 20)));
        for _ in 0..1 + random.below(3) {
            let at = text.floor_char_boundary(random.below(text.len()));
            let end = text.floor_char_boundary((at + random.below(30)).min(text.len()));
            match random.below(4) {
                0 => text.insert_str(at, PIECES[random.below(PIECES.len())]),
                1 => text.replace_range(at..end, ""),
                2 => text.replace_range(at..end, PIECES[random.below(PIECES.len())]),
                _ => {
                    let copied = text[at..end].to_owned();
                    let to = text.floor_char_boundary(random.below(text.len()));
                    text.insert_str(to, &copied);
                }
            }
        }
        if codes(&text).is_empty() { sound += 1 } else { refused += 1 }
    }
    assert!(
        sound > 50 && refused > 2000,
        "{sound} sound, {refused} refused: the mutations are too mild or too rough"
    );
}

#[test]
fn bytes_that_are_no_text() {
    let mut random = Rng::new(3);
    for _ in 0..2000 {
        let mut bytes = to_string(&odd(&mut random)).into_bytes();
        let at = random.below(bytes.len());
        bytes[at] = random.bits() as u8;
        match decode("x.json", bytes) {
            Ok(text) => drop(codes(&text)),
            Err(found) => assert!(!found.render(false).is_empty()),
        }
    }
}

#[test]
fn depth_is_bounded() {
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
        let deep = format!("{}1{}", open.repeat(100_000), close.repeat(100_000));
        for text in [deep.clone(), format!("{{\"world\": {deep}}}"), format!("{{\"name\": {deep}}}")] {
            let found = codes(&text);
            let last = *found.last().expect("refused");
            assert!(matches!(last, Code::DocTooDeep | Code::DocSyntax), "{found:?}");
        }
    }
    let formula = |f: &str| {
        format!(
            r#"{{"format": "divulge/1", "world": {{"vertices": {{"u": {{"kind": "action"}}}}, "initial": ["u"], "edges": []}},
               "observers": [{{"knows": "world", "stipulations": [{{"formula": "{f}"}}]}}]}}"#
        )
    };
    assert_eq!(codes(&formula(&"(".repeat(100_000))), [Code::DocFormula]);
    assert_eq!(codes(&formula(&"!".repeat(100_000))), [Code::DocFormula]);
    assert_eq!(codes(&formula(&"(".repeat(10_000_000))), [Code::DocFormula]);
    assert_eq!(codes(&formula(&vec!["true"; 100_000].join(" & "))), []);
}

#[test]
fn a_hundred_megabytes_of_rubbish() {
    let size = 100 << 20;
    let found = codes(&"x".repeat(size));
    assert_eq!(found, [Code::DocSyntax]);
    let mut text = String::from("{\"format\": \"divulge/1\", \"name\": \"");
    text.push_str(&"y".repeat(size));
    assert_eq!(codes(&text), [Code::DocTruncated]);
    let text = format!("{{\"format\": \"divulge/1\", \"world\": [{}", "1,".repeat(size / 2));
    assert_eq!(codes(&text), [Code::DocTruncated]);
    assert!(decode("x", Rng::new(1).bytes(size)).is_err());
}

#[test]
fn mistakes_are_limited_in_number() {
    let edges = vec![r#"{"from": "a", "to": "b", "labels": ["l"]}"#; 100_000].join(",");
    let text = format!(
        r#"{{"format": "divulge/1", "world": {{"vertices": {{"u": {{"kind": "action"}}}}, "initial": ["u"], "edges": [{edges}]}},
           "observers": [{{"knows": "world", "stipulations": []}}]}}"#
    );
    assert_eq!(codes(&text).len(), Diagnostics::MAX_ERRORS);
}

/// Texts that look nearly right, with the code that each must give.
#[test]
fn near_misses() {
    let whole = |world: &str, observer: &str| {
        format!(r#"{{"format": "divulge/1", "world": {{{world}}}, "observers": [{{{observer}}}]}}"#)
    };
    let world = r#""vertices": {"u": {"kind": "action"}, "y": {"kind": "observation"}}, "initial": ["u"], "edges": [{"from": "u", "to": "y", "labels": ["a"]}]"#;
    let observer = r#""knows": "world", "stipulations": []"#;
    let ok = whole(world, observer);
    assert_eq!(codes(&ok), []);
    assert_eq!(codes(&format!("\u{feff}{ok}\n\n")), []);
    for (text, code) in [
        (String::new(), Code::DocTruncated),
        ("  \n".into(), Code::DocTruncated),
        ("[1, 2]".into(), Code::DocSyntax),
        (format!("{ok}{ok}"), Code::DocSyntax),
        (format!("{ok},"), Code::DocSyntax),
        ("{}".into(), Code::DocMissing),
        (ok.replace("\"u\", \"to\"", "\"\\ud800\", \"to\""), Code::DocSyntax),
        (ok.replace("\"a\"", "\"\\udc00\\ud800\""), Code::DocSyntax),
        (ok.replace("\"a\"", "\"\\x\""), Code::DocSyntax),
        (ok.replace("\"a\"", "\"\t\""), Code::DocSyntax),
        (ok.replace("\"a\"", "NaN"), Code::DocSyntax),
        (ok.replace("\"a\"", "+1"), Code::DocSyntax),
        (ok.replace("\"a\"", "01"), Code::DocSyntax),
        (ok.replace("\"a\"", "1"), Code::DocType),
        (ok.replace("[\"u\"]", "[\"u\",]"), Code::DocSyntax),
        (ok.replace("[\"u\"]", "[]"), Code::DocInitial),
        (ok.replace("[\"u\"]", "\"u\""), Code::DocType),
        (ok.replace("\"to\"", "\"To\""), Code::DocUnknownField),
        (ok.replace("\"divulge/1\"", "1"), Code::DocType),
        (ok.replace("\"divulge/1\"", "\"smv\""), Code::DocFormat),
        (ok.replace("\"vertices\"", "\"goal\": 1, \"vertices\""), Code::DocUnknownField),
        (ok.replace("\"world\", ", "{}, "), Code::DocValue),
        (ok.replace("\"world\", ", "{\"plans\": []}, "), Code::DocValue),
        (ok.replace("\"world\", ", "\"world\", \"filter\": 3, "), Code::DocType),
        (ok.replace("\"world\", ", "\"world\", \"map\": [], "), Code::DocType),
        (ok.replace("\"world\", ", "\"world\", \"map_constraints\": {\"max_images\": -1}, "), Code::DocType),
        (ok.replace("\"world\", ", "\"world\", \"map_constraints\": {\"min_images\": 1.5}, "), Code::DocType),
        (
            ok.replace(
                "\"world\", ",
                "\"world\", \"map_constraints\": {\"min_images\": 3, \"max_images\": 2}, ",
            ),
            Code::DocImageBounds,
        ),
        (whole(world, "").replace("[{}]", "[]"), Code::DocObservers),
        (
            whole(&world.replace("\"action\"}", "\"action\", \"terminal\": true}"), observer),
            Code::DocUnknownField,
        ),
        (
            whole(
                &world.replace("\"action\"}", "\"action\", \"props\": {\"x\": 9223372036854775808}}"),
                observer,
            ),
            Code::DocType,
        ),
    ] {
        let found = codes(&text);
        assert_eq!(found.first(), Some(&code), "{text}\n{found:?}");
    }
}
