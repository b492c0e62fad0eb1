//! The text of a model with all that it includes: what a sweep is named by.

use std::{
    collections::{HashSet, VecDeque},
    fs, io,
    path::{Path, PathBuf},
};

/// The text of a file, followed by those of the files that it includes, each once.
pub fn text(file: &str) -> io::Result<Vec<u8>> {
    let mut all = fs::read(file)?;
    let canonical = |path: &Path| fs::canonicalize(path).ok();
    let mut seen: HashSet<PathBuf> = canonical(Path::new(file)).into_iter().collect();
    let mut todo: VecDeque<(PathBuf, String)> = beside(Path::new(file), &all);
    while let Some((folder, name)) = todo.pop_front() {
        // Whoever reads the model says what is missing.
        let Some(path) = canonical(&folder.join(name)) else { continue };
        if !seen.insert(path.clone()) {
            continue;
        }
        let Ok(own) = fs::read(&path) else { continue };
        todo.extend(beside(&path, &own));
        all.extend_from_slice(&own);
    }
    Ok(all)
}

/// The folder of a file, with the name of each file that it includes.
fn beside(path: &Path, text: &[u8]) -> VecDeque<(PathBuf, String)> {
    let folder = path.parent().unwrap_or(Path::new("")).to_owned();
    included(&String::from_utf8_lossy(text)).map(|name| (folder.clone(), name)).collect()
}

/// The names after the word `include`. One in a comment is taken too, which does no harm.
fn included(text: &str) -> impl Iterator<Item = String> + '_ {
    text.match_indices("include").filter_map(|(at, word)| {
        let part = |c: char| c.is_ascii_alphanumeric() || c == '_';
        if text[..at].ends_with(part) {
            return None;
        }
        let rest = &text[at + word.len()..];
        let name = rest.trim_start_matches(|c: char| c.is_ascii_whitespace());
        let (name, _) = name.strip_prefix('"').filter(|_| name.len() < rest.len())?.split_once('"')?;
        (!name.contains('\n')).then(|| name.to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_included_files() {
        let text = "include \"a.divulge\"\n# include  \"b\"\nxinclude \"c\" include\"d\" include \"e\nf\"\n";
        assert_eq!(included(text).collect::<Vec<_>>(), ["a.divulge", "b"]);
    }

    #[test]
    fn included_files_count() {
        let folder = std::env::temp_dir().join(format!("divulge-source-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let file = folder.join("a.divulge");
        fs::write(&file, "include \"b.divulge\"\ninclude \"a.divulge\"\ninclude \"none\"\n").unwrap();
        fs::write(folder.join("b.divulge"), "const n = 3\n").unwrap();
        let read = text(file.to_str().unwrap()).unwrap();
        assert!(read.ends_with(b"const n = 3\n") && read.len() == 67, "{}", String::from_utf8_lossy(&read));
        fs::remove_dir_all(&folder).unwrap();
    }
}
