// SPDX-License-Identifier: MIT OR Apache-2.0
//! The folder of compiled models: one subfolder an entry, `NAME-HASH`, whole or not there.
//!
//! An entry is compiled in a folder of its own under a lock and moved into place when it is complete, so that a build
//! that is killed leaves nothing that looks like a model, and two programs that want the same one compile it once. What
//! an entry holds is remembered by its hash: a library that has been damaged since is compiled anew.

use crate::VerilateError;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fs::{File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// The library of an entry.
pub(crate) const LIBRARY: &str = "model.so";
/// A precompiled header beside it, of the runtime's entry.
pub(crate) const HEADER: &str = "verilated.pch";
/// What is known of an entry.
const ABOUT: &str = "about.json";
/// Touched when an entry is used.
const USED: &str = "used";
/// Ends the name of a folder in which an entry is compiled.
const WORK: &str = ".work";
/// Ends the name of an entry's lock.
const LOCK: &str = ".lock";

/// What an entry says of itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct About {
    /// What a person calls it.
    pub title: String,
    /// The Verilator that made it.
    pub verilator: String,
    /// Hash of its library.
    pub sha256: String,
}

/// An entry as it is listed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Entry {
    /// Its folder's name.
    pub key: String,
    /// What it says of itself.
    #[serde(flatten)]
    pub about: About,
    /// Size of its files, in bytes.
    pub bytes: u64,
    /// When it was last loaded, in seconds since 1970.
    pub last_used: u64,
}

/// A cache of compiled models.
#[derive(Clone, Debug)]
pub struct Cache {
    folder: PathBuf,
}

