// SPDX-License-Identifier: MIT OR Apache-2.0
//! A board by the framed protocol.
//!
//! The driver keeps the game's moves. When the board was started anew, or went away and came back, it finds its position by
//! its digest and sets it again before the request is repeated: a move is neither lost nor played twice.

pub use crate::answers::{Counters, Found, Identity, Limits, Outcome, Solved, status};
use crate::error::BoardError;
use crate::frame::{Code, Kind, crc32};
use crate::host::{Hardware, Host};
use crate::layout::{COUNTERS, HELLO, PLAY, Part, Parts, REFUSED, SEARCH, TAKE_BACK};
use crate::session::{Broken, LineStatistics, Patience, Reply, Session, bits_time};
use crate::transport::Connector;
use engine_model::{IllegalMove, Point};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A board at the other end of a line, with the game that is played on it.
pub struct Board {
    pub(crate) session: Session,
    /// The firmware's part, for a board that has no processor.
    pub(crate) host: Option<Host>,
    pub(crate) identity: Identity,
    pub(crate) moves: Vec<Point>,
    /// A request has failed that may have been carried out: the board is asked before anything else.
    pub(crate) unsure: bool,
    /// Whether `moves` are the board's: before it was asked for them, nothing is set anew.
    known: bool,
}

pub(crate) fn bytes_of(moves: &[Point]) -> Vec<u8> {
    moves.iter().flat_map(|point| [point.x as u8, point.y as u8]).collect()
}

fn version(word: u64) -> [u8; 3] {
    [(word >> 16) as u8, (word >> 8) as u8, word as u8]
}

fn nonsense(reply: &Reply) -> BoardError {
    BoardError::Nonsense { what: format!("{reply:?}") }
}

fn parts<'a>(layout: &'static [Part], reply: &'a Reply) -> Result<Parts<'a>, BoardError> {
    Ok(Parts::split(layout, &reply.body).ok_or_else(|| nonsense(reply))?.0)
}

fn outcome(over: u8, reply: &Reply) -> Result<Outcome, BoardError> {
    match over {
        0 => Ok(Outcome::Open),
        1 => Ok(Outcome::Line),
        2 => Ok(Outcome::Full),
        _ => Err(nonsense(reply)),
    }
}

/// A move that the protocol can carry; whether it is on the board, the board knows.
pub(crate) fn encode(point: Point, identity: &Identity) -> Result<[u8; 2], BoardError> {
    match (u8::try_from(point.x), u8::try_from(point.y)) {
        (Ok(x), Ok(y)) if point.x < identity.columns && point.y < identity.rows => Ok([x, y]),
        _ => Err(outside(point, identity).into()),
    }
}

fn outside(point: Point, identity: &Identity) -> IllegalMove {
    IllegalMove::Outside { x: point.x, y: point.y, columns: identity.columns, rows: identity.rows }
}

impl Board {
    /// Opens a line and begins a session. The game that is on the board goes on.
    pub fn connect(connector: Box<dyn Connector>, patience: Patience) -> Result<Board, BoardError> {
        Board::over(Session::open(connector, patience)?)
    }

    pub(crate) fn over(mut session: Session) -> Result<Board, BoardError> {
        let mut host = None;
        let reply = hello(&mut session, &mut host)?;
        let identity = Board::identify(&session.name(), &reply)?;
        let mut board = Board { session, host, identity, moves: Vec::new(), unsure: false, known: false };
        board.read_moves()?;
        board.known = true;
        Ok(board)
    }

    fn identify(port: &str, reply: &Reply) -> Result<Identity, BoardError> {
        if reply.code == Code::CoreSilent as u8 {
            return Err(BoardError::NoCore { port: port.into() });
        }
        if reply.code != Code::Ok as u8 {
            return Err(BoardError::Refused { code: reply.code });
        }
        let hello = parts(HELLO, reply)?;
        let (configuration, hardware) = (hello.get("configuration"), hello.get("hardware"));
        let byte = |word: u64, index: u32| (word >> (8 * index)) as u8 as usize;
        Ok(Identity {
            firmware: version(hello.get("firmware")),
            core: version(hello.get("version")),
            clock_hz: hello.get("clock") as u32,
            slot: hello.get("slot") as u8,
            columns: byte(configuration, 0),
            rows: byte(configuration, 1),
            in_a_row: byte(configuration, 2),
            levels: byte(configuration, 3),
            contexts: byte(hardware, 1),
            extensions: byte(hardware, 2),
        })
    }

