// SPDX-License-Identifier: MIT OR Apache-2.0
//! The report as one self-contained page.

use super::plots;
use super::table;
use super::{Measured, Report};
use ::figures::html::{Card, cards, chart, escape, footer, shares, shell, table_html};
use ::figures::number::{count, percent, three_digits, time};

/// The page of a report.
pub fn page(report: &Report) -> String {
    let title = format!("{}: the core against software", report.config);
    let mut body = format!(
        "<h1>{}</h1>\n<p>{}: {} positions of {}; speeds at {} unless another clock is named.</p>\n",
        escape(&title),
        escape(&report.label()),
        report.positions,
        escape(&report.positions_source),
        report.clock
    );
    body.push_str(&cards(&leading(report)));
    let mut tables = table::tables(report);
    // What was asked for comes first.
    if !report.targets.is_empty() {
        tables.rotate_right(1);
    }
    for table in &tables {
        body.push_str(&table_html(table));
    }
    body.push_str(&figures(report));
    body.push_str("<h2>How it was measured</h2>\n<ul>\n");
    for note in table::notes(report) {
        body.push_str(&format!("<li>{}</li>\n", escape(&note)));
    }
    body.push_str("</ul>\n");
    body.push_str(&footer(&report.origin));
    shell(&title, &body)
}

/// What the first search of the report comes to.
fn leading(report: &Report) -> Vec<Card> {
    let Some(measured) = report.rows.first() else { return Vec::new() };
    let (hardware, search) = (&measured.hardware, measured.row.label());
    let cycles = hardware.cycles();
    let card = |name: &str, value: String, note: String| Card { name: name.into(), value, note };
    let mut leading = vec![
        card(
            "clock cycles a move, mean",
            count(cycles.mean),
            format!("{search}; median {}", count(cycles.median)),
        ),
        card(
            "a move takes",
            time(report.clock.seconds(cycles.mean)),
            format!("at {}; at most {}", report.clock, time(report.clock.seconds(cycles.max))),
        ),
        card("evaluator busy", format!("{} %", percent(hardware.busy())), "of all clocks of a search".into()),
    ];
    if let Some(best) = measured.best_single_core() {
        leading.push(card(
            "times the best software",
            three_digits(best.speedup(hardware, report.clock).total),
            format!(
                "{} on one core of {}: {}",
                best.engine,
                report.machine.processor,
                time(best.spread().mean)
            ),
        ));
    }
    leading
}

fn figures(report: &Report) -> String {
    let mut html = chart(&plots::cycles_against_stones(report));
    if let Some(first) = report.rows.first() {
        let causes = first.hardware.clocks().map(|share| share.name);
        html.push_str(&shares("Where the evaluator's clocks go, %", &causes, &plots::clocks(report)));
    }
    for measured in &report.rows {
        html.push_str(&chart(&plots::speedup_distribution(report, measured)));
    }
    for (series, Measured { row, hardware, .. }) in report.rows.iter().enumerate() {
        if let Some(occupancy) = &hardware.occupancy {
            let title = format!(
                "{}: passes retired over the search of median length (position {}); the line is a full evaluator",
                row.label(),
                occupancy.position + 1
            );
            html.push_str(&chart(&plots::occupancy(title, occupancy, hardware.interval, series)));
        }
    }
    html
}
