// SPDX-License-Identifier: MIT OR Apache-2.0
//! Recorded games for the packaged test bench: commands, arguments and the answers that the model gives.

use engine_model::search::Search;
use engine_model::{Cell, Config, Position};
use hdl::face_model::{Expected, FaceModel};
use hdl::stream::{ANSWER_WORDS, Command, Status, selector};
use std::fmt::Write;

/// Words of a record: control word, flags, two arguments, the answer.
pub const RECORD_WORDS: usize = 4 + ANSWER_WORDS;
/// Bit of a record's flags that says that an answer comes; the lowest bits count arguments.
pub const ANSWERED: u32 = 1 << 8;

/// Bit of a record's flags: it is sent before the answer of the record before it has been taken.
pub const EARLY: u32 = 1 << 9;
/// Bit of a record's flags: a search that is aborted, or was faster; then the bench takes its move back.
pub const EITHER: u32 = 1 << 10;
/// Bit of a record's flags: a whole search without a limit, behind which the bench looks at the counters.
pub const SEARCHED: u32 = 1 << 11;
/// Lowest bit of the clocks that pass after a record's words have been sent.
const DELAY: u32 = 16;

/// One command and what it must answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exchange {
    /// Control word.
    pub control: u32,
    /// Argument words, two at most.
    pub arguments: Vec<u32>,
    /// The answer, if there is one.
    pub answer: Option<[u32; ANSWER_WORDS]>,
    /// [`EARLY`], [`EITHER`], [`SEARCHED`].
    pub flags: u32,
    /// Clocks that pass after its words have been sent.
    pub delay: u16,
}

/// Nodes that the model may search one level less deep, or a search is recorded with fewer levels: a level more costs up to a
/// hundred times as many.
const NODES_BEFORE: u64 = 100_000;
/// Nodes of all recorded searches, after which the record ends early: a simulator takes about a clock for each.
const NODES_IN_ALL: u64 = 10_000_000;

/// Nodes of all recorded searches before which the record goes on beyond its moves, where searches are short.
const NODES_AT_LEAST: u64 = 200_000;
/// So many times as many moves are recorded then at most.
const MOST_AS_MANY: usize = 20;

/// Records at least `moves` engine moves in games against random opponents, and between them every command and status: illegal
/// ones, control and data words of one bit, interrupted and early ones, searches that are aborted, reset, or end by their limit. Where
/// the configuration's levels would search for hours, `Levels` comes before the move and fewer are searched; where even these take
/// many nodes the record is shorter, where all take few it is longer.
pub fn record(config: &Config, moves: usize, seed: u64) -> Vec<Exchange> {
    let rng = fastrand::Rng::with_seed(seed);
    let model = FaceModel::new(config);
    let mut recorder = Recorder { model, config: config.clone(), exchanges: Vec::new(), nodes: 0, rng };
    recorder.openers();
    let more = |made: usize, nodes: u64| {
        let short = nodes < NODES_AT_LEAST && made < MOST_AS_MANY * moves;
        (made < moves || short) && nodes < NODES_IN_ALL
    };
    let mut made = 0;
    let mut engine_first = true;
    while more(made, recorder.nodes) {
        recorder.send(Command::Reset, &[]);
        recorder.scattered();
        let mut status = None;
        if engine_first && !recorder.is_over() {
            status = recorder.play(None);
            made += 1;
        }
        engine_first = !engine_first;
        while more(made, recorder.nodes) && matches!(status, None | Some(Status::Move)) {
            // By scattered stones, or by what happens aside.
            if !recorder.is_over() {
                recorder.aside();
            }
            if recorder.is_over() {
                break;
            }
            let cell = recorder.opponent();
            status = recorder.play(Some(cell));
            made += 1;
        }
        recorder.closers();
    }
    recorder.exchanges
}

/// Nodes that take longer than the next command needs to get through any face.
const NODES_UNDER_WAY: u64 = 50;
/// Stones at most that are scattered, and of the board's cells at most one of so many.
const SCATTERED: usize = 24;
const CELLS_A_STONE: usize = 2;
/// Clocks after which an abort comes at most.
const MOST_BEFORE_ABORT: u16 = 120;

struct Recorder {
    model: FaceModel,
    config: Config,
    exchanges: Vec<Exchange>,
    /// Nodes searched so far.
    nodes: u64,
    rng: fastrand::Rng,
}

impl Recorder {
    fn is_over(&self) -> bool {
        self.model.position().is_over()
    }

    /// x and y of a cell as arguments.
    fn point(&self, cell: Cell) -> [u32; 2] {
        let point = self.model.position().tables().geometry.point(cell);
        [point.x as u32, point.y as u32]
    }

    /// The opponent's move, or none if the engine opens, and the engine's answer.
    fn play(&mut self, opponent: Option<Cell>) -> Option<Status> {
        let mut position = self.model.position().clone();
        if let Some(cell) = opponent {
            position.play(cell).expect("the opponent plays candidates of a running game");
        }
        self.afford(position);
        let opens = [self.config.columns as u32, self.config.rows as u32];
        let arguments = opponent.map_or(opens, |cell| self.point(cell));
        self.send(Command::Play, &arguments)
    }

