//! Files by their names.

use std::path::{Component, Path, PathBuf};

use divulge_model::{
    diagnostic::decode,
    language::{Included, Loader},
};

/// Included files, found from where the including one is.
#[derive(Clone, Copy, Debug, Default)]
pub struct Files;

impl Loader for Files {
    fn load(&self, path: &str, from: &str) -> Result<Included, String> {
        let folder = Path::new(from).parent().unwrap_or(Path::new(""));
        let name = short(&folder.join(path));
        let bytes = std::fs::read(&name).map_err(|e| e.to_string())?;
        let text = decode(&name, bytes).map_err(|_| "it is not UTF-8 text".to_owned())?;
        Ok(Included { name, text })
    }
}

/// A path without detours, so that a file has one name however it is reached.
#[must_use]
pub fn short(path: &Path) -> String {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if matches!(out.components().next_back(), Some(Component::Normal(_))) => {
                out.pop();
            }
            other => out.push(other),
        }
    }
    if out.as_os_str().is_empty() { ".".to_owned() } else { out.display().to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_one_name() {
        for (path, name) in [
            ("./a.divulge", "a.divulge"),
            ("x/../a", "a"),
            ("../a", "../a"),
            ("../../a/./b/..", "../../a"),
            ("/x/../a", "/a"),
            (".", "."),
        ] {
            assert_eq!(short(Path::new(path)), name);
        }
    }
}
