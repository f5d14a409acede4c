// SPDX-License-Identifier: MIT OR Apache-2.0
//! What firmware does, done by the host, for a board without a processor: requests become scripts of commands to the core, and what
//! they read becomes the reply that firmware would have sent. The core keeps the rules, the host the moves.

use crate::answers::{Limits, Solved, status};
use crate::error::BoardError;
use crate::frame::{Code, Kind, NONCE_BYTES, crc32};
use crate::layout::{COUNTERS, HELLO, SEARCH, bytes};
use crate::link::{MEMORY_BYTES, Read, Script, command, selector};
use crate::session::{Broken, Reply, Session};
use engine_model::Point;
use engine_model::config::{MAX_EXTENSIONS, MAX_LEVELS, MAX_SIDE};

/// What a board without a processor says of itself beside its core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hardware {
    /// CRC-32 of the board's name.
    pub board: u32,
    /// Rate of its line in bits a second.
    pub baud: u32,
    /// Clock of the core in Hz.
    pub clock_hz: u32,
}

/// First word of a core's registers.
const TENG: u32 = u32::from_be_bytes(*b"TENG");
/// In place of a slot's number.
const NO_SLOT: u8 = 0xff;

/// The firmware's part, for the board at the other end of a session.
#[derive(Debug)]
pub(crate) struct Host {
    hardware: Hardware,
    columns: usize,
    rows: usize,
    levels: u8,
    /// Plies whose nodes are counted.
    plies: usize,
    /// The moves on the board, in an order that leads to it.
    moves: Vec<u8>,
}

/// How a game stands, by the core's own word.
#[derive(Clone, Copy)]
struct Game {
    score: u32,
    stones: usize,
    over: u8,
}

fn short() -> Broken {
    BoardError::Nonsense { what: "less than its script reads".into() }.into()
}

fn game(read: &mut Read<'_>) -> Option<Game> {
    let (score, word) = (read.word()?, read.word()?);
    Some(Game { score, stones: (word & 0xffff) as usize, over: (word >> 16) as u8 })
}

/// What hardware and core say of themselves.
#[derive(Clone, Copy)]
struct Told {
    hardware: Hardware,
    /// Answers of Read: both words of the identity, and of the configuration.
    id: u32,
    version: u32,
    configuration: u32,
    built: u32,
    game: Game,
}

impl Told {
    /// Asks. Another program's script may have left a command without its arguments, answers, or words that no command has taken: then
    /// answers are those of other questions. What can be mended with the game on the board is, and at last it is emptied.
    fn ask(session: &mut Session) -> Result<Told, Broken> {
        let mut drain = Script::default();
        drain.drain();
        let mut clear = drain.clone();
        clear.reset();
        let mut told = Told::asked(session)?;
        for mend in [drain, clear] {
            if told.as_ref().is_some_and(Told::is_core) {
                break;
            }
            run(session, &mend)?;
            told = Told::asked(session)?;
        }
        told.ok_or_else(short)
    }

    /// What is answered; `None` if too little, or if the core is no longer one at the end.
    fn asked(session: &mut Session) -> Result<Option<Told>, Broken> {
        let mut script = Script::default();
        script.abort().own().information(selector::IDENTITY, true, true);
        script.information(selector::CONFIGURATION, true, true).information(selector::GAME, true, true);
        script.information(selector::IDENTITY, true, false);
        let body = run(session, &script)?;
        let mut read = Read(&body);
        Ok(Told::read(&mut read).filter(|told| read.word() == Some(told.id)))
    }

    fn read(read: &mut Read<'_>) -> Option<Told> {
        let [board, baud, clock_hz] = [read.word()?, read.word()?, read.word()?];
        let [id, version, configuration, built] = [read.word()?, read.word()?, read.word()?, read.word()?];
        let hardware = Hardware { board, baud, clock_hz };
        Some(Told { hardware, id, version, configuration, built, game: game(read)? })
    }

    /// Columns, rows, levels and extensions.
    fn sizes(&self) -> [u8; 4] {
        let [columns, rows, _, levels] = self.configuration.to_le_bytes();
        let [_, _, extensions, _] = self.built.to_le_bytes();
        [columns, rows, levels, extensions]
    }

    /// Whether a core can be what this says.
    fn is_core(&self) -> bool {
        let fits = |number: u8, least: usize, most: usize| (least..=most).contains(&number.into());
        let [columns, rows, levels, extensions] = self.sizes();
        self.id == TENG
            && [columns, rows].into_iter().all(|side| fits(side, 1, MAX_SIDE))
            && fits(levels, 1, MAX_LEVELS)
            && fits(extensions, 0, MAX_EXTENSIONS)
    }
}

