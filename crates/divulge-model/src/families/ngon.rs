//! The paper's pentagon, with any number of places.

use divulge::problem::{Knows, Problem};

use super::{FamilyError, problem};

/// A loop of `n` places, a split where it closes that is not seen at once, and exits to two chargers after place 1. The observer
/// must hold charger 1 possible exactly when it holds charger 2 possible. There is no map: one is to be sought.
///
/// # Errors
/// If `n` is less than 2.
pub fn ngon(n: usize, knows: Knows) -> Result<Problem, FamilyError> {
    const LANES: [&str; 3] = ["none", "one", "two"];
    if !(2..=1 << 26).contains(&n) {
        return Err(FamilyError::Parameters(format!(
            "a loop of {n} places cannot be: at least 2 are needed"
        )));
    }
    let fill = |b: &mut divulge::problem::Builder<'_>| {
        for i in 0..n {
            for k in LANES {
                let (u, y) = (format!("u{i}{k}"), format!("y{i}{k}"));
                b.actions([u.as_str()]).observations([y.as_str()]);
                b.prop(&u, "place", i as i64).prop(&y, "place", i as i64);
            }
        }
        for c in ["1", "2"] {
            let (y, u) = (format!("yC{c}"), format!("uC{c}"));
            b.observations([y.as_str()]).actions([u.as_str()]).mark(&u);
        }
        for i in 0..n {
            for k in LANES {
                b.edge(&format!("u{i}{k}"), ["a1"], &format!("y{}{k}", (i + 1) % n));
                if i == 0 && k == "none" {
                    b.edge("y0none", ["o1"], "u0one").edge("y0none", ["o3"], "u0two");
                } else {
                    b.edge(&format!("y{i}{k}"), ["o2"], &format!("u{i}{k}"));
                }
            }
        }
        b.edge("yC1", ["o1"], "uC1").edge("yC2", ["o3"], "uC2");
        b.edge("u1none", ["a2"], "yC1").edge("u1one", ["a2"], "yC1").edge("u1two", ["a3"], "yC2");
        b.initial("u0none");
    };
    let alike = r#"(state("uC1") <-> state("uC2")) & (state("yC1") <-> state("yC2"))"#;
    let listed: [&[&str]; 2] = [&["a1", "a2", "a3"], &["o1", "o2", "o3"]];
    problem(format!("{n}-gon"), listed, fill, knows, None, &[("alike", alike)])
}
