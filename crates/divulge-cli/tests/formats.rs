//! Files of other tools, through the program: what is said about them, and every command that takes a problem.

use std::{
    fs,
    io::Write,
    path::PathBuf,
    process::{Command, Stdio},
};

const FORMATS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/formats");

/// What the program says, and its status.
struct Said {
    out: String,
    err: String,
    status: i32,
}

fn divulge(words: &[&str], input: &str) -> Said {
    let mut child = Command::new(env!("CARGO_BIN_EXE_divulge"))
        .args(words)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    // It may end without having read all of it.
    let _ = child.stdin.take().expect("it has an input").write_all(input.as_bytes());
    let ended = child.wait_with_output().expect("it ends");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("valid text");
    Said {
        out: text(ended.stdout),
        err: text(ended.stderr),
        status: ended.status.code().expect("it ends by itself"),
    }
}

/// A folder of its own for a test, with files in it.
fn folder(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder =
        PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("formats-{name}-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    for (file, text) in files {
        fs::write(folder.join(file), text).expect("a file");
    }
    folder
}

fn at(folder: &std::path::Path, file: &str) -> String {
    folder.join(file).display().to_string()
}

fn example(file: &str) -> String {
    format!("{FORMATS}/{file}")
}

#[test]
fn a_model_around_a_file_says_how_the_file_was_understood() {
    let lab = fs::read_to_string(example("lab.fsm")).expect("it is there");
    let model = "world from \"lab.fsm\" { start where true }\n\
                 observer { knows world; sees others as themselves; stipulate secret: !knows(state = vault) }\n";
    let folder = folder("notes", &[("lab.fsm", &lab), ("lab.divulge", model)]);
    let said = divulge(&["audit", &at(&folder, "lab.divulge"), "--json"], "");
    assert!(said.err.contains("lab.fsm is read as a UMDES automaton: 4 states"), "{}", said.err);
    assert_eq!(said.err.matches("is read as").count(), 1, "{}", said.err);
    assert!(!said.err.contains("comes first"), "the model says where it starts: {}", said.err);
    assert!(!said.err.contains("--"), "a model has no options: {}", said.err);
    assert_eq!(said.out.lines().count(), 1, "{}", said.out);
    let quiet = divulge(&["audit", &at(&folder, "lab.divulge"), "--json", "--quiet"], "");
    assert_eq!((quiet.err.as_str(), quiet.out), ("", said.out));
}

#[test]
fn conditions_in_quotes_name_facts() {
    let read = |file: &str| fs::read_to_string(example(file)).expect("it is there");
    let (domain, problem) = (read("parcels-domain.pddl"), read("parcels.pddl"));
    let model = |goal: &str| {
        format!(
            "world from \"parcels.pddl\" \"parcels-domain.pddl\" {{ goal {goal} }}\n\
             observer {{ knows world; sees others as themselves }}\n"
        )
    };
    let (plain, formula, wrong) =
        (model("\"at cellar\""), model("\"\\\"at cellar\\\" & !held\""), model("\"at the moon\""));
    let folder = folder(
        "quotes",
        &[
            ("parcels-domain.pddl", &domain),
            ("parcels.pddl", &problem),
            ("plain.divulge", &plain),
            ("formula.divulge", &formula),
            ("wrong.divulge", &wrong),
        ],
    );
    for file in ["plain.divulge", "formula.divulge"] {
        let said = divulge(&["seek", "plan", &at(&folder, file), "--json", "--quiet"], "");
        assert!(said.out.contains("\"cost\": 1}"), "{file}: {} {}", said.out, said.err);
    }
    let said = divulge(&["seek", "plan", &at(&folder, "wrong.divulge")], "");
    assert!(said.status == 2 && said.err.contains("wrong.divulge:1:"), "{}", said.err);
}

#[test]
fn facts_that_never_change_are_no_secret() {
    let (problem, domain) = (example("parcels.pddl"), example("parcels-domain.pddl"));
    for (fact, part) in [
        ("\"locked attic\"", "`locked attic` never changes: it is true at every state"),
        ("\"locked hall\"", "`locked hall` never changes: it is false at every state"),
        ("\"lokced hall\"", "no vertex has a property called `lokced hall`"),
    ] {
        let words =
            ["audit", &problem, "--domain", &domain, "--secret", fact, "--opacity", "current", "--quiet"];
        let said = divulge(&words, "");
        assert!(said.status == 2 && said.err.contains(part), "{fact}: {}", said.err);
    }
}

/// States are told apart by a property of theirs, and notions by their names.
#[test]
fn slips_with_secrets() {
    let lab = example("lab.fsm");
    for (opacity, secret, part) in [
        ("current", "vault", "it is a value: write `state = vault`"),
        ("current", "state = lab | vault", "it is a value: write `state = vault`"),
        ("current", "state = valt", "did you mean `vault`?"),
        ("current", "initial(state = vault)", "initially(…)"),
        ("2-step", "state = vault", "write `k-step=3`"),
        ("kstep=2", "state = vault", "write `k-step=3`"),
        ("infinity", "state = vault", "the notions are"),
    ] {
        let said = divulge(&["audit", &lab, "--secret", secret, "--opacity", opacity, "--quiet"], "");
        assert!(said.status == 2 && said.err.contains(part), "{opacity} {secret}: {}", said.err);
    }
}

