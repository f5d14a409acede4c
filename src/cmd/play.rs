// SPDX-License-Identifier: MIT OR Apache-2.0
//! `tengen play`: a game in the terminal.

use crate::board_line::EngineArguments;
use crate::found::Found;
use crate::opponent::open;
use crate::software::Learn;
use anyhow::bail;
use arena::drawing::board;
use engine_model::notation::{Form, format_game, parse_game};
use engine_model::position::Tables;
use engine_model::{Cell, Config, Decision, Engine, Position};
use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::time::Instant;
use tournament::lines::next_line;

/// Arguments of `play`.
#[derive(clap::Args)]
pub struct Arguments {
    /// Whom to play against: model, rtl (the simulated core), greedy, five-tuple, line-shape, pvs, or the path of a board's port
    #[arg(long, visible_alias = "port", value_name = "ENGINE", default_value = "model")]
    engine: String,
    /// A second engine that plays instead of you
    #[arg(long, value_name = "ENGINE")]
    against: Option<String>,
    /// Configuration: a name (see `tengen configs`) or a .toml file; else gomoku15, or what the board holds
    #[arg(long, value_name = "NAME|FILE")]
    config: Option<String>,
    /// The engine moves first
    #[arg(long)]
    engine_first: bool,
    /// Levels of the engine's searches; else as built
    #[arg(long, value_name = "N")]
    levels: Option<usize>,
    /// File of what pvs has learnt from games it lost; it is read, and what is learnt is added
    #[arg(long, value_name = "FILE")]
    learn: Option<PathBuf>,
    #[command(flatten)]
    engines: EngineArguments,
}

const HELP: &str = "x,y plays (column, row, from 0)   undo  hint  moves  new  board  help  quit";

/// A game between an engine and somebody else.
struct Game {
    engine: Box<dyn Engine>,
    position: Position,
    levels: Option<usize>,
    /// Something went wrong: the engine may hold another position.
    stale: bool,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> anyhow::Result<Found> {
    let config = arguments.config.as_deref();
    let mut engine =
        open(&arguments.engine, config, &arguments.engines, arguments.learn.as_deref().map(Learn::Keep))?;
    engine.new_game()?;
    let tables = Tables::new(engine.config());
    let mut game = Game { engine, position: Position::new(&tables), levels: arguments.levels, stale: false };
    let mut out = std::io::stdout().lock();
    writeln!(out, "{} plays {}", game.engine.name(), game.engine.config().name)?;
    match &arguments.against {
        Some(name) => {
            let mut other = open(
                name,
                Some(arguments.config.as_deref().unwrap_or(&game.engine.config().name)),
                &arguments.engines,
                None,
            )?;
            let board = |config: &Config| (config.columns, config.rows, config.in_a_row);
            if board(other.config()) != board(game.engine.config()) {
                bail!("the two engines play on different boards: name one configuration with --config");
            }
            other.new_game()?;
            game.against(other.as_mut(), arguments.engine_first, &mut out)?;
        }
        None => game.with_human(arguments.engine_first, &mut out)?,
    }
    Ok(Found::Nothing)
}

impl Game {
    /// The board; the last move in brackets.
    fn draw(&self, out: &mut impl Write) -> std::io::Result<()> {
        let last = self.position.moves().last().copied();
        let geometry = &self.position.tables().geometry;
        write!(out, "{}", board(geometry, |cell| self.position.owner(cell), last))
    }

    fn point(&self, cell: Cell) -> String {
        self.position.tables().geometry.point(cell).to_string()
    }

    fn told(
        &self,
        who: &str,
        decision: &Decision,
        seconds: f64,
        out: &mut impl Write,
    ) -> std::io::Result<()> {
        let Some(cell) = decision.cell else {
            return writeln!(out, "{who} has no move");
        };
        let cycles = decision.cycles.map_or(String::new(), |cycles| format!(", {cycles} clock cycles"));
        writeln!(
            out,
            "{who}: {}   score {}, {} nodes{cycles}, {seconds:.3} s",
            self.point(cell),
            decision.score,
            decision.nodes
        )
    }

    /// How the game ended, if it has.
    fn result(&self) -> Option<String> {
        if !self.position.is_over() {
            return None;
        }
        Some(match self.position.winner() {
            Some(side) => format!("{} wins after {} moves", ["X", "O"][side], self.position.stones()),
            None => "the board is full: a draw".into(),
        })
    }

    /// Lets the engine move.
    fn engine_moves(&mut self, out: &mut impl Write) -> anyhow::Result<()> {
        let begin = Instant::now();
        let decision = self.engine.search(self.levels)?;
        let seconds = begin.elapsed().as_secs_f64();
        self.told(&self.engine.name(), &decision, seconds, out)?;
        match decision.cell {
            Some(cell) => Ok(self.position.play(cell)?),
            None => bail!("{} answered no move although the game goes on", self.engine.name()),
        }
    }

    fn undo(&mut self, moves: usize) -> anyhow::Result<()> {
        let kept = self.position.stones().saturating_sub(moves);
        let left = self.position.moves()[..kept].to_vec();
        self.set(&left)
    }

    fn set(&mut self, moves: &[Cell]) -> anyhow::Result<()> {
        self.engine.set_position(moves)?;
        self.position = Position::from_moves(&self.position.tables().clone(), moves)?;
        Ok(())
    }

