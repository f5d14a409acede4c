// SPDX-License-Identifier: MIT OR Apache-2.0
//! A match that ends when its result is clear: the sequential probability ratio test.
//!
//! Hypothesis 0: side a is stronger by `elo0` at most; hypothesis 1: by `elo1` at least. The observations are the openings' pairs
//! of games, so that what an opening gives to a colour does not count twice. With N pairs of mean score mu and variance v (each a
//! share of the two points), s0 and s1 the expected scores of the hypotheses,
//!
//! ```text
//! LLR = N (s1 - s0) (2 mu - s0 - s1) / (2 v)
//! ```
//!
//! the generalised ratio in its normal approximation (M. Van den Bergh, as in fishtest's documents); the test ends with
//! hypothesis 0 at ln(beta / (1 - alpha)) or below, with 1 at ln((1 - beta) / alpha) or above (Wald 1945).

use crate::statistics::Score;

/// What a pair result that never occurred counts, as for the intervals.
const UNSEEN_PAIR: f64 = 1e-3;

/// A test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    /// Elo of hypothesis 0.
    pub elo0: f64,
    /// Elo of hypothesis 1.
    pub elo1: f64,
    /// Probability of ending with 1 though 0 holds.
    pub alpha: f64,
    /// Probability of ending with 0 though 1 holds.
    pub beta: f64,
}

/// What the test says so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Play on.
    Open,
    /// Hypothesis 0.
    Zero,
    /// Hypothesis 1.
    One,
}

/// Expected score of an Elo difference.
fn expected(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

impl Sprt {
    /// Reads `ELO0,ELO1` or `ELO0,ELO1,ALPHA,BETA`; both errors are 0.05 unless given.
    pub fn parse(text: &str) -> Result<Sprt, String> {
        let numbers: Option<Vec<f64>> = text.split(',').map(|part| part.trim().parse().ok()).collect();
        let (elo0, elo1, alpha, beta) = match numbers.as_deref() {
            Some([elo0, elo1]) => (*elo0, *elo1, 0.05, 0.05),
            Some([elo0, elo1, alpha, beta]) => (*elo0, *elo1, *alpha, *beta),
            _ => return Err("write ELO0,ELO1 or ELO0,ELO1,ALPHA,BETA, for example 0,50".into()),
        };
        let error = |rate: f64| rate > 0.0 && rate < 0.5;
        if !(elo0 < elo1 && elo0.is_finite() && elo1.is_finite()) {
            return Err(format!("ELO0 {elo0} must be below ELO1 {elo1}"));
        }
        if !error(alpha) || !error(beta) {
            return Err(format!("ALPHA {alpha} and BETA {beta} must lie between 0 and 0.5"));
        }
        Ok(Sprt { elo0, elo1, alpha, beta })
    }

    /// Below the first hypothesis 0 holds, above the second hypothesis 1.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// Logarithm of the likelihoods' ratio; only openings both of whose games have been played count.
    pub fn llr(&self, openings: &[Score]) -> f64 {
        let complete = openings.iter().filter(|score| score.games() == 2);
        let mut weights = [0.0_f64; 5];
        complete.for_each(|score| weights[(2 * score.wins + score.draws) as usize] += 1.0);
        let pairs: f64 = weights.iter().sum();
        if pairs == 0.0 {
            return 0.0;
        }
        weights.iter_mut().filter(|weight| **weight == 0.0).for_each(|weight| *weight = UNSEEN_PAIR);
        let all: f64 = weights.iter().sum();
        let share = |index: usize| index as f64 / 4.0;
        let mean: f64 = weights.iter().enumerate().map(|(i, w)| w * share(i)).sum::<f64>() / all;
        let variance: f64 =
            weights.iter().enumerate().map(|(i, w)| w * (share(i) - mean).powi(2)).sum::<f64>() / all;
        let (s0, s1) = (expected(self.elo0), expected(self.elo1));
        pairs * (s1 - s0) * (2.0 * mean - s0 - s1) / (2.0 * variance)
    }

    /// What the openings say.
    pub fn verdict(&self, openings: &[Score]) -> Verdict {
        let (llr, (low, high)) = (self.llr(openings), self.bounds());
        match llr {
            llr if llr <= low => Verdict::Zero,
            llr if llr >= high => Verdict::One,
            _ => Verdict::Open,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(counts: [u64; 5]) -> Vec<Score> {
        let scores = [(0, 0, 2), (0, 1, 1), (1, 0, 1), (1, 1, 0), (2, 0, 0)];
        let of = |(wins, draws, losses)| Score { wins, draws, losses };
        scores.into_iter().zip(counts).flat_map(|(score, n)| (0..n).map(move |_| of(score))).collect()
    }

    #[test]
    fn tests_are_read() {
        let test = Sprt::parse("0, 50").unwrap();
        assert_eq!(test, Sprt { elo0: 0.0, elo1: 50.0, alpha: 0.05, beta: 0.05 });
        let (low, high) = test.bounds();
        assert!((low + 2.944).abs() < 1e-3 && (high - 2.944).abs() < 1e-3);
        for wrong in ["", "5", "5,5", "9,5", "0,5,0,0.1", "0,5,0.1,0.6", "a,b", "0,5,0.1"] {
            assert!(Sprt::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_ratio_is_that_of_the_normal_distribution() {
        // 100 pairs, mean 0.55, variance by hand 0.0225: likelihoods of the mean under both hypotheses.
        let counts = [2, 8, 62, 24, 4];
        let test = Sprt { elo0: 0.0, elo1: 30.0, alpha: 0.05, beta: 0.05 };
        let mean = (8.0 * 0.25 + 62.0 * 0.5 + 24.0 * 0.75 + 4.0) / 100.0;
        let spread = |score: f64, n: f64| n * (score - mean) * (score - mean);
        let variance = (spread(0.0, 2.0)
            + spread(0.25, 8.0)
            + spread(0.5, 62.0)
            + spread(0.75, 24.0)
            + spread(1.0, 4.0))
            / 100.0;
        let density = |expected: f64| -(mean - expected).powi(2) * 100.0 / (2.0 * variance);
        let exact = density(expected(30.0)) - density(expected(0.0));
        assert!((test.llr(&pairs(counts)) - exact).abs() < 1e-9);
    }

    #[test]
    fn clear_results_end_it() {
        let test = Sprt::parse("0,50").unwrap();
        assert_eq!(test.verdict(&[]), Verdict::Open);
        assert_eq!(test.verdict(&pairs([1, 2, 10, 2, 1])), Verdict::Open);
        assert_eq!(test.verdict(&pairs([0, 2, 30, 30, 20])), Verdict::One);
        assert_eq!(test.verdict(&pairs([30, 30, 60, 20, 5])), Verdict::Zero);
        // A lone game of an opening does not count.
        let lone = Score { wins: 1, ..Score::default() };
        assert_eq!(test.llr(&[lone; 50]), 0.0);
    }
}
