// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every measured figure in a document is one of `docs/results/`, which says what was run, on which commit, machine and core.
//!
//! - `2,063<!--=measure/0/levels/0/cycles/mean-->`: the figure of that file, recording and place, rounded as it is written; behind a
//!   blank `*100` or `/1000` is what it is multiplied or divided by.
//! - `<!-- figures: docs/results/readme-table -->` ... `<!-- end -->`: that file, whose figures are marked so, without the marks: a page that people
//!   read as it is.
//! - `<!-- table: strength/3/table -->` ... `<!-- end -->`: a recorded table. `<!-- matches: strength 0 5 -->` ...: recorded matches.
//!
//! `UPDATE_EXPECT=1 cargo test --test figures` writes what is recorded now.
#![allow(missing_docs)]

use ::figures::number::count;
use engine_model::Config;
use engine_model::named::named;
use lab::recording::{Recording, parse};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

const MARK: &str = "<!--=";
const MARK_END: &str = "-->";
const BLOCK_END: &str = "<!-- end -->";
/// What stands where a figure is of a core that is no longer today's.
const EARLIER: &str = "earlier core";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

type Recorded = BTreeMap<String, Vec<Recording>>;

fn recorded() -> Recorded {
    let mut recorded = Recorded::new();
    for entry in std::fs::read_dir(root().join("docs/results")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|ending| ending == "jsonl") {
            let text = std::fs::read_to_string(&path).unwrap();
            let name = path.file_stem().unwrap().to_str().unwrap().to_string();
            recorded.insert(name, parse(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display())));
        }
    }
    recorded
}

/// Documents with figures of their own.
fn pages() -> Vec<PathBuf> {
    let mut pages = vec![root().join("README.md"), root().join("ARCHITECTURE.md")];
    for entry in std::fs::read_dir(root().join("docs")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|ending| ending == "md") {
            pages.push(path);
        }
    }
    pages
}

/// A recording and a value in it, by `FILE/INDEX/...`.
fn at<'a>(recorded: &'a Recorded, place: &str) -> (&'a Recording, &'a Value) {
    let mut parts = place.splitn(3, '/');
    let file = parts.next().unwrap();
    let recordings = recorded.get(file).unwrap_or_else(|| panic!("{place}: no docs/results/{file}.jsonl"));
    let index: usize = parts.next().and_then(|index| index.parse().ok()).unwrap_or_else(|| panic!("{place}"));
    let recording = recordings.get(index).unwrap_or_else(|| panic!("{place}: no recording {index}"));
    let pointer = parts.next().map_or(String::new(), |rest| format!("/{rest}"));
    let value = recording.result.pointer(&pointer);
    (recording, value.unwrap_or_else(|| panic!("{place}: nothing is there")))
}

/// A number as documents write it.
fn written(value: f64, decimals: usize, signed: bool) -> String {
    let plain = format!("{:.decimals$}", value.abs());
    let (whole, fraction) = plain.split_once('.').map_or((plain.as_str(), None), |(w, f)| (w, Some(f)));
    let text = count(whole.parse().expect("digits"));
    let sign = match value {
        value if value < 0.0 => "-",
        _ if signed => "+",
        _ => "",
    };
    format!("{sign}{text}{}", fraction.map_or(String::new(), |fraction| format!(".{fraction}")))
}

/// The figure of a mark, written like `shown`.
fn figure<'a>(recorded: &'a Recorded, mark: &str, shown: &str) -> (&'a Recording, String) {
    let (place, factor) = mark.split_once(' ').unwrap_or((mark, "*1"));
    let (recording, value) = at(recorded, place);
    // A table's cells are texts.
    let value = value.as_f64().or_else(|| value.as_str()?.parse().ok());
    let value = value.unwrap_or_else(|| panic!("{place} is no number"));
    let number: f64 = factor[1..].parse().unwrap_or_else(|_| panic!("{mark}: *N or /N"));
    let value = if factor.starts_with('/') { value / number } else { value * number };
    let decimals = shown.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    (recording, written(value, decimals, shown.starts_with('+')))
}

/// A configuration by name, or by its file in the sources.
fn config(name: &str) -> Option<Config> {
    let file = || Config::from_toml(&std::fs::read_to_string(root().join(name)).ok()?).ok();
    named(name).or_else(file)
}

fn is_earlier(recording: &Recording) -> bool {
    !recording.earlier_cores(config).is_empty()
}

