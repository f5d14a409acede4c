// SPDX-License-Identifier: MIT OR Apache-2.0
//! The files of positions and openings that this program comes with: inside it, so that they are there wherever it is.

use std::path::{Component, Path};

/// Their folder in the sources, which is part of their names.
const FOLDER: &str = "positions";

/// Midgame positions of real games: what `measure` measures unless others are named.
pub const MIDGAME: &str = include_str!("../positions/midgame_120.txt");

/// Names and texts.
const FILES: [(&str, &str); 7] = [
    ("midgame_120.txt", MIDGAME),
    ("midgame_other_117.txt", include_str!("../positions/midgame_other_117.txt")),
    ("openings_300.txt", include_str!("../positions/openings_300.txt")),
    ("openings_even_100.txt", include_str!("../positions/openings_even_100.txt")),
    ("openings_freestyle15.txt", include_str!("../positions/openings_freestyle15.txt")),
    ("openings_made.txt", include_str!("../positions/openings_made.txt")),
    ("tactics_public.jsonl", include_str!("../positions/tactics_public.jsonl")),
];

/// The text of `positions/NAME`, if it is one of them.
pub fn text(file: &Path) -> Option<&'static str> {
    let words: Vec<_> = file.components().filter(|word| *word != Component::CurDir).collect();
    let [Component::Normal(folder), Component::Normal(name)] = words[..] else { return None };
    let found = FILES.iter().find(|(of, _)| folder == FOLDER && name == *of)?;
    Some(found.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_of_the_folder_is_inside() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(FOLDER);
        let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        for path in entries.filter(|path| path.extension().is_some_and(|ending| ending != "md")) {
            let name = Path::new(FOLDER).join(path.file_name().unwrap());
            assert_eq!(text(&name), Some(&*std::fs::read_to_string(&path).unwrap()), "{name:?}");
            assert_eq!(
                text(&Path::new("./").join(name)),
                text(Path::new("positions").join(path.file_name().unwrap()).as_path())
            );
        }
        assert_eq!(text(Path::new("midgame_120.txt")), None);
        assert_eq!(text(Path::new("/positions/midgame_120.txt")), None);
    }
}
