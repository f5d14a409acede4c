// SPDX-License-Identifier: MIT OR Apache-2.0
//! Waveforms that were asked for, kept for a while: a request names one by the name it was given, never by a path.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Waveforms that are kept; the oldest goes.
const KEPT: usize = 16;

struct Waveform {
    name: String,
    folder: PathBuf,
}

/// The waveforms of a server, in a folder that goes with it.
pub struct Waveforms {
    root: PathBuf,
    kept: Mutex<VecDeque<Waveform>>,
}

impl Waveforms {
    /// None yet.
    pub fn new() -> Waveforms {
        let number = fastrand::u64(..);
        let root = std::env::temp_dir().join(format!("tengen-web-{}-{number:016x}", std::process::id()));
        Waveforms { root, kept: Mutex::default() }
    }

    /// Has one written into a folder of its own, and keeps it under the name that is answered too; what fails leaves nothing.
    pub fn add<T, E: From<std::io::Error>>(
        &self,
        write: impl FnOnce(&Path) -> Result<T, E>,
    ) -> Result<(String, T), E> {
        let name = format!("{:016x}", fastrand::u64(..));
        let folder = self.root.join(&name);
        std::fs::create_dir_all(&folder)?;
        let written = write(&folder).inspect_err(|_| _ = std::fs::remove_dir_all(&folder))?;
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.push_back(Waveform { name: name.clone(), folder });
        if kept.len() > KEPT
            && let Some(oldest) = kept.pop_front()
        {
            let _ = std::fs::remove_dir_all(oldest.folder);
        }
        Ok((name, written))
    }

    /// Keeps none any more.
    pub fn clear(&self) {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).clear();
        let _ = std::fs::remove_dir_all(&self.root);
    }

    /// A file of one, if both names are known.
    pub fn file(&self, name: &str, file: &str) -> Option<PathBuf> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let waveform = kept.iter().find(|waveform| waveform.name == name)?;
        let named =
            std::fs::read_dir(&waveform.folder).ok()?.flatten().find(|entry| entry.file_name() == file)?;
        named.path().is_file().then(|| named.path())
    }

    /// Names of the files of a folder, those that a person opens.
    pub fn files(folder: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let files = entries.filter(|entry| entry.path().is_file());
        let mut names: Vec<String> =
            files.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }
}

impl Default for Waveforms {
    fn default() -> Waveforms {
        Waveforms::new()
    }
}

impl Drop for Waveforms {
    fn drop(&mut self) {
        self.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_found_by_known_names_only_and_the_oldest_go() {
        let waveforms = Waveforms::new();
        let write =
            |folder: &Path| std::fs::write(folder.join("search.fst"), "x").map(|()| folder.to_path_buf());
        let (first, folder) = waveforms.add(write).unwrap();
        assert!(waveforms.file(&first, "search.fst").is_some());
        for (name, file) in [
            (first.as_str(), "../search.fst"),
            (first.as_str(), ""),
            ("..", "search.fst"),
            (first.as_str(), "."),
        ] {
            assert_eq!(waveforms.file(name, file), None);
        }
        let failed = waveforms.add(|folder| {
            std::fs::write(folder.join("part.fst"), "x")?;
            Err::<(), _>(std::io::Error::other("no room"))
        });
        assert!(failed.is_err() && std::fs::read_dir(&waveforms.root).unwrap().count() == 1);
        (0..KEPT).for_each(|_| _ = waveforms.add(write).unwrap());
        assert!(waveforms.file(&first, "search.fst").is_none() && !folder.exists());
        let root = waveforms.root.clone();
        drop(waveforms);
        assert!(!root.exists());
    }
}
