// SPDX-License-Identifier: MIT OR Apache-2.0
//! Games kept as SGF in a folder: one file a game, written anew as it goes on, so that nothing is lost whatever ends the server.

use engine_model::Cell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

/// Games that are known by name; one beyond is another game when it goes on.
const KNOWN: usize = 10_000;

/// Bytes of a game's name.
const LONGEST_NAME: usize = 64;

/// A game and its file.
struct Kept {
    file: PathBuf,
    config: String,
    moves: Vec<Cell>,
}

#[derive(Default)]
struct Games {
    begun: u64,
    by_name: HashMap<String, Kept>,
}

/// The folder.
pub struct Folder {
    path: PathBuf,
    games: Mutex<Games>,
}

impl Folder {
    /// This folder, made if it is not there.
    pub fn open(path: &Path) -> std::io::Result<Folder> {
        std::fs::create_dir_all(path)?;
        Ok(Folder { path: path.into(), games: Mutex::default() })
    }

    /// A file that nothing has the name of.
    fn another(&self, begun: &mut u64) -> PathBuf {
        let now = humantime::format_rfc3339_seconds(SystemTime::now()).to_string().replace(':', "-");
        loop {
            *begun += 1;
            let file = self.path.join(format!("{now}-{begun}.sgf"));
            if !file.exists() {
                return file;
            }
        }
    }

    /// The game of this name, of this configuration, has come to these moves; `text` is all of it. Whoever looks back at a position that
    /// it has had shortens nothing.
    pub fn keep(&self, name: &str, config: &str, moves: &[Cell], text: &str) -> std::io::Result<()> {
        if name.len() > LONGEST_NAME {
            let told = format!("the name of a game has at most {LONGEST_NAME} bytes");
            return Err(std::io::Error::new(std::io::ErrorKind::InvalidInput, told));
        }
        let mut games = self.games.lock().unwrap_or_else(PoisonError::into_inner);
        let Games { begun, by_name } = &mut *games;
        let known = by_name.get(name).filter(|kept| kept.config == config);
        if moves.is_empty() || known.is_some_and(|kept| kept.moves.starts_with(moves)) {
            return Ok(());
        }
        let file = known.map_or_else(|| self.another(begun), |kept| kept.file.clone());
        // Whole or not at all.
        let beside = file.with_extension("part");
        std::fs::write(&beside, text)?;
        std::fs::rename(&beside, &file)?;
        if by_name.len() >= KNOWN {
            by_name.clear();
        }
        by_name.insert(name.into(), Kept { file, config: config.into(), moves: moves.into() });
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
        for (name, config, moves, text) in [
            ("one", "gomoku7", &[1][..], "a"),
            ("one", "gomoku7", &[1, 10], "b"),
            // Back, and on by another move.
            ("one", "gomoku7", &[1], "c"),
            ("other", "gomoku7", &[1], "d"),
            ("one", "gomoku7", &[1, 11, 12], "e"),
            ("one", "gomoku7", &[], "f"),
            // The same name on another board is another game.
            ("one", "tictactoe", &[1], "g"),
        ] {
            folder.keep(name, config, moves, text).unwrap();
        }
        assert!(folder.keep(&"x".repeat(65), "gomoku7", &[1], "h").is_err());
        let mut texts: Vec<String> = std::fs::read_dir(&path)
            .unwrap()
            .map(|entry| std::fs::read_to_string(entry.unwrap().path()).unwrap())
            .collect();
        texts.sort();
        assert_eq!(texts, ["d", "e", "g"]);
        std::fs::remove_dir_all(path).unwrap();
    }
}
