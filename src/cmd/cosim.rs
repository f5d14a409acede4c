// SPDX-License-Identifier: MIT OR Apache-2.0
//! `tengen cosim`: games in lockstep.

use super::cosim_slot;
use crate::configs::load;
use crate::faces::FaceName;
use crate::found::Found;
use crate::progress::Progress;
use anyhow::{Context, bail};
use arena::drawing::board;
use arena::games;
use cosim::coverage::Covered;
use cosim::lockstep::{FaultReport, HANG_CYCLES, Plan, Tally, run as play};
use cosim::models::{counting, model, with_waves};
use cosim::verilate::Waves;
use cosim::waves::write_views;
use cosim::{Kind, Model, report};
use engine_model::position::Tables;
use engine_model::{Config, Position};
use figures::statistics::Distribution;
use kit::Choice;
use rtl_tests::faults::{self, FAULTS};
use rtl_tests::{hunt, with_fault};
use serde_json::json;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Arguments of `cosim`.
#[derive(clap::Args)]
pub struct Arguments {
    /// Configuration: a name (see `tengen configs`) or a .toml file
    #[arg(long, value_name = "NAME|FILE", default_value = "gomoku15")]
    config: String,
    /// Engine moves to play and compare
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..))]
    moves: u64,
    /// Start positions, one per line (`x,y x,y ...`, or `dx,dy, dx,dy, ...` from the centre); else random openings
    #[arg(long, value_name = "FILE")]
    games: Option<PathBuf>,
    /// Seed of openings, opponents, power-up state and stream timing
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Probability that a stream stalls in a clock, with --face that a bus idles in one, 0 to below 1
    #[arg(long, value_name = "P", default_value_t = 0.1)]
    back_pressure: f64,
    /// Play only this game of the seed
    #[arg(long, value_name = "G")]
    game: Option<u64>,
    /// Engine move of the game that --waves shows
    #[arg(long, value_name = "M", default_value_t = 0, requires = "waves")]
    at_move: u64,
    /// Play one game only (the first, or --game) and write a waveform of one engine move of it: FILE.fst, or FILE.vcd, which is
    /// some twenty times as large; beside it what GTKWave and Surfer show of it
    #[arg(long, value_name = "FILE.fst|vcd")]
    waves: Option<PathBuf>,
    /// Use the core as it ships, without trace outputs: only answers are compared
    #[arg(long)]
    untraced: bool,
    /// Count changes of every signal and of every condition, in a model of its own, and write to FILE which never changed
    #[arg(long, value_name = "FILE", conflicts_with_all = ["waves", "inject", "face"])]
    coverage: Option<PathBuf>,
    /// Put a fault into the RTL of a small core and see what a disagreement looks like: a fault's name, or `list`
    #[arg(long, value_name = "FAULT", conflicts_with_all = ["config", "games", "untraced", "face"])]
    inject: Option<String>,
    /// Through the registers of a slot instead of the core's streams: only answers and counters are compared
    #[arg(long, value_enum, default_value_t = FaceName::Axis, conflicts_with_all = ["games", "game", "waves", "untraced"])]
    face: FaceName,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// The small core with this fault in its RTL.
fn injected(name: &str) -> anyhow::Result<&'static Model> {
    let Some(place) = FAULTS.place(name) else {
        bail!("no fault {name:?}: `tengen cosim --inject list` names them");
    };
    Ok(with_fault(&FAULTS, Some(place))?)
}

/// Where the waveform of a fault goes when no file is named.
const FAULT_FOLDER: &str = "target/cosim";