/// Twelve hidden bits, each of them false, true or unknown: half a million sets that the robot cannot tell apart.
#[test]
fn sizes_are_told_although_there_are_too_many_sets_to_count() {
    let mut text = "pomdp\nobservables endobservables\nmodule m\n".to_owned();
    (0..12).for_each(|i| text += &format!(" b{i} : bool;\n"));
    (0..12).for_each(|i| text += &format!(" [f{i}] true -> 0.5:(b{i}'=!b{i}) + 0.5:true;\n"));
    (0..12).for_each(|i| text += &format!(" [y{i}] true -> (b{i}'=true);\n [n{i}] true -> (b{i}'=false);\n"));
    text += "endmodule\n";
    let said = divulge(&["info", "-", "--json", "--quiet"], &text);
    assert!(said.out.contains("\"states\": 4096, \"transitions\": 196608"), "{} {}", said.out, said.err);
    assert!(said.out.contains("\"expanded\": {\"more_than\": "), "{}", said.out);
    let said = divulge(&["info", "-"], &text);
    assert!(said.status == 0 && said.out.contains("not counted further"), "{} {}", said.out, said.err);
}

#[test]
fn what_comes_in_is_recognised_or_refused_with_a_word() {
    for (name, input, status, part) in [
        ("-", "2\na 0 1\ngo b\nb 1 0\n", 0, "a UMDES automaton: 2 states"),
        ("-", "\u{feff}des (0, 1, 2)\r\n(0, a, 1)\r\n", 0, "an Aldebaran transition system: 2 states"),
        ("-", "{\"jani-version\": 1}", 2, "JANI"),
        ("-", "# Transitions (POMDP)\n12 21 30 8\n", 2, "state by state"),
        ("-", "(MOVE AT_A p0 p1)\n", 2, "no world"),
    ] {
        let said = divulge(&["info", name], input);
        assert!(said.status == status && said.err.contains(part), "{input:?}: {} {}", said.err, said.out);
    }
    // The name says one thing and the content another: the content is judged as what the name says, with a place.
    let folder = folder(
        "endings",
        &[("x.aut", "2\na 0 1\ngo b\nb 1 0\n"), ("empty.fsm", ""), ("cut.fsm", "2\na 0 1\n")],
    );
    for (file, part, place) in [
        ("x.aut", "not the header of a transition system", ":1:"),
        ("empty.fsm", "empty", ":1:"),
        ("cut.fsm", "cut off", ":2:"),
    ] {
        let said = divulge(&["info", &at(&folder, file)], "");
        assert!(
            said.status == 2 && said.err.contains(part) && said.err.contains(place),
            "{file}: {}",
            said.err
        );
    }
}

/// A goal that can only be reached almost surely: in words and in JSON.
#[test]
fn going_on_trying_is_told_apart_from_a_plan() {
    let dice = concat!(env!("CARGO_MANIFEST_DIR"), "/../divulge-formats/tests/files/dice.pddl");
    let said = divulge(&["seek", "plan", dice, "--quiet"], "");
    assert!(said.status == 1 && said.out.contains("only be reached almost surely"), "{}", said.out);
    let said = divulge(&["seek", "plan", dice, "--quiet", "--json"], "");
    assert_eq!(said.out.trim(), "{\"verdict\": \"none\", \"almost_surely\": true}");
    let hard =
        fs::read_to_string(dice).expect("it is there").replace("(oneof (and) (won))", "(oneof (lost) (won))");
    let said = divulge(&["seek", "plan", "-", "--quiet", "--json"], &hard);
    assert_eq!(said.out.trim(), "{\"verdict\": \"none\", \"almost_surely\": false}");
}

/// A goal that cannot be reached is none the less a goal.
#[test]
fn a_goal_that_no_state_is_makes_no_plan() {
    let dice =
        fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../divulge-formats/tests/files/dice.pddl"));
    let text = dice.expect("it is there").replace("(:goal (won))", "(:goal (careful))");
    let said = divulge(&["seek", "plan", "-", "--quiet", "--json"], &text);
    assert_eq!(said.out.trim(), "{\"verdict\": \"none\", \"almost_surely\": false}", "{}", said.err);
}

