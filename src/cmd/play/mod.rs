// SPDX-License-Identifier: MIT OR Apache-2.0
//! `tengen play`: a game in the terminal.

mod table;

use crate::board_line::EngineArguments;
use crate::found::{self, Found};
use crate::opponent::open;
use crate::progress::Progress;
use crate::software::Learn;
use anyhow::{Context as _, bail};
use arena::{games, sgf};
use engine_model::notation::{square, squares};
use engine_model::position::{IllegalMove, Tables};
use engine_model::{Cell, Config, Decision, Engine, Position};
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;
use table::Style;
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
    /// Go on with the game of this file (SGF, PSQ or moves)
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
    /// Levels of the engine's searches; else as built
    #[arg(long, value_name = "N")]
    levels: Option<usize>,
    /// File of what pvs has learnt from games it lost; it is read, and what is learnt is added
    #[arg(long, value_name = "FILE")]
    learn: Option<PathBuf>,
    #[command(flatten)]
    engines: EngineArguments,
}

const HELP: &str = "h9 plays (letter of the column, row from the bottom); 7,6 or 7 6 too (column, row from the top, both from 0)\n\
    undo  hint  moves  board  numbers (moves instead of stones)  new  side (the engine moves for you)  resign\n\
    level N  engine NAME  save FILE.sgf  load FILE  help  quit";

/// What an engine chooses, and in how many seconds.
fn searched(engine: &mut dyn Engine, levels: Option<usize>) -> anyhow::Result<(Decision, f64)> {
    let _bar = Progress::of(format!("{} searches", engine.name()));
    let begin = Instant::now();
    let decision = engine.search(levels)?;
    Ok((decision, begin.elapsed().as_secs_f64()))
}

/// A game between an engine and somebody else.
struct Game {
    engine: Box<dyn Engine>,
    position: Position,
    levels: Option<usize>,
    /// Something went wrong: the engine may hold another position.
    stale: bool,
    /// The side that the engine plays: it moved first (0) or second (1).
    engine_side: usize,
    /// Somebody has given up.
    resigned: bool,
    style: Style,
}

/// Opens an engine by its name, as `--engine` does.
type Opener<'a> = &'a dyn Fn(&str) -> anyhow::Result<Box<dyn Engine>>;

/// Runs the command.
pub fn run(arguments: &Arguments) -> anyhow::Result<Found> {
    let config = arguments.config.as_deref();
    let mut engine =
        open(&arguments.engine, config, &arguments.engines, arguments.learn.as_deref().map(Learn::Keep))?;
    engine.new_game()?;
    let tables = Tables::new(engine.config());
    let stdout = std::io::stdout();
    let colours = stdout.is_terminal() && std::env::var_os("NO_COLOR").is_none();
    let mut game = Game {
        engine,
        position: Position::new(&tables),
        levels: arguments.levels,
        stale: false,
        engine_side: usize::from(!arguments.engine_first),
        resigned: false,
        style: Style { colours, numbers: false },
    };
    if let Some(file) = &arguments.resume {
        game.load(file)?;
    }
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
        None => {
            let of = game.engine.config().name.clone();
            let config = arguments.config.clone().unwrap_or(of);
            let opener = |name: &str| open(name, Some(&config), &arguments.engines, None);
            game.with_human(&opener, &mut out)?;
        }
    }
    Ok(Found::Nothing)
}

impl Game {
    /// The board, and what threatens.
    fn draw(&self, out: &mut impl Write) -> std::io::Result<()> {
        write!(out, "{}", table::draw(&self.position, self.style))?;
        match table::threats(&self.position) {
            Some(threats) => writeln!(out, "{threats}"),
            None => Ok(()),
        }
    }

