// SPDX-License-Identifier: MIT OR Apache-2.0
//! The curves as tables.

use super::plan::{Bases, Curve, Series};
use crate::points::point::{Figures, Point, Search};
use figures::number::{count, percent, three_digits};
use figures::statistics::{Distribution, mean};
use figures::table::Table;

/// Whether a point is of the core as it is emitted now.
pub type Fresh<'a> = &'a dyn Fn(&Point) -> bool;

/// Marks a point of an earlier core.
const EARLIER: &str = "*";
/// Moves at the root that are counted together.
const BIN: usize = 10;
/// The factor that is looked for.
const FACTOR: f64 = 2.0;

/// The searches of a series with their values.
pub fn searches<'a>(series: &'a Series) -> impl Iterator<Item = (usize, &'a Search)> + Clone {
    series.points.iter().filter_map(|(value, point)| match &point.figures {
        Figures::Search(search) => Some((*value, search.as_ref())),
        Figures::Area(_) => None,
    })
}

/// The table of a curve.
pub fn table(curve: Curve, series: &[Series], fresh: Fresh) -> Table {
    match curve {
        Curve::Levels | Curve::Contexts | Curve::Board => cycles(curve, series, fresh),
        Curve::Candidates => candidates(curve, series, fresh),
        Curve::Area => area(curve, series, fresh),
    }
}

fn marked(value: usize, point: &Point, fresh: Fresh) -> String {
    format!("{value}{}", if fresh(point) { "" } else { EARLIER })
}

/// What the marks of a curve's table mean, if it has any.
pub fn marks(curve: Curve, series: &[Series], fresh: Fresh) -> Option<String> {
    let earlier = series.iter().flat_map(|series| &series.points).any(|(_, point)| !fresh(point));
    earlier.then(|| {
        format!("{EARLIER} of an earlier core: `./tengen curves --only {}` measures it again.", curve.name())
    })
}

fn cycles(curve: Curve, series: &[Series], fresh: Fresh) -> Table {
    let mut table = Table::new(
        format!("Clock cycles per move against {}", curve.axis()),
        &[
            "search",
            curve.axis(),
            "cycles, mean",
            "median",
            "p95",
            "passes, mean",
            "busy, %",
            "cancelled, % of passes",
            "main cause of stalls",
            "its share, %",
            "moves at the root, mean",
            "positions",
        ],
    );
    for series in series {
        for (value, point) in &series.points {
            let Figures::Search(search) = &point.figures else { continue };
            let mut cells = vec![series.name.clone(), marked(*value, point, fresh)];
            let cycles = search.cycles;
            cells.extend([cycles.mean, cycles.median, cycles.p95, search.passes.mean].map(count));
            cells.extend([search.busy, search.cancelled_of_passes].map(percent));
            let (cause, share) = worst(search);
            let moves = mean(search.each.candidates.iter().map(|moves| *moves as f64));
            cells.extend([cause, percent(share), three_digits(moves), search.positions.count.to_string()]);
            table.rows.push(cells);
        }
    }
    table
}

/// The main cause of stalls, and the share of cycles lost to it.
fn worst(search: &Search) -> (String, f64) {
    let most = search.bubbles.iter().max_by(|a, b| a.1.total_cmp(b.1));
    most.map_or_else(
        || ("-".into(), 0.0),
        |(cause, share)| (cause.trim_start_matches("wait_").replace('_', " "), *share),
    )
}

/// Moves at the root and cycles of each position.
pub fn pairs(search: &Search) -> impl Iterator<Item = (usize, u64)> + Clone {
    search.each.candidates.iter().copied().zip(search.each.cycles.iter().copied())
}

/// Positions with about as many moves at the root.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bin {
    /// Fewest moves that belong to it.
    pub first: usize,
    /// How many positions.
    pub positions: usize,
    /// Mean of their moves.
    pub moves: f64,
    /// Their cycles.
    pub cycles: Distribution,
}

/// The positions of a search by their moves at the root.
pub fn bins(search: &Search) -> Vec<Bin> {
    let last = search.each.candidates.iter().max().map_or(0, |most| most / BIN);
    let bin = |index: usize| {
        let of_bin: Vec<(usize, u64)> = pairs(search).filter(|(moves, _)| moves / BIN == index).collect();
        (!of_bin.is_empty()).then(|| Bin {
            first: index * BIN,
            positions: of_bin.len(),
            moves: mean(of_bin.iter().map(|(moves, _)| *moves as f64)),
            cycles: Distribution::of(of_bin.iter().map(|(_, cycles)| *cycles as f64)),
        })
    };
    (0..=last).filter_map(bin).collect()
}

fn candidates(curve: Curve, series: &[Series], fresh: Fresh) -> Table {
    let mut table = Table::new(
        format!("Clock cycles of a position against its {}", curve.axis()),
        &["search", curve.axis(), "positions", "cycles, mean", "median", "p95"],
    );
    for series in series {
        for (_, point) in &series.points {
            let Figures::Search(search) = &point.figures else { continue };
            for Bin { first, positions, cycles, .. } in bins(search) {
                let mark = if fresh(point) { "" } else { EARLIER };
                let mut cells = vec![
                    series.name.clone(),
                    format!("{first}-{}{mark}", first + BIN - 1),
                    positions.to_string(),
                ];
                cells.extend([cycles.mean, cycles.median, cycles.p95].map(count));
                table.rows.push(cells);
            }
        }
    }
    table
}

