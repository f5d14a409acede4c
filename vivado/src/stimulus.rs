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

/// One command and what it must answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exchange {
    /// Control word.
    pub control: u32,
    /// Argument words, two at most.
    pub arguments: Vec<u32>,
    /// The answer, if there is one.
    pub answer: Option<[u32; ANSWER_WORDS]>,
}

/// Nodes that the model may search one level less deep, or a search is recorded with fewer levels: a level more costs up to a
/// hundred times as many.
const NODES_BEFORE: u64 = 100_000;
/// Nodes of all recorded searches, after which the record ends early: a simulator takes about a clock for each.
const NODES_IN_ALL: u64 = 10_000_000;

/// Records `moves` engine moves in games against random opponents, with illegal commands among them. Where the configuration's
/// levels would search for hours, `Levels` comes before the move and fewer are searched; where even these take many nodes
/// the record is shorter.
pub fn record(config: &Config, moves: usize, seed: u64) -> Vec<Exchange> {
    let mut recorder = Recorder { model: FaceModel::new(config), exchanges: Vec::new(), nodes: 0 };
    let mut rng = fastrand::Rng::with_seed(seed);
    recorder.send(Command::Read as u32, &[selector::IDENTITY as u32]);
    recorder.send(Command::Read as u32, &[selector::CONFIGURATION as u32]);
    let outside = (config.columns as u32, config.rows as u32 + 1);
    let mut made = 0;
    let mut engine_first = true;
    while made < moves && recorder.nodes < NODES_IN_ALL {
        recorder.send(Command::Reset as u32, &[]);
        let mut status = None;
        if engine_first {
            status = recorder.play(None, config);
            made += 1;
        }
        engine_first = !engine_first;
        while made < moves && recorder.nodes < NODES_IN_ALL && matches!(status, None | Some(Status::Move)) {
            // Refused commands change nothing.
            match rng.u32(0..12) {
                0 => _ = recorder.send(Command::Play as u32, &[outside.0, outside.1]),
                1 => _ = recorder.send(0xff, &[]),
                _ => {}
            }
            let cell = recorder.opponent(&mut rng);
            status = recorder.play(Some(cell), config);
            made += 1;
        }
        recorder.send(Command::Read as u32, &[selector::GAME as u32]);
    }
    recorder.exchanges
}

struct Recorder {
    model: FaceModel,
    exchanges: Vec<Exchange>,
    /// Nodes searched so far.
    nodes: u64,
}

impl Recorder {
    /// The opponent's move, or none if the engine opens, and the engine's answer.
    fn play(&mut self, opponent: Option<Cell>, config: &Config) -> Option<Status> {
        let mut position = self.model.position().clone();
        if let Some(cell) = opponent {
            position.play(cell).expect("the opponent plays candidates of a running game");
        }
        let levels = self.affordable(&mut position, config.levels);
        if levels != self.model.levels() {
            self.send(Command::Levels as u32, &[levels as u32]);
        }
        let geometry = &position.tables().geometry;
        let (x, y) = opponent.map_or((geometry.columns, geometry.rows), |cell| {
            let point = geometry.point(cell);
            (point.x, point.y)
        });
        self.send(Command::Play as u32, &[x as u32, y as u32])
    }

    /// Levels that can be searched in this position.
    fn affordable(&mut self, position: &mut Position, most: usize) -> usize {
        for levels in 1..=most {
            let mut search = Search::new(position, levels);
            search.decide();
            let nodes = search.counters.nodes();
            if levels == most || nodes > NODES_BEFORE {
                self.nodes += nodes;
                return levels;
            }
        }
        most
    }

    fn send(&mut self, control: u32, arguments: &[u32]) -> Option<Status> {
        let expected = self.model.apply(control, arguments).answer;
        let answer = match expected {
            Expected::Words(answer) => Some(answer),
            Expected::Nothing | Expected::Any => None,
        };
        self.exchanges.push(Exchange {
            control,
            arguments: arguments.to_vec(),
            answer: answer.map(|answer| answer.words),
        });
        answer.and_then(|answer| answer.status())
    }

    /// A free cell next to the stones, any on the empty board.
    fn opponent(&self, rng: &mut fastrand::Rng) -> Cell {
        let cells = self.model.position().candidates();
        cells[rng.usize(..cells.len())]
    }
}

/// The records as `$readmemh` reads them, one a line.
pub fn memory(exchanges: &[Exchange]) -> String {
    let mut text = String::from(
        "// One command a line: control word, arguments (bits 3:0) and whether an answer comes (bit 8), two arguments, the answer.\n",
    );
    for exchange in exchanges {
        let argument = |index: usize| exchange.arguments.get(index).copied().unwrap_or(0);
        let flags = exchange.arguments.len() as u32 | if exchange.answer.is_some() { ANSWERED } else { 0 };
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
        assert_eq!(text.lines().count(), exchanges.len() + 1);
        assert!(text.lines().skip(1).all(|line| line.split(' ').count() == RECORD_WORDS));
    }
}
