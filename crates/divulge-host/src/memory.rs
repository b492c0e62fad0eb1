//! Memory.

/// The memory in use, in bytes, where that can be told.
#[must_use]
pub fn resident() -> Option<u64> {
    if cfg!(target_os = "linux") {
        return status("VmRSS:");
    }
    let pid = std::process::id().to_string();
    let out = std::process::Command::new("ps").args(["-o", "rss=", "-p", &pid]).output().ok()?;
    let kilobytes: u64 = String::from_utf8(out.stdout).ok()?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}

/// The most memory that was ever in use, in bytes; where that cannot be told, what is in use now.
#[must_use]
pub fn peak() -> Option<u64> {
    if cfg!(target_os = "linux") { status("VmHWM:") } else { resident() }
}

/// A line of what Linux says about this process.
fn status(name: &str) -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}