/// Runs the command.
pub fn run(arguments: &Arguments) -> anyhow::Result<Found> {
    if arguments.inject.as_deref() == Some("list") {
        let mut out = std::io::stdout().lock();
        for (fault, _) in FAULTS.faults {
            writeln!(out, "{:<40} {fault}", fault.name)?;
        }
        return Ok(Found::Nothing);
    }
    let faulty = arguments.inject.as_deref().map(injected).transpose()?;
    let config = match faulty {
        Some(model) => model.config.clone(),
        None => load(&arguments.config)?,
    };
    if !(0.0..1.0).contains(&arguments.back_pressure) {
        bail!("--back-pressure {}: must be at least 0 and below 1", arguments.back_pressure);
    }
    if let Some(face) = arguments.face.slot() {
        let arguments = cosim_slot::Arguments {
            config: &arguments.config,
            moves: arguments.moves,
            seed: arguments.seed,
            back_pressure: arguments.back_pressure,
            json: arguments.json,
        };
        return cosim_slot::run(&arguments, &config, face);
    }
    let traced = !arguments.untraced;
    let games = match &arguments.games {
        None => Vec::new(),
        Some(file) => {
            let text = crate::reading::named(file, "")?;
            let games =
                games::parse(&text, &config.geometry()).with_context(|| file.display().to_string())?;
            if games.is_empty() {
                bail!("{} holds no game", file.display());
            }
            let tables = Tables::new(&config);
            for (index, game) in games.iter().enumerate() {
                let over = Position::from_moves(&tables, game).map_or(true, |position| position.is_over());
                if over {
                    bail!("{}: game {} has ended: nothing is left to play", file.display(), index + 1);
                }
            }
            games
        }
    };
    if let Some(file) = &arguments.waves {
        if format_of(file)? != Waves::Vcd && faulty.is_some() {
            bail!("--waves {}: the core with a fault writes VCD: name it .vcd", file.display());
        }
        std::fs::write(file, "").with_context(|| format!("cannot write {}", file.display()))?;
    }
    let plan = Plan {
        config: config.clone(),
        seed: arguments.seed,
        moves: if faulty.is_some() { faults::MOVES } else { arguments.moves },
        games,
        back_pressure: arguments.back_pressure,
        traced,
        only_game: arguments.game.or(arguments.waves.as_ref().map(|_| 0)),
        limit: if faulty.is_some() { hunt::LIMIT } else { HANG_CYCLES },
        waves: arguments.waves.clone().map(|file| (file, arguments.at_move)),
    };
    let kind = Kind::core(traced);
    let (model, choices) = match (faulty, &plan.waves, &arguments.coverage) {
        (Some(model), ..) => (model, Vec::new()),
        (None, Some((file, _)), _) => (with_waves(&config, kind, format_of(file)?)?, Vec::new()),
        (None, None, Some(file)) => {
            std::fs::write(file, "").with_context(|| format!("cannot write {}", file.display()))?;
            counting(&config, traced)?
        }
        (None, None, None) => (model(&config, kind)?, Vec::new()),
    };
    // Given games, and a single one, are played to their ends, however many moves that takes.
    let open_end = !plan.games.is_empty() || plan.only_game.is_some();
    let bar = if open_end { Progress::of("playing") } else { Progress::counted(plan.moves, "moves") };
    let (tally, fault) = play(&plan, model, &mut |tally| match open_end {
        true => bar.say(format!("{} moves", tally.moves)),
        false => bar.set(tally.moves),
    });
    drop(bar);
    if let Some(file) = &arguments.waves {
        if fault.is_none() && std::fs::metadata(file).is_ok_and(|file| file.len() == 0) {
            bail!("--at-move {}: the game has only {} engine moves", arguments.at_move, tally.moves);
        }
        write_views(file, &hdl::Layout::new(&config), None)
            .with_context(|| format!("cannot write beside {}", file.display()))?;
    }
    let covered =
        arguments.coverage.as_ref().map(|file| covered(&tally, &config, &choices, file)).transpose()?;
    let fault = fault.map(|fault| explain(&plan, arguments, &fault, faulty)).transpose()?;
    print(arguments, model, &tally, covered, fault.as_deref())?;
    Ok(if fault.is_some() { Found::Fault } else { Found::Nothing })
}

/// What the games have moved; what not goes to a file.
fn covered(tally: &Tally, config: &Config, choices: &[Choice], file: &Path) -> anyhow::Result<Covered> {
    let prefix = format!("{}_", config.name.replace('-', "_"));
    let uncovered = tally.coverage.uncovered(&prefix, choices).map_err(anyhow::Error::msg)?;
    std::fs::write(file, uncovered.text()).with_context(|| format!("cannot write {}", file.display()))?;
    Ok(uncovered.total())
}

/// The format of a waveform, by its name.
fn format_of(file: &Path) -> anyhow::Result<Waves> {
    Waves::of(file).with_context(|| format!("--waves {}: name it .fst or .vcd", file.display()))
}

