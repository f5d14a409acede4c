// SPDX-License-Identifier: MIT OR Apache-2.0
//! A brain: the manager's lines in, its own out, around any engine.

use super::command::{Command, NoCommand, Place, Stone, parse};
use super::game::Game;
use super::limits::{Limits, Reserve};
use super::thinking::{Bounds, on_the_way, think};
use engine_model::position::Tables;
use engine_model::{Cell, Decision, Engine};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Makes the engine of a board, or says why there is none.
pub type Maker<'a> = Box<dyn FnMut(usize, usize) -> Result<Box<dyn Engine>, String> + 'a>;
/// The time since some moment.
pub type Clock<'a> = Box<dyn Fn() -> Duration + 'a>;

/// Hears a line at once.
pub type Listener<'a> = Box<dyn FnMut(&str) + 'a>;

/// Half-points for which the brain would rather have the other colour.
const SWAP_FROM: i32 = 0;

/// What a list of stones is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Purpose {
    /// The brain moves.
    Move,
    /// A swap2 opening.
    Swap2,
    /// To be looked at.
    Analysis,
}

/// What follows BOARD, SWAP2BOARD or YXBOARD.
struct Listing {
    purpose: Purpose,
    stones: Vec<Stone>,
    wrong: Option<String>,
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
    /// Whether what a search finds on its way is wanted, and who hears of it at once.
    detail: bool,
    listener: Option<Listener<'a>>,
    /// The running search is to end; see [`Session::halts`].
    halts: Arc<AtomicBool>,
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
            detail: false,
            listener: None,
            halts: Arc::default(),
            reserve: Reserve::default(),
        }
    }

    /// The same brain, which needs so many bytes: a lower limit is refused.
    pub fn needs(self, bytes: u64) -> Session<'a> {
        Session { limits: Limits::new(bytes), ..self }
    }

    /// The same brain; lines that cannot wait for the answer of their command go to the listener, else before it.
    pub fn heard_by(self, listener: Listener<'a>) -> Session<'a> {
        Session { listener: Some(listener), ..self }
    }

    /// Set, it ends the running search: by whoever reads lines ahead and finds [`Command::Halt`], which clears it in its turn.
    pub fn halts(&self) -> Arc<AtomicBool> {
        self.halts.clone()
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
                    return self.listed(listing, said);
                }
                Command::Info { .. } | Command::End | Command::Halt | Command::ShowInfo => {}
                // A manager that has lost its place begins anew.
                _ => {
                    self.listing = None;
                    said.push("ERROR the stones before this command were not ended by DONE: left out".into());
                }
            }
        }
        match command {
            Command::Info { key, value } => {
                if key == "show_detail" {
                    self.detail = value != "0";
                }
                self.limits.info(&key, &value);
                return Ok(None);
            }
            Command::End => {
                self.ended = true;
                said.extend(self.settle());
                return Ok(None);
            }
            Command::About => return Ok(Some(self.about.clone())),
            Command::Halt => {
                self.halts.store(false, Ordering::Relaxed);
                return Ok(None);
            }
            Command::ShowInfo => {
                self.detail = true;
                return Ok(Some("MESSAGE INFO MAX_THREAD_NUM 1".into()));
            }
            _ => self.meets_limits()?,
        }
        match command {
            Command::Start { .. } | Command::Restart => said.extend(self.settle()),
            // The clock of a move may be running: what there is to learn waits for the game's end.
            Command::Board | Command::Swap2Board | Command::Analyse(..) => self.put_by(),
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
                let purpose = if command == Command::Board { Purpose::Move } else { Purpose::Swap2 };
                self.listing = Some(Listing { purpose, stones: Vec::new(), wrong: None });
                Ok(None)
            }
            Command::Analyse(stones, done) => {
                self.game()?;
                let listing = Listing { purpose: Purpose::Analysis, stones, wrong: None };
                if done {
                    return self.listed(listing, said);
                }
                self.listing = Some(listing);
                Ok(None)
            }
            Command::Best(count) => self.best(count, said).map(Some),
            Command::Done | Command::Stone(..) => Err("no BOARD before this".into()),
            Command::Info { .. } | Command::End | Command::About | Command::Halt | Command::ShowInfo => {
                Ok(None)
            }
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

    pub(super) fn game(&mut self) -> Result<&mut Game, String> {
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
        let (decision, _) = self.search(said)?;
        Ok((decision.cell.ok_or("the game is over: send RESTART")?, decision.score))
    }

    /// Searches the game's position, within its limits; the decision and the levels that it comes from.
    pub(super) fn search(&mut self, said: &mut Vec<String>) -> Result<(Decision, usize), String> {
        let budget = self.limits.budget().map(|budget| self.reserve.within(budget));
        let levels = self.levels;
        let begin = (self.clock)();
        let (clock, detail, listener) = (&self.clock, self.detail, &mut self.listener);
        let game = self.game.as_mut().ok_or("no board: send START first")?;
        let usual = if budget.is_some() { game.engine.deepest() } else { game.engine.levels() };
        let most = levels.unwrap_or(usual);
        let most = self.limits.depth.map_or(most, |depth| most.min(depth));
        let spent = || clock().saturating_sub(begin);
        let bounds = Bounds { budget, nodes: self.limits.nodes, most, spent: &spent, halted: &self.halts };
        let tables = game.tables.clone();
        let mut found = |decision: &Decision, levels: usize| {
            for line in detail.then(|| on_the_way(&tables, decision, levels, spent())).into_iter().flatten() {
                match listener {
                    Some(listener) => listener(&line),
                    None => said.push(line),
                }
            }
        };
        let (decision, used) = think(game.engine.as_mut(), &game.moves, &bounds, &mut found)
            .map_err(|error| error.to_string())?;
        let mut text = format!("MESSAGE levels {used}, score {}, nodes {}", decision.score, decision.nodes);
        if let Some(cycles) = decision.cycles {
            text.push_str(&format!(", cycles {cycles}"));
        }
        let spent = (self.clock)().saturating_sub(begin);
        if let Some(budget) = budget {
            self.reserve.learn(budget, spent);
        }
        said.push(format!("{text}, {} ms", spent.as_millis()));
        Ok((decision, used))
    }

    /// A whole position, or a swap2 opening.
    fn listed(&mut self, listing: Listing, said: &mut Vec<String>) -> Result<Option<String>, String> {
        if let Some(wrong) = listing.wrong {
            return Err(wrong);
        }
        if listing.purpose != Purpose::Swap2 {
            self.game()?.set(&listing.stones)?;
            return if listing.purpose == Purpose::Move { self.think(said).map(Some) } else { Ok(None) };
        }
        let places: Vec<Place> = listing.stones.iter().map(|(place, _)| *place).collect();
        match places.len() {
            0 => self.game()?.swap2_opening().map(Some),
            3 | 5 => {
                // Black, white, black and so on: white is to move, and the brain's if it does not swap.
                let game = self.game()?;
                let cells = game.cells(&places)?;
                game.replace(cells, 1)?;
                let (cell, score) = self.decide(said)?;
                let game = self.game()?;
                if score < SWAP_FROM {
                    game.own = Some(0);
                    return Ok(Some("SWAP".into()));
                }
                game.own_stone(cell);
                Ok(Some(game.text(cell)))
            }
            number => Err(format!("SWAP2BOARD with {number} stones: there are 0, 3 or 5")),
        }
    }
}
