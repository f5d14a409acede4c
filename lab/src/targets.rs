// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the product must and aims to reach with its main configuration on its frozen set of positions: the one place
//! of these figures.

/// A figure to reach.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Target {
    /// What is counted, with its unit.
    pub what: &'static str,
    /// The worst value that will do.
    pub must: f64,
    /// The value aimed at.
    pub aim: f64,
}

/// Cycles of a search, 4 levels full width.
pub const CYCLES_4: Target =
    Target { what: "cycles per move, 4 levels full width, mean", must: 1_450.0, aim: 1_150.0 };
/// Cycles of a search, 8 levels over a beam.
pub const CYCLES_8: Target =
    Target { what: "cycles per move, 8 levels with beam, mean", must: 10_000.0, aim: 8_000.0 };
/// Evaluator busy at 4 levels.
pub const BUSY_4: Target = Target { what: "evaluator busy, 4 levels, %", must: 60.0, aim: 85.0 };
/// Evaluator busy at 8 levels.
pub const BUSY_8: Target = Target { what: "evaluator busy, 8 levels, %", must: 60.0, aim: 85.0 };
/// Against the best software engine on one core.
pub const SPEEDUP_4: Target =
    Target { what: "times the best single-core software, 4 levels at 100 MHz", must: 14.0, aim: 18.0 };

impl Target {
    /// Whether less is better.
    fn less(&self) -> bool {
        self.aim < self.must
    }

    /// How often `value` fits into what is asked for, or the reverse: 1 or less = reached.
    fn distance(&self, value: f64, asked: f64) -> f64 {
        if self.less() { value / asked } else { asked / value }
    }

    /// Whether the value will do.
    pub fn must_met(&self, value: f64) -> bool {
        self.distance(value, self.must) <= 1.0
    }

    /// Whether the aim is reached.
    pub fn aim_met(&self, value: f64) -> bool {
        self.distance(value, self.aim) <= 1.0
    }

    /// How far a value is, in words.
    pub fn verdict(&self, value: f64) -> String {
        if self.aim_met(value) {
            return "aim reached".into();
        }
        let (state, asked) =
            if self.must_met(value) { ("must reached, aim", self.aim) } else { ("must MISSED,", self.must) };
        format!("{state} {:.2} times away", self.distance(value, asked))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts() {
        for (target, value, verdict) in [
            (CYCLES_4, 1_100.0, "aim reached"),
            (CYCLES_4, 1_380.0, "must reached, aim 1.20 times away"),
            (CYCLES_4, 1_740.0, "must MISSED, 1.20 times away"),
            (SPEEDUP_4, 18.0, "aim reached"),
            (SPEEDUP_4, 15.0, "must reached, aim 1.20 times away"),
            (SPEEDUP_4, 7.0, "must MISSED, 2.00 times away"),
        ] {
            assert_eq!(target.verdict(value), verdict);
        }
    }
}