    /// What the board said of itself.
    pub fn identity(&self) -> &Identity {
        &self.identity
    }

    /// What hardware without a processor says of itself; `None`: there is firmware.
    pub fn hardware(&self) -> Option<Hardware> {
        self.host.as_ref().map(Host::hardware)
    }

    /// Name of the line.
    pub fn name(&self) -> String {
        self.session.name()
    }

    /// Rate of the line in bits a second: what the board tells, or else the port's.
    pub fn baud(&self) -> u32 {
        self.hardware().map_or(self.session.baud(), |hardware| hardware.baud)
    }

    /// Time that so many bytes take on the line.
    pub fn line_time(&self, bytes: u64) -> std::time::Duration {
        bits_time(bytes as usize, self.baud())
    }

    /// The moves of the game.
    pub fn moves(&self) -> &[Point] {
        &self.moves
    }

    /// What happened on the line so far.
    pub fn statistics(&self) -> LineStatistics {
        self.session.statistics
    }

    /// Set it, from any thread, to stop what is under way: a search is aborted, its position stays, and
    /// [`BoardError::Cancelled`] is returned. The next call begins with it cleared.
    pub fn canceller(&self) -> Arc<AtomicBool> {
        self.session.cancel.clone()
    }

    /// Whether a reply speaks of the position after these moves.
    fn after(reply: &Reply, moves: &[Point]) -> bool {
        reply.stones == moves.len() && reply.digest == crc32(&bytes_of(moves))
    }

    /// Carries a request out once, whatever happens to the line meanwhile. `then` are the game's moves after it, by its reply;
    /// a reply that speaks of another position is not believed: the board gets the game anew, and is asked again.
    fn request(
        &mut self,
        kind: Kind,
        payload: &[u8],
        then: impl Fn(&[Point], &Reply) -> Result<Vec<Point>, BoardError>,
    ) -> Result<Reply, BoardError> {
        self.session.cancel.store(false, Ordering::Relaxed);
        for _ in 0..RESTORATIONS {
            if self.unsure {
                self.restore()?;
            }
            // Until its reply is understood, nobody knows whether it was carried out.
            self.unsure = true;
            let reply = match self.ask(kind, payload) {
                Ok(reply) => reply,
                Err(Broken::Error(error)) => return Err(error),
                Err(Broken::Line(error)) => {
                    self.session.reopen(&error)?;
                    continue;
                }
                Err(Broken::Session) => continue,
            };
            if reply.code == status::ABORTED {
                // A move that came with the search may stand there: the board is asked before it is told anything else.
                let waited = self.session.patience.search;
                return Err(self.session.stopped(waited));
            }
            let moves =
                if reply.code == Code::Ok as u8 { then(&self.moves, &reply)? } else { self.moves.clone() };
            if Board::after(&reply, &moves) {
                self.moves = moves;
                self.unsure = false;
                return Ok(reply);
            }
        }
        Err(BoardError::Lost)
    }

    /// One attempt at a request, by firmware or by scripts.
    fn ask(&mut self, kind: Kind, payload: &[u8]) -> Result<Reply, Broken> {
        match &mut self.host {
            Some(host) => host.request(&mut self.session, kind, payload),
            None => self.session.request(kind, payload),
        }
    }

