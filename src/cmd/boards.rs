// SPDX-License-Identifier: MIT OR Apache-2.0
//! `tengen boards`: the boards that designs are made for.

use crate::boards::load_board;
use crate::found::Found;
use boards::board::{Family, names};
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

/// Runs the command.
pub fn run(arguments: &Arguments) -> anyhow::Result<Found> {
    let wanted: Vec<String> = match &arguments.board {
        Some(board) => vec![board.clone()],
        None => names().into_iter().map(String::from).collect(),
    };
    let mut out = std::io::stdout().lock();
    let mut rows = Vec::new();
    for name in &wanted {
        let board = load_board(name)?;
        let config = crate::configs::load(&board.config)?;
        let plays = format!(
            "{} x {}, {} in a row, {} levels",
            config.columns, config.rows, config.in_a_row, config.levels
        );
        let mhz = f64::from(board.core_hz()) / 1e6;
        if arguments.json {
            let object = json!({
                "board": board.name, "title": board.title, "device": board.device, "config": board.config, "plays": plays,
                "core_hz": board.core_hz(), "baud": board.baud, "flow": flow(board.family), "loader": board.loader,
                "source": board.source,
            });
            writeln!(out, "{object}")?;
        } else {
            rows.push(vec![
                board.name.clone(),
                board.title.clone(),
                board.device.clone(),
                board.config.clone(),
                plays,
                format!("{mhz}"),
                board.baud.to_string(),
                flow(board.family).to_string(),
            ]);
        }
    }
    if !arguments.json {
        let head = ["board", "what it is", "device", "configuration", "plays", "MHz", "baud at most", "flow"];
        let table = Table { rows, ..Table::new("Boards", &head) };
        write!(out, "{}", table.text())?;
        writeln!(
            out,
            "\n`tengen generate --board NAME --out DIR` writes a folder whose `make` makes the bitstream; a board of your own is a .toml file."
        )?;
    }
    Ok(Found::Nothing)
}
