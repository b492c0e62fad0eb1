//! Published files with published verdicts, read as they are. They are not part of the project: `DIVULGE_INSTANCES` names the folder that holds
//! them, and without it nothing is tried.

use std::{path::PathBuf, process::Command};

/// The folder, if there is one.
fn folder() -> Option<PathBuf> {
    std::env::var_os("DIVULGE_INSTANCES").map(PathBuf::from)
}

/// What the program says of a file: standard output and its status.
fn divulge(words: &[&str]) -> (String, i32) {
    let out = Command::new(env!("CARGO_BIN_EXE_divulge"))
        .args(words)
        .args(["--json", "--time-limit", "60", "--memory-limit", "1500M"])
        .output()
        .expect("the program runs");
    let said = String::from_utf8_lossy(&out.stdout).into_owned();
    (said, out.status.code().expect("it ends by itself"))
}

#[test]
fn opacity_is_as_published() {
    let Some(folder) = folder() else { return };
    // File, initial states, secret, notion, whether it is opaque.
    let table: [(&str, &str, &str, &str, bool); 18] = [
        ("desops_opacity1", "", "state in {2, 4}", "current", true),
        ("desops_opacity1", "", "state in {2, 4}", "k-step=2", true),
        ("desops_opacity1", "", "state = 3", "current", false),
        ("desops_opacity1", "", "state in {1, 5}", "k-step=2", true),
        ("desops_opacity2", "", "state = 3", "k-step=3", true),
        ("desops_opacity3", "state in {0, 3}", "state in {0, 1, 4}", "k-step=1", true),
        ("desops_opacity3", "state in {0, 3}", "state in {0, 1, 4}", "k-step=2", false),
        ("desops_opacity4", "all", "state = 1", "infinite", true),
        ("desops_opacity4", "all", "state = 2", "infinite", true),
        ("desops_opacity4", "all", "state in {2, 4}", "infinite", true),
        ("desops_opacity4", "all", "state in {2, 3}", "infinite", true),
        ("desops_opacity4", "all", "state in {2, 3, 4}", "infinite", false),
        ("desops_fig_2-42", "all", "state in {3, 4}", "initial", true),
        ("desops_fig_2-42", "all", "state in {1, 2}", "initial", false),
        ("veip_test1_G", "", "!marked", "current", false),
        ("veip_test2_G", "", "!marked", "current", false),
        ("veip_office", "", "!marked", "current", false),
        ("veip_office", "", "state in {\"0,1\", \"0,2\"}", "current", false),
    ];
    for (file, initial, secret, notion, opaque) in table {
        let path = folder.join(format!("fsm/{file}.fsm")).display().to_string();
        let mut words = vec!["audit", &path, "--secret", secret, "--opacity", notion];
        if !initial.is_empty() {
            words.extend(["--initial", initial]);
        }
        let (said, status) = divulge(&words);
        assert_eq!(status, i32::from(!opaque), "{file}, secret {secret}, {notion}: {said}");
    }
}

#[test]
fn automata_are_as_large_as_published() {
    let Some(folder) = folder() else { return };
    for (file, states, transitions) in [
        ("aut/abp.aut", 74, 92),
        ("aut/vasy_0_1.aut", 289, 1224),
        ("aut/cwi_1_2.aut", 1952, 2387),
        ("aut/vasy_5_9.aut", 5486, 9676),
        ("aut/merc_running_example_fts.aut", 3, 4),
        ("gen/faudes_diag_system_4.gen", 7, 10),
        ("gen/faudes_hio_ABCD_controller.gen", 2259, 11821),
        ("fsm/desops_sda_ex_3_by_3_2r_g.fsm", 81, 432),
    ] {
        let (said, status) = divulge(&["info", &folder.join(file).display().to_string()]);
        let counts = format!("\"states\": {states}, \"transitions\": {transitions}");
        assert!(status == 0 && said.contains(&counts), "{file}: {said}");
    }
    for (file, part) in [
        ("aut/vasy_5_9.aut", "284 of the transitions repeat an earlier one"),
        ("gen/faudes_diag_system_4.gen", "10 transitions, 9 events"),
        ("gen/faudes_diag_system_4.gen", "not seen (`+o+`): `sigma_uo`, `sigma_f1`, `sigma_f2`"),
        ("gen/faudes_hio_ABCD_controller.gen", "11821 transitions, 24 events"),
        ("fsm/veip_office.fsm", "VEiP marks what is not secret"),
        ("aut/vasy_5_9.aut", "`i`, the internal action, is not seen"),
    ] {
        let out = Command::new(env!("CARGO_BIN_EXE_divulge")).arg("info").arg(folder.join(file)).output();
        let said = String::from_utf8_lossy(&out.expect("the program runs").stderr).into_owned();
        assert!(said.contains(part), "{file}: {said}");
    }
    // Everything else that is there is read, or refused with a place.
    for kind in ["aut", "fsm", "gen"] {
        for entry in std::fs::read_dir(folder.join(kind)).expect("a folder") {
            let path = entry.expect("a file").path();
            let out = Command::new(env!("CARGO_BIN_EXE_divulge")).arg("info").arg(&path).output();
            let out = out.expect("the program runs");
            let said = String::from_utf8_lossy(&out.stderr);
            let refused = out.status.code() == Some(2) && said.contains(" --> ");
            assert!(refused || out.status.success(), "{}: {said}", path.display());
        }
    }
    for file in [
        "fsm/desops_book_ex_3_11_C_malformed.fsm",
        "fsm/desops_sda_test_output.fsm",
        "aut/mcrl2_probability1.aut",
    ] {
        assert_eq!(divulge(&["info", &folder.join(file).display().to_string()]).1, 2, "{file}");
    }
}

