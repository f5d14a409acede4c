// SPDX-License-Identifier: MIT OR Apache-2.0
//! A match as one self-contained page with plots.

use crate::report::table;
use arena::series::Identity;
use arena::sprt::Sprt;
use arena::statistics::{Score, strength};
use arena::summary::{LENGTHS, Summary};
use figures::html::{escape, figure, shell};
use figures::picture::{Area, Drawn, HEIGHT, colour, draw, style, whole_steps};
use plotters::prelude::*;

/// Results in the order they are drawn and named.
const RESULTS: [&str; 3] = ["won", "drawn", "lost"];

/// The page.
pub fn page(identity: &Identity, summary: &Summary, faults: &[String], sprt: Option<Sprt>) -> String {
    let title = format!("{} against {}", identity.a, identity.b);
    let key: Vec<(usize, String)> =
        RESULTS.iter().enumerate().map(|(index, name)| (index, (*name).to_string())).collect();
    let mut body = format!("<h1>{}</h1>\n", escape(&title));
    body.push_str(&format!("<pre>{}</pre>\n", escape(&table(identity, summary, faults, sprt))));
    body.push_str(&figure(
        &format!("Games by their length, results of {}", identity.a),
        &key,
        &lengths(summary),
    ));
    body.push_str(&figure(
        &format!("Score of {} after so many openings, % with its 95 % interval", identity.a),
        &[],
        &course(&summary.openings),
    ));
    body.push_str(&format!("<p>Made by tengen {}.</p>\n", env!("CARGO_PKG_VERSION")));
    shell(&title, &body)
}

fn counts(score: &Score) -> [u64; 3] {
    [score.wins, score.draws, score.losses]
}

/// Bars of games by length, results on top of each other.
fn lengths(summary: &Summary) -> String {
    let classes = &summary.by_length;
    let first = classes.first().map_or(0, |(from, _)| *from);
    let last = classes.last().map_or(LENGTHS, |(from, _)| from + LENGTHS);
    let most = classes.iter().map(|(_, score)| score.games()).max().unwrap_or(1) as f64;
    draw(HEIGHT, |area: &Area| -> Drawn {
        let mut chart = ChartBuilder::on(area)
            .margin(12)
            .x_label_area_size(46)
            .y_label_area_size(64)
            .build_cartesian_2d(first as f64..last as f64, 0.0..most * 1.05)?;
        style(&mut chart.configure_mesh())
            .x_desc("moves, the opening's included")
            .y_desc("games")
            .y_labels(whole_steps(most))
            .x_label_formatter(&|moves| format!("{moves:.0}"))
            .y_label_formatter(&|games| format!("{games:.0}"))
            .draw()?;
        for (from, score) in classes {
            let mut below = 0.0;
            for (index, games) in counts(score).into_iter().enumerate() {
                let above = below + games as f64;
                let bar = [(*from as f64 + 0.5, below), ((from + LENGTHS) as f64 - 0.5, above)];
                chart.draw_series([Rectangle::new(bar, colour(index).filled())])?;
                below = above;
            }
        }
        Ok(())
    })
}

/// The score as the match went on.
fn course(openings: &[Score]) -> String {
    // A point for each opening of a short match, for every so many of a long one.
    let step = openings.len().div_ceil(200).max(1);
    let points: Vec<(f64, [f64; 3])> = (step..=openings.len())
        .step_by(step)
        .map(|number| {
            let fraction = strength(&openings[..number]).fraction;
            (number as f64, [fraction.low, fraction.value, fraction.high].map(|share| 100.0 * share))
        })
        .collect();
    draw(HEIGHT, |area: &Area| -> Drawn {
        let mut chart = ChartBuilder::on(area)
            .margin(12)
            .x_label_area_size(46)
            .y_label_area_size(64)
            .build_cartesian_2d(0.0..openings.len().max(1) as f64, 0.0..100.0)?;
        style(&mut chart.configure_mesh())
            .x_desc("openings, two games each")
            .y_desc("score, %")
            .x_label_formatter(&|openings| format!("{openings:.0}"))
            .y_label_formatter(&|share| format!("{share:.0}"))
            .draw()?;
        let low = points.iter().map(|(number, [low, ..])| (*number, *low));
        let high = points.iter().rev().map(|(number, [.., high])| (*number, *high));
        let band: Vec<(f64, f64)> = low.chain(high).collect();
        chart.draw_series([Polygon::new(band, colour(0).mix(0.18))])?;
        let value = points.iter().map(|(number, [_, value, _])| (*number, *value));
        chart.draw_series(LineSeries::new(value, colour(0).stroke_width(2)))?;
        Ok(())
    })
}
