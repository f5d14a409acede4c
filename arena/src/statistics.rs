// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the results of a match say about the strength of its sides.
//!
//! The unit of observation is the opening, not the game: the two games from one opening share whatever advantage it
//! gives to a side, so they are not independent. With s_i points in n_i games from opening i (2 when both have been played) and
//! G games in all,
//!
//! ```text
//! mean      mu  = sum s_i / G
//! variance  v   = mean (s_i - mu n_i)^2 N / G^2       of mu, the ratio estimator over N openings
//! size      n   = mu (1 - mu) / v                     games of a coin with the same variance
//! interval  (mu + z^2/2n  -+  z sqrt(v + z^2/4n^2)) / (1 + z^2/n),   z = 1.96        (Wilson 1927)
//! Elo       400 log10(mu / (1 - mu))                  of mu and of both ends
//! ```
//!
//! With all openings complete, v is the variance of the pentanomial model over the pair results 0, 1/2, 1, 3/2, 2, as
//! in Stockfish's fishtest (`get_elo` of its `stat_util.py`). A match of few openings knows little of that variance: to what was seen
//! come two openings of two even and independent games each, which count in v (per opening) and in the superiority, not in mu. So a
//! clean sweep has an interval and two games say next to nothing; among a hundred openings they are two hundredths. Wilson's form
//! replaces the normal one because it stays within 0 and 1 for lopsided matches; for balanced ones the two agree.

/// Normal quantile of a two-sided 95 % interval.
const Z_95: f64 = 1.959_963_984_540_054;
/// Openings that are assumed beside what was seen: the prior of variance and superiority.
const PRIOR_OPENINGS: f64 = 2.0;
/// How often two even and independent games without draws give each of [`PAIR_POINTS`].
const EVEN_PAIR: [f64; 5] = [0.25, 0.0, 0.5, 0.0, 0.25];
/// What a pair result that never occurred counts (fishtest's value).
pub(crate) const UNSEEN_PAIR: f64 = 1e-3;
/// Points of the possible pair results.
pub(crate) const PAIR_POINTS: [f64; 5] = [0.0, 0.5, 1.0, 1.5, 2.0];

/// Wins, draws and losses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Score {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl Score {
    /// Games in all.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Points: a win counts 1, a draw 1/2.
    pub fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// Points per game; 1/2 without games.
    pub fn fraction(&self) -> f64 {
        if self.games() == 0 { 0.5 } else { self.points() / self.games() as f64 }
    }

    /// Adds another score.
    pub fn add(&mut self, other: Score) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
    }
}

/// A value with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The value.
    pub value: f64,
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// What a match says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strength {
    /// Points per game.
    pub fraction: Estimate,
    /// Elo difference; infinite where one side took everything.
    pub elo: Estimate,
    /// Probability that the first side is the stronger one.
    pub superiority: f64,
    /// Openings whose two games gave 0, 1/2, 1, 3/2 and 2 points.
    pub pairs: [u64; 5],
}

/// Elo difference of an expected score between 0 and 1.
pub fn elo(fraction: f64) -> f64 {
    400.0 * (fraction / (1.0 - fraction)).log10()
}

/// Distribution function of the standard normal (Abramowitz and Stegun 26.2.17, error below 1e-7).
pub fn normal_cdf(x: f64) -> f64 {
    const TAIL: [f64; 5] = [0.319_381_530, -0.356_563_782, 1.781_477_937, -1.821_255_978, 1.330_274_429];
    let t = 1.0 / (1.0 + 0.231_641_9 * x.abs());
    let polynomial = TAIL.iter().rev().fold(0.0, |sum, coefficient| (sum + coefficient) * t);
    let tail = (-x * x / 2.0).exp() / std::f64::consts::TAU.sqrt() * polynomial;
    if x < 0.0 { tail } else { 1.0 - tail }
}

