// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a level more costs principal variation search, with each of its helps: `cargo bench -p engine-model --bench depths [--
//! DEPTH [POSITIONS [quick]]]`. First the reply to a stone in the centre, then time to depth over positions, one thread against
//! two; `quick` leaves out who has no table there.
#![allow(missing_docs)]

use engine_model::notation::parse_games;
use engine_model::{Cell, Config, Engine};
use players::pvs::{Options, Pvs};
use std::time::{Duration, Instant};

/// Time and result of a search from nothing.
fn search(config: &Config, options: &Options, moves: &[Cell], depth: usize) -> (Duration, u64, i32) {
    let mut engine = Pvs::new(config, options.clone());
    engine.set_position(moves).expect("positions are legal");
    let begin = Instant::now();
    let (_, score, nodes) = engine.best(depth).expect("the game goes on");
    (begin.elapsed(), nodes, score)
}

fn main() {
    let numbers: Vec<usize> = std::env::args().skip(1).filter_map(|word| word.parse().ok()).collect();
    let most = numbers.first().copied().unwrap_or(5);
    let count = numbers.get(1).copied().unwrap_or(40);
    let config = Config::from_toml(include_str!("../../configs/gomoku15.toml")).expect("it is shipped");
    let plain = Options { table_bytes: 0, history: false, threads: 1, ..Options::default() };
    let history = Options { history: true, ..plain.clone() };
    let table = Options { table_bytes: 64 << 20, ..history.clone() };
    let parallel = Options { threads: 2, ..table.clone() };
    let variants = [
        ("plain", plain),
        ("+ history", history),
        ("+ table", table.clone()),
        ("2 threads", parallel.clone()),
    ];
    println!("reply to a stone in the centre, 15 x 15: nodes, seconds, score");
    println!("depth  {}", variants.each_ref().map(|(name, _)| format!("{name:>28}")).concat());
    for depth in 2..=most {
        let row = variants.each_ref().map(|(_, options)| {
            let (time, nodes, score) = search(&config, options, &[112], depth);
            format!("{nodes:>13} {:>7.3} {score:>6}", time.as_secs_f64())
        });
        println!("{depth:>5}  {}", row.concat());
    }
    let games = parse_games(include_str!("../../positions/midgame_120.txt"), &config.geometry());
    let games = games.expect("they are shipped");
    let positions: Vec<&Vec<Cell>> = games.iter().step_by((games.len() / count.max(1)).max(1)).collect();
    println!("depth {most} over {} positions of real games: nodes, seconds", positions.len());
    let (mut scores, mut times) = (Vec::new(), Vec::new());
    let quick = std::env::args().any(|word| word == "quick");
    for (name, options) in variants.iter().filter(|(_, options)| !quick || options.table_bytes > 0) {
        let found: Vec<_> = positions.iter().map(|moves| search(&config, options, moves, most)).collect();
        let time: Duration = found.iter().map(|(time, ..)| *time).sum();
        let nodes: u64 = found.iter().map(|(_, nodes, _)| nodes).sum();
        println!("{name:<12} {nodes:>13} {:>8.3}", time.as_secs_f64());
        times.push(time);
        scores.push(found.into_iter().map(|(.., score)| score).collect::<Vec<_>>());
    }
    let [.., one, two] = times[..] else { return };
    let equal = scores.iter().all(|of_variant| *of_variant == scores[0]);
    println!(
        "two threads: {:.2} times as fast to depth as one; scores of all variants {}",
        one.as_secs_f64() / two.as_secs_f64(),
        if equal { "equal" } else { "DIFFER" }
    );
}