/// Carries a script out once; what it read.
fn run(session: &mut Session, script: &Script) -> Result<Vec<u8>, Broken> {
    let reply = session.request_reading(Kind::Script, script.bytes(), script.reads())?;
    if reply.code != Code::Scripted as u8 {
        return Err(BoardError::Refused { code: reply.code }.into());
    }
    Ok(reply.body)
}

impl Host {
    /// What is at the other end of a session that a Hello has just begun, whose reply this is; the reply that firmware would have
    /// sent. `before` is what was there until now: a game that it knows goes on. Of another one the order of moves is nowhere: the
    /// stones are set anew in an order of ours.
    pub fn hello(
        session: &mut Session,
        hello: &Reply,
        before: Option<&Host>,
    ) -> Result<(Option<Host>, Reply), Broken> {
        let told = Told::ask(session)?;
        if told.id != TENG {
            let reply =
                Reply { code: Code::CoreSilent as u8, over: 0, stones: 0, digest: 0, body: Vec::new() };
            return Ok((None, reply));
        }
        let Told { hardware, id, version, configuration, built, game } = told;
        let [columns, rows, levels, extensions] = told.sizes();
        if !told.is_core() {
            let what = format!("{columns} x {rows} cells, {levels} levels and {extensions} extensions");
            return Err(BoardError::Nonsense { what }.into());
        }
        let mut host = Host {
            hardware,
            columns: columns.into(),
            rows: rows.into(),
            levels,
            plies: usize::from(levels) + usize::from(extensions),
            moves: before.map(|before| before.moves.clone()).unwrap_or_default(),
        };
        let game = host.find(session, game)?;
        let mut body = hello.body[..NONCE_BYTES.min(hello.body.len())].to_vec();
        body.extend(version.to_le_bytes());
        body.extend(hardware.clock_hz.to_le_bytes());
        body.extend([NO_SLOT, levels]);
        body.extend((MEMORY_BYTES as u16).to_le_bytes());
        for word in [id, version, configuration, built] {
            body.extend(word.to_le_bytes());
        }
        debug_assert_eq!(body.len(), bytes(HELLO));
        let reply = host.reply(Code::Ok as u8, game, body);
        Ok((Some(host), reply))
    }

    /// What hardware says of itself.
    pub fn hardware(&self) -> Hardware {
        self.hardware
    }

    /// The moves on the board: those that are known, if they lead to its stones.
    fn find(&mut self, session: &mut Session, game: Game) -> Result<Game, Broken> {
        let mut script = Script::default();
        for row in 0..self.rows {
            script.information(selector::ROWS + row as u8, true, true);
        }
        let body = run(session, &script)?;
        let mut read = Read(&body);
        let mut sides = [Vec::new(), Vec::new()];
        for row in 0..self.rows {
            for side in &mut sides {
                let plane = read.word().ok_or_else(short)?;
                let columns = (0..self.columns).filter(|column| plane >> column & 1 == 1);
                side.extend(columns.map(|column| [column as u8, row as u8]));
            }
        }
        let known = |side: usize| {
            let mut stones: Vec<[u8; 2]> =
                self.moves.chunks(2).skip(side).step_by(2).map(|point| [point[0], point[1]]).collect();
            stones.sort_unstable_by_key(|point| [point[1], point[0]]);
            stones
        };
        if known(0) == sides[0] && known(1) == sides[1] {
            return Ok(game);
        }
        let [first, second] = &sides;
        let moves: Vec<u8> = (0..first.len().max(second.len()))
            .flat_map(|index| [first.get(index), second.get(index)])
            .flatten()
            .flatten()
            .copied()
            .collect();
        self.moves = moves.clone();
        let (game, _) = self.set(session, &moves)?;
        if 2 * game.stones == moves.len() {
            return Ok(game);
        }
        // An order of ours that ends the game before: it was over, and is.
        self.moves.clear();
        Ok(self.set(session, &[])?.0)
    }

    /// The reply of firmware whose board holds the moves known here.
    fn reply(&self, code: u8, game: Game, body: Vec<u8>) -> Reply {
        Reply { code, over: game.over, stones: game.stones, digest: crc32(&self.moves), body }
    }

    /// Sets a position as far as the core takes it; how the game stands then, and the last status.
    fn set(&mut self, session: &mut Session, moves: &[u8]) -> Result<(Game, u8), Broken> {
        let mut script = Script::default();
        script.reset().place(moves).information(selector::GAME, true, true);
        let body = run(session, &script)?;
        let statuses = body.len().saturating_sub(8);
        match game(&mut Read(&body[statuses..])) {
            // Every stone is there, or none was asked for.
            Some(game) if body.len() == script.reads() => Ok((game, status::DONE)),
            _ => Ok((self.game(session)?, body.last().copied().ok_or_else(short)?)),
        }
    }

