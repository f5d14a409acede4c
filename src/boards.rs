// SPDX-License-Identifier: MIT OR Apache-2.0
//! Boards as the command line names them.

use crate::configs::load_distinct;
use crate::reading;
use anyhow::{Context, bail};
use boards::board::Board;
use boards::project::{self, Exchange};
use boards::values::Family;
use boards::zynq::Zynq;
use engine_model::engine::ModelEngine;
use engine_model::{Cell, Config, Decision, Engine, Point};
use figures::number::count;
use hdl::package::File;
use hdl::stream::Status;
use lab::recorded::recorded_luts;
use std::path::Path;

/// Moves of the game that a folder's bench plays at most.
const BENCH_MOVES: usize = 8;

/// A board of either kind.
pub enum AnyBoard {
    /// One with a serial line of the core's own.
    Line(Box<Board>),
    /// One whose processors reach the core.
    Zynq(Zynq),
}

/// The board of a name, or of a .toml file.
pub fn load_board(name: &str) -> anyhow::Result<AnyBoard> {
    let file = Path::new(name);
    if file.extension().is_some_and(|ending| ending == "toml") {
        let text = reading::named(file, "")?;
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        // As a configuration's `base`: beside the file that names it.
        let beside = |config: String| match config.ends_with(".toml") {
            true => file.with_file_name(config).display().to_string(),
            false => config,
        };
        return Ok(match Zynq::is_one(&text) {
            true => {
                let board = Zynq::from_toml(&name, &text)?;
                AnyBoard::Zynq(Zynq { config: beside(board.config.clone()), ..board })
            }
            false => {
                let board = Board::from_toml(&name, &text)?;
                AnyBoard::Line(Box::new(Board { config: beside(board.config.clone()), ..board }))
            }
        });
    }
    Ok(match Zynq::named(name)? {
        Some(board) => AnyBoard::Zynq(board),
        None => AnyBoard::Line(Box::new(Board::named(name)?)),
    })
}

/// The configuration that is asked for, or else the board's.
pub fn chosen_config(asked: Option<&str>, own: &str, board: &str) -> anyhow::Result<Config> {
    match asked {
        Some(asked) => load_distinct(asked),
        None => load_distinct(own).with_context(|| format!("the configuration of board {board}")),
    }
}

/// A board with the configuration and the rate that it is to have.
pub struct Chosen {
    /// The board.
    pub board: Board,
    /// The configuration of its core.
    pub config: Config,
    /// Bits a second of its line.
    pub baud: u32,
}

impl Chosen {
    /// What was named, the rest as the board has it.
    pub fn new(board: &str, config: Option<&str>, baud: Option<u32>) -> anyhow::Result<Chosen> {
        let board = match load_board(board)? {
            AnyBoard::Line(board) => *board,
            AnyBoard::Zynq(board) => bail!(
                "board {} has no serial line of the core's own: its processors reach the core by registers, from Python (docs/hardware.md)",
                board.name
            ),
        };
        let config = chosen_config(config, &board.config, &board.name)?;
        let baud = baud.unwrap_or(board.baud);
        board.rate(baud)?;
        Ok(Chosen { board, config, baud })
    }

    /// The files of its folder.
    pub fn files(&self) -> anyhow::Result<Vec<File>> {
        Ok(project::files(&self.board, &self.config, self.baud, &game(&self.config))?)
    }
}

/// Why a core will hardly fit a board that has so many LUTs; none where it may, or where either is not known. What is known of a core is
/// an estimate for LUTs of six inputs, which all Xilinx parts have, Zynqs too. Of those of four, routed designs take 1.1 (gomoku15-tiny,
/// mapped for area) to 1.6 times as many: their cells in docs/hardware.md less the link's, over docs/results/area.jsonl. Half as many
/// again is counted.
pub fn too_large(
    config: &Config,
    board: &str,
    luts: Option<u32>,
    family: Family,
) -> anyhow::Result<Option<String>> {
    let (Some(has), Some(estimated)) = (luts.map(u64::from), recorded_luts(config)?) else { return Ok(None) };
    let (takes, what) = match family {
        Family::Xc7 => (estimated, "LUTs"),
        Family::Ecp5 | Family::Gowin => (estimated * 3 / 2, "LUTs of four inputs"),
    };
    Ok((takes > has).then(|| {
        format!(
            "{} takes about {} {what} (an estimate of the core alone), {board} has {}: it will hardly fit; `tengen configs` lists smaller ones",
            config.name,
            count(takes as f64),
            count(has as f64)
        )
    }))
}

/// The beginning of a game as the original protocol plays it: the engine opens, what answers it takes free cells in a fixed order.
fn game(config: &Config) -> Vec<Exchange> {
    let geometry = config.geometry();
    let mut model = ModelEngine::new(config);
    let mut game = Vec::new();
    // Columns, rows: the engine moves first.
    let mut sent = Point { x: config.columns, y: config.rows };
    while game.len() < BENCH_MOVES {
        let Ok(Decision { cell: Some(cell), .. }) = model.search(None) else { break };
        let point = geometry.point(cell);
        let position = model.position();
        let status = match (position.winner(), position.is_full()) {
            (Some(_), _) => Status::EngineWins,
            (None, true) => Status::EngineDraws,
            (None, false) => Status::Move,
        };
        let word = |coordinate: usize| (status as u32) << 8 | coordinate as u32;
        game.push(Exchange { sent: (sent.x, sent.y), answer: (word(point.x), word(point.y)) });
        // A move that ends the game is answered in another way: none is made.
        let free =
            (0..geometry.cells()).map(|number| (STRIDE * (number + game.len()) % geometry.cells()) as Cell);
        let side = position.side_to_move();
        let next =
            free.into_iter().find(|cell| position.check(*cell).is_ok() && !position.completes(side, *cell));
        let full = position.stones() + 1 == geometry.cells();
        let Some(next) = next.filter(|_| status == Status::Move && !full) else { break };
        if model.play(next).is_err() {
            break;
        }
        sent = geometry.point(next);
    }
    game
}

/// Between two cells that are tried; it shares no divisor with the cells of a board up to 19 x 19 but for a side of 17.
const STRIDE: usize = 17;

#[cfg(test)]
mod tests {
    use super::*;
    use boards::board::names;
    use boards::zynq;

    /// What a board is told of a configuration; `None`: of its own.
    fn told(board: &str, config: Option<&str>) -> Option<String> {
        let (own, luts, family) = match load_board(board).unwrap() {
            AnyBoard::Line(board) => (board.config, board.luts, board.family),
            AnyBoard::Zynq(board) => (board.config, board.luts, Family::Xc7),
        };
        assert!(luts.is_some(), "{board}");
        let config = load_distinct(config.unwrap_or(&own)).unwrap();
        assert!(
            recorded_luts(&config).unwrap().is_some(),
            "{}: tengen record docs/results/area.jsonl --core",
            config.name
        );
        too_large(&config, board, luts, family).unwrap()
    }

    #[test]
    fn only_a_core_that_is_too_large_is_told() {
        for board in names().into_iter().chain(zynq::names()) {
            assert_eq!(told(board, None), None, "{board}");
        }
        // By LUTs of six inputs it would fit the ULX3S; routed cores say otherwise.
        for board in ["tang-nano-9k", "ulx3s-85f", "arty-a7-100t"] {
            let told = told(board, Some("gomoku15")).unwrap();
            assert!(
                told.contains("gomoku15 takes about ") && told.contains(&format!("{board} has ")),
                "{told}"
            );
        }
    }
}
