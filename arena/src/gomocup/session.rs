// SPDX-License-Identifier: MIT OR Apache-2.0
//! A brain: the manager's lines in, its own out, around any engine.

use super::command::{Command, NoCommand, Place, parse};
use super::limits::{Limits, Reserve};
use super::thinking::{think, within};
use engine_model::notation::alternating;
use engine_model::position::Tables;
use engine_model::{Cell, Engine, Position};
use std::sync::Arc;
use std::time::Duration;

/// Makes the engine of a board, or says why there is none.
pub type Maker<'a> = Box<dyn FnMut(usize, usize) -> Result<Box<dyn Engine>, String> + 'a>;
/// The time since some moment.
pub type Clock<'a> = Box<dyn Fn() -> Duration + 'a>;

/// Longest time to learn from a game.
const LESSON: Duration = Duration::from_secs(2);
/// Most games that wait to be learnt from.
const MOST_ENDED: usize = 16;

/// Three stones of a swap2 opening, as steps from the centre: to the search of gomoku15 the side to move is four half-points
/// better off on 15 x 15, to that of gomoku15-deep neither is.
const SWAP2_OPENING: [(isize, isize); 3] = [(0, 0), (1, 0), (0, 3)];
/// Half-points for which the brain would rather have the other colour.
const SWAP_FROM: i32 = 0;

/// What follows BOARD or SWAP2BOARD.
struct Listing {
    swap2: bool,
    stones: Vec<(Place, Option<u32>)>,
    wrong: Option<String>,
}

/// A game under way.
struct Game {
    engine: Box<dyn Engine>,
    tables: Arc<Tables>,
    moves: Vec<Cell>,
    /// Which stones are the brain's: those of the side that moved first (0) or second (1); not yet known on an empty board.
    own: Option<usize>,
    /// Games that may be lost, with the brain's side, for the engine to learn from.
    ended: Vec<(Vec<Cell>, usize)>,
    /// The game that the engine was shown last.
    shown: Vec<Cell>,
}

/// A brain.
pub struct Session<'a> {
    maker: Maker<'a>,
    clock: Clock<'a>,
    about: String,
    levels: Option<usize>,
    limits: Limits,
    size: Option<(usize, usize)>,
    game: Option<Game>,
    listing: Option<Listing>,
    ended: bool,
    /// What searches take beyond their time on this machine, as lately measured: kept back of the next ones'.
    reserve: Reserve,
}

