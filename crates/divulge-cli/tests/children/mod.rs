//! Processes that cannot hang or take the machine's memory, however the tests were started.

#![allow(dead_code, reason = "each test program uses a part of this")]

use std::{
    process::{Child, Command, Output, Stdio},
    sync::mpsc::{RecvTimeoutError, Sender, channel},
    thread::JoinHandle,
    time::Duration,
};

/// How long a process may take.
pub const TIME: Duration = Duration::from_secs(300);

/// How much memory of its own a process may have, in kilobytes.
const MEMORY: u64 = 2 << 20;

/// A command that may have no more than two gigabytes, in a process group of its own.
pub fn limited(program: &str) -> Command {
    if cfg!(not(unix)) {
        return Command::new(program);
    }
    let mut command = Command::new("sh");
    command.args(["-c", &format!("ulimit -S -d {MEMORY}; exec \"$0\" \"$@\""), program]);
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    command.stdin(Stdio::null());
    command
}

/// The program itself, limited.
pub fn divulge() -> Command {
    limited(env!("CARGO_BIN_EXE_divulge"))
}

/// A process that is ended, with all that it has started, when its time is over.
pub struct Running {
    pub child: Child,
    finished: Sender<()>,
    /// Tells whether it was ended.
    guard: JoinHandle<bool>,
}

impl Running {
    pub fn start(command: &mut Command, time: Duration) -> Self {
        let child = command.spawn().expect("the program starts");
        let (finished, over) = channel();
        let group = child.id();
        let guard = std::thread::spawn(move || {
            let late = over.recv_timeout(time) == Err(RecvTimeoutError::Timeout);
            if late {
                let _ = Command::new("kill").args(["-KILL", "--", &format!("-{group}")]).status();
            }
            late
        });
        Self { child, finished, guard }
    }

    /// What it says until it ends by itself.
    pub fn output(self) -> Output {
        let out = self.child.wait_with_output().expect("the program ends");
        let _ = self.finished.send(());
        let ended = self.guard.join().expect("the guard");
        assert!(!ended, "it took too long: {}", String::from_utf8_lossy(&out.stderr));
        out
    }
}

/// Runs a command to its end.
pub fn output(command: &mut Command) -> Output {
    Running::start(command.stdout(Stdio::piped()).stderr(Stdio::piped()), TIME).output()
}
