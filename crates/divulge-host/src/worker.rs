//! Who is at work on a store, as long as they live.
//!
//! Whoever works holds the lock of a file beside the store, and the system lets go of it when the process ends, however it ends. So it takes no clock to tell
//! that somebody is dead, and no number of a process, which may be another's by now. A store is for the processes of one machine, which is what SQLite's WAL
//! mode demands, and all of them see its locks.

use std::{
    fs::{self, File, OpenOptions, TryLockError},
    io,
    path::{Path, PathBuf},
};

/// Somebody at work on a store. The file is gone in the end.
#[derive(Debug)]
pub struct Worker {
    name: String,
    path: PathBuf,
    // Locked as long as it is open.
    _file: File,
}

impl Worker {
    /// One more, under a name that nobody alive has. `None` where files cannot be locked, so that nobody can be told to be alive.
    ///
    /// # Errors
    /// The file cannot be made.
    pub fn begin(store: &Path) -> io::Result<Option<Self>> {
        for number in 0_u32.. {
            let name = format!("{}-{number}", std::process::id());
            let path = file_of(store, &name)?;
            let file = match OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(file) => file,
                // Another of this process, or somebody who died under the number that this one has now.
                Err(e) if e.kind() == io::ErrorKind::AlreadyExists => continue,
                Err(e) => return Err(e),
            };
            if file.try_lock().is_err() {
                fs::remove_file(&path)?;
                return Ok(None);
            }
            return Ok(Some(Self { name, path, _file: file }));
        }
        Ok(None)
    }

    /// What it is called in the store.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Leaves the file to others who hold it: for a process that was forked, and is not the one at work.
    pub fn forget(mut self) {
        self.path = PathBuf::new();
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        if !self.path.as_os_str().is_empty() {
            // One that is left behind says no more than that nobody holds its lock.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Whether somebody of this name is at work on a store. In doubt nobody is: doing a thing twice is better than waiting for ever.
pub fn is_alive(store: &Path, name: &str) -> bool {
    let Ok(path) = file_of(store, name) else { return false };
    let Ok(file) = OpenOptions::new().write(true).open(&path) else { return false };
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => true,
        Err(TryLockError::Error(_)) => false,
        Ok(()) => {
            // Nobody will miss it.
            let _ = fs::remove_file(&path);
            false
        }
    }
}

/// The file that a worker holds: beside the store, whatever link to it was given.
fn file_of(store: &Path, name: &str) -> io::Result<PathBuf> {
    // Names come from a database, and must not lead elsewhere.
    if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-') {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    let mut path = fs::canonicalize(store)?.into_os_string();
    path.push(format!("-worker-{name}"));
    Ok(path.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alive_until_it_ends() {
        let folder = std::env::temp_dir().join(format!("divulge-worker-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let store = folder.join("runs.sqlite");
        fs::write(&store, "").unwrap();
        let files = || fs::read_dir(&folder).unwrap().count();
        let (one, two) = (Worker::begin(&store).unwrap().unwrap(), Worker::begin(&store).unwrap().unwrap());
        let names = [one.name().to_owned(), two.name().to_owned()];
        let alive = || [is_alive(&store, &names[0]), is_alive(&store, &names[1])];
        assert_eq!((names[0] != names[1], alive(), files()), (true, [true, true], 3));
        drop(one);
        assert_eq!((alive(), files()), ([false, true], 2));
        // Its file stays behind, as if it had been killed: whoever looks takes it away.
        two.forget();
        assert_eq!((files(), alive(), files()), (2, [false, false], 1));
        for odd in ["", "../runs.sqlite", "7/..", "x"] {
            assert!(!is_alive(&store, odd), "{odd}");
        }
        assert_eq!(files(), 1);
        fs::remove_dir_all(&folder).unwrap();
    }
}