#[test]
fn models_are_as_large_as_published() {
    let Some(folder) = folder() else { return };
    for (file, set, states) in [
        ("prism_guess-multi.prism", "N=1", 13),
        ("prism_guess-multi.prism", "N=2", 19),
        ("prism_guess-multi.prism", "N=3", 25),
        ("prism_maze.prism", "", 12),
        ("prism_3x3grid.prism", "", 10),
        ("prism_crypt3.prism", "", 195),
        ("prism_crypt4.prism", "", 1012),
        ("prism_network2.prism", "K=2 T=3", 111),
        ("storm_maze2.prism", "sl=0.1", 15),
        ("gridstorm_obstacle.nm", "N=6", 37),
        ("gridstorm_refuel.nm", "N=6 ENERGY=8", 270),
        // Counted by a script of our own.
        ("gridstorm_avoid.nm", "N=4 RADIUS=2", 1985),
        ("storm_globalvars.prism", "", 3),
        ("prismtests_mdp_simple.prism", "", 10),
    ] {
        let path = folder.join("prism").join(file).display().to_string();
        let set: Vec<&str> = set.split_whitespace().flat_map(|one| ["--set", one]).collect();
        let (said, status) = divulge(&[&["info", path.as_str()], &set[..]].concat());
        assert!(status == 0 && said.contains(&format!("\"states\": {states},")), "{file} {set:?}: {said}");
    }
}

/// What a plan's worst case must be: so many actions, or that there is none, and whether the goal is reached almost surely.
#[derive(Clone, Copy, Debug)]
enum Wanted {
    Depth(u32),
    AlmostSurely,
    None,
}

fn plan(words: &[&str], wanted: Wanted) {
    let (said, status) = divulge(words);
    let (part, code) = match wanted {
        Wanted::Depth(depth) => (format!("\"cost\": {depth}}}"), 0),
        Wanted::AlmostSurely => ("\"verdict\": \"none\", \"almost_surely\": true".to_owned(), 1),
        Wanted::None => ("\"verdict\": \"none\"".to_owned(), 1),
    };
    assert!(status == code && said.contains(&part), "{words:?}, {wanted:?}: {said}");
}

#[test]
fn plans_of_models_are_as_published() {
    let Some(folder) = folder() else { return };
    for (file, set, goal, wanted) in [
        ("prism_guess-multi.prism", "N=1", "correct", Wanted::None),
        ("prism_guess-multi.prism", "N=2", "correct", Wanted::None),
        ("prism_guess-multi.prism", "N=3", "correct", Wanted::Depth(4)),
        ("prism_guess-multi.prism", "N=4", "correct", Wanted::Depth(4)),
        ("prism_maze.prism", "", "s = 10", Wanted::Depth(7)),
        ("prism_3x3grid.prism", "", "target", Wanted::Depth(5)),
        ("gridstorm_obstacle.nm", "N=6", "goal", Wanted::Depth(11)),
        ("gridstorm_refuel.nm", "N=6 ENERGY=8", "goal", Wanted::AlmostSurely),
    ] {
        let path = folder.join("prism").join(file).display().to_string();
        let set: Vec<&str> = set.split_whitespace().flat_map(|one| ["--set", one]).collect();
        // `goal` is a word of conditions; the label is in quotes.
        let goal = if goal == "goal" { "\"goal\"" } else { goal };
        plan(&[&["seek", "plan", path.as_str(), "--goal", goal], &set[..]].concat(), wanted);
    }
}

