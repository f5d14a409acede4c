// SPDX-License-Identifier: MIT OR Apache-2.0
//! How well brains keep to the time for a move, as a manager sees it through pipes: `cargo bench --bench overrun [-- MOVES
//! MILLISECONDS JOBS [ENGINE ...]]`. JOBS others keep the processors busy meanwhile. The time is from the line that asks to the line that answers; the overrun is what it has beyond the
//! limit, negative if the answer came sooner. Every search could go on for ever.
#![allow(missing_docs)]

use engine_model::notation::parse_games;
use engine_model::{Config, Geometry};
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const ENGINES: [&str; 4] = ["model", "five-tuple", "line-shape", "pvs"];

/// Overruns in milliseconds and levels of `moves` moves of an engine.
fn measured(engine: &str, config: &str, moves: usize, limit: u64) -> (Vec<f64>, Vec<usize>) {
    let geometry: Geometry =
        Config::from_toml(include_str!("../configs/gomoku15.toml")).expect("it is shipped").geometry();
    let games =
        parse_games(include_str!("../positions/midgame_120.txt"), &geometry).expect("they are shipped");
    let mut child = Command::new(env!("CARGO_BIN_EXE_tengen"))
        .args(["brain", "--engine", engine, "--config", config])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the brain starts");
    let mut input = child.stdin.take().expect("it is piped");
    let mut output = BufReader::new(child.stdout.take().expect("it is piped")).lines();
    writeln!(input, "START 15\nINFO timeout_turn {limit}").expect("the brain reads");
    assert_eq!(output.next().expect("an answer").expect("text"), "OK");
    let (mut overruns, mut levels) = (Vec::new(), Vec::new());
    // Each position, and earlier ones of its game.
    let positions =
        (0..).flat_map(|back| games.iter().map(move |game| &game[..game.len().saturating_sub(back)]));
    for position in positions.filter(|position| !position.is_empty()).take(moves) {
        let mut text = String::from("BOARD\n");
        for (index, cell) in position.iter().enumerate() {
            // Who is to move owns every second stone, but for the last.
            let own = if (position.len() - index).is_multiple_of(2) { 1 } else { 2 };
            text.push_str(&format!("{},{own}\n", geometry.point(*cell)));
        }
        input.write_all(text.as_bytes()).expect("the brain reads");
        let begin = Instant::now();
        writeln!(input, "DONE").expect("the brain reads");
        loop {
            let line = output.next().expect("an answer").expect("text");
            if let Some(told) = line.strip_prefix("MESSAGE levels ") {
                levels.extend(told.split(',').next().and_then(|number| number.parse::<usize>().ok()));
                continue;
            }
            assert!(!line.starts_with("ERROR"), "{line}");
            break;
        }
        let time = begin.elapsed().as_secs_f64() - Duration::from_millis(limit).as_secs_f64();
        overruns.push(1e3 * time);
    }
    writeln!(input, "END").expect("the brain reads");
    child.wait().expect("it ends");
    (overruns, levels)
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let number =
        |index: usize, usual: u64| words.get(index).and_then(|word| word.parse().ok()).unwrap_or(usual);
    let (moves, limit, jobs) = (number(0, 500) as usize, number(1, 100), number(2, 0));
    let engines: Vec<&str> =
        if words.len() > 3 { words[3..].iter().map(String::as_str).collect() } else { ENGINES.to_vec() };
    // They end with this process.
    (0..jobs).for_each(|_| drop(std::thread::spawn(|| while std::hint::black_box(true) {})));
    // The model's ten levels at full width: nobody waits for that.
    let config = include_str!("../configs/gomoku15.toml").replace("levels = 4", "levels = 10");
    let file = std::env::temp_dir().join(format!("tengen-overrun-{}.toml", std::process::id()));
    std::fs::write(&file, config).expect("a temporary file can be written");
    println!("{moves} moves, timeout_turn {limit} ms, {jobs} busy jobs beside; overrun in ms");
    println!("engine          median     p99     max   late  levels, mean");
    for engine in engines {
        let (mut overruns, levels) = measured(engine, file.to_str().expect("a path"), moves, limit);
        overruns.sort_by(f64::total_cmp);
        let at = |share: f64| overruns[((overruns.len() - 1) as f64 * share).round() as usize];
        let late = overruns.iter().filter(|overrun| **overrun > 0.0).count();
        let mean = levels.iter().sum::<usize>() as f64 / levels.len().max(1) as f64;
        println!("{engine:<12} {:>9.2} {:>7.2} {:>7.2} {late:>6} {mean:>8.2}", at(0.5), at(0.99), at(1.0));
    }
    let _ = std::fs::remove_file(file);
}