    /// In two of three games stones anywhere before it begins, few or many, as no game brings them; a place may be taken. Then now and
    /// then a search of that position.
    fn scattered(&mut self) {
        let cells = self.config.columns * self.config.rows;
        let most = SCATTERED.min(cells / CELLS_A_STONE).max(1);
        let stones = if self.rng.u32(0..3) > 0 { self.rng.usize(1..=most) } else { 0 };
        for _ in 0..stones {
            let point = [self.config.columns, self.config.rows].map(|size| self.rng.u32(0..size as u32));
            self.send(Command::Place, &point);
        }
        if stones > 0 && !self.is_over() && self.rng.bool() {
            self.afford(self.model.position().clone());
            self.send(Command::Search, &[]);
        }
    }

    /// Sets levels that can be searched in this position.
    fn afford(&mut self, mut position: Position) {
        let most = self.config.levels;
        let mut levels = 0;
        let mut nodes = 0;
        while levels < most && nodes <= NODES_BEFORE {
            levels += 1;
            let mut search = Search::new(&mut position, levels);
            search.decide();
            nodes = search.counters.nodes();
        }
        self.nodes += nodes;
        // Now and then fewer.
        if self.rng.u32(0..4) == 0 {
            levels = self.rng.usize(1..=levels);
        }
        if levels != self.model.levels() {
            self.send(Command::Levels, &[levels as u32]);
        }
    }

    /// What every core is asked first.
    fn openers(&mut self) {
        for selected in [selector::IDENTITY, selector::CONFIGURATION, selector::LIMIT, selector::GAME] {
            self.send(Command::Read, &[selected as u32]);
        }
        self.send(Command::TakeBack, &[]);
        let built = self.config.levels as u32;
        for levels in 0..=built + 1 {
            self.send(Command::Levels, &[levels]);
        }
        for bit in 4..32 {
            self.send(Command::Levels, &[1 << bit]);
            self.word(1 << bit, &[], 0);
            self.word(1 << bit | Command::Search as u32, &[], 0);
            self.send(Command::Place, &[1 << bit, 0]);
            self.send(Command::Place, &[0, 1 << bit]);
            if bit >= 8 {
                self.send(Command::Read, &[1 << bit]);
            }
        }
        // The side that moved first is about to win, then has won.
        let k = self.config.in_a_row as u32;
        let along_x = self.config.columns as u32 >= k;
        let cell = |along: u32, across: u32| if along_x { [along, across] } else { [across, along] };
        for along in 0..k - 1 {
            self.send(Command::Place, &cell(along, 0));
            self.send(Command::Place, &cell(along, 1));
        }
        self.send(Command::Search, &[]);
        self.rows();
        for command in [Command::Search, Command::TakeBack] {
            self.send(command, &[]);
        }
        self.send(Command::Place, &cell(k - 1, 0));
        self.send(Command::TakeBack, &[]);
        self.send(Command::Play, &cell(k - 1, 0));
        self.send(Command::Play, &cell(k - 1, 1));
    }

    /// The board and the game at the end of one, and that it can be opened again.
    fn closers(&mut self) {
        self.rows();
        if self.is_over() {
            for command in [Command::Search, Command::TakeBack] {
                self.send(command, &[]);
            }
            self.rows();
        }
    }

    fn rows(&mut self) {
        for row in 0..self.config.rows {
            self.send(Command::Read, &[(selector::ROWS + row) as u32]);
        }
        self.send(Command::Read, &[selector::GAME as u32]);
        self.send(Command::Read, &[(selector::ROWS + self.config.rows) as u32]);
    }