    fn hint(&mut self, out: &mut impl Write) -> anyhow::Result<()> {
        let moves = self.position.moves().to_vec();
        let begin = Instant::now();
        let decision = self.engine.search(self.levels)?;
        let seconds = begin.elapsed().as_secs_f64();
        self.engine.set_position(&moves)?;
        Ok(self.told("hint", &decision, seconds, out)?)
    }

    /// A game against whoever writes to standard input, one command a line.
    fn with_human(&mut self, engine_first: bool, out: &mut impl Write) -> anyhow::Result<()> {
        let input = std::io::stdin();
        let prompting = input.is_terminal();
        let mut input = input.lock();
        writeln!(out, "you are {}   {HELP}", if engine_first { 'O' } else { 'X' })?;
        if engine_first {
            self.engine_moves(out)?;
        }
        self.draw(out)?;
        loop {
            if prompting {
                write!(out, "> ")?;
                out.flush()?;
            }
            let Some(line) = next_line(&mut input) else {
                return Ok(());
            };
            let recovered = match line.trim() {
                "quit" | "exit" | "help" | "board" | "moves" | "new" => Ok(()),
                _ => self.recover(engine_first, out),
            };
            if let Err(error) = recovered {
                writeln!(out, "{error:#}")?;
                continue;
            }
            let done = match line.trim() {
                "" => Ok(()),
                "quit" | "exit" => return Ok(()),
                "help" => Ok(writeln!(out, "{HELP}")?),
                "board" => Ok(self.draw(out)?),
                "moves" => {
                    let geometry = &self.position.tables().geometry;
                    Ok(writeln!(out, "{}", format_game(self.position.moves(), geometry))?)
                }
                "hint" if self.position.is_over() => Ok(writeln!(out, "the game is over: undo or new")?),
                "hint" => self.hint(out),
                "new" => self.set(&[]).and_then(|()| {
                    if engine_first {
                        self.engine_moves(out)?;
                    }
                    Ok(self.draw(out)?)
                }),
                "undo" => {
                    // The engine's answer and your move; only yours if it ended the game.
                    let own = usize::from(engine_first);
                    let last_is_own = self.position.stones() % 2 == 1 - own;
                    let moves = if last_is_own { 1 } else { 2 };
                    if self.position.stones() < moves + own {
                        Ok(writeln!(out, "there is nothing to undo")?)
                    } else {
                        self.undo(moves).and_then(|()| Ok(self.draw(out)?))
                    }
                }
                text => self.turn(text, out),
            };
            // What the engine refuses is told, and the game goes on.
            if let Err(error) = done {
                self.stale = true;
                writeln!(out, "{error:#}")?;
            }
        }
    }

    /// After something went wrong: gives the engine the game anew, and lets it make the move that it owes.
    fn recover(&mut self, engine_first: bool, out: &mut impl Write) -> anyhow::Result<()> {
        if !self.stale {
            return Ok(());
        }
        self.engine.set_position(self.position.moves())?;
        let engines_turn = self.position.stones().is_multiple_of(2) == engine_first;
        if engines_turn && !self.position.is_over() {
            self.engine_moves(out)?;
        }
        self.stale = false;
        Ok(())
    }

    /// Your move and the engine's answer.
    fn turn(&mut self, text: &str, out: &mut impl Write) -> anyhow::Result<()> {
        let geometry = &self.position.tables().geometry;
        let cell = match parse_game(text, 1, Form::Corner, geometry).as_deref() {
            Ok(&[cell]) => cell,
            _ => bail!("{text:?} is no move on this board and no command: {HELP}"),
        };
        self.position.check(cell)?;
        let engine_side = 1 - self.position.side_to_move();
        self.engine.play(cell)?;
        self.position.play(cell)?;
        if !self.position.is_over() {
            self.engine_moves(out)?;
        }
        self.draw(out)?;
        if let Some(result) = self.result() {
            writeln!(out, "{result}")?;
            self.learn(engine_side, out)?;
        }
        Ok(())
    }

    /// Lets the engine, which plays `side`, learn from a game that it has lost.
    fn learn(&mut self, side: usize, out: &mut impl Write) -> anyhow::Result<()> {
        if self.position.winner().is_some_and(|winner| winner != side) {
            let lessons = self.engine.lost(self.position.moves(), side)?;
            if lessons > 0 {
                writeln!(out, "{} has learnt {lessons} positions from this", self.engine.name())?;
            }
        }
        Ok(())
    }

    /// A game against another engine.
    fn against(
        &mut self,
        other: &mut dyn Engine,
        engine_first: bool,
        out: &mut impl Write,
    ) -> anyhow::Result<()> {
        let mut own_turn = engine_first;
        while !self.position.is_over() {
            if own_turn {
                self.engine_moves(out)?;
                if let Some(&cell) = self.position.moves().last() {
                    other.play(cell)?;
                }
            } else {
                let begin = Instant::now();
                let decision = other.search(self.levels)?;
                self.told(&other.name(), &decision, begin.elapsed().as_secs_f64(), out)?;
                let Some(cell) = decision.cell else {
                    bail!("{} answered no move although the game goes on", other.name());
                };
                self.engine.play(cell)?;
                self.position.play(cell)?;
            }
            own_turn = !own_turn;
        }
        self.draw(out)?;
        if let Some(result) = self.result() {
            writeln!(out, "{result}")?;
            self.learn(usize::from(!engine_first), out)?;
        }
        Ok(())
    }
}
