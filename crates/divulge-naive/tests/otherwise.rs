//! Where there is no plan that never chooses, the answer tells whether there is one that does.

use divulge::{
    ask::{Question, Verdict, What, ask},
    limit::Unlimited,
    seek::Offers,
};
use divulge_naive::random::{self, Profile, Rng, effort, seed};

#[test]
fn where_no_plan_does_that_never_chooses_it_is_told_whether_another_does() {
    // How often no plan does at all, and how often one does that chooses: for a given map, and with the map sought.
    let mut told = [[0; 2]; 2];
    let mut rng = Rng::new(seed(47));
    for turn in 0..600 * effort() {
        let both = turn.is_multiple_of(5);
        let what = if both { What::Both } else { What::Plan };
        let p = random::problem(&mut rng, &Profile::seek_divulged());
        let verdict = |offers: Offers| {
            let question = Question { offers, any_map: both, ..Question::new(what) };
            ask(&p).question(question).within(&Unlimited).unwrap_or_else(|e| panic!("{e} {p:?}")).verdict
        };
        let Verdict::None { otherwise, .. } = verdict(Offers::Deterministic) else { continue };
        let exists = match verdict(Offers::Permissive) {
            Verdict::Found { .. } => true,
            Verdict::None { otherwise, .. } => {
                assert_eq!(otherwise, None, "who may choose is told nothing: {p:?}");
                false
            }
            other => panic!("{other:?} {p:?}"),
        };
        assert_eq!(otherwise, Some(exists), "{what:?} {p:?}");
        told[usize::from(both)][usize::from(exists)] += 1;
    }
    let [[none, some], [no_map, _]] = told;
    assert!(none > 40 && some > 0 && no_map > 4, "{told:?}");
}