    fn game(&mut self, session: &mut Session) -> Result<Game, Broken> {
        let mut script = Script::default();
        script.information(selector::GAME, true, true);
        game(&mut Read(&run(session, &script)?)).ok_or_else(short)
    }

    /// A request of the framed protocol, carried out by scripts.
    pub fn request(&mut self, session: &mut Session, kind: Kind, payload: &[u8]) -> Result<Reply, Broken> {
        match kind {
            Kind::NewGame => {
                self.moves.clear();
                let (game, _) = self.set(session, &[])?;
                Ok(self.reply(Code::Ok as u8, game, Vec::new()))
            }
            Kind::Position => self.position(session, payload),
            Kind::Play => self.play(session, payload),
            Kind::Search => self.search(session, payload),
            Kind::TakeBack => self.take_back(session),
            Kind::Counters => self.counters(session),
            Kind::Moves => {
                let game = self.game(session)?;
                Ok(self.reply(Code::Ok as u8, game, self.moves.clone()))
            }
            // Hello and Abort are frames of their own, a Script is nobody's request here.
            Kind::Hello | Kind::Abort | Kind::Script => {
                Err(BoardError::Refused { code: Code::UnknownKind as u8 }.into())
            }
        }
    }

    fn position(&mut self, session: &mut Session, moves: &[u8]) -> Result<Reply, Broken> {
        let (game, last) = self.set(session, moves)?;
        if 2 * game.stones == moves.len() && last < FIRST_ERROR {
            self.moves = moves.to_vec();
            return Ok(self.reply(Code::Ok as u8, game, Vec::new()));
        }
        let code = if last < FIRST_ERROR { status::GAME_OVER } else { last };
        let index = (game.stones as u16).to_le_bytes().to_vec();
        let before = self.moves.clone();
        let (game, _) = self.set(session, &before)?;
        Ok(self.reply(code, game, index))
    }

    fn play(&mut self, session: &mut Session, point: &[u8]) -> Result<Reply, Broken> {
        let mut script = Script::default();
        script.place(point).information(selector::GAME, true, true);
        let body = run(session, &script)?;
        let status = *body.first().ok_or_else(short)?;
        let game = match game(&mut Read(&body[1..])) {
            Some(game) => game,
            None => self.game(session)?,
        };
        if status >= FIRST_ERROR {
            return Ok(self.reply(status, game, Vec::new()));
        }
        self.moves.extend(point);
        Ok(self.reply(Code::Ok as u8, game, vec![status]))
    }

    /// What is asked for behind a search: how the game stands, clocks, levels, nodes.
    fn counted(&self, script: &mut Script) {
        script.information(selector::GAME, true, true).information(selector::CYCLES, true, true);
        script.information(selector::LIMIT, false, true).nodes(self.plies);
    }

    fn limits(levels: u8, cycles: u32) -> Script {
        let mut script = Script::default();
        script.answered(command::LEVELS, Some(levels)).limit(cycles);
        script
    }

    fn search(&mut self, session: &mut Session, payload: &[u8]) -> Result<Reply, Broken> {
        let mut read = Read(payload);
        let (levels, cycles) = (read.number(1).ok_or_else(short)? as u8, read.word().ok_or_else(short)?);
        let before = read.0.to_vec();
        let mut script = Host::limits(if levels == 0 { self.levels } else { levels }, cycles);
        script.place(&before).answered(command::SEARCH, None);
        self.counted(&mut script);
        let body = run(session, &script)?;
        let mut read = Read(&body);
        // Of the levels and of the limit.
        read.answer().and_then(|_| read.answer()).ok_or_else(short)?;
        if !before.is_empty() {
            let placed = read.number(1).ok_or_else(short)? as u8;
            if placed != status::DONE {
                let game = self.game(session)?;
                if placed >= FIRST_ERROR {
                    return Ok(self.reply(placed, game, Vec::new()));
                }
                self.moves.extend(&before);
                let mut body = vec![placed, before[0], before[1]];
                body.resize(bytes(SEARCH), 0);
                return Ok(self.reply(Code::Ok as u8, game, body));
            }
            self.moves.extend(&before);
        }
        let (status, x, y) = read.answer().ok_or_else(short)?;
        let game = game(&mut read).ok_or_else(short)?;
        if status >= FIRST_ERROR {
            return Ok(self.reply(status, game, Vec::new()));
        }
        self.moves.extend([x, y]);
        let found = Counted::read(&mut read, self.plies).ok_or_else(short)?;
        let mut body = vec![status, x, y, found.level];
        body.extend(game.score.to_le_bytes());
        body.extend(found.cycles.to_le_bytes());
        body.extend(found.nodes.to_le_bytes());
        debug_assert_eq!(body.len(), bytes(SEARCH));
        Ok(self.reply(Code::Ok as u8, game, body))
    }

