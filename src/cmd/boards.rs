// SPDX-License-Identifier: MIT OR Apache-2.0
//! `tengen boards`: the boards that designs are made for.

use crate::boards::{AnyBoard, load_board};
use crate::found::Found;
use boards::board::names;
use boards::values::Family;
use boards::zynq;
use figures::number::count;
use figures::table::Table;
use serde_json::json;
use std::io::Write;

/// Arguments of `boards`.
#[derive(clap::Args)]
pub struct Arguments {
    /// Only this board: a name or a .toml file
    #[arg(long, value_name = "NAME|FILE")]
    board: Option<String>,
    /// Print one JSON object a line
    #[arg(long)]
    json: bool,
}

/// Who makes the bitstream.
fn flow(family: Family) -> &'static str {
    match family {
        Family::Ecp5 => "Yosys, nextpnr-ecp5, ecppack",
        Family::Gowin => "Yosys, nextpnr-himbaechel-gowin, gowin_pack",
        Family::Xc7 => "Vivado",
    }
}

/// What is shown of a board.
struct Shown {
    name: String,
    title: String,
    device: String,
    /// LUTs of the device.
    luts: Option<u32>,
    config: String,
    core_hz: u32,
    /// Of a serial line.
    baud: Option<u32>,
    flow: &'static str,
    /// openFPGALoader's name of it.
    loader: Option<String>,
    source: String,
}

impl Shown {
    fn of(board: AnyBoard) -> Shown {
        match board {
            AnyBoard::Line(board) => Shown {
                core_hz: board.core_hz(),
                baud: Some(board.baud),
                flow: flow(board.family),
                loader: Some(board.loader),
                name: board.name,
                title: board.title,
                device: board.device,
                luts: board.luts,
                config: board.config,
                source: board.source,
            },
            AnyBoard::Zynq(board) => Shown {
                core_hz: board.core_mhz * 1_000_000,
                baud: None,
                flow: "Vivado, PYNQ",
                loader: None,
                name: board.name,
                title: board.title,
                device: board.part,
                luts: board.luts,
                config: board.config,
                source: board.source,
            },
        }
    }
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> anyhow::Result<Found> {
    let wanted: Vec<String> = match &arguments.board {
        Some(board) => vec![board.clone()],
        None => names().into_iter().chain(zynq::names()).map(String::from).collect(),
    };
    let mut out = std::io::stdout().lock();
    let mut rows = Vec::new();
    for name in &wanted {
        let shown = Shown::of(load_board(name)?);
        let config = crate::configs::load(&shown.config)?;
        let plays = format!(
            "{} x {}, {} in a row, {} levels",
            config.columns, config.rows, config.in_a_row, config.levels
        );
        if arguments.json {
            let object = json!({
                "board": shown.name, "title": shown.title, "device": shown.device, "luts": shown.luts, "config": shown.config, "plays": plays,
                "core_hz": shown.core_hz, "baud": shown.baud, "flow": shown.flow, "loader": shown.loader,
                "source": shown.source,
            });
            writeln!(out, "{object}")?;
        } else {
            rows.push(vec![
                shown.name,
                shown.title,
                shown.device,
                shown.luts.map_or("-".into(), |luts| count(luts.into())),
                shown.config,
                plays,
                format!("{}", f64::from(shown.core_hz) / 1e6),
                shown.baud.map_or("-".into(), |baud| baud.to_string()),
                shown.flow.to_string(),
            ]);
        }
    }
    if !arguments.json {
        let head = [
            "board",
            "what it is",
            "device",
            "LUTs",
            "configuration",
            "plays",
            "MHz",
            "baud at most",
            "flow",
        ];
        let table = Table { rows, ..Table::new("Boards", &head) };
        write!(out, "{}", table.text())?;
        writeln!(
            out,
            "\n`tengen generate --board NAME --out DIR` writes a folder whose `make` makes the bitstream; a board of your own is a .toml file."
        )?;
    }
    Ok(Found::Nothing)
}