    /// Begins a new session and makes the board's position the game's.
    pub(crate) fn restore(&mut self) -> Result<(), BoardError> {
        let wanted = bytes_of(&self.moves);
        for _ in 0..RESTORATIONS {
            let reply = hello(&mut self.session, &mut self.host)?;
            let identity = Board::identify(&self.session.name(), &reply)?;
            // Another firmware is as good.
            let core =
                |identity: &Identity| Identity { firmware: [0; 3], clock_hz: 0, slot: 0, ..identity.clone() };
            if core(&identity) != core(&self.identity) {
                return Err(BoardError::OtherCore {
                    port: self.name(),
                    found: identity.to_string(),
                    wanted: self.identity.to_string(),
                });
            }
            self.identity = identity;
            if !self.known || Board::after(&reply, &self.moves) {
                self.unsure = false;
                return Ok(());
            }
            match self.ask(Kind::Position, &wanted) {
                Ok(reply) if reply.code != Code::Ok as u8 => {
                    return Err(BoardError::Refused { code: reply.code });
                }
                Ok(reply) if Board::after(&reply, &self.moves) => {
                    self.unsure = false;
                    return Ok(());
                }
                Ok(_) | Err(Broken::Session) => {}
                Err(Broken::Error(error)) => return Err(error),
                Err(Broken::Line(error)) => self.session.reopen(&error)?,
            }
        }
        Err(BoardError::Lost)
    }

    /// The reply as it should be, or the error that it tells. `point` is the move that may be illegal.
    fn accept(&self, reply: Reply, point: Option<Point>) -> Result<Reply, BoardError> {
        let illegal = |kind: fn(usize, usize) -> IllegalMove| {
            point.map_or_else(|| nonsense(&reply), |point| kind(point.x, point.y).into())
        };
        Err(match reply.code {
            code if code == Code::Ok as u8 => return Ok(reply),
            status::OCCUPIED => illegal(|x, y| IllegalMove::Occupied { x, y }),
            status::OUTSIDE => point.map_or_else(|| nonsense(&reply), |p| outside(p, &self.identity).into()),
            status::GAME_OVER => IllegalMove::GameOver.into(),
            status::NO_MOVE => BoardError::NoMove,
            code => BoardError::Refused { code },
        })
    }

    /// Starts a new game.
    pub fn new_game(&mut self) -> Result<(), BoardError> {
        let reply = self.request(Kind::NewGame, &[], |_, _| Ok(Vec::new()))?;
        self.accept(reply, None).map(|_| ())
    }

    /// Sets the position reached by some moves; on an error the position is unchanged.
    pub fn set_position(&mut self, moves: &[Point]) -> Result<(), BoardError> {
        for &point in moves {
            encode(point, &self.identity)?;
        }
        let repeated = moves.iter().enumerate().find(|(index, point)| moves[..*index].contains(point));
        if let Some((_, point)) = repeated {
            return Err(IllegalMove::Occupied { x: point.x, y: point.y }.into());
        }
        let reply = self.request(Kind::Position, &bytes_of(moves), |_, _| Ok(moves.to_vec()))?;
        let refused = match Parts::split(REFUSED, &reply.body) {
            Some((refused, _)) if reply.code != Code::Ok as u8 => moves.get(refused.get("index") as usize),
            _ => None,
        };
        self.accept(reply, refused.copied()).map(|_| ())
    }

    /// Plays a move for the side to move.
    pub fn play(&mut self, point: Point) -> Result<Outcome, BoardError> {
        let payload = encode(point, &self.identity)?;
        let reply = self.request(Kind::Play, &payload, |moves, _| Ok([moves, &[point]].concat()))?;
        let reply = self.accept(reply, Some(point))?;
        match parts(PLAY, &reply)?.get("status") as u8 {
            status::DONE => Ok(Outcome::Open),
            status::MOVER_WINS => Ok(Outcome::Line),
            status::MOVER_DRAWS => Ok(Outcome::Full),
            _ => Err(nonsense(&reply)),
        }
    }

    /// Chooses a move for the side to move and plays it; `None` when the game is over.
    pub fn search(&mut self, limits: Limits) -> Result<Option<Found>, BoardError> {
        self.search_after(None, limits)
    }

