// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a viewer of waveforms is told beside the waveform: which signals, as what, where to look.
//!
//! GTKWave reads a save file and a file of names for each kind of value; Surfer a command file (`surfer -c FILE.sucl FILE.fst`)
//! and the same names, in its own form, from `.surfer/mappings` of the folder that it is started in.

use crate::dut::period_ps;
use engine_model::evaluation::Outcome;
use hdl::Layout;
use hdl::circuits::face::{command_face, game_controller};
use hdl::circuits::search::words::level_name;
use hdl::layout::{GENERATION_BITS, OUTCOME_BITS};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// How a signal's values are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// In binary.
    Bits,
    /// In hexadecimal.
    Hex,
    /// In decimal.
    Unsigned,
    /// In decimal, two's complement.
    Signed,
    /// By name.
    Named(Names),
}

/// Values that have names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Names {
    /// States of the command face.
    Face,
    /// States of the game controller.
    Game,
    /// Rule outcomes.
    Outcome,
    /// Cells, as column and row.
    Cell,
}

impl Names {
    const ALL: [Names; 4] = [Names::Face, Names::Game, Names::Outcome, Names::Cell];

    fn title(self) -> &'static str {
        match self {
            Names::Face => "face_state",
            Names::Game => "game_state",
            Names::Outcome => "outcome",
            Names::Cell => "cell",
        }
    }

    /// The name of each value, from 0.
    fn values(self, layout: &Layout) -> Vec<String> {
        let lower = |names: &[&str]| names.iter().map(|name| name.to_lowercase()).collect();
        match self {
            Names::Face => lower(command_face::STATES),
            Names::Game => lower(game_controller::STATES),
            Names::Outcome => Outcome::ALL.iter().map(|outcome| outcome.name()).collect(),
            Names::Cell => {
                (0..layout.cells).map(|cell| layout.geometry.point(cell as u16).to_string()).collect()
            }
        }
    }
}

/// A signal worth seeing.
#[derive(Clone, Debug)]
pub struct Signal {
    /// Name in the waveform, below the top module.
    pub name: String,
    /// Width in bits.
    pub width: usize,
    /// How it is shown.
    pub shown: Shown,
}

/// Signals worth seeing first: the streams, the game, each level, the node that is built and the one that retires.
pub fn signals(layout: &Layout) -> Vec<Signal> {
    let mut signals: Vec<Signal> = Vec::new();
    let mut add = |name: String, width: usize, shown: Shown| signals.push(Signal { name, width, shown });
    let (cell, value) = (Shown::Named(Names::Cell), Shown::Signed);
    for name in ["aclk", "aresetn", "interrupt"] {
        add(name.into(), 1, Shown::Bits);
    }
    for stream in ["s_axis_control", "s_axis_data", "m_axis_data"] {
        for (signal, width, shown) in
            [("tdata", 32, Shown::Hex), ("tvalid", 1, Shown::Bits), ("tready", 1, Shown::Bits)]
        {
            add(format!("{stream}_{signal}"), width, shown);
        }
    }
    add("face.state".into(), command_face::STATE_BITS, Shown::Named(Names::Face));
    for (signal, width, shown) in [
        ("state", game_controller::STATE_BITS, Shown::Named(Names::Game)),
        ("score", layout.value_bits, value),
        ("operation_cell", layout.cell_bits, cell),
        ("decided_cell", layout.cell_bits, cell),
        ("generation", GENERATION_BITS, Shown::Unsigned),
    ] {
        add(format!("core.game.{signal}"), width, shown);
    }
    for level in 1..=layout.config.levels {
        let name = level_name(level);
        for signal in ["offer", "offer_due", "done"] {
            add(format!("core.{name}.{signal}"), 1, Shown::Bits);
        }
        for (signal, width) in [("child_value", layout.value_bits), ("done_value", layout.value_bits)] {
            add(format!("core.{name}.{signal}"), width, value);
        }
        for row in 0..layout.contexts_at(level) {
            for (signal, width, shown) in [
                ("active", 1, Shown::Bits),
                ("alpha", layout.value_bits, value),
                ("limit", layout.value_bits, value),
                ("has_moves", 1, Shown::Bits),
                ("order_pending", 1, Shown::Bits),
                ("generation", GENERATION_BITS, Shown::Unsigned),
            ] {
                add(format!("core.{name}.{signal}_{row}"), width, shown);
            }
        }
    }
    add("core.builder.valid".into(), 1, Shown::Bits);
    for ply in 0..layout.max_path {
        add(format!("core.builder.move_{ply}"), layout.cell_bits, cell);
    }
    add("core.evaluate.rule.outcome".into(), OUTCOME_BITS, Shown::Named(Names::Outcome));
    add("core.evaluate.rule.leaf_value".into(), layout.value_bits, value);
    add("core.evaluate.rule.value".into(), layout.value_bits, value);
    add("core.evaluate.result_valid".into(), 1, Shown::Bits);
    add("core.result_cell".into(), layout.cell_bits, cell);
    add("core.result_gain".into(), layout.gain_bits, Shown::Unsigned);
    add("core.evaluate.result_tag".into(), layout.tag.width(), Shown::Hex);
    add("core.evaluate.result".into(), layout.result.width(), Shown::Hex);
    signals
}