impl<'a> Session<'a> {
    /// A brain that has been told nothing yet. `levels`: most levels of its searches, none: as built.
    pub fn new(maker: Maker<'a>, clock: Clock<'a>, about: String, levels: Option<usize>) -> Session<'a> {
        Session {
            maker,
            clock,
            about,
            levels,
            limits: Limits::default(),
            size: None,
            game: None,
            listing: None,
            ended: false,
            reserve: Reserve::default(),
        }
    }

    /// The same brain, which needs so many bytes: a lower limit is refused.
    pub fn needs(self, bytes: u64) -> Session<'a> {
        Session { limits: Limits::new(bytes), ..self }
    }

    /// Whether the manager has ended it.
    pub fn ended(&self) -> bool {
        self.ended
    }

    /// Takes a line and gives the lines that answer it.
    pub fn line(&mut self, line: &str) -> Vec<String> {
        let mut said = Vec::new();
        let answer = match parse(line) {
            Err(NoCommand::Empty) => Ok(None),
            Ok(command) => self.command(command, &mut said),
            Err(NoCommand::Unknown(text)) => match &mut self.listing {
                Some(listing) => {
                    listing.wrong.get_or_insert(text);
                    Ok(None)
                }
                None => Ok(Some(format!("UNKNOWN {text}"))),
            },
            Err(NoCommand::Malformed(text)) => match &mut self.listing {
                Some(listing) => {
                    listing.wrong.get_or_insert(text);
                    Ok(None)
                }
                None => Err(text),
            },
        };
        match answer {
            Ok(answer) => said.extend(answer),
            Err(reason) => said.push(format!("ERROR {}", reason.replace(['\n', '\r'], " "))),
        }
        said
    }

    /// One command: its answer, or why there is none.
    fn command(&mut self, command: Command, said: &mut Vec<String>) -> Result<Option<String>, String> {
        if let Some(listing) = &mut self.listing {
            match command {
                Command::Stone(place, field) => {
                    listing.stones.push((place, field));
                    return Ok(None);
                }
                Command::Done => {
                    let listing = self.listing.take().expect("it is there");
                    self.meets_limits()?;
                    return self.listed(listing, said).map(Some);
                }
                Command::Info { .. } | Command::End => {}
                // A manager that has lost its place begins anew.
                _ => {
                    self.listing = None;
                    said.push("ERROR the stones before this command were not ended by DONE: left out".into());
                }
            }
        }
        match command {
            Command::Info { key, value } => {
                self.limits.info(&key, &value);
                return Ok(None);
            }
            Command::End => {
                self.ended = true;
                said.extend(self.settle());
                return Ok(None);
            }
            Command::About => return Ok(Some(self.about.clone())),
            _ => self.meets_limits()?,
        }
        match command {
            Command::Start { .. } | Command::Restart => said.extend(self.settle()),
            // The clock of a move may be running: what there is to learn waits for the game's end.
            Command::Board | Command::Swap2Board => self.put_by(),
            _ => {}
        }
        match command {
            Command::Start { columns, rows } => {
                self.game = None;
                self.size = None;
                self.start(columns, rows).map(Some)
            }
            Command::Restart => {
                let (columns, rows) = self.size.ok_or("RESTART before START")?;
                self.start(columns, rows).map(Some)
            }
            Command::Begin => {
                let game = self.game()?;
                if !game.moves.is_empty() {
                    return Err("BEGIN: the board is not empty; send RESTART first".into());
                }
                self.think(said).map(Some)
            }
            Command::Turn(place) => {
                let game = self.game()?;
                if let Some(moves) = game.lost_by(place) {
                    game.put_by(moves);
                    said.extend(game.learn());
                }
                game.opponents(place)?;
                self.think(said).map(Some)
            }
            Command::Play(place) => {
                self.game()?.own_move(place)?;
                Ok(Some(place.to_string()))
            }
            Command::TakeBack(place) => {
                self.game()?.take_back(place)?;
                Ok(Some("OK".into()))
            }
            Command::Board | Command::Swap2Board => {
                self.game()?;
                let swap2 = command == Command::Swap2Board;
                self.listing = Some(Listing { swap2, stones: Vec::new(), wrong: None });
                Ok(None)
            }
            Command::Done | Command::Stone(..) => Err("no BOARD before this".into()),
            Command::Info { .. } | Command::End | Command::About => Ok(None),
        }
    }

    /// The game under way will not go on: the engine may learn from it, if it is lost, and from those put by. What it has learnt is
    /// said. An engine that can be stopped takes not much more than two seconds a game.
    pub fn settle(&mut self) -> Vec<String> {
        self.put_by();
        self.game.as_mut().map_or_else(Vec::new, Game::learn)
    }

    /// Keeps the game under way for [`Session::settle`].
    fn put_by(&mut self) {
        if let Some(game) = &mut self.game {
            game.put_by(game.moves.clone());
        }
    }

    fn meets_limits(&self) -> Result<(), String> {
        self.limits.complaint().map_or(Ok(()), |complaint| Err(complaint.into()))
    }

    fn game(&mut self) -> Result<&mut Game, String> {
        self.game.as_mut().ok_or_else(|| "no board: send START first".into())
    }

    fn start(&mut self, columns: usize, rows: usize) -> Result<String, String> {
        self.listing = None;
        // An engine that is there already is kept: a board on a line need not be found again.
        let kept = self.game.take().filter(|_| self.size == Some((columns, rows)));
        let mut engine = match kept {
            Some(game) => game.engine,
            None => (self.maker)(columns, rows)?,
        };
        engine.new_game().map_err(|error| error.to_string())?;
        let tables = Tables::new(engine.config());
        self.size = Some((columns, rows));
        self.game =
            Some(Game { engine, tables, moves: Vec::new(), own: None, ended: Vec::new(), shown: Vec::new() });
        Ok("OK".into())
    }

    /// The brain's move, played.
    fn think(&mut self, said: &mut Vec<String>) -> Result<String, String> {
        let (cell, _) = self.decide(said)?;
        let game = self.game()?;
        game.own_stone(cell);
        Ok(game.text(cell))
    }

    /// The brain's choice for the side to move, and its score.
    fn decide(&mut self, said: &mut Vec<String>) -> Result<(Cell, i32), String> {
        let budget = self.limits.budget().map(|budget| self.reserve.within(budget));
        let levels = self.levels;
        let begin = (self.clock)();
        let clock = &self.clock;
        let game = self.game.as_mut().ok_or("no board: send START first")?;
        let usual = if budget.is_some() { game.engine.deepest() } else { game.engine.levels() };
        let most = levels.unwrap_or(usual);
        let spent = || clock().saturating_sub(begin);
        let (decision, used) = think(game.engine.as_mut(), &game.moves, budget, most, &spent)
            .map_err(|error| error.to_string())?;
        let cell = decision.cell.ok_or("the game is over: send RESTART")?;
        let mut text = format!("MESSAGE levels {used}, score {}, nodes {}", decision.score, decision.nodes);
        if let Some(cycles) = decision.cycles {
            text.push_str(&format!(", cycles {cycles}"));
        }
        let spent = (self.clock)().saturating_sub(begin);
        if let Some(budget) = budget {
            self.reserve.learn(budget, spent);
        }
        said.push(format!("{text}, {} ms", spent.as_millis()));
        Ok((cell, decision.score))
    }

    /// A whole position, or a swap2 opening.
    fn listed(&mut self, listing: Listing, said: &mut Vec<String>) -> Result<String, String> {
        if let Some(wrong) = listing.wrong {
            return Err(wrong);
        }
        if !listing.swap2 {
            self.game()?.set(&listing.stones)?;
            return self.think(said);
        }
        let places: Vec<Place> = listing.stones.iter().map(|(place, _)| *place).collect();
        match places.len() {
            0 => self.game()?.swap2_opening(),
            3 | 5 => {
                // Black, white, black and so on: white is to move, and the brain's if it does not swap.
                let game = self.game()?;
                let cells = game.cells(&places)?;
                game.replace(cells, 1)?;
                let (cell, score) = self.decide(said)?;
                let game = self.game()?;
                if score < SWAP_FROM {
                    game.own = Some(0);
                    return Ok("SWAP".into());
                }
                game.own_stone(cell);
                Ok(game.text(cell))
            }
            number => Err(format!("SWAP2BOARD with {number} stones: there are 0, 3 or 5")),
        }
    }
}

