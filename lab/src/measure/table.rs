// SPDX-License-Identifier: MIT OR Apache-2.0
//! The report as tables of text, laid out once for terminal and browser.

use super::board::OnBoard;
use super::software::{FEW_ROUNDS, LONG_ROUND, ROUNDS, Software};
use super::throughput::Throughput;
use super::{Measured, Report};
use figures::clock::Clock;
use figures::number::{count, percent, three_digits, time};
use figures::statistics::mean;
use figures::table::Table;

/// The whole report as text.
pub fn text(report: &Report) -> String {
    let mut text = format!(
        "{}: the core against software on {} positions of {}; {}\n",
        report.config,
        report.positions,
        report.positions_source,
        report.label()
    );
    for table in tables(report) {
        text.push_str(&table.text());
    }
    text.push('\n');
    for note in notes(report) {
        text.push_str(&format!("{note}\n"));
    }
    text
}

/// What more cores than there are would do for the software, by Amdahl's law from one thread and several.
fn on_more_cores(measured: &Measured) -> Option<String> {
    let total = |software: &Software| software.seconds.iter().sum::<f64>();
    let engine = |name: &str| measured.software.iter().find(|software| software.engine == name);
    let (one, all) = (engine("fast")?, engine("fast-all-cores")?);
    let (threads, ratio) = (all.threads as f64, total(all) / total(one));
    // Time on n threads = serial + (1 - serial) / n.
    let serial = ((threads * ratio - 1.0) / (threads - 1.0)).clamp(0.0, 1.0);
    let times = |cores: f64| 1.0 / (serial + (1.0 - serial) / cores);
    Some(format!(
        "{}: fast is {:.2} times as fast on {} threads as on one. Extrapolated by Amdahl's law with the serial share of {:.0} % \
         that this gives, nothing measured: {:.1} times on 8 cores, {:.1} on 16.",
        measured.row.label(),
        1.0 / ratio,
        all.threads,
        100.0 * serial,
        times(8.0),
        times(16.0)
    ))
}

/// All tables of a report.
pub fn tables(report: &Report) -> Vec<Table> {
    let mut tables =
        vec![cycles(report), clocks(report), nodes(report), software(report), throughput(report)];
    tables.extend(report.board.as_ref().map(line));
    if !report.targets.is_empty() {
        tables.push(targets(report));
    }
    tables
}

/// How the figures came about.
pub fn notes(report: &Report) -> Vec<String> {
    let core = match &report.board {
        Some(board) => format!(
            "Core: on {}, whose clock is {} by its own word; cycles by its own counter, decisions and scores compared with the model's.{}",
            board.name,
            board.clock,
            if board.pseudo_terminal {
                " Its port is a pseudo-terminal: a simulated board's, whose times over the line are the simulator's, or one that passes a line on."
            } else {
                ""
            }
        ),
        None => {
            format!("Core: {}, untraced as it ships; cycles by its own counter.", report.machine.simulator)
        }
    };
    let mut notes = vec![
        core,
        format!(
            "Software: {}, {} core{}{}; {}.",
            report.machine.processor,
            report.machine.cores,
            if report.machine.cores == 1 { "" } else { "s" },
            report.machine.others.map_or_else(String::new, |others| {
                let disturbed = if report.machine.disturbed() { ": DISTURBED, measure again on a quiet machine" } else { "" };
                format!(", others used {others:.2} cores meanwhile{disturbed}")
            }),
            report.machine.compiler()
        ),
        format!(
            "Times: of the processor (wall clock of several threads), tables built beforehand. {ROUNDS} rounds over positions and \
             engines ({FEW_ROUNDS} or one where a round takes over {} s), the best time of each position counts: mean, median, max \
             over positions, then the mean in the median round and in the slowest. Every decision and score equals the core's and \
             the model's.",
            LONG_ROUND.as_secs()
        ),
        "Speed-up: time of the software over time of the core at the clock, all positions together; p10, median \
         and p90 position by position."
            .into(),
    ];
    notes.extend(report.rows.iter().filter_map(on_more_cores));
    if report.machine.compilation.debug_assertions {
        notes.push(
            "This build checks as it computes, which makes its software slower: figures to quote come from a release \
             build (`./tengen measure`)."
                .into(),
        );
    }
    for engine in report.engines() {
        let mut all = report.rows.iter().flat_map(|measured| &measured.software);
        if let Some(software) = all.find(|software| software.engine == engine) {
            notes.push(format!("{engine}: {}.", software.algorithm));
        }
    }
    notes
}

/// What the line makes of it.
fn line(board: &OnBoard) -> Table {
    let mut table = Table::new(
        format!(
            "Over the line at {} baud: wall time of a position set and searched, the share that its bytes take at this rate, positions a second",
            count(board.baud.into())
        ),
        &["requests", "mean", "median", "max", "bytes on the line, %", "positions/s"],
    );
    let each = board.each();
    let share = board.line_seconds.iter().sum::<f64>() / board.seconds.iter().sum::<f64>().max(1e-9);
    let [single, batch] = board.per_second();
    table.rows.push(vec![
        "one by one".into(),
        time(each.mean),
        time(each.median),
        time(each.max),
        percent(share),
        three_digits(single),
    ]);
    let mean = board.batch_seconds / board.seconds.len().max(1) as f64;
    let none = String::new;
    table.rows.push(vec!["in one call".into(), time(mean), none(), none(), none(), three_digits(batch)]);
    table
}