    /// Something between two moves. The game may be over then, or begun anew.
    fn aside(&mut self) {
        let position = self.model.position().clone();
        let (columns, rows) = (self.config.columns as u32, self.config.rows as u32);
        let last = position.moves().last().copied();
        match self.rng.u32(0..11) {
            0 => _ = self.send(Command::Play, &[columns, rows + 1]),
            1 => _ = self.word(0xff, &[], 0),
            2 => _ = last.map(|cell| self.send(Command::Place, &self.point(cell))),
            3 => {
                // Arguments that are missing when the next command comes; then the move goes back to where it was.
                let arguments = self.rng.usize(0..2);
                self.exchanges.push(Exchange {
                    control: Command::Place as u32,
                    arguments: vec![0; arguments],
                    answer: words_of(FaceModel::interrupted()),
                    ..Exchange::default()
                });
                self.word(Command::TakeBack as u32, &[], EARLY);
                if let Some(cell) = last {
                    let arguments = self.point(cell);
                    self.send(Command::Place, &arguments);
                }
            }
            4 => _ = self.send(Command::Abort, &[]),
            5 => {
                // A search, and a move behind it that waits its turn.
                self.afford(position);
                self.send(Command::Search, &[]);
                if !self.is_over() {
                    let cell = self.opponent();
                    let arguments = self.point(cell);
                    self.word(Command::Place as u32, &arguments, EARLY);
                }
            }
            6 | 7 => {
                // A search that is aborted.
                self.afford(position);
                let mut predicted = self.model.apply(Command::Search as u32, &[]);
                let faster = words_of(predicted.answer);
                self.model.abort(&mut predicted);
                let delay = self.rng.u16(0..MOST_BEFORE_ABORT);
                let search = Exchange { control: Command::Search as u32, delay, ..Exchange::default() };
                let abort = Exchange {
                    control: Command::Abort as u32,
                    answer: faster,
                    flags: EITHER,
                    ..Exchange::default()
                };
                self.exchanges.extend([search, abort]);
                // Nothing of it is left.
                for command in [Command::Search, Command::TakeBack] {
                    self.send(command, &[]);
                }
            }
            8 => {
                // A search that ends with the game, before it can have decided.
                let mut copy = position;
                let mut search = Search::new(&mut copy, self.model.levels());
                search.decide();
                if search.counters.nodes() > NODES_UNDER_WAY {
                    self.exchanges.push(Exchange { control: Command::Search as u32, ..Exchange::default() });
                    self.send(Command::Reset, &[]);
                }
            }
            9 => {
                // The shortest limit, and one that is never reached.
                self.afford(position);
                for limit in [1, u32::MAX] {
                    self.send(Command::Limit, &[limit]);
                    self.limited(limit);
                    self.send(Command::TakeBack, &[]);
                }
                self.send(Command::Limit, &[0]);
            }
            _ => {
                if let Some(cell) = last {
                    self.send(Command::TakeBack, &[]);
                    let arguments = self.point(cell);
                    self.send(Command::Place, &arguments);
                }
                self.rows();
            }
        }
    }

    /// A search under the shortest limit, which ends with the first of its searches, or under the longest, with the last.
    fn limited(&mut self, limit: u32) {
        let mut predicted = self.model.apply(Command::Search as u32, &[]);
        let levels = predicted.deepening.iter().map(|(levels, _)| *levels);
        let levels = if limit == 1 { levels.min() } else { levels.max() };
        let settled = levels.and_then(|levels| self.model.settle(&mut predicted, levels));
        let answer = words_of(settled.unwrap_or(predicted.answer));
        self.exchanges.push(Exchange { control: Command::Search as u32, answer, ..Exchange::default() });
        for selected in [selector::LIMIT, selector::GAME] {
            self.send(Command::Read, &[selected as u32]);
        }
    }

    fn send(&mut self, command: Command, arguments: &[u32]) -> Option<Status> {
        self.word(command as u32, arguments, 0)
    }

    fn word(&mut self, control: u32, arguments: &[u32], flags: u32) -> Option<Status> {
        let predicted = self.model.apply(control, arguments);
        let searched = predicted.decision.is_some() && predicted.deepening.is_empty();
        let flags = flags | if searched { SEARCHED } else { 0 };
        let answer = words_of(predicted.answer);
        let arguments = arguments.to_vec();
        self.exchanges.push(Exchange { control, arguments, answer, flags, delay: 0 });
        answer.and_then(|words| hdl::face_model::Answer { words }.status())
    }

    /// A free cell next to the stones, any on the empty board.
    fn opponent(&mut self) -> Cell {
        let cells = self.model.position().candidates();
        cells[self.rng.usize(..cells.len())]
    }
}

/// The words of an answer that is known.
fn words_of(expected: Expected) -> Option<[u32; ANSWER_WORDS]> {
    match expected {
        Expected::Words(answer) => Some(answer.words),
        Expected::Nothing | Expected::Any => None,
    }
}

/// The records as `$readmemh` reads them, one a line.
pub fn memory(exchanges: &[Exchange]) -> String {
    let mut text = String::from(
        "// One command a line: control word, flags, two arguments, the answer. Flags: 3:0 arguments, 8 an answer comes, 9 sent before\n\
         // the answer before it is taken, 10 aborted or as answered, 11 a search whose counters are looked at,\n\
         // 31:16 clocks until the next.\n",
    );
    for exchange in exchanges {
        let argument = |index: usize| exchange.arguments.get(index).copied().unwrap_or(0);
        let answered = if exchange.answer.is_some() { ANSWERED } else { 0 };
        let delay = u32::from(exchange.delay) << DELAY;
        let flags = exchange.arguments.len() as u32 | answered | exchange.flags | delay;
        let answer = exchange.answer.unwrap_or([0; ANSWER_WORDS]);
        let words = [exchange.control, flags, argument(0), argument(1), answer[0], answer[1]];
        let words: [String; RECORD_WORDS] = words.map(|word| format!("{word:08x}"));
        let _ = writeln!(text, "{}", words.join(" "));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recorded_games_are_games() {
        let config = Config::from_toml(include_str!("../../configs/tictactoe.toml")).unwrap();
        let exchanges = record(&config, 12, 1);
        assert_eq!(exchanges, record(&config, 12, 1));
        let played = exchanges.iter().filter(|e| e.control == Command::Play as u32).count();
        assert!(played >= 12);
        let text = memory(&exchanges);
        assert_eq!(text.lines().count(), exchanges.len() + 3);
        assert!(text.lines().skip(3).all(|line| line.split(' ').count() == RECORD_WORDS));
    }
}
