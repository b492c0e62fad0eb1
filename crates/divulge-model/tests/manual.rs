//! The models in the language's manual are read without an error and, but for a missing observer, without a warning;
//! their plans hold.

use divulge::limit::Unlimited;
use divulge_model::diagnostic::Code;
use divulge_model::language::{NoIncludes, format, load};
use divulge_naive::put::check;

#[test]
fn the_models_in_the_manual_are_right() {
    let manual =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/language.md")).unwrap();
    let models: Vec<&str> =
        manual.split("```divulge\n").skip(1).map(|rest| rest.split("```").next().unwrap_or("")).collect();
    assert!(models.len() >= 4);
    for (i, text) in models.into_iter().enumerate() {
        let (problem, diagnostics) = load(&format!("model {}", i + 1), text, &NoIncludes, &[]);
        let found = diagnostics.iter().filter(|d| d.code != Code::NoObserver).count();
        assert_eq!(found, 0, "{}", diagnostics.render(false));
        assert!(format("m", text).is_ok());
        if let Some(problem) = problem.filter(|p| p.plan.is_some()) {
            assert_eq!(check(&problem, &Unlimited).unwrap(), None, "model {}", i + 1);
        }
    }
}