/// The fault in words; its game is played again to leave a waveform of the move it happened in.
fn explain(
    plan: &Plan,
    arguments: &Arguments,
    fault: &FaultReport,
    faulty: Option<&'static Model>,
) -> anyhow::Result<String> {
    let waves = match &arguments.waves {
        Some(file) => file.clone(),
        None => {
            std::fs::create_dir_all(FAULT_FOLDER).with_context(|| format!("cannot make {FAULT_FOLDER}"))?;
            let ending = faulty
                .and_then(|model| model.functions.waves)
                .map_or(Waves::Fst, |waves| waves.format)
                .ending();
            Path::new(FAULT_FOLDER)
                .join(format!("{}-{}-{}.{ending}", plan.config.name, plan.seed, fault.game))
        }
    };
    let model = match faulty {
        Some(model) => model,
        None => with_waves(&plan.config, Kind::core(plan.traced), format_of(&waves)?)?,
    };
    let views = report::leave_waveform(plan, fault, model, &waves)
        .with_context(|| format!("cannot write beside {}", waves.display()))?;
    let mut command = format!(
        "./tengen cosim {} --seed {} --back-pressure {} --game {} --at-move {} --waves {}",
        match &arguments.inject {
            Some(name) => format!("--inject {name}"),
            None => format!("--config {}", arguments.config),
        },
        plan.seed,
        plan.back_pressure,
        fault.game,
        fault.engine_move,
        waves.display()
    );
    if let Some(file) = &arguments.games {
        command.push_str(&format!(" --games {}", file.display()));
    }
    if arguments.untraced {
        command.push_str(" --untraced");
    }
    let tables = Tables::new(&plan.config);
    let owner = |cell| fault.moves.iter().position(|&other| other == cell).map(|index| index % 2);
    let drawn = board(&tables.geometry, owner, fault.moves.last().copied());
    Ok(format!(
        "{}{drawn}replay: {command}\nwaveform: {} (gtkwave {}; surfer -c {} {1})\n",
        report::describe(plan, fault),
        waves.display(),
        views.gtkwave.display(),
        views.surfer.display()
    ))
}

fn print(
    arguments: &Arguments,
    model: &Model,
    tally: &Tally,
    covered: Option<Covered>,
    fault: Option<&str>,
) -> anyhow::Result<()> {
    let Distribution { mean, median, max, .. } =
        Distribution::of(tally.cycles.iter().map(|&cycles| cycles as f64));
    let fingerprint = tally.fingerprint();
    let mut out = std::io::stdout().lock();
    if arguments.json {
        let object = json!({
            "config": model.config.name,
            "simulator": model.simulator,
            "seed": arguments.seed,
            "back_pressure": arguments.back_pressure,
            "traced": !arguments.untraced,
            "games": tally.games,
            "moves": tally.moves,
            "nodes_compared": tally.nodes_compared,
            "returns_compared": tally.returns_compared,
            "mismatches": u32::from(fault.is_some()),
            "fault": fault,
            "cycles": { "mean": mean, "median": median as u64, "max": max as u64 },
            "simulated_cycles": tally.simulated_cycles,
            "cycles_per_second": tally.speed.per_second().round(),
            "cycles_per_second_fastest_game": tally.fastest.per_second().round(),
            "decisions": fingerprint,
            "coverage": covered.map(|Covered { bits, changed, choices, both }| json!({
                "bits": bits, "changed": changed, "choices": choices, "both": both,
            })),
        });
        writeln!(out, "{object}")?;
        return Ok(());
    }
    writeln!(out, "{} on {}", model.config.name, model.simulator)?;
    writeln!(
        out,
        "  moves compared    {:>12}   in {} games, seed {}",
        tally.moves, tally.games, arguments.seed
    )?;
    if tally.moves > arguments.moves {
        writeln!(
            out,
            "                                 a small board's whole tree is played, from either side"
        )?;
    }
    if arguments.untraced {
        writeln!(out, "  nodes compared               -   (no trace outputs: answers only)")?;
    } else {
        writeln!(
            out,
            "  nodes compared    {:>12}   and {} controller returns",
            tally.nodes_compared, tally.returns_compared
        )?;
    }
    writeln!(out, "  mismatches        {:>12}", u32::from(fault.is_some()))?;
    writeln!(
        out,
        "  cycles per move   {mean:>12.0}   mean; median {median}, max {max} (searches with all levels)"
    )?;
    writeln!(
        out,
        "  simulation        {:>12.0}   cycles a second of the processor; {:.0} in the fastest game",
        tally.speed.per_second(),
        tally.fastest.per_second()
    )?;
    writeln!(out, "  decisions         {fingerprint}   fingerprint of the moves chosen")?;
    if let (Some(Covered { bits, changed, choices, both }), Some(file)) = (covered, &arguments.coverage) {
        let percent = |part: usize, whole: usize| 100.0 * part as f64 / whole.max(1) as f64;
        writeln!(
            out,
            "  coverage          {changed:>12}   of {bits} bits changed ({:.1} %), {both} of {choices} conditions met both ways ({:.1} %);",
            percent(changed, bits),
            percent(both, choices)
        )?;
        writeln!(out, "                                 the others: {}", file.display())?;
    }
    if let Some(fault) = fault {
        write!(out, "\n{fault}")?;
    }
    Ok(())
}