/// Evaluates a match from the score of each opening (its one or two games).
pub fn strength(openings: &[Score]) -> Strength {
    let mut total = Score::default();
    let mut pairs = [0; 5];
    for score in openings {
        total.add(*score);
        if score.games() == 2 {
            pairs[(2 * score.wins + score.draws) as usize] += 1;
        }
    }
    if total.games() == 0 {
        return Strength {
            fraction: Estimate { value: 0.5, low: 0.0, high: 1.0 },
            elo: Estimate { value: 0.0, low: f64::NEG_INFINITY, high: f64::INFINITY },
            superiority: 0.5,
            pairs,
        };
    }
    // Observations (points, games, weight): the openings, and those of the prior.
    let prior =
        PAIR_POINTS.iter().zip(EVEN_PAIR).map(|(points, share)| (*points, 2.0, PRIOR_OPENINGS * share));
    let observations: Vec<(f64, f64, f64)> =
        openings.iter().map(|score| (score.points(), score.games() as f64, 1.0)).chain(prior).collect();
    let sum = |of: &dyn Fn(f64, f64) -> f64| {
        observations.iter().map(|(s, n, weight)| weight * of(*s, *n)).sum::<f64>()
    };
    let smoothed = sum(&|s, _| s) / sum(&|_, n| n);
    let of_an_opening = sum(&|s, n| (s - smoothed * n).powi(2)) / sum(&|_, _| 1.0);
    let variance = of_an_opening * openings.len() as f64 / (total.games() as f64).powi(2);
    let size = smoothed * (1.0 - smoothed) / variance;

    let mean = total.fraction();
    let z2 = Z_95 * Z_95;
    let centre = (mean + z2 / (2.0 * size)) / (1.0 + z2 / size);
    let spread = mean * (1.0 - mean) / size + z2 / (4.0 * size * size);
    let half_width = Z_95 * spread.sqrt() / (1.0 + z2 / size);
    let fraction = Estimate {
        value: mean,
        low: (centre - half_width).clamp(0.0, mean),
        high: (centre + half_width).clamp(mean, 1.0),
    };
    Strength {
        fraction,
        elo: Estimate { value: elo(mean), low: elo(fraction.low), high: elo(fraction.high) },
        superiority: normal_cdf((smoothed - 0.5) / variance.sqrt()),
        pairs,
    }
}

/// Mean, median and largest of a list.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spread {
    /// Mean.
    pub mean: f64,
    /// The middle one; the upper one of two.
    pub median: u64,
    /// Largest.
    pub max: u64,
}