    fn square(&self, cell: Cell) -> String {
        square(cell, &self.position.tables().geometry)
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
        // The original protocol tells a move, and nothing of its search.
        if (decision.score, decision.nodes, decision.cycles) == (0, 0, None) {
            return writeln!(out, "{who}: {}   {seconds:.3} s", self.square(cell));
        }
        let cycles = decision.cycles.map_or(String::new(), |cycles| format!(", {cycles} clock cycles"));
        writeln!(
            out,
            "{who}: {}   {}, {} nodes{cycles}, {seconds:.3} s",
            self.square(cell),
            match self.engine.decided(decision.score) {
                Some(plies) if plies > 0 => format!("wins in {plies}"),
                Some(plies) => format!("loses in {}", -plies),
                None => format!("score {:+}", decision.score),
            },
            decision.nodes
        )
    }

    /// How the game ended, if it has.
    fn result(&self) -> Option<String> {
        if self.resigned {
            return Some(format!(
                "{} resigns after {} moves",
                ["X", "O"][1 - self.engine_side],
                self.position.stones()
            ));
        }
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
        let (decision, seconds) = searched(self.engine.as_mut(), self.levels)?;
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
        let (decision, seconds) = searched(self.engine.as_mut(), self.levels)?;
        self.engine.set_position(&moves)?;
        Ok(self.told("hint", &decision, seconds, out)?)
    }

    /// Takes the game of a file.
    fn load(&mut self, file: &Path) -> anyhow::Result<()> {
        let text = crate::reading::named(file, "")?;
        let geometry = self.position.tables().geometry.clone();
        let found = games::parse(&text, &geometry).with_context(|| file.display().to_string())?;
        let moves = found.into_iter().next().with_context(|| format!("{} holds no game", file.display()))?;
        self.resigned = false;
        self.set(&moves)
    }

    /// Writes the game as SGF.
    fn save(&self, file: &Path) -> anyhow::Result<()> {
        let engine = self.engine.name();
        let players = if self.engine_side == 0 { [&*engine, "you"] } else { ["you", &*engine] };
        let text = sgf::moves(self.position.moves(), &self.position.tables().geometry, players);
        std::fs::write(file, text).with_context(|| format!("cannot write {}", file.display()))
    }

    /// The engine moves if it is its turn.
    fn engine_moves_if_its_turn(&mut self, out: &mut impl Write) -> anyhow::Result<()> {
        match self.position.side_to_move() == self.engine_side && self.result().is_none() {
            true => self.engine_moves(out),
            false => Ok(()),
        }
    }

    /// A game against whoever writes to standard input, one command a line.
    fn with_human(&mut self, opener: Opener, out: &mut impl Write) -> anyhow::Result<()> {
        let input = std::io::stdin();
        let prompting = input.is_terminal();
        let mut input = input.lock();
        writeln!(out, "you are {}\n{HELP}", ["O", "X"][self.engine_side])?;
        self.engine_moves_if_its_turn(out)?;
        self.draw(out)?;
        loop {
            if prompting {
                write!(out, "> ")?;
                out.flush()?;
            }
            let Some(line) = next_line(&mut input) else {
                return Ok(());
            };
            let line = line.trim();
            if matches!(line, "quit" | "exit") {
                return Ok(());
            }
            // What the engine refuses is told, and the game goes on.
            if let Err(error) = self.command(line, opener, out) {
                writeln!(out, "{}", found::message(&error))?;
            }
        }
    }

