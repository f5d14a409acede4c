// SPDX-License-Identifier: MIT OR Apache-2.0
//! A match that ends when its result is clear: the sequential probability ratio test.
//!
//! Hypothesis 0: side a is stronger by `elo0` at most; hypothesis 1: by `elo1` at least. The observations are the openings' pairs
//! of games, so that what an opening gives to a colour does not count twice. The ratio is the generalised one: with p_i the share
//! of the pairs that gave a_i (0, 1/4, 1/2, 3/4, 1) of their two points and N pairs, the likeliest distribution whose mean is s
//!
//! ```text
//! q_i(s) = p_i / (1 + t (a_i - s)),   t such that   sum p_i (a_i - s) / (1 + t (a_i - s)) = 0
//! LLR    = N sum p_i ln(q_i(s1) / q_i(s0))
//! ```
//!
//! with s0 and s1 the expected scores of the hypotheses (M. Van den Bergh, as in fishtest's `LLRcalc.py`); the test ends with
//! hypothesis 0 at ln(beta / (1 - alpha)) or below, with 1 at ln((1 - beta) / alpha) or above (Wald 1945).

use crate::statistics::{PAIR_POINTS, Score, UNSEEN_PAIR};

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

/// Share of the two points of a pair result.
fn share(index: usize) -> f64 {
    PAIR_POINTS[index] / 2.0
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
        let tilt = |score: f64| {
            // The sum falls as t rises; at both ends a denominator vanishes.
            let slope = |t: f64| -> f64 {
                let term = |(i, w): (usize, &f64)| w * (share(i) - score) / (1.0 + t * (share(i) - score));
                weights.iter().enumerate().map(term).sum()
            };
            let (mut low, mut high) = (-1.0 / (1.0 - score), 1.0 / score);
            for _ in 0..200 {
                let middle = (low + high) / 2.0;
                if slope(middle) > 0.0 { low = middle } else { high = middle }
            }
            (low + high) / 2.0
        };
        let (s0, s1) = (expected(self.elo0), expected(self.elo1));
        let (t0, t1) = (tilt(s0), tilt(s1));
        let term =
            |(i, w): (usize, &f64)| w * ((1.0 + t0 * (share(i) - s0)) / (1.0 + t1 * (share(i) - s1))).ln();
        weights.iter().enumerate().map(term).sum()
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
    fn the_ratio_is_the_generalised_one() {
        // For a long balanced match it is close to that of the normal distribution.
        let counts = [300, 2350, 4600, 2430, 320];
        let test = Sprt { elo0: 0.0, elo1: 5.0, alpha: 0.05, beta: 0.05 };
        let total: f64 = counts.iter().map(|count| *count as f64).sum();
        let weighted = |of: &dyn Fn(f64) -> f64| -> f64 {
            counts.iter().enumerate().map(|(i, count)| *count as f64 * of(share(i))).sum::<f64>() / total
        };
        let mean = weighted(&|a| a);
        let variance = weighted(&|a| (a - mean).powi(2));
        let (s0, s1) = (expected(0.0), expected(5.0));
        let normal = total * (s1 - s0) * (2.0 * mean - s0 - s1) / (2.0 * variance);
        let exact = test.llr(&pairs(counts));
        assert!((exact / normal - 1.0).abs() < 0.1, "{exact} {normal}");
        // A short one of even pairs says little: the normal distribution would say it is over.
        let llr = Sprt::parse("0,50").unwrap().llr(&pairs([0, 0, 8, 0, 0]));
        assert!((-2.0..0.0).contains(&llr), "{llr}");
    }

    #[test]
    fn errors_are_as_rare_as_promised() {
        let test = Sprt::parse("0,50").unwrap();
        let mut rng = fastrand::Rng::with_seed(5);
        // Shares of pairs that are won, and lost, twice; the rest are even. Under hypothesis 1 the expected score is that of 50 Elo.
        for (won, lost, truth) in
            [(0.143, 0.0, Verdict::One), (0.243, 0.1, Verdict::One), (0.1, 0.1, Verdict::Zero)]
        {
            let (mut wrong, rounds) = (0, 400);
            for _ in 0..rounds {
                let mut played = Vec::new();
                let verdict = loop {
                    for _ in 0..8 {
                        let draw = rng.f64();
                        let counts = if draw < won {
                            [0, 0, 0, 0, 1]
                        } else if draw < won + lost {
                            [1, 0, 0, 0, 0]
                        } else {
                            [0, 0, 1, 0, 0]
                        };
                        played.extend(pairs(counts));
                    }
                    match test.verdict(&played) {
                        Verdict::Open => {}
                        verdict => break verdict,
                    }
                };
                wrong += usize::from(verdict != truth);
            }
            // 5 % is promised; the regularised ratio of short matches may miss it by a little.
            assert!(wrong * 100 <= 8 * rounds, "{won} {lost}: {wrong} of {rounds}");
        }
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
