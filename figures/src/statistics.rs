// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a list of figures looks like.

use serde::{Deserialize, Serialize};

/// Of a list that is not empty.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Distribution {
    /// Mean.
    pub mean: f64,
    /// A tenth lies below.
    pub p10: f64,
    /// The middle one; the upper one of two.
    pub median: f64,
    /// A tenth lies at or above.
    pub p90: f64,
    /// A twentieth lies at or above.
    pub p95: f64,
    /// Largest.
    pub max: f64,
}

impl Distribution {
    /// Of these figures; all zero of none.
    pub fn of(figures: impl IntoIterator<Item = f64>) -> Distribution {
        let mut sorted: Vec<f64> = figures.into_iter().collect();
        sorted.sort_by(f64::total_cmp);
        let Some(&max) = sorted.last() else { return Distribution::default() };
        // The first with at least this many per cent of the list before it.
        let at = |percent: usize| sorted[(sorted.len() * percent).div_ceil(100).min(sorted.len() - 1)];
        Distribution {
            mean: sorted.iter().sum::<f64>() / sorted.len() as f64,
            p10: at(10),
            median: sorted[sorted.len() / 2],
            p90: at(90),
            p95: at(95),
            max,
        }
    }
}

/// Mean of a list; 0 of none.
pub fn mean(figures: impl IntoIterator<Item = f64>) -> f64 {
    let (sum, count) =
        figures.into_iter().fold((0.0, 0.0), |(sum, count), figure| (sum + figure, count + 1.0));
    if count == 0.0 { 0.0 } else { sum / count }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hundred_and_less() {
        let all = Distribution::of((0..100).rev().map(f64::from));
        let expected = Distribution { mean: 49.5, p10: 10.0, median: 50.0, p90: 90.0, p95: 95.0, max: 99.0 };
        assert_eq!(all, expected);
        let three = Distribution::of([5.0, 1.0, 3.0]);
        assert_eq!((three.p10, three.median, three.p95, three.max), (3.0, 3.0, 5.0, 5.0));
        let one = Distribution::of([7.0]);
        assert_eq!([one.mean, one.p10, one.median, one.p90, one.p95, one.max], [7.0; 6]);
        assert_eq!(Distribution::of([]), Distribution::default());
    }

    #[test]
    fn means() {
        assert_eq!((mean([1.0, 2.0, 6.0]), mean([])), (3.0, 0.0));
    }
}