impl Game {
    fn text(&self, cell: Cell) -> String {
        let point = self.tables.geometry.point(cell);
        Place { x: point.x, y: point.y }.to_string()
    }

    fn cell(&self, place: Place) -> Result<Cell, String> {
        let (columns, rows) = (self.tables.geometry.columns, self.tables.geometry.rows);
        self.tables
            .geometry
            .cell(place.x, place.y)
            .ok_or_else(|| format!("{place} is outside the {columns} x {rows} board"))
    }

    fn cells(&self, places: &[Place]) -> Result<Vec<Cell>, String> {
        places.iter().map(|place| self.cell(*place)).collect()
    }

    /// The position of these moves, or why it is none.
    fn position(&self, moves: &[Cell]) -> Result<Position, String> {
        Position::from_moves(&self.tables, moves).map_err(|illegal| illegal.to_string())
    }

    /// Takes a position over, if it is one and the game goes on.
    fn replace(&mut self, moves: Vec<Cell>, own: usize) -> Result<(), String> {
        if self.position(&moves)?.is_over() {
            return Err("the game of this position is over".into());
        }
        (self.moves, self.own) = (moves, Some(own));
        Ok(())
    }

    /// Whose turn it is: the side that moved first (0) or second (1).
    fn to_move(&self) -> usize {
        self.moves.len() % 2
    }

    /// A move of the side to move, if it is legal.
    fn played(&self, place: Place) -> Result<Vec<Cell>, String> {
        let cell = self.cell(place)?;
        let mut moves = self.moves.clone();
        moves.push(cell);
        self.position(&moves)?;
        Ok(moves)
    }

    /// The whole game, if this move of the opponent's wins it.
    fn lost_by(&self, place: Place) -> Option<Vec<Cell>> {
        let own = self.own.filter(|own| *own != self.to_move())?;
        let moves = self.played(place).ok()?;
        (self.position(&moves).ok()?.winner() == Some(1 - own)).then_some(moves)
    }

