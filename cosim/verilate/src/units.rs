// SPDX-License-Identifier: MIT OR Apache-2.0
//! A model's C++ files, put together to units of compilation.
//!
//! Every unit costs the time to read the header of Verilator's runtime, half a second of CPU time where it is not precompiled: Verilator writes
//! a file for each class and kind of code, most of them small. A small model is one unit.

use crate::VerilateError;
use crate::toolchain::Runs;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// A unit of code that runs in every clock has so many bytes, so that several cores compile a large model.
const OFTEN: u64 = 1 << 20;
/// The same of code that runs once: it is not optimised, and takes a fifth of the time.
const SELDOM: u64 = 4 * OFTEN;
/// A file or unit of this part of that joins its neighbour, however large that is.
const SMALL: u64 = 16;
/// What runs once is compiled like the rest where it is no more than this: that takes less than another unit.
const TINY: u64 = 100_000;

/// A file that Verilator wrote, or the shim.
struct Generated {
    name: String,
    bytes: u64,
    runs: Runs,
}

/// The C++ files of a folder, by name.
fn generated(folder: &Path) -> Result<Vec<Generated>, VerilateError> {
    let failed = VerilateError::file(folder);
    let mut files = Vec::new();
    for file in std::fs::read_dir(folder).map_err(failed)?.flatten() {
        let name = file.file_name().to_string_lossy().into_owned();
        if !name.ends_with(".cpp") {
            continue;
        }
        // What sets up, and what writes waveforms.
        let seldom = ["__Slow", "__Syms", "__Trace", "__ConstPool"].iter().any(|part| name.contains(part));
        let runs = if seldom { Runs::Seldom } else { Runs::Often };
        files.push(Generated { bytes: file.metadata().map_or(0, |about| about.len()), name, runs });
    }
    files.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(files)
}

/// Divides files among units: neighbours stay neighbours.
fn divide(files: &[Generated]) -> Vec<(Runs, Vec<&Generated>)> {
    let of = |runs: Runs| files.iter().filter(move |file| file.runs == runs);
    let all_often = of(Runs::Seldom).map(|file| file.bytes).sum::<u64>() <= TINY;
    let kinds = match all_often {
        true => vec![(Runs::Often, OFTEN, files.iter().collect::<Vec<_>>())],
        false => vec![
            (Runs::Often, OFTEN, of(Runs::Often).collect()),
            (Runs::Seldom, SELDOM, of(Runs::Seldom).collect()),
        ],
    };
    let mut units: Vec<(Runs, Vec<&Generated>)> = Vec::new();
    for (runs, most, files) in kinds {
        let mut bytes = 0;
        for file in files {
            let fits = bytes + file.bytes <= most || bytes.min(file.bytes) <= most / SMALL;
            match units.last_mut() {
                Some((of, unit)) if *of == runs && fits => {
                    unit.push(file);
                    bytes += file.bytes;
                }
                _ => {
                    units.push((runs, vec![file]));
                    bytes = file.bytes;
                }
            }
        }
    }
    units
}

/// Writes the units of a folder's C++ files beside them, the largest first, so that none is left alone at the end.
///
/// Their names are in the order of the evaluation, so that neighbours in time are neighbours in memory, and what runs often comes before
/// what runs once: of an inline function that both contain the linker keeps the first.
pub(crate) fn write(folder: &Path) -> Result<Vec<(PathBuf, Runs)>, VerilateError> {
    let files = generated(folder)?;
    let mut written = Vec::new();
    for (number, (runs, unit)) in divide(&files).into_iter().enumerate() {
        let path = folder.join(format!("unit_{number:03}.cpp"));
        let text = unit.iter().fold(String::new(), |mut text, file| {
            let _ = writeln!(text, "#include \"{}\"", file.name);
            text
        });
        std::fs::write(&path, text).map_err(VerilateError::file(&path))?;
        written.push((unit.iter().map(|file| file.bytes).sum::<u64>(), path, runs));
    }
    written.sort_by_key(|&(bytes, _, _)| std::cmp::Reverse(bytes));
    Ok(written.into_iter().map(|(_, path, runs)| (path, runs)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn units(files: &[(&str, u64, Runs)]) -> Vec<Vec<String>> {
        let files: Vec<Generated> =
            files.iter().map(|&(name, bytes, runs)| Generated { name: name.into(), bytes, runs }).collect();
        divide(&files).iter().map(|(_, unit)| unit.iter().map(|file| file.name.clone()).collect()).collect()
    }

    #[test]
    fn large_files_are_compiled_beside_each_other_and_small_ones_together() {
        use Runs::{Often, Seldom};
        let files = [
            ("a", 1_000, Often),
            ("b", 2_000_000, Often),
            ("c", 500, Seldom),
            ("d", 1_900_000, Often),
            ("e", 2_000, Often),
            ("f", 3_000_000, Seldom),
            ("g", 2_000_000, Seldom),
        ];
        let expected: [&[&str]; 4] = [&["a", "b"], &["d", "e"], &["c", "f"], &["g"]];
        assert_eq!(units(&files), expected);
    }

    #[test]
    fn a_small_model_is_one_unit() {
        let files = [("a", 1_000, Runs::Often), ("b", 90_000, Runs::Seldom), ("c", 4_000, Runs::Often)];
        assert_eq!(units(&files), [["a", "b", "c"]]);
    }
}
