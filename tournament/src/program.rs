// SPDX-License-Identifier: MIT OR Apache-2.0
//! A program that speaks the Gomocup protocol as an engine: we are its manager.

use crate::lines::next_line;
use engine_model::notation::quoted;
use engine_model::position::Tables;
use engine_model::{Cell, Config, Decision, Engine, EngineError, Geometry, Position};
use std::io::{BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

/// What a program may take beyond its time for a move.
const TOLERANCE: Duration = Duration::from_secs(3);
/// What it may take to get ready.
const START: Duration = Duration::from_secs(30);
/// Lines of its that wait to be read.
const QUEUE: usize = 256;
/// What it may take to end before it is killed.
const FAREWELL: Duration = Duration::from_secs(1);

/// A program and how long it may think.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Called {
    /// The program and its arguments.
    pub command: Vec<String>,
    /// Time for a move.
    pub turn: Duration,
}

/// A program that is started when it is first asked: one that cannot start loses its game, not the match.
pub struct Late {
    called: Called,
    tables: Arc<Tables>,
    program: Option<Program>,
}

impl Late {
    /// A program for the board of a configuration, whose other parameters are none of its business.
    pub fn new(called: &Called, config: &Config) -> Late {
        Late { called: called.clone(), tables: Tables::new(config), program: None }
    }

    /// Starts it now: an error if it cannot play.
    pub fn start(&mut self) -> Result<(), EngineError> {
        self.program().map(|_| ())
    }

    fn program(&mut self) -> Result<&mut Program, EngineError> {
        match &mut self.program {
            Some(program) => Ok(program),
            none => Ok(none.insert(Program::start(&self.called, &self.tables.config)?)),
        }
    }
}

impl Engine for Late {
    fn name(&self) -> String {
        self.called.command.join(" ")
    }

    fn config(&self) -> &Config {
        &self.tables.config
    }

    fn new_game(&mut self) -> Result<(), EngineError> {
        self.program()?.new_game()
    }

    fn set_position(&mut self, moves: &[Cell]) -> Result<(), EngineError> {
        self.program()?.set_position(moves)
    }

    fn play(&mut self, cell: Cell) -> Result<(), EngineError> {
        self.program()?.play(cell)
    }

    fn search(&mut self, levels: Option<usize>) -> Result<Decision, EngineError> {
        self.program()?.search(levels)
    }
}

/// A running program.
struct Program {
    called: Called,
    tables: Arc<Tables>,
    moves: Vec<Cell>,
    /// What the program has been told or has said itself.
    known: Option<Vec<Cell>>,
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
    /// INFOs that have not been answered: most programs say nothing, some OK, some that they do not know it.
    infos: usize,
}