    /// Plays `before`, if there is one, and then the move that it chooses, in one request; `None` if the game is over
    /// before the board can move. After [`BoardError::Cancelled`] and [`BoardError::TooLong`] neither move is played.
    pub fn search_after(
        &mut self,
        before: Option<Point>,
        limits: Limits,
    ) -> Result<Option<Found>, BoardError> {
        let built = self.identity.levels;
        let levels = limits.levels.unwrap_or(0);
        if limits.levels == Some(0) || levels > built {
            return Err(BoardError::Levels { asked: levels, built });
        }
        let mut payload = vec![levels as u8];
        payload.extend(limits.cycles.unwrap_or(0).to_le_bytes());
        if let Some(point) = before {
            payload.extend(encode(point, &self.identity)?);
        }
        let reply = self.request(Kind::Search, &payload, |moves, reply| {
            let found = found(reply)?.map(|found| found.point);
            Ok(moves.iter().copied().chain(before).chain(found).collect())
        })?;
        if reply.code == status::GAME_OVER && before.is_none() {
            return Ok(None);
        }
        found(&self.accept(reply, before)?)
    }

    /// Takes the last move back and returns it.
    pub fn take_back(&mut self) -> Result<Point, BoardError> {
        let last = self.moves.last().copied();
        let reply = self.request(Kind::TakeBack, &[], |moves, _| {
            Ok(moves.split_last().map_or_else(Vec::new, |(_, moves)| moves.to_vec()))
        })?;
        let reply = self.accept(reply, None)?;
        let taken = parts(TAKE_BACK, &reply)?;
        let taken = Point { x: taken.get("x") as usize, y: taken.get("y") as usize };
        if last == Some(taken) { Ok(taken) } else { Err(nonsense(&reply)) }
    }

    /// Counters of the last search.
    pub fn counters(&mut self) -> Result<Counters, BoardError> {
        let reply = self.request(Kind::Counters, &[], |moves, _| Ok(moves.to_vec()))?;
        let reply = self.accept(reply, None)?;
        let counters = parts(COUNTERS, &reply)?;
        let word = |name| counters.get(name) as u32;
        Ok(Counters {
            cycles: counters.get("cycles"),
            passes: word("passes"),
            stale: word("stale"),
            orders: word("orders"),
            waits_order: word("waits_order"),
            waits_first: word("waits_first"),
            waits_context: word("waits_context"),
            misses: word("misses"),
            nodes: counters.list("nodes").into_iter().map(|nodes| nodes as u32).collect(),
        })
    }

    /// The game on the board, as the board tells it.
    pub fn read_moves(&mut self) -> Result<Vec<Point>, BoardError> {
        let told = |reply: &Reply| {
            let (pairs, rest) = reply.body.as_chunks::<2>();
            let points = pairs.iter().map(|[x, y]| Point { x: (*x).into(), y: (*y).into() });
            if rest.is_empty() { Ok(points.collect()) } else { Err(nonsense(reply)) }
        };
        let reply = self.request(Kind::Moves, &[], |_, reply| told(reply))?;
        let reply = self.accept(reply, None)?;
        told(&reply)
    }
}

/// Begins a session, on a line that may go away meanwhile.
fn hello(session: &mut Session, host: &mut Option<Host>) -> Result<Reply, BoardError> {
    for _ in 0..RESTORATIONS {
        let told = session.hello().and_then(|reply| match reply.code == Code::Scripted as u8 {
            false => Ok(reply),
            true => Host::hello(session, &reply, host.as_ref()).map(|(found, reply)| {
                *host = found;
                reply
            }),
        });
        match told {
            Ok(reply) => return Ok(reply),
            Err(Broken::Error(error)) => return Err(error),
            Err(Broken::Line(error)) => session.reopen(&error)?,
            Err(Broken::Session) => {}
        }
    }
    Err(BoardError::Lost)
}

/// What a reply to Search found, if the game was not over before.
fn found(reply: &Reply) -> Result<Option<Found>, BoardError> {
    let search = parts(SEARCH, reply)?;
    match search.get("status") as u8 {
        status::MOVE | status::ENGINE_WINS | status::ENGINE_DRAWS => Ok(Some(Found {
            point: Point { x: search.get("x") as usize, y: search.get("y") as usize },
            score: search.get("score") as u32 as i32,
            level: search.get("level") as usize,
            cycles: search.get("cycles"),
            nodes: search.get("nodes"),
            outcome: outcome(reply.over, reply)?,
        })),
        status::MOVER_WINS | status::MOVER_DRAWS => Ok(None),
        _ => Err(nonsense(reply)),
    }
}

/// Times that a position is set anew for one request.
pub(crate) const RESTORATIONS: u32 = 5;