    /// Keeps a game to learn from, once, if its last position can be lost: the opponent is to move, or has moved last.
    fn put_by(&mut self, moves: Vec<Cell>) {
        let Some(own) = self.own.filter(|_| !moves.is_empty() && !self.shown.starts_with(&moves)) else {
            return;
        };
        self.shown.clone_from(&moves);
        self.ended.push((moves, own));
        if self.ended.len() > MOST_ENDED {
            self.ended.remove(0);
        }
    }

    /// Shows the engine the games that have ended: those that are lost teach it.
    fn learn(&mut self) -> Vec<String> {
        let mut said = Vec::new();
        for (moves, side) in std::mem::take(&mut self.ended) {
            let engine = &mut self.engine;
            let result = match engine.stop() {
                Some(stop) => within(&stop, LESSON, || engine.lost(&moves, side)),
                None => engine.lost(&moves, side),
            };
            match result {
                Ok(0) => {}
                Ok(lessons) => said.push(format!("MESSAGE learnt {lessons} positions of a lost game")),
                // The game goes on all the same: only the lesson is lost.
                Err(error) => {
                    let reason = error.to_string().replace(['\n', '\r'], " ");
                    said.push(format!("MESSAGE nothing learnt: {reason}"));
                }
            }
        }
        said
    }

    fn opponents(&mut self, place: Place) -> Result<(), String> {
        let own = self.own.unwrap_or(1 - self.to_move());
        if own == self.to_move() {
            return Err(format!("TURN {place}: the brain is to move, not its opponent; send BOARD"));
        }
        let moves = self.played(place)?;
        self.replace(moves, own)
    }

    fn own_move(&mut self, place: Place) -> Result<(), String> {
        if self.own.is_some_and(|own| own != self.to_move()) {
            return Err(format!("PLAY {place}: the opponent is to move, not the brain; send BOARD"));
        }
        let moves = self.played(place)?;
        self.own = Some(self.to_move());
        self.moves = moves;
        Ok(())
    }

    fn own_stone(&mut self, cell: Cell) {
        self.own = Some(self.to_move());
        self.moves.push(cell);
    }

    fn take_back(&mut self, place: Place) -> Result<(), String> {
        let cell = self.cell(place)?;
        if self.moves.last() != Some(&cell) {
            return Err(format!("TAKEBACK {place}: not the last move"));
        }
        self.moves.pop();
        if self.moves.is_empty() {
            self.own = None;
        }
        Ok(())
    }

    /// A position from its stones. Their order need not be the game's: each side's are played as they come.
    fn set(&mut self, stones: &[(Place, Option<u32>)]) -> Result<(), String> {
        let mut of_side: [Vec<Cell>; 2] = [Vec::new(), Vec::new()];
        for (place, field) in stones {
            let side = match field {
                Some(1) => 0,
                Some(2) => 1,
                Some(3) => return Err(format!("{place},3: this brain plays no continuous game")),
                _ => return Err(format!("{place}: a field of 1 (own) or 2 (the opponent's) is missing")),
            };
            let cell = self.cell(*place)?;
            of_side[side].push(cell);
        }
        let [own, others] = of_side;
        let first = match others.len().checked_sub(own.len()) {
            Some(0) => 0,
            Some(1) => 1,
            _ => {
                return Err(format!(
                    "{} own stones and {} of the opponent's: the brain is not to move",
                    own.len(),
                    others.len()
                ));
            }
        };
        let (leading, following) = if first == 0 { (own, others) } else { (others, own) };
        let moves = alternating(&leading, &following);
        if moves.is_empty() {
            (self.moves, self.own) = (moves, None);
            return Ok(());
        }
        self.replace(moves, first)
    }

    fn swap2_opening(&self) -> Result<String, String> {
        let (x, y) = (self.tables.geometry.columns / 2, self.tables.geometry.rows / 2);
        let place = |(dx, dy): (isize, isize)| {
            let (x, y) = (x.checked_add_signed(dx)?, y.checked_add_signed(dy)?);
            self.tables.geometry.cell(x, y).map(|_| Place { x, y }.to_string())
        };
        let places: Option<Vec<String>> = SWAP2_OPENING.into_iter().map(place).collect();
        places.map(|places| places.join(" ")).ok_or_else(|| "the board is too small for swap2".into())
    }
}