impl Program {
    /// Starts a program and a board.
    fn start(called: &Called, config: &Config) -> Result<Program, EngineError> {
        let fails = |reason: String| EngineError::Backend { backend: called.command.join(" "), reason };
        let mut child = Command::new(&called.command[0])
            .args(&called.command[1..])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| fails(format!("cannot be started: {error}")))?;
        let (sender, lines) = sync_channel(QUEUE);
        let output = child.stdout.take().expect("it is piped");
        std::thread::spawn(move || {
            let mut output = BufReader::new(output);
            // Ends with the program, or when nobody listens any longer.
            while let Some(line) = next_line(&mut output) {
                if sender.send(line.trim().to_string()).is_err() {
                    return;
                }
            }
        });
        let input = child.stdin.take().expect("it is piped");
        let tables = Tables::new(config);
        let mut program = Program {
            called: called.clone(),
            tables,
            moves: Vec::new(),
            known: Some(Vec::new()),
            child,
            input,
            lines,
            infos: 0,
        };
        match (config.columns, config.rows) {
            (columns, rows) if columns == rows => program.say(&format!("START {columns}"))?,
            (columns, rows) => program.say(&format!("RECTSTART {columns},{rows}"))?,
        }
        program.ready()?;
        // Limits come when the board is there, as managers send them.
        let turn = called.turn.as_millis();
        for info in [
            format!("timeout_turn {turn}"),
            "timeout_match 0".into(),
            "time_left 2147483647".into(),
            "max_memory 0".into(),
            "game_type 1".into(),
            "rule 0".into(),
        ] {
            program.say(&format!("INFO {info}"))?;
            program.infos += 1;
        }
        Ok(program)
    }

    fn fails(&self, reason: impl Into<String>) -> EngineError {
        EngineError::Backend { backend: self.called.command.join(" "), reason: reason.into() }
    }

    fn geometry(&self) -> &Geometry {
        &self.tables.geometry
    }

    fn say(&mut self, line: &str) -> Result<(), EngineError> {
        self.input
            .write_all(format!("{line}\r\n").as_bytes())
            .and_then(|()| self.input.flush())
            .map_err(|error| self.fails(format!("does not listen ({error}): has it ended?")))
    }

    /// The next line that `takes` makes an answer of; what messages tell is counted, other talk passed over as a lenient manager does.
    fn answer<T>(
        &mut self,
        within: Duration,
        told: &mut Told,
        wanted: &str,
        takes: impl Fn(&str) -> Option<T>,
    ) -> Result<T, EngineError> {
        let deadline = Instant::now() + within;
        let mut talk: Option<String> = None;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            // Who only talks is late too.
            let next =
                if left.is_zero() { Err(RecvTimeoutError::Timeout) } else { self.lines.recv_timeout(left) };
            let line = match next {
                Ok(line) => line,
                Err(RecvTimeoutError::Timeout) => {
                    // Whatever it says later is no answer to anything.
                    let _ = self.child.kill();
                    let said = match talk {
                        Some(line) => format!("{line:?} instead of {wanted}, and "),
                        None => String::new(),
                    };
                    return Err(self.fails(format!("{said}no answer within {} ms", within.as_millis())));
                }
                Err(RecvTimeoutError::Disconnected) => {
                    let said = talk.map(|line| format!("{line:?} instead of {wanted}, then "));
                    return Err(self.fails(format!("{}it has ended", said.unwrap_or_default())));
                }
            };
            let word = line.split_whitespace().next().unwrap_or_default().to_ascii_uppercase();
            match word.as_str() {
                "" | "DEBUG" => {}
                "MESSAGE" => told.read(&line),
                "UNKNOWN" if self.infos > 0 => {
                    self.infos -= 1;
                    // It may as well be the answer to what was asked: should none follow, it is named.
                    if !line.to_ascii_uppercase().contains("INFO") {
                        talk = Some(quoted(&line));
                    }
                }
                "ERROR" | "UNKNOWN" => return Err(self.fails(line)),
                _ => match takes(&line) {
                    Some(answer) => return Ok(answer),
                    None if is_ok(&line) => self.infos = self.infos.saturating_sub(1),
                    None => talk = Some(quoted(&line)),
                },
            }
        }
    }

    fn ready(&mut self) -> Result<(), EngineError> {
        self.answer(START, &mut Told::default(), "OK", |line| is_ok(line).then_some(()))
    }

    fn text(&self, cell: Cell) -> String {
        let point = self.geometry().point(cell);
        format!("{},{}", point.x, point.y)
    }

    /// Asks for a move in the position as it is.
    fn ask(&mut self) -> Result<(), EngineError> {
        let next = match (&self.known, &self.moves[..]) {
            (Some(known), [before @ .., last]) if known == before && !known.is_empty() => Some(*last),
            _ => None,
        };
        if let Some(last) = next {
            let turn = format!("TURN {}", self.text(last));
            return self.say(&turn);
        }
        if self.known.as_ref().is_none_or(|known| !known.is_empty()) {
            self.say("RESTART")?;
            self.ready()?;
        }
        match self.moves[..] {
            [] => self.say("BEGIN"),
            [only] => {
                let turn = format!("TURN {}", self.text(only));
                self.say(&turn)
            }
            _ => {
                self.say("BOARD")?;
                let own = self.moves.len() % 2;
                for index in 0..self.moves.len() {
                    let field = if index % 2 == own { 1 } else { 2 };
                    let stone = format!("{},{field}", self.text(self.moves[index]));
                    self.say(&stone)?;
                }
                self.say("DONE")
            }
        }
    }

    fn cell(&self, (x, y): (usize, usize)) -> Result<Cell, EngineError> {
        let (columns, rows) = (self.geometry().columns, self.geometry().rows);
        self.geometry()
            .cell(x, y)
            .ok_or_else(|| self.fails(format!("{x},{y} is outside the {columns} x {rows} board")))
    }
}

