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
    for file in [
        "fsm/desops_book_ex_3_11_C_malformed.fsm",
        "fsm/desops_sda_test_output.fsm",
        "aut/mcrl2_probability1.aut",
    ] {
        assert_eq!(divulge(&["info", &folder.join(file).display().to_string()]).1, 2, "{file}");
    }
}