    fn take_back(&mut self, session: &mut Session) -> Result<Reply, Broken> {
        let mut script = Script::default();
        script.answered(command::TAKE_BACK, None).information(selector::GAME, true, true);
        let body = run(session, &script)?;
        let mut read = Read(&body);
        let (status, x, y) = read.answer().ok_or_else(short)?;
        let game = game(&mut read).ok_or_else(short)?;
        if status >= FIRST_ERROR {
            return Ok(self.reply(status, game, Vec::new()));
        }
        self.moves.truncate(self.moves.len().saturating_sub(2));
        Ok(self.reply(Code::Ok as u8, game, vec![x, y]))
    }

    fn counters(&mut self, session: &mut Session) -> Result<Reply, Broken> {
        let mut script = Script::default();
        // As the layout has them: cycles, the seven counters, nodes.
        for selector in [selector::CYCLES, selector::PASSES, selector::ORDERS, selector::WAITS] {
            script.information(selector, true, true);
        }
        script.information(selector::MISSES, true, false).nodes(self.plies);
        let counted = script.reads();
        script.information(selector::GAME, true, true);
        let mut body = run(session, &script)?;
        let game = game(&mut Read(body.get(counted..).unwrap_or_default())).ok_or_else(short)?;
        body.truncate(counted);
        // Plies that are not built have no nodes.
        body.resize(bytes(COUNTERS), 0);
        Ok(self.reply(Code::Ok as u8, game, body))
    }

    /// Searches positions, as many in a frame as its memories hold, and sets the board's own anew behind them. What a
    /// position's search found; `None` where the game is over.
    pub fn batch(
        &mut self,
        session: &mut Session,
        positions: &[Vec<u8>],
        limits: Limits,
    ) -> Result<Vec<Option<Solved>>, Broken> {
        let levels = limits.levels.map_or(self.levels, |levels| levels as u8);
        let head = Host::limits(levels, limits.cycles.unwrap_or(0));
        let one = |moves: &[u8]| {
            let mut script = Script::default();
            script.reset().place(moves).answered(command::SEARCH, None);
            script.information(selector::GAME, true, false).information(selector::CYCLES, true, false);
            script
        };
        let mut found = Vec::new();
        while found.len() < positions.len() {
            let mut script = head.clone();
            let begun = found.len();
            let mut count = 0;
            for moves in &positions[begun..] {
                let mut longer = script.clone();
                longer.append(&one(moves));
                if count > 0 && !longer.fits() {
                    break;
                }
                (script, count) = (longer, count + 1);
            }
            let body = run(session, &script)?;
            let mut read = Read(&body);
            read.answer().and_then(|_| read.answer()).ok_or_else(short)?;
            for moves in &positions[begun..begun + count] {
                let (one, goes_on) = self.found(&mut read, moves)?;
                found.push(one);
                if !goes_on {
                    break;
                }
            }
        }
        let own = self.moves.clone();
        self.set(session, &own)?;
        Ok(found)
    }

    /// What a position's part of a batch read, and whether the script went on: a stone that ends the game ends it, so that what is behind
    /// is searched by the next one.
    fn found(&self, read: &mut Read<'_>, moves: &[u8]) -> Result<(Option<Solved>, bool), Broken> {
        let placed = moves.len().div_ceil(2 * crate::link::MOST_STONES);
        for _ in 0..placed {
            match read.number(1).ok_or_else(short)? as u8 {
                status::DONE => {}
                status::MOVER_WINS | status::MOVER_DRAWS => return Ok((None, false)),
                code => return Err(BoardError::Refused { code }.into()),
            }
        }
        let (status, x, y) = read.answer().ok_or_else(short)?;
        let (score, cycles) = (read.word().ok_or_else(short)? as i32, read.word().ok_or_else(short)?);
        match status {
            status::GAME_OVER => Ok((None, true)),
            status::ABORTED => Err(BoardError::Cancelled.into()),
            code if code >= FIRST_ERROR => Err(BoardError::Refused { code }.into()),
            _ => Ok((Some(Solved { point: Point { x: x.into(), y: y.into() }, score, cycles }), true)),
        }
    }
}

/// Statuses of the core from here on are errors.
const FIRST_ERROR: u8 = 0x80;

/// Counters behind a search.
struct Counted {
    cycles: u64,
    level: u8,
    nodes: u64,
}

impl Counted {
    fn read(read: &mut Read<'_>, plies: usize) -> Option<Counted> {
        let (cycles, level) = (read.number(8)?, read.word()? as u8);
        let nodes: Option<u64> = (0..plies).map(|_| read.word().map(u64::from)).sum();
        Some(Counted { cycles, level, nodes: nodes? })
    }
}
