// SPDX-License-Identifier: MIT OR Apache-2.0
//! `tengen cosim --face ahb|apb|axil`: games through a slot's registers.

use crate::found::Found;
use crate::progress::Progress;
use cosim::Kind;
use cosim::bus::session::{SlotSession, play};
use cosim::models::model;
use cosim::speed::{Speed, thread_time};
use engine_model::Config;
use engine_model::notation::format_game;
use figures::statistics::Distribution;
use serde_json::json;
use soc_integration::Face;
use std::io::Write;

/// What of `cosim`'s arguments counts here.
pub struct Arguments<'a> {
    /// The configuration as it was asked for.
    pub config: &'a str,
    pub moves: u64,
    pub seed: u64,
    pub back_pressure: f64,
    pub json: bool,
}

/// Runs the command.
pub fn run(arguments: &Arguments, config: &Config, face: Face) -> anyhow::Result<Found> {
    let name = face.name();
    let model = model(config, Kind::Slot(face))?;
    let mut session = SlotSession::new(model, face, config, arguments.seed, arguments.back_pressure)?;
    let begin = thread_time();
    let bar = Progress::of(format!("{} behind {name} registers: {} moves", config.name, arguments.moves));
    let played = play(&mut session, arguments.moves, arguments.seed);
    drop(bar);
    // With the model's own time, which is small beside the simulation's.
    let time = thread_time() - begin;
    let mut out = std::io::stdout().lock();
    let (played, fault) = match played {
        Ok(played) => (played, None),
        Err(fault) => (session.played(), Some(fault.to_string())),
    };
    let Distribution { mean, median, max, .. } =
        Distribution::of(played.searches.iter().map(|&cycles| cycles as f64));
    let speed = Speed { cycles: played.simulated_cycles, time }.per_second();
    if arguments.json {
        let object = json!({
            "config": config.name,
            "face": name,
            "simulator": model.simulator,
            "seed": arguments.seed,
            "back_pressure": arguments.back_pressure,
            "games": played.games,
            "moves": played.moves,
            "answers_compared": played.answers,
            "nodes_compared": 0,
            "mismatches": u32::from(fault.is_some()),
            "fault": fault,
            "cycles": { "mean": mean, "median": median as u64, "max": max as u64 },
            "simulated_cycles": played.simulated_cycles,
            "cycles_per_second": speed.round(),
        });
        writeln!(out, "{object}")?;
    } else {
        writeln!(out, "{} behind {name} registers on {}", config.name, model.simulator)?;
        writeln!(
            out,
            "  moves compared    {:>12}   in {} games, seed {}",
            played.moves, played.games, arguments.seed
        )?;
        writeln!(
            out,
            "  answers compared  {:>12}   one interrupt each; counters every few moves",
            played.answers
        )?;
        writeln!(out, "  mismatches        {:>12}", u32::from(fault.is_some()))?;
        writeln!(
            out,
            "  cycles per move   {mean:>12.0}   mean; median {median}, max {max}, by the registers"
        )?;
        writeln!(out, "  simulation        {speed:>12.0}   cycles a second of the processor")?;
        if let Some(fault) = &fault {
            writeln!(
                out,
                "\nfault: {fault}\nmoves: {}\nreplay: ./tengen cosim --face {name} --config {} --seed {} --back-pressure {} --moves {}",
                format_game(session.reference().position().moves(), &config.geometry()),
                arguments.config,
                arguments.seed,
                arguments.back_pressure,
                arguments.moves
            )?;
        }
    }
    Ok(if fault.is_some() { Found::Fault } else { Found::Nothing })
}
