//! How wide texts are, and texts cut and broken to fit.

/// The advance widths of the printable ASCII characters, in thousandths of the font's size: of each the wider one of
/// Helvetica's and Noto Sans's, so that a text that fits here fits in any of the usual fonts.
#[rustfmt::skip]
const WIDTHS: [u16; 95] = [
    278, 278, 408, 645, 571, 889, 731, 225, 333, 333, 550, 584, 278, 333, 278, 372, 571, 571, 571, 571, 571, 571, 571,
    571, 571, 571, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 729, 667, 611, 778, 741, 338, 500, 667, 556, 907,
    759, 780, 667, 780, 722, 667, 611, 730, 667, 944, 667, 667, 611, 329, 372, 329, 571, 556, 580, 561, 615, 500, 615,
    563, 344, 615, 618, 257, 257, 534, 257, 935, 618, 604, 615, 615, 413, 500, 360, 618, 507, 786, 528, 509, 500, 379,
    550, 379, 584,
];

/// The height of a line of text, in the font's size.
pub const LINE: f64 = 1.25;

/// How wide a text is in a font of this size.
pub fn width(text: &str, size: f64) -> f64 {
    let thousandths = |c: char| match c {
        ' '..='~' => f64::from(WIDTHS[c as usize - 32]),
        // Marks that stand above or below the character before, and what is not shown at all.
        '\u{300}'..='\u{36f}' | '\u{200b}'..='\u{200f}' | '\u{fe00}'..='\u{fe0f}' => 0.0,
        '–' | '·' | '≤' | '≥' | '×' => 580.0,
        // Latin letters with accents, Greek and Cyrillic.
        '\u{a0}'..='\u{52f}' => 700.0,
        _ => 1050.0,
    };
    text.chars().map(thousandths).sum::<f64>() * size / 1000.0
}

/// The width of bold text.
pub fn bold_width(text: &str, size: f64) -> f64 {
    width(text, size) * 1.08
}

/// The text, cut with an ellipsis if it is wider than that.
pub fn fit(text: &str, size: f64, most: f64) -> String {
    let text: String = text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    if width(&text, size) <= most {
        return text;
    }
    let (mut kept, mut used) = (String::new(), width("…", size));
    for c in text.chars() {
        used += width(c.encode_utf8(&mut [0; 4]), size);
        if used > most {
            break;
        }
        kept.push(c);
    }
    kept.trim_end().to_owned() + "…"
}

/// The text in lines of at most this width, broken after spaces, bars and commas within words; of more than `lines` lines the rest is cut off.
pub fn wrap(text: &str, size: f64, most: f64, lines: usize) -> Vec<String> {
    let (mut all, mut last) = (Vec::new(), String::new());
    for word in pieces(text) {
        let full = width(last.trim_end(), size) + width(word.trim_end(), size) + width(" ", size) > most;
        if last.is_empty() || !full {
            last.push_str(word);
        } else if all.len() + 1 == lines {
            last = fit(&format!("{last}{word}…"), size, most);
            if !last.ends_with('…') {
                last.push('…');
            }
            break;
        } else {
            all.push(std::mem::replace(&mut last, word.trim_start().to_owned()));
        }
    }
    all.push(last);
    all.iter().map(|line| fit(line.trim(), size, most)).filter(|line| !line.is_empty()).collect()
}

/// The text in pieces between which a line may be broken.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let mut ends = rest.char_indices().map(|(i, c)| (i + c.len_utf8(), c));
        let end = ends.find_map(|(end, c)| match c {
            ' ' | '|' => Some(end),
            ',' => rest[end..].starts_with(|next: char| !next.is_whitespace()).then_some(end),
            _ => None,
        });
        let (piece, after) = rest.split_at(end.unwrap_or(rest.len()));
        rest = after;
        (!piece.is_empty()).then_some(piece)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_measured_cut_and_broken() {
        assert!((width("robot", 10.0) - 25.86).abs() < 0.2, "{}", width("robot", 10.0));
        assert_eq!(fit("facility", 10.0, 100.0), "facility");
        let cut = fit("facility = pebble", 10.0, 40.0);
        assert!(cut.ends_with('…') && width(&cut, 10.0) <= 40.0, "{cut}");
        assert_eq!(wrap("left, right, up, down", 10.0, 60.0, 9), ["left, right,", "up, down"]);
        let few = wrap("left, right, up, down, and so on and on", 10.0, 60.0, 2);
        assert!(few.len() == 2 && few[1].ends_with('…'), "{few:?}");
        assert_eq!(wrap("(high,\u{a0}low) (a,b)", 10.0, 62.0, 9), ["(high,\u{a0}low)", "(a,b)"]);
        assert!(wrap("", 10.0, 60.0, 2).is_empty());
        assert_eq!(fit("a\nb", 10.0, 60.0), "a\u{fffd}b");
    }
}