/// The power of the moves at the root that the cycles grow with, by least squares over the logarithms; `None` where
/// the positions do not tell.
pub fn exponent(search: &Search) -> Option<f64> {
    let logs: Vec<(f64, f64)> = pairs(search)
        .filter(|(moves, cycles)| *moves > 0 && *cycles > 0)
        .map(|(moves, cycles)| ((moves as f64).ln(), (cycles as f64).ln()))
        .collect();
    let n = logs.len() as f64;
    let mean_x = logs.iter().map(|(x, _)| x).sum::<f64>() / n;
    let mean_y = logs.iter().map(|(_, y)| y).sum::<f64>() / n;
    let spread: f64 = logs.iter().map(|(x, _)| (x - mean_x).powi(2)).sum();
    let together: f64 = logs.iter().map(|(x, y)| (x - mean_x) * (y - mean_y)).sum();
    (spread > 0.0).then(|| together / spread)
}

fn area(curve: Curve, series: &[Series], fresh: Fresh) -> Table {
    let mut table = Table::new(
        format!("Area against {}: estimates, before packing", curve.axis()),
        &[
            "core",
            curve.axis(),
            "LUT",
            "FF",
            "CARRY4",
            "LUTRAM",
            "BRAM",
            "DSP",
            "LUT per board cell",
            "longest path, ns",
        ],
    );
    for series in series {
        for (value, point) in &series.points {
            let Figures::Area(area) = &point.figures else { continue };
            let cells = (point.config.columns * point.config.rows) as f64;
            let mut row = vec![series.name.clone(), marked(*value, point, fresh)];
            row.extend([area.lut, area.ff, area.carry4, area.lutram].map(|figure| count(figure as f64)));
            row.extend([area.bram.to_string(), area.dsp.to_string(), three_digits(area.lut as f64 / cells)]);
            row.push(area.path_ns.map_or_else(|| "-".into(), |ns| format!("{ns:.2}")));
            table.rows.push(row);
        }
    }
    table
}

/// What keeps the configurations' own searches from half of their cycles.
pub fn limits(bases: &Bases, points: &[Point], fresh: Fresh) -> Table {
    let mut table = Table::new(
        "What the next factor of two needs",
        &[
            "search",
            "cycles, mean",
            "busy, %",
            "full evaluator alone",
            "and passes to drop, %",
            "cancelled, % of passes",
            "for order, % of passes",
            "main cause of stalls",
            "its share, %",
        ],
    );
    for series in bases.series(Curve::Candidates, points) {
        for (_, point) in &series.points {
            let Figures::Search(search) = &point.figures else { continue };
            // Cycles if only passes counted, against those allowed.
            let spare = 1.0 - 1.0 / (FACTOR * search.busy.max(f64::MIN_POSITIVE));
            let mark = if fresh(point) { "" } else { EARLIER };
            let (cause, share) = worst(search);
            table.rows.push(vec![
                format!("{}{mark}", series.name),
                count(search.cycles.mean),
                percent(search.busy),
                format!("{:.2}x", 1.0 / search.busy.max(f64::MIN_POSITIVE)),
                percent(spare.max(0.0)),
                percent(search.cancelled_of_passes),
                percent(search.orders_of_passes),
                cause,
                percent(share),
            ]);
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::points::point::{Each, Positions, Set};

    /// A search of positions with these moves at the root and cycles.
    fn search(each: &[(usize, u64)]) -> Search {
        let cycles = Distribution::of(each.iter().map(|(_, cycles)| *cycles as f64));
        Search {
            levels: 4,
            width: "full width".into(),
            positions: Positions { set: Set::Frozen, count: each.len(), sha256: String::new() },
            simulator: String::new(),
            cycles,
            passes: cycles,
            clocks_per_pass: 1,
            busy: 1.0,
            bubbles: [("starved".to_string(), 0.1), ("wait_first_child".to_string(), 0.2)].into(),
            cancelled_of_passes: 0.0,
            orders_of_passes: 0.0,
            each: Each {
                stones: vec![0; each.len()],
                candidates: each.iter().map(|(moves, _)| *moves).collect(),
                cycles: each.iter().map(|(_, cycles)| *cycles).collect(),
            },
        }
    }

    #[test]
    fn positions_are_binned() {
        let bins = bins(&search(&[(10, 100), (19, 300), (40, 7)]));
        let shown: Vec<_> =
            bins.iter().map(|bin| (bin.first, bin.positions, bin.moves, bin.cycles.mean)).collect();
        assert_eq!(shown, [(10, 2, 14.5, 200.0), (40, 1, 40.0, 7.0)]);
        assert!(super::bins(&search(&[])).is_empty());
    }

    #[test]
    fn growth_is_a_power() {
        let square = exponent(&search(&[(10, 100), (20, 400), (30, 900)])).unwrap();
        assert!((square - 2.0).abs() < 1e-9);
        assert_eq!(exponent(&search(&[(10, 100), (10, 200)])), None);
        assert_eq!(exponent(&search(&[])), None);
    }

    #[test]
    fn the_largest_loss_is_named() {
        assert_eq!(worst(&search(&[(1, 1)])), ("first child".to_string(), 0.2));
    }
}