/// Whether a line says OK, in whatever case and whatever follows.
fn is_ok(line: &str) -> bool {
    let end = line.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(line.len());
    line[..end].eq_ignore_ascii_case("OK")
}

/// The move that a line begins with: `x,y`, blanks around the comma as one likes, and whatever a program adds.
fn place(line: &str) -> Option<(usize, usize)> {
    let (x, rest) = line.split_once(',')?;
    let y = rest.split_whitespace().next()?;
    Some((x.trim().parse().ok()?, y.trim_end_matches(',').parse().ok()?))
}

/// What a line asks for: a move, or one that it suggests.
#[derive(Clone, Copy)]
enum Answer {
    Move((usize, usize)),
    Suggests((usize, usize)),
}

impl Answer {
    fn read(line: &str) -> Option<Answer> {
        match line.split_once(char::is_whitespace) {
            Some((word, rest)) if word.eq_ignore_ascii_case("SUGGEST") => place(rest).map(Answer::Suggests),
            _ => place(line).map(Answer::Move),
        }
    }
}

/// What messages told of a search.
#[derive(Default)]
struct Told {
    nodes: u64,
    cycles: Option<u64>,
}

impl Told {
    /// Reads `nodes N` and `cycles N`, as our own brain writes them.
    fn read(&mut self, line: &str) {
        let words: Vec<&str> = line.split([' ', ',']).filter(|word| !word.is_empty()).collect();
        for pair in words.windows(2) {
            match (pair[0], pair[1].parse()) {
                ("nodes", Ok(nodes)) => self.nodes = nodes,
                ("cycles", Ok(cycles)) => self.cycles = Some(cycles),
                _ => {}
            }
        }
    }
}

impl Program {
    fn new_game(&mut self) -> Result<(), EngineError> {
        self.moves.clear();
        Ok(())
    }

    fn set_position(&mut self, moves: &[Cell]) -> Result<(), EngineError> {
        Position::from_moves(&self.tables, moves)?;
        self.moves = moves.to_vec();
        Ok(())
    }

    fn play(&mut self, cell: Cell) -> Result<(), EngineError> {
        self.moves.push(cell);
        if let Err(illegal) = Position::from_moves(&self.tables, &self.moves) {
            self.moves.pop();
            return Err(illegal.into());
        }
        Ok(())
    }

    fn search(&mut self, _: Option<usize>) -> Result<Decision, EngineError> {
        let mut told = Told::default();
        if Position::from_moves(&self.tables, &self.moves)?.is_over() {
            return Ok(Decision { cell: None, score: 0, nodes: 0, cycles: None });
        }
        self.ask()?;
        // Until it has answered nobody knows what it holds.
        self.known = None;
        let turn = self.called.turn + TOLERANCE;
        let place = match self.answer(turn, &mut told, "a move", Answer::read)? {
            Answer::Move(place) => place,
            Answer::Suggests((x, y)) => {
                self.say(&format!("PLAY {x},{y}"))?;
                self.answer(TOLERANCE, &mut told, "a move", place)?
            }
        };
        let cell = self.cell(place)?;
        self.play(cell)?;
        self.known = Some(self.moves.clone());
        Ok(Decision { cell: Some(cell), score: 0, nodes: told.nodes, cycles: told.cycles })
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // It may be gone already.
        let _ = self.say("END");
        let deadline = Instant::now() + FAREWELL;
        while Instant::now() < deadline {
            if !matches!(self.child.try_wait(), Ok(None)) {
                return;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
