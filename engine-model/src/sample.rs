// SPDX-License-Identifier: MIT OR Apache-2.0
//! Configurations for tests of everything that takes one: a little one, and legal ones at random, whose dice are the caller's.

use crate::config::{MAX_CONTEXTS, MAX_EXTENSIONS, MAX_LEVELS, MAX_SIDE, MIN_TRANSPOSITIONS};
use crate::named::named;
use crate::{BoundKind, Config, LeafKind, RuleSet};
use std::ops::RangeInclusive;

/// How large a configuration may become.
#[derive(Clone, Copy, Debug)]
pub struct Most {
    /// Columns, rows: 3 to [`MAX_SIDE`].
    pub side: usize,
    /// Levels: 1 to [`MAX_LEVELS`].
    pub levels: usize,
    /// Contexts: 1 to [`MAX_CONTEXTS`].
    pub contexts: usize,
}

impl Most {
    /// Whatever is legal.
    pub const LEGAL: Most = Most { side: MAX_SIDE, levels: MAX_LEVELS, contexts: MAX_CONTEXTS };
    /// Of a size that every tool takes seconds for.
    pub const SMALL: Most = Most { side: 9, levels: 4, contexts: 6 };
}

/// Tic-tac-toe at so many levels and with two contexts, which every tool takes seconds for: for tests of what stands around a core.
pub fn little(levels: usize) -> Config {
    let tictactoe = named("tictactoe").expect("it is a shipped configuration");
    Config { name: "little".into(), levels, contexts: 2, ..tictactoe }
}

/// A legal configuration. `dice` draws a number of a range, each as likely as the others; small boards come up more often
/// than large ones.
pub fn configuration(name: &str, most: Most, mut dice: impl FnMut(RangeInclusive<usize>) -> usize) -> Config {
    let side = dice(3..=most.side.clamp(3, MAX_SIDE));
    let (mut columns, mut rows) = (dice(1..=side), dice(1..=side));
    // A board must have room for three in a row.
    if columns.max(rows) < 3 {
        (columns, rows) = (side, rows);
    }
    if dice(0..=1) == 1 {
        std::mem::swap(&mut columns, &mut rows);
    }
    let in_a_row = dice(3..=columns.max(rows).min(7));
    let levels = dice(1..=most.levels.clamp(1, MAX_LEVELS));
    let mut window_scores = vec![0];
    for _ in 1..in_a_row {
        let last = window_scores[window_scores.len() - 1];
        window_scores.push(last + dice(0..=40) as u32);
    }
    let beam_entries = dice(1..=levels);
    Config {
        name: name.into(),
        columns,
        rows,
        in_a_row,
        levels,
        beam: (0..beam_entries).map(|_| dice(0..=columns * rows)).collect(),
        extensions: dice(0..=MAX_EXTENSIONS.min(levels)),
        candidate_radius: dice(1..=2),
        rules: [RuleSet::None, RuleSet::Forced, RuleSet::Double, RuleSet::Restricted][dice(0..=3)],
        leaf: [LeafKind::Potential, LeafKind::HalfGain][dice(0..=1)],
        window_scores,
        four_three_bonus: if in_a_row >= 4 { dice(0..=400) as u32 } else { 0 },
        contexts: dice(1..=most.contexts.clamp(1, MAX_CONTEXTS)),
        rows_per_clock: dice(if columns == 1 { 2..=rows } else { 1..=rows }),
        bound: [BoundKind::None, BoundKind::Gain, BoundKind::Reply][dice(0..=2)],
        trace: false,
        clock_mhz: 100,
        ahead: dice(0..=3),
        low_gain: dice(0..=2) * dice(0..=64),
        transpositions: dice(0..=1) * (MIN_TRANSPOSITIONS << dice(0..=4)),
    }
}

/// So many of them, `NAME000` and so on.
pub fn many(
    name: &str,
    number: usize,
    most: Most,
    mut dice: impl FnMut(RangeInclusive<usize>) -> usize,
) -> Vec<Config> {
    (0..number).map(|index| configuration(&format!("{name}{index:03}"), most, &mut dice)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_one_is_legal_and_all_sizes_come_up() {
        let mut rng = fastrand::Rng::with_seed(1);
        let mut sides = [0_usize; MAX_SIDE + 1];
        for round in 0..5_000 {
            let most = if round % 2 == 0 { Most::LEGAL } else { Most::SMALL };
            let config = configuration("random", most, |range| rng.usize(range));
            assert_eq!(config.check(), Ok(()), "{}", config.to_toml());
            assert!(config.columns.max(config.rows) <= most.side && config.levels <= most.levels);
            sides[config.columns] += 1;
            sides[config.rows] += 1;
        }
        assert!(sides[1..].iter().all(|count| *count > 0), "{sides:?}");
    }
}