/// A text with every marked figure as it is recorded.
fn with_figures(text: &str, recorded: &Recorded, page: &str) -> String {
    let mut parts = text.split(MARK);
    let mut out = parts.next().unwrap_or_default().to_string();
    for part in parts {
        let (mark, rest) = part.split_once(MARK_END).unwrap_or_else(|| panic!("{page}: a mark has no end"));
        let number = |c: char| c.is_ascii_digit() || ",.+-".contains(c);
        let shown = &out[out.trim_end_matches(number).len()..];
        assert!(!shown.is_empty(), "{page}: {mark}: no number stands before it");
        let (recording, now) = figure(recorded, mark, shown);
        if is_earlier(recording) {
            // In the same row of a table, or the same paragraph.
            let before = out.rfind("\n\n").map_or(0, |end| end + 2);
            let before = if out[before..].starts_with('|') {
                out.rfind('\n').map_or(0, |end| end + 1)
            } else {
                before
            };
            let after = rest.find(if out[before..].starts_with('|') { "\n" } else { "\n\n" });
            let around = format!("{}{}", &out[before..], &rest[..after.unwrap_or(rest.len())]);
            let around = around.replace('\n', " ");
            assert!(around.contains(EARLIER), "{page}: {mark}: say that it is of an {EARLIER}: {around}");
        }
        out.truncate(out.len() - shown.len());
        out.push_str(&format!("{now}{MARK}{mark}{MARK_END}{rest}"));
    }
    out
}

fn cells(row: &Value) -> String {
    let cells = row.as_array().unwrap().iter().map(|cell| cell.as_str().unwrap().to_string());
    format!("| {} |\n", cells.collect::<Vec<_>>().join(" | "))
}

/// A recorded table: `head`, `rows`, where all columns but the first `words` hold figures.
fn table(recorded: &Recorded, place: &str) -> String {
    let (recording, value) = at(recorded, place);
    let columns = value["head"].as_array().unwrap().len();
    let words = value["words"].as_u64().unwrap_or(1) as usize;
    let rule: String = (0..columns).map(|column| if column < words { "---|" } else { "---:|" }).collect();
    let mut text = format!("{}|{rule}\n", cells(&value["head"]));
    text.extend(value["rows"].as_array().unwrap().iter().map(cells));
    text + &said_earlier(&[recording])
}

fn said_earlier(recordings: &[&Recording]) -> String {
    if recordings.iter().any(|recording| is_earlier(recording)) {
        format!("\nMeasured on an {EARLIER}.\n")
    } else {
        String::new()
    }
}

/// The argument of an option in a command.
fn option<'a>(command: &'a str, name: &str) -> Option<&'a str> {
    let mut words = command.split(' ');
    words.by_ref().find(|word| *word == name)?;
    words.next()
}

/// Recorded matches: `FILE FIRST LAST`.
fn matches(recorded: &Recorded, what: &str) -> String {
    let words: Vec<&str> = what.split(' ').collect();
    let [file, first, last] = words[..] else { panic!("{what}: FILE FIRST LAST") };
    let range: std::ops::RangeInclusive<usize> = first.parse().unwrap()..=last.parse().unwrap();
    let recordings: Vec<&Recording> = range.map(|index| &recorded[file][index]).collect();
    let mut text = String::from(
        "| first side | second side | openings | won, drawn, lost | Elo | nodes a move, first and second |\n\
         |---|---|---|---:|---:|---:|\n",
    );
    for recording in &recordings {
        let result = &recording.result;
        let name = |key: &str| result[key].as_str().unwrap().to_string();
        let openings = option(&recording.command, "--openings").unwrap();
        let openings = Path::new(openings).file_stem().unwrap().to_str().unwrap();
        let half = result["games"].as_u64().unwrap() / 2;
        let elo =
            |key: &str| result["elo"][key].as_f64().map_or("unbounded".into(), |elo| written(elo, 0, true));
        let nodes = |side: &str| result["spent"][side]["nodes"]["mean"].as_f64();
        let nodes = |side: &str| nodes(side).map_or("-".into(), |nodes| written(nodes, 0, false));
        let _ = writeln!(
            text,
            "| {} | {} | {half} of {openings} | {}, {}, {} | {} [{}, {}] | {}, {} |",
            name("a"),
            name("b"),
            result["wins"],
            result["draws"],
            result["losses"],
            elo("value"),
            elo("low"),
            elo("high"),
            nodes("a"),
            nodes("b")
        );
    }
    text + &said_earlier(&recordings)
}

/// A text with every block between these marks as it is recorded.
fn with_blocks(text: &str, kind: &str, page: &str, made: impl Fn(&str) -> String) -> String {
    let begin = format!("<!-- {kind}: ");
    let mut parts = text.split(&begin);
    let mut out = parts.next().unwrap_or_default().to_string();
    for part in parts {
        let (what, rest) = part.split_once(" -->\n").unwrap_or_else(|| panic!("{page}: {kind}"));
        let (_, after) = rest.split_once(BLOCK_END).unwrap_or_else(|| panic!("{page}: {what} has no end"));
        out.push_str(&format!("{begin}{what} -->\n{}{BLOCK_END}{after}", made(what)));
    }
    out
}