fn cycles(report: &Report) -> Table {
    let mut table = Table::new("Clock cycles per move", &["search", "width", "mean", "median", "p95", "max"]);
    let clocks = report.clocks();
    table.head.extend(clocks.iter().map(|clock| format!("mean at {clock}")));
    for Measured { row, hardware, .. } in &report.rows {
        let cycles = hardware.cycles();
        let mut cells = vec![row.label(), row.width()];
        cells.extend([cycles.mean, cycles.median, cycles.p95, cycles.max].map(count));
        cells.extend(clocks.iter().map(|clock| time(clock.seconds(cycles.mean))));
        table.rows.push(cells);
    }
    table
}

fn clocks(report: &Report) -> Table {
    let mut table = Table::new(
        "Evaluator: passes per move, and where the clocks go, % (what is not busy is a bubble); cancelled and order, % of passes",
        &[
            "search",
            "passes",
            "busy",
            "order",
            "first child",
            "context",
            "miss",
            "starved",
            "cancelled",
            "for order",
        ],
    );
    for Measured { row, hardware, .. } in &report.rows {
        let mut cells = vec![row.label(), count(hardware.passes().mean)];
        cells.extend(hardware.clocks().map(|share| percent(share.share)));
        cells.extend([hardware.cancelled(), hardware.orders()].map(percent));
        table.rows.push(cells);
    }
    let meanings = [
        ("busy", "the evaluator begins a pass, a whole board"),
        ("order", "no pass: the level waits for the evaluator to name its next moves in order"),
        (
            "first child",
            "no pass: a node's other moves wait for the result of its first, which may cut them all",
        ),
        ("context", "no pass: a level has a move to try, but all places for searches side by side are taken"),
        ("miss", "no pass: a level had its turn and then nothing to try"),
        ("starved", "no pass: nobody has a move to try until results leave the pipeline"),
        ("cancelled", "passes whose result nobody needs any more: a cutoff came first"),
        ("for order", "passes that only ask for a node's next moves in order"),
    ];
    table.words = meanings.map(|(word, meaning)| (word.to_string(), meaning.to_string())).into();
    table
}

fn nodes(report: &Report) -> Table {
    let nodes: Vec<Vec<f64>> = report.rows.iter().map(|measured| measured.hardware.nodes_per_ply()).collect();
    let plies = nodes.iter().map(Vec::len).max().unwrap_or(0);
    let mut table = Table::new("Nodes evaluated at each ply, mean", &["search"]);
    table.head.extend((1..=plies).map(|ply| ply.to_string()));
    for (Measured { row, .. }, nodes) in report.rows.iter().zip(&nodes) {
        let mut cells = vec![row.label()];
        cells.extend((0..plies).map(|ply| nodes.get(ply).map_or_else(|| "-".into(), |&nodes| count(nodes))));
        table.rows.push(cells);
    }
    table
}

fn software(report: &Report) -> Table {
    let mut table = Table::new(
        format!(
            "Software on the same positions, and how many times as fast the core is (p10 to p90 at {})",
            report.clock
        ),
        &["search", "engine", "threads", "nodes", "mean", "median", "max", "median round", "slowest"],
    );
    let clocks = report.clocks();
    table.head.extend(clocks.iter().map(|clock| format!("at {clock}")));
    table.head.extend(["p10", "median", "p90"].map(String::from));
    for measured in &report.rows {
        for software in &measured.software {
            let seconds = software.spread();
            let at = |clock: Clock| software.speedup(&measured.hardware, clock);
            let nodes = mean(software.nodes.iter().map(|&nodes| nodes as f64));
            let mut cells = vec![
                measured.row.label(),
                software.engine.into(),
                software.threads.to_string(),
                count(nodes),
            ];
            let [_, median, slowest] = software.round_means();
            cells.extend([seconds.mean, seconds.median, seconds.max, median, slowest].map(time));
            cells.extend(clocks.iter().map(|&clock| times(at(clock).total)));
            let each = at(report.clock).each;
            cells.extend([each.p10, each.median, each.p90].map(times));
            table.rows.push(cells);
        }
    }
    table
}

fn throughput(report: &Report) -> Table {
    let clocks = report.clocks();
    let mut table = Table::new(
        "Many positions: positions a second of one core, and of software whose threads each search their own",
        &["search", "engine", "threads", "software, positions/s"],
    );
    table.head.extend(clocks.iter().flat_map(|clock| [format!("core at {clock}"), "times".into()]));
    for measured in &report.rows {
        let software = measured.throughput.per_second();
        let mut cells = vec![
            measured.row.label(),
            measured.throughput.engine.into(),
            measured.throughput.threads.to_string(),
            count(software),
        ];
        cells.extend(clocks.iter().flat_map(|&clock| {
            let core = Throughput::of_core(&measured.hardware, clock);
            [count(core), times(core / software.max(1e-9))]
        }));
        table.rows.push(cells);
    }
    table
}

fn times(ratio: f64) -> String {
    format!("{}x", three_digits(ratio))
}

fn targets(report: &Report) -> Table {
    let mut table = Table::new("Must and aim", &["what", "value", "must", "aim", "verdict"]);
    for judged in &report.targets {
        let mut cells = vec![judged.target.what.to_string()];
        cells.extend([judged.value, judged.target.must, judged.target.aim].map(three_digits));
        cells.push(judged.target.verdict(judged.value));
        table.rows.push(cells);
    }
    table
}