/// What `convert --to prism` writes is read back, and the same plan is found there.
#[test]
fn the_search_for_a_plan_reads_back_as_a_model() {
    let examples = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");
    for (file, words) in [
        (format!("{examples}/formats/lamps.prism"), vec!["--set", "N=3", "--set", "fail=0.0"]),
        (format!("{examples}/formats/lamps.prism"), vec!["--set", "N=4"]),
        (format!("{examples}/nuclear.divulge"), vec!["--set", "rows=2", "--set", "cols=3"]),
    ] {
        let asked = |command: &[&str], more: &[&str]| {
            divulge(&[command, &[file.as_str()], &words, more].concat(), "")
        };
        let written = asked(&["convert"], &["--to", "prism", "--quiet"]);
        if written.status != 0 {
            assert!(written.err.contains("help"), "{}", written.err);
            continue;
        }
        let here = asked(&["seek", "plan"], &["--json", "--quiet"]);
        let there = divulge(&["seek", "plan", "-", "--json", "--quiet"], &written.out);
        let number = |said: &Said, key: &str| {
            let rest = said.out.split(&format!("\"{key}\": ")).last().filter(|_| said.status == 0)?;
            rest.split([',', '}']).next()?.parse::<u32>().ok()
        };
        // Whatever happens here, an action or an observation, is a step there.
        assert_eq!(
            (here.status, number(&here, "events")),
            (there.status, number(&there, "cost")),
            "{file}: {}\n{}",
            there.err,
            written.out
        );
    }
}

/// Every other command takes such a file, too.
#[test]
fn every_command_takes_a_file_of_another_tool() {
    let folder = folder("commands", &[]);
    let (lab, lamps) = (example("lab.fsm"), example("lamps.prism"));
    let (parcels, domain) = (example("parcels.pddl"), example("parcels-domain.pddl"));
    let (page, picture, found) =
        (at(&folder, "page.html"), at(&folder, "picture.svg"), at(&folder, "found.json"));
    let set = ["--set", "N=3", "--set", "fail=0.0"];
    let plan = ["--domain", domain.as_str()];
    let runs: [(Vec<&str>, &str); 9] = [
        ([&["explore", &parcels, "--out", &page], &plan[..]].concat(), ""),
        ([&["draw", &lamps, "--out", &picture], &set[..]].concat(), ""),
        (vec!["draw", &lab, "--out", &picture], ""),
        ([&["seek", "plan", &parcels, "--out", &found], &plan[..]].concat(), ""),
        (vec!["check", &found], ""),
        ([&["step", &lamps], &set[..]].concat(), "q\n"),
        ([&["convert", &lamps, "--to", "json"], &set[..]].concat(), ""),
        (vec!["convert", &lab, "--to", "model"], ""),
        (vec!["convert", &lab, "--to", "gen"], ""),
    ];
    for (words, input) in runs {
        let said = divulge(&words, input);
        assert_eq!(said.status, 0, "{words:?}: {} {}", said.out, said.err);
    }
    // A document that was made of a file is a problem like any other.
    let document = divulge(&["convert", &lab, "--to", "json", "--quiet"], "").out;
    let words = ["audit", "-", "--secret", "state = vault", "--opacity", "current", "--json", "--quiet"];
    let (made, direct) =
        (divulge(&words, &document), divulge(&[&["audit", lab.as_str()], &words[2..]].concat(), ""));
    assert_eq!(made.status, direct.status, "{}", made.err);
    // Of an automaton the two strings are told besides.
    let (same, strings) = direct.out.trim().split_once(", \"strings\": ").expect("two strings");
    assert_eq!(made.out.trim(), format!("{same}}}"));
    assert_eq!(strings, "{\"happened\": [\"open\", \"open\"], \"seen\": [\"open\", \"open\"]}}");
    fs::remove_dir_all(&folder).expect("it is ours");
}

/// Seventeen bits that nobody knows, and each of them can be set: more than a hundred million members of sets, which would take half a
/// gigabyte.
#[test]
fn large_sets_are_not_counted_for_ever() {
    let mut text = "pomdp\nobservables endobservables\nmodule m\n".to_owned();
    (0..17).for_each(|i| text += &format!(" b{i} : bool;\n"));
    (0..17).for_each(|i| text += &format!(" [y{i}] true -> (b{i}'=true);\n"));
    text += "endmodule\ninit true endinit\n";
    let said = divulge(&["info", "-", "--json", "--quiet", "--memory-limit", "1500M"], &text);
    assert!(said.out.contains("\"expanded\": {\"more_than\": "), "{} {}", said.out, said.err);
    assert!(said.out.contains("\"states\": 131072"), "{}", said.out);
}

/// The domain is not guessed, but a file beside the problem is pointed at.
#[test]
fn a_domain_beside_a_problem_is_pointed_at() {
    let read = |file: &str| fs::read_to_string(example(file)).expect("it is there");
    let folder =
        folder("beside", &[("domain.pddl", &read("parcels-domain.pddl")), ("p.pddl", &read("parcels.pddl"))]);
    let (problem, domain) = (at(&folder, "p.pddl"), at(&folder, "domain.pddl"));
    let said = divulge(&["info", &problem], "");
    assert!(said.status == 2 && said.err.contains("the domain of this problem is missing"), "{}", said.err);
    assert!(said.err.contains(&format!("a domain is beside it: --domain {domain}")), "{}", said.err);
    assert!(!divulge(&["info", &domain], "").err.contains("beside it"), "a domain needs none");
    assert_eq!(divulge(&["info", &problem, "--domain", &domain], "").status, 0);
    fs::remove_dir_all(&folder).expect("it is ours");
}
