//! The same bytes, whatever the number of threads.

mod children;

fn divulge(arguments: &[&str]) -> Vec<u8> {
    let run = children::output(children::divulge().args(arguments));
    assert!(run.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&run.stderr));
    run.stdout
}

#[test]
fn threads_make_no_difference() {
    let folder = std::env::temp_dir().join(format!("divulge-threads-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("large.json");
    let file = file.to_str().expect("a plain path");
    // Large enough for several threads to be used: some 200,000 nodes.
    divulge(&["generate", "nuclear", "--rows", "36", "--cols", "38", "-o", file]);
    for minimize in ["events", "cost"] {
        let with = |threads| {
            divulge(&["seek", "plan", file, "--json", "--minimize", minimize, "--threads", threads])
        };
        let one = with("1");
        for threads in ["2", "3", "0"] {
            assert!(with(threads) == one, "{threads} threads find another plan of least {minimize}");
        }
    }
    std::fs::remove_dir_all(&folder).expect("a folder to remove");
}

#[test]
fn threads_make_no_difference_to_maps() {
    let folder = std::env::temp_dir().join(format!("divulge-map-threads-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("maps.json");
    let file = file.to_str().expect("a plain path");
    for knows in ["plan", "world"] {
        // Long enough for the search to be shared out.
        divulge(&["generate", "nuclear", "--knows", knows, "--merge", "sought", "-o", file]);
        for question in [&["maps"][..], &["both", "--prefer", "coarsest"]] {
            let with =
                |threads| divulge(&[&["seek"], question, &[file, "--json", "--threads", threads]].concat());
            let one = with("1");
            for threads in ["2", "3", "8"] {
                assert!(
                    with(threads) == one,
                    "{threads} threads give another answer to {question:?}, {knows}"
                );
            }
        }
    }
    std::fs::remove_dir_all(&folder).expect("a folder to remove");
}