#[test]
fn plans_of_problems_are_as_published() {
    let Some(folder) = folder() else { return };
    for (problem, domain, wanted) in [
        ("fond/climber/p01", "fond/climber/domain", Wanted::Depth(2)),
        ("fond/doors/p1", "fond/doors/domain", Wanted::Depth(3)),
        ("fond/doors/p3", "fond/doors/domain", Wanted::Depth(5)),
        ("fond/triangle-tireworld/p1", "fond/triangle-tireworld/domain", Wanted::Depth(7)),
        ("fond/triangle-tireworld/p2", "fond/triangle-tireworld/domain", Wanted::Depth(15)),
        ("fond/st_faults/p_1_1", "fond/st_faults/d_1_1", Wanted::Depth(2)),
        ("fond/st_faults/p_3_3", "fond/st_faults/d_3_3", Wanted::Depth(4)),
        ("fond/bus-fare/p01", "fond/bus-fare/domain", Wanted::AlmostSurely),
        ("fond/beam-walk/p1", "fond/beam-walk/domain", Wanted::AlmostSurely),
        ("fond/beam-walk/p2", "fond/beam-walk/domain", Wanted::AlmostSurely),
        ("fond/doors/p10", "fond/doors/domain", Wanted::Depth(12)),
        // An action without parameters.
        (
            "fond/corner-cases/repeat-state-problem",
            "fond/corner-cases/repeat-state-domain",
            Wanted::AlmostSurely,
        ),
        // Sensors that tell by themselves.
        ("contingent/k_replanner/doors/n05", "contingent/k_replanner/doors/domain", Wanted::Depth(16)),
        ("contingent/k_replanner/doors/n07", "contingent/k_replanner/doors/domain", Wanted::Depth(30)),
        ("contingent/k_replanner/ctp/p1", "contingent/k_replanner/ctp/domain", Wanted::None),
        ("contingent/k_replanner/ctp/p2", "contingent/k_replanner/ctp/domain", Wanted::None),
        ("contingent/cpor/blocks2/p", "contingent/cpor/blocks2/d", Wanted::Depth(3)),
        ("contingent/cpor/doors5/p", "contingent/cpor/doors5/d", Wanted::Depth(24)),
        ("contingent/cpor/medpks010/p", "contingent/cpor/medpks010/d", Wanted::Depth(12)),
        ("contingent/cpor/localize5/p", "contingent/cpor/localize5/d", Wanted::Depth(19)),
    ] {
        let path = |name: &str| folder.join(format!("{name}.pddl")).display().to_string();
        plan(&["seek", "plan", &path(problem), "--domain", &path(domain)], wanted);
    }
    // Too large to be listed, which is said in time.
    let (large, tires) = ("fond/triangle-tireworld/p5", "fond/triangle-tireworld/domain");
    let path = |name: &str| folder.join(format!("{name}.pddl")).display().to_string();
    assert_eq!(divulge(&["info", &path(large), "--domain", &path(tires)]).1, 2);
    let noisy = |name: &str| folder.join("contingent/cpor/localize5noisy").join(name).display().to_string();
    assert_eq!(divulge(&["info", &noisy("p.pddl"), "--domain", &noisy("d.pddl")]).1, 2);
}

/// What is not a world is refused, and so is what has no counterpart.
#[test]
fn what_cannot_be_read_is_refused() {
    let Some(folder) = folder() else { return };
    for file in [
        "prism/prismtests_maze_export.tra",
        "prism/prismtests_maze_export.sta",
        "prism/prismtests_maze_export.obs",
        "prism/prismtests_maze_export.lab",
        "tokens/grd_easy-grid-paper/act-toks-POD.dat",
        "tokens/grd_easy-grid-paper/template.pddl",
        "fond/climber/p01.pddl",
    ] {
        let out = Command::new(env!("CARGO_BIN_EXE_divulge")).arg("info").arg(folder.join(file)).output();
        let out = out.expect("the program runs");
        let said = String::from_utf8_lossy(&out.stderr);
        assert!(out.status.code() == Some(2) && said.contains("help: "), "{file}: {said}");
        assert!(!said.contains("top level of a model"), "it is no model, and not taken for one: {said}");
    }
}

