// SPDX-License-Identifier: MIT OR Apache-2.0
//! Games kept as SGF in a folder: one file a game, written anew with every move, so that nothing is lost whatever ends the server.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

/// The folder.
pub struct Folder {
    path: PathBuf,
    next: AtomicU64,
}

impl Folder {
    /// This folder, made if it is not there.
    pub fn open(path: &Path) -> std::io::Result<Folder> {
        std::fs::create_dir_all(path)?;
        Ok(Folder { path: path.into(), next: AtomicU64::new(1) })
    }

    /// A file for a game that begins, which nothing has the name of.
    pub fn game(&self) -> PathBuf {
        let begun = humantime::format_rfc3339_seconds(SystemTime::now()).to_string().replace(':', "-");
        loop {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            let file = self.path.join(format!("{begun}-{number}.sgf"));
            if !file.exists() {
                return file;
            }
        }
    }
}

/// A tab's game and its file.
#[derive(Default)]
pub struct Kept {
    file: Option<PathBuf>,
    moves: String,
}

impl Kept {
    /// The game is now this one, of this text. One that does not go on from the one before is another game.
    pub fn is_now(&mut self, folder: &Folder, moves: &str, text: &str) -> std::io::Result<()> {
        if moves.is_empty() {
            *self = Kept::default();
            return Ok(());
        }
        if moves == self.moves {
            return Ok(());
        }
        let related = moves.starts_with(&self.moves) || self.moves.starts_with(moves);
        if !related {
            self.file = None;
        }
        let file = self.file.get_or_insert_with(|| folder.game());
        // Whole or not at all.
        let beside = file.with_extension("part");
        std::fs::write(&beside, text)?;
        std::fs::rename(&beside, file)?;
        self.moves = moves.into();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_has_one_file_and_another_one_another() {
        let path = std::env::temp_dir().join(format!("tengen-kept-{}", std::process::id()));
        let folder = Folder::open(&path).unwrap();
        let mut kept = Kept::default();
        for (moves, text) in
            [("7,7", "a"), ("7,7 8,8", "b"), ("7,7", "c"), ("7,7 9,9", "d"), ("1,1 2,2", "e"), ("", "")]
        {
            kept.is_now(&folder, moves, text).unwrap();
        }
        kept.is_now(&folder, "1,1 2,2", "f").unwrap();
        let mut texts: Vec<String> = std::fs::read_dir(&path)
            .unwrap()
            .map(|entry| std::fs::read_to_string(entry.unwrap().path()).unwrap())
            .collect();
        texts.sort();
        assert_eq!(texts, ["d", "e", "f"]);
        std::fs::remove_dir_all(path).unwrap();
    }
}