/// Hash of some texts, which cannot run into each other, as hexadecimal.
pub(crate) fn hash<'a>(parts: impl IntoIterator<Item = &'a str>) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part.as_bytes());
    }
    hexadecimal(&hash.finalize()[..12])
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn seconds(time: SystemTime) -> u64 {
    time.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

impl Cache {
    /// A cache in this folder, which need not be there.
    pub fn new(folder: impl Into<PathBuf>) -> Cache {
        Cache { folder: folder.into() }
    }

    /// The folder that `TENGEN_CACHE` names; else `target/models` of the checkout that this program was built in; else
    /// the user's folder of caches.
    pub fn find() -> Result<Cache, VerilateError> {
        if let Some(named) = std::env::var_os("TENGEN_CACHE").filter(|named| !named.is_empty()) {
            return Ok(Cache::new(named));
        }
        // CHECKOUT/target/PROFILE/..., beside the configurations.
        let program = std::env::current_exe().ok();
        let target = program.iter().flat_map(|program| program.ancestors()).find(|folder| {
            folder.file_name().is_some_and(|name| name == "target")
                && folder.parent().is_some_and(|above| above.join("configs/gomoku15.toml").is_file())
        });
        if let Some(target) = target {
            return Ok(Cache::new(target.join("models")));
        }
        let folders = directories::ProjectDirs::from("", "", "tengen").ok_or(VerilateError::NoFolder)?;
        Ok(Cache::new(folders.cache_dir().join("models")))
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The library of an entry that is whole.
    pub(crate) fn library(&self, key: &str) -> Option<PathBuf> {
        let folder = self.folder.join(key);
        let about = about(&folder)?;
        let library = folder.join(LIBRARY);
        let bytes = std::fs::read(&library).ok()?;
        if hexadecimal(&Sha256::digest(&bytes)) != about.sha256 {
            return None;
        }
        // A cache that cannot be written can still be read.
        let _ = File::create(folder.join(USED));
        Some(library)
    }

    /// Makes an entry by `build`, which leaves [`LIBRARY`] in the folder it is given, unless somebody else does so at the
    /// same time: then `waiting` is called and theirs is taken.
    pub(crate) fn make(
        &self,
        key: &str,
        title: &str,
        verilator: &str,
        waiting: impl FnOnce(),
        build: impl FnOnce(&Path) -> Result<(), VerilateError>,
    ) -> Result<PathBuf, VerilateError> {
        std::fs::create_dir_all(&self.folder).map_err(VerilateError::file(&self.folder))?;
        let lock_file = self.folder.join(format!("{key}{LOCK}"));
        let lock = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(&lock_file)
            .map_err(VerilateError::file(&lock_file))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                waiting();
                lock.lock().map_err(|error| no_lock(lock_file, &error))?;
            }
            Err(TryLockError::Error(error)) => return Err(no_lock(lock_file, &error)),
        }
        if let Some(library) = self.library(key) {
            return Ok(library);
        }
        // Said before a minute of compiling.
        let mounted = rustix::fs::statvfs(&self.folder);
        if mounted.is_ok_and(|mounted| mounted.f_flag.contains(rustix::fs::StatVfsMountFlags::NOEXEC)) {
            return Err(VerilateError::NoExec { path: self.folder.clone() });
        }
        let folder = self.folder.join(key);
        let work = self.folder.join(format!("{key}{WORK}"));
        // Of a build that was killed, or of an entry that is damaged.
        for left in [&work, &folder] {
            match std::fs::remove_dir_all(left) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                    return Err(VerilateError::file(left)(error));
                }
                _ => {}
            }
        }
        std::fs::create_dir_all(&work).map_err(VerilateError::file(&work))?;
        let made = build(&work).and_then(|()| self.keep(&work, &folder, title, verilator));
        let _ = std::fs::remove_dir_all(&work);
        made
    }

    /// Keeps the library of a folder, its header if there is one, and nothing else of it, as an entry.
    fn keep(
        &self,
        work: &Path,
        folder: &Path,
        title: &str,
        verilator: &str,
    ) -> Result<PathBuf, VerilateError> {
        let library = work.join(LIBRARY);
        let bytes = std::fs::read(&library).map_err(VerilateError::file(&library))?;
        for file in std::fs::read_dir(work).map_err(VerilateError::file(work))?.flatten() {
            if file.file_name() != LIBRARY && file.file_name() != HEADER {
                let _ = std::fs::remove_file(file.path());
            }
        }
        let about = About {
            title: title.into(),
            verilator: verilator.into(),
            sha256: hexadecimal(&Sha256::digest(&bytes)),
        };
        let file = work.join(ABOUT);
        let text = serde_json::to_string(&about).expect("texts can be written as JSON");
        std::fs::write(&file, text).map_err(VerilateError::file(&file))?;
        let used = work.join(USED);
        std::fs::write(&used, "").map_err(VerilateError::file(&used))?;
        std::fs::rename(work, folder).map_err(VerilateError::file(folder))?;
        Ok(folder.join(LIBRARY))
    }

    /// What the cache holds, the entry last used first.
    pub fn entries(&self) -> Result<Vec<Entry>, VerilateError> {
        let mut entries = Vec::new();
        for folder in self.paths()?.into_iter().filter(|path| path.extension().is_none()) {
            let Some(about) = about(&folder) else { continue };
            let used = std::fs::metadata(folder.join(USED)).and_then(|used| used.modified());
            entries.push(Entry {
                key: folder.file_name().unwrap_or_default().to_string_lossy().into_owned(),
                about,
                bytes: size(&folder),
                last_used: used.map_or(0, seconds),
            });
        }
        entries.sort_by(|a, b| (b.last_used, &a.key).cmp(&(a.last_used, &b.key)));
        Ok(entries)
    }

    /// Removes what has not been used for so long, and what builds that were killed left behind; returns how many entries
    /// and bytes. What is being compiled stays.
    pub fn clean(&self, unused_for: Duration) -> Result<(usize, u64), VerilateError> {
        let before = seconds(SystemTime::now()).saturating_sub(unused_for.as_secs());
        let (mut entries, mut bytes) = (0, 0);
        for entry in self.entries()?.into_iter().filter(|entry| entry.last_used <= before) {
            let folder = self.folder.join(&entry.key);
            std::fs::remove_dir_all(&folder).map_err(VerilateError::file(&folder))?;
            entries += 1;
            bytes += entry.bytes;
        }
        for path in self.paths()? {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let Some(key) = name.strip_suffix(WORK) else { continue };
            // Whoever compiles there holds the lock. The lock's own file stays, or two could hold one of a name each.
            let lock = OpenOptions::new().write(true).open(self.folder.join(format!("{key}{LOCK}")));
            if lock.is_ok_and(|lock| lock.try_lock().is_ok()) {
                bytes += size(&path);
                std::fs::remove_dir_all(&path).map_err(VerilateError::file(&path))?;
            }
        }
        Ok((entries, bytes))
    }

    fn paths(&self) -> Result<Vec<PathBuf>, VerilateError> {
        match std::fs::read_dir(&self.folder) {
            Ok(paths) => Ok(paths.flatten().map(|path| path.path()).collect()),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
            Err(error) => Err(VerilateError::file(&self.folder)(error)),
        }
    }
}

/// A lock that the system refuses: any error but a full disk means that it has none to give.
fn no_lock(path: PathBuf, error: &std::io::Error) -> VerilateError {
    match error.kind() {
        std::io::ErrorKind::StorageFull | std::io::ErrorKind::QuotaExceeded => {
            VerilateError::NoSpace { path }
        }
        _ => VerilateError::NoLocks { path, reason: error.to_string() },
    }
}

fn about(folder: &Path) -> Option<About> {
    serde_json::from_str(&std::fs::read_to_string(folder.join(ABOUT)).ok()?).ok()
}

fn size(folder: &Path) -> u64 {
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
    files.filter_map(|file| file.metadata().ok()).map(|about| about.len()).sum()
}
