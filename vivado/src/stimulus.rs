// SPDX-License-Identifier: MIT OR Apache-2.0
//! Recorded games for the packaged test bench: commands, arguments and the answers that the model gives.

use engine_model::Config;
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

/// Records at least `moves` engine moves in games against random opponents, with illegal commands among them.
pub fn record(config: &Config, moves: usize, seed: u64) -> Vec<Exchange> {
    let mut recorder = Recorder { model: FaceModel::new(config), exchanges: Vec::new() };
    let mut rng = fastrand::Rng::with_seed(seed);
    recorder.send(Command::Read as u32, &[selector::IDENTITY as u32]);
    recorder.send(Command::Read as u32, &[selector::CONFIGURATION as u32]);
    let outside = (config.columns as u32, config.rows as u32 + 1);
    let mut made = 0;
    let mut engine_first = true;
    while made < moves {
        recorder.send(Command::Reset as u32, &[]);
        let mut status = None;
        if engine_first {
            status = recorder.send(Command::Play as u32, &[config.columns as u32, config.rows as u32]);
            made += 1;
        }
        engine_first = !engine_first;
        while made < moves && matches!(status, None | Some(Status::Move)) {
            // Refused commands change nothing.
            match rng.u32(0..12) {
                0 => _ = recorder.send(Command::Play as u32, &[outside.0, outside.1]),
                1 => _ = recorder.send(0xff, &[]),
                _ => {}
            }
            let (x, y) = recorder.opponent(&mut rng);
            status = recorder.send(Command::Play as u32, &[x, y]);
            made += 1;
        }
        recorder.send(Command::Read as u32, &[selector::GAME as u32]);
    }
    recorder.exchanges
}

struct Recorder {
    model: FaceModel,
    exchanges: Vec<Exchange>,
}

impl Recorder {
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
    fn opponent(&self, rng: &mut fastrand::Rng) -> (u32, u32) {
        let position = self.model.position();
        let cells = position.candidates();
        let point = position.tables().geometry.point(cells[rng.usize(..cells.len())]);
        (point.x as u32, point.y as u32)
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
