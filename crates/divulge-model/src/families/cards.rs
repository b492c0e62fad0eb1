//! Many labels to be merged or kept apart: as many actions as observations, and a map to be sought for all of them.

use divulge::problem::{Knows, Problem};

use super::{FamilyError, problem};

/// A robot draws one of `cards` cards, which only it can see, and then says one of as many words, `rounds` times; the answer to a word is
/// another card, which follows from both. In the end the observer must know whether the card that was drawn is high or low, and it
/// must never know whether it is red or black. No map is given. If they `clash`, the high cards are the red ones, and nothing
/// can be done; else every other card is red.
///
/// # Errors
/// If there are fewer than four cards, no round, or too much of either.
pub fn cards(cards: usize, rounds: usize, clash: bool, knows: Knows) -> Result<Problem, FamilyError> {
    if cards < 4 || rounds == 0 || cards.saturating_mul(cards).saturating_mul(rounds) > 1 << 22 {
        return Err(FamilyError::Parameters(format!(
            "a game of {rounds} rounds with {cards} cards cannot be"
        )));
    }
    let fill = |b: &mut divulge::problem::Builder<'_>| {
        b.observations(["deal"]).initial("deal");
        b.prop("deal", "high", "open").prop("deal", "suit", "open");
        for card in 0..cards {
            let high = 2 * card >= cards;
            let red = if clash { high } else { card % 2 == 1 };
            let describe = |b: &mut divulge::problem::Builder<'_>, vertex: &str| {
                b.prop(vertex, "high", if high { "yes" } else { "no" });
                b.prop(vertex, "suit", if red { "red" } else { "black" });
            };
            for round in 0..=rounds {
                let holds = format!("holds {card}, round {round}");
                b.actions([holds.as_str()]);
                describe(b, &holds);
            }
            for round in 0..=rounds {
                let holds = format!("holds {card}, round {round}");
                if round == 0 {
                    b.edge("deal", [format!("card {card}").as_str()], &holds);
                }
                if round == rounds {
                    b.mark(&holds);
                    continue;
                }
                for word in 0..cards {
                    let said = format!("said {word} with {card}, round {round}");
                    b.observations([said.as_str()]);
                    describe(b, &said);
                    b.edge(&holds, [format!("word {word}").as_str()], &said);
                    let answer = format!("card {}", (card + word) % cards);
                    b.edge(&said, [answer.as_str()], &format!("holds {card}, round {}", round + 1));
                }
            }
        }
    };
    problem(
        format!("{cards} cards, {rounds} rounds{}", if clash { ", which clash" } else { "" }),
        [&[], &[]],
        fill,
        knows,
        None,
        &[
            ("tell", "!(possible(goal & high = yes) & possible(goal & high = no))"),
            ("hide", "!knows(suit = red) & !knows(suit = black)"),
        ],
    )
}

#[cfg(test)]
mod tests {
    use divulge::{Unlimited, Verdict, ask};

    use super::*;

    #[test]
    fn only_cards_that_do_not_clash_have_a_map() {
        for knows in [Knows::World, Knows::GoalDirected, Knows::Plan] {
            for clash in [false, true] {
                let problem = cards(4, 1, clash, knows.clone()).unwrap();
                let found = ask(&problem).seek_both().within(&Unlimited).unwrap();
                assert_eq!(found.found().is_none(), clash, "{knows:?}");
                match ask(&problem).seek_maps().within(&Unlimited).unwrap().verdict {
                    Verdict::None { maps, .. } => assert_eq!((clash, maps), (true, Some(15 * 15))),
                    Verdict::Frontier { frontier, .. } => {
                        assert_eq!((clash, frontier.maps), (false, 15 * 15));
                    }
                    other => panic!("{other:?}"),
                }
            }
        }
        assert!(cards(3, 1, false, Knows::World).is_err() && cards(4, 0, false, Knows::World).is_err());
    }
}