/// What is written beside a waveform.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Views {
    /// GTKWave's save file.
    pub gtkwave: PathBuf,
    /// Surfer's command file.
    pub surfer: PathBuf,
}

/// Clocks that a view of a fault shows before it and behind it.
const BEFORE: u64 = 60;
const BEHIND: u64 = 20;
/// GTKWave's zoom is minus the logarithm to base 2 of the time of 200 pixels; a window has some four times as many.
const FRAMES: f64 = 4.0;

/// Writes what viewers need beside `waves`; they show the clocks around `cycle`, with a marker there, else all of it.
pub fn write_views(waves: &Path, layout: &Layout, cycle: Option<u64>) -> std::io::Result<Views> {
    let folder = waves.parent().unwrap_or(Path::new(""));
    let stem = waves.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let file = waves.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mappings = folder.join(".surfer/mappings");
    std::fs::create_dir_all(&mappings)?;
    for names in Names::ALL {
        let values = names.values(layout);
        // GTKWave compares the text that it would show: hexadecimal digits for the signal's width.
        let width =
            signals(layout).iter().find(|signal| signal.shown == Shown::Named(names)).map(|s| s.width);
        let (bits, digits) = (width.unwrap_or(1), width.unwrap_or(1).div_ceil(4));
        let lines = |line: &dyn Fn(usize, &str) -> String| -> String {
            values.iter().enumerate().map(|(value, name)| line(value, name)).collect()
        };
        let gtkwave = lines(&|value, name| format!("{value:0digits$x} {name}\n"));
        std::fs::write(folder.join(format!("{stem}.{}.txt", names.title())), gtkwave)?;
        let title = mapping(&stem, names);
        let surfer =
            format!("Name = {title}\nBits = {bits}\n") + &lines(&|value, name| format!("{value} {name}\n"));
        std::fs::write(mappings.join(title), surfer)?;
    }
    let views = Views { gtkwave: waves.with_extension("gtkw"), surfer: waves.with_extension("sucl") };
    std::fs::write(&views.gtkwave, gtkwave(folder, &stem, &file, layout, cycle))?;
    std::fs::write(&views.surfer, surfer(&stem, layout, cycle))?;
    Ok(views)
}

/// The name of a mapping of Surfer's: of this waveform, for another one's cells may be others.
fn mapping(stem: &str, names: Names) -> String {
    format!("{stem}.{}", names.title())
}

fn top(layout: &Layout) -> String {
    format!("TOP.{}_engine", layout.config.name.replace('-', "_"))
}

/// The part of a name that its signals have in common.
fn group(name: &str) -> &str {
    name.rsplit_once('.').map_or("streams", |(group, _)| group)
}

/// Picoseconds of the first clock that is shown and of the marker; none without a clock to look at.
fn look(layout: &Layout, cycle: Option<u64>) -> Option<(u64, u64)> {
    let period = period_ps(&layout.config);
    cycle.map(|cycle| (cycle.saturating_sub(BEFORE) * period, cycle * period))
}

