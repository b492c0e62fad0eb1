//! Many labels: a code is shown digit by digit and typed in while somebody looks at the pad from afar.

use divulge::problem::{Knows, Problem};

use super::{FamilyError, problem};

/// `places` times a digit is shown and must be typed in: as many observations and actions as there are `digits`. The observer
/// can tell the upper half of the keys from the lower half and sees no display; it must never know the last digit typed.
///
/// # Errors
/// If there are fewer than four digits or no place.
pub fn keypad(digits: usize, places: usize) -> Result<Problem, FamilyError> {
    if digits < 4 || places == 0 || digits.saturating_mul(places) > 1 << 24 {
        return Err(FamilyError::Parameters(format!(
            "a keypad of {digits} digits and {places} places cannot be: give at least 4 digits and 1 place"
        )));
    }
    let half = digits / 2;
    let image = |label: &str| match label.split_once(' ') {
        Some(("type", digit)) => {
            let upper = digit.parse::<usize>().is_ok_and(|digit| digit >= half);
            if upper { "upper key".to_owned() } else { "lower key".to_owned() }
        }
        _ => "display".to_owned(),
    };
    let fill = |b: &mut divulge::problem::Builder<'_>| {
        for place in 0..=places {
            let shown = format!("shown {place}");
            b.observations([shown.as_str()]);
            for digit in 0..digits {
                for k in ["to type", "typed"] {
                    let name = format!("{k} {digit} at {place}");
                    if k == "typed" {
                        b.observations([name.as_str()])
                    } else {
                        b.actions([name.as_str()])
                    };
                    b.prop(&name, "digit", digit as i64).prop(&name, "typed", k == "typed");
                }
            }
        }
        b.actions(["wait"]).initial("wait").observations(["alarm"]);
        b.edge("wait", ["look"], "shown 0");
        for place in 0..=places {
            for digit in 0..digits {
                let (to_type, typed) =
                    (format!("to type {digit} at {place}"), format!("typed {digit} at {place}"));
                b.edge(&format!("shown {place}"), [format!("show {digit}").as_str()], &to_type);
                for key in 0..digits {
                    let to = if key == digit { typed.as_str() } else { "alarm" };
                    b.edge(&to_type, [format!("type {key}").as_str()], to);
                }
                // What is shown next comes at once; the last digit typed is the goal.
                if place == places {
                    b.mark(&typed);
                    continue;
                }
                for next in 0..digits {
                    let to = format!("to type {next} at {}", place + 1);
                    b.edge(&typed, [format!("show {next}").as_str()], &to);
                }
            }
        }
    };
    let secret: Vec<String> = (0..digits).map(|d| format!("!knows(typed & digit = {d})")).collect();
    problem(
        format!("keypad of {digits} digits, {places} places"),
        [&[], &[]],
        fill,
        Knows::World,
        Some(&image),
        &[("secret", &secret.join(" & "))],
    )
}