/// PRISM's own export of a model says how large it is.
#[test]
fn a_model_is_as_large_as_its_export() {
    let Some(folder) = folder() else { return };
    let read = |file: &str| std::fs::read_to_string(folder.join("prism").join(file)).expect("it is there");
    let export = read("prismtests_maze_export.tra");
    let header = export.lines().find(|line| !line.starts_with('#')).expect("a header");
    let sizes: Vec<&str> = header.split_whitespace().collect();
    let (said, _) = divulge(&["info", &folder.join("prism/prism_maze.prism").display().to_string()]);
    assert!(said.contains(&format!("\"states\": {}, \"transitions\": {}", sizes[0], sizes[2])), "{said}");
}

/// An observer who sees tokens in place of actions.
#[test]
fn tokens_say_what_an_observer_sees() {
    let Some(folder) = folder() else { return };
    let folder = folder.join("tokens/grd_easy-grid-paper");
    let template = std::fs::read_to_string(folder.join("template.pddl")).expect("it is there");
    let hypotheses = std::fs::read_to_string(folder.join("hyps.dat")).expect("it is there");
    let goal = hypotheses.lines().next().expect("a goal");
    let target = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("tokens-{}", std::process::id()));
    std::fs::create_dir_all(&target).expect("a folder");
    for file in ["domain.pddl", "act-toks-POD.dat", "act-toks-POND.dat"] {
        std::fs::copy(folder.join(file), target.join(file)).expect("a copy");
    }
    std::fs::write(target.join("p.pddl"), template.replace("<HYPOTHESIS>", goal)).expect("a file");
    for (tokens, status) in [("act-toks-POD.dat", 0), ("act-toks-POND.dat", 2)] {
        let model = format!(
            "world from \"p.pddl\" \"domain.pddl\"\nobserver {{ knows world; sees from \"{tokens}\"; others as themselves }}\n"
        );
        std::fs::write(target.join("model.divulge"), model).expect("a file");
        let (said, code) = divulge(&["seek", "plan", &target.join("model.divulge").display().to_string()]);
        assert_eq!(code, status, "{tokens}: {said}");
    }
    std::fs::remove_dir_all(&target).expect("it is ours");
}

/// How long an agent that goes straight to its goal may leave unclear which of two goals that is: as published, for 4 steps.
#[test]
fn goals_stay_unclear_for_as_long_as_published() {
    let Some(folder) = folder() else { return };
    let folder = folder.join("tokens/grd_easy-grid-paper");
    let read = |file: &str| std::fs::read_to_string(folder.join(file)).expect("it is there");
    let target = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("unclear-{}", std::process::id()));
    std::fs::create_dir_all(&target).expect("a folder");
    let domain = folder.join("domain.pddl").display().to_string();
    let problem = target.join("p.pddl").display().to_string();
    std::fs::write(&problem, read("template.pddl").replace("<HYPOTHESIS>", "(at place_0_4)"))
        .expect("a file");
    let steps = |from: &str, to: &str| -> u32 {
        if from == to {
            return 0;
        }
        let (from, to) = (format!("at = {from}"), format!("at = {to}"));
        let (said, _) =
            divulge(&["seek", "plan", &problem, "--domain", &domain, "--initial", &from, "--goal", &to]);
        let cost =
            said.rsplit_once("\"cost\": ").map(|(_, rest)| rest.split(['}', ',']).next().map(str::parse));
        cost.flatten().unwrap_or_else(|| panic!("{from}, {to}: {said}")).expect("a number")
    };
    let (start, goals) = ("place_2_0", ["place_0_4", "place_4_4"]);
    let whole = goals.map(|goal| steps(start, goal));
    let mut longest = 0;
    for cell in (0..5).flat_map(|row| (0..5).map(move |column| format!("place_{row}_{column}"))) {
        let here = steps(start, &cell);
        // Whoever goes straight to either goal may come by here.
        if here > longest && [0, 1].iter().all(|&i| here + steps(&cell, goals[i]) == whole[i]) {
            longest = here;
        }
    }
    assert_eq!(longest, 4);
    assert!(read("pair_wcd_file").contains("0-1 : 4"));
    std::fs::remove_dir_all(&target).expect("it is ours");
}