    /// One line of the player's.
    fn command(&mut self, line: &str, opener: Opener, out: &mut impl Write) -> anyhow::Result<()> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match (word, rest) {
            ("", _) => return Ok(()),
            ("help", _) => return Ok(writeln!(out, "{HELP}")?),
            ("board", _) => return Ok(self.draw(out)?),
            ("numbers", _) => {
                self.style.numbers = !self.style.numbers;
                return Ok(self.draw(out)?);
            }
            ("moves", _) => {
                let geometry = &self.position.tables().geometry;
                return Ok(writeln!(out, "{}", squares(self.position.moves(), geometry))?);
            }
            ("save" | "load" | "level" | "engine", "") => bail!("{word}: say what; {HELP}"),
            ("save", file) => {
                self.save(Path::new(file))?;
                return Ok(writeln!(out, "{file}: {} moves", self.position.stones())?);
            }
            _ => {}
        }
        if word != "new" {
            self.recover(out)?;
        }
        let done = self.change(word, rest, line, opener, out);
        self.stale |= done.is_err();
        done
    }

    /// A command that changes the game or asks the engine.
    fn change(
        &mut self,
        word: &str,
        rest: &str,
        line: &str,
        opener: Opener,
        out: &mut impl Write,
    ) -> anyhow::Result<()> {
        match word {
            "new" => {
                self.set(&[])?;
                self.resigned = false;
            }
            "load" => {
                self.load(Path::new(rest))?;
                writeln!(out, "{rest}: {} moves", self.position.stones())?;
            }
            "side" => {
                self.engine_side = 1 - self.engine_side;
                writeln!(out, "you are {} now", ["O", "X"][self.engine_side])?;
            }
            "level" => {
                let (levels, built) = (rest.parse().unwrap_or(0), self.engine.deepest());
                if !(1..=built).contains(&levels) {
                    bail!("level {rest}: {} has 1 to {built}", self.engine.name());
                }
                self.levels = Some(levels);
                return Ok(writeln!(out, "{} searches {levels} levels from now on", self.engine.name())?);
            }
            "engine" => {
                let mut other = opener(rest)?;
                other.set_position(self.position.moves())?;
                self.engine = other;
                self.levels = None;
                return Ok(writeln!(out, "{} plays on", self.engine.name())?);
            }
            "resign" if self.result().is_none() => {
                self.resigned = true;
                return Ok(writeln!(out, "{}: undo, load or new", self.result().unwrap_or_default())?);
            }
            "hint" | "resign" if self.result().is_some() => bail!("the game is over: undo or new"),
            "hint" => return self.hint(out),
            "undo" => {
                // The engine's answer and your move; only yours if it ended the game.
                let own = self.engine_side;
                let last_is_own = self.position.stones() % 2 == own;
                let moves = if last_is_own { 1 } else { 2 };
                if !std::mem::take(&mut self.resigned) {
                    if self.position.stones() < moves + (1 - own) {
                        bail!("there is nothing to undo");
                    }
                    self.undo(moves)?;
                }
            }
            _ => return self.turn(line, out),
        }
        self.engine_moves_if_its_turn(out)?;
        Ok(self.draw(out)?)
    }

    /// After something went wrong: gives the engine the game anew, and lets it make the move that it owes.
    fn recover(&mut self, out: &mut impl Write) -> anyhow::Result<()> {
        if !self.stale {
            return Ok(());
        }
        self.engine.set_position(self.position.moves())?;
        self.engine_moves_if_its_turn(out)?;
        self.stale = false;
        Ok(())
    }

    /// Your move and the engine's answer.
    fn turn(&mut self, text: &str, out: &mut impl Write) -> anyhow::Result<()> {
        let geometry = &self.position.tables().geometry;
        let Some(cell) = table::cell(text, geometry) else {
            bail!(
                "{:?} is no move on this board and no command: {HELP}",
                text.chars().take(40).collect::<String>()
            );
        };
        if self.resigned {
            bail!("the game is over: undo or new");
        }
        match self.position.check(cell) {
            Err(IllegalMove::Occupied { .. }) => bail!("{} is taken", self.square(cell)),
            checked => checked?,
        }
        self.engine.play(cell)?;
        self.position.play(cell)?;
        if !self.position.is_over() {
            self.engine_moves(out)?;
        }
        self.draw(out)?;
        if let Some(result) = self.result() {
            writeln!(out, "{result}")?;
            self.learn(self.engine_side, out)?;
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
                let (decision, seconds) = searched(other, self.levels)?;
                self.told(&other.name(), &decision, seconds, out)?;
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