/// Mean, median and largest, or `None` of nothing.
pub fn spread(mut values: Vec<u64>) -> Option<Spread> {
    values.sort_unstable();
    let max = *values.last()?;
    let mean = values.iter().map(|&v| v as f64).sum::<f64>() / values.len() as f64;
    Some(Spread { mean, median: values[values.len() / 2], max })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(got: f64, expected: f64, tolerance: f64) {
        assert!((got - expected).abs() <= tolerance, "{got} is not {expected}");
    }

    /// Openings with the given number of each pair result 0, 1/2, 1, 3/2, 2.
    fn of_pairs(pairs: [u64; 5]) -> Vec<Score> {
        let scores = [(0, 0, 2), (0, 1, 1), (1, 0, 1), (1, 1, 0), (2, 0, 0)];
        let of = |(wins, draws, losses)| Score { wins, draws, losses };
        scores.into_iter().zip(pairs).flat_map(|(s, n)| (0..n).map(move |_| of(s))).collect()
    }

    #[test]
    fn few_games_say_little() {
        let even = strength(&of_pairs([0, 0, 1, 0, 0]));
        assert!(even.elo.low < -200.0 && even.elo.high > 200.0, "{even:?}");
        near(even.superiority, 0.5, 1e-9);
        let won = strength(&of_pairs([0, 0, 0, 0, 1]));
        assert!(won.superiority < 0.8 && won.fraction.low < 0.5, "{won:?}");
        assert!(strength(&of_pairs([0, 0, 0, 0, 10])).superiority > 0.99);
    }

    #[test]
    fn elo_of_known_scores() {
        for (fraction, expected) in [(0.5, 0.0), (0.75, 190.85), (0.64, 99.95), (10.0 / 11.0, 400.0)] {
            near(elo(fraction), expected, 0.005);
            near(elo(1.0 - fraction), -expected, 0.005);
        }
    }

    #[test]
    fn normal_distribution() {
        for (x, p) in [(0.0, 0.5), (1.0, 0.841_344_75), (-1.959_964, 0.025), (3.0, 0.998_650_1)] {
            near(normal_cdf(x), p, 1e-6);
        }
    }

    #[test]
    fn independent_games_have_the_binomial_interval() {
        // 600 : 400 in single games: Wilson's interval of 0.6 from 1000 is 0.5693 to 0.6299.
        let won = Score { wins: 1, ..Score::default() };
        let lost = Score { losses: 1, ..Score::default() };
        let games: Vec<Score> = (0..1000).map(|i| if i % 5 < 3 { won } else { lost }).collect();
        let result = strength(&games);
        near(result.elo.value, 70.44, 0.01);
        near(result.fraction.low, 0.5693, 1e-4);
        near(result.fraction.high, 0.6299, 1e-4);
        assert!(result.superiority > 0.999_999);
    }

    #[test]
    fn pairs_have_the_pentanomial_interval() {
        // By hand: 2000 pairs, mean 0.515, variance of a pair's mean 0.039775, standard error 0.004460.
        let result = strength(&of_pairs([40, 380, 1080, 420, 80]));
        assert_eq!(result.pairs, [40, 380, 1080, 420, 80]);
        near(result.fraction.value, 0.515, 1e-12);
        near(result.fraction.high - result.fraction.low, 2.0 * Z_95 * 0.004_459_5, 2e-5);
        near(result.elo.value, 10.43, 0.01);
        near(result.superiority, normal_cdf(0.015 / 0.004_459_5), 1e-4);
    }

    #[test]
    fn long_matches_agree_with_fishtest() {
        // Pair results, and Elo, both ends and superiority as fishtest's formulas give them.
        for (pairs, [value, low, high, superiority]) in [
            ([1187, 7410, 13475, 7378, 1164], [-0.4426, -2.1725, 1.2872, 0.308014]),
            ([39, 2226, 31451, 2412, 40], [0.9030, 0.2405, 1.5655, 0.996222]),
        ] {
            let result = strength(&of_pairs(pairs));
            near(result.elo.value, value, 1e-3);
            near(result.elo.low, low, 0.01);
            near(result.elo.high, high, 0.01);
            near(result.superiority, superiority, 1e-4);
        }
    }

    #[test]
    fn paired_results_narrow_the_interval() {
        // Whoever has the better side of the opening always wins: nothing is left to chance.
        let split = strength(&of_pairs([0, 0, 100, 0, 0]));
        near(split.elo.value, 0.0, 1e-9);
        assert!(split.elo.high < 8.0 && split.elo.low > -8.0, "{split:?}");
        near(split.superiority, 0.5, 1e-6);
        // The same 100 wins and 100 losses, all or nothing by opening: wider than any unpaired count.
        let swings = strength(&of_pairs([50, 0, 0, 0, 50]));
        assert!(swings.elo.high > 60.0, "{swings:?}");
    }

    #[test]
    fn a_clean_sweep_has_a_lower_end() {
        let sweep = strength(&of_pairs([0, 0, 0, 0, 100]));
        assert_eq!(sweep.elo.value, f64::INFINITY);
        assert_eq!(sweep.elo.high, f64::INFINITY);
        assert!((500.0..700.0).contains(&sweep.elo.low), "{sweep:?}");
        let swept = strength(&of_pairs([100, 0, 0, 0, 0]));
        near(swept.elo.high, -sweep.elo.low, 1e-6);
        assert!(sweep.superiority > 0.999 && swept.superiority < 0.001);
    }

    #[test]
    fn nothing_says_nothing() {
        let nothing = strength(&[]);
        assert_eq!(nothing.elo.value, 0.0);
        assert_eq!(nothing.elo.high, f64::INFINITY);
        assert_eq!(spread(Vec::new()), None);
        assert_eq!(spread(vec![5, 1, 3]), Some(Spread { mean: 3.0, median: 3, max: 5 }));
    }
}