fn gtkwave(folder: &Path, stem: &str, file: &str, layout: &Layout, cycle: Option<u64>) -> String {
    let mut text = format!("[dumpfile] \"{file}\"\n");
    if let Some((begin, marker)) = look(layout, cycle) {
        let shown = ((BEFORE + BEHIND) * period_ps(&layout.config)) as f64;
        let _ = writeln!(text, "[timestart] {begin}\n*-{:.6} {marker}", (shown / FRAMES).log2());
    }
    text.push_str("[size] 1400 900\n[signals_width] 280\n[sst_expanded] 0\n");
    // Where files of names are meant from is the viewer's own affair: from here.
    let folder = std::path::absolute(folder).unwrap_or(folder.to_path_buf());
    let mut before = "";
    let all = signals(layout);
    for Signal { name, width, shown } in &all {
        if group(name) != before {
            before = group(name);
            let _ = writeln!(text, "@200\n-{before}");
        }
        // Flags: 2 hexadecimal, 4 decimal, 8 binary, 20 right-justified, 400 signed, 2000 by a file of names.
        match shown {
            Shown::Bits => text.push_str("@28\n"),
            Shown::Hex => text.push_str("@22\n"),
            Shown::Unsigned => text.push_str("@24\n"),
            Shown::Signed => text.push_str("@420\n"),
            Shown::Named(names) => {
                let file = folder.join(format!("{stem}.{}.txt", names.title()));
                let _ = writeln!(text, "@2022\n^{} {}", place(*names), file.display());
            }
        }
        let range = if *width == 1 { String::new() } else { format!("[{}:0]", width - 1) };
        let _ = writeln!(text, "{}.{name}{range}", top(layout));
    }
    text
}

/// The number by which GTKWave keeps a file of names, from 1.
fn place(names: Names) -> usize {
    Names::ALL.iter().position(|other| *other == names).map_or(1, |index| index + 1)
}

/// Commands of Surfer. An item is added behind the one that is looked at, which it becomes; so the first one is looked at by its
/// letter, and each gets its format where it is added. A divider's name is one word. Versions of Surfer that do not know `zoom_to` skip it:
/// the cursor is in view all the same.
fn surfer(stem: &str, layout: &Layout, cycle: Option<u64>) -> String {
    let mut text = String::new();
    let mut before = "";
    for Signal { name, shown, .. } in &signals(layout) {
        if group(name) != before {
            let _ = writeln!(text, "divider_add {}", group(name).replace('.', "_"));
            if before.is_empty() {
                text.push_str("item_focus a\n");
            }
            before = group(name);
        }
        let _ = writeln!(text, "variable_add {}.{name}", top(layout));
        let format = match shown {
            Shown::Bits => continue,
            Shown::Hex => "Hexadecimal".to_string(),
            Shown::Unsigned => "Unsigned".into(),
            Shown::Signed => "Signed".into(),
            Shown::Named(names) => mapping(stem, *names),
        };
        let _ = writeln!(text, "item_set_format {format}");
    }
    let view = match look(layout, cycle) {
        Some((begin, marker)) => {
            let end = marker + BEHIND * period_ps(&layout.config);
            format!("cursor_set {marker}\nzoom_to {begin} {end}\n")
        }
        None => "zoom_fit\n".into(),
    };
    format!("{text}item_unfocus\n{view}")
}
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn surfer_is_told_words_that_it_takes() {
        let text = surfer("waves", &Layout::new(&engine_model::named::named("gomoku7").unwrap()), Some(100));
        let mut lines = text.lines();
        assert_eq!([lines.next(), lines.next()], [Some("divider_add streams"), Some("item_focus a")]);
        for line in text.lines().filter_map(|line| line.strip_prefix("divider_add ")) {
            assert!(line.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'), "{line} is not one word");
        }
        // A format is that of the variable that has just been added.
        let all: Vec<&str> = text.lines().collect();
        let formats = all.windows(2).filter(|two| two[1].starts_with("item_set_format "));
        assert!(
            formats.clone().count() > 50 && formats.clone().all(|two| two[0].starts_with("variable_add "))
        );
        assert!(text.ends_with("item_unfocus\ncursor_set 1000000\nzoom_to 400000 1200000\n"), "{text}");
    }
}