/// Compares a file with what it should be, or writes that.
fn expect(path: &Path, now: &str) {
    let shown = path.strip_prefix(root()).unwrap().display().to_string();
    let text = std::fs::read_to_string(path).unwrap_or_default();
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(path, now).unwrap();
        return;
    }
    for (line, (was, is)) in text.lines().zip(now.lines()).enumerate() {
        assert_eq!(was, is, "{shown}, line {}: UPDATE_EXPECT=1 cargo test --test figures", line + 1);
    }
    assert_eq!(
        text.lines().count(),
        now.lines().count(),
        "{shown}: UPDATE_EXPECT=1 cargo test --test figures"
    );
}

/// A file with marked figures.
fn marked(file: &str) -> String {
    std::fs::read_to_string(root().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// A text without its marks.
fn without_marks(text: &str) -> String {
    let mut parts = text.split(MARK);
    let mut out = parts.next().unwrap_or_default().to_string();
    out.extend(parts.map(|part| part.split_once(MARK_END).map_or("", |(_, rest)| rest)));
    out
}

/// Text of README's table, with its marks.
const README_TABLE: &str = "docs/results/readme-table";

#[test]
fn figures_are_the_recorded_ones() {
    let recorded = recorded();
    // What other pages hold without its marks comes first.
    expect(&root().join(README_TABLE), &with_figures(&marked(README_TABLE), &recorded, README_TABLE));
    let mut marks = 0;
    for path in pages() {
        let page = path.strip_prefix(root()).unwrap().display().to_string();
        let text = std::fs::read_to_string(&path).unwrap();
        let now = with_blocks(&text, "table", &page, |place| table(&recorded, place));
        let now = with_blocks(&now, "matches", &page, |what| matches(&recorded, what));
        let now = with_blocks(&now, "figures", &page, |file| without_marks(&marked(file)));
        let now = with_figures(&now, &recorded, &page);
        marks += now.matches(MARK).count() + now.matches("<!-- table: ").count();
        expect(&path, &now);
    }
    assert!(marks > 20, "{marks} marks");
}

#[test]
fn every_row_of_readme_is_recorded_and_architecture_measures_nothing() {
    let readme = std::fs::read_to_string(root().join("README.md")).unwrap();
    assert!(readme.contains(&format!("<!-- figures: {README_TABLE} -->")) && !readme.contains(MARK));
    let table = marked(README_TABLE);
    let rows: Vec<&str> = table.lines().filter(|line| line.starts_with('|')).skip(2).collect();
    assert!(rows.len() > 8);
    for row in rows {
        assert!(row.contains(MARK), "no figure of this row is recorded: {row}");
    }
    let architecture = std::fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    for (index, line) in architecture.lines().enumerate() {
        for unit in
            [" ns", " LUT", " clocks a move", " us", " Elo", " % fewer", " % more", " % of the clocks"]
        {
            let measured =
                line.match_indices(unit).any(|(at, _)| line[..at].ends_with(|c: char| c.is_ascii_digit()));
            assert!(
                !measured,
                "ARCHITECTURE.md, line {}: a measurement belongs into docs/: {line}",
                index + 1
            );
        }
    }
}

#[test]
fn the_page_of_results_says_which_are_of_an_earlier_core() {
    let mut text = String::from(
        "# Recorded results\n\n\
         What documents quote, by `tengen record`. Written by `UPDATE_EXPECT=1 cargo test --test figures`; a test says when a core has\n\
         changed since. The [cost curves](../curves.md) and [explorations](../explore/gomoku15/README.md) keep points of their own, each\n\
         with the hash of its core: their pages say which are of an earlier one, `points` here when they were last measured.\n\n\
         | file | command | commit | date | machine | core |\n|---|---|---|---|---|---|\n",
    );
    for (file, recordings) in recorded() {
        for (index, recording) in recordings.iter().enumerate() {
            let earlier = recording.earlier_cores(config);
            let core = match (recording.cores.is_empty(), earlier.is_empty()) {
                (true, _) => "none".to_string(),
                (false, true) => "today's".into(),
                (false, false) => format!("**{EARLIER}**: {}", earlier.join(", ")),
            };
            let Recording { command, commit, date, machine, .. } = recording;
            let _ = writeln!(
                text,
                "| [{file}]({file}.jsonl) {index} | `{command}` | {commit} | {date} | {machine} | {core} |"
            );
        }
    }
    expect(&root().join("docs/results/README.md"), &text);
}
